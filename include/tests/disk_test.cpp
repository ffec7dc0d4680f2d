#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <revctl/map_file.h>
#include <revctl/save_file.h>
#include <revctl/serialize.h>

// Tests the files on disk after SaveFile succeeds, fails or is killed.

namespace {

enum class Rev { Initial = 1, Latest = 5 };

struct Thing {
  std::int32_t hp = 3;
};
SERIALIZE_TYPE(Thing) { ADD(1, hp); }
SERIALIZE_END

/// An object large enough that a kill can interrupt saving it.
struct World {
  std::vector<std::int32_t> cells;
};
SERIALIZE_TYPE(World) { ADD(1, cells); }
SERIALIZE_END

struct Folder {
  std::string path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "revctl_test_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const char* name) const { return path + "/" + name; }
};

/// Runs `f` in a child process and returns the status from waitpid(). Kills the process after
/// `microseconds`, unless that is 0.
template <class F>
int InChild(F f, unsigned microseconds = 0) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    f();
    ::_exit(0);
  }
  if (microseconds != 0) {
    ::usleep(microseconds);
    ::kill(child, SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

std::ptrdiff_t Count(const Folder& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path), {});
}

}  // namespace

TEST_CASE("disk: a failed write leaves only the old file", "[file]") {
  const Folder folder;
  const std::string path = folder / "world";
  REQUIRE(revctl::SaveFile(path, 1, World{{1, 2, 3}}).Ok());
  const int status = InChild([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    const revctl::Status saved =
        revctl::SaveFile(path, 1, World{std::vector<std::int32_t>(1 << 20, 7)});
    if (saved.kind() != revctl::Status::Kind::Io) ::_exit(3);
    if (saved.message().find("world: File too large") == std::string::npos) ::_exit(4);
    // A new file that cannot be written completely is removed.
    if (revctl::SaveFile(folder / "new", 1, World{std::vector<std::int32_t>(1 << 20, 7)}).Ok())
      ::_exit(5);
    if (!revctl::SaveFile(folder / "small", 1, World{}).Ok()) ::_exit(6);
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  World world;
  REQUIRE(revctl::LoadFile(path, world, 1).Ok());
  CHECK(world.cells == std::vector<std::int32_t>{1, 2, 3});
  CHECK(Count(folder) == 2);
}

TEST_CASE("disk: a kill leaves the old or the new file and no temporary file", "[file]") {
  const Folder folder;
  const std::string path = folder / "world";
  constexpr std::size_t size = 1 << 20;
  REQUIRE(revctl::SaveFile(path, 1, World{std::vector<std::int32_t>(size, 0)}).Ok());
  std::vector<std::byte> files[2];
  for (const std::int32_t n : {0, 1}) {
    REQUIRE(revctl::Save(1, World{std::vector<std::int32_t>(size, n + 1)}, files[n]).Ok());
  }
  std::mt19937 random(3);
  int killed = 0;
  for (int round = 0; round < 20; ++round) {
    const int status = InChild(
        [&] {
          for (unsigned n = 0;; ++n) {
            if (!revctl::ReplaceFile(path, files[n % 2]).Ok()) ::_exit(1);
          }
        },
        1000 + static_cast<unsigned>(random() % 30000));
    killed += WIFSIGNALED(status) ? 1 : 0;
    World world;
    REQUIRE(revctl::LoadFile(path, world, 1).message() == "");
    REQUIRE(world.cells.size() == size);
    REQUIRE(std::count(world.cells.begin(), world.cells.end(), world.cells[0]) ==
            static_cast<std::ptrdiff_t>(size));
  }
  CHECK(killed == 20);
  // If the process is killed between linkat and rename, a complete file with a temporary name
  // remains next to the old file.
  const int unnamed = ::open(folder.path.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (unnamed >= 0) {
    ::close(unnamed);
    CHECK(Count(folder) <= 3);
  } else {
    WARN("unnamed files are not supported in " << folder.path
                                               << ", so each kill may leave a temporary file");
    CHECK(Count(folder) <= 21);
  }
}

TEST_CASE("disk: new files follow the umask, and old files keep their mode", "[file]") {
  const Folder folder;
  const auto mode = [&](const char* name) {
    return static_cast<unsigned>(std::filesystem::status(folder / name).permissions());
  };
  const mode_t before = ::umask(027);
  CHECK(revctl::SaveFile(folder / "new", 1, Thing{}).Ok());
  ::umask(0);
  CHECK(revctl::SaveFile(folder / "open", 1, Thing{}).Ok());
  CHECK(revctl::SaveFile(folder / "new", 1, Thing{}).Ok());
  ::umask(before);
  CHECK(mode("new") == 0640);
  CHECK(mode("open") == 0666);
}

TEST_CASE("disk: a symbolic link stays, and its target is replaced", "[file]") {
  const Folder folder;
  std::filesystem::create_directory(folder / "saves");
  std::filesystem::create_symlink("saves/slot", folder / "current");
  std::filesystem::create_symlink(folder / "current", folder / "newest");
  Thing thing;
  for (const std::int32_t hp : {4, 5}) {  // the target exists only the second time
    REQUIRE(revctl::SaveFile(folder / "newest", 1, Thing{hp}).message() == "");
    CHECK(std::filesystem::is_symlink(folder / "newest"));
    CHECK(std::filesystem::is_symlink(folder / "current"));
    CHECK(revctl::LoadFile(folder / "saves/slot", thing, 1).Ok());
    CHECK(thing.hp == hp);
  }
  std::filesystem::create_symlink("round", folder / "round");
  const auto status = revctl::SaveFile(folder / "round", 1, thing);
  CHECK(status.kind() == revctl::Status::Kind::Io);
  CHECK_THAT(status.message(), Catch::Contains("/round: "));
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "saves"), {}) == 1);
}

TEST_CASE("disk: a file name of maximum length works", "[file]") {
  const Folder folder;
  std::string name;
  while (name.size() + 2 <= 255) name += "\u00e9";  // "\u00e9" is two bytes long
  Thing thing;
  REQUIRE(revctl::SaveFile(folder / name.c_str(), 1, Thing{7}).message() == "");
  REQUIRE(revctl::SaveFile(folder / name.c_str(), 1, Thing{8}).message() == "");
  CHECK(revctl::LoadFile(folder / name.c_str(), thing, 1).Ok());
  CHECK(thing.hp == 8);
}

TEST_CASE("disk: only regular files are replaced and read", "[file]") {
  const Folder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(revctl::SaveFile(folder / "pipe", 1, Thing{}).message(),
             Catch::Contains("not a regular file"));
  CHECK(std::filesystem::is_fifo(folder / "pipe"));
  CHECK(revctl::SaveFile(folder.path, 1, Thing{}).kind() == revctl::Status::Kind::Io);
  // Reading must also reject these files. Reading the pipe would block forever, and /dev/zero never
  // ends.
  Thing thing;
  for (const std::string& path : {std::string(folder / "pipe"), std::string("/dev/zero")}) {
    CHECK(revctl::LoadFile(path, thing, 5).message() == "reading " + path + ": not a regular file");
  }
}

TEST_CASE("disk: a file larger than memory is an error, not a crash", "[file][huge]") {
  if (sizeof(void*) < 8) return;  // 32-bit programs cannot open files of 2 GiB or more
  const Folder folder;
  { std::ofstream(folder / "huge"); }
  // Make the file sparse, so that it takes almost no disk space.
  std::filesystem::resize_file(folder / "huge", std::uintmax_t{1} << 43);
  Thing thing{42};
  const auto status = revctl::LoadFile(folder / "huge", thing, 1, {.magic = 0});
  CHECK(status.kind() == revctl::Status::Kind::Io);
  CHECK_THAT(status.message(), Catch::Contains("huge: 8796093022208 bytes do not fit in memory"));
  // LoadFile checks the magic first, so that it rejects huge foreign files quickly. Mapping reads
  // no pages.
  CHECK(revctl::LoadFile(folder / "huge", thing, 1).kind() == revctl::Status::Kind::NotThisFormat);
  CHECK(thing.hp == 42);
  const int ended = InChild([&] {
    ::alarm(60);  // ends the test if the call hangs
    revctl::MappedFile mapped;
    const bool fine =
        revctl::MapFile(folder / "huge", mapped).Ok() &&
        revctl::Load(mapped.Bytes(), thing, 1).kind() == revctl::Status::Kind::NotThisFormat;
    ::_exit(fine ? 0 : 1);
  });
  CHECK((WIFEXITED(ended) && WEXITSTATUS(ended) == 0));
}

TEST_CASE("disk: SaveFile replaces the whole file, and LoadFile explains errors", "[file]") {
  const Folder folder;
  const std::string path = folder / "thing.save";
  Thing thing;
  CHECK(revctl::LoadFile(path, thing, 5).kind() == revctl::Status::Kind::Io);
  CHECK_THAT(revctl::LoadFile(path, thing, 5).message(),
             Catch::Contains("thing.save: No such file"));

  REQUIRE(revctl::SaveFile(path, Rev::Latest, Thing{8}).Ok());
  CHECK(revctl::LoadFile(path, thing, 5).Ok());
  CHECK(thing.hp == 8);
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  REQUIRE(revctl::SaveFile(path, Rev::Latest, Thing{9}).Ok());
  CHECK(revctl::LoadFile(path, thing, 5).Ok());
  CHECK(thing.hp == 9);
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));

  REQUIRE(truncate(path.c_str(), 18) == 0);
  CHECK_THAT(revctl::LoadFile(path, thing, 5).message(),
             Catch::StartsWith(path + ": reading Thing.hp at offset 16"));
  CHECK(revctl::SaveFile(folder / "no/such/folder", 1, thing).kind() == revctl::Status::Kind::Io);
  CHECK(revctl::LoadFile(folder.path, thing, 1).kind() == revctl::Status::Kind::Io);
  // Neither failed nor successful saves leave other files behind.
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}
