// Tests goldens in git merges: a record and its payloads always come from the same side, which is
// the landed side if there is one.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/team.h"

using revctl::testing::Has;
using revctl::testing::Sandbox;
using revctl::testing::Team;

namespace {

/// The record and the payloads file of a revision, with at most one payload. The hashes are test
/// vectors of XXH64.
struct Golden {
  std::string record, payloads;
  bool operator==(const Golden&) const = default;
};

Golden Recorded(const std::string& revision, const std::string& payload, int number) {
  const std::string size = std::to_string(payload.size());
  const bool a = payload == "a";
  Golden out;
  out.record = "version: 1\nrevision: " + revision + "\nnumber: " + std::to_string(number) +
               "\nlineage: \"1a9cd307a9a609c1\"\nrecorded:\n  by: record\n  code: " + revision +
               "\n  compiler: \"g++ 12.2.0\"\n  revctl: 0.1.0\n  seed: 1\ntypes: []\nenums: []\n"
               "cases:\n  - type: T\n    name: one\n    size: " +
               size + "\n    hash: \"" + (a ? "d24ec4f1a98c6e5b" : "44bc2cf5ad770999") +
               "\"\n    values:\n      x: 1\nupgrades: []\n";
  out.payloads = std::string("rvgold\1\n\1\0\0\0", 12) +
                 (a ? "\x5b\x6e\x8c\xa9\xf1\xc4\x4e\xd2" : "\x99\x09\x77\xad\xf5\x2c\xbc\x44") +
                 std::string(1, static_cast<char>(payload.size())) + std::string(3, '\0') + payload;
  return out;
}

const Golden kFirst = Recorded("SR_ONE", "a", 3), kLanded = Recorded("SR_ONE", "abc", 4),
             kOther = Recorded("SR_ONE", "abc", 9), kTwo = Recorded("SR_TWO", "abc", 4);

void Put(const Sandbox& sandbox, const std::string& revision, const Golden& golden) {
  sandbox.Write("r/golden/" + revision + ".yaml", golden.record);
  sandbox.Write("r/golden/" + revision + ".golden", golden.payloads);
}

Golden Get(const Sandbox& sandbox, const std::string& revision) {
  return {sandbox.Read("r/golden/" + revision + ".yaml"),
          sandbox.Read("r/golden/" + revision + ".golden")};
}

/// Returns a repository. Branch `one` records SR_ONE, and `two` adds SR_TWO on top. `other` and
/// `landed` have recorded SR_ONE differently, and origin/main is at `landed`.
const Sandbox& Scene() {
  static Sandbox scene;
  if (scene.Exists("r")) return scene;
  scene.NewRepository("r", "ann");
  scene.Git("r", {"remote", "add", "origin", "/nowhere"});
  scene.Write("r/" + std::string(Team::kList), Team::kListText);
  scene.Write("r/.revctl.yaml",
              "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  scene.Write("r/golden/.gitattributes", "*.golden binary diff=revctl-golden\n");
  if (scene.Revctl("r", {"install"}).status != 0) throw std::runtime_error("install");
  scene.Git("r", {"config", "core.hooksPath", "none"});
  scene.CommitAll("r", "first");
  const auto branch = [&](const char* name, const char* from) {
    scene.Git("r", {"checkout", "-q", "-b", name, from});
  };
  branch("one", "main");
  Put(scene, "SR_ONE", kFirst);
  scene.CommitAll("r", "one");
  branch("two", "one");
  Put(scene, "SR_TWO", kTwo);
  scene.CommitAll("r", "two");
  branch("other", "main");
  Put(scene, "SR_ONE", kOther);
  scene.CommitAll("r", "other");
  branch("landed", "main");
  Put(scene, "SR_ONE", kLanded);
  scene.CommitAll("r", "one, squashed and refreshed");
  scene.Git("r", {"update-ref", "refs/remotes/origin/main", "landed"});
  return scene;
}

struct Repository : Sandbox {
  Repository() { CopyFolder(Scene(), "r"); }
  void On(const std::string& branch) const { Git("r", {"checkout", "-q", branch}); }
  std::string Conflicts() const { return Git("r", {"diff", "--name-only", "--diff-filter=U"}); }
};

}  // namespace

TEST_CASE("goldens: the landed side wins no matter how git joins branches", "[goldens]") {
  Repository repository;
  repository.On("two");
  SECTION("merging the target, whose version is theirs") {
    repository.Git("r", {"merge", "-q", "--no-edit", "origin/main"});
  }
  SECTION("rebasing a stacked branch with a squashed base: the target is ours") {
    repository.Git("r", {"rebase", "-q", "origin/main"});
  }
  SECTION("rebase --apply") { repository.Git("r", {"rebase", "-q", "--apply", "origin/main"}); }
  SECTION("cherry-pick") {
    repository.On("landed");
    repository.TryGit("r", {"cherry-pick", "--allow-empty", "--keep-redundant-commits", "one"});
    repository.Git("r", {"cherry-pick", "two"});
  }
  SECTION("squash") { repository.Git("r", {"merge", "-q", "--squash", "origin/main"}); }
  CHECK(repository.Conflicts().empty());
  CHECK(Get(repository, "SR_ONE") == kLanded);
  CHECK(Get(repository, "SR_TWO") == kTwo);
}

TEST_CASE("goldens: both sides keep the same one of two pending versions", "[goldens]") {
  Repository repository;
  const bool number_only = GENERATE(false, true);
  if (number_only) repository.Git("r", {"branch", "-q", "-f", "one", "landed"});
  repository.Git("r", {"update-ref", "refs/remotes/origin/main", "main"});
  repository.On("one");
  const auto said = repository.TryGit("r", {"merge", "--no-edit", "other"});
  INFO(said.out << said.err);
  CHECK(said.status == 0);
  CHECK(said.err.find("golden/SR_ONE.yaml: both sides recorded it") != std::string::npos);
  CHECK(said.err.find("record --refresh-pending") != std::string::npos);
  const Golden kept = Get(repository, "SR_ONE");
  CHECK((kept == (number_only ? kLanded : kFirst) || kept == kOther));
  repository.On("other");
  repository.Git("r", {"merge", "-q", "--no-edit", "one^1"});
  CHECK(Get(repository, "SR_ONE") == kept);
}

TEST_CASE("goldens: an unclear merge is a conflict, never a mix of both sides", "[goldens]") {
  Repository repository;
  const bool theirs = GENERATE(false, true);
  std::string why;
  SECTION("the target is unknown") {
    repository.Git("r", {"update-ref", "-d", "refs/remotes/origin/main"});
    why = "refs/remotes/origin/main is not in this clone";
  }
  SECTION("an unreadable record") {
    repository.On("other");
    repository.Write("r/golden/SR_ONE.yaml", "version: 99\n");
    repository.CommitAll("r", "from a newer revctl");
    why = "both sides changed it";
  }
  SECTION("no golden folder in .revctl.yaml") {
    repository.On("one");
    repository.Write("r/.revctl.yaml", Team::kConfig);
    repository.CommitAll("r", "no goldens");
    why = "is not in a golden folder";
  }
  repository.On("one");
  const auto said = repository.TryGit("r", {"merge", "--no-edit", "other"});
  INFO(said.out << said.err);
  CHECK(said.status == 1);
  CHECK(said.err.find(why) != std::string::npos);
  CHECK(repository.Conflicts().find("golden/SR_ONE.yaml") != std::string::npos);
  CHECK(Get(repository, "SR_ONE").record == kFirst.record);
  // The printed command takes both files from one side.
  const std::size_t begin = said.err.find("git checkout HEAD -- ");
  REQUIRE(begin != std::string::npos);
  std::string command = said.err.substr(begin, said.err.find(" (", begin) - begin);
  if (theirs) command.replace(command.find("HEAD"), 4, "MERGE_HEAD");
  REQUIRE(repository.Run("r", {"sh", "-c", command}).status == 0);
  CHECK(Get(repository, "SR_ONE") ==
        Golden{repository.Git(
                   "r", {"show", (theirs ? "other" : "one") + std::string(":golden/SR_ONE.yaml")}) +
                   "\n",
               theirs ? kOther.payloads : kFirst.payloads});
  CHECK(repository.Conflicts().empty());
}

TEST_CASE("goldens: without revctl, or with it disabled, git reports a conflict", "[goldens]") {
  Repository repository;
  repository.On("one");
  std::vector<std::string> environment{"REVCTL=0"};
  SECTION("disabled") {}
  SECTION("missing") { environment = {"PATH=/usr/bin:/bin"}; }
  const auto said = repository.TryGit("r", {"merge", "--no-edit", "landed"}, environment);
  INFO(said.out << said.err);
  CHECK(said.status == 1);
  CHECK(repository.Conflicts() == "golden/SR_ONE.golden\ngolden/SR_ONE.yaml");
  CHECK(Get(repository, "SR_ONE").payloads == kFirst.payloads);
}

TEST_CASE("goldens: fix repairs everything without the driver", "[goldens]") {
  Repository repository;
  repository.Git("r", {"config", "--remove-section", "merge.revctl"});
  // Branch `two` removes goldens that branch `one` has rewritten.
  const auto removed = [&](const std::string& list) {
    repository.Git("r", {"update-ref", "refs/remotes/origin/main", "main"});
    repository.On("one");
    Put(repository, "SR_ONE", kLanded);
    repository.CommitAll("r", "refreshed");
    repository.On("two");
    repository.Git("r", {"rm", "-q", "golden/SR_ONE.yaml", "golden/SR_ONE.golden"});
    repository.Write("r/" + std::string(Team::kList), list);
    repository.CommitAll("r", "gone");
    CHECK(repository.TryGit("r", {"merge", "one"}).status == 1);
  };
  repository.On("two");
  Golden expected = kLanded;
  SECTION("the landed side wins, in a merge") {
    CHECK(repository.TryGit("r", {"merge", "landed"}).status == 1);
  }
  SECTION("the landed side wins, in a rebase") {
    CHECK(repository.TryGit("r", {"rebase", "landed"}).status == 1);
  }
  SECTION("one side removed it, and the revision is not in the list") {
    removed(Team::kListText);
    expected = {};
  }
  SECTION("one side removed it, and the revision is in the list") {
    removed("enum Revision {\n SR_INITIAL=1,\n SR_FOULS=2,\n SR_ONE=3,\n};\n");
  }
  const std::string conflicts = repository.Conflicts();
  INFO(conflicts);
  REQUIRE(conflicts.find("golden/SR_ONE.golden") != std::string::npos);
  const auto fixed = repository.Revctl("r", {"fix"});
  INFO(fixed.out << fixed.err);
  CHECK(Has(fixed.out, "golden: resolved golden/SR_ONE.golden, golden/SR_ONE.yaml"));
  CHECK(Has(fixed.err, "next: git add golden"));
  const Golden two = Get(repository, "SR_TWO");  // git may treat SR_TWO as a renamed SR_ONE
  CHECK((two == kTwo || two == Golden{}));
  CHECK(repository.Exists("r/golden/SR_ONE.yaml") == !expected.record.empty());
  CHECK(Get(repository, "SR_ONE") == expected);
  repository.Git("r", {"add", "-A", "golden"});
  CHECK(repository.Conflicts().empty());
}

TEST_CASE("goldens: payloads that git removed in a conflict are restored", "[goldens]") {
  Repository repository;
  const Golden anew = Recorded("SR_ONE", "a", 4);  // the same payloads as kFirst
  REQUIRE(anew.payloads == kFirst.payloads);
  repository.On("one");
  repository.Git("r", {"branch", "gone"});
  Put(repository, "SR_ONE", anew);
  repository.Write("r/" + std::string(Team::kList),
                   "enum Revision {\n SR_INITIAL=1,\n SR_FOULS=2,\n SR_ONE=3,\n};\n");
  repository.CommitAll("r", "landed anew");
  repository.Git("r", {"update-ref", "refs/remotes/origin/main", "HEAD"});
  repository.On("gone");
  repository.Git("r", {"rm", "-q", "golden/SR_ONE.yaml", "golden/SR_ONE.golden"});
  repository.CommitAll("r", "reverted");
  const bool merge = GENERATE(true, false);
  const auto joined =
      repository.TryGit("r", merge ? std::vector<std::string>{"merge", "origin/main"}
                                   : std::vector<std::string>{"rebase", "origin/main"});
  INFO(joined.out << joined.err);
  CHECK(joined.status == 1);
  CHECK(repository.Conflicts() == "golden/SR_ONE.yaml");
  REQUIRE_FALSE(repository.Exists("r/golden/SR_ONE.golden"));
  const auto fixed = repository.Revctl("r", {"fix"});
  INFO(fixed.out << fixed.err);
  CHECK(fixed.status == 0);
  CHECK(Get(repository, "SR_ONE") == anew);
}

TEST_CASE("goldens: install adds the lines once, and uninstall removes them", "[goldens]") {
  Repository repository;
  const std::string file = "r/golden/.gitattributes";
  const std::string installed = repository.Read(file);
  CHECK(installed.starts_with("*.golden binary diff=revctl-golden\n# revctl: begin"));
  CHECK(installed.find("*.golden binary diff=revctl-golden merge=revctl\n*.yaml merge=revctl\n") !=
        std::string::npos);
  CHECK(repository.Revctl("r", {"install"}).out.find("golden") == std::string::npos);
  repository.Write(file, "*.golden binary diff=revctl-golden\n");
  repository.Git("r", {"commit", "-q", "--no-verify", "-am", "without the driver"});
  const auto missing = repository.Revctl("r", {"doctor"});
  CHECK(missing.out.find("missing  .gitattributes for goldens in golden") != std::string::npos);
  SECTION("revctl's lines only") {}
  SECTION("no lines") { std::filesystem::remove(repository.Path(file)); }
  SECTION("one of the two lines") { repository.Write(file, "*.yaml merge=revctl\n"); }
  const bool there = repository.Exists(file);
  const std::string before = there ? repository.Read(file) : "";
  REQUIRE(repository.Revctl("r", {"install"}).status == 0);
  const auto doctor = repository.Revctl("r", {"doctor"});
  CHECK(doctor.out.find("ok       .gitattributes for goldens in golden") != std::string::npos);
  REQUIRE(repository.Revctl("r", {"uninstall"}).status == 0);
  CHECK(repository.Exists(file) == there);
  if (there) CHECK(repository.Read(file) == before);
}
