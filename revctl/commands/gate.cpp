#include "revctl/commands/gate.h"

#include <algorithm>
#include <ctime>
#include <set>

#include "golden/index.h"
#include "revctl/commands/gate_parts.h"
#include "revctl/commands/views.h"
#include "revctl/git/text_merge.h"
#include "revctl/list/merge.h"
#include "revctl/list/rules.h"

namespace revctl::commands {
namespace {

using findings::Error;
using findings::Exit;
using findings::Finding;
using findings::Result;
using findings::Severity;

/// One list on its three sides, as text and, where it can be read, evaluated.
struct ThreeSides {
  list::ListConfig config;   ///< as the change has it
  std::string path;          ///< from the repository's root
  std::optional<std::string> base, target, ours;
};

std::optional<config::Config> ParseAt(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  auto parsed = config::ParseConfig(*text, config::kFileName);
  if (!parsed.ok()) return std::nullopt;
  return std::move(*parsed);
}

const list::ListConfig* ListNamed(const std::optional<config::Config>& config, const std::string& name) {
  if (!config) return nullptr;
  for (const auto& list : config->lists) {
    if (list.name == name) return &list;
  }
  return nullptr;
}

/// `src/list.h:12:3: why` as a finding at line 12.
Finding Unreadable(const std::string& path, const Error& error) {
  Finding finding{"RV016", Severity::Error, error.message, path, 0, "", error.fix, "", "", "", ""};
  const std::string lead = path + ":";
  if (error.message.starts_with(lead)) {
    finding.line = std::atoi(error.message.c_str() + lead.size());
    const std::size_t text = error.message.find(": ");
    if (text != std::string::npos) finding.message = error.message.substr(text + 2);
  }
  return finding;
}

/// Positions are those of the merged text; people look at their own file.
void PlaceInOurs(std::vector<Finding>& found, const list::RevisionList& ours, const std::string& path) {
  for (Finding& finding : found) {
    finding.file = path;
    const list::Entry* entry = finding.revision.empty() ? nullptr : ours.Find(finding.revision);
    if (entry != nullptr) finding.line = entry->line;
  }
}

class ListGate {
 public:
  ListGate(const GateRequest& request, const config::Config& policy, ThreeSides sides, std::vector<Finding>& out)
      : request_(request), policy_(policy), sides_(std::move(sides)), out_(out) {}

  Result<findings::Done> Run() {
    if (!sides_.ours) {
      if (!sides_.target && !sides_.base) {
        Add("RV016", "there is no such file, though list `" + sides_.config.name + "` of .revctl.yaml names it", 0, "",
            "revctl init, or mend `path` in .revctl.yaml");
      } else {
        Add("RV016", "the list is gone; landed revisions stay for good", 0, "",
            "git checkout " + (request_.target ? request_.target->substr(0, 10) : "HEAD") + " -- " + sides_.path);
      }
      return findings::Done{};
    }
    if (const int line = list::ConflictMarkerLine(*sides_.ours); line != 0) {
      Add("RV015", "conflict markers were left here", line, "", "revctl resolve " + sides_.path);
      return findings::Done{};
    }
    auto ours = list::Parse(*sides_.ours, sides_.config, sides_.path);
    if (!ours.ok()) {
      out_.push_back(Unreadable(sides_.path, ours.error()));
      return findings::Done{};
    }
    ours_ = std::move(*ours);
    ReadLanded();
    if (request_.scope == GateRequest::Scope::Commit) return JudgeCommit();
    JudgeMerged();
    if (request_.scope == GateRequest::Scope::Release) {
      auto judged = JudgeRelease();
      if (!judged.ok()) return judged;
    }
    return JudgeGoldens();
  }

  const list::RevisionList& ours() const { return ours_; }
  std::vector<const list::Entry*> Pending() const { return Numbering{landed(), &ours_, {}}.Pending(); }

 private:
  const list::RevisionList* landed() const { return landed_ ? &*landed_ : nullptr; }

  void Add(std::string rule, std::string message, int line, std::string revision, std::string fix, Severity severity = Severity::Error) {
    out_.push_back({std::move(rule), severity, std::move(message), sides_.path, line, std::move(revision), std::move(fix), "", "", "", ""});
  }

  /// A target that cannot be read any more must not lock out the change that mends it: then the change is judged alone.
  void ReadLanded() {
    if (!sides_.target) {
      // The change that brings the list: what it brings is what the line begins with. Nothing could be reserved before it.
      landed_ = ours_;
      return;
    }
    auto landed = list::Parse(*sides_.target, sides_.config, sides_.path);
    if (landed.ok()) {
      landed_ = std::move(*landed);
    } else {
      Add("RV016", "the list on " + request_.target_label + " cannot be read (" + landed.error().message + "): what has landed is not known", 0, "",
          "mend it with this change", Severity::Warning);
    }
  }

  list::JudgedLists Lists(const list::RevisionList& merged) const {
    list::JudgedLists lists;
    lists.target = landed();
    lists.merged = &merged;
    lists.target_label = request_.target_label;
    lists.reservation_required = policy_.reservation_required;
    if (request_.ledger != nullptr && request_.ledger->tip) {
      lists.reservations.emplace();
      auto found = request_.ledger->state.lists.find(sides_.config.name);
      if (found != request_.ledger->state.lists.end()) {
        lists.high_water = found->second.high_water.value_or(0);
        for (const auto& r : found->second.open) lists.reservations->push_back({r.name, r.number, r.who.Text()});
      }
    }
    return lists;
  }

  /// pre-commit: against the fork point, for what is wrong on any branch.
  findings::Result<findings::Done> JudgeCommit() {
    std::optional<list::RevisionList> base;
    if (sides_.base) {
      auto parsed = list::Parse(*sides_.base, sides_.config, sides_.path);
      if (parsed.ok()) base = std::move(*parsed);
    }
    landed_ = std::move(base);
    list::JudgedLists lists = Lists(ours_);
    auto found = list::Judge(lists, sides_.config);
    std::erase_if(found, [](const Finding& f) { return f.rule == "RV006" || f.rule == "RV011" || f.rule == "RV012"; });
    PlaceInOurs(found, ours_, sides_.path);
    out_.insert(out_.end(), found.begin(), found.end());
    return findings::Done{};
  }

  void JudgeMerged() {
    list::RevisionList merged = ours_;
    bool conflict = false;
    if (landed_ && sides_.target != sides_.base) {
      git::TextMergeLabels labels;
      labels.ours = "this change";
      labels.theirs = request_.target_label;
      auto text = git::TextMerge(sides_.base.value_or(""), *sides_.ours, *sides_.target, labels);
      conflict = !text.ok() || text->conflict;
      if (conflict) {
        const list::Entry* first = Pending().empty() ? nullptr : Pending().front();
        Add("RV017", "does not merge with " + request_.target_label + " as text, which is what a host's merge button does",
            first == nullptr ? 0 : first->line, first == nullptr ? "" : first->name,
            "git merge " + request_.target_label + " (or pull --rebase; the merge driver resolves it), then revctl renumber");
      } else {
        auto parsed = list::Parse(text->text, sides_.config, sides_.path);
        if (parsed.ok()) {
          merged = std::move(*parsed);
        } else {
          Add("RV017", "merges with " + request_.target_label + " into a list that cannot be read: " + parsed.error().message, 0, "",
              "git merge " + request_.target_label + ", then revctl resolve");
          conflict = true;
        }
      }
    }
    auto found = list::Judge(Lists(merged), sides_.config);
    if (conflict) {
      // Judged as it stands: being behind the target is not a deletion, and what only the target has is not this change's.
      std::optional<list::RevisionList> base;
      if (auto parsed = list::Parse(sides_.base.value_or(""), sides_.config, sides_.path); parsed.ok()) base = std::move(*parsed);
      std::erase_if(found, [&](const Finding& f) {
        if (f.rule == "RV003" || f.rule == "RV004" || f.rule == "RV005" || f.rule == "RV007" || f.rule == "RV008") {
          return !base || base->Find(f.revision) == nullptr;
        }
        return false;
      });
    }
    const bool frozen_broken = std::any_of(found.begin(), found.end(), [](const Finding& f) { return f.rule <= "RV005"; });
    if (request_.scope == GateRequest::Scope::Release) {
      std::erase_if(found, [](const Finding& f) { return f.rule == "RV006" || f.rule == "RV011" || f.rule == "RV012"; });
    }
    PlaceInOurs(found, ours_, sides_.path);
    out_.insert(out_.end(), found.begin(), found.end());
    if (conflict) return;
    for (const list::Entry* entry : Pending()) {
      const list::Entry* after = merged.Find(entry->name);
      if (after != nullptr && after->number == entry->number) continue;
      Add("RV017", entry->name + " is " + std::to_string(entry->number) + " here, and " +
                       (after == nullptr ? "gone" : std::to_string(after->number)) + " once git has merged " + request_.target_label,
          entry->line, entry->name, "git merge " + request_.target_label + ", then revctl resolve && revctl renumber");
    }
    if (!frozen_broken) JudgeLineages(merged);
  }

  /// RV023: whatever changed what a landed file's header means, and no other rule has named.
  void JudgeLineages(const list::RevisionList& merged) {
    if (!landed_) return;
    const auto* before_config = landed_config_ != nullptr ? landed_config_ : &sides_.config;
    const auto before = list::Lineages(*landed_, LineageRoot(*before_config));
    const auto after = list::Lineages(merged, LineageRoot(sides_.config));
    for (const list::Lineage& old : before) {
      auto now = std::find_if(after.begin(), after.end(), [&](const list::Lineage& l) { return l.name == old.name; });
      if (now == after.end() || now->hash == old.hash) continue;
      const list::Entry* entry = ours_.Find(old.name);
      Add("RV023", "the lineage of " + old.name + " changes from " + list::LineageText(old.hash) + " to " + list::LineageText(now->hash) +
                       ": every file written since then would be foreign",
          entry == nullptr ? 0 : entry->line, old.name, "leave what stands before " + old.name + " as " + request_.target_label + " has it");
      return;  // those behind it follow from it
    }
  }

  findings::Result<findings::Done> JudgeRelease() {
    if (!request_.main_tip) {
      return Error{Exit::Environment, request_.main_label + " is not known here, which a release's list must be a prefix of", "revctl check --fetch"};
    }
    auto text = request_.repository->ReadFile(*request_.main_tip, sides_.path);
    if (!text.ok()) return text.error();
    auto main = list::Parse(text->value_or(""), sides_.config, sides_.path);
    if (!main.ok()) return main.error();
    const list::Entry* oldest = sides_.config.oldest.empty() ? nullptr : main->Find(sides_.config.oldest);
    const auto line = main->Revisions();
    std::set<std::string> ours_names;
    for (const list::Entry* entry : ours_.Revisions()) ours_names.insert(entry->name);
    std::string missing;
    for (const list::Entry* entry : line) {
      if (oldest != nullptr && entry->number < oldest->number) continue;
      const list::Entry* mine = ours_.Find(entry->name);
      if (mine == nullptr) {
        if (missing.empty()) missing = entry->name;
        continue;
      }
      ours_names.erase(entry->name);
      if (mine->number != entry->number) {
        Add("RV018", entry->name + " is " + std::to_string(mine->number) + " here and " + std::to_string(entry->number) + " on " + request_.main_label,
            mine->line, entry->name, "give it the number of " + request_.main_label);
      } else if (!missing.empty()) {
        Add("RV018", entry->name + " (" + std::to_string(entry->number) + ") is here without " + missing + ", which stands before it on " +
                         request_.main_label + ": files of " + entry->name + " would be read as if they had the fields of " + missing,
            mine->line, entry->name,
            "a single revision cannot be back-ported: bring every revision up to it, or make the fix without a new field");
      }
    }
    for (const std::string& name : ours_names) {
      const list::Entry* mine = ours_.Find(name);
      if (oldest != nullptr && mine->number < oldest->number) continue;
      Add("RV018", name + " is on no line of " + request_.main_label + ": a release takes no revision of its own", mine->line, name,
          "land it on " + request_.main_label + " first, then bring all revisions up to it");
    }
    return findings::Done{};
  }

  findings::Result<findings::Done> JudgeGoldens() {
    if (sides_.config.golden.empty()) return findings::Done{};
    const std::string folder = request_.prefix + sides_.config.golden;
    if (request_.target) {
      auto changed = request_.side.ChangedSince(*request_.target, folder);
      if (!changed.ok()) return changed.error();
      std::optional<std::set<std::string>> since_base;
      if (!changed->empty() && base_ && *base_ != *request_.target) {
        auto touched = request_.side.ChangedSince(*base_, folder);
        if (!touched.ok()) return touched.error();
        since_base.emplace(touched->begin(), touched->end());
        auto base_files = request_.repository->ListFiles(*base_, folder);
        if (!base_files.ok()) return base_files.error();
        // Behind the target: neither the base nor this side has the file, or has the newer bytes.
        std::set<std::string> at_base;
        for (const auto& file : *base_files) at_base.insert(folder + "/" + file.path);
        std::erase_if(*changed, [&](const std::string& path) {
          if (at_base.contains(path)) return !since_base->contains(path);
          auto here = request_.side.Exists(path);
          return here.ok() && !*here;
        });
      }
      for (const std::string& path : *changed) {
        auto name = golden::ParseFileName(std::string_view(path).substr(folder.size() + 1));
        if (!name) continue;
        if (name->kind != golden::FileName::Kind::Approval && (!landed_ || landed_->Find(name->revision) == nullptr)) continue;
        auto here = request_.side.Exists(path);
        out_.push_back({"RV019", Severity::Error,
                        std::string("the golden ") + (name->revision.empty() ? "approval" : "of the landed " + name->revision) +
                            (here.ok() && *here ? " was edited" : " was removed") + "; files like it are in users' hands",
                        path, 0, name->revision, "git checkout " + request_.target_label + " -- " + path, "", "", "", ""});
      }
    }
    if (request_.scope != GateRequest::Scope::Landing) return findings::Done{};
    for (const list::Entry* entry : Pending()) {
      const std::string file = folder + "/" + golden::FileNameText({golden::FileName::Kind::Record, entry->name, ""});
      auto here = request_.side.Exists(file);
      if (!here.ok()) return here.error();
      if (!*here) {
        Add("RV020", entry->name + " has no goldens (" + file + "): files of this revision could break unnoticed", entry->line, entry->name,
            "run your harness with `record`, and commit " + file);
      }
    }
    return findings::Done{};
  }

 public:
  std::optional<git::Oid> base_;
  const list::ListConfig* landed_config_ = nullptr;

 private:
  const GateRequest& request_;
  const config::Config& policy_;
  ThreeSides sides_;
  std::vector<Finding>& out_;
  list::RevisionList ours_;
  std::optional<list::RevisionList> landed_;
};

std::string Today() {
  const std::time_t now = std::time(nullptr);
  return DateText(now).substr(0, 10);
}

/// Takes out what the target's policy allows; RV025 for allowances that have run out or allow nothing.
void ApplyAllowances(const config::Config& policy, const std::string& file, std::vector<Finding>& found) {
  const std::string today = Today();
  for (const config::Allowance& allowance : policy.allow) {
    const std::string what = allowance.rule + (allowance.name.empty() ? "" : " for " + allowance.name);
    if (!allowance.until.empty() && allowance.until < today) {
      found.push_back({"RV025", Severity::Warning, "the allowance of " + what + " ended on " + allowance.until, file, allowance.line,
                       allowance.name, "mend the finding, or agree on a new date, and edit `allow`", "", "", "", ""});
      continue;
    }
    const auto gone = std::erase_if(found, [&](const Finding& f) {
      return f.rule == allowance.rule && (allowance.name.empty() || allowance.name == f.revision);
    });
    if (gone == 0) {
      found.push_back({"RV025", Severity::Warning, "nothing needs the allowance of " + what + " any more", file, allowance.line,
                       allowance.name, "take it out of `allow`", "", "", "", ""});
    }
  }
}

}  // namespace

Result<std::vector<Finding>> RunGate(const GateRequest& request) {
  std::vector<Finding> out;
  const std::string config_path = request.prefix + std::string(config::kFileName);
  auto ours_text = request.side.Read(config_path);
  if (!ours_text.ok()) return ours_text.error();
  if (!ours_text->has_value()) return Error{Exit::Usage, config_path + ": this change has none", "revctl init"};
  auto ours = config::ParseConfig(**ours_text, config_path);
  if (!ours.ok()) return ours.error();

  std::optional<config::Config> target_config;
  if (request.target) {
    auto text = request.repository->ReadFile(*request.target, config_path);
    if (!text.ok()) return text.error();
    target_config = ParseAt(*text);
  }
  // Before the target has a policy of its own, the change that brings one is judged by it.
  const config::Config& policy = target_config ? *target_config : *ours;

  auto head = request.side.Head();
  if (!head.ok()) return head.error();
  std::optional<git::Oid> base = request.base;
  if (!base && *head && request.target) {
    auto found = request.repository->MergeBase(**head, *request.target);
    if (!found.ok()) return found.error();
    base = *found;
    if (!base) {
      auto shallow = request.repository->IsShallow();
      if (shallow.ok() && *shallow) {
        return Error{Exit::Environment, "this clone is shallow: where the change left " + request.target_label + " is not known",
                     "git fetch --unshallow, or in CI fetch-depth: 0, or revctl check --base COMMIT"};
      }
    }
  }

  for (const list::ListConfig& list : ours->lists) {
    if (!request.only_list.empty() && request.only_list != list.name && request.only_list != list.path) continue;
    ThreeSides sides;
    sides.config = list;
    sides.path = request.prefix + list.path;
    const list::ListConfig* landed_config = ListNamed(target_config, list.name);
    auto read = request.side.Read(sides.path);
    if (!read.ok()) {
      out.push_back(Unreadable(sides.path, read.error()));
      continue;
    }
    sides.ours = std::move(*read);
    if (request.target) {
      auto text = request.repository->ReadFile(*request.target, request.prefix + (landed_config != nullptr ? landed_config->path : list.path));
      if (!text.ok()) return text.error();
      sides.target = std::move(*text);
    }
    if (base) {
      std::string path = list.path;
      auto base_config = request.repository->ReadFile(*base, config_path);
      if (base_config.ok()) {
        const auto parsed = ParseAt(*base_config);
        if (const auto* there = ListNamed(parsed, list.name)) path = there->path;
      }
      auto text = request.repository->ReadFile(*base, request.prefix + path);
      if (!text.ok()) return text.error();
      sides.base = std::move(*text);
    }
    ListGate gate(request, policy, std::move(sides), out);
    gate.base_ = base;
    gate.landed_config_ = landed_config;
    auto judged = gate.Run();
    if (!judged.ok()) return judged.error();
    if (request.use_in_code && !gate.ours().entries.empty()) {
      auto used = JudgeUse(request, list, gate.ours(), gate.Pending(), out);
      if (!used.ok()) return used.error();
    }
  }

  if (target_config && request.scope != GateRequest::Scope::Commit) {
    ApplyAllowances(*target_config, config_path, out);
    for (const auto& list : target_config->lists) {
      if (ListNamed(*ours, list.name) == nullptr) {
        out.push_back({"RV003", Severity::Error, "list `" + list.name + "` (" + list.path + ") is taken out of .revctl.yaml: its landed revisions stay for good",
                       config_path, 0, "", "put it back", "", "", "", ""});
      }
    }
    const bool behind = base && request.target && *base != *request.target;
    std::optional<config::Config> base_config;
    if (behind) {
      auto text = request.repository->ReadFile(*base, config_path);
      if (text.ok()) base_config = ParseAt(*text);
    }
    // What the target has changed since is the target's doing, not this change's.
    for (const std::string& key : config::PolicyChanges(base_config ? *base_config : *target_config, *ours)) {
      out.push_back({"RV024", Severity::Warning, "this change edits the policy (" + key + "); it counts once it has landed", config_path, 0, "",
                     "land it on its own, seen by those who own the list", "", "", "", ""});
    }
  }
  return out;
}

}  // namespace revctl::commands
