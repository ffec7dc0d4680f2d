// Tests running programs, using testing/child.cpp as the program.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "revctl/base/system/process.h"
#include "revctl/base/testing/test_folder.h"

namespace base = revctl::base;
namespace fs = std::filesystem;
using base::testing::Folder;

namespace {

const std::string kChild = BASE_TEST_CHILD;

}  // namespace

TEST_CASE("process: passes input and output of any size", "[base][process]") {
  base::ProcessOptions options;
  options.input = std::string(1 << 20, 'x') + "\r\nend\x1a";
  const auto echoed = base::Run({kChild, "echo"}, options);
  REQUIRE(echoed.ok());
  CHECK(echoed->out == options.input);
  options.max_output = 1000;
  CHECK(base::Run({kChild, "echo"}, options).error().message ==
        kChild + " wrote more than 1000 bytes");
  options.input.clear();
  CHECK_FALSE(base::Run({kChild, "flood"}, options).ok());
  CHECK(base::Run({kChild, "exit", "7"})->status == 7);
  const auto none = base::Run({"revctl-no-such-program"});
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message ==
        "revctl-no-such-program cannot be started: No such file or directory");
}

TEST_CASE("process: passes arguments unchanged", "[base][process]") {
  const std::vector<std::string> words = {"a b",   "",      "\"",           "a\\",        "a b\\",
                                          "\\\"c", "*.cpp", "%PATH%",       "$HOME",      "a\nb",
                                          "'",     "^&|<>", "\u00fc\u540d", "--x=\"y z\""};
  std::vector<std::string> argv = {kChild, "arguments"};
  argv.insert(argv.end(), words.begin(), words.end());
  std::string expected;
  for (const std::string& word : words) expected += word + '\0';
  const auto run = base::Run(argv);
  REQUIRE(run.ok());
  CHECK(run->out == expected);
}

TEST_CASE("process: environment, working directory and stderr", "[base][process]") {
  const Folder folder;
  base::ProcessOptions outer;
  // The child runs itself once more, and the inner process inherits these variables.
  outer.environment = {"BASE_TEST_A=1", "BASE_TEST_B=2"};
  const std::string there = fs::canonical(folder.path()).generic_string();
  const auto inner = [&](const std::string& without) {
    return base::Run({kChild, "start", folder.path(), without, kChild}, outer);
  };
  auto run = inner("");
  REQUIRE(run.ok());
  CHECK(run->out == ",2,3," + there + "\n");
  CHECK(run->err == "no\n");
  run = inner("BASE_TEST_");
  REQUIRE(run.ok());
  CHECK(run->out == ",,3," + there + "\n");
  outer.errors_to_stderr = true;
  run = inner("");
  REQUIRE(run.ok());
  CHECK(run->err.empty());
  std::string traced;
  base::TraceRuns([&](const std::string& line) { traced = line; });
  REQUIRE(base::Run({kChild, "exit", "0", "a b"}).ok());
  base::TraceRuns({});
  CHECK(traced == "+ " + kChild + " exit 0 'a b'");
}

TEST_CASE("process: FindProgram searches PATH, and OwnProgram finds this program",
          "[base][process]") {
  CHECK(base::FindProgram("revctl-no-such-program").empty());
  const auto own = base::Run({kChild, "own"});
  REQUIRE(own.ok());
  CHECK(fs::path(own->out) == fs::canonical(kChild));
  base::ProcessOptions options;
  options.environment = {"PATH=" + fs::path(kChild).parent_path().generic_string()};
  const auto found = base::Run({kChild, "find", fs::path(kChild).stem().generic_string()}, options);
  REQUIRE(found.ok());
  CHECK(fs::path(found->out) == fs::path(kChild));
}

TEST_CASE("process: exceeding the processor time limit ends the process", "[base][process]") {
  CHECK(base::Run({kChild, "spin", "1"})->status == 128 + 27);
  CHECK(base::Run({kChild, "spin", "0"})->status == 0);
}

TEST_CASE("process: TextAt works for mapped and unmapped addresses", "[base][process]") {
  CHECK(base::TextAt("a name", 100) == "a name");
  CHECK(base::TextAt("a name", 3).empty());
  CHECK(base::TextAt("", 3).empty());
  CHECK(base::TextAt(nullptr, 3).empty());
  CHECK(base::TextAt(reinterpret_cast<const char*>(16), 3).empty());
}
