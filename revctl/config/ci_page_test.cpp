// The YAML of docs/ci.md is YAML, and wires what the page says: people copy it.
#include <yaml-cpp/yaml.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <vector>

namespace {

/// What stands between ```yaml and ```, one after the other.
std::vector<YAML::Node> Blocks() {
  std::ifstream page(REVCTL_CI_PAGE);
  REQUIRE(page);
  std::vector<YAML::Node> out;
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```yaml") {
      inside = true;
      block.clear();
    } else if (inside && line == "```") {
      inside = false;
      out.push_back(YAML::Load(block));
    } else if (inside) {
      block += line + "\n";
    }
  }
  CHECK_FALSE(inside);
  return out;
}

std::vector<std::string> Commands(const YAML::Node& job, const char* steps) {
  std::vector<std::string> out;
  for (const auto& step : job[steps]) {
    if (step.IsScalar()) out.push_back(step.as<std::string>());
    else if (step["run"]) out.push_back(step["run"].as<std::string>());
  }
  return out;
}

bool Holds(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

TEST_CASE("docs/ci.md: GitHub, GitLab and the night are wired as the page says", "[config][docs]") {
  const auto blocks = Blocks();
  REQUIRE(blocks.size() == 3);
  const YAML::Node& github = blocks[0];
  for (const char* event : {"pull_request", "merge_group", "push"})
    CHECK(github["on"][event].IsDefined());
  CHECK(github["on"]["push"]["branches"][0].as<std::string>() == "main");
  CHECK(github["permissions"]["contents"].as<std::string>() == "read");
  CHECK(github["permissions"].size() == 1);
  const YAML::Node job = github["jobs"]["revisions"];
  CHECK(job["steps"][0]["uses"].as<std::string>() == "actions/checkout@v4");
  CHECK(job["steps"][0]["with"]["fetch-depth"].as<int>() == 0);
  CHECK(Holds(Commands(job, "steps"), "revctl check --format github"));

  const YAML::Node gitlab = blocks[1]["revisions"];
  CHECK(gitlab["variables"]["GIT_DEPTH"].as<std::string>() == "0");
  CHECK(gitlab["rules"][0]["if"].as<std::string>() ==
        "$CI_PIPELINE_SOURCE == \"merge_request_event\"");
  CHECK(gitlab["rules"].size() == 2);
  const std::string report = gitlab["artifacts"]["reports"]["codequality"].as<std::string>();
  CHECK(gitlab["artifacts"]["when"].as<std::string>() == "always");
  CHECK(Holds(Commands(gitlab, "script"), "revctl check --format gitlab > " + report));

  const YAML::Node night = blocks[2]["jobs"]["sweep"];
  CHECK(blocks[2]["on"]["schedule"][0]["cron"].IsScalar());
  CHECK(
      Holds(Commands(night, "steps"), "build/release/save_harness sweep --fuzz 600 --report out"));
}
