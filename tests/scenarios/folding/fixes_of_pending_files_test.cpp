// Numbers at landing: tests that the gate reports every mistake in a change, and that the printed
// command fixes it.
#include <catch2/catch.hpp>

#include "tests/scenarios/landing_team.h"

using namespace revctl;
using namespace revctl::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string kHeader = Team::kList;
const std::string kPlace = std::string(kFolder).substr(0, std::string(kFolder).size() - 1);

/// Returns a shell command that adds entries after the last revision.
std::string Add(const std::string& entries) {
  return "sed -i 's|^#if __has|    " + entries + "\\n&|' " + kHeader + "\n";
}

std::string PendingFile(const std::string& name, const std::string& words = "message: words") {
  return "echo '" + words + "' > " + kFolder + name + ".yaml\n";
}

/// Returns the printed fix that tells a user to remove `before` from an `after` list.
std::string RemoveFromAfter(const std::string& name, const std::string& before) {
  return "remove " + before + " from `after` in " + kFolder + name + ".yaml";
}

/// Returns a shell command that carries out the fix, which is a command or an edit of a file.
std::string ShellLineFor(const std::string& fix) {
  const std::string lead = "remove ", middle = " from `after` in ";
  const std::size_t at = fix.find(middle);
  if (!fix.starts_with(lead) || at == fix.npos) return fix.substr(0, fix.find(", and rename"));
  return "sed -i '/after:/s/" + fix.substr(lead.size(), at - lead.size()) + ",\\? *//' " +
         fix.substr(at + middle.size());
}

struct Said {
  std::string rules;  ///< rules and names of the errors: "RV030 SR_ANT RV029 SR_BOSS"
  std::string fix;    ///< the fix for the first error
  std::string text;
};

Said Judge(const LandingTeam& team, const std::vector<std::string>& how) {
  std::vector<std::string> arguments = {"check", "--json"};
  arguments.insert(arguments.end(), how.begin(), how.end());
  const auto run = team.Revctl("ann", arguments);
  Said out{"", "", run.out + run.err};
  const auto said = json::parse(run.out, nullptr, false);
  if (said.is_discarded()) return {run.err, "", run.err};
  for (const auto& finding : said.at("findings")) {
    if (finding.at("severity") != "error") continue;
    const std::string about = finding.value("revision", "");
    if (out.rules.empty()) out.fix = finding.at("fix");
    out.rules += (out.rules.empty() ? "" : " ") + finding.at("rule").get<std::string>() +
                 (about.empty() ? "" : " ") + about;
  }
  return out;
}

}  // namespace

TEST_CASE("at landing: the printed commands fix entries and pending files", "[landing][check]") {
  const LandingTeam team({"ann"});
  team.Branch("ann", "bosses", {"SR_BOSS", "SR_ANT"});
  REQUIRE(team.HostMerges("bosses").status == 0);
  team.sandbox.Git("ann", {"fetch", "-q"});
  struct Row {
    std::string script;
    std::string rules;
    std::string fix;
    bool whole = false;  ///< true if the fix restores the target's tree
    std::vector<std::string> how = {};
    std::string also = "";  ///< text that the output must also contain
  };
  const std::string adopt = "revctl fix", adds = "git add -A\n";
  const std::string to_ant = "git rm -q " + std::string(kFolder) + "SR_ANT.yaml\n",
                    to_boss = "git rm -q " + std::string(kFolder) + "SR_BOSS.yaml\n";
  const Row rows[] = {
      // Handwritten entries: a taken number, the wrong order, a wrong number, a missing
      // predecessor, a leftover pending file, a missing comment, and a new revision that also has a
      // pending file.
      {Add("SR_HAND=2,"), "RV030 SR_HAND", adopt},
      {Add("SR_ANT=3,// a: for SR_ANT\\n    SR_BOSS=4,// a: for SR_BOSS") + to_ant + to_boss,
       "RV030 SR_ANT", adopt, true},
      {Add("SR_BOSS=7,// a: for SR_BOSS") + to_boss, "RV030 SR_BOSS", adopt, true},
      {Add("SR_ANT=3,// a: for SR_ANT") + to_ant, "RV030 SR_ANT", adopt, true},
      {Add("SR_BOSS=3,// a: for SR_BOSS"), "RV030 SR_BOSS", adopt, true},
      {Add("SR_BOSS=3,") + to_boss, "RV030 SR_BOSS", adopt, true},
      {Add("SR_OWN=5,// mine") + PendingFile("SR_OWN"), "RV030 SR_OWN", adopt},
      {Add("SR_OWN=5,// mine") + PendingFile("SR_OWN") + adds,
       "RV030 SR_OWN",
       adopt,
       false,
       {"--staged"}},
      // A pending name that the list already uses for an alias, and a pending revision that depends
      // on it.
      {Add("SR_BOSS = SR_FOULS,"), "RV029 SR_ANT RV029 SR_BOSS", "git checkout ", true},
      // A cycle in `after`, and a revision that depends on it.
      {PendingFile("SR_C", "after: [SR_D]") + PendingFile("SR_D", "after: [SR_C]"),
       "RV029 SR_C RV029 SR_D", RemoveFromAfter("SR_C", "SR_D")},
      {PendingFile("SR_C", "after: [SR_D]") + PendingFile("SR_D", "after: [SR_E, SR_BOSS]") +
           PendingFile("SR_E", "after: [SR_D]") + PendingFile("SR_A", "after: [SR_C]"),
       "RV029 SR_A RV029 SR_C RV029 SR_D RV029 SR_E", RemoveFromAfter("SR_D", "SR_E")},
      {PendingFile("SR_C", "after: [SR_C]"), "RV029 SR_C", RemoveFromAfter("SR_C", "SR_C")},
      {PendingFile("SR_C", "after: [SR_NONE, SR_ANT]") + PendingFile("SR_D", "after: [SR_C]"),
       "RV029 SR_C RV029 SR_D", RemoveFromAfter("SR_C", "SR_NONE")},
      // A cycle through a landed file, which the fix must not change.
      {PendingFile("SR_BOSS", "after: [SR_C]") + PendingFile("SR_C", "after: [SR_BOSS]"),
       "RV029 SR_BOSS RV029 SR_ANT RV029 SR_BOSS RV029 SR_C",
       "git checkout ",
       false,
       {},
       "\"" + RemoveFromAfter("SR_C", "SR_BOSS") + "\""},
      {PendingFile("SR_Fouls") + adds, "RV029 SR_Fouls",
       "git mv " + kPlace + "/SR_Fouls.yaml " + kPlace + "/SR_Fouls_2.yaml, and rename"},
      {PendingFile("SR_Ant") + adds, "RV029 SR_ANT RV029 SR_Ant",
       "git mv " + kPlace + "/SR_Ant.yaml " + kPlace + "/SR_Ant_2.yaml, and rename"},
      {PendingFile("SR_FOULS") + adds, "RV029 SR_FOULS",
       "git mv " + kPlace + "/SR_FOULS.yaml " + kPlace + "/SR_FOULS_2.yaml, and rename"},
      // Changes to landed files, and files that must not be in git.
      {to_ant, "RV029 SR_ANT", "revctl fix", true},
      {PendingFile("SR_ANT"), "RV029 SR_ANT", "git checkout ", true},
      {"revctl sync\ngit add -f " + std::string(kInclude), "RV029",
       "git rm -f --cached " + std::string(kInclude) + " && revctl fix", true},
      // A pending folder that was replaced by something else, or that is in the wrong place.
      {"rm -rf " + kPlace + "\nln -s .. " + kPlace, "RV029",
       "rm -f " + kPlace + " && git checkout -- " + kPlace, true},
      {"rm -rf " + kPlace + "\nln -s .. " + kPlace + "\n" + adds,
       "RV029",
       "git rm -f " + kPlace,
       false,
       {"--staged"}},
      {"mkdir src/old.pending\necho > src/old.pending/SR_X.yaml\n" + adds,
       "RV029 SR_X",
       "git mv src/old.pending/SR_X.yaml " + kPlace + "/SR_X.yaml",
       false,
       {"--staged"}}};
  const std::string path =
      "PATH='" + std::filesystem::path(ProgramPath()).parent_path().string() + "':$PATH\n";
  for (const Row& row : rows) {
    INFO(row.script);
    team.sandbox.Git("ann", {"checkout", "-q", "-f", "-B", "bad", "origin/main"});
    team.sandbox.Git("ann", {"clean", "-fdq"});
    REQUIRE(team.sandbox.Run("ann", {"sh", "-ec", path + row.script}).status == 0);
    const Said bad = Judge(team, row.how);
    INFO(bad.text);
    CHECK(bad.rules == row.rules);
    CHECK_THAT(bad.fix, Catch::StartsWith(row.fix));
    CHECK_THAT(bad.text, Contains(row.also));
    const auto ran = team.sandbox.Run("ann", {"sh", "-ec", path + ShellLineFor(bad.fix)});
    INFO(ran.out << ran.err);
    CHECK(ran.status == 0);
    team.sandbox.Git("ann", {"add", "-A"});
    const Said fixed = Judge(team, row.how);
    INFO(fixed.text);
    CHECK(fixed.rules.empty());
    if (row.whole) CHECK(team.sandbox.Git("ann", {"status", "--porcelain"}).empty());
  }
}

TEST_CASE("at landing: a list with a text conflict gets a single fix", "[landing][check]") {
  const LandingTeam team({"ann"});
  team.Branch("ann", "bosses", {"SR_BOSS"});
  REQUIRE(team.HostMerges("bosses").status == 0);
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "-B", "change", "origin/main"});
  std::string script, rules, fix, fixed;
  SECTION("a handwritten entry") {
    script = Add("SR_HAND=3,");
    rules = "RV017 SR_HAND RV030 SR_HAND";
    fix = "revctl fix";
    fixed = "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_HAND=4";
  }
  SECTION("a different text next to the folded entries") {
    team.InstallDriver("ann");
    script = "sed -i 's|ae: fouls|ae: fouls of all|' " + kHeader;
    rules = "RV017";
    fix = "git merge origin/main (the merge driver resolves it)";
    fixed = "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3";
  }
  REQUIRE(team.sandbox.Run("ann", {"sh", "-ec", script}).status == 0);
  team.sandbox.CommitAll("ann", "change");
  REQUIRE(team.Revctl("host", {"fold", "--push"}).out == "SR_BOSS = 3\n");
  team.sandbox.Git("ann", {"fetch", "-q"});
  const Said bad = Judge(team, {});
  INFO(bad.text);
  CHECK(bad.rules == rules);
  CHECK(bad.fix == fix);
  const auto ran = team.sandbox.Run(
      "ann", {"sh", "-ec",
              "PATH='" + std::filesystem::path(ProgramPath()).parent_path().string() + "':$PATH\n" +
                  fix.substr(0, fix.find(" ("))});
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  const Said good = Judge(team, {});
  INFO(good.text);
  CHECK(good.rules.empty());
  CHECK(team.Numbers("ann") == fixed);
}

TEST_CASE("at landing: definitions, output formats, new lists and reversed lists",
          "[landing][check]") {
  const LandingTeam team({"ann"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  // A struct definition may name pending revisions, but not unknown revisions.
  const std::string types =
      "version: 1\nnamespace: game\nlist: master_version_list.h\nstructs:\n  - name: Boss\n    "
      "versions:\n"
      "      - since: SR_FOULS\n        fields: [{name: x, type: float}]\n"
      "      - since: SR_BOSS\n        fields: [{name: x, type: float}, {name: y, type: float, "
      "from: "
      "0}]\n";
  team.sandbox.Write("ann/types.yaml", types);
  const auto made = team.Revctl("ann", {"generate", "types.yaml", "--list", "main"});
  INFO(made.err);
  CHECK(made.status == 0);
  CHECK_THAT(made.out, Contains("SR_BOSS"));
  REQUIRE(team.Revctl("ann", {"abandon", "SR_BOSS"}).status == 0);
  CHECK_THAT(team.Revctl("ann", {"generate", "types.yaml", "--list", "main"}).err,
             Contains("types.yaml:9:") && Contains("has no SR_BOSS"));
  // Each output format names the pending file.
  team.sandbox.Write("ann/" + std::string(kFolder) + "SR_BAD.yaml", "\nmessage: [\n");
  for (const char* format : {"text", "json", "github", "gitlab", "sarif", "junit"}) {
    INFO(format);
    const auto said = team.Revctl("ann", {"check", "--format", format});
    CHECK(said.status == 1);
    CHECK_THAT(said.out, Contains("RV029") && Contains(kPlace + "/SR_BAD.yaml"));
  }
  // `init` rejects a list that begins with its newest entry, because pending entries would come
  // last.
  const std::string newest = "enum Net { NET_B = 2, NET_A = 1 };\n";
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  team.sandbox.Write(
      "ann/.revctl.yaml",
      config.insert(config.find("lists: [") + 8, "{path: src/net.h, name: net, prefix: NET_}, "));
  team.sandbox.Write("ann/src/net.h", newest);
  const auto refused = team.Revctl(
      "ann", {"init", "--numbers", "at-landing", "--yes", "--list", "net", "--offline"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("src/net.h: begins with its newest revision") &&
                              Contains("fix: keep `numbers: at-reserve`"));
  CHECK(team.sandbox.Read("ann/src/net.h") == newest);
  CHECK(team.sandbox.Read("ann/.revctl.yaml") == config);
  CHECK_FALSE(team.sandbox.Exists("ann/src/net.pending"));
  // `init` can also create a list with numbers at landing.
  team.sandbox.NewRepository("new", "ann");
  CHECK(team.Revctl("new", {"init", "src/revs.h", "--numbers", "later"}).status == 2);
  const std::vector<std::string> init = {"init", "src/revs.h", "--yes", "--numbers", "at-landing"};
  team.sandbox.Write("new/src/revs.h", "enum Revision { SR_B = 2, SR_A = 1 };\n");
  CHECK_THAT(team.Revctl("new", init).err, Contains("begins with its newest revision"));
  CHECK_FALSE(team.sandbox.Exists("new/.revctl.yaml"));
  team.sandbox.Write("new/src/revs.h", "enum Revision {\n    SR_A=1,\n};\n");
  const auto begun = team.Revctl("new", init);
  INFO(begun.out << begun.err);
  REQUIRE(begun.status == 0);
  CHECK_THAT(team.sandbox.Read("new/.revctl.yaml"), Contains("at-landing"));
  CHECK_THAT(team.sandbox.Read("new/src/revs.h"), Contains("__has_include(\"revs.pending.inc\")"));
  CHECK(team.Revctl("new", {"reserve", "SR_B"}).out == "SR_B = 2\n");
  CHECK(team.sandbox.Exists("new/src/revs.pending/SR_B.yaml"));
  CHECK(team.Revctl("new", init).status == 0);
  CHECK_THAT(team.Revctl("new", {"init", "--numbers", "at-reserve", "--yes"}).err,
             Contains("SR_B.yaml is pending") && Contains("fix: first run revctl fold on main"));
}
