// Checks the config: the target's temporary allowances, and the config's changes in the change
// under review.
#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <set>

#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/ledger/chain.h"
#include "revctl/list/reading/source.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

std::string Today() {
  const std::time_t now = std::time(nullptr);
  return DateText(now).substr(0, 10);
}

/// A config key whose new value would disable a check.
struct EndOfProtection {
  std::string key, what;
  int line = 0;
};

/// True for a rule that protects what has landed. Allowing the rule lets the next change edit
/// landed revisions.
bool ProtectsLanded(const config::Allowance& allowance) {
  const findings::Rule* rule = findings::FindRule(allowance.rule);
  return rule != nullptr && rule->Is(findings::Rule::kProtectsLanded);
}

std::vector<EndOfProtection> Ends(const config::Config& before, const config::Config& after,
                                  const std::optional<std::string>& ledger) {
  const bool has_ledger = ledger.has_value();
  std::vector<EndOfProtection> out;
  if (before.target != after.target)
    out.push_back(
        {"target", fmt::format("the lists of {} would be judged by nothing", before.target)});
  for (const std::string& glob : before.releases) {
    if (std::find(after.releases.begin(), after.releases.end(), glob) == after.releases.end())
      out.push_back({"releases", fmt::format("branches like {} would be judged by nothing", glob)});
  }
  if (has_ledger && before.ledger != after.ledger)
    out.push_back({"ledger", before.ledger + " would be guarded by nothing"});
  if (has_ledger && !before.ledger_id.empty() && before.ledger_id != after.ledger_id)
    out.push_back(
        {"ledger_id", fmt::format("another ledger would give numbers again that {} has given",
                                  before.ledger_id.substr(0, 12))});
  if (has_ledger && before.ledger_id.empty() && !after.ledger_id.empty() && !ledger->empty() &&
      after.ledger_id != *ledger)
    out.push_back(
        {"ledger_id", fmt::format("the ledger there is {}, and no revision could be reserved",
                                  ledger->substr(0, 12))});
  for (const config::Allowance& one : after.allow) {
    const bool old =
        std::any_of(before.allow.begin(), before.allow.end(), [&](const config::Allowance& a) {
          return a.rule == one.rule && a.name == one.name &&
                 (a.until == one.until || a.until.empty());
        });
    if (old || !ProtectsLanded(one)) continue;
    out.push_back({"allow",
                   fmt::format("{}{} would let the next change edit what has landed", one.rule,
                               one.name.empty() ? "" : " for " + one.name),
                   one.line});
  }
  return out;
}

}  // namespace

void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     std::vector<Finding>& found) {
  const std::string today = Today();
  // Index the allowances, because they and the findings may be many. The first match wins.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> by_key;
  for (std::size_t i = 0; i < policy.allow.size(); ++i) {
    const config::Allowance& one = policy.allow[i];
    if (one.until.empty() || one.until >= today) by_key.emplace(std::pair(one.rule, one.name), i);
  }
  std::vector<bool> used(policy.allow.size());
  std::erase_if(found, [&](const Finding& f) {
    const std::string_view rule = findings::NameOf(f.rule);
    const auto any = by_key.find({rule, ""}), named = by_key.find({rule, f.revision});
    std::size_t first = used.size();
    for (const auto& place : {any, named}) {
      if (place != by_key.end()) first = std::min(first, place->second);
    }
    if (first != used.size()) used[first] = true;
    return first != used.size();
  });
  for (std::size_t i = 0; i < policy.allow.size(); ++i) {
    const config::Allowance& allowance = policy.allow[i];
    const std::string what =
        allowance.rule + (allowance.name.empty() ? "" : " for " + allowance.name);
    if (!allowance.until.empty() && allowance.until < today) {
      found.push_back({RuleId::UselessAllowance, Severity::Warning,
                       fmt::format("the allowance of {} ended on {}", what, allowance.until), file,
                       allowance.line, allowance.name,
                       "mend the finding, or agree on a new date, and edit `allow`"});
    } else if (!used[i] && complete) {
      found.push_back({RuleId::UselessAllowance, Severity::Warning,
                       fmt::format("nothing needs the allowance of {} any more", what), file,
                       allowance.line, allowance.name, "take it out of `allow`"});
    }
  }
}

Result<Severity> SeverityOfEnds(const git::Repository& repository) {
  TRY(auto value, repository.ConfigValue("revctl.allowPolicyChange"));
  const bool allowed =
      value && (*value == "true" || *value == "yes" || *value == "on" || *value == "1");
  return allowed ? Severity::Warning : Severity::Error;
}

std::string AllowPolicyChange(const std::string& mend) {
  return mend +
         "; where the team means it, in the repository that judges (the server's, or CI's clone): "
         "git config revctl.allowPolicyChange true, for this change alone";
}

void CheckPolicy(const PolicyChange& change, Severity ends, std::vector<Finding>& out) {
  const config::Config &before = change.before, &after = change.after;
  for (const auto& list : before.lists) {
    if (after.ListNamed(list.name) != nullptr) continue;
    out.push_back(
        {RuleId::LandedRemoved, ends,
         fmt::format(
             "list `{}` ({}) is taken out of .revctl.yaml: its landed revisions stay for good",
             list.name, list.path),
         change.file, 0, "", AllowPolicyChange("put it back")});
  }
  std::set<std::string> told;
  for (const EndOfProtection& end : Ends(before, after, change.ledger)) {
    told.insert(end.key);
    out.push_back({RuleId::PolicyChange, ends,
                   fmt::format("this change ends protection ({}): {}", end.key, end.what),
                   change.file, end.line, "", AllowPolicyChange("leave it as it was")});
  }
  for (const std::string& key : config::PolicyChanges(before, after)) {
    if (told.contains(key)) continue;
    out.push_back(
        {RuleId::PolicyChange, Severity::Warning,
         fmt::format("this change edits the policy ({}); it counts once it has landed", key),
         change.file, 0, "", "land it on its own, seen by those who own the list"});
  }
}

namespace {

using findings::Severity;

constexpr std::string_view kReading = "how";

class ListPolicy {
 public:
  ListPolicy(const ListGate& gate, const ListPolicyChange& change, Severity ends,
             std::vector<findings::Finding>& out)
      : gate_(gate), change_(change), ends_(ends), out_(out) {}

  Result<Done> Run() {
    CheckReading();
    CheckFloor();
    CheckPurged();
    return CheckPath();
  }

 private:
  void Add(std::string_view key, const std::string& what, const std::string& mend) {
    out_.push_back({RuleId::PolicyChange, ends_,
                    fmt::format("this change ends protection ({} list `{}`{}): {}", key,
                                change_.before.name, key == kReading ? " is read" : "", what),
                    change_.file, 0, "", AllowPolicyChange(mend)});
  }

  /// Checks that landed revisions are still revisions under the changed keys.
  void CheckReading() {
    const list::ListConfig &before = change_.before, &after = change_.after;
    if (before.prefix == after.prefix && before.enum_name == after.enum_name &&
        before.aliases == after.aliases && before.sentinel == after.sentinel &&
        before.current == after.current)
      return;
    const std::string mend = "leave prefix, enum, aliases, sentinel and current alone";
    const auto now = list::Parse(gate_.ours().text, after, after.path);
    if (!now.ok())
      return Add(kReading, "it could not be read any more: " + now.error().message, mend);
    for (const list::Entry& entry : gate_.ours().entries) {
      if (entry.kind != list::EntryKind::Revision || gate_.landed()->Find(entry.name) == nullptr)
        continue;
      const list::Entry* const found = now->Find(entry.name);
      if (found != nullptr && found->kind == list::EntryKind::Revision) continue;
      return Add(kReading, fmt::format("the landed {} would be no revision any more", entry.name),
                 mend);
    }
  }

  /// Reports a new `path` while code can still include the old file, which would go unchecked.
  Result<Done> CheckPath() {
    const std::string& old = change_.before.path;
    if (old == change_.after.path) return Done{};
    const GateRequest& request = gate_.request();
    TRY(const auto text, request.side.Read(request.prefix + old));
    if (!text) return Done{};
    const auto left = list::Parse(*text, change_.before, old);
    const std::string name = left.ok() ? EntryOf(*left) : EntryInCode(*text);
    if (!name.empty())
      Add("path of",
          fmt::format("{} stays in {}{} as well, which nothing would judge", name, request.prefix,
                      old),
          "git mv moves the list, and nothing stays behind");
    return Done{};
  }

  /// Returns a landed name that `list` also has, or "".
  std::string EntryOf(const list::RevisionList& list) const {
    for (const list::Entry& entry : gate_.landed()->entries) {
      if (list.Find(entry.name) != nullptr) return entry.name;
    }
    return "";
  }

  /// Returns a landed name that occurs next to an enum in `text`, which a compiler may still read
  /// as a list. If macros could generate names, returns the first landed name. Else "".
  std::string EntryInCode(std::string_view text) const {
    const list::RevisionList& landed = *gate_.landed();
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

  /// Checks that numbers given before the switch to `at-landing` are not given again.
  void CheckFloor() {
    const list::ListConfig &before = change_.before, &after = change_.after;
    if (after.numbers != list::Numbers::AtLanding) return;
    const list::Entry* const latest = gate_.landed()->Latest();
    std::optional<std::int64_t> given = before.floor;
    if (before.numbers != list::Numbers::AtLanding && change_.mark)
      given = std::max(given.value_or(*change_.mark), *change_.mark);
    std::optional<std::int64_t> next = after.floor;
    if (latest != nullptr) next = std::max(next.value_or(latest->number), latest->number);
    if (given && (!next || *next < *given))
      return Add("floor of", fmt::format("numbers up to {} would be given again", *given),
                 fmt::format("floor: \"{}\"", *given));
    if (!after.floor || after.floor == before.floor) return;
    const std::optional<std::int64_t> landed =
        latest == nullptr ? std::nullopt : std::optional(latest->number);
    if (ledger::TooFar(*after.floor, std::max(given, landed)))
      Add("floor of",
          fmt::format("numbers would go on from {}, far beyond all others", *after.floor),
          "revctl convert-numbers at-landing writes the right one");
  }

  /// Checks that purged names stay purged, and that no other names are purged.
  void CheckPurged() {
    for (const std::string& name : change_.before.purged) {
      if (change_.after.purged.contains(name) || !change_.landed.purged.contains(name)) continue;
      return Add("purged names of", name + " had landed, and could land again",
                 fmt::format("put {} back", name));
    }
    for (const std::string& name : change_.after.purged) {
      if (change_.before.purged.contains(name) || change_.landed.purged.contains(name)) continue;
      if (gate_.landed()->Find(name) != nullptr) continue;
      return Add("purged names of", name + " has not landed, and could never be reserved",
                 fmt::format("take {} out; revctl purge writes the names", name));
    }
  }

  const ListGate& gate_;
  const ListPolicyChange& change_;
  const Severity ends_;
  std::vector<findings::Finding>& out_;
};

}  // namespace

Result<Done> CheckListPolicy(const ListGate& gate, const ListPolicyChange& change, Severity ends,
                             std::vector<findings::Finding>& out) {
  return ListPolicy(gate, change, ends, out).Run();
}

}  // namespace revctl::commands
