// Landed goldens are frozen, but pending goldens may be recorded again. Every suggested fix must
// respect that.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_ANN = 2, SR_BOB = 3 };
}  // namespace

namespace initial {
struct Place {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Place) { ADD(SR_INITIAL, hp); }
SERIALIZE_END
}  // namespace initial
namespace anns {
struct Place {
  std::int32_t hp = 0, an = 1;
};
SERIALIZE_TYPE(Place) {
  ADD(SR_INITIAL, hp);
  ADD(SR_ANN, an);
}
SERIALIZE_END
}  // namespace anns
namespace bobs {
enum Rev { SR_BOB = 2 };
struct Place {
  std::int32_t hp = 0;
  std::int16_t bo = 2;
};
SERIALIZE_TYPE(Place) {
  ADD(SR_INITIAL, hp);
  ADD(SR_BOB, bo);
}
SERIALIZE_END
}  // namespace bobs
namespace merged {
struct Place {
  std::int32_t hp = 0, an = 1;
  std::int16_t bo = 2;
};
SERIALIZE_TYPE(Place) {
  ADD(SR_INITIAL, hp);
  ADD(SR_ANN, an);
  ADD(SR_BOB, bo);
}
SERIALIZE_END
}  // namespace merged
namespace retyped {
struct Place {
  std::int32_t hp = 0;
  std::int64_t an = 1;
};
SERIALIZE_TYPE(Place) {
  ADD(SR_INITIAL, hp);
  ADD(SR_ANN, an);
}
SERIALIZE_END
}  // namespace retyped

NAMED(initial::Place, "Place");
NAMED(anns::Place, "Place");
NAMED(bobs::Place, "Place");
NAMED(merged::Place, "Place");
NAMED(retyped::Place, "Place");

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;

const std::string kSlot = Adopter("template");

/// Turns the folder into a clone of a new server and pushes its content to the server.
void Push(const Folder& folder, const std::string& branch) {
  const Ran pushed = Run(
      folder, kGit + "init -q . && " + kGit +
                  "init -q --bare .git/server && git remote add origin .git/server && " +
                  "git add -A && " + kGit + "commit -qm all && git push -q origin HEAD:" + branch);
  INFO(pushed.err);
  REQUIRE(pushed.exit == 0);
}

Program With(std::vector<revctl::ListEntry> entries) {
  Program program(1);
  program.entries.insert(program.entries.end(), entries.begin(), entries.end());
  return program;
}

const revctl::ListEntry kAnn{"SR_ANN", 2, 0x22};

/// Makes a store with the initial goldens, ann's goldens (landed if `landed` is true), and bob's
/// goldens, which were recorded without ann's revision.
void TwoBranches(const Folder& folder, bool landed) {
  const Folder bob;
  With({}).Type<initial::Place>().Record(folder);
  fs::copy(folder.path(), bob.path(), fs::copy_options::recursive);
  With({kAnn}).Type<anns::Place>().Record(folder);
  if (landed) Push(folder, "main");
  With({{"SR_BOB", 2, 0x33}}).Type<bobs::Place>().Record(bob);
  for (const char* file : {"/SR_BOB.yaml", "/SR_BOB.golden"})
    fs::copy(bob.path() + file, folder.path() + file);
}

}  // namespace

TEST_CASE("record --refresh: rejects landed, rewrites pending revisions",
          "[harness][commands][landed]") {
  const Folder folder;
  REQUIRE(Run(folder, kThree + " record --golden golden").exit == 0);
  std::string branch = "origin/main";
  std::string command = kFour + " record --golden golden --refresh SR_PLAYERS";
  SECTION("the usual branch") {}
  SECTION("in a hook with GIT_DIR of another repository") {
    command = "GIT_DIR=/nowhere " + command;
  }
  SECTION("the configured branch") {
    branch = "origin/team/trunk";
    std::ofstream(folder.path() + "/.revctl.yaml")
        << "version: 1\nlists:\n  - path: list.h\n    name: main\ntarget: team/trunk\nremote: "
           "origin\n";
  }
  Push(folder, branch.substr(branch.find('/') + 1));
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);  // SR_NO_FOULS is pending
  const std::string landed = Bytes(folder.path() + "/golden/SR_PLAYERS.yaml");
  const Ran refused = Run(folder, command + " --refresh SR_NO_FOULS");
  CHECK(refused.exit == 1);
  CHECK_THAT(refused.err, Catch::Contains("SR_PLAYERS has landed: its goldens are in " + branch) &&
                              Catch::Contains("fix: run revctl reserve"));
  CHECK(Bytes(folder.path() + "/golden/SR_PLAYERS.yaml") == landed);
  CHECK(Run(folder, kFour + " record --golden golden --refresh SR_NO_FOULS").exit == 0);
}

namespace {

/// Returns the copies of inherited goldens that `record` added to SR_PLAYERS because the code of
/// SR_NO_FOULS compares the revision with SR_PLAYERS.
std::string CopiesOfPlayers(const Folder& folder) {
  for (const auto& entry : fs::directory_iterator(folder.path() + "/golden")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("SR_PLAYERS+") && name.ends_with(".yaml")) return name;
  }
  return "";
}

/// Records goldens of all revisions, and copies of inherited goldens, because the code of
/// SR_NO_FOULS compares the revision with SR_PLAYERS.
std::string RecordCopies(const Folder& folder) {
  REQUIRE(Run(folder, kSlot + " record --backfill --golden golden").exit == 0);
  REQUIRE(Run(folder, "SLOT_TELLS=1 " + kSlot + " record --golden golden").exit == 0);
  const std::string copies = CopiesOfPlayers(folder);
  REQUIRE_FALSE(copies.empty());
  return copies;
}

}  // namespace

TEST_CASE("record --refresh: also rewrites inherited goldens",
          "[harness][commands][landed][upgrade]") {
  const Folder folder;
  const std::string copies = RecordCopies(folder);
  const std::size_t files = Listing(folder).size();
  const Ran changed = Run(folder, "SLOT_TELLS=2 " + kSlot + " check --golden golden");
  CHECK(changed.exit == 1);
  CHECK_THAT(changed.out, Catch::Contains("upgraded to 2, not to 5") &&
                              Catch::Contains("while SR_NO_FOULS is pending:") &&
                              Catch::Contains("record --refresh SR_NO_FOULS"));
  const Ran refresh =
      Run(folder, "SLOT_TELLS=2 " + kSlot + " record --golden golden --refresh SR_NO_FOULS");
  INFO(refresh.out + refresh.err);
  REQUIRE(refresh.exit == 0);
  CHECK_THAT(refresh.out, Catch::Contains("removed golden/" + copies));
  CHECK(CopiesOfPlayers(folder) != copies);
  CHECK(Listing(folder).size() == files);
  const Ran check = Run(folder, "SLOT_TELLS=2 " + kSlot + " check --golden golden");
  CHECK(check.exit == 0);
  CHECK_THAT(check.out, !Catch::Contains("SR_PLAYERS"));

  // A second refresh must change nothing. Code that does not compare with SR_PLAYERS needs no
  // copies.
  REQUIRE(
      Run(folder, "SLOT_TELLS=2 " + kSlot + " record --golden golden --refresh SR_NO_FOULS").exit ==
      0);
  CHECK(Listing(folder).size() == files);
  REQUIRE(Run(folder, kSlot + " record --golden golden --refresh SR_NO_FOULS").exit == 0);
  CHECK(CopiesOfPlayers(folder).empty());
  CHECK(Listing(folder).size() == files - 2);
  CHECK(Run(folder, kSlot + " check --golden golden").exit == 0);
}

TEST_CASE("record --refresh: landed copies of inherited goldens stay",
          "[harness][commands][landed][upgrade]") {
  const Folder folder;
  const std::string copies = RecordCopies(folder);
  REQUIRE(Run(folder, "mkdir aside && mv golden/SR_NO_FOULS.* aside").exit == 0);
  Push(folder, "main");
  REQUIRE(Run(folder, "mv aside/* golden").exit == 0);
  const std::string before = Bytes(folder.path() + "/golden/" + copies);
  REQUIRE(
      Run(folder, "SLOT_TELLS=2 " + kSlot + " record --golden golden --refresh SR_NO_FOULS").exit ==
      0);
  CHECK(CopiesOfPlayers(folder) == copies);
  CHECK(Bytes(folder.path() + "/golden/" + copies) == before);
  CHECK_THAT(Bytes(folder.path() + "/golden/SR_NO_FOULS.yaml"),
             Catch::Contains(fs::path(copies).stem().string() + "/five"));
  CHECK(Run(folder, "SLOT_TELLS=2 " + kSlot + " check --golden golden").exit == 0);
}

TEST_CASE("check: stale pending goldens must be recorded again", "[harness][commands][landed]") {
  const Folder folder;
  TwoBranches(folder, GENERATE(false, true));
  const Program merged = With({kAnn, {"SR_BOB", 3, 0x33}}).Type<merged::Place>();
  const std::string refresh = "save_harness record --refresh SR_BOB";
  const CheckResult result = merged.Check(folder);
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);  // only the stale goldens, not the errors that they cause
  const Finding& finding = result.findings[0];
  CHECK(findings::NameOf(finding.rule) == "GH009");
  CHECK_THAT(finding.message,
             Catch::StartsWith("the goldens of SR_BOB are stale: SR_ANN has landed since they were "
                               "recorded and changes ") &&
                 Catch::Contains("Place"));
  CHECK(finding.fix == refresh);
}

TEST_CASE("check: suggests --refresh only for a pending revision", "[harness][commands][landed]") {
  const Folder folder;
  With({}).Type<initial::Place>().Record(folder);
  With({kAnn}).Type<anns::Place>().Record(folder);
  const auto fix = [&] {
    return FixText(
        Find(With({kAnn}).Type<retyped::Place>().Check(folder), "GH001", "Place", "an").fix);
  };
  const std::string words = "\nor, while SR_ANN is pending:\nsave_harness record --refresh SR_ANN";
  CHECK_THAT(fix(), Catch::StartsWith("revctl reserve ") && Catch::EndsWith(words));
  Push(folder, "main");
  CHECK_THAT(fix(), Catch::StartsWith("revctl reserve ") && !Catch::Contains("--refresh"));
}

}  // namespace revctl::harness::test
