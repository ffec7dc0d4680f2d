// Tests two branches that add exactly the same line. git merges the two lines into one entry, so
// only the commits show that the entry has two meanings. Copies of one commit (after a squash,
// rebase or cherry-pick) are accepted.
#include "tests/scenarios/findings.h"
#include "tests/scenarios/landing_team.h"
#include "tests/scenarios/record_text.h"

using namespace revctl::testing;

namespace {

constexpr const char* kLine = "SR_3 = 3, // next";
constexpr const char* kMana =
    "#include \"hero.h\"\nint mana = SR_3;\nint Mana() { return mana; }\n";
constexpr const char* kStamina =
    "#include \"hero.h\"\nint stamina = SR_3;\nvoid Rest() { stamina += 2; }\n";

/// A team in which Ann's and Bob's branches start at the same commit of main.
struct TwoBranches : Team {
  explicit TwoBranches(const std::string& more = "reservation: optional\n",
                       const std::string& golden = "")
      : Team({"ann", "bob"}) {
    sandbox.Write("ann/.revctl.yaml",
                  std::string("version: 1\n") + more + "lists: [{path: " + kList + golden + "}]\n");
    Land("ann");
    sandbox.Git("bob", {"pull", "-q"});
    sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
    sandbox.Git("bob", {"checkout", "-q", "-b", "feature"});
  }
  /// Commits all files, each time with a new date.
  void Commit(const std::string& person, const std::string& message,
              const std::string& author = "") const {
    sandbox.Git(person, {"add", "-A"});
    static int clock = 1700000000;
    const std::string now = "@" + std::to_string(++clock) + " +0000";
    std::vector<std::string> arguments{"commit", "-q", "--no-verify", "-m", message};
    if (!author.empty()) arguments.push_back("--author=" + author);
    const auto run =
        sandbox.TryGit(person, arguments, {"GIT_AUTHOR_DATE=" + now, "GIT_COMMITTER_DATE=" + now});
    INFO(run.err);
    REQUIRE(run.status == 0);
  }
  void Add(const std::string& person, const std::string& code,
           const std::string& author = "") const {
    AddByHand(*this, person, kLine);
    if (!code.empty())
      sandbox.Write(person + "/src/" + (code == kMana ? "mana" : "rest") + ".cpp", code);
    Commit(person, "the next revision", author);
  }
  /// Pushes Bob's branch onto main, and fetches it in Ann's clone.
  void BobLands() const {
    sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    sandbox.Git("ann", {"fetch", "-q"});
  }
  std::string Errors() const { return Check(*this, "ann", {}); }
  nlohmann::json First() const {
    return nlohmann::json::parse(Revctl("ann", {"check", "--json"}).out).at("findings").at(0);
  }
};

void SaysWhose(const TwoBranches& team) {
  const auto found = team.First();
  CHECK(found.at("rule") == "RV001");
  const std::string message = found.at("message"), fix = found.at("fix");
  const std::string bobs =
      team.sandbox.Git("bob", {"rev-parse", "--short=10", "HEAD"}).substr(0, 10);
  CHECK(Has(message, "SR_3 (3) may be two different revisions: commit "));
  CHECK(Has(message, "commit " + bobs + " by bob <bob@"));
  CHECK(Has(message, " landed it on origin/main at "));
  CHECK(Has(message, " by ann <ann@"));
  CHECK(Has(message, "Do both branches mean the same revision?"));
  CHECK(Has(fix, "revctl reserve NEW_NAME"));
  CHECK(Has(fix, "if it is the same revision as bob's: git rebase origin/main"));
}

}  // namespace

TEST_CASE("same line: added by two people, in the list alone", "[same]") {
  const TwoBranches team;
  team.Add("ann", "");
  team.Add("bob", "");
  CHECK(team.Errors() == "");
  team.BobLands();
  CHECK(team.Errors() == "RV001");
  SaysWhose(team);
  CHECK(Has(team.First().at("message"), "at least one commit has no code to compare"));
  SECTION("a rebase says that it is one revision") {
    team.sandbox.Git("ann", {"rebase", "-q", "origin/main"});
    CHECK(team.Errors() == "");
  }
  SECTION("a new name says that there are two revisions") {
    team.sandbox.Write("ann/src/master_version_list.h", Team::kListText);
    AddByHand(team, "ann", "SR_4 = 4, // next");
    team.Commit("ann", "a name of its own");
    CHECK(team.Errors() == "RV017");  // git sees two edits of the same line; the driver merges them
    team.InstallDriver("ann");
    team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/main"});
    CHECK(team.Errors() == "");
    CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_3=3 SR_4=4");
  }
  SECTION("a landing stops and changes nothing") {
    const std::string by = GENERATE("merge", "rebase");
    const std::string head = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
    const auto run = team.Revctl("ann", {"land", "--by", by});
    INFO(run.out << run.err);
    CHECK(run.status == 1);
    CHECK(team.sandbox.Git("ann", {"rev-parse", "HEAD"}) == head);
    CHECK(Has(run.out, "Do both branches mean the same revision?"));
  }
}

TEST_CASE("same line: an existing merge, with and without the driver", "[same]") {
  const TwoBranches team;
  const bool driver = GENERATE(false, true);
  if (driver) team.InstallDriver("ann");
  team.Add("ann", kMana);
  team.Add("bob", kStamina);
  team.BobLands();
  CHECK(team.Errors() == "RV001");
  team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_3=3");
  CHECK(team.Errors() == "RV001");
  SaysWhose(team);
  CHECK(Has(team.First().at("fix"), "git rebase origin/main, then run revctl reserve NEW_NAME"));
  team.sandbox.Write("ann/src/later.cpp", "int later;\n");
  team.Commit("ann", "more");
  CHECK(team.Errors() == "RV001");
  team.GuardServer();
  const auto push =
      team.sandbox.TryGit("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  CHECK(push.status != 0);
  CHECK(Has(push.err, "Do both branches mean the same revision?"));
  team.sandbox.Git("ann", {"rebase", "-q", "origin/main"});
  CHECK(team.Errors() == "");
}

TEST_CASE("same line: a host's merge button cannot join two revisions", "[same]") {
  const TwoBranches team;
  team.Add("ann", kMana);
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "boss"});
  team.Add("bob", kStamina);
  team.BobLands();
  team.GuardServer();
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"merge", "-q", "--no-ff", "--no-edit", "origin/boss"});
  const auto push =
      team.sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  INFO(push.err);
  CHECK(push.status != 0);
  CHECK(Has(push.err, "RV001"));
}

TEST_CASE("same line: a merge that has not been concluded", "[same]") {
  const TwoBranches team;
  team.Add("ann", kMana);
  team.Add("bob", kStamina);
  team.BobLands();
  team.sandbox.Git("ann", {"merge", "-q", "--no-commit", "origin/main"});
  CHECK(team.Errors() == "RV001");
  SaysWhose(team);
}

TEST_CASE("same line: the list was moved on the target", "[same]") {
  const TwoBranches team;
  team.Add("ann", kMana);
  team.Add("bob", kStamina);
  team.sandbox.Git("bob", {"mv", Team::kList, "src/revisions.h"});
  team.sandbox.Write("bob/.revctl.yaml",
                     "version: 1\nreservation: optional\nlists: [{path: "
                     "src/revisions.h}]\n");
  team.Commit("bob", "moved");
  team.BobLands();
  CHECK(team.First().at("rule") == "RV001");
}

TEST_CASE("same line: git runs only for a line that both sides added", "[same]") {
  const TwoBranches team;
  const auto compares = [&] {
    const std::string trace = team.sandbox.Path("trace");
    std::filesystem::remove(trace);
    team.Revctl("ann", {"check"}, {"GIT_TRACE=" + trace});
    return Has(team.sandbox.Read("trace"), "--full-history");
  };
  team.Add("ann", kMana);
  team.sandbox.Write("bob/src/rest.cpp", "int rest;\n");
  team.Commit("bob", "no revision");
  team.BobLands();
  CHECK_FALSE(compares());
  team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK_FALSE(compares());
  team.Add("bob", kStamina);
  team.BobLands();
  CHECK(compares());
}

TEST_CASE("same line: many lines that both sides added cost no extra git processes", "[same]") {
  const auto processes = [](int count) {
    const TwoBranches team;
    std::string lines;
    for (int i = 3; i < 3 + count; ++i) {
      const std::string number = std::to_string(i);
      lines += (lines.empty() ? "SR_" : "\n    SR_") + number + " = " + number + ",";
    }
    for (const std::string person : {"ann", "bob"}) {
      AddByHand(team, person, lines);
      team.Commit(person, "the whole list", "ann <ann@studio.example>");
    }
    team.BobLands();
    const std::string trace = team.sandbox.Path("trace");
    const auto run = team.Revctl("ann", {"check"}, {"GIT_TRACE=" + trace});
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    std::istringstream traced(team.sandbox.Read("trace"));
    int out = 0;
    for (std::string line; std::getline(traced, line);)
      out += Has(line, "trace: built-in: git") ? 1 : 0;
    return out;
  };
  const int one = processes(1);
  CHECK(one > 0);
  CHECK(processes(30) == one);
  CHECK(processes(100) == one);  // more files than revctl passes to git by name
}

TEST_CASE("same line: one person with two branches", "[same]") {
  const TwoBranches team;
  const std::string ann = "ann <ann@studio.example>";
  team.Add("ann", kMana);
  SECTION("with code, there are two revisions") {
    team.Add("bob", kStamina, ann);
    team.BobLands();
    CHECK(team.Errors() == "RV001");
    CHECK(Has(team.First().at("message"), "their code differs"));
  }
  SECTION("without code, there is one revision") {
    team.Add("bob", "", ann);
    team.BobLands();
    CHECK(team.Errors() == "");
  }
  SECTION("the revision is Bob's if he commits it") {
    team.Add("bob", "");
    team.BobLands();
    CHECK(team.Errors() == "RV001");
  }
}

TEST_CASE("same line: goldens show whether it is one revision or two", "[same]") {
  const TwoBranches team("reservation: optional\n", ", golden: golden");
  const auto record = [&](const std::string& person, const std::string& type) {
    team.sandbox.Write(person + "/golden/SR_3.yaml", Record("SR_3", 3, {"SR_FOULS"}, type));
    team.sandbox.Write(person + "/golden/SR_3.golden", NoBytes());
  };
  record("ann", "Hero");
  SECTION("two records, and only the shared number is reported") {
    team.Add("ann", kMana);
    record("bob", "Rest");
    team.Add("bob", kStamina);
    team.BobLands();
    CHECK(team.Errors() == "RV001");
    SaysWhose(team);
    CHECK(Has(team.First().at("fix"), "and record its goldens again"));
  }
  SECTION("one record in different code") {
    team.Add("ann", kMana);
    record("bob", "Hero");
    team.Add("bob", kStamina);
    team.BobLands();
    CHECK(team.Errors() == "");
  }
  SECTION("an edited golden of the same change stays an edited golden") {
    team.Add("ann", kMana);
    record("bob", "Hero");
    team.Add("bob", kMana);
    team.BobLands();
    record("ann", "Villain");
    team.Commit("ann", "another type");
    CHECK(team.Errors() == "RV019");
  }
}

TEST_CASE("same line: the same change in another commit", "[same]") {
  const TwoBranches team;
  team.Add("ann", "");
  team.sandbox.Write("ann/src/mana.cpp", kMana);
  team.Commit("ann", "mana");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "boss"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  SECTION("the host squashes the branch, and work on it continues") {
    team.sandbox.Git("bob", {"merge", "-q", "--squash", "origin/boss"});
    team.Commit("bob", "Boss (#12)");
    team.BobLands();
    CHECK(team.Errors() == "");
    for (const char* file : {"one", "two", "three"}) {
      team.sandbox.Write(std::string("ann/src/") + file + ".cpp",
                         std::string("int ") + file + ";\nint more_of_" + file + ";\n");
      team.Commit("ann", file);
    }
    CHECK(team.Errors() == "");
    team.sandbox.Git("ann", {"merge", "-q", "--no-edit", "origin/main"});
    CHECK(team.Errors() == "");
  }
  SECTION("a squash with other work, on top of changed code") {
    team.sandbox.Write("bob/src/rest.cpp", "int rest;\nint sleep;\nint dream;\nint night;\n");
    team.Commit("bob", "rest");
    team.sandbox.Git("bob", {"merge", "-q", "--squash", "origin/boss"});
    team.sandbox.Write("bob/src/mana.cpp", std::string("// the hero's\n") + kMana);
    team.sandbox.Write("bob/src/day.cpp", "int day;\nint week;\nint month;\nint year;\n");
    team.Commit("bob", "Rest and boss (#13)");
    team.BobLands();
    CHECK(team.Errors() == "");
  }
  SECTION("a cherry-pick, and the branch then changes its code") {
    team.sandbox.Git("bob", {"cherry-pick", "origin/boss~1", "origin/boss"});
    team.BobLands();
    team.sandbox.Write("ann/src/mana.cpp", kStamina);
    team.Commit("ann", "stamina instead");
    CHECK(team.Errors() == "");
  }
  SECTION("a rebase that landed") {
    team.sandbox.Write("bob/src/other.cpp", "int other;\n");
    team.Commit("bob", "other");
    team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    team.sandbox.Git("bob", {"checkout", "-q", "--detach", "origin/boss"});
    team.sandbox.Git("bob", {"fetch", "-q"});
    team.sandbox.Git("bob", {"rebase", "-q", "origin/main"});
    team.BobLands();
    CHECK(team.Errors() == "");
  }
  SECTION("a merge button") {
    team.sandbox.Git("bob", {"merge", "-q", "--no-ff", "--no-edit", "origin/boss"});
    team.BobLands();
    team.sandbox.Write("ann/src/more.cpp", "int more;\n");
    team.Commit("ann", "more");
    CHECK(team.Errors() == "");
  }
  SECTION("a commit that names both authors") {
    team.Add("bob", kStamina);
    team.BobLands();
    CHECK(team.Errors() == "RV001");
    team.sandbox.Git("ann", {"reset", "-q", "--soft", "HEAD~2"});
    team.Commit("ann", "mana\n\nCo-authored-by: Bob <bob@studio.example>");
    CHECK(team.Errors() == "");
  }
}

TEST_CASE("same line: numbers at landing", "[same]") {
  const LandingTeam team;
  for (const std::string person : {"ann", "bob"}) {
    team.sandbox.Git(person, {"checkout", "-q", "-b", "work"});
    team.Reserve(person, "SR_BOSS");
    team.sandbox.Write(person + "/" + kFolder + "SR_BOSS.yaml", "message: the boss\n");
    team.sandbox.Write(person + "/src/use_SR_BOSS.cpp",
                       "int use_" + person + " = SR_BOSS;\nint more_of_" + person + ";\n");
    team.sandbox.CommitAll(person, "boss");
  }
  CHECK(Rules(team, "ann") == "");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  CHECK(Rules(team, "ann") == "RV001 error");
  SECTION("after a fold") {
    team.sandbox.Git("bob", {"checkout", "-q", "main"});
    team.sandbox.Git("bob", {"pull", "-q"});
    const auto fold = team.Revctl("bob", {"fold", "--push"});
    INFO(fold.out << fold.err);
    REQUIRE(fold.status == 0);
    team.sandbox.Git("ann", {"fetch", "-q"});
    CHECK(Rules(team, "ann").starts_with("RV001 error"));
  }
  const auto said = team.Revctl("ann", {"check"});
  CHECK(Has(said.out, "by bob <bob@"));
  CHECK(Has(said.out,
            "git mv src/master_version_list.pending/SR_BOSS.yaml "
            "src/master_version_list.pending/NEW_NAME.yaml"));
  team.sandbox.Git(
      "ann", {"mv", std::string(kFolder) + "SR_BOSS.yaml", std::string(kFolder) + "SR_CHIEF.yaml"});
  team.sandbox.Write("ann/src/use_SR_BOSS.cpp", "int use_ann = SR_CHIEF;\n");
  team.sandbox.CommitAll("ann", "a name of its own");
  CHECK(Rules(team, "ann").find("error") == std::string::npos);
}

TEST_CASE("same line: a colleague reserves the number for a branch", "[same]") {
  const TwoBranches team("");
  team.Add("ann", kMana);
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "boss"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"reset", "-q", "--hard", "origin/boss"});
  REQUIRE(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(Check(team, "ann", {"--fetch"}) == "");
  SECTION("the colleague lands it") {
    const auto run = team.Revctl("bob", {"land"});
    INFO(run.out << run.err);
    CHECK(run.status == 0);
  }
  SECTION("the colleague's own commit also adds the line") {
    team.sandbox.Git("bob", {"reset", "-q", "--hard", "origin/main"});
    team.Add("bob", kStamina);
    team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "feature"});
    team.sandbox.Git("ann", {"fetch", "-q"});
    CHECK(Check(team, "ann", {"--fetch"}) == "RV011");
  }
}

TEST_CASE("same line: the holder did not work on the branch", "[same]") {
  const TwoBranches team("");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_3", "-m", "next"}).status == 0);
  team.sandbox.Write("ann/src/master_version_list.h", team.List("bob"));
  team.sandbox.Write("ann/src/mana.cpp", kMana);
  const auto errors = [&] { return Check(team, "ann", {"--fetch"}); };
  CHECK(errors() == "RV011");  // even before Ann commits the list
  team.Commit("ann", "next");
  CHECK(errors() == "RV011");
  const auto found = team.First();
  CHECK(Has(found.at("message"), "SR_3 (3) is reserved for bob <bob@"));
  CHECK(Has(found.at("message"), "no commit on this branch names that person"));
  const std::string fix = found.at("fix");
  SECTION("a landing stops and reserves no number for the branch's other revision") {
    AddByHand(team, "ann", "SR_4 = 4,");
    team.Commit("ann", "more");
    const auto ledger = [&] {
      return team.sandbox.Git("ann", {"ls-remote", "origin", "refs/revctl/ledger"});
    };
    const std::string before = ledger();
    const auto run = team.Revctl("ann", {"land"});
    INFO(run.out << run.err);
    CHECK(run.status == 1);
    CHECK(Has(run.out, "Is this the same revision as the one they"));
    CHECK(ledger() == before);
  }
  SECTION("declared by a trailer, as the fix says") {
    const std::size_t begin = fix.find("git commit");
    team.sandbox.Run("ann", {"sh", "-c", fix.substr(begin, fix.find('\n', begin) - begin)});
    CHECK(errors() == "");
  }
  SECTION("taken over") {
    REQUIRE(team.Revctl("ann", {"reserve", "SR_3", "--take-over"}).status == 0);
    CHECK(errors() == "");
  }
  SECTION("allowed by the team") {
    const std::string config = team.sandbox.Read("bob/.revctl.yaml");
    team.sandbox.Write("bob/.revctl.yaml",
                       config + "allow: [{rule: RV011, name: SR_3, reason: a bot reserves}]\n");
    team.sandbox.Git("bob", {"commit", "-q", "-m", "allow", ".revctl.yaml"});
    team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    CHECK(errors() == "");
  }
  SECTION("Bob's commit is on Ann's branch") {
    team.sandbox.Write("ann/src/rest.cpp", kStamina);
    team.Commit("ann", "rest", "bob <bob@studio.example>");
    CHECK(errors() == "");
  }
  SECTION("Bob's commit had landed and was reverted") {
    team.sandbox.Git("ann", {"reset", "-q", "--hard", "origin/main"});
    team.sandbox.Write("bob/src/rest.cpp", kStamina);
    team.Commit("bob", "next");
    team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD"});
    team.BobLands();
    team.sandbox.Git("ann", {"reset", "-q", "--hard", "origin/main"});
    team.sandbox.Git("ann", {"revert", "--no-edit", "HEAD"});
    CHECK(errors() == "");
  }
  SECTION("Bob's branch has another revision in that line") {
    team.sandbox.Write("bob/src/rest.cpp", kStamina);
    team.Commit("bob", "next");
    team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "feature"});
    team.sandbox.Git("ann", {"fetch", "-q"});
    CHECK(errors() == "RV011");
    CHECK(Has(team.First().at("message"), ", whose commit "));
  }
  SECTION("Ann's commit is a squash of Bob's branch") {
    team.sandbox.Write("bob/src/mana.cpp", kMana);
    team.Commit("bob", "next");
    team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "feature"});
    team.sandbox.Git("ann", {"fetch", "-q"});
    CHECK(errors() == "");
  }
}
