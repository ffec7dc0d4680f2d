// Tests machine-readable findings, sweeps that are split into shards by measured cost, seeds, and
// output folders.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

}  // namespace

TEST_CASE("check: findings in the formats of CI hosts and tools", "[harness][commands][formats]") {
  const Folder folder;
  REQUIRE(Run(folder, kThree + " record --golden golden").exit == 0);
  const auto as = [&](const std::string& format) {
    const Ran ran = Run(folder, kFour + " check --golden golden --format " + format);
    INFO(format << "\n" << ran.out << ran.err);
    CHECK(ran.exit == 1);
    return ran.out;
  };
  CHECK_THAT(as("github"), Catch::Contains("::error ") && Catch::Contains("GH007") &&
                               Catch::Contains("SR_NO_FOULS: no goldens are recorded"));
  const json gitlab = json::parse(as("gitlab"));
  REQUIRE(gitlab.is_array());
  CHECK(std::any_of(gitlab.begin(), gitlab.end(),
                    [](const json& issue) { return issue.at("check_name") == "GH007"; }));
  for (const json& issue : gitlab) {
    CHECK_FALSE(issue.at("fingerprint").get<std::string>().empty());
    CHECK(issue.at("location").contains("path"));
  }
  const json sarif = json::parse(as("sarif"));
  CHECK(sarif.at("version") == "2.1.0");
  const json& results = sarif.at("runs").at(0).at("results");
  CHECK(std::any_of(results.begin(), results.end(), [](const json& result) {
    return result.at("ruleId") == "GH007" && result.at("level") == "error";
  }));
  CHECK_THAT(as("junit"), Catch::StartsWith("<?xml") && Catch::Contains("<testsuite") &&
                              Catch::Contains("<failure") && Catch::Contains("GH007"));
  CHECK_THAT(as("markdown"), Catch::StartsWith("### `") && Catch::Contains("`: failed\n") &&
                                 Catch::Contains("\n**error GH007**"));
  CHECK(Run(folder, kFour + " check --golden golden --format xml").exit == 2);
}

TEST_CASE("sweep: shards by measured cost, merged into one report", "[harness][commands][shards]") {
  const Folder folder;
  REQUIRE(Run(folder, kMore + " record --golden golden").exit == 0);
  const auto sweep = [&](const std::string& words) {
    return Run(folder, kMore + " sweep --fuzz 0 --golden golden " + words);
  };
  REQUIRE(sweep("--report whole").exit == 0);
  REQUIRE(sweep("--shard 1/2 --costs whole/report.json --report one").exit == 0);
  REQUIRE(sweep("--shard 2/2 --costs whole/report.json --report two").exit == 0);
  const Ran joined = Run(folder, kMore + " merge-reports one two --output both");
  INFO(joined.err);
  CHECK(joined.exit == 0);
  CHECK_THAT(joined.err, Catch::Contains("OK: 2 shards, see "));
  CHECK_THAT(Bytes(folder.path() + "/both/index.html"),
             Catch::Contains("Score") && Catch::Contains("Level"));
  // merge-reports fails and writes nothing if a shard is missing or duplicated.
  CHECK(Run(folder, kMore + " merge-reports one --output half").exit == 1);
  CHECK(Run(folder, kMore + " merge-reports one one --output half").exit == 1);
  CHECK(Run(folder, kMore + " merge-reports one nowhere --output half").exit == 1);
  CHECK_FALSE(fs::exists(folder.path() + "/half"));
  const Ran none = sweep("--shard 1/2 --costs nowhere.json");
  CHECK(none.exit == 2);
  CHECK_THAT(none.err, Catch::Contains("no such report"));
  std::ofstream(folder.path() + "/garbage.json") << "{";
  CHECK_THAT(sweep("--shard 1/2 --costs garbage.json").err, Catch::Contains("omit --costs"));
  // A path that the system cannot open must cause an ordinary error, in which control characters
  // are escaped.
  fs::create_symlink("loop", folder.path() + "/loop");
  for (const std::string& path : {std::string("loop"), std::string(300, 'x')}) {
    const Ran refused = Run(folder, kMore + " merge-reports one " + path + " --output half");
    INFO(refused.err);
    CHECK(refused.exit == 3);
    CHECK_THAT(refused.err, Catch::StartsWith("error: " + path + ": cannot be opened"));
  }
  const Ran steering =
      Run(folder, kMore + " merge-reports \"$(printf '\\033[31m')\" --output half");
  CHECK_THAT(steering.err, Catch::StartsWith("error: \\x1b[31m: no such report"));
  // A failed sweep must not leave an earlier sweep's report in place.
  CHECK(sweep("--shard 1/2 --report one --output nowhere/at/all.json").exit != 0);
  CHECK(Run(folder, kMore + " merge-reports one two --output half").exit == 1);
}

TEST_CASE("--seed accepts only non-negative whole numbers", "[harness][commands]") {
  const Folder folder;
  for (const std::string command : {"check", "test"}) {
    for (const std::string seed : {"-1", "x", "1.5", "18446744073709551616"}) {
      const Ran ran = Run(folder, kFour + " " + command + " --golden golden --seed " + seed);
      INFO(command << " " << seed << "\n" << ran.err << ran.out);
      CHECK(ran.exit == 2);
      CHECK_THAT(ran.err + ran.out,
                 Catch::Contains(seed + " is not a seed; expected a whole number from 0 to "
                                        "18446744073709551615"));
    }
  }
  CHECK(Run(folder, kFour + " record --golden golden --seed 18446744073709551615").exit == 0);
}

TEST_CASE("review: pending changes are safe from other users", "[harness][commands][approve]") {
  const Folder folder;
  REQUIRE(Run(folder, kThree + " record --golden golden").exit == 0);
  REQUIRE(Run(folder, kFour + " record --golden golden").exit == 0);
  const std::string own = folder.path() + "/tmp/revctl-pending-" + std::to_string(::geteuid());
  fs::create_directory(folder.path() + "/tmp");
  const auto review = [&] {
    return Run(folder, "TMPDIR=\"$PWD/tmp\" " + kRenamed + " review --list --golden golden");
  };
  CHECK(review().exit == 1);
  struct stat status {};
  REQUIRE(::lstat(own.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  CHECK_FALSE(fs::is_empty(own));
  // The folder for pending changes must not be a symbolic link or accessible to other users.
  fs::permissions(own, fs::perms(0777));
  CHECK(review().exit == 3);
  CHECK_THAT(review().err,
             Catch::Contains("is accessible to other users") && Catch::Contains("TMPDIR"));
  fs::remove_all(own);
  fs::create_directory(folder.path() + "/theirs");
  fs::create_directory_symlink(folder.path() + "/theirs", own);
  CHECK(review().exit == 3);
  CHECK_THAT(review().err, Catch::Contains("is not a folder"));
  CHECK(fs::is_empty(folder.path() + "/theirs"));
}

}  // namespace revctl::harness::test
