// Tests files, pipes, sockets, file modes and the shell on POSIX systems.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <string>

#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/system/process.h"
#include "revctl/base/testing/test_folder.h"

namespace base = revctl::base;
namespace fs = std::filesystem;
using base::testing::Folder;

TEST_CASE("file: a replaced file keeps its mode", "[base][file]") {
  const Folder folder;
  const std::string path = folder / "list.h";
  for (const unsigned mode : {0640U, 0600U}) {
    REQUIRE(base::ReplaceFile(path, "one", mode).ok());
    CHECK((fs::status(path).permissions() & fs::perms::all) == fs::perms(0640));
  }
}

TEST_CASE("file: KindAt reports symbolic links, and ResolvedPath follows them", "[base][file]") {
  const Folder folder;
  REQUIRE(base::ReplaceFile(folder / "a", "one").ok());
  fs::create_symlink("a", folder / "link");
  fs::create_symlink("nowhere", folder / "broken");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(base::KindAt(folder / "link") == base::PathKind::Link);
  CHECK(base::KindAt(folder / "broken") == base::PathKind::Link);
  CHECK(base::KindAt(folder / "pipe") == base::PathKind::Other);
  CHECK(base::ResolvedPath(folder / "link") == base::ResolvedPath(folder / "a"));
}

TEST_CASE("file: ReplaceFile writes into a pipe or device", "[base][file]") {
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

TEST_CASE("process: reports the signal that ended a program", "[base][process]") {
  CHECK(base::Run({"sh", "-c", "kill -9 $$"})->status == 128 + 9);
}

TEST_CASE("shell words: a shell reads each word back unchanged", "[base]") {
  std::string bytes;
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  for (const std::string& word :
       {std::string("plain-1.h"), std::string(), std::string("a b"), std::string("it's"),
        std::string("Reply<Code>"), std::string("$(id)"), std::string("~"), std::string("a;b"),
        std::string("{a,b}"), std::string("HEAD^{commit}"), bytes, std::string("a\n"),
        std::string("\n\n"), std::string("-\n \n")}) {
    const std::string command = "printf %s. " + base::ShellWord(word);
    FILE* const shell = ::popen(command.c_str(), "r");
    REQUIRE(shell != nullptr);
    std::string said;
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) said += static_cast<char>(c);
    CHECK(::pclose(shell) == 0);
    CHECK(said == word + ".");
  }
}
