// Attacks that use the history or several files at the same time: merges, moves and pending files.
#include "tests/scenarios/hostile/attacker.h"

namespace revctl::testing {
namespace {

constexpr const char* kPolicyFile = ".revctl.yaml";

std::string With(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != text.npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

void Attacker::PushMerge() {
  const std::string main = Main(), before = main + "~" + std::to_string(Below(3));
  const auto known = team_.sandbox.TryGit("ann", {"rev-parse", "-q", "--verify", before});
  const std::string older = known.status == 0 ? known.out.substr(0, 40) : main;
  // If the parent is empty, the commit is a root commit.
  const std::string side =
      Commit(OneOf<std::string>({"", older, older, main}), "side",
             File("100644", Team::kList, EditedList(Show(main, Team::kList))) +
                 (Below(2) == 0 ? "" : File("100644", kPolicyFile, Show(main, kPolicyFile))));
  if (side.empty()) return;
  const std::vector<std::string> all = {main, main, older, side};
  const std::string first = OneOf(all), tree = OneOf(all);
  std::string lines, what = "merge";
  for (std::size_t n = 1 + Below(3); n > 0; --n) lines += "merge " + OneOf(all) + "\n";
  lines += "deleteall\nM 040000 " + team_.sandbox.Git("ann", {"rev-parse", tree + "^{tree}"}) +
           " \"\"\n";
  if (Below(3) == 0) lines += File("100644", Team::kList, EditedList(Show(tree, Team::kList)));
  const std::string commit = Commit(first, what, lines);
  if (commit.empty()) return;
  what += std::string(first == main   ? " main"
                      : first == side ? " side"
                                      : " older") +
          (tree == main   ? ":main"
           : tree == side ? ":side"
                          : ":older");
  const std::string to = OneOf<std::string>({"main", "main", "main", "release/1"});
  Push(what + " to " + to, {(Below(3) == 0 ? "+" : "") + commit + ":refs/heads/" + to});
}

void Attacker::PushMove() {
  struct Move {
    std::string lines, from, to;
  };
  static const std::vector<Move> kMoves = {
      {"R src source\n", "src/", "source/"},
      {"R golden saves\n", "golden: golden", "golden: saves"},
      {"R src/master_version_list.h src/other.h\n", "master_version_list.h", "other.h"},
      {"C src/master_version_list.h src/Master_version_list.h\n", "src/m", "src/M"},
      {"R src game/src\nR golden game/golden\nR .revctl.yaml game/.revctl.yaml\n", "", ""},
      {"C src game/src\nC golden game/golden\nC .revctl.yaml game/.revctl.yaml\n", "", ""},
      {"C golden src/golden\n", "golden: golden", "golden: src/golden"},
      {"", "golden: golden", "golden: golden\n    name: other"},
      {"C src/master_version_list.h src/b.h\n", "lists:\n",
       "lists:\n  - path: src/b.h\n    name: b\n"},
      {"C src/master_version_list.h src/b.h\n", "lists:\n  - path: src/master_version_list.h\n",
       "lists:\n  - path: src/b.h\n    name: main\n  - path: src/master_version_list.h\n"
       "    name: b\n"}};
  for (std::size_t pushes = 1 + Below(2); pushes > 0; --pushes) {
    const Move& move = OneOf(kMoves);
    const std::string main = Main();
    std::string policy = With(Show(main, kPolicyFile), move.from, move.to), lines = move.lines;
    if (Below(4) == 0) policy = EditedPolicy(policy);
    const std::string at = With(Team::kList, move.from, move.to);
    const std::string folder = move.from.empty() ? "game/" : "";
    if (move.from.empty() || Below(3) != 0) lines += File("100644", folder + kPolicyFile, policy);
    if (Below(3) != 0) lines += File("100644", folder + at, EditedList(Show(main, Team::kList)));
    const std::string commit = Commit(main, "move", lines);
    if (commit.empty()) continue;
    const std::string to = OneOf<std::string>({"main", "main", "main", "release/1"});
    Push("move " + move.lines + move.to + " to " + to, {commit + ":refs/heads/" + to});
  }
}

void Attacker::PushPending() {
  static const std::string kFolder = "src/master_version_list.pending/";
  static const std::vector<std::string> kFiles = {
      "SR_EVE.yaml", "SR_EVE.yaml",     "SR_ADA.yaml",  "SR_FOULS.yaml", "sr_eve.yaml",
      "-x.yaml",     "SR_A\nB.yaml",    "SR_EVE.YAML",  "a/SR_EVE.yaml", "SR_EVE",
      "XX.yaml",     "SR_INITIAL.yaml", "SR_EVE.yaml/", ".yaml"};
  static const std::vector<std::string> kTexts = {"message: \"m\"\n",
                                                  "message: \"*/ SR_INITIAL = 9, /*\"\n",
                                                  "message: \"a\\\\\"\n",
                                                  "message: \"a\\r SR_EVE=1,\"\n",
                                                  "message: \"a\\n SR_EVE=1,\"\n",
                                                  "message: \"?"
                                                  "?/\"\n",
                                                  "message: m\nafter: [SR_EVE]\n",
                                                  "after: [SR_ADA]\n",
                                                  "after: [SR_FOULS, SR_FOULS]\n",
                                                  "number: 1\n",
                                                  "",
                                                  "after: &a [*a]\n"};
  static const std::vector<std::string> kModes = {"100644", "100644", "100644",
                                                  "100755", "120000", "160000"};
  const std::string main = Main();
  std::string lines, what = "pending";
  for (std::size_t n = 1 + Below(3); n > 0; --n) {
    const std::string file = OneOf(kFiles);
    what += " " + file;
    lines += File(OneOf(kModes), kFolder + file, OneOf(kTexts));
  }
  std::string list = Show(main, Team::kList);
  switch (Below(6)) {
    case 0:  // a handwritten fold, correct or incorrect
      lines = "D " + kFolder + "SR_EVE.yaml\n";
      [[fallthrough]];
    case 1:
      lines += File("100644", Team::kList,
                    With(list, "#if __has",
                         OneOf<std::string>({"    SR_EVE=3,// m\n", "    SR_EVE=2,\n",
                                             "    SR_ADA,\n    SR_EVE=9,\n"}) +
                             "#if __has"));
      break;
    case 2:
      lines += File("100644", Team::kList, EditedList(list));
      break;
    case 3:
      lines += File(
          "100644", "src/master_version_list.pending.inc",
          OneOf<std::string>({"SR_EVE = 1,\n", "}; enum Other {\n", "#define SR_FOULS 9\n", ""}));
      break;
    default:
      break;
  }
  const std::string commit = Commit(main, what, lines);
  if (commit.empty()) return;
  const std::string to = OneOf<std::string>({"main", "main", "main", "release/1"});
  Push(what + " to " + to, {commit + ":refs/heads/" + to});
}

}  // namespace revctl::testing
