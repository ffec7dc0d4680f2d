#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <revctl/save_file.h>

// Tests the order of SaveFile's system calls, and what happens if a call fails. Other tests cannot
// notice a missing fsync, because it matters only after a power loss. This program therefore
// replaces the system functions with its own versions, which log each call, fail on request, and
// otherwise call the real function.

namespace {

std::vector<std::string> calls;
std::string failing;  ///< the function whose next call fails; empty if no call should fail
int with = 0;         ///< the errno that the failing call sets

/// Logs a call. Returns true if it must fail.
bool Fails(const std::string& call) {
  calls.push_back(call);
  if (call != failing) return false;
  failing.clear();
  errno = with;
  return true;
}

/// Describes the file that a descriptor refers to: a folder, an unnamed file, or a named file.
std::string Shown(int fd) {
  struct stat info;
  if (::fstat(fd, &info) != 0) return "nothing";
  return S_ISDIR(info.st_mode) ? "folder" : info.st_nlink == 0 ? "unnamed" : "named";
}

}  // namespace

extern "C" {

int fsync(int fd) {
  return Fails("fsync " + Shown(fd)) ? -1 : static_cast<int>(::syscall(SYS_fsync, fd));
}
int fdatasync(int fd) {
  return Fails("fdatasync " + Shown(fd)) ? -1 : static_cast<int>(::syscall(SYS_fdatasync, fd));
}
int fchmod(int fd, mode_t mode) noexcept {
  return Fails("fchmod " + Shown(fd)) ? -1 : static_cast<int>(::syscall(SYS_fchmod, fd, mode));
}
int rename(const char* from, const char* to) noexcept {
  return Fails("rename")
             ? -1
             : static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return Fails("rename")
             ? -1
             : static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return Fails("linkat")
             ? -1
             : static_cast<int>(::syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

}  // extern "C"

namespace {

struct Folder {
  std::string path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "revctl_order_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::ptrdiff_t Count() const {
    return std::distance(std::filesystem::directory_iterator(path), {});
  }
};

using Calls = std::vector<std::string>;

revctl::Status Save(const std::string& path, std::int32_t value) {
  calls.clear();
  return revctl::SaveFile(path, 1, value);
}
std::int32_t Saved(const std::string& path) {
  std::int32_t value = 0;
  CHECK(revctl::LoadFile(path, value, 1).message() == "");
  return value;
}

/// True if the system supports unnamed files, which SaveFile prefers.
bool HasUnnamed(const Folder& folder) {
  const int fd = ::open(folder.path.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0 && ::access("/proc/self/fd", X_OK) == 0;
}

}  // namespace

TEST_CASE("disk order: syncs the bytes, then renames, then syncs the folder", "[file]") {
  const Folder folder;
  const std::string path = folder.path + "/world";
  if (!HasUnnamed(folder)) {
    REQUIRE(Save(path, 1).Ok());
    CHECK(calls == Calls{"fsync named", "rename", "fsync folder"});
    REQUIRE(Save(path, 2).Ok());
    CHECK(calls == Calls{"fchmod named", "fsync named", "rename", "fsync folder"});
    return;
  }
  REQUIRE(Save(path, 1).Ok());
  CHECK(calls == Calls{"fsync unnamed", "linkat", "rename", "fsync folder"});
  REQUIRE(Save(path, 2).Ok());
  CHECK(calls == Calls{"fchmod unnamed", "fsync unnamed", "linkat", "rename", "fsync folder"});
  // Without unnamed files or /proc, SaveFile uses a named temporary file.
  failing = "linkat", with = ENOENT;
  REQUIRE(Save(path, 3).Ok());
  CHECK(calls == Calls{"fchmod unnamed", "fsync unnamed", "linkat", "fchmod named", "fsync named",
                       "rename", "fsync folder"});
  CHECK(Saved(path) == 3);
  CHECK(folder.Count() == 1);
}

TEST_CASE("disk order: any failed call keeps the old file and reports an error", "[file]") {
  struct Case {
    const char* call;
    int error;
    const char* words;
  };
  for (const bool exists : {true, false}) {
    const Folder folder;
    const std::string path = folder.path + "/world";
    if (exists) REQUIRE(Save(path, 1).Ok());
    const std::string first = HasUnnamed(folder) ? "unnamed" : "named";
    std::vector<Case> cases = {{"rename", EXDEV, "Invalid cross-device link"},
                               {"rename", EIO, "Input/output error"}};
    const std::string sync = "fsync " + first, mode = "fchmod " + first;
    cases.push_back({sync.c_str(), EIO, "Input/output error"});
    cases.push_back({sync.c_str(), ENOSPC, "No space left on device"});
    if (exists) cases.push_back({mode.c_str(), EIO, "Input/output error"});
    if (first == "unnamed") cases.push_back({"linkat", EDQUOT, "Disk quota exceeded"});
    for (const Case& one : cases) {
      INFO(one.call << " " << one.words);
      failing = one.call, with = one.error;
      const revctl::Status status = Save(path, 2);
      CHECK(failing.empty());
      CHECK(status.kind() == revctl::Status::Kind::Io);
      CHECK(status.message() == "writing " + path + ": " + one.words);
      CHECK(folder.Count() == (exists ? 1 : 0));
      if (exists) CHECK(Saved(path) == 1);
      CHECK(std::count(calls.begin(), calls.end(), "fsync folder") == 0);
    }
  }
}

TEST_CASE("disk order: saving succeeds even if the folder cannot be synced", "[file]") {
  const Folder folder;
  const std::string path = folder.path + "/world";
  failing = "fsync folder", with = EINVAL;
  CHECK(Save(path, 7).Ok());
  CHECK(failing.empty());
  CHECK(Saved(path) == 7);
}
