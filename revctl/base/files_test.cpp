// Tests files, locks and processes on the real system.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>

#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/process.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/temporary_file.h"

namespace base = revctl::base;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() : folder_(std::move(base::ScratchFolder::Make().value())) {}
  std::string operator/(const std::string& name) const { return folder_.path() + "/" + name; }

 private:
  base::ScratchFolder folder_;
};

std::string Read(const std::string& path) {
  auto text = base::ReadFile(path, 1000);
  if (!text.ok()) return text.error().file + ": " + text.error().message;
  return text->value_or("(none)");
}

}  // namespace

TEST_CASE("file: a whole file, none, or the reason", "[base][file]") {
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

TEST_CASE("file: both ways of replacing leave one file, and its mode", "[base][file]") {
  const Folder folder;
  const std::string path = folder / "list.h";
  REQUIRE(base::ReplaceFile(path, "one", 0640).ok());
  CHECK((fs::status(path).permissions() & fs::perms::all) == fs::perms(0640));
  REQUIRE(base::ReplaceFile(path, "two", 0600).ok());
  CHECK((fs::status(path).permissions() & fs::perms::all) == fs::perms(0640));
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
  REQUIRE(base::RemoveFile(path).ok());  // the file is already removed
  REQUIRE(base::RemoveFile(folder / "moved").ok());
  CHECK(base::ListEntries(folder / ".")->empty());
  CHECK_FALSE(base::ReplaceFile(folder / "no/where", "x").ok());
  const auto refused = base::WriteFileAtomically(folder / "no/where", "x");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().exit == base::Exit::Environment);
  CHECK(refused.error().message == "cannot be created: No such file or directory");
}

TEST_CASE("file: a pipe or a device stays, and takes the bytes", "[base][file]") {
  const Folder folder;
  const std::string pipe = folder / "pipe", link = folder / "link";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink(pipe, link);
  CHECK(base::ReplaceFile(pipe, "lost").error().message.find("cannot be opened") == 0);
  const base::Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  REQUIRE(base::ReplaceFile(pipe, "one").ok());
  REQUIRE(base::WriteFileAtomically(link, "two").ok());
  REQUIRE(base::ReplaceFile("/dev/fd/" + std::to_string(reader.get()), "three").ok());
  char bytes[20] = {};
  CHECK(::read(reader.get(), bytes, sizeof bytes) == 11);
  CHECK(std::string(bytes) == "onetwothree");
  CHECK(fs::is_fifo(pipe));
  CHECK(fs::is_symlink(link));
  CHECK_FALSE(base::PreparedFile::Write(pipe, "a golden").ok());

  const std::string socket = folder / "socket";
  const base::Descriptor bound(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket.copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(bound.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(base::ReplaceFile(socket, "lost").error().message == "is not a regular file");
  CHECK(fs::is_socket(socket));
}

TEST_CASE("file lock: a second holder waits, and is told whose it is", "[base][file]") {
  const Folder folder;
  const std::string path = folder / "lock";
  const std::string own = "process " + std::to_string(::getpid());
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
}

TEST_CASE("process: what goes in comes out, of any size", "[base][process]") {
  base::ProcessOptions options;
  options.input = std::string(1 << 20, 'x') + "end";
  const auto echoed = base::Run({"cat"}, options);
  REQUIRE(echoed.ok());
  CHECK(echoed->out == options.input);
  options.max_output = 1000;
  CHECK_FALSE(base::Run({"cat"}, options).ok());
  CHECK(base::Run({"sh", "-c", "exit 7"})->status == 7);
  CHECK(base::Run({"sh", "-c", "kill -9 $$"})->status == 128 + 9);
  const auto none = base::Run({"revctl-no-such-program"});
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message ==
        "revctl-no-such-program cannot be started: No such file or directory");
}

TEST_CASE("process: its variables, its folder, its errors", "[base][process]") {
  const Folder folder;
  ::setenv("BASE_TEST_A", "1", 1);
  ::setenv("BASE_TEST_B", "2", 1);
  base::ProcessOptions options;
  options.directory = folder / ".";
  options.environment = {"BASE_TEST_A", "BASE_TEST_C=3"};
  const std::vector<std::string> say = {
      "sh", "-c",
      "printf '%s,' \"$BASE_TEST_A\" \"$BASE_TEST_B\" \"$BASE_TEST_C\"; echo no >&2; pwd"};
  auto run = base::Run(say, options);
  REQUIRE(run.ok());
  CHECK(run->out == ",2,3," + fs::canonical(folder / ".").string() + "\n");
  CHECK(run->err == "no\n");
  options.without = "BASE_TEST_";
  options.errors_to_stderr = true;
  run = base::Run(say, options);
  REQUIRE(run.ok());
  CHECK(run->out.starts_with(",,3,"));
  CHECK(run->err.empty());
  std::string traced;
  base::TraceRuns([&](const std::string& line) { traced = line; });
  REQUIRE(base::Run({"true", "a b"}).ok());
  base::TraceRuns({});
  CHECK(traced == "+ true 'a b'");
}
