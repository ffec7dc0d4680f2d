// Tests `revctl check --before FILE --after FILE`, which compares two versions of a list without a
// repository.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/without_git/depot.h"

using namespace revctl::testing;

namespace {

struct Versions : Depot {
  revctl::base::ProcessResult Check(const std::string& before, const std::string& after,
                                    std::vector<std::string> more = {}) const {
    sandbox.Write("ws/before.h", before);
    sandbox.Write("ws/after.h", after);
    std::vector<std::string> arguments = {"check", "--before", "before.h", "--after", "after.h"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Revctl(arguments);
  }
  /// Returns the rules and severities of the findings, such as "RV003 error". Also checks their
  /// fixes.
  std::string Rules(const std::string& before, const std::string& after) const {
    const auto json = nlohmann::json::parse(Check(before, after, {"--json"}).out);
    std::string out;
    for (const auto& finding : json.at("findings")) {
      out += (out.empty() ? "" : ", ") + finding.at("rule").get<std::string>() + " " +
             finding.at("severity").get<std::string>();
      // The fix must not contain commands that need a repository.
      const std::string fix = finding.at("fix");
      INFO(fix);
      CHECK_FALSE(fix.empty());
      CHECK_FALSE(Has(fix, "git "));
      CHECK_FALSE(Has(fix, "revctl "));
    }
    return out;
  }
};

const std::string kBefore = Depot::List({{"SR_INITIAL", 1}, {"SR_FOULS", 2}, {"SR_PLAYERS", 3}});

std::string After(const Depot::Entries& more, const std::string& text = "") {
  Depot::Entries all = {{"SR_INITIAL", 1}, {"SR_FOULS", 2}, {"SR_PLAYERS", 3}};
  all.insert(all.end(), more.begin(), more.end());
  return Depot::List(all, text);
}

}  // namespace

TEST_CASE("check without git: a new revision may land", "[check][without_git]") {
  const Versions depot;
  const auto fine = depot.Check(kBefore, After({{"SR_BOSS", 4}, {"SR_ARENA", 7}}));
  CHECK(fine.status == 0);
  CHECK(fine.out.empty());
  CHECK(fine.err == "OK: no problems (compared with before.h)\n");
  // An unchanged list, a new comment, and the first version of a list.
  CHECK(depot.Check(kBefore, kBefore).status == 0);
  CHECK(depot.Check(kBefore, After({}, "    // one more comment\n")).status == 0);
  CHECK(depot.Check("", kBefore).status == 0);
  CHECK(depot.Check("\r\n", kBefore).status == 0);
  CHECK(depot.Revctl({"check", "--before", "/dev/null", "--after", "after.h"}).status == 0);
}

TEST_CASE("check without git: landed entries must not change", "[check][without_git]") {
  const Versions depot;
  const auto gone = depot.Check(kBefore, Depot::List({{"SR_INITIAL", 1}, {"SR_PLAYERS", 3}}));
  INFO(gone.out << gone.err);
  CHECK(gone.status == 1);
  CHECK(gone.out ==
        "src/master_version_list.h:2: error[RV003]: SR_FOULS (2, line 4 of before.h) has landed, "
        "but is missing here; to undo it, reserve a new revision that removes the field\nfix: "
        "restore the landed line from before.h\nFAILED: 1 error (compared with before.h)\n");
  const auto list = [](const Depot::Entries& entries) { return Depot::List(entries); };
  CHECK(depot.Rules(kBefore, list({{"SR_INITIAL", 1}, {"SR_FOULS", 4}, {"SR_PLAYERS", 3}})) ==
        "RV004 error");
  CHECK(depot.Rules(kBefore, list({{"SR_INITIAL", 1}, {"SR_FAULTS", 2}, {"SR_PLAYERS", 3}})) ==
        "RV005 error");
  // An insertion into implicit numbers shifts the rest.
  CHECK(Has(depot.Rules("enum Revision {\n SR_A = 1,\n SR_B,\n SR_C,\n};\n",
                        "enum Revision {\n SR_A = 1,\n SR_NEW,\n SR_B,\n SR_C,\n};\n"),
            "RV004 error"));
  CHECK(depot.Rules(kBefore, "") == "RV016 error");
}

TEST_CASE("check without git: new revisions must be unique and in order", "[check][without_git]") {
  const Versions depot;
  CHECK(depot.Rules(kBefore, After({{"SR_BOSS", 3}})) == "RV001 error");
  CHECK(depot.Rules(kBefore, After({{"SR_BOSS", 4}, {"SR_ARENA", 4}})) == "RV001 error");
  CHECK(depot.Rules(kBefore, After({{"SR_BOSS", 4}, {"SR_BOSS", 5}})) == "RV002 error");
  CHECK(depot.Rules(Depot::List({{"SR_INITIAL", 1}, {"SR_PLAYERS", 3}}),
                    Depot::List({{"SR_INITIAL", 1}, {"SR_PLAYERS", 3}, {"SR_BOSS", 2}})) ==
        "RV006 error");
  CHECK(Has(depot.Rules(kBefore, After({{"SR_BOSS", 5}, {"SR_ARENA", 4}})), "RV007 "));
  CHECK(depot.Rules(kBefore, After({{"BOSS", 4}})) == "RV009 error");
  CHECK(depot.Rules(kBefore, "<<<<<<< yours\n" + kBefore + "=======\n>>>>>>> theirs\n") ==
        "RV015 error");
  CHECK(depot.Rules(kBefore, "enum Revision { SR_INITIAL = \n") == "RV016 error");
}

TEST_CASE("check without git: .revctl.yaml determines how the list is parsed",
          "[check][without_git]") {
  const Versions depot;
  depot.sandbox.Write("ws/.revctl.yaml",
                      "version: 1\nlists: [{path: src/a.h, name: a, prefix: A_, current: A_NOW}, "
                      "{path: src/b.h, name: b, prefix: B_}]\n");
  const std::string before = "enum A {\n A_ONE = 1,\n A_NOW = A_ONE,\n};\n",
                    after = "enum A {\n A_ONE = 1,\n A_TWO = 2,\n A_NOW = A_ONE,\n};\n";
  const auto unknown = depot.Check(before, after);
  CHECK(unknown.status == 2);
  CHECK(Has(unknown.err, "fix: --list a"));
  const auto old = depot.Check(before, after, {"--list", "a"});
  CHECK(old.status == 1);
  CHECK(Has(old.out, "src/a.h:4: error[RV008]: A_NOW is 1, but the latest revision is A_TWO"));
  CHECK(Has(old.out, "fix: set `current` to the latest revision\n"));
  // A file at the path of a configured list is checked as a version of that list.
  depot.sandbox.Write("ws/src/b.h", "enum B {\n B_ONE = 1,\n};\n");
  depot.sandbox.Write("ws/old.h", "enum B {\n B_ONE = 2,\n};\n");
  const auto named = depot.Revctl({"check", "--before", "old.h", "--after", "src/b.h"});
  CHECK(Has(named.out, "src/b.h:2: error[RV004]: B_ONE (2, line 2 of old.h) has landed"));
  // The config's purged names and allowances apply.
  depot.sandbox.Write("ws/.revctl.yaml",
                      "version: 1\nlists: [{path: src/a.h, prefix: A_, oldest: A_TWO, purged: "
                      "[A_ONE]}]\nallow: [{rule: RV006, reason: once}]\n");
  CHECK(depot.Rules("enum A {\n A_TWO = 2,\n};\n", "enum A {\n A_ONE = 1,\n A_TWO = 2,\n};\n") ==
        "RV002 error");
  CHECK(depot.Rules("enum A {\n A_TWO = 2,\n A_SIX = 6,\n};\n",
                    "enum A {\n A_TWO = 2,\n A_SIX = 6,\n A_LATE = 3,\n};\n") == "RV023 error");
}

TEST_CASE("check without git: without .revctl.yaml, the defaults apply", "[check][without_git]") {
  const Versions depot;
  std::filesystem::remove(depot.sandbox.Path("ws/.revctl.yaml"));
  const auto late = depot.Check(kBefore, After({{"SR_BOSS", 2}}));
  CHECK(late.status == 1);
  CHECK(Has(late.out,
            "after.h:6: error[RV001]: SR_BOSS takes 2, which SR_FOULS (2, line 4 of "
            "before.h) already has\n"));
  CHECK(Has(
      late.out,
      "fix: move the new revisions after SR_PLAYERS and give them ascending numbers above 3\n"));
}

TEST_CASE("check without git: formats, output files and mistakes", "[check][without_git]") {
  const Versions depot;
  const std::string late = After({{"SR_BOSS", 2}});
  CHECK(Has(depot.Check(kBefore, late, {"--format", "github"}).out,
            "::error file=src/master_version_list.h,line=6,title=RV001::"));
  CHECK(Has(depot.Check(kBefore, late, {"--format", "sarif"}).out, "\"ruleId\": \"RV001\""));
  CHECK(depot.Check(kBefore, late, {"--output", "junit=out.xml"}).status == 1);
  CHECK(Has(depot.sandbox.Read("ws/out.xml"), "failure type=\"RV001\""));
  const auto says = [&](std::vector<std::string> arguments, const std::string& what) {
    arguments.insert(arguments.begin(), "check");
    const auto said = depot.Revctl(arguments);
    INFO(said.err);
    CHECK(said.status == 2);
    CHECK(Has(said.err, what));
  };
  says({"--before", "before.h"}, "--before and --after must be used together");
  says({"--after", "after.h"}, "fix: revctl check --before LANDED.h --after CHANGED.h");
  says({"--before", "none.h", "--after", "after.h"}, "--before 'none.h': there is no such file");
  says({"--before", "/dev/null", "--after", "/dev/null"}, "both versions are empty");
  says({"--before", "before.h", "--after", "after.h", "--fetch"},
       "--before and --fetch cannot be combined");
  // All other uses of `check` need a repository. Their messages name the commands that work without
  // one.
  const auto plain = depot.Revctl({"check"});
  CHECK(plain.status == 3);
  CHECK(Has(plain.err, "install git"));
  CHECK(Has(plain.err, "check --before"));
}
