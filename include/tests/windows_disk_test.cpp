#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <revctl/map_file.h>
#include <revctl/save_file.h>

// Included after the library to check that the library's declarations of Windows functions match
// <windows.h>.
#include <windows.h>

// Tests behavior of files that is specific to Windows.

namespace {

namespace fs = std::filesystem;

struct File {
  fs::path path =
      fs::temp_directory_path() / ("revctl_file_" + std::to_string(::GetTickCount64()) + ".save");
  ~File() {
    std::error_code ignored;
    ::SetFileAttributesW(path.c_str(), FILE_ATTRIBUTE_NORMAL);
    fs::remove(path, ignored);
  }
};
const std::vector<std::byte> kOld(3, std::byte{1}), kNew(4, std::byte{2});

std::vector<std::byte> Contents(const std::string& path) {
  std::vector<std::byte> bytes;
  CHECK(revctl::ReadFile(path, bytes).message() == "");
  return bytes;
}

}  // namespace

TEST_CASE("windows: the ReplaceFile macro in <windows.h> does not hide the function", "[windows]") {
  const File file;
  REQUIRE(revctl::ReplaceFile(file.path.string(), kOld).Ok());  // ReplaceFile is a macro here
  CHECK(Contents(file.path.string()) == kOld);
}

TEST_CASE("windows: paths may have drive letters, slashes and backslashes", "[windows]") {
  const File file;
  const std::string slashes = file.path.generic_string(),
                    backslashes = fs::path(file.path).make_preferred().string();
  REQUIRE(slashes[1] == ':');
  REQUIRE(revctl::ReplaceFile(slashes, kOld).Ok());
  CHECK(Contents(backslashes) == kOld);
  REQUIRE(revctl::ReplaceFile(backslashes, kNew).Ok());
  CHECK(Contents(slashes) == kNew);
  CHECK(Contents("\\\\?\\" + backslashes) == kNew);
}

TEST_CASE("windows: a file that another program does not share stays unchanged", "[windows]") {
  const File file;
  const std::string path = file.path.string();
  REQUIRE(revctl::ReplaceFile(path, kOld).Ok());
  const HANDLE other = ::CreateFileW(file.path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                     OPEN_EXISTING, 0, nullptr);
  REQUIRE(other != INVALID_HANDLE_VALUE);
  const revctl::Status status = revctl::ReplaceFile(path, kNew);
  CHECK(status.message() == "writing " + path + ": another program has the file open");
  ::CloseHandle(other);
  CHECK(Contents(path) == kOld);
  REQUIRE(revctl::ReplaceFile(path, kNew).Ok());
  CHECK(Contents(path) == kNew);
}

TEST_CASE("windows: a read-only file stays unchanged", "[windows]") {
  const File file;
  const std::string path = file.path.string();
  REQUIRE(revctl::ReplaceFile(path, kOld).Ok());
  REQUIRE(::SetFileAttributesW(file.path.c_str(), FILE_ATTRIBUTE_READONLY) != 0);
  CHECK(revctl::ReplaceFile(path, kNew).message() == "writing " + path + ": Permission denied");
  CHECK(Contents(path) == kOld);
}

TEST_CASE("windows: a mapped file keeps its contents", "[windows]") {
  const File file;
  const std::string path = file.path.string();
  REQUIRE(revctl::ReplaceFile(path, kOld).Ok());
  {
    revctl::MappedFile mapped;
    REQUIRE(revctl::MapFile(path, mapped).Ok());
    // Windows rejects this call, but Wine accepts it. In either case, the mapped contents must not
    // change.
    static_cast<void>(revctl::ReplaceFile(path, kNew).Ok());
    CHECK(std::equal(mapped.Bytes().begin(), mapped.Bytes().end(), kOld.begin(), kOld.end()));
  }
  REQUIRE(revctl::ReplaceFile(path, kNew).Ok());
  CHECK(Contents(path) == kNew);
}

TEST_CASE("windows: names that are not UTF-8 or that Windows does not allow", "[windows]") {
  const std::string folder = fs::temp_directory_path().string();
  for (const std::string name : {"bad\xFF", "bad\xC3", "bad\xED\xA0\x80", "what?", "a<b", "a|b"}) {
    CAPTURE(name);
    CHECK_FALSE(revctl::ReplaceFile(folder + name, kOld).Ok());
    std::vector<std::byte> bytes;
    CHECK_FALSE(revctl::ReadFile(folder + name, bytes).Ok());
  }
}
