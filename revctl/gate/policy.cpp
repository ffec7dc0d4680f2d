// Checks how a change edits the config.
#include <algorithm>
#include <set>

#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/ledger/chain.h"
#include "revctl/list/reading/source.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// A config key whose new value removes a protection, and what that protection covered.
struct EndOfProtection {
  std::string key, what;
  int line = 0;
};

/// True if the allowance is for a rule that protects landed revisions. Such an allowance would let
/// the next change edit them.
bool ProtectsLanded(const config::Allowance& allowance) {
  const findings::Rule* rule = findings::FindRule(allowance.rule);
  return rule != nullptr && rule->Is(findings::Rule::kProtectsLanded);
}

std::vector<EndOfProtection> RemovedProtections(const config::Config& before,
                                                const config::Config& after,
                                                const std::optional<std::string>& ledger) {
  const bool has_ledger = ledger.has_value();
  std::vector<EndOfProtection> out;
  if (before.target != after.target)
    out.push_back(
        {"target", fmt::format("the lists on {} would no longer be checked", before.target)});
  for (const std::string& glob : before.releases) {
    if (std::find(after.releases.begin(), after.releases.end(), glob) == after.releases.end())
      out.push_back({"releases", fmt::format("branches like {} would no longer be checked", glob)});
  }
  if (has_ledger && before.ledger != after.ledger)
    out.push_back({"ledger", before.ledger + " would no longer be protected"});
  if (has_ledger && !before.ledger_id.empty() && before.ledger_id != after.ledger_id)
    out.push_back(
        {"ledger_id",
         fmt::format(
             "a different ledger could reassign numbers that ledger {} has already assigned",
             before.ledger_id.substr(0, 12))});
  if (has_ledger && before.ledger_id.empty() && !after.ledger_id.empty() && !ledger->empty() &&
      after.ledger_id != *ledger)
    out.push_back(
        {"ledger_id", fmt::format("the existing ledger is {}, so no revision could be reserved",
                                  ledger->substr(0, 12))});
  for (const config::Allowance& one : after.allow) {
    const bool old =
        std::any_of(before.allow.begin(), before.allow.end(), [&](const config::Allowance& a) {
          return a.rule == one.rule && a.name == one.name &&
                 (a.until == one.until || a.until.empty());
        });
    if (old || !ProtectsLanded(one)) continue;
    out.push_back(
        {"allow",
         fmt::format("allowing {}{} would let the next change edit landed revisions or goldens",
                     one.rule, one.name.empty() ? "" : " for " + one.name),
         one.line});
  }
  return out;
}

}  // namespace

Result<Severity> WeakeningSeverity(const git::Repository& repository) {
  TRY(auto value, repository.ConfigValue("revctl.allowPolicyChange"));
  const bool allowed =
      value && (*value == "true" || *value == "yes" || *value == "on" || *value == "1");
  return allowed ? Severity::Warning : Severity::Error;
}

std::string AllowPolicyChange(const std::string& fix) {
  return fix +
         "\nif the team wants this change, allow it temporarily in the repository where the "
         "check runs (on the server or in CI): git config revctl.allowPolicyChange true";
}

Findings CheckPolicy(const PolicyChange& change, Severity weakening) {
  const config::Config &before = change.before, &after = change.after;
  Findings out;
  const auto add = [&](RuleId rule, Severity severity, int line, std::string message,
                       std::string fix) {
    out.push_back({.rule = rule,
                   .severity = severity,
                   .message = std::move(message),
                   .file = change.file,
                   .line = line,
                   .fix = std::move(fix)});
  };
  for (const auto& list : before.lists) {
    if (after.ListNamed(list.name) != nullptr) continue;
    add(RuleId::LandedRemoved, weakening, 0,
        fmt::format(
            "list `{}` ({}) was removed from .revctl.yaml, but its landed revisions must stay",
            list.name, list.path),
        AllowPolicyChange("restore it"));
  }
  std::set<std::string> reported;
  for (const EndOfProtection& end : RemovedProtections(before, after, change.ledger)) {
    reported.insert(end.key);
    add(RuleId::PolicyChange, weakening, end.line,
        fmt::format("this change removes a protection ({}): {}", end.key, end.what),
        AllowPolicyChange("restore the old value"));
  }
  for (const std::string& key : config::PolicyChanges(before, after)) {
    if (reported.contains(key)) continue;
    add(RuleId::PolicyChange, Severity::Warning, 0,
        fmt::format("this change edits the policy ({}); the edit takes effect after it has landed",
                    key),
        "land it as a separate change, reviewed by the list owners");
  }
  return out;
}

// ---- the keys of a list

namespace {

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

/// Returns the first landed name that also occurs in `list`, or "" if all are missing.
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
