// Numbers at landing: each mistake of a change has one finding, and its printed command mends it.
#include <catch2/catch.hpp>

#include "revctl/commands/at_landing_test.h"

using namespace revctl;
using namespace revctl::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string kHeader = Team::kList;
const std::string kPlace = std::string(kFolder).substr(0, std::string(kFolder).size() - 1);

/// A line of shell that adds entries behind the last revision.
std::string Add(const std::string& entries) {
  return "sed -i 's|^#if __has|    " + entries + "\\n&|' " + kHeader + "\n";
}

std::string PendingFile(const std::string& name, const std::string& words = "message: words") {
  return "echo '" + words + "' > " + kFolder + name + ".yaml\n";
}

struct Said {
  std::string rules;  ///< "RV030 SR_ANT RV029 SR_BOSS", errors only
  std::string fix;    ///< of the first
  std::string text;
};

Said Judge(const LandingTeam& team, const std::vector<std::string>& how) {
  std::vector<std::string> arguments = {"check", "--json", "--no-fetch"};
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

TEST_CASE("at landing: the printed command mends what a change does to entries and pending files",
          "[landing][check][bad]") {
  const LandingTeam team({"ann"});
  team.Branch("ann", "bosses", {"SR_BOSS", "SR_ANT"});
  REQUIRE(team.HostMerges("bosses").status == 0);
  team.sandbox.Git("ann", {"fetch", "-q"});
  struct Row {
    std::string script;
    std::string rules;
    std::string fix;
    bool whole = false;  ///< what is mended is the target's tree again
    std::vector<std::string> how = {};
  };
  const std::string adopt = "revctl sync --adopt", adds = "git add -A\n";
  const std::string to_ant = "git rm -q " + std::string(kFolder) + "SR_ANT.yaml\n",
                    to_boss = "git rm -q " + std::string(kFolder) + "SR_BOSS.yaml\n";
  const Row rows[] = {
      // Entries by hand: a number that is taken, another order, another number, a part, a file that
      // stayed, no comment, a pending file of its own that says something else.
      {Add("SR_HAND=2,"), "RV030 SR_HAND", adopt},
      {Add("SR_ANT=3,// a: for SR_ANT\\n    SR_BOSS=4,// a: for SR_BOSS") + to_ant + to_boss,
       "RV030 SR_ANT", adopt, true},
      {Add("SR_BOSS=7,// a: for SR_BOSS") + to_boss, "RV030 SR_BOSS", adopt, true},
      {Add("SR_ANT=3,// a: for SR_ANT") + to_ant, "RV030 SR_ANT", adopt, true},
      {Add("SR_BOSS=3,// a: for SR_BOSS"), "RV030 SR_BOSS", adopt, true},
      {Add("SR_BOSS=3,") + to_boss, "RV030 SR_BOSS", adopt, true},
      {Add("SR_OWN=5,// mine") + PendingFile("SR_OWN"), "RV030 SR_OWN", adopt},
      {Add("SR_OWN=5,// mine") + PendingFile("SR_OWN") + adds, "RV030 SR_OWN", adopt, false,
       {"--staged"}},
      // Names that are taken.
      {"sed -i '1a constexpr int SR_OUT = 1;' " + kHeader + "\n" + PendingFile("SR_OUT"),
       "RV029 SR_OUT", "mv " + kPlace + "/SR_OUT.yaml " + kPlace + "/SR_OUT_2.yaml, and rename"},
      {"sed -i '1a constexpr int SR_BOSS = 1;' " + kHeader, "RV029 SR_ANT RV029 SR_BOSS",
       "mend SR_BOSS first"},
      {PendingFile("SR_Fouls") + adds, "RV029 SR_Fouls",
       "git mv " + kPlace + "/SR_Fouls.yaml " + kPlace + "/SR_Fouls_2.yaml, and rename"},
      {PendingFile("SR_Ant") + adds, "RV029 SR_ANT RV029 SR_Ant",
       "git mv " + kPlace + "/SR_Ant.yaml " + kPlace + "/SR_Ant_2.yaml, and rename"},
      {PendingFile("SR_FOULS") + adds, "RV029 SR_FOULS",
       "git mv " + kPlace + "/SR_FOULS.yaml " + kPlace + "/SR_FOULS_2.yaml, and rename"},
      // What has landed, or is no part of a tree.
      {to_ant, "RV029 SR_ANT", "git checkout ", true},
      {PendingFile("SR_ANT"), "RV029 SR_ANT", "git checkout ", true},
      {"revctl sync\ngit add -f " + std::string(kInclude), "RV029",
       "git rm -f --cached " + std::string(kInclude) + " && revctl convert-numbers at-landing", true},
      // The folder's place, and another place.
      {"rm -rf " + kPlace + "\nln -s .. " + kPlace, "RV029",
       "rm -f " + kPlace + " && git checkout -- " + kPlace, true},
      {"rm -rf " + kPlace + "\nln -s .. " + kPlace + "\n" + adds, "RV029",
       "git rm -f " + kPlace, false, {"--staged"}},
      {"mkdir src/old.pending\necho > src/old.pending/SR_X.yaml\n" + adds, "RV029 SR_X",
       "git mv src/old.pending/SR_X.yaml " + kPlace + "/SR_X.yaml", false, {"--staged"}}};
  const std::string path = "PATH='" + std::filesystem::path(ProgramPath()).parent_path().string() +
                           "':$PATH\n";
  for (const Row& row : rows) {
    INFO(row.script);
    team.sandbox.Git("ann", {"checkout", "-q", "-f", "-B", "bad", "origin/main"});
    team.sandbox.Git("ann", {"clean", "-fdq"});
    REQUIRE(team.sandbox.Run("ann", {"sh", "-ec", path + row.script}).status == 0);
    const Said bad = Judge(team, row.how);
    INFO(bad.text);
    CHECK(bad.rules == row.rules);
    CHECK_THAT(bad.fix, Catch::StartsWith(row.fix));
    if (bad.fix.starts_with("mend ")) continue;
    const auto ran = team.sandbox.Run(
        "ann", {"sh", "-ec", path + bad.fix.substr(0, bad.fix.find(", and rename"))});
    INFO(ran.out << ran.err);
    CHECK(ran.status == 0);
    team.sandbox.Git("ann", {"add", "-A"});
    const Said mended = Judge(team, row.how);
    INFO(mended.text);
    CHECK(mended.rules.empty());
    if (row.whole) CHECK(team.sandbox.Git("ann", {"status", "--porcelain"}).empty());
  }
}
