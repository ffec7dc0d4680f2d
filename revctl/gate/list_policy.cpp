// RV024 for the config keys of a list.
#include <algorithm>

#include "revctl/gate/gate_rules.h"
#include "revctl/ledger/chain.h"
#include "revctl/list/reading/source.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;

/// A config key whose new value would disable a check.
struct Weakening {
  /// beginning of the message about the key, such as `path of`, or kReading
  std::string key;
  std::string what;  ///< the harm that the new value would do
  std::string fix;
};

constexpr std::string_view kReading = "how";

/// The keys of a list before and after the change, and the list that has landed.
struct KeyChange {
  const ListFacts& facts;
  /// The config at the merge base or, if the merge base does not have the list, on the target.
  const list::ListConfig& before;
  const list::ListConfig& on_target;
  const list::ListConfig& after;
  const list::RevisionList& landed;
};

/// Checks that all landed revisions are still parsed as revisions after the keys have changed.
std::optional<Weakening> CheckReading(const KeyChange& c) {
  if (c.before.prefix == c.after.prefix && c.before.enum_name == c.after.enum_name &&
      c.before.aliases == c.after.aliases && c.before.sentinel == c.after.sentinel &&
      c.before.current == c.after.current)
    return std::nullopt;
  const std::string fix = "restore prefix, enum, aliases, sentinel and current";
  const list::RevisionList& whole = c.facts.whole;
  const auto now = list::Parse(whole.text, c.after, c.after.path);
  if (!now.ok())
    return Weakening{std::string(kReading),
                     "the list could no longer be read: " + ErrorText(now.error()), fix};
  for (const list::Entry& entry : whole.entries) {
    if (entry.kind != list::EntryKind::Revision || c.landed.Find(entry.name) == nullptr) continue;
    const list::Entry* const found = now->Find(entry.name);
    if (found != nullptr && found->kind == list::EntryKind::Revision) continue;
    return Weakening{std::string(kReading),
                     fmt::format("{} has landed, but would no longer be a revision", entry.name),
                     fix};
  }
  return std::nullopt;
}

/// Returns the first landed name that also occurs in `list`, or "" if there is none.
std::string EntryOf(const list::RevisionList& landed, const list::RevisionList& list) {
  for (const list::Entry& entry : landed.entries) {
    if (list.Find(entry.name) != nullptr) return entry.name;
  }
  return "";
}

/// Returns a landed name that occurs in `text`, if `text` also contains an enum, because a compiler
/// may still read that enum as the list. If `text` cannot be split into tokens, or if macros could
/// generate names, returns the first landed name. Otherwise returns "".
std::string EntryInCode(const list::RevisionList& landed, std::string_view text) {
  const std::string first = landed.entries.empty() ? "" : landed.entries.front().name;
  base::Problem problem;
  const auto lexed = base::Lex(text, problem);
  if (!lexed) return first;
  std::string name;
  bool has_enum = false;
  for (const base::Token& token : lexed->tokens) {
    if (token.Is("##")) return first;
    has_enum = has_enum || token.Is("enum");
    if (name.empty() && token.IsName() && landed.Find(token.text) != nullptr) name = token.text;
  }
  return has_enum ? name : "";
}

/// If the change moves the list, checks that no entries are left in the old file, because code
/// could still include it, and the gate would not check it.
Result<std::optional<Weakening>> CheckPath(const KeyChange& c) {
  const std::optional<Weakening> fine;
  if (c.before.path == c.after.path) return fine;
  const std::string old = c.facts.request().prefix() + c.before.path;
  TRY(const auto text, c.facts.request().tree.Read(old));
  if (!text) return fine;
  const auto left = list::Parse(*text, c.before, c.before.path);
  const std::string name = left.ok() ? EntryOf(c.landed, *left) : EntryInCode(c.landed, *text);
  if (name.empty()) return fine;
  return std::optional(Weakening{
      "path of", fmt::format("{} also stays in {}, which would no longer be checked", name, old),
      "move the list with git mv, and leave no entries in the old file"});
}

std::optional<std::int64_t> LedgerMark(const ListFacts& facts) {
  const ledger::Snapshot* snapshot = facts.request().ledger.snapshot;
  if (snapshot == nullptr) return std::nullopt;
  const auto found = snapshot->state.lists.find(facts.ours.config->name);
  return found == snapshot->state.lists.end() ? std::nullopt : found->second.high_water;
}

/// Checks that numbers that were assigned before the switch to `at-landing` cannot be assigned
/// again.
std::optional<Weakening> CheckFloor(const KeyChange& c) {
  if (c.after.numbers != list::Numbers::AtLanding) return std::nullopt;
  const list::Entry* const latest = c.landed.Latest();
  std::optional<std::int64_t> given = c.before.floor;
  const auto mark = LedgerMark(c.facts);
  if (c.before.numbers != list::Numbers::AtLanding && mark)
    given = std::max(given.value_or(*mark), *mark);
  std::optional<std::int64_t> next = c.after.floor;
  if (latest != nullptr) next = std::max(next.value_or(latest->number), latest->number);
  if (given && (!next || *next < *given))
    return Weakening{"floor of",
                     fmt::format("numbers up to {} would be assigned a second time", *given),
                     fmt::format("floor: \"{}\"", *given)};
  if (!c.after.floor || c.after.floor == c.before.floor) return std::nullopt;
  const std::optional<std::int64_t> landed =
      latest == nullptr ? std::nullopt : std::optional(latest->number);
  if (!ledger::TooFar(*c.after.floor, std::max(given, landed))) return std::nullopt;
  return Weakening{
      "floor of",
      fmt::format("numbers would continue from {}, far above all others", *c.after.floor),
      "run revctl init --numbers at-landing, which writes the right value"};
}

/// Checks that the change keeps all purged names and adds only names that have landed.
std::optional<Weakening> CheckPurged(const KeyChange& c) {
  for (const std::string& name : c.before.purged) {
    if (c.after.purged.contains(name) || !c.on_target.purged.contains(name)) continue;
    return Weakening{"purged names of", name + " was purged, but could land again",
                     fmt::format("restore {}", name)};
  }
  for (const std::string& name : c.after.purged) {
    if (c.before.purged.contains(name) || c.on_target.purged.contains(name) ||
        c.landed.Find(name) != nullptr)
      continue;
    return Weakening{"purged names of", name + " has never landed, but could no longer be reserved",
                     fmt::format("remove {}; only revctl purge adds names", name)};
  }
  return std::nullopt;
}

}  // namespace

Result<Findings> CheckListPolicy(const ListFacts& facts) {
  const list::ListConfig *base = facts.base.config, *target = facts.target.config;
  if (target == nullptr || facts.landed() == nullptr || facts.whole.entries.empty())
    return Findings{};
  const KeyChange c{facts, base != nullptr ? *base : *target, *target, *facts.ours.config,
                    *facts.landed()};
  TRY(const auto path, CheckPath(c));
  Findings out;
  for (const auto& one : {CheckReading(c), CheckFloor(c), CheckPurged(c), path}) {
    if (!one) continue;
    out.push_back(
        {.rule = RuleId::PolicyChange,
         .severity = facts.change.weakening_severity,
         .message = fmt::format("this change removes a protection ({} list `{}`{}): {}", one->key,
                                c.before.name, one->key == kReading ? " is read" : "", one->what),
         .file = facts.change.config_path,
         .fix = AllowPolicyChange(one->fix)});
  }
  return out;
}

}  // namespace revctl::commands
