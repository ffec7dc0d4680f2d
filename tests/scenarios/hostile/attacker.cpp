#include "tests/scenarios/hostile/attacker.h"

#include "revctl/config/config.h"
#include "revctl/ledger/chain.h"
#include "revctl/list/reading/revision_list.h"

namespace revctl::testing {
namespace {

constexpr const char* kPolicy =
    "version: 1\nlists:\n  - path: src/master_version_list.h\n    golden: golden\n"
    "releases: [\"release/*\"]\n";

void Replace(std::string& text, const std::string& from, const std::string& to) {
  if (const std::size_t at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
}

}  // namespace

Attacker::Attacker(unsigned seed, Hook hook)
    : hook_(hook), at_landing_(hook == Hook::Guarded && seed % 3 == 2), random_(seed) {
  team_.sandbox.Write("ann/.revctl.yaml", kPolicy);
  for (const char* name : {"SR_INITIAL", "SR_FOULS"}) {
    team_.sandbox.Write(std::string("ann/golden/") + name + ".yaml", "record\n");
    team_.sandbox.Write(std::string("ann/golden/") + name + ".golden", "payloads\n");
  }
  team_.Land("ann");
  team_.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:release/1"});
  if (at_landing_) {
    team_.Revctl("ann", {"init", "--numbers", "at-landing", "--yes", "--offline"});
    team_.Land("ann");
  }
  if (hook == Hook::Guarded) team_.GuardServer();
  if (!at_landing_) team_.Revctl("ann", {"reserve", "SR_BOSS"});
  if (hook == Hook::Unguarded) {
    // Without `ledger_id`, clones could not recognize an overwritten ledger.
    const auto state = ledger::ParseState(LedgerFiles(), "server");
    team_.sandbox.Git("ann", {"checkout", "-q", "."});
    team_.sandbox.Write("ann/.revctl.yaml", kPolicy + ("ledger_id: " + state->id + "\n"));
    team_.Land("ann");
  }
  team_.sandbox.Git("bob", {"pull", "-q"});
  goldens_ = team_.sandbox.Git(Team::kServer, {"ls-tree", "-r", "main", "golden"});
  highest_ = 3;
  // Without the hook, a clone detects only the loss of reservations that it has seen, so reserve a
  // number first.
  if (hook == Hook::Unguarded) Reserve();
}

std::string Attacker::File(const std::string& mode, const std::string& path,
                           const std::string& text) {
  std::string quoted;
  for (const char c : path) quoted += c == '\n' ? "\\n" : std::string(1, c);
  const std::string where = mode + (mode == "160000" ? " " + std::string(40, '1') : " inline");
  if (mode == "160000") return "M " + where + " \"" + quoted + "\"\n";
  return "M " + where + " \"" + quoted + "\"\ndata " + std::to_string(text.size()) + "\n" + text +
         "\n";
}

std::string Attacker::Commit(const std::string& parent, const std::string& message,
                             const std::string& lines) {
  const std::string ref = "refs/attack/tip";
  std::string text = "reset " + ref + "\n" + "commit " + ref +
                     "\ncommitter eve <eve@studio.example> 1700000000 +0000\ndata " +
                     std::to_string(message.size()) + "\n" + message + "\n";
  if (!parent.empty()) text += "from " + parent + "\n";
  const auto run =
      team_.sandbox.Run("ann", {"git", "fast-import", "--quiet", "--force"}, {}, text + lines);
  if (run.status != 0) return "";  // git itself rejects the commit
  return team_.sandbox.Git("ann", {"rev-parse", ref});
}

bool Attacker::Push(const std::string& what, const std::vector<std::string>& refs) {
  std::vector<std::string> arguments = {"push", "-q", "--no-verify", "origin"};
  arguments.insert(arguments.end(), refs.begin(), refs.end());
  const auto run = team_.sandbox.TryGit("ann", arguments);
  log_ += what + ": " + (run.status == 0 ? "taken" : "refused") + "\n";
  if (run.status != 0) log_ += run.err + "\n";
  ++(run.status == 0 ? taken_ : refused_);
  return run.status == 0;
}

std::string Attacker::Main() const {
  team_.sandbox.TryGit("ann", {"fetch", "-q", "origin", "refs/heads/main"});
  return team_.sandbox.Git("ann", {"rev-parse", "FETCH_HEAD"});
}

std::string Attacker::Show(const std::string& commit, const std::string& path) const {
  return team_.sandbox.TryGit("ann", {"show", commit + ":" + path}).out;
}

std::string Attacker::LedgerTip() const {
  const auto run = team_.sandbox.TryGit(
      Team::kServer, {"rev-parse", "-q", "--verify", "refs/revctl/ledger^{commit}"});
  return run.status == 0 ? run.out.substr(0, run.out.find('\n')) : "";
}

ledger::Files Attacker::LedgerFiles() const {
  auto opened = git::OpenRepository(team_.sandbox.Path(Team::kServer));
  const std::string tip = LedgerTip();
  if (!opened.ok() || tip.empty()) return {};
  auto valid = ledger::ReadLastValid(**opened, tip);
  return valid.ok() ? FormatState(valid->state) : ledger::Files{};
}

std::string Attacker::Damaged(std::string text) {
  const std::size_t at = Below(text.size() + 1), line = text.find('\n', at);
  switch (Below(9)) {
    case 0:
      return text.insert(at, 1, static_cast<char>(Below(256)));
    case 1:
      return text.substr(0, at);
    case 2:
      return line == text.npos ? text : text.erase(at, line - at + 1);
    case 3:
      return text + "4 SR_EVE eve <eve@x>\n";
    case 4:
      return text + text;
    case 5:
      Replace(text, "high-water ", OneOf<std::string>({"high-water 9", "high-water -", "high"}));
      return text;
    case 6:
      Replace(text, "3 SR_BOSS", OneOf<std::string>({"2 SR_BOSS", "3 SR_INITIAL", "+3 SR_BOSS"}));
      return text;
    case 7:
      Replace(text, "id ", "id 0");
      return text;
    default:
      Replace(text, "<ann@studio.example>", "<eve@studio.example>");
      return text;
  }
}

void Attacker::PushLedgerTree() {
  const std::string tip = LedgerTip();
  if (tip.empty()) return;
  team_.sandbox.TryGit("ann", {"fetch", "-q", "origin", "+refs/revctl/ledger:refs/attack/ledger"});
  static const std::vector<std::string> kNames = {"list.a/b",
                                                  "list.",
                                                  "list.MAIN",
                                                  "list.x y",
                                                  "ledger/x",
                                                  "README",
                                                  "list.main/x",
                                                  "list.-x",
                                                  "list.\n:x",
                                                  "Ledger",
                                                  "list.main\x1b",
                                                  "list.a..b",
                                                  "list."
                                                  "\xc3\xa9"};
  static const std::vector<std::string> kModes = {"100644", "100644", "100755", "120000", "160000"};
  std::string lines = "deleteall\n", what = "ledger tree";
  ledger::Files files = LedgerFiles();
  for (std::size_t n = 1 + Below(2); n > 0 && !files.empty(); --n) {
    const auto one = std::next(files.begin(), static_cast<std::ptrdiff_t>(Below(files.size())));
    switch (Below(4)) {
      case 0:
        files[OneOf(kNames)] = one->second;
        break;
      case 1:
        if (files.size() > 1) files.erase(one);
        break;
      default:
        one->second = Damaged(one->second);
    }
  }
  for (const auto& [name, text] : files) lines += File(OneOf(kModes), name, text);
  const std::string commit = Commit(
      Below(8) == 0 ? "" : tip,
      OneOf<std::string>({"confirm main", "create", "reserve x/y", "nonsense", "release main"}) +
          "\n\nRevision: SR_EVE 4\n",
      lines);
  if (!commit.empty()) Push(what, {"+" + commit + ":refs/revctl/ledger"});
}

void Attacker::PushLedgerEvent() {
  std::string tip = LedgerTip();
  if (tip.empty()) return;
  team_.sandbox.TryGit("ann", {"fetch", "-q", "origin", "+refs/revctl/ledger:refs/attack/ledger"});
  const ledger::Files before = LedgerFiles();
  auto parsed = ledger::ParseState(before, "attack");
  if (!parsed.ok()) return;
  ledger::State state = std::move(*parsed);
  static const std::vector<std::string> kKinds = {"create",   "reserve", "release",
                                                  "renumber", "confirm", "take-over"};
  static const std::vector<std::string> kNames = {"SR_BOSS", "SR_EVE", "SR_INITIAL", "SR_FOULS",
                                                  "SR_OF_BOB"};
  std::string commit = tip;
  for (std::size_t n = 1 + Below(3); n > 0 && !commit.empty(); --n) {
    ledger::ListState& list = state.lists[Below(8) == 0 ? "other" : "main"];
    const std::int64_t mark = list.high_water.value_or(0);
    const std::vector<std::int64_t> numbers = {
        1, 2, 3, mark, mark + 1, mark + 1, mark + 2, mark + 1000, mark + (1 << 25), 2147483647, -1};
    std::string message =
        OneOf(kKinds) + OneOf<std::string>({" main", " main", " other", ""}) + " x\n\n";
    for (std::size_t steps = 1 + Below(3); steps > 0; --steps) {
      const std::string name = OneOf(kNames);
      const std::int64_t number = OneOf(numbers);
      message += "Revision: " + name + " " + std::to_string(number) + "\n";
      const git::Person who{"eve", "eve@studio.example"};
      switch (Below(4)) {
        case 0:
          list.Close(name);
          break;
        case 1:
          list.Give(OneOf(kNames), OneOf(numbers), who);
          break;
        default:
          list.Give(name, number, who);
      }
    }
    if (Below(4) == 0) list.high_water = OneOf(numbers);
    std::string lines = "deleteall\n";
    for (const auto& [name, text] : FormatState(state)) lines += File("100644", name, text);
    commit = Commit(commit, message, lines);
  }
  if (!commit.empty()) Push("ledger events", {commit + ":refs/revctl/ledger"});
}

std::string Attacker::EditedList(std::string text) {
  static const std::vector<std::pair<std::string, std::string>> kEdits = {
      {"SR_FOULS=2", "SR_FOULS=7"},
      {"SR_FOULS=2", "SR_FOULS"},
      {"SR_FOULS=2", "SR_GOALS=2"},
      {"SR_FOULS=2", "SR_FOULS=SR_INITIAL"},
      {"    SR_FOULS=2,// ae: fouls\n", ""},
      {"    SR_FOULS", "    SR_EVE=2,\n    SR_FOULS"},
      {"    SR_FOULS", "#if 0\n    SR_FOULS"},
      {"};", "#endif\n};"},
      {"};", "    SR_EVE=3,\n};"},
      {"};", "    SR_BOSS=3,\n};"},
      {"};", "    SR_BOSS,\n};"},
      {"};", "    SR_BOSS=3,// a\r SR_EVE,\n};"},
      {"// ae: the beginning", "// the beginning \\"},
      {"// ae: the beginning", "// the beginning\r SR_EVE = 1,"},
      {"// ae: the beginning", "/* the beginning"},
      {"#pragma once", "#define SR_FOULS SR_EVE"},
      {"#pragma once", "#pragma once\n#define M 5"},
      {"#pragma once", "#include \"other.h\""},
      {"enum Revision", "enum Revision : unsigned char"},
      {"enum Revision", "enum Other { SR_FOULS = 2 };\nenum Revision"},
      {"    SR_INITIAL=1", "#ifdef LINUX\n    SR_INITIAL=1"},
      {"fouls\n", "fouls, said better\n"}};
  for (std::size_t n = 1 + Below(2); n > 0; --n) {
    const auto& edit = OneOf(kEdits);
    Replace(text, edit.first, edit.second);
  }
  return text;
}

std::string Attacker::EditedPolicy(std::string text) {
  static const std::vector<std::pair<std::string, std::string>> kEdits = {
      {"golden: golden", "golden: saves"},
      {"    golden: golden\n", ""},
      {"golden: golden", "golden: golden\n    prefix: XX_"},
      {"golden: golden", "golden: golden\n    aliases: [\"SR_*\"]"},
      {"golden: golden", "golden: golden\n    sentinel: SR_FOULS"},
      {"golden: golden", "golden: golden\n    current: SR_FOULS"},
      {"golden: golden", "golden: golden\n    enum: Other"},
      {"golden: golden", "golden: golden\n    name: other"},
      {"golden: golden", "golden: golden\n    oldest: SR_FOULS"},
      {"golden: golden", "golden: golden\n    numbers: at-landing"},
      {"golden: golden", "golden: golden\n    lineage_root: \"0123456789abcdef\""},
      {"path: src/master_version_list.h", "path: src/other.h"},
      {"releases: [\"release/*\"]\n", ""},
      {"version: 1\n", "version: 1\ntarget: other\n"},
      {"version: 1\n", "version: 1\nreservation: optional\n"},
      {"version: 1\n", "version: 1\nledger: refs/heads/main\n"},
      {"version: 1\n", "version: 1\nledger: refs/revctl/other\n"},
      {"version: 1\n", "version: 1\nledger_id: aaaaaaaaaaaaaaaa\n"},
      {"version: 1\n", "version: 1\nallow: [{rule: RV003, reason: x}]\n"},
      {"version: 1\n", "version: 1\nallow: [{rule: RV019, reason: x}]\n"},
      {"version: 1\n", "version: 1\nallow: [{rule: RV011, reason: x}]\n"},
      {"version: 1\n", "version: 1\nmin_revctl: \"99\"\n"},
      {"version: 1\n", "version: 2\n"},
      {"version: 1\n", "version: 1\nversion: 1\n"}};
  for (std::size_t n = 1 + Below(2); n > 0; --n) {
    const auto& edit = OneOf(kEdits);
    Replace(text, edit.first, edit.second);
  }
  return text;
}

void Attacker::PushContent() {
  const std::string list = Team::kList, policy = ".revctl.yaml";
  static const std::vector<std::string> kModes = {"100644", "100644", "100644",
                                                  "100755", "120000", "160000"};
  for (std::size_t pushes = 1 + Below(3); pushes > 0; --pushes) {
    const std::string main = Main();
    const auto show = [&](const std::string& path) { return Show(main, path); };
    std::string lines, what = "content";
    for (std::size_t n = 1 + Below(2); n > 0; --n) {
      const std::size_t kind = Below(12);
      what += " " + std::to_string(kind);
      if (kind < 3) lines += File("100644", list, EditedList(show(list)));
      else if (kind < 6) lines += File("100644", policy, EditedPolicy(show(policy)));
      else if (kind == 6) lines += File(OneOf(kModes), OneOf<std::string>({list, policy}), "x\n");
      else if (kind == 7)
        lines += "D " + OneOf<std::string>({list, policy, "golden", "src"}) + "\n";
      else if (kind == 8) lines += File(OneOf(kModes), "golden/SR_FOULS.golden", "payloads\n");
      else if (kind == 9)
        lines += OneOf<std::string>(
            {"R golden saves\n", "R src/master_version_list.h src/other.h\n", "C golden golden2\n",
             "R .revctl.yaml sub/.revctl.yaml\n", "D golden/SR_FOULS.yaml\n", "R src Src\n"});
      else if (kind == 10)
        lines += File(OneOf(kModes),
                      OneOf<std::string>({"src/Master_version_list.h", ".Revctl.yaml", "golden/x",
                                          "golden/sr_fouls.golden", "src/a\n::b.h",
                                          "src/master_version_list.pending/SR_X.yaml"}),
                      OneOf<std::string>({show(list), show(policy), "x\n"}));
      else
        lines += File("100644", OneOf<std::string>({".gitattributes", "src/.gitattributes"}),
                      OneOf<std::string>({"*.h working-tree-encoding=UTF-7\n", "* -merge\n",
                                          "*.h ident\n", "*.h export-subst eol=crlf\n"}));
    }
    const std::string commit = Commit(main, what, lines);
    if (commit.empty()) continue;
    const std::string to =
        OneOf<std::string>({"main", "main", "main", "main", "release/1", "other"});
    Push(what + " to " + to, {(Below(6) == 0 ? "+" : "") + commit + ":refs/heads/" + to});
  }
}

void Attacker::PushRef() {
  team_.sandbox.TryGit("ann", {"fetch", "-q", "origin", "refs/heads/main"});
  const std::string bad = Commit("FETCH_HEAD", "landed numbers",
                                 File("100644", Team::kList, "enum R { SR_FOULS=9 };\n"));
  const std::string blob = team_.sandbox.Git("ann", {"rev-parse", bad + ":" + Team::kList});
  std::vector<std::string> refs;
  static const std::vector<std::string> kPlaces = {
      "refs/heads/main",       "refs/heads/release/1",   "refs/revctl/ledger",
      "refs/revctl/ledger/x",  "refs/heads/x",           "refs/tags/main",
      "refs/tags/origin/main", "refs/heads/origin/main", "refs/replace/" + bad,
      "refs/heads/main/x"};
  for (std::size_t n = 1 + Below(3); n > 0; --n) {
    const std::string from = OneOf<std::string>({"", bad, bad, blob, "FETCH_HEAD", "FETCH_HEAD~"});
    refs.push_back("+" + from + ":" + OneOf(kPlaces));
  }
  std::string what = "refs";
  for (const std::string& ref : refs) what += " " + ref;
  if (Below(2) == 0) refs.insert(refs.begin(), "--atomic");
  Push(what, refs);
}

}  // namespace revctl::testing
