#include <stdlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "harness/commands/session.h"
#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;

const std::string in = " --golden golden";

/// Checks that a command failed with this status and this message, and printed nothing else.
void Refused(const Ran& ran, int exit, const std::string& says) {
  INFO(ran.out << ran.err);
  CHECK(ran.exit == exit);
  CHECK_THAT(ran.err, Catch::Contains(says));
  CHECK(ran.out.empty());
}

}  // namespace

TEST_CASE("dump: a missing file and a type without golden are reported", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kMore + " record" + in).exit == 0);
  for (const std::string command :
       {"dump nowhere.bin", "convert nowhere.bin --to-json", "import nowhere.bin --name x"})
    Refused(Run(folder, kMore + " " + command + in), 2, "nowhere.bin: no such file");
  const std::string record = "golden/SR_NO_FOULS.golden";
  REQUIRE(fs::exists(folder.path() + "/" + record));
  Refused(Run(folder, kMore + " dump " + record + " --type Nope" + in), 2,
          record + " contains no golden of Nope");
  const Ran level = Run(folder, kMore + " dump " + record + " --type Level" + in);
  CHECK(level.exit == 0);
  CHECK_THAT(level.out,
             Catch::Contains("\"type\": \"Level\"") && !Catch::Contains("\"type\": \"Score\""));
}

TEST_CASE("check and sweep: findings in files, text on stdout", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record" + in).exit == 0);
  std::ofstream(folder.path() + "/golden/SR_NO_FOULS.yaml", std::ios::app) << "garbage\n";
  const Ran plain = Run(folder, kFour + " check" + in);
  CHECK(plain.exit == 1);
  for (const std::string command : {" check", " sweep --fuzz 0"}) {
    const Ran both = Run(folder, kFour + command + " --format sarif --output a.sarif" + in);
    CHECK(both.exit == 1);
    // The last line of a sweep also shows the number of inputs.
    const auto findings = [](const Ran& ran) {
      return ran.out.substr(0, ran.out.find("FAILED: "));
    };
    CHECK(findings(both) == findings(plain));
    CHECK(Run(folder, "cat a.sarif").out ==
          Run(folder, kFour + command + " --format sarif" + in).out);
    CHECK(Run(folder, kFour + command + " --json --output junit=b.xml" + in).out.starts_with("{"));
    CHECK_THAT(Run(folder, "cat b.xml").out, Catch::Contains("<failure type=\"GH009\""));
    CHECK(Run(folder, kFour + command + " --output sarif=" + in).exit == 2);
    CHECK(Run(folder, kFour + command + " --output no/where/x" + in).exit == 3);
  }
}

TEST_CASE("explain and suggestions for typos, as in revctl", "[harness][commands]") {
  const Folder folder;
  const Ran rule = Run(folder, kFour + " explain gh004");
  CHECK(rule.exit == 0);
  CHECK(rule.out == Run(folder, Tool() + " explain GH004").out);
  CHECK(Run(folder, kFour + " explain").out == Run(folder, Tool() + " explain").out);
  Refused(Run(folder, kFour + " explain GH00"), 2, "there is no rule 'GH00'; did you mean GH001?");
  Refused(Run(folder, kFour + " schema --at SR_NO_FOUL" + in), 2, "did you mean SR_NO_FOULS?");
}

TEST_CASE("help, version, man page and mistyped options", "[harness][commands]") {
  const Folder folder;
  const auto out = [&](const std::string& words) {
    const Ran ran = Run(folder, kFour + words);
    INFO(words << ": " << ran.err);
    CHECK(ran.exit == 0);
    return ran.out;
  };
  const std::string help = out(" --help");
  CHECK(out("") == help);
  CHECK(out(" help") == help);
  CHECK(out(" help check") == out(" check --help"));
  CHECK_THAT(out(" version"), Catch::StartsWith("revctl "));
  // The help of each command must fit on a screen of 24 lines and 80 columns.
  const auto in_roff = [](const std::string& text) {
    std::string escaped;
    for (const char c : text) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
    return escaped;
  };
  const auto first_words = [](const std::string& text) {
    std::vector<std::string> words;
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      CHECK(line.size() <= 80);
      if (line.starts_with("  ") && line[2] != ' ')
        words.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    CHECK(count <= 24);
    CHECK_THAT(text, Catch::Contains("\nExample:"));
    return words;
  };
  const std::string page = out(" man");
  CHECK_THAT(page, Catch::StartsWith(".TH "));
  auto commands = first_words(help);
  // The man page contains all commands and common options.
  for (const std::string& command : commands) {
    INFO(command);
    CHECK_THAT(page, Catch::Contains(".B " + in_roff(command) + "\n"));
  }
  for (const std::string option : {"--golden", "--format", "--json", "--quiet", "--seed"})
    CHECK_THAT(page, Catch::Contains(in_roff(option)));
  CHECK(std::find(commands.begin(), commands.end(), "explain") == commands.end());
  commands.insert(commands.end(), {"explain", "completions", "man", "help", "version"});
  CHECK(commands.size() >= 18);
  for (const std::string& command : commands) {
    INFO(command);
    const std::string details = out(" help " + command);
    CHECK_THAT(details, Catch::Contains("harness_adopter_r4 " + command));
    (void)first_words(details);
  }
  Refused(Run(folder, kFour + " check --thorugh"), 2,
          "harness_adopter_r4 check has no option '--thorugh'; did you mean --thorough?");
  Refused(Run(folder, kFour + " check --tpye=x"), 2, "did you mean --type?");
  Refused(Run(folder, kFour + " check extra"), 2, "'extra' was not expected");
  Refused(Run(folder, kFour + " help chek"), 2, "did you mean check?");
  Refused(Run(folder, kFour + " chek"), 2, "did you mean check?");
}

TEST_CASE("completions: bash offers commands, options and values", "[harness][commands]") {
  const Folder folder;
  const auto complete = [&](const std::string& line) {
    return Run(folder, "bash -c '. <(" + kFour + " completions bash); COMP_WORDS=(" + kFour + " " +
                           line +
                           "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _harness_adopter_r4; echo "
                           "${COMPREPLY[@]}'")
        .out;
  };
  CHECK(complete("rec") == "record record-history\n");
  CHECK(complete("--golden check sw") == "sweep\n");
  CHECK(complete("check --th") == "--thorough\n");
  CHECK(complete("check --format s") == "sarif\n");
  CHECK(complete("schema --type S") == "Score\n");
  CHECK(complete("schema --at SR_F") == "SR_FOULS\n");
  CHECK(complete("diff SR_NO") == "SR_NO_FOULS\n");
  for (const std::string shell : {"zsh", "fish"})
    CHECK_THAT(Run(folder, kFour + " completions " + shell).out,
               Catch::Contains("SECONDS") || Catch::Contains("-l fuzz"));
  Refused(Run(folder, kFour + " completions tcsh"), 2, "no completions for tcsh");
}

TEST_CASE("color and progress: only at terminals, within their width", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kThree + " record" + in).exit == 0);
  REQUIRE(Run(folder, kFour + " record" + in).exit == 0);
  REQUIRE(Run(folder, Adopter("more") + " record" + in).exit == 0);
  const std::vector<std::string> sweep = {AdopterPath("more"), "sweep", "--fuzz", "3",
                                          "--golden",          "golden"};
  ::setenv("LEVEL_LINGERS", "1500", 1);
  const Ran swept = RunAtTerminal(folder, sweep, "");
  ::unsetenv("LEVEL_LINGERS");
  INFO(swept.out);
  CHECK_THAT(swept.out, Catch::Contains(" goldens") && Catch::Contains(" hostile inputs, ") &&
                            Catch::Contains(" a second, ") && Catch::Contains(" s left: "));
  CHECK(ProgressLine::Goldens(0, 40, 2, "Hero") == "0 of 40 goldens: Hero");
  CHECK(ProgressLine::Goldens(10, 40, 2, "Hero") == "10 of 40 goldens, 5 a second, 6 s left: Hero");
  for (std::size_t at = 0, end; at < swept.out.size(); at = end + 1) {
    end = std::min(swept.out.find_first_of("\r\n", at), swept.out.size());
    const std::string line = swept.out.substr(at, end - at);
    if (line.find(" a second") != std::string::npos || line.find(" goldens: ") != std::string::npos)
      CHECK(line.size() < 60);
  }
  CHECK_THAT(Run(folder, kFour + " sweep --fuzz 2" + in).err, !Catch::Contains(" a second"));
  std::vector<std::string> quiet = sweep;
  quiet.insert(quiet.begin() + 1, "-q");
  quiet[4] = "2";
  CHECK_THAT(RunAtTerminal(folder, quiet, "").out, !Catch::Contains(" a second"));
  // Findings must be colored at a terminal unless NO_COLOR is set. An empty NO_COLOR has no effect.
  const std::vector<std::string> check = {AdopterPath("renamed"), "check", "--golden", "golden"};
  const std::string red = "\x1b[";
  CHECK_THAT(RunAtTerminal(folder, check, "").out, Catch::Contains(red));
  ::setenv("NO_COLOR", "", 1);
  CHECK_THAT(RunAtTerminal(folder, check, "").out, Catch::Contains(red));
  ::setenv("NO_COLOR", "1", 1);
  CHECK_THAT(RunAtTerminal(folder, check, "").out, !Catch::Contains(red));
  ::unsetenv("NO_COLOR");
  CHECK_THAT(Run(folder, Adopter("renamed") + " check" + in).out, !Catch::Contains(red));
}

TEST_CASE("import: rejects names that cannot be part of an id", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record" + in).exit == 0);
  std::ofstream(folder.path() + "/any.bin") << "any";
  for (const std::string name : {"", " ", "../../x", "a/b", "two\nlines"}) {
    INFO(name);
    Refused(Run(folder, kFour + " import any.bin --name '" + name + "'" + in), 2,
            "--name must be a golden name");
  }
  // A golden's name may contain blanks, so the command must reject only the missing file.
  CHECK_THAT(Run(folder, kFour + " import any.bin --name 'bug 17'" + in).err,
             Catch::Contains("any.bin: "));
}

TEST_CASE("commands: a file-size limit causes an error, no partial file", "[harness][commands]") {
  const Folder folder;
  // Print to a pipe, because the limit on file sizes would also apply to an output file.
  const auto limited = [&](const std::string& command) {
    return Run(folder, "{ (ulimit -f 0; " + command + "; echo exit $?) 2>&1; } | cat").out;
  };
  const std::string record = limited(kMore + " record" + in);
  CHECK_THAT(record, Catch::Contains("cannot be written: File too large") &&
                         Catch::Contains("fix: ulimit -f unlimited") &&
                         Catch::Contains("exit 3\n"));
  CHECK(Listing(folder).empty());
  REQUIRE(Run(folder, "git init -q .").exit == 0);
  const std::string init = limited(Tool() + " init --new");
  CHECK_THAT(init, Catch::Contains("File too large") && Catch::Contains("exit 3\n"));
  CHECK_FALSE(fs::exists(folder.path() + "/.revctl.yaml"));
}

TEST_CASE("commands: fail if the result cannot be written", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record" + in).exit == 0);
  for (const std::string command :
       {"schema", "check", "check --json", "dump golden/SR_NO_FOULS.golden", "explain", "--help",
        "selftest", "diff SR_INITIAL SR_NO_FOULS", "test", "sweep --fuzz 0"}) {
    for (const std::string output : {" >/dev/full", " >&-", " <&- >&-"}) {
      INFO(command << output);
      Refused(Run(folder, "{ " + kFour + " --golden golden " + command + output + "; }"), 3,
              "cannot write to stdout");
    }
  }
}

TEST_CASE("selftest: rejects a damaged store and a bad --goldens", "[harness][commands]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record" + in).exit == 0);
  for (const std::string number : {"-1", "0", "few"}) {
    INFO(number);
    const Ran ran = Run(folder, kFour + " selftest --goldens " + number + in);
    CHECK(ran.exit == 2);
    CHECK_THAT(ran.err, Catch::Contains("--goldens"));
  }
  CHECK(Run(folder, kFour + " selftest --goldens 1" + in).exit == 0);
  std::ofstream(folder.path() + "/golden/SR_NO_FOULS.golden", std::ios::binary | std::ios::app)
      << "more";
  Refused(Run(folder, kFour + " selftest" + in), 1, "SR_NO_FOULS.golden");
}

TEST_CASE("test: Catch2's list options exit with 0", "[harness][commands][catch]") {
  const Folder folder;
  REQUIRE(Run(folder, kMore + " record" + in).exit == 0);
  for (const std::string option : {"--list-tests", "--list-tags", "--list-reporters", "-l"}) {
    INFO(option);
    const Ran ran = Run(folder, kMore + " test " + option + in);
    CHECK(ran.exit == 0);
    CHECK_FALSE(ran.out.empty());
  }
}

}  // namespace revctl::harness::test
