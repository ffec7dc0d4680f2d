// Tests the settings that `init` writes, prints and recommends.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/scenarios/team.h"

using namespace revctl;
using namespace revctl::testing;
using nlohmann::json;

namespace {

struct Repository {
  Sandbox sandbox;
  Repository() { sandbox.NewRepository("r", "ann"); }
  base::ProcessResult Revctl(const std::vector<std::string>& arguments) const {
    return sandbox.Revctl("r", arguments);
  }
  /// Runs `init` with `arguments`, and returns the config without comments.
  std::string Config(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "init");
    const auto run = Revctl(arguments);
    INFO(run.out << run.err);
    REQUIRE(run.status == 0);
    std::istringstream in(sandbox.Read("r/.revctl.yaml"));
    std::string out;
    for (std::string line; std::getline(in, line);) {
      line = line.substr(0, line.find(" #"));
      while (!line.empty() && line.back() == ' ') line.pop_back();
      if (line.starts_with("ledger_id: ")) line = "ledger_id: ID";
      if (!line.starts_with("#")) out += line + "\n";
    }
    return out;
  }
};

/// Returns `text` with one space before each comment.
std::string OneBlank(std::string text) {
  for (std::size_t at = text.find("  #"); at != text.npos; at = text.find("  #")) text.erase(at, 1);
  return text;
}

}  // namespace

TEST_CASE("init: writes only settings that differ from the defaults", "[init]") {
  const Repository r;
  SECTION("a new list") {
    CHECK(r.Config({"--new"}) ==
          "version: 1\nlists:\n  - path: src/master_version_list.h\nledger_id: ID\n");
    CHECK(Has(r.sandbox.Read("r/src/master_version_list.h"),
              "\n    SR_INITIAL = 1,  // the first\n"));
    CHECK(r.Revctl({"reserve", "SR_BOSS", "-m", "phases"}).status == 0);
    CHECK(Has(r.sandbox.Read("r/src/master_version_list.h"), "\n    SR_BOSS = 2,  // phases\n"));
  }
  SECTION("a new list for sources that use the library") {
    r.sandbox.Write("r/src/score.h", "SERIALIZE_TYPE(Score) {\n} SERIALIZE_END\n");
    CHECK(r.Config({"--new"}) ==
          "version: 1\nlists:\n  - path: src/master_version_list.h\n    golden: golden\n"
          "ledger_id: ID\n");
  }
  SECTION("a page about the library does not count as use") {
    r.sandbox.Write("r/notes.md", "SERIALIZE_TYPE(Score)\n");
    CHECK_FALSE(Has(r.Config({"--new"}), "golden"));
  }
  SECTION("a harness") {
    r.sandbox.Write("r/CMakeLists.txt", "revctl_add_harness(h LIST src/list.h GOLDEN golden)\n");
    CHECK(Has(r.Config({"--new"}), "    golden: golden\n"));
  }
  SECTION("existing goldens") {
    r.sandbox.Write("r/data/old/SR_INITIAL.yaml",
                    "version: 1\nrevision: SR_INITIAL\nnumber: 1\nlineage: \"0123456789abcdef\"\n");
    r.sandbox.CommitAll("r", "goldens");
    CHECK(Has(r.Config({"--new"}), "    golden: data/old\n"));
  }
  SECTION("an adopted list") {
    r.sandbox.Write("r/lib/save.h",
                    "enum class Save {\n  V_FIRST = 1,\n  V_SECOND,\n  V_COUNT\n};\n");
    CHECK(r.Config({"lib/save.h", "--prefix", "V_", "--target", "trunk", "--yes"}) ==
          "version: 1\nlists:\n  - path: lib/save.h\n    prefix: V_\n"
          "    sentinel: V_COUNT\n    oldest: V_FIRST\ntarget: trunk\nledger_id: ID\n");
  }
  SECTION("numbers at landing") {
    CHECK(r.Config({"--new", "--numbers", "at-landing"}) ==
          "version: 1\nlists:\n  - path: src/master_version_list.h\n    numbers: at-landing\n");
  }
}

TEST_CASE("init: --show-config prints every setting and where it comes from", "[init]") {
  const Repository r;
  // `--show-config` works before there is a .revctl.yaml.
  r.sandbox.Write("r/lib/save.h", "enum class Save {\n  SR_A = 1,\n  SR_B,\n  SR_COUNT\n};\n");
  const std::string before = r.sandbox.Snapshot("r");
  const auto planned = r.Revctl({"init", "lib/save.h", "--target", "trunk", "--show-config"});
  INFO(planned.out << planned.err);
  REQUIRE(planned.status == 0);
  for (const char* line : {"  - path: lib/save.h # given\n", "    golden: \"\" # default\n",
                           "    sentinel: SR_COUNT # guessed\n", "target: trunk # given\n",
                           "remote: origin # default\n", "  verify: \"\" # default\n"})
    CHECK(Has(OneBlank(planned.out), line));
  CHECK(r.sandbox.Snapshot("r") == before);
  // `--show-config` also works for an existing file, from any subfolder.
  r.sandbox.Write("r/.revctl.yaml",
                  "version: 1\nlists:\n  - path: lib/save.h\n\n    golden: golden\n"
                  "  - {path: lib/net.h, name: net, prefix: NET_}\n"
                  "land: {by: rebase}\nallow:\n  - {rule: RV006, reason: old}\n");
  r.sandbox.Git("r", {"config", "revctl.remote", "upstream"});
  const auto shown = r.sandbox.Revctl("r/lib", {"init", "--show-config"});
  INFO(shown.out << shown.err);
  REQUIRE(shown.status == 0);
  for (const char* line :
       {"version: 1 # .revctl.yaml:1\n", "  - path: lib/save.h # .revctl.yaml:3\n",
        "    golden: golden # .revctl.yaml:5\n", "    name: main # default\n",
        "  - path: lib/net.h # .revctl.yaml:6\n", "    name: net # .revctl.yaml:6\n",
        "remote: upstream # git config revctl.remote\n", "  by: rebase # .revctl.yaml:7\n",
        "  push: target # default\n", "  - rule: RV006 # .revctl.yaml:9\n"})
    CHECK(Has(OneBlank(shown.out), line));
  const auto values = json::parse(r.Revctl({"init", "--show-config", "--json"}).out).at("values");
  CHECK(std::find(values.begin(), values.end(),
                  json({{"key", "lists.0.golden"},
                        {"value", "golden"},
                        {"source", "file"},
                        {"line", 5}})) != values.end());
  CHECK(std::find(values.begin(), values.end(),
                  json({{"key", "target"}, {"value", "main"}, {"source", "default"}})) !=
        values.end());
}

TEST_CASE("init: recommends numbers at landing for hosts with merge buttons", "[init]") {
  const Repository r;
  const std::string host = GENERATE("github.com", "studio.example");
  r.sandbox.Git("r", {"remote", "add", "origin", "https://" + host + "/studio/game.git"});
  const std::string advice =
      "recommended: revctl init --numbers at-landing, because " + host + " merges pull requests";
  const bool recommended = host == "github.com";
  const auto plan = r.Revctl({"init", "--new", "--dry-run", "--target", "main"});
  INFO(plan.out << plan.err);
  CHECK(plan.status == 0);
  CHECK(Has(plan.out, advice) == recommended);
  // `init` neither selects numbers at landing silently nor recommends it to users who have already
  // chosen.
  const auto done = r.Revctl({"init", "--new", "--offline", "--target", "main"});
  INFO(done.out << done.err);
  CHECK(done.status == 0);
  CHECK(Has(done.out, advice) == recommended);
  CHECK_FALSE(Has(r.sandbox.Read("r/.revctl.yaml"), "numbers"));
  std::filesystem::remove(r.sandbox.Path("r/.revctl.yaml"));
  std::filesystem::remove(r.sandbox.Path("r/src/master_version_list.h"));
  const auto chosen =
      r.Revctl({"init", "--new", "--dry-run", "--target", "main", "--numbers", "at-reserve"});
  CHECK(chosen.status == 0);
  CHECK_FALSE(Has(chosen.out, "recommended"));
}

TEST_CASE("check and doctor print a note about a list without a golden folder", "[init]") {
  const Repository r;
  r.Config({"--new"});
  r.sandbox.CommitAll("r", "first");
  const std::string note =
      "list main has no golden folder, so no check detects save-format changes";
  const auto checked = r.Revctl({"check", "--target", "HEAD"});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
  CHECK(Has(checked.err, "revctl: note: " + note));
  const auto doctor = r.Revctl({"doctor"});
  INFO(doctor.out << doctor.err);
  CHECK(Has(doctor.out, "note     goldens: " + note));
  std::string text = r.sandbox.Read("r/.revctl.yaml");
  r.sandbox.Write("r/.revctl.yaml",
                  text.replace(text.find("  - path"), 8, "  - golden: golden\n    path"));
  CHECK_FALSE(Has(r.Revctl({"check", "--target", "HEAD"}).err, "golden folder"));
  const std::string without = r.Revctl({"doctor"}).out;
  CHECK_FALSE(Has(without, "golden folder"));
  CHECK(Has(without, "note     land: revctl land does not run the save tests"));
  r.sandbox.Write("r/.revctl.yaml", text + "land: {verify: build/save_harness check}\n");
  CHECK_FALSE(Has(r.Revctl({"doctor"}).out, "save tests"));
  r.sandbox.Write("r/.revctl.yaml", text + "land: {push: branch}\n");
  CHECK_FALSE(Has(r.Revctl({"doctor"}).out, "save tests"));
}
