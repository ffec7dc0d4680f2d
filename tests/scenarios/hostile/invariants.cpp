// The invariants that must hold after each of an attacker's pushes.
#include <algorithm>

#include "revctl/config/config.h"
#include "revctl/ledger/chain.h"
#include "revctl/list/reading/revision_list.h"
#include "tests/scenarios/hostile/attacker.h"

namespace revctl::testing {
namespace {

/// Returns the landed revisions that `text` still contains, such as "SR_INITIAL=1 SR_FOULS=2 ".
std::string Landed(const std::string& text, const list::ListConfig& config) {
  const auto list = list::Parse(text, config, "list");
  if (!list.ok()) return list.error().message;
  std::string out;
  for (const char* name : {"SR_INITIAL", "SR_FOULS"}) {
    const list::Entry* const entry = list->Find(name);
    if (entry != nullptr && entry->kind == list::EntryKind::Revision)
      out += std::string(name) + "=" + std::to_string(entry->number) + " ";
  }
  return out;
}

}  // namespace

std::string Attacker::BrokenContent() {
  const auto tip =
      team_.sandbox.TryGit(Team::kServer, {"rev-parse", "-q", "--verify", "refs/heads/main"});
  if (tip.status != 0) return "main is gone";
  if (tip.out == main_tip_) return "";
  main_tip_ = tip.out;
  const auto show = [&](const std::string& path) {
    return team_.sandbox.TryGit(Team::kServer, {"show", "refs/heads/main:" + path});
  };
  const auto policy = show(".revctl.yaml");
  const auto config = config::ParseConfig(policy.out, "policy");
  if (!config.ok()) return "the config is missing: " + config.error().message;
  const list::ListConfig* const list = config->ListNamed("main");
  if (config->target != "main" || list == nullptr || config->releases.empty())
    return "the config no longer protects the list:\n" + policy.out;
  const auto text = show(list->path);
  for (const list::ListConfig& read : {list::ListConfig{}, *list}) {
    const std::string landed = Landed(text.out, read);
    if (landed != "SR_INITIAL=1 SR_FOULS=2 ") return "landed numbers: " + landed + "\n" + text.out;
  }
  const std::string tree =
      team_.sandbox.Git(Team::kServer, {"ls-tree", "-r", "refs/heads/main", list->golden});
  for (std::size_t at = 0; at < goldens_.size();) {
    // Every landed golden must still exist, unchanged. The folder's name and the executable bit may
    // change.
    const std::size_t end = std::min(goldens_.find('\n', at), goldens_.size());
    const std::string line = goldens_.substr(at, end - at), file = line.substr(line.rfind('/'));
    const std::string id = line.substr(7, 45);  // "blob OID"
    const auto is_there = [&](const std::string& mode) {
      return tree.find(mode + " " + id + "\t" + list->golden + file) != std::string::npos;
    };
    if (!is_there("100644") && !is_there("100755")) return "golden " + line + " in\n" + tree;
    at = end + 1;
  }
  return "";
}

std::string Attacker::BrokenLedger() {
  const std::string tip = LedgerTip();
  if (tip.empty()) return at_landing_ ? "" : "the ledger is gone";
  if (tip == ledger_tip_) return "";
  ledger_tip_ = tip;
  auto opened = git::OpenRepository(team_.sandbox.Path(Team::kServer));
  if (!opened.ok()) return opened.error().message;
  const auto state = ledger::ReadState(**opened, tip);
  if (!state.ok()) return state.error().message;
  for (const auto& [name, mark] : marks_) {
    const auto list = state->lists.find(name);
    if (list == state->lists.end() || list->second.high_water < mark)
      return "the mark of " + name + " went down";
  }
  for (const auto& [name, list] : state->lists) {
    if (list.high_water) marks_[name] = *list.high_water;
    if (name != "main") continue;
    for (const ledger::Reservation& one : list.open) {
      const auto [at, fresh] = given_.emplace(one.number, one.name);
      if (!fresh && at->second != one.name)
        return std::to_string(one.number) + " is " + at->second + "'s and " + one.name + "'s";
    }
  }
  return "";
}

std::string Attacker::Broken() {
  if (hook_ == Hook::Unguarded) return "";
  const std::string content = BrokenContent();
  return content.empty() ? BrokenLedger() : content;
}

std::string Attacker::RepairLedger(const std::string& why) {
  // If the ledger has a future format, the message first advises installing a newer revctl.
  if (why.find("revctl doctor --repair-ledger\n") == std::string::npos &&
      why.find("revctl doctor --repair-ledger;") == std::string::npos)
    return "reserve prints no fix: " + why;
  auto repaired = team_.Revctl("bob", {"doctor", "--repair-ledger"});
  if (repaired.err.find("delete refs/revctl/ledger there") != std::string::npos) {
    // The ref is not a ledger at all, so the user has to delete it.
    team_.sandbox.TryGit("bob", {"push", "-q", "origin", ":refs/revctl/ledger"});
    repaired = team_.Revctl("bob", {"doctor", "--repair-ledger"});
  }
  log_ += repaired.out + repaired.err;
  return repaired.status == 0 ? "" : "the fix of\n" + why + "does not work";
}

std::string Attacker::Reserve() {
  if (at_landing_) return "";
  const std::string name = "SR_OF_BOB" + std::to_string(++reserved_);
  auto run = team_.Revctl("bob", {"reserve", name});
  if (run.status != 0) {
    log_ += run.err;
    if (std::string why = RepairLedger(run.err); !why.empty()) return why;
    run = team_.Revctl("bob", {"reserve", name});
  }
  if (run.status != 0) return "repaired, but reserve still fails: " + run.err;
  const std::int64_t number = std::atoll(run.out.substr(run.out.find("= ") + 1).c_str());
  log_ += run.out;
  if (number <= highest_) return "a number was assigned twice: " + run.out;
  highest_ = number;
  // Reset the clone's list, so that the next number comes from the ledger.
  team_.sandbox.Git("bob", {"checkout", "-q", "."});
  return "";
}

}  // namespace revctl::testing
