// Tests the git attributes that `record` writes for goldens, the configuration that `record`
// suggests, and the resulting `git diff`.
#include <catch2/catch.hpp>
#include <fstream>

#include "harness/testing/test_program.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness::test {

namespace {}  // namespace

TEST_CASE("check: reports a .gitattributes that omits payloads", "[harness][commands][git]") {
  const Folder folder;
  const auto attributes = [&](const std::string& text) {
    std::ofstream(folder.path() + "/golden/.gitattributes", std::ios::binary) << text;
    return Run(folder, kFour + " check --golden golden");
  };
  REQUIRE(Run(folder, "git init -q . && " + kFour + " record --golden golden").exit == 0);
  const std::string ours = Bytes(folder.path() + "/golden/.gitattributes");
  CHECK_THAT(ours, Catch::Contains("\n*.golden binary"));
  const std::string words = "has no line for *.golden";
  CHECK_THAT(Run(folder, kFour + " check --golden golden").out, !Catch::Contains(words));
  for (const char* text :
       {"", "*.yaml text\n", "# *.golden binary\n", "*.golden diff=ours\n", "* text=auto\n",
        "*.golden binary\n* text eol=lf\n", "other/*.golden binary\n"}) {
    INFO(text);
    const Ran told = attributes(text);
    CHECK(told.exit == 0);  // missing attributes are only a warning
    CHECK_THAT(told.out, Catch::Contains("warning[GH009]") && Catch::Contains(words));
    const std::string fix = told.out.substr(told.out.find("fix: printf") + 5);
    CHECK(Run(folder, "sh -c " + revctl::base::ShellWord(fix.substr(0, fix.find('\n')))).exit == 0);
    CHECK_THAT(Run(folder, kFour + " check --golden golden").out, !Catch::Contains(words));
  }
  for (const char* text :
       {"*.golden -text -diff -merge\n", "*.golden\tbinary\n", "  **/*.golden -text\n",
        "SR_* binary\n", "[attr]ours binary\n/*.golden ours\n",
        "* text=auto\n*.golden binary diff\n"}) {
    INFO(text);
    CHECK_THAT(attributes(text).out, !Catch::Contains(words));
  }
}

TEST_CASE("check: accepts records checked out with CRLF", "[harness][commands][git]") {
  const Folder folder;
  const std::string more = Adopter("more"), meant = Adopter("meant"), in = " --golden golden";
  REQUIRE(Run(folder, kFour + " record" + in).exit == 0);
  // Records an addition, because SR_NO_FOULS already has a record.
  REQUIRE(Run(folder, more + " record" + in).exit == 0);
  REQUIRE(Run(folder, meant + " approve --enumerator Color.Pink --reason 'a new team'" + in).exit ==
          0);
  for (const std::string& program : {kFour, more, meant}) {
    const Ran before = Run(folder, program + " check --json" + in);
    REQUIRE(Run(folder, "sed -i 's/\r*$/\r/' golden/*.yaml $(find golden/approved -type f)").exit ==
            0);
    const Ran crlf = Run(folder, program + " check --json" + in);
    CHECK(crlf.out == before.out);
    CHECK(crlf.exit == before.exit);
    REQUIRE(Run(folder, "sed -i 's/\r$//' golden/*.yaml $(find golden/approved -type f)").exit ==
            0);
  }
}

TEST_CASE("dump: git diff shows the values in a pack of payloads", "[harness][commands][git]") {
  const Folder folder;
  const auto git = [&](const std::string& words) { return Run(folder, kGit + words); };
  REQUIRE(git("init -q .").exit == 0);
  // Many projects have this line, which hides all differences in goldens.
  std::ofstream(folder.path() + "/.gitattributes") << "*.golden binary\n";
  const Ran recorded = Run(folder, kThree + " record --golden golden");
  REQUIRE(recorded.exit == 0);
  CHECK_THAT(recorded.err, Catch::Contains("git config diff.revctl-golden.textconv"));
  const std::string attributes = Bytes(folder.path() + "/golden/.gitattributes");
  CHECK_THAT(
      attributes,
      Catch::Contains("*.golden binary diff=revctl-golden merge=revctl\n*.yaml merge=revctl\n"
                      "*.payload binary\n"));
  // Without a textconv command, git treats the files as binary.
  REQUIRE(git("add -A").exit == 0);
  CHECK_THAT(git("diff --cached").out, Catch::Contains("Binary files"));
  REQUIRE(
      git("config diff.revctl-golden.textconv \"" + kFour + " dump --golden golden --textconv\"")
          .exit == 0);
  REQUIRE(git("add -A").exit == 0);
  REQUIRE(git("commit -qm one").exit == 0);
  const Ran added = git("show --format= HEAD -- golden/SR_PLAYERS.golden");
  INFO(added.err);
  CHECK_THAT(added.out,
             Catch::Contains("Score SR_PLAYERS/veterans") && Catch::Contains("p1Score: 40"));
  CHECK_THAT(added.out, !Catch::Contains("Binary files"));
  // `record` must keep the user's own attributes.
  std::ofstream(folder.path() + "/golden/.gitattributes", std::ios::app) << "# ours\n";
  const Ran next = Run(folder, kFour + " record --golden golden");
  CHECK(next.exit == 0);
  CHECK_THAT(next.err, !Catch::Contains("git config"));
  CHECK(Bytes(folder.path() + "/golden/.gitattributes") == attributes + "# ours\n");
  std::ofstream(folder.path() + "/golden/SR_PLAYERS.golden", std::ios::binary) << "garbage";
  CHECK_THAT(git("diff").out, Catch::Contains("+cannot be read: not a payload pack"));
}

TEST_CASE("record: the printed git config line runs in any folder", "[harness][commands][git]") {
  const Folder folder;
  const std::string tree = revctl::base::ShellWord("it's $5");
  const auto in = [&](const std::string& words) {
    return Run(folder, "(cd " + tree + " && " + words + ")");
  };
  REQUIRE(Run(folder, "mkdir -p " + tree + "/sub && cp " + kFour + " " + tree + "/'save harness'")
              .exit == 0);
  REQUIRE(in("git init -q .").exit == 0);
  const Ran recorded = in("'./save harness' record --golden golden");
  REQUIRE(recorded.exit == 0);
  const auto offer = recorded.err.find("git config ");
  REQUIRE(offer != std::string::npos);
  REQUIRE(in(recorded.err.substr(offer, recorded.err.find('\n', offer) - offer)).exit == 0);
  const Ran shown = in("git add golden && cd sub && git diff --cached");
  INFO(shown.err);
  CHECK_THAT(shown.out,
             Catch::Contains("Score SR_NO_FOULS/veterans") && Catch::Contains("p1Score: 40"));
}

TEST_CASE("record: git diff finds a harness that is in PATH", "[harness][commands][git]") {
  const Folder folder;
  const auto with_path = [&](const std::string& words) {
    return Run(folder, "(PATH=\"$PWD/bin dir:$PATH\" && cd tree && " + words + ")");
  };
  REQUIRE(
      Run(folder, "mkdir -p 'bin dir' tree/sub && cp " + kFour + " 'bin dir/my harness'").exit ==
      0);
  REQUIRE(with_path("git init -q .").exit == 0);
  const Ran recorded = with_path("'my harness' record --golden golden");
  REQUIRE(recorded.exit == 0);
  const auto offer = recorded.err.find("git config ");
  REQUIRE(offer != std::string::npos);
  const std::string line = recorded.err.substr(offer, recorded.err.find('\n', offer) - offer);
  CHECK_THAT(line, !Catch::Contains("bin dir"));
  REQUIRE(with_path(line).exit == 0);
  const Ran shown = with_path("git add golden && cd sub && git diff --cached");
  INFO(line << "\n" << shown.err);
  CHECK_THAT(shown.out,
             Catch::Contains("Score SR_NO_FOULS/veterans") && Catch::Contains("p1Score: 40"));
}

TEST_CASE("record: --quiet writes attributes silently, only in git", "[harness][commands][git]") {
  const Folder folder;
  const auto record = [&](const std::string& words) {
    return Run(folder, "mkdir " + words + " && (cd " + words + " && " + kFour +
                           " record --quiet --golden golden)");
  };
  const Ran outside = record("outside");
  CHECK(outside.exit == 0);
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/outside/golden/.gitattributes"));
  REQUIRE(Run(folder, "git init -q .").exit == 0);
  const Ran quiet = record("inside");
  CHECK(quiet.exit == 0);
  CHECK(quiet.out + quiet.err == "");
  CHECK(std::filesystem::exists(folder.path() + "/inside/golden/.gitattributes"));
}

}  // namespace revctl::harness::test
