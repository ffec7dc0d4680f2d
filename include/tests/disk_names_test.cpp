#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <revctl/map_file.h>
#include <revctl/save_file.h>

// Tests file names, and saving to a file that is open. Both must work the same on every system.
// Tests for POSIX systems only are in disk_test.cpp.

namespace {

namespace fs = std::filesystem;

std::vector<std::byte> Some(std::size_t size, int value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

/// Converts a path to UTF-8, because std::filesystem paths are not UTF-8 on Windows.
std::string Utf8(const fs::path& path) {
  const std::u8string text = path.generic_u8string();
  return {text.begin(), text.end()};
}
fs::path FromUtf8(const std::string& text) {
  return fs::path(std::u8string(text.begin(), text.end()));
}

/// Returns a path that MinGW's std::filesystem accepts even if it is long. MinGW needs a prefix for
/// long paths; the library must work without it.
fs::path Long(const fs::path& path) {
#ifdef _WIN32
  return "\\\\?\\" + fs::path(path).make_preferred().string();
#else
  return path;
#endif
}

struct Folder {
  fs::path path =
      fs::temp_directory_path() / ("revctl_names_" + std::to_string(std::random_device()()));
  Folder() { fs::create_directory(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string operator/(const std::string& name) const { return Utf8(path / FromUtf8(name)); }
  std::ptrdiff_t Files() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

}  // namespace

TEST_CASE("disk names: names are UTF-8 on every system", "[file]") {
  const Folder folder;
  for (const std::string name : {"plain.save", "Spielst\xC3\xA4nde.save",
                                 "\xE4\xBF\x9D\xE5\xAD\x98.save", "\xF0\x9F\x8E\xAE.save"}) {
    CAPTURE(name);
    const std::string path = folder / name;
    for (const int value : {1, 2}) {  // creates the file, then replaces it
      REQUIRE(revctl::ReplaceFile(path, Some(3, value)).message() == "");
      CHECK(fs::exists(folder.path / FromUtf8(name)));
      std::vector<std::byte> back;
      REQUIRE(revctl::ReadFile(path, back).message() == "");
      CHECK(back == Some(3, value));
    }
    fs::remove(folder.path / FromUtf8(name));
    CHECK(folder.Files() == 0);  // no temporary file remains
  }
}

TEST_CASE("disk names: paths longer than 260 characters work", "[file]") {
  const Folder folder;
  fs::path deep = folder.path;
  for (int level = 0; level < 6; ++level) {
    deep /= std::string(60, static_cast<char>('a' + level));
    fs::create_directory(Long(deep));
  }
  const std::string path = Utf8(deep / "world.save");
  REQUIRE(path.size() > 360);
  for (const int value : {1, 2}) {
    REQUIRE(revctl::ReplaceFile(path, Some(5, value)).message() == "");
    std::vector<std::byte> back;
    REQUIRE(revctl::ReadFile(path, back).message() == "");
    CHECK(back == Some(5, value));
  }
  revctl::MappedFile mapped;
  REQUIRE(revctl::MapFile(path, mapped).Ok());
  CHECK(mapped.Bytes().size() == 5);
  mapped = {};
  REQUIRE(fs::remove(Long(deep / "world.save")));
  for (; deep != folder.path; deep = deep.parent_path()) REQUIRE(fs::remove(Long(deep)));
}

TEST_CASE("disk names: errors for missing files, folders and devices are the same everywhere",
          "[file]") {
  const Folder folder;
  std::vector<std::byte> bytes;
  CHECK(revctl::ReadFile(folder / "no.save", bytes).message() ==
        "opening " + (folder / "no.save") + ": No such file or directory");
  CHECK(revctl::ReadFile(Utf8(folder.path), bytes).message() ==
        "reading " + Utf8(folder.path) + ": Is a directory");
  CHECK(revctl::ReplaceFile(Utf8(folder.path), bytes).message() ==
        "writing " + Utf8(folder.path) + ": Is a directory");
  CHECK(revctl::ReplaceFile(folder / "no/world.save", bytes).message() ==
        "writing " + (folder / "no/world.save") + ": No such file or directory");
#ifdef _WIN32
  const std::string device = "NUL";
#else
  const std::string device = "/dev/null";
#endif
  CHECK(revctl::ReadFile(device, bytes).message() == "reading " + device + ": not a regular file");
  CHECK(revctl::ReplaceFile(device, bytes).message() ==
        "writing " + device + ": not a regular file");
  CHECK(folder.Files() == 0);
}

TEST_CASE("disk names: a file that is being read can be replaced", "[file]") {
  const Folder folder;
  const std::string path = folder / "world.save";
  REQUIRE(revctl::ReplaceFile(path, Some(3, 1)).Ok());
  revctl::detail::InputFile reader;
  REQUIRE(reader.Open(path).Ok());
  REQUIRE(revctl::ReplaceFile(path, Some(4, 2)).message() == "");
  std::vector<std::byte> bytes(10);
  std::size_t count = 0;
  REQUIRE(reader.Read(bytes, count));
  CHECK(count == 3);  // the open file keeps its old contents
  REQUIRE(revctl::ReadFile(path, bytes).Ok());
  CHECK(bytes == Some(4, 2));
}
