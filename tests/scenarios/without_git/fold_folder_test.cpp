// Tests `revctl fold --in` and `revctl sync --in` in a folder that is not a repository.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/without_git/depot.h"

using namespace revctl::testing;

namespace {

const std::string kBlock =
    "#if __has_include(\"master_version_list.pending.inc\")\n"
    "#include \"master_version_list.pending.inc\"\n"
    "#endif\n";

struct AtLanding : Depot {
  explicit AtLanding(const std::string& more = "") {
    sandbox.Write("ws/.revctl.yaml", "version: 1\nlists: [{path: " + std::string(kList) +
                                         ", numbers: at-landing" + more + "}]\n");
    sandbox.Write(std::string("ws/") + kList, Listed({}));
  }
  static std::string Listed(const Entries& more) {
    Entries all = {{"SR_INITIAL", 1}, {"SR_FOULS", 2}};
    all.insert(all.end(), more.begin(), more.end());
    return List(all, kBlock);
  }
  static std::string FileOf(const std::string& name) {
    return "ws/src/master_version_list.pending/" + name + ".yaml";
  }
  void Pending(const std::string& name, const std::string& text = "message: new\n") const {
    sandbox.Write(FileOf(name), text);
  }
  std::string ListNow() const { return sandbox.Read(std::string("ws/") + kList); }
  std::string Include() const { return sandbox.Read("ws/src/master_version_list.pending.inc"); }
};

}  // namespace

TEST_CASE("fold in a folder: pending files become entries", "[fold][without_git]") {
  const AtLanding depot;
  depot.Pending("SR_BOSS", "message: the boss has phases\nafter: [SR_CAVE]\n");
  depot.Pending("SR_CAVE", "{}\n");
  const auto folded = depot.Revctl({"fold", "--in", "."});
  INFO(folded.err);
  CHECK(folded.status == 0);
  CHECK(folded.out == "SR_CAVE = 3\nSR_BOSS = 4\n");
  CHECK(Has(folded.err, "OK: folded 2 revisions on "));
  CHECK(
      Has(depot.ListNow(), "    SR_CAVE = 3,\n    SR_BOSS = 4, // the boss has phases\n" + kBlock));
  CHECK_FALSE(depot.sandbox.Exists(AtLanding::FileOf("SR_BOSS")));
  CHECK_FALSE(depot.sandbox.Exists(AtLanding::FileOf("SR_CAVE")));
  CHECK_FALSE(Has(depot.Include(), "SR_BOSS"));
  // A second fold has nothing to do, whether it runs in this folder or below it.
  const auto again = depot.Revctl({"fold", "--in", "src"});
  CHECK(again.status == 0);
  CHECK(Has(again.err, "OK: nothing to fold on "));
  const auto json = nlohmann::json::parse(depot.Revctl({"fold", "--in", ".", "--json"}).out);
  CHECK(json.at("commit").is_null());
  CHECK(json.at("folded").empty());
}

TEST_CASE("fold in a folder: a killed fold can be repeated", "[fold][without_git]") {
  const AtLanding depot;
  depot.Pending("SR_BOSS");
  depot.Pending("SR_CAVE");
  REQUIRE(depot.Revctl({"fold", "--in", "."}).status == 0);
  const std::string list = depot.ListNow();
  // Simulate a kill after the list was written and before the pending files were deleted.
  depot.Pending("SR_BOSS");
  depot.Pending("SR_CAVE");
  const auto again = depot.Revctl({"fold", "--in", "."});
  INFO(again.err);
  CHECK(again.status == 0);
  CHECK(depot.ListNow() == list);
  CHECK_FALSE(depot.sandbox.Exists(AtLanding::FileOf("SR_BOSS")));
  CHECK_FALSE(depot.sandbox.Exists(AtLanding::FileOf("SR_CAVE")));
  CHECK(Has(again.err, "removed 2 files that had reappeared"));
}

TEST_CASE("fold in a folder: revisions with a bad file or no golden stay pending",
          "[fold][without_git]") {
  const AtLanding depot(", golden: golden");
  depot.sandbox.Write("ws/golden/SR_GOOD.yaml", "version: 1\n");
  depot.sandbox.Write("ws/golden/SR_TYPO.yaml", "version: 1\n");
  depot.Pending("SR_GOOD");
  depot.Pending("SR_BARE");
  depot.Pending("SR_TYPO", "mesage: x\n");
  const auto folded = depot.Revctl({"fold", "--in", "."});
  INFO(folded.err);
  CHECK(folded.status == 1);
  CHECK(folded.out == "SR_GOOD = 3\n");
  CHECK(Has(folded.err, "SR_BARE.yaml: it has no golden (golden/SR_BARE.yaml)"));
  CHECK(Has(folded.err, "SR_TYPO.yaml"));
  CHECK_FALSE(Has(folded.err, "git "));
  CHECK(Has(folded.err, "FAILED: 2 pending files cannot be folded (see above); folded 1 revision"));
  CHECK(depot.sandbox.Exists(AtLanding::FileOf("SR_BARE")));
}

TEST_CASE("fold in a folder: no fix mentions git", "[fold][without_git]") {
  const AtLanding depot;
  depot.Pending("SR_FOULS", "message: another\n");  // the name is taken
  depot.Pending("SR_fouls");                        // the name differs only in case
  depot.Pending("SR_TYPO", "mesage: x\n");
  depot.Pending("SR_BROKEN", "message: [\n");
  depot.Pending("SR_LOST", "after: [SR_NONE]\n");
  depot.Pending("not a name");
  depot.sandbox.Write(AtLanding::FileOf("SR_DIR") + "/file", "x\n");
  const auto folded = depot.Revctl({"fold", "--in", "."});
  INFO(folded.out << folded.err);
  CHECK(folded.status == 1);
  CHECK(Has(folded.err, "revctl: RV029: "));
  CHECK(Has(folded.err,
            "or delete src/master_version_list.pending/SR_FOULS.yaml, if it is the same"));
  CHECK_FALSE(Has(folded.err, "git "));
  const std::string json = depot.Revctl({"fold", "--in", ".", "--json"}).out;
  CHECK_FALSE(Has(json, "git "));
}

TEST_CASE("fold in a folder: a handwritten number far above the others needs confirmation",
          "[fold][without_git]") {
  const AtLanding depot;
  depot.sandbox.Write(std::string("ws/") + Depot::kList,
                      AtLanding::Listed({{"SR_BOSS", 300000000}}));
  depot.Pending("SR_CAVE");
  const auto folded = depot.Revctl({"fold", "--in", "."});
  INFO(folded.out << folded.err);
  CHECK(folded.status == 1);
  CHECK(folded.out.empty());
  CHECK(Has(folded.err,
            "its number would continue from SR_BOSS = 300000000 (src/master_version_list.h:5), far "
            "beyond SR_FOULS = 2. Correct that number; if it is intended, add `floor: 300000000`"));
  CHECK(depot.sandbox.Exists(AtLanding::FileOf("SR_CAVE")));
  // Setting `floor` confirms the number.
  depot.sandbox.Write("ws/.revctl.yaml", "version: 1\nlists: [{path: " + std::string(Depot::kList) +
                                             ", numbers: at-landing, floor: 300000000}]\n");
  const auto confirmed = depot.Revctl({"fold", "--in", "."});
  INFO(confirmed.out << confirmed.err);
  CHECK(confirmed.status == 0);
  CHECK(confirmed.out == "SR_CAVE = 300000001\n");
}

TEST_CASE("sync in a folder: the include file, and files that reappeared", "[sync][without_git]") {
  const AtLanding depot;
  depot.Pending("SR_BOSS");
  const auto synced = depot.Revctl({"sync", "--in", "."});
  INFO(synced.err);
  CHECK(synced.status == 0);
  CHECK(Has(depot.Include(), "SR_BOSS = SR_FOULS + 1,"));
  REQUIRE(depot.Revctl({"fold", "--in", "."}).status == 0);
  depot.Pending("SR_BOSS");
  const auto back = depot.Revctl({"sync", "--in", "."});
  CHECK(back.status == 0);
  CHECK(Has(back.out, "SR_BOSS.yaml: removed, because SR_BOSS is already in the list"));
  // If the lines that include pending revisions are missing, the fix shows them.
  depot.sandbox.Write(std::string("ws/") + Depot::kList, Depot::List({{"SR_INITIAL", 1}}));
  const auto bare = depot.Revctl({"sync", "--in", "."});
  CHECK(bare.status == 1);
  CHECK(Has(bare.err, "fix: add these lines after the last revision:\n" + kBlock.substr(0, 40)));
}

TEST_CASE("fold and sync outside git name the commands that work there",
          "[fold][sync][without_git]") {
  const AtLanding depot;
  for (const char* const command : {"fold", "sync"}) {
    const auto said = depot.Revctl({command});
    INFO(said.err);
    CHECK(said.status == 3);
    CHECK(Has(said.err, std::string(command) + " --in"));
    CHECK(Has(depot.Revctl({command, "--in", "/"}).err,
              "no .revctl.yaml in this folder or above it"));
  }
  CHECK(
      Has(depot.Revctl({"fold", "--in", ".", "--push"}).err, "--in and --push cannot be combined"));
  CHECK(Has(depot.Revctl({"sync", "--in", ".", "--include"}).err,
            "--in and --include cannot be combined"));
  const Depot at_reserve;
  const auto other = at_reserve.Revctl({"fold", "--in", "."});
  CHECK(other.status == 2);
  CHECK(Has(other.err, "fix: numbers: at-landing"));
}
