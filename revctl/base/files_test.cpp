// Tests files and locks on the real file system. Runs on all operating systems.
#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/system/files.h"
#include "revctl/base/temporary_file.h"
#include "revctl/base/testing/test_folder.h"

namespace base = revctl::base;
namespace fs = std::filesystem;
using base::testing::Folder;
using base::testing::Read;

TEST_CASE("file: ReadFile returns the whole file, nullopt or an error", "[base][file]") {
  const Folder folder;
  CHECK(Read(folder / "none") == "(none)");
  CHECK(Read(folder / "none/below") == "(none)");
  REQUIRE(base::ReplaceFile(folder / "a", std::string("one\0two", 7)).ok());
  CHECK(Read(folder / "a") == std::string("one\0two", 7));
  CHECK(Read(folder / "a/below") == "(none)");
  CHECK(Read(folder / ".") == (folder / ".") + ": is not a regular file");
  const auto large = base::ReadFile(folder / "a", 6);
  REQUIRE_FALSE(large.ok());
  CHECK(large.error().message == "has 7 bytes, but at most 6 are supported");
  CHECK(base::InMessage(large.error()).message ==
        (folder / "a") + ": has 7 bytes, but at most 6 are supported");
  CHECK(base::InMessage(large.error()).file.empty());
}

TEST_CASE("file: both ways to replace a file leave only that file", "[base][file]") {
  const Folder folder;
  const std::string path = folder / "list.h";
  REQUIRE(base::ReplaceFile(path, "one", 0640).ok());
  REQUIRE(base::ReplaceFile(path, "two", 0600).ok());
  {
    auto dropped = base::PreparedFile::Write(path, "never");
    REQUIRE(dropped.ok());
    CHECK(Read(path) == "two");
  }
  CHECK(Read(path) == "two");
  REQUIRE(base::WriteFileAtomically(path, "three").ok());
  CHECK(Read(path) == "three");
  REQUIRE(base::ProbeReplace(path).ok());
  CHECK(*base::ListFiles(folder / ".") == std::vector<std::string>{"list.h"});
  REQUIRE(base::MoveFile(path, folder / "moved").ok());
  REQUIRE(base::RemoveFile(path).ok());  // already gone, because it has been moved
  REQUIRE(base::RemoveFile(folder / "moved").ok());
  CHECK(base::ListEntries(folder / ".")->empty());
  CHECK_FALSE(base::ReplaceFile(folder / "no/where", "x").ok());
  const auto refused = base::WriteFileAtomically(folder / "no/where", "x");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().exit == base::Exit::Environment);
  CHECK(refused.error().message == "cannot be created: No such file or directory");
}

TEST_CASE("file: UTF-8 names and long names work", "[base][file]") {
  const Folder folder;
  const std::string name = "\u00dcbersicht \U0001F600.h";
  REQUIRE(base::ReplaceFile(folder / name, "one").ok());
  CHECK(*base::ListFiles(folder.path()) == std::vector<std::string>{name});
  CHECK(fs::exists(folder / name));
  CHECK(fs::path(folder / name).filename().generic_string() == name);
  std::ifstream stream(fs::path(folder / name));
  CHECK(stream.get() == 'o');
  // No path may cause an exception, whatever bytes it contains. Which file an invalid name refers
  // to depends on the system.
  CHECK_FALSE(fs::exists(folder / "\xff\xc3(.h"));
  CHECK(base::FolderOf("a/\xff/b").starts_with("a/"));

  std::string deep = folder.path();
  for (int level = 0; level < 6; ++level) {
    deep += "/" + std::string(60, 'd');
    fs::create_directory(deep);
  }
  REQUIRE(base::ReplaceFile(deep + "/list.h", "deep").ok());
  REQUIRE(base::WriteFileAtomically(deep + "/list.h", "deeper").ok());
  CHECK(Read(deep + "/list.h") == "deeper");
  CHECK(*base::ListFiles(deep) == std::vector<std::string>{"list.h"});
  CHECK(base::KindAt(deep) == base::PathKind::Folder);
  CHECK(base::ResolvedPath(deep + "/none") ==
        base::ResolvedPath(folder.path()) + deep.substr(folder.path().size()) + "/none");
  REQUIRE(base::MoveFile(deep + "/list.h", deep + "/moved.h").ok());
  REQUIRE(base::RemoveFile(deep + "/moved.h").ok());
}

TEST_CASE("file: CopyOver replaces files and keeps others", "[base][file]") {
  const Folder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(folder / name).parent_path());
    REQUIRE(base::ReplaceFile(folder / name, text).ok());
  };
  write("from/a", "new");
  write("from/deep/b", "new");
  write("to/a", "older");
  write("to/deep/c", "kept");
  REQUIRE(base::CopyOver(folder / "from", folder / "to").ok());
  CHECK(Read(folder / "to/a") == "new");
  CHECK(Read(folder / "to/deep/b") == "new");
  CHECK(Read(folder / "to/deep/c") == "kept");
  REQUIRE(base::CopyOver(folder / "to/deep/c", folder / "to/a").ok());
  CHECK(Read(folder / "to/a") == "kept");
  REQUIRE(base::CopyOver(folder / "to/a", folder / "other/deep/d").ok());
  CHECK(Read(folder / "other/deep/d") == "kept");

  const auto missing = base::CopyOver(folder / "none", folder / "to/a");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().file == folder / "none");
  CHECK(Read(folder / "to/a") == "kept");
}

TEST_CASE("file: replacing an open file succeeds, and its reader still sees the old bytes",
          "[base][file]") {
  const Folder folder;
  REQUIRE(base::ReplaceFile(folder / "a", "old").ok());
  const base::Descriptor reader = base::OpenToRead(folder / "a");
  REQUIRE(reader.IsOpen());
  REQUIRE(base::ReplaceFile(folder / "a", "newer").ok());
  REQUIRE(base::WriteFileAtomically(folder / "a", "new").ok());
  CHECK(base::ReadUpTo(reader.get(), 100) == "old");
  CHECK(Read(folder / "a") == "new");
  REQUIRE(base::RemoveFile(folder / "a").ok());
}

TEST_CASE("file: KindAt, ListFolder and ResolvedPath", "[base][file]") {
  const Folder folder;
  REQUIRE(base::ReplaceFile(folder / "a", "one").ok());
  fs::create_directory(folder / "deep");
  CHECK(base::KindAt(folder / "a") == base::PathKind::File);
  CHECK(base::KindAt(folder / "deep") == base::PathKind::Folder);
  CHECK(base::KindAt(folder / "none") == base::PathKind::None);
  CHECK(base::KindAt(folder / "a/below") == base::PathKind::None);
  const auto listed = base::ListFolder(folder.path());
  REQUIRE(listed);
  CHECK(listed->size() == 2);
  for (const base::ListedEntry& entry : *listed)
    CHECK(entry.kind == base::KindAt(folder / entry.name));
  CHECK(base::ListFolder(folder / "deep")->empty());
  CHECK_FALSE(base::ListFolder(folder / "none"));
  CHECK(errno == ENOENT);
  CHECK_FALSE(base::ListFolder(folder / "a"));
  CHECK(errno == ENOTDIR);
  const std::string real = base::ResolvedPath(folder.path());
  CHECK(base::ResolvedPath(real) == real);
  CHECK(base::ResolvedPath(folder / "deep/../a") == real + "/a");
  CHECK(base::ResolvedPath(folder / "deep/none/below") == real + "/deep/none/below");
  CHECK(base::ResolvedPath(folder / "deep/../../elsewhere") == base::FolderOf(real) + "/elsewhere");
}

TEST_CASE("file: RemoveUnheld keeps the file of a running process", "[base][file]") {
  const Folder folder;
  std::string path, left;
  const base::Descriptor held = base::CreateHeld(folder / "held-", path);
  REQUIRE(held.IsOpen());
  CHECK(path.size() == (folder / "held-").size() + base::kRandomLetters);
  base::RemoveUnheld(path);
  CHECK(fs::exists(path));
  { const base::Descriptor closed = base::CreateHeld(folder / "held-", left); }
  CHECK(left != path);
  base::RemoveUnheld(left);
  CHECK_FALSE(fs::exists(left));
  base::RemoveUnheld(left);  // already removed
}

TEST_CASE("file: text written to the null device is discarded", "[base][file]") {
  const std::string null = fs::path::preferred_separator == '/' ? "/dev/null" : "NUL";
  CHECK(base::IsNullDevice(null));
  CHECK_FALSE(base::IsNullDevice("null"));
  CHECK(base::ReplaceFile(null, "lost").ok());
  CHECK(base::WriteFileAtomically(null, "lost").ok());
  CHECK_FALSE(base::PreparedFile::Write(null, "a golden").ok());
  CHECK(base::ReadFile(null, 100).error().message == "is not a regular file");
}

TEST_CASE("file lock: a second process waits, and learns who holds the lock", "[base][file]") {
  const Folder folder;
  const std::string path = folder / "lock";
  const std::string own = "process " + std::to_string(base::ProcessNumber());
  std::string told;
  const auto tell = [&](const std::string& holder) { told = holder; };
  {
    const auto held = base::FileLock::Take(path, tell);
    REQUIRE(held.ok());
    const auto second = base::FileLock::Take(path, tell, std::chrono::milliseconds(0));
    REQUIRE_FALSE(second.ok());
    CHECK(second.error().message == path + " is still locked by " + own + "");
    REQUIRE_FALSE(base::FileLock::Take(path, tell, std::chrono::milliseconds(1200)).ok());
    CHECK(told == own);
  }
  CHECK(base::FileLock::Take(path, tell, std::chrono::milliseconds(0)).ok());
  CHECK(base::FileLock::TakeFolder(folder / "made/here").ok());
  CHECK(fs::is_directory(folder / "made/here"));
  // Two different paths to the same folder share a lock.
  const auto one = base::OpenFolderLock(folder / "made/here"),
             other = base::OpenFolderLock(folder / "made/../made/here");
  REQUIRE(base::TryLock(one.get()));
  CHECK_FALSE(base::TryLock(other.get()));
  CHECK_FALSE(base::OpenFolderLock(folder / "none").IsOpen());
}
