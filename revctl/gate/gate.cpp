// Runs the gate over every list of a change: finds the config that applies, and the three sides of
// each list.
#include "revctl/gate/gate.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/gate/list_gate.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/list_at.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

const list::ListConfig* ListNamed(const std::optional<config::Config>& config,
                                  const std::string& name) {
  return config ? config->ListNamed(name) : nullptr;
}

/// Returns the config for checking a list. The target's config decides how the list is parsed, even
/// if this change edits `prefix` or `aliases`. The change's own config decides where the file is,
/// and has the keys that a purge writes. Keys that the change did not touch come from the target,
/// because that is what the merge yields.
list::ListConfig ConfigOfCheck(const list::ListConfig& ours, const list::ListConfig* landed,
                               const list::ListConfig* base) {
  if (landed == nullptr) return ours;
  list::ListConfig out = *landed;
  out.path = ours.path;
  if (base == nullptr || base->oldest != ours.oldest) out.oldest = ours.oldest;
  if (base == nullptr || base->lineage_root != ours.lineage_root)
    out.lineage_root = ours.lineage_root;
  out.purged.insert(ours.purged.begin(), ours.purged.end());  // keep what the target has purged
  const std::string& began = base == nullptr ? landed->golden : base->golden;
  if (out.golden.empty() || (ours.golden != began && !ours.golden.empty()))
    out.golden = ours.golden;
  return out;
}

Result<base::Done> CheckUseOf(const GateRequest& request, const config::Config& ours,
                              const std::vector<std::unique_ptr<ListGate>>& gates,
                              std::vector<Finding>& out) {
  std::vector<ListInCode> lists;
  bool any_pending = false;
  for (const auto& gate : gates) {
    if (gate->ours().entries.empty()) continue;
    lists.push_back({gate.get(), gate->sides().path, ListOption(ours, gate->config())});
    any_pending = any_pending || !gate->Pending().empty();
  }
  if (request.scope == GateRequest::Scope::Landing) return CheckUse(request, lists, out);
  return any_pending ? CheckReleaseUse(request, lists, out) : base::Done{};
}

std::optional<std::int64_t> LedgerMark(const GateRequest& request, const std::string& name) {
  if (request.ledger == nullptr) return std::nullopt;
  const auto found = request.ledger->state.lists.find(name);
  return found == request.ledger->state.lists.end() ? std::nullopt : found->second.high_water;
}

/// Reads the pending files of the three sides if the list has `numbers: at-landing`.
Result<base::Done> ReadPendingSides(const GateRequest& request, const list::ListConfig& ours,
                                    const list::ListConfig* landed,
                                    const list::ListConfig* base_list,
                                    const std::optional<git::Oid>& base, ThreeSides& sides,
                                    std::vector<Finding>& out) {
  list::ListConfig here = sides.config;
  here.numbers = list::Numbers::AtLanding;
  sides.pending.turns = AtLanding(ours) && !AtLanding(sides.config);
  // If the folder is missing in the work tree, skip asking git what is staged.
  std::error_code error;
  if (!AtLanding(sides.config) && !AtLanding(ours) && !request.side.IsCommit() &&
      !std::filesystem::exists(
          request.repository->root() + "/" + request.prefix + pending::Folder(here), error))
    return base::Done{};
  const std::string folder = request.prefix + pending::Folder(here);
  std::vector<pending::PendingText> mine;
  auto is_folder = AtLanding(sides.config) ? MustBeFolder(*request.repository, request.side, folder)
                                           : Result<base::Done>(base::Done{});
  if (is_folder.ok()) {
    TRY(mine, PendingFilesOf(*request.repository, request.side, request.prefix, here));
  } else if (is_folder.error().exit == Exit::Environment) {
    return is_folder;
  } else {
    out.push_back({RuleId::PendingFile, Severity::Error, is_folder.error().message, folder, 0, "",
                   is_folder.error().fix});
  }
  if (!AtLanding(sides.config)) {
    if (!mine.empty())
      out.push_back({RuleId::PendingFile, Severity::Error,
                     fmt::format("{} does not give numbers at landing, and {} waits for one here",
                                 request.target_label, mine.front().file_name),
                     folder + "/" + mine.front().file_name, 0, "",
                     AtLanding(ours) ? "land the change of `numbers` by itself first"
                                     : "revctl sync --adopt reserves it"});
    return base::Done{};
  }
  sides.pending.stays = AtLanding(ours);
  sides.pending.ours = std::move(mine);
  if (request.target && landed != nullptr) {
    TRY(auto there, PendingFilesAt(*request.repository, *request.target, request.prefix, *landed));
    sides.pending.target = std::move(there);
  }
  if (base && base_list != nullptr) {
    TRY(auto before, PendingFilesAt(*request.repository, *base, request.prefix, *base_list));
    sides.pending.base = std::move(before);
  }
  if (!is_folder.ok()) sides.pending.ours = sides.pending.base;  // reported already
  return base::Done{};
}

/// Limit on the total size of all lists, which stay in memory. One blob may be many lists.
constexpr std::size_t kMostListBytes = std::size_t{16} << 20;

/// Returns a fix for an `oldest` that names no revision.
std::string OldestOf(const list::RevisionList& list) {
  const auto revisions = list.Revisions();
  return fmt::format("write `oldest: {}`, or another revision of the list, in .revctl.yaml",
                     revisions.empty() ? "NAME" : revisions.front()->name);
}

Result<std::vector<Finding>> CheckLists(const GateRequest& request) {
  std::vector<Finding> out;
  const std::string config_path = request.prefix + std::string(config::kFileName);
  if (request.side.IsCommit()) {
    TRY(const auto commit, request.side.Head());
    TRY(request.repository->CheckPaths(*commit));
  }
  auto ours_text = request.side.Read(config_path);
  if (!ours_text.ok()) return ours_text.error();
  if (!ours_text->has_value() && !request.target && request.scope == GateRequest::Scope::Release &&
      request.main_tip) {
    // Check a new release branch against the target's lists, whatever its own tree configures.
    ours_text = request.repository->ReadFile(*request.main_tip, config_path);
    if (!ours_text.ok()) return ours_text.error();
  }
  if (!ours_text->has_value()) {
    // The commit predates the config, or `.revctl.yaml` has not been added to git yet. Then there
    // is nothing to protect.
    std::optional<std::string> guarded;
    if (request.target) {
      TRY(auto text, request.repository->ReadFile(*request.target, config_path));
      guarded = std::move(text);
    }
    if (guarded && request.scope != GateRequest::Scope::Commit) {
      TRY(auto ends, SeverityOfEnds(*request.repository));
      out.push_back({RuleId::LandedRemoved, ends,
                     fmt::format("this change removes {}: the lists of {} would be guarded no more",
                                 config_path, request.target_label),
                     config_path, 0, "",
                     AllowPolicyChange(fmt::format("git checkout {} -- {}", request.TargetForGit(),
                                                   base::ShellPath(config_path)))});
    }
    return out;
  }
  TRY(auto ours, config::ParseConfig(**ours_text, config_path));

  std::optional<config::Config> target_config;
  if (request.target) {
    auto there = ConfigAt(*request.repository, *request.target, request.prefix);
    if (there.ok()) {
      target_config = std::move(*there);
    } else if (there.error().exit == Exit::Environment) {
      return there.error();
    } else {
      // Do not block the change that fixes it.
      out.push_back({RuleId::PolicyChange, Severity::Warning,
                     fmt::format("the {} of {} cannot be read: this change is judged by its own",
                                 config_path, request.TargetText()),
                     config_path, 0, "", "mend it with this change", "", "", "",
                     there.error().message});
    }
  }
  // Until the target has a config, use the one that the change adds.
  const config::Config& policy = target_config ? *target_config : ours;

  TRY(auto head, request.side.Head());
  std::optional<git::Oid> base = request.base;
  if (!base) {
    TRY(auto merges, MergesTarget(request));
    if (merges) base = request.target;
  }
  if (!base && head && request.target) {
    auto found = request.repository->MergeBase(*head, *request.target);
    if (!found.ok() || !*found) {
      // In a shallow clone libgit2 runs into missing commits, which is not corruption.
      auto shallow = request.repository->IsShallow();
      if (shallow.ok() && *shallow)
        return Error{
            Exit::Environment,
            fmt::format("this clone is shallow: where the change left {} is not known",
                        request.target_label),
            "git fetch --unshallow, or in CI fetch-depth: 0, or revctl check --base COMMIT"};
    }
    if (!found.ok()) return found.error();
    base = *found;
  }
  if (!base && head && request.main_tip) {
    // For a new release branch, compare with the commit where it was cut.
    TRY(auto found, request.repository->MergeBase(*head, *request.main_tip));
    base = found;
  }

  std::optional<config::Config> base_config;
  if (base) {
    // Ignore errors, because a config at the merge base cannot be fixed.
    if (auto there = ConfigAt(*request.repository, *base, request.prefix); there.ok())
      base_config = std::move(*there);
  }
  TRY(auto ends, SeverityOfEnds(*request.repository));
  std::vector<std::unique_ptr<ListGate>> gates;
  std::vector<CheckedList> checked;
  std::size_t list_bytes = 0;
  for (const list::ListConfig& list : ours.lists) {
    if (!request.only_list.empty() && request.only_list != list.name &&
        request.only_list != list.path)
      continue;
    ThreeSides sides;
    const list::ListConfig* landed_config = ListNamed(target_config, list.name);
    const list::ListConfig* base_list = ListNamed(base_config, list.name);
    sides.config = ConfigOfCheck(list, landed_config, base_list);
    sides.path = request.prefix + list.path;
    if (base_list != nullptr) sides.base_path = base_list->path;
    if (landed_config != nullptr) sides.target_path = landed_config->path;
    auto read = request.side.Read(sides.path);
    if (!read.ok()) {
      out.push_back(UnreadableList(sides.path, read.error()));
      continue;
    }
    sides.ours = std::move(*read);
    list_bytes += sides.ours ? sides.ours->size() : 0;
    if (list_bytes > kMostListBytes)
      return Error{Exit::Usage,
                   fmt::format("the lists of {} have more than 16 MiB together", config_path),
                   "take some out of `lists`"};
    checked.push_back({sides.path, list.golden.empty() ? "" : request.prefix + list.golden});
    if (request.target) {
      TRY(auto text,
          request.repository->ReadFile(
              *request.target,
              request.prefix + (landed_config != nullptr ? landed_config->path : list.path)));
      sides.target = std::move(text);
    }
    if (base) {
      TRY(auto text,
          request.repository->ReadFile(
              *base, request.prefix + (base_list != nullptr ? base_list->path : list.path)));
      sides.base = std::move(text);
    }
    TRY(ReadPendingSides(request, list, landed_config, base_list, base, sides, out));
    sides.base_commit = base;
    sides.golden = {base_list != nullptr ? base_list->golden : "",
                    landed_config != nullptr ? landed_config->golden : "", list.golden};
    sides.landed_root = LineageRoot(landed_config != nullptr ? *landed_config : list);
    const std::size_t first = out.size();
    ListGate& gate =
        *gates.emplace_back(std::make_unique<ListGate>(request, policy, std::move(sides), out));
    TRY(gate.Run());
    if (gate.ours().entries.empty()) continue;
    if ((!request.on_the_way || request.questions_only) &&
        request.scope == GateRequest::Scope::Landing)
      TRY(CheckSharedRevisions(gate, first, out));
    const list::ListConfig* const read_by = base_list != nullptr ? base_list : landed_config;
    if (landed_config != nullptr && gate.landed() != nullptr && !request.on_the_way &&
        request.scope != GateRequest::Scope::Commit) {
      TRY(CheckListPolicy(
          gate, {*read_by, *landed_config, list, config_path, LedgerMark(request, list.name)}, ends,
          out));
    }
    if (!list.oldest.empty() && gate.ours().Find(list.oldest) == nullptr)
      out.push_back({RuleId::UnreadableList, Severity::Error,
                     fmt::format("`oldest` of list `{}` names {}, which {}{} does not have",
                                 list.name, list.oldest, request.prefix, list.path),
                     config_path, 0, list.oldest, OldestOf(gate.ours())});
  }
  if (!request.on_the_way && request.scope != GateRequest::Scope::Commit)
    TRY(CheckAttributes(request, checked, out));
  if (!request.on_the_way && request.scope != GateRequest::Scope::Release)
    TRY(CheckStrayPending(request, ours, target_config, out));
  if (request.use_in_code) TRY(CheckUseOf(request, ours, gates, out));

  if (target_config && request.scope != GateRequest::Scope::Commit) {
    ApplyAllowances(*target_config, config_path,
                    request.scope == GateRequest::Scope::Landing && request.use_in_code &&
                        request.only_list.empty(),
                    out);
    if (request.questions_only) {
      std::erase_if(out, [](const Finding& f) { return !f.asks; });
      return out;
    }
    // Compare with the merge base, because later changes of the target are not this change's.
    const bool has_ledger = request.ledger != nullptr && request.ledger->tip;
    CheckPolicy({base_config ? *base_config : *target_config, ours, config_path,
                 has_ledger ? std::optional(request.ledger->state.id) : std::nullopt},
                ends, out);
  }
  return out;
}

}  // namespace

Result<bool> MergesTarget(const GateRequest& request) {
  if (request.side.IsCommit() || !request.target) return false;
  TRY(auto merged, request.repository->RevParse("MERGE_HEAD"));
  if (!merged) return false;
  return request.repository->IsAncestor(*request.target, *merged);
}

Result<std::vector<Finding>> RunGate(const GateRequest& request) {
  auto found = CheckLists(request);
  if (!found.ok() || !request.target) return found;
  for (Finding& finding : *found) {
    finding.target = request.target_label;
    finding.target_commit = *request.target;
  }
  return found;
}

}  // namespace revctl::commands
