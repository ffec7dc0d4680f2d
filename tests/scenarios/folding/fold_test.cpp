// Tests folds of random pull requests, folds of only some pending revisions, races, kills and bad
// files.
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "tests/scenarios/landing_team.h"
#include "tests/scenarios/record_text.h"

using namespace revctl;
using namespace revctl::testing;
using nlohmann::json;

namespace {

/// Writes a pending file without revctl.
void Pending(const LandingTeam& team, const std::string& person, const std::string& file,
             const std::string& text) {
  team.sandbox.Write(person + "/" + kFolder + file, text);
}

}  // namespace

TEST_CASE("fold: 40 random pairs of branches merge without conflicts", "[landing][fold]") {
  const LandingTeam team({"ann"});
  std::mt19937 random(24);
  const auto git = [&](std::vector<std::string> arguments) {
    return team.sandbox.Git("ann", std::move(arguments));
  };
  git({"config", "merge.revctl.driver", "false"});
  int conflicts = 0, revisions = 2, serial = 0;
  for (int pair = 0; pair < 40; ++pair) {
    const std::string base = git({"rev-parse", "main"});
    std::vector<std::string> branches;
    for (int side = 0; side < 2; ++side) {
      // Build the branch from git objects, because a work tree for each branch would take minutes.
      std::string tree = git({"rev-parse", base + "^{tree}"}), after;
      git({"read-tree", tree});
      for (auto count = 1 + random() % 3; count > 0; --count) {
        const std::string name = "SR_" + std::string(1, static_cast<char>('A' + random() % 26)) +
                                 std::to_string(serial++);
        team.sandbox.Write("text", "message: \"for " + name + "\"\n" +
                                       (after.empty() ? "" : "after: [\"" + after + "\"]\n"));
        const std::string blob = git({"hash-object", "-w", team.sandbox.Path("text")});
        git({"update-index", "--add", "--cacheinfo",
             "100644," + blob + "," + kFolder + name + ".yaml"});
        after = name;
        ++revisions;
      }
      branches.push_back(git({"commit-tree", git({"write-tree"}), "-p", base, "-m", "side"}));
    }
    git({"reset", "-q", "--hard", branches[0]});
    conflicts +=
        team.sandbox.TryGit("ann", {"merge", "-q", "--no-edit", branches[1]}).status == 0 ? 0 : 1;
    if (pair % 8 == 7) CHECK(team.Revctl("ann", {"fold", "-q"}).status == 0);
  }
  CHECK(conflicts == 0);
  const auto listed = json::parse(team.Revctl("ann", {"list", "--json"}).out);
  CHECK(listed.at("lists").at(0).at("latest").at("number") == revisions);
  CHECK(team.List("ann").find("=" + std::to_string(revisions) + ",") != std::string::npos);
}

namespace {

/// Runs a shell command with the program in PATH.
base::ProcessResult Sh(const LandingTeam& team, const std::string& who, const std::string& line) {
  return team.sandbox.Run(
      who, {"sh", "-ec",
            "PATH='" + std::filesystem::path(ProgramPath()).parent_path().string() + "':$PATH\n" +
                line});
}

}  // namespace

TEST_CASE("fold: revisions pending when a release is cut, folded there and on main",
          "[landing][fold]") {
  const LandingTeam team;
  team.sandbox.Write("ann/.revctl.yaml",
                     team.sandbox.Read("ann/.revctl.yaml") + "releases: [\"release/*\"]\n");
  team.Land("ann");
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  const std::string cut = team.sandbox.Git("host", {"rev-parse", "HEAD"});
  team.Branch("bob", "early", {"SR_AAA"});
  REQUIRE(team.HostMerges("early").status == 0);
  // The server rejects a release with pending files.
  const auto refused =
      team.sandbox.TryGit("host", {"push", "-q", "origin", cut + ":refs/heads/release/1"});
  CHECK(refused.status != 0);
  CHECK(refused.err.find("error[RV018]: a release cannot have pending revisions") !=
        std::string::npos);
  // SR_AAA sorts before SR_ONE, but landed after the release was cut.
  const std::string first = "revctl fold --push --at " + cut.substr(0, 10);
  CHECK_THAT(refused.err, Catch::Contains("fix: " + first + " && git cherry-pick origin/main") &&
                              !Catch::Contains("is not in the list on"));
  team.sandbox.Git("host", {"checkout", "-q", "-b", "release/1", cut});
  const auto folded = Sh(team, "host", first + " && git cherry-pick origin/main");
  INFO(folded.err);
  REQUIRE(folded.status == 0);
  CHECK(folded.out.starts_with("SR_ONE = 3\n"));
  const auto pushed = team.sandbox.TryGit("host", {"push", "-q", "origin", "release/1"});
  INFO(pushed.err);
  CHECK(pushed.status == 0);
  CHECK(team.Revctl("host", {"fold", "--push"}).out == "SR_AAA = 4\n");
  CHECK(team.Revctl("host", {"fold", "--push", "--at", cut}).out.empty());
  // A release that is pushed after the fold can cherry-pick the fold. If the fold also contains
  // revisions that the release lacks, the release must merge it instead.
  const auto again = [&](const std::string& branch, const std::string& at, const std::string& how) {
    team.sandbox.Git("host", {"checkout", "-q", "-b", branch, at});
    const auto red = team.sandbox.TryGit("host", {"push", "-q", "origin", branch});
    CHECK(red.status != 0);
    const std::size_t fix = red.err.find("fix: " + how);
    INFO(red.err);
    REQUIRE(fix != red.err.npos);
    const auto fixed = Sh(team, "host", red.err.substr(fix + 5, red.err.find('\n', fix) - fix - 5));
    INFO(fixed.err);
    CHECK(fixed.status == 0);
    const auto green = team.sandbox.TryGit("host", {"push", "-q", "origin", branch});
    INFO(green.err);
    CHECK(green.status == 0);
  };
  again("release/2", cut, "git cherry-pick ");
  team.Branch("ann", "two", {"SR_TWO"});
  REQUIRE(team.HostMerges("two").status == 0);
  const std::string early = team.sandbox.Git("host", {"rev-parse", "HEAD"});
  team.Branch("bob", "three", {"SR_THREE"});
  REQUIRE(team.HostMerges("three").status == 0);
  REQUIRE(team.Revctl("host", {"fold", "--push"}).out == "SR_THREE = 5\nSR_TWO = 6\n");
  again("release/3", early, "git merge ");
  // A pending revision that the target lacks must be removed from the release.
  team.sandbox.Git("host", {"checkout", "-q", "-b", "release/4", "origin/main"});
  team.sandbox.Write(std::string("host/") + kFolder + "SR_OWN.yaml", "message: own\n");
  team.sandbox.CommitAll("host", "own");
  const auto own = team.Revctl("host", {"check", "--target", "origin/release/3"});
  INFO(own.out << own.err);
  CHECK_THAT(own.out,
             Catch::Contains("error[RV018]") &&
                 Catch::Contains("fix: git rm -f " + std::string(kFolder) + "SR_OWN.yaml"));
}

TEST_CASE("fold: a pull request's branch is recreated while it waits", "[landing][fold]") {
  const LandingTeam team;
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  REQUIRE(team.Revctl("host", {"fold", "--branch", "numbers"}).out == "SR_ONE = 3\n");
  const std::string tip = team.sandbox.Git("srv/game.git", {"rev-parse", "numbers"});
  REQUIRE(team.Revctl("host", {"fold", "--branch", "numbers"}).status == 0);
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "numbers"}) == tip);
  team.Branch("bob", "two", {"SR_BBB"});
  REQUIRE(team.HostMerges("two").status == 0);
  // A fold must not replace a fold commit that a user has amended, even if the message is
  // unchanged.
  team.sandbox.Git("ann", {"fetch", "-q"});
  const auto refuses = [&](const std::function<void()>& amendment) {
    team.sandbox.Git("ann", {"checkout", "-q", "-B", "numbers", tip});
    amendment();
    team.sandbox.Git("ann", {"commit", "-q", "--amend", "--no-verify", "--no-edit"});
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "-f", "origin", "numbers"});
    const auto refused = team.Revctl("host", {"fold", "--branch", "numbers"});
    CHECK(refused.status == 1);
    CHECK_THAT(refused.err,
               Catch::Contains("origin/numbers already exists, and revctl fold did not create it"));
  };
  const auto writes = [&](const std::string& path, const std::string& text) {
    team.sandbox.Write("ann/" + path, text);
    team.sandbox.Git("ann", {"add", path});
  };
  const std::string list = team.sandbox.Git("ann", {"show", tip + ":" + Team::kList}) + "\n";
  refuses([&] { writes("notes.txt", "mine\n"); });
  refuses([&] { writes(Team::kList, list + "// mine\n"); });
  // Changing only a file's mode is also an amendment.
  refuses([&] {
    std::filesystem::permissions(team.sandbox.Path("ann/.revctl.yaml"),
                                 std::filesystem::perms::owner_exec,
                                 std::filesystem::perm_options::add);
    team.sandbox.Git("ann", {"add", ".revctl.yaml"});
  });
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "-f", "origin", tip + ":numbers"});
  // The older fold can still be merged. Revisions that landed later stay pending.
  REQUIRE(team.Revctl("host", {"fold", "--branch", "numbers"}).out == "SR_BBB = 3\nSR_ONE = 4\n");
  REQUIRE(team.HostMerges("numbers").status == 0);
  CHECK(team.Revctl("host", {"fold", "--push"}).out.empty());
  // A fold must not overwrite a user's branch of that name or the target.
  team.Branch("ann", "mine", {"SR_X"});
  REQUIRE(team.HostMerges("mine").status == 0);
  CHECK(team.Revctl("host", {"fold", "--branch", "mine"}).status == 1);
  CHECK(team.Revctl("host", {"fold", "--branch", "main"}).status == 2);
  CHECK(team.Revctl("host", {"fold", "--branch", "-x"}).status == 2);
}

TEST_CASE("fold: bad files block only themselves and the revisions after them", "[landing][fold]") {
  const LandingTeam team;
  std::filesystem::remove(team.sandbox.Path("srv/game.git/hooks/pre-receive"));
  Pending(team, "ann", "SR_GOOD.yaml", "message: fine\n");
  Pending(team, "ann", "SR_BAD.yaml", "message: [1\n");
  Pending(team, "ann", "SR_ON_BAD.yaml", "after: [SR_BAD]\n");
  Pending(team, "ann", "SR_LOOP.yaml", "after: [SR_LOOP]\n");
  Pending(team, "ann", "SR_Case.yaml", "");
  Pending(team, "ann", "SR_CASE.yaml", "");
  Pending(team, "ann", "$(touch x).yaml", "");
  Pending(team, "ann", "SR_NAMED.yaml", "name: SR_OTHER\n");
  Pending(team, "ann", "SR_ESC.yaml", "message: \"\\e[2J\"\n");
  std::filesystem::create_symlink(
      "/etc/passwd", team.sandbox.Path(std::string("ann/") + kFolder + "SR_LINK.yaml"));
  std::filesystem::create_directories(
      team.sandbox.Path(std::string("ann/") + kFolder + "SR_DIR.yaml"));
  Pending(team, "ann", "SR_DIR.yaml/x", "");
  const std::string all =
      "$(touch x).yaml SR_BAD SR_CASE SR_Case SR_DIR SR_ESC SR_LINK SR_LOOP "
      "SR_NAMED SR_ON_BAD ";
  // The gate names each bad file, both in the work tree and in a commit.
  const auto refused = [&](const std::vector<std::string>& how) {
    std::vector<std::string> arguments = {"check", "--json"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    std::set<std::string> names;
    const auto said = json::parse(team.Revctl("ann", arguments).out);
    for (const auto& finding : said.at("findings")) {
      if (finding.at("rule") != "RV029" || finding.at("severity") != "error") continue;
      const std::string file = finding.at("file");
      const std::string name = file.substr(file.rfind('/') + 1);
      names.insert(name[0] == '$' ? name : name.substr(0, name.find('.')));
    }
    std::string out;
    for (const std::string& name : names) out += name + " ";
    return out;
  };
  CHECK(refused({}) == all);
  team.Land("ann");
  const std::string before = team.sandbox.Git("ann", {"rev-parse", "HEAD~1"});
  CHECK(refused({"--head", "HEAD", "--target", before, "--base", before}).find("SR_LINK") !=
        std::string::npos);
  // The fold includes the good file, and reads nothing outside the repository.
  const auto folded = team.Revctl("ann", {"fold", "--push"});
  INFO(folded.err);
  CHECK(folded.status == 1);
  CHECK(folded.out == "SR_GOOD = 3\n");
  CHECK(folded.err.find('\x1b') == std::string::npos);
  CHECK_FALSE(team.sandbox.Exists("ann/x"));
  CHECK(team.Revctl("ann", {"fold", "--push"}).out.empty());
  // Anyone can fix a bad file on the target.
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"reset", "-q", "--hard", "origin/main"});
  Pending(team, "ann", "SR_BAD.yaml", "message: fixed\n");
  CHECK(Rules(team, "ann").find("RV029 error") == std::string::npos);
  team.Land("ann");
  CHECK(team.Revctl("ann", {"fold", "--push"}).out == "SR_BAD = 4\nSR_ON_BAD = 5\n");
}

TEST_CASE("fold: can be run again after a kill at any point", "[landing][fold]") {
  const LandingTeam team({"ann"});
  for (const char* name : {"SR_ONE", "SR_TWO"}) team.Reserve("ann", name);
  team.sandbox.CommitAll("ann", "work");
  const std::string base = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  // Simulate a kill at each point between the writes of a fold in a work tree.
  const std::string whole = [&] {
    REQUIRE(team.Revctl("ann", {"fold"}).status == 0);
    return team.sandbox.Git("ann", {"rev-parse", "HEAD^{tree}"});
  }();
  const std::string fold = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  for (int point = 0; point < 3; ++point) {
    INFO(point);
    team.sandbox.Git("ann", {"reset", "-q", "--hard", base});
    team.sandbox.Write("ann/.git/revctl-fold-index", "garbage");
    if (point >= 1) team.sandbox.Git("ann", {"read-tree", "-m", "-u", base, fold});
    if (point >= 2) team.sandbox.Git("ann", {"update-ref", "refs/heads/main", fold, base});
    const auto again = team.Revctl("ann", {"fold"});
    INFO(again.err);
    CHECK(again.status == 0);
    CHECK(team.sandbox.Git("ann", {"rev-parse", "HEAD^{tree}"}) == whole);
    CHECK(team.sandbox.Git("ann", {"status", "--porcelain"}).empty());
  }
  // A fold must not overwrite an edited list.
  team.sandbox.Git("ann", {"reset", "-q", "--hard", base});
  team.sandbox.Write("ann/" + std::string(Team::kList), team.List("ann") + "// mine\n");
  CHECK(team.Revctl("ann", {"fold"}).status == 2);
  CHECK(team.List("ann").ends_with("// mine\n"));
  CHECK(team.sandbox.Git("ann", {"rev-parse", "HEAD"}) == base);
}

TEST_CASE("fold: a revert that began before the fold and is merged after it",
          "[landing][fold][check]") {
  const LandingTeam team;
  const auto config = [&](const std::string& person) {
    std::string text = team.sandbox.Read(person + "/.revctl.yaml");
    text.insert(text.find("path: "), "golden: golden, ");
    team.sandbox.Write(person + "/.revctl.yaml", text);
  };
  config("ann");
  team.sandbox.Write("ann/golden/README", "goldens\n");
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "one"});
  team.Reserve("ann", "SR_ONE");
  team.sandbox.Write("ann/golden/SR_ONE.yaml", Record("SR_ONE", 3, {"SR_FOULS"}, "Match"));
  team.sandbox.CommitAll("ann", "one");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "one"});
  REQUIRE(team.HostMerges("one").status == 0);
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "undo"});
  team.sandbox.Git("bob", {"revert", "--no-edit", "-m", "1", "HEAD"});
  // Before the fold, reverting the merge removes a pending file that has landed, which is an error.
  CHECK(Rules(team, "bob").find("RV029 error") != std::string::npos);
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "undo"});
  const auto folded = team.Revctl("host", {"fold", "--push"});
  INFO(folded.err);
  REQUIRE(folded.status == 0);
  // Once the fold has landed, the same revert would remove a landed golden, so the server refuses
  // to merge it.
  team.sandbox.Git("bob", {"fetch", "-q"});
  const std::string rules = Rules(team, "bob");
  CHECK(rules.find("RV019 error") != std::string::npos);
  const auto refused = team.HostMerges("undo");
  CHECK(refused.status != 0);
  CHECK(refused.err.find("error[RV019]") != std::string::npos);
  // The printed command restores the golden and leaves the code reverted.
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  const auto said = json::parse(team.Revctl("bob", {"check", "--json"}).out);
  REQUIRE(said.at("findings").size() == 1);
  const std::string fix = said.at("findings").at(0).at("fix");
  REQUIRE(team.sandbox.Run("bob", {"sh", "-c", fix}).status == 0);
  CHECK(Rules(team, "bob") == "");
  team.sandbox.CommitAll("bob", "fixed");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "undo"});
  REQUIRE(team.HostMerges("undo").status == 0);
  CHECK_FALSE(team.sandbox.Exists("host/src/use_SR_ONE.cpp"));
  CHECK(RedCommits(team) == "");
}
