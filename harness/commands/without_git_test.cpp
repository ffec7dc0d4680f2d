// Tests the harness without git in PATH and outside a repository, as in projects that use Perforce,
// Plastic or SVN.
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

/// Runs a command of the harness without git.
Ran Without(const Folder& folder, const std::string& words) {
  return Run(folder, "PATH=/nowhere " + words);
}

void Write(const Folder& folder, const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(folder.path()) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("without git: record, check and sweep", "[harness][commands][without_git]") {
  const Folder folder;
  const Ran recorded = Without(folder, kThree + " record --golden golden");
  INFO(recorded.out << recorded.err);
  CHECK(recorded.exit == 0);
  CHECK_THAT(recorded.out, Catch::StartsWith("OK: recorded SR_PLAYERS: "));
  CHECK(recorded.err.empty());
  // `record` must not write files for git.
  CHECK(Listing(folder) == std::vector<std::string>{"SR_PLAYERS.golden", "SR_PLAYERS.yaml"});
  CHECK(Without(folder, kFour + " record --golden golden").exit == 0);
  const Ran fine = Without(folder, kFour + " check --golden golden");
  CHECK(fine.exit == 0);
  CHECK_THAT(fine.out,
             Catch::EndsWith("OK: 2 warnings, 1 note (1 type, 4 revisions, 36 goldens)\n"));
  CHECK(fine.err.empty());
  const Ran swept = Without(folder, kFour + " sweep --golden golden --fuzz 0.1 --report page");
  INFO(swept.out << swept.err);
  CHECK(swept.exit == 0);
  CHECK_THAT(swept.out,
             Catch::Contains("OK: 2 warnings, 1 note (1 type, 4 revisions, 36 goldens, ") &&
                 Catch::EndsWith(" refused, see page/index.html)\n"));
  // A revision can be recorded again by name.
  CHECK(Without(folder, kFour + " record --golden golden --refresh SR_NO_FOULS").exit == 0);
  const Ran pending = Without(folder, kFour + " record --golden golden --refresh-pending");
  CHECK(pending.exit == 3);
  CHECK_THAT(pending.err, Catch::Contains("the landed revisions are unknown") &&
                              Catch::Contains("record --refresh NAME"));
  const Ran history = Without(folder, kFour + " record-history --golden golden --build true");
  INFO(history.err);
  CHECK(history.exit != 0);
  CHECK_THAT(history.err, Catch::Contains("error: "));
}

TEST_CASE("without git: findings suggest no git commands", "[harness][commands][without_git]") {
  const Folder folder;
  REQUIRE(Without(folder, kThree + " record --golden golden").exit == 0);
  REQUIRE(Without(folder, kFour + " record --golden golden").exit == 0);
  const std::string golden = folder.path() + "/golden/";
  const auto breaks = [&](const std::string& file, const std::string& text,
                          const std::string& fix) {
    const std::string before = Bytes(golden + file);
    if (text.empty()) std::filesystem::remove(golden + file);
    else std::ofstream(golden + file, std::ios::binary) << text;
    const Ran check = Without(folder, kFour + " check --golden golden");
    INFO(file << "\n" << check.out << check.err);
    CHECK(check.exit == 1);
    CHECK_THAT(check.out,
               Catch::Contains("error[GH009]") && Catch::Contains(fix) && !Catch::Contains("git "));
    std::ofstream(golden + file, std::ios::binary) << before;
  };
  breaks("SR_PLAYERS.golden", "", "fix: restore golden/SR_PLAYERS.* from version control");
  breaks("SR_PLAYERS.yaml", "version: 1\n- : [", "fix: restore golden/SR_PLAYERS.* from version ");
  breaks("SR_PLAYERS.yaml", "", "fix: restore golden/SR_PLAYERS.* from version control");
  CHECK(Without(folder, kFour + " check --golden golden").exit == 0);
}

TEST_CASE("without git: pending files show what has landed", "[harness][commands][without_git]") {
  const Folder folder;
  Write(folder, ".revctl.yaml",
        "version: 1\nlists: [{path: src/master_version_list.h, golden: golden, numbers: "
        "at-landing}]\n");
  Write(folder, "src/master_version_list.h", "enum Revision {\n    SR_INITIAL = 1,\n};\n");
  const std::string party = Adopter("party") + " ";
  REQUIRE(Without(folder, party + "record --golden golden").exit == 0);
  Write(folder, "src/master_version_list.pending/SR_LUCK.yaml", "{}\n");
  Write(folder, "src/master_version_list.pending.inc", "    SR_LUCK = 2,\n");
  REQUIRE(Without(folder, party + "record --golden golden").exit == 0);
  // The pending file shows that SR_LUCK has not landed, so only SR_LUCK may be recorded again.
  const Ran refreshed = Without(folder, party + "record --golden golden --refresh-pending");
  INFO(refreshed.out << refreshed.err);
  CHECK(refreshed.exit == 0);
  CHECK_THAT(refreshed.out, Catch::Contains("SR_LUCK: goldens are up to date"));
  const Ran landed = Without(folder, party + "record --golden golden --refresh SR_INITIAL");
  INFO(landed.err);
  CHECK(landed.exit == 1);
  CHECK_THAT(landed.err, Catch::Contains("SR_INITIAL has landed"));
  CHECK(Without(folder, party + "check --golden golden").exit == 0);
}

}  // namespace revctl::harness::test
