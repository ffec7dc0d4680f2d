// Suggested commands must run as printed, even if names of types and folders contain shell
// metacharacters.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <vector>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"
#include "revctl/base/shell_word.h"

namespace {
enum Rev { SR_INITIAL = 1 };
}  // namespace

// The program before and after one edit that renamed a field and added an enumerator.
namespace then {
enum class Kind : std::uint8_t { Wood };
struct Box {
  std::int32_t lid = 0;
  Kind kind{};
};
SERIALIZE_TYPE(Box) {
  ADD(SR_INITIAL, lid);
  ADD(SR_INITIAL, kind);
}
SERIALIZE_END
}  // namespace then
namespace now {
enum class Kind : std::uint8_t { Wood, Tin };
struct Box {
  std::int32_t top = 0;
  Kind kind{};
};
SERIALIZE_TYPE(Box) {
  ADD(SR_INITIAL, top);
  ADD(SR_INITIAL, kind);
}
SERIALIZE_END
}  // namespace now

NAMED(then::Box, "Box<a b;$HOME>");
NAMED(now::Box, "Box<a b;$HOME>");
NAMED(then::Kind, "Kind<'x'>");
NAMED(now::Kind, "Kind<'x'>");

namespace revctl::harness::test {
namespace {

const std::string kTemplate = Adopter("template");
constexpr int kSignal6 = 134;

/// Returns the first suggested fix that contains `word`, or "".
std::string Printed(const Ran& ran, const std::string& word) {
  for (auto at = ran.out.find("fix: "); at != std::string::npos;
       at = ran.out.find("fix: ", at + 1)) {
    const std::string line = ran.out.substr(at + 5, ran.out.find('\n', at) - at - 5);
    if (line.find(word) != std::string::npos) return line;
  }
  return "";
}

Ran RunAsPrinted(const Folder& folder, const std::string& line,
                 const std::string& environment = "") {
  return Run(folder, environment + "sh -c " + revctl::base::ShellWord(line));
}

}  // namespace

TEST_CASE("ShellWord quotes words that the shell would change", "[harness][commands]") {
  CHECK(revctl::base::ShellWord("build/save_harness") == "build/save_harness");
  CHECK(revctl::base::ShellWord("game::Score.old=new") == "game::Score.old=new");
  CHECK(revctl::base::ShellWord("") == "''");
  const Folder folder;
  for (const std::string word :
       {"Reply<Code>", "a b", "it's", "$HOME", "`id`", "*", "a;b", "~", "#", "\\", "\"", ""}) {
    INFO(word);
    CHECK(Run(folder, "printf %s " + revctl::base::ShellWord(word)).out == word);
  }
}

TEST_CASE("check: the printed restore command runs for any folder name", "[harness][commands]") {
  const Folder folder;
  const std::string in = " --golden \"it's golden\"";
  REQUIRE(Run(folder, kTemplate + " record" + in).exit == 0);
  REQUIRE(Run(folder, kGit + "init -q && git add . && " + kGit + "commit -qm goldens").exit == 0);
  const std::string store = folder.path() + "/it's golden";
  const auto records = [&] {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(store))
      if (entry.path().extension() == ".yaml") found.push_back(entry.path());
    return found;
  };
  SECTION("a record") { std::ofstream(records().front(), std::ios::app) << "nonsense"; }
  SECTION("payloads") {
    std::filesystem::remove(std::filesystem::path(records().front()).replace_extension(".golden"));
  }
  SECTION("payloads, deleted with git") {
    const std::string pack = records().front().replace_extension(".golden").string();
    REQUIRE(Run(folder, kGit + "rm -q -- " + revctl::base::ShellWord(pack)).exit == 0);
  }
  SECTION("all goldens, deleted with git") {
    REQUIRE(Run(folder, kGit + "rm -rq -- \"it's golden\"").exit == 0);
    const Ran gone = Run(folder, kTemplate + " check" + in);
    INFO(gone.out);
    CHECK_THAT(gone.out,
               Catch::Contains("the golden folder is missing, although it exists in HEAD") &&
                   !Catch::Contains("no goldens are recorded"));
    // `record` must not replace a deleted golden with one that the current code writes, because
    // changes to the format would go unnoticed.
    CHECK(Run(folder, kTemplate + " record" + in).exit == 1);
    CHECK_FALSE(std::filesystem::exists(store));
  }
  SECTION("a different folder in .git, like the one that record-history uses") {
    std::filesystem::create_directories(folder.path() + "/.git/kept");
    const Ran other = Run(folder, kTemplate + " record --golden \".git/kept/it's golden\"");
    INFO(other.out << other.err);
    CHECK(other.exit == 0);
    return;
  }
  SECTION("the folder") {
    std::filesystem::remove_all(store);
    std::ofstream(store) << "no folder";
    const std::string line = Printed(Run(folder, kTemplate + " check" + in), "ls -ld ");
    CHECK_THAT(RunAsPrinted(folder, line).out, Catch::Contains("it's golden"));
    return;
  }
  const Ran damaged = Run(folder, kTemplate + " check" + in);
  INFO(damaged.out);
  CHECK(damaged.exit == 1);
  const std::string line = Printed(damaged, "git restore ");
  REQUIRE_FALSE(line.empty());
  CHECK(RunAsPrinted(folder, line).exit == 0);
  CHECK(Printed(Run(folder, kTemplate + " check" + in), "git restore ").empty());
}

TEST_CASE("check: the printed restore command runs in any folder", "[harness][commands]") {
  const Folder folder;
  const Program program = Program(1).Type<then::Box>();
  program.Record(folder);
  REQUIRE(Run(folder, kGit + "init -q && git add . && " + kGit + "commit -qm goldens").exit == 0);
  const std::string good = Bytes(folder.path() + "/SR_INITIAL.yaml");
  std::ofstream(folder.path() + "/SR_INITIAL.yaml") << "nonsense";
  CheckOptions options;
  options.program = "save_harness";
  options.source_root = folder.path();
  const CheckResult result = revctl::harness::Check(
      program.registry, program.List(), revctl::golden::Store::Open(folder.path()), options);
  const std::string fix = FixText(Find(result, "GH009", "", "").fix);
  INFO(fix);
  const Ran ran = Run(folder, "mkdir sub && cd sub && " + fix.substr(0, fix.find('\n')));
  CHECK(ran.err.empty());
  CHECK(ran.exit == 0);
  CHECK(Bytes(folder.path() + "/SR_INITIAL.yaml") == good);
}

TEST_CASE("approve: prints shell-quoted names", "[harness][commands]") {
  const Folder folder;
  Program(1).Type<then::Box>().Record(folder);
  const CheckResult result = Program(1).Type<now::Box>().Check(folder);
  INFO(Text(result));
  std::size_t told = 0;
  for (const Finding& finding : result.findings) {
    const std::string fix = FixText(finding.fix);
    for (const std::string option : {" approve --rename ", " approve --enumerator "}) {
      const auto at = fix.find(option);
      if (at == std::string::npos) continue;
      const std::size_t begin = at + option.size(), end = fix.find(" --reason", at);
      const std::string word = Run(folder, "printf '%s|' " + fix.substr(begin, end - begin)).out;
      CHECK((word == "Box<a b;$HOME>.lid=top|" || word == "Kind<'x'>.Tin|"));
      ++told;
    }
  }
  CHECK(told == 2);
  // The body does not visit `lid`, so the finding points to the field next to it.
  const Finding gone = Find(result, "GH003", "Box<a b;$HOME>", "lid");
  CHECK_THAT(SourceLine(gone), Catch::Contains("ADD(SR_INITIAL, kind)"));
  CHECK_THAT(gone.message, Catch::Contains(", and 1 more value differs"));
}

TEST_CASE("sweep: the printed replay command finds the saved input", "[harness][commands][crash]") {
  const Folder folder;
  const std::string in = " --golden 'my golden'";
  REQUIRE(Run(folder, kTemplate + " record" + in).exit == 0);
  const Ran crash = Run(folder, kTemplate + " sweep --fuzz 3 --report 'my report'" + in);
  INFO(crash.out << crash.err);
  CHECK(crash.exit == 1);
  const std::string line = Printed(crash, " dump ");
  INFO(line);
  REQUIRE_THAT(line, Catch::Contains("--type 'Slot<"));
  CHECK(RunAsPrinted(folder, line).exit == kSignal6);
  std::size_t beside = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() + "/my report"))
    beside += entry.path().filename().string().starts_with("crash-Slot_");
  CHECK(beside > 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    CHECK_FALSE(entry.path().filename().string().starts_with("crash-"));
}

TEST_CASE("check: the printed replay reproduces every kind of crash",
          "[harness][commands][crash]") {
  const Folder folder;
  const std::string in = " --golden 'my golden'";
  REQUIRE(Run(folder, kTemplate + " record --backfill" + in).exit == 0);
  const auto [way, what] =
      GENERATE(table<std::string, std::string>({{"loading", "golden SR_FOULS/five"},
                                                {"saving", "golden SR_FOULS/five"},
                                                {"own reader", "golden SR_FOULS/five"},
                                                {"saving as older", "sample five"}}));
  const std::string breaks = "SLOT_BREAKS='" + way + "' ";
  const Ran crash = Run(folder, breaks + kTemplate + " check" + in);
  INFO(crash.out << crash.err);
  CHECK(crash.exit == 1);
  const std::string line = Printed(crash, " check --replay ");
  INFO(line);
  REQUIRE_THAT(line, Catch::Contains(" --replay '" + what + "' --type 'Slot<") &&
                         Catch::Contains("'my golden'"));
  CHECK(RunAsPrinted(folder, line, breaks).exit == kSignal6);
  // After the code is fixed, the replay reports that nothing crashes.
  const Ran fixed = RunAsPrinted(folder, line);
  CHECK(fixed.exit == 0);
  CHECK_THAT(fixed.err, Catch::Contains("the " + what + " does not terminate the process"));
}

TEST_CASE("check: rejects a --replay without a matching step", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kTemplate + " record --golden golden").exit == 0);
  const auto [line, words] = GENERATE(table<std::string, std::string>(
      {{"'golden SR_NO_FOULS/six' --type 'Slot<u32>'",
        "Slot<u32>: `check` has no step named `golden SR_NO_FOULS/six`"},
       {"'golden SR_NO_FOULS/five' --type Slit", "no HARNESS_TYPE registers Slit"},
       {"'golden SR_NO_FOULS/five'", "requires --type"}}));
  const Ran ran = Run(folder, kTemplate + " check --golden golden --replay " + line);
  INFO(ran.err);
  CHECK(ran.exit == 2);
  CHECK_THAT(ran.err, Catch::Contains(words));
}

TEST_CASE("sweep: an input that cannot be written is reported", "[harness][commands][crash]") {
  const Folder folder;
  REQUIRE(Run(folder, kTemplate + " record --golden golden").exit == 0);
  // Create a folder at each path where `sweep` may save the input, so that saving fails even as
  // root.
  for (const char* suffix : {"", "-2", "-3", "-4", "-5"}) {
    const std::string name = std::string("crash-Slot_u32_") + suffix + ".bin";
    REQUIRE(std::filesystem::create_directories(folder.path() + "/" + name));
  }
  const Ran crash = Run(folder, kTemplate + " sweep --fuzz 3 --golden golden");
  INFO(crash.out << crash.err);
  CHECK(crash.exit == 1);
  CHECK_THAT(crash.out, Catch::Contains("could not be written to the current folder"));
  CHECK(Printed(crash, " dump ").empty());
}

}  // namespace revctl::harness::test
