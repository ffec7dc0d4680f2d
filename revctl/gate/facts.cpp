// Reads the facts of a change: the configs that apply to it, and the three sides of each list.
#include "revctl/gate/facts.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "revctl/gate/gate_rules.h"
#include "revctl/gate/renamed_revisions.h"
#include "revctl/git/text_merge.h"
#include "revctl/list/merging/merge.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// Limit on the total size of all lists, because all of them stay in memory. Several lists may
/// share a blob, so even a small push can contain a large amount of text.
constexpr std::size_t kMostListBytes = std::size_t{16} << 20;

const list::ListConfig* ListNamed(const std::optional<config::Config>& config,
                                  const std::string& name) {
  return config ? config->ListNamed(name) : nullptr;
}

/// Returns the config that the gate uses to check a list. The target's config decides how the list
/// is parsed, even if this change edits `prefix` or `aliases`. The path and the keys that `purge`
/// writes come from the change's own config. Keys that the change did not touch come from the
/// target, because that is what the merge yields.
list::ListConfig ConfigOfCheck(const list::ListConfig& ours, const list::ListConfig* landed,
                               const list::ListConfig* base) {
  if (landed == nullptr) return ours;
  list::ListConfig out = *landed;
  out.path = ours.path;
  if (base == nullptr || base->oldest != ours.oldest) out.oldest = ours.oldest;
  if (base == nullptr || base->lineage_root != ours.lineage_root)
    out.lineage_root = ours.lineage_root;
  // A change may add purged names, but it cannot remove the target's.
  out.purged.insert(ours.purged.begin(), ours.purged.end());
  // Use this change's getters right away, because additional getters can only add findings.
  for (const std::string& getter : ours.getters) {
    if (std::find(out.getters.begin(), out.getters.end(), getter) == out.getters.end())
      out.getters.push_back(getter);
  }
  const std::string& began = base == nullptr ? landed->golden : base->golden;
  if (out.golden.empty() || (ours.golden != began && !ours.golden.empty()))
    out.golden = ours.golden;
  return out;
}

/// Reads the config of the change. If the tree of a new release branch has no config, reads the
/// target's instead.
Result<std::optional<std::string>> ConfigText(const GateRequest& request, const std::string& path) {
  TRY(auto text, request.tree.Read(path));
  const bool new_release = request.release_of && !request.target.tip;
  if (text || !new_release || !request.release_of->tip) return text;
  return request.repository().ReadFile(*request.release_of->tip, path);
}

/// Returns the commit that the change is based on. For a new release branch, returns the commit at
/// which the release was cut.
Result<std::optional<git::Oid>> BaseOf(const GateRequest& request) {
  if (request.base) return request.base;
  const std::optional<git::Oid>& target = request.target.tip;
  TRY(const bool merges, MergesTarget(request));
  if (merges) return target;
  TRY(const auto head, request.tree.Head());
  if (!head) return std::optional<git::Oid>();
  if (target) {
    auto found = request.repository().MergeBase(*head, *target);
    if (!found.ok() || !*found) {
      // In a shallow clone, the cause is a missing commit, not corruption, so suggest fetching it.
      auto shallow = request.repository().IsShallow();
      if (shallow.ok() && *shallow)
        return Error{
            Exit::Environment,
            fmt::format("this clone is too shallow to contain the merge base of the change and {}",
                        request.target.label),
            "git fetch --unshallow (in GitHub Actions: fetch-depth: 0), or revctl check --base "
            "COMMIT"};
    }
    if (!found.ok() || *found) return found;
  }
  if (!request.release_of || !request.release_of->tip) return std::optional<git::Oid>();
  return request.repository().MergeBase(*head, *request.release_of->tip);
}

Result<std::optional<std::string>> TextAt(const ChangeFacts& change,
                                          const std::optional<git::Oid>& commit,
                                          const list::ListConfig& list) {
  if (!commit) return std::optional<std::string>();
  return change.request.repository().ReadFile(*commit, change.request.prefix() + list.path);
}

/// Reads the pending files of the three sides if the list has `numbers: at-landing`. For other
/// lists, only looks for a pending file, because there must be none.
Result<Done> ReadPendingFiles(ListFacts& facts) {
  const GateRequest& request = facts.request();
  list::ListConfig here = facts.config;
  here.numbers = list::Numbers::AtLanding;
  const std::string folder = request.prefix() + pending::Folder(here);
  facts.stays_at_landing = AtLanding(*facts.ours.config);
  facts.turns_to_landing = facts.stays_at_landing && !facts.AtLanding();
  // If the work tree has no pending folder, do not ask git for staged files, because that would
  // take longer.
  std::error_code error;
  if (!facts.AtLanding() && !facts.stays_at_landing && !request.tree.IsCommit() &&
      !std::filesystem::exists(request.repository().root() + "/" + folder, error))
    return Done{};
  if (facts.AtLanding()) {
    if (auto checked = request.tree.CheckPendingFolder(here); !checked.ok())
      facts.problems.folder_error = std::move(checked.error());
    if (facts.problems.folder_error && facts.problems.folder_error->exit == Exit::Environment)
      return *facts.problems.folder_error;
  }
  if (!facts.problems.folder_error) {
    TRY(facts.ours.pending, request.tree.Pending(here));
  }
  if (!facts.AtLanding()) {
    if (!facts.ours.pending.empty())
      facts.problems.file_without_landing = facts.ours.pending.front().file_name;
    facts.ours.pending.clear();
    return Done{};
  }
  const auto read = [&](ListSide& side, const std::optional<git::Oid>& commit) -> Result<Done> {
    if (!commit || side.config == nullptr) return Done{};
    TRY(side.pending, request.tree.At(*commit).Pending(*side.config));
    return Done{};
  };
  TRY(read(facts.target, request.target.tip));
  TRY(read(facts.base, facts.change.base_commit));
  if (facts.problems.folder_error) facts.ours.pending = facts.base.pending;
  return Done{};
}

/// Sets `landed_list`. Returns true if the list comes from the target, and false if another side
/// stands in for it.
bool ReadLanded(ListFacts& facts) {
  if (facts.request().Is(Mode::Commit)) {
    facts.landed_list = facts.Parsed(facts.base.text);
    if (facts.is_new && !facts.landed_list) facts.landed_list = facts.alone;
    return false;
  }
  if (facts.is_new || !facts.target.text) {
    // The target does not have the list yet, so treat the change's own revisions as landed, because
    // they could not have been reserved for a list that did not exist. A new release starts from
    // the list at the commit where it was cut.
    if (facts.IsRelease()) facts.landed_list = facts.Parsed(facts.base.text);
    if (!facts.landed_list) facts.landed_list = facts.alone;
    return false;
  }
  auto landed = list::Parse(*facts.target.text, facts.config, facts.path);
  if (!landed.ok()) {
    // Do not block a change that fixes an unreadable list on the target: compare the change with
    // itself.
    facts.problems.target_unreadable = std::move(landed.error());
    facts.landed_list = facts.alone;
    facts.base.text = facts.target.text = facts.ours.text;
    return false;
  }
  facts.landed_list = std::move(*landed);
  return true;
}

/// Reads the target's list and plans the fold of the target's pending files.
void ReadTarget(ListFacts& facts) {
  const bool landed = ReadLanded(facts);
  if (!facts.landed_list || facts.target.pending.empty()) return;
  facts.target_plan = pending::MakePlan(*facts.landed_list, facts.config, facts.target.pending);
  if (!landed) return;
  auto whole = pending::Folded(*facts.landed_list, facts.config, facts.target_plan);
  if (whole.ok()) facts.target_with_pending = std::move(*whole);
}

/// Returns `list` with the revisions in `files`, except for those that have landed. A revert of a
/// fold brings pending files back, and they must not replace the landed entries.
Result<list::RevisionList> WithPending(const ListFacts& facts, const list::RevisionList& list,
                                       const std::vector<pending::PendingText>& files) {
  std::map<std::string, std::string> landed;
  for (const pending::PendingText& file : files) {
    const std::string name = pending::NameOfFile(file.file_name);
    const list::Entry* entry = facts.landed_list ? facts.landed_list->Find(name) : nullptr;
    if (entry != nullptr && entry->kind == list::EntryKind::Revision)
      landed.emplace(name, "it has landed");
  }
  return pending::Folded(list, facts.config, pending::MakePlan(list, facts.config, files, landed));
}

Result<MergedList> Merge(const ListFacts& facts) {
  const ListSide &base = facts.base, &ours = facts.ours, &target = facts.target;
  MergedList out;
  out.alone = facts.alone;
  if (target.text && target.text != base.text) {
    const auto text = git::TextMerge(base.text.value_or(""), *ours.text, *target.text,
                                     {"this change", facts.request().target.label, 7});
    out.conflict = !text.ok() || text->conflict;
    if (!out.conflict) {
      auto parsed = list::Parse(text->text, facts.config, facts.path);
      out.conflict = !parsed.ok();
      if (parsed.ok()) out.alone = std::move(*parsed);
      else out.unreadable = ErrorText(parsed.error());
    }
  }
  out.list = out.alone;
  if (!facts.AtLanding()) return out;
  out.pending = target.text
                    ? pending::MergeFiles(base.pending, ours.pending, target.pending, out.clashes)
                    : ours.pending;
  TRY(out.list, WithPending(facts, out.alone, out.pending));
  return out;
}

/// Parses the texts of the three sides and merges them. Stops early if the list of the change is
/// unreadable.
Result<Done> ParseSides(ListFacts& facts) {
  if (!facts.ours.text) return Done{};
  facts.problems.marker_line = list::ConflictMarkerLine(*facts.ours.text);
  if (facts.problems.marker_line != 0) return Done{};
  auto alone = list::Parse(*facts.ours.text, facts.config, facts.path);
  if (!alone.ok()) {
    facts.problems.unreadable = std::move(alone.error());
    return Done{};
  }
  facts.alone = std::move(*alone);
  facts.plan = pending::MakePlan(facts.alone, facts.config, facts.ours.pending);
  auto whole = pending::Folded(facts.alone, facts.config, facts.plan);
  if (!whole.ok()) {
    facts.problems.unreadable = std::move(whole.error());
    return Done{};
  }
  facts.whole = std::move(*whole);
  ReadTarget(facts);
  if (facts.request().Is(Mode::Questions)) return Done{};
  if (facts.request().Is(Mode::Commit)) {
    TRY(facts.committed, WithPending(facts, facts.alone, facts.ours.pending));
    return Done{};
  }
  TRY(facts.merged, Merge(facts));
  return Done{};
}

Result<ListFacts> ReadList(const ChangeFacts& change, const list::ListConfig& ours) {
  const GateRequest& request = change.request;
  ListFacts facts(change);
  facts.ours.config = &ours;
  facts.target.config = ListNamed(change.target, ours.name);
  facts.base.config = ListNamed(change.base, ours.name);
  facts.config = ConfigOfCheck(ours, facts.target.config, facts.base.config);
  facts.path = request.prefix() + ours.path;
  facts.landed_root = LineageRoot(facts.target.config != nullptr ? *facts.target.config : ours);
  auto read = request.tree.Read(facts.path);
  if (!read.ok()) {
    facts.problems.unreadable = std::move(read.error());
    return facts;
  }
  facts.ours.text = std::move(*read);
  TRY(facts.target.text, TextAt(change, request.target.tip,
                                facts.target.config != nullptr ? *facts.target.config : ours));
  facts.is_new = facts.target.config == nullptr && facts.base.config == nullptr &&
                 !(facts.target.text && ListThere::IsList(*facts.target.text, facts.config));
  TRY(facts.base.text,
      TextAt(change, change.base_commit, facts.base.config != nullptr ? *facts.base.config : ours));
  TRY(ReadPendingFiles(facts));
  TRY(ParseSides(facts));
  if (facts.IsReadable()) {
    TRY(facts.renames, FindRenames(facts));
  }
  return facts;
}

/// Returns the facts for Mode::Versions. `before` is both the target and the merge base, so nothing
/// is merged.
ChangeFacts ChangeOfVersions(const GateRequest& request) {
  ChangeFacts out(request);
  out.ours = request.versions->config;
  if (request.versions->before) out.target = out.base = out.ours;
  return out;
}

Result<ListFacts> ListOfVersions(const ChangeFacts& change) {
  const ListVersions& versions = *change.request.versions;
  const list::ListConfig& list = change.ours->lists.front();
  ListFacts facts(change);
  facts.config = list;
  facts.path = list.path;
  facts.landed_root = LineageRoot(list);
  facts.is_new = !versions.before;
  for (ListSide* side : {&facts.base, &facts.target, &facts.ours}) {
    side->config = &list;
    side->text = side == &facts.ours ? versions.after : versions.before;
  }
  TRY(ParseSides(facts));
  return facts;
}

}  // namespace

Result<bool> MergesTarget(const GateRequest& request) {
  if (request.tree.IsCommit() || !request.target.tip) return false;
  TRY(auto merged, request.repository().RevParse("MERGE_HEAD"));
  if (!merged) return false;
  return request.repository().IsAncestor(*request.target.tip, *merged);
}

Result<ChangeFacts> ReadChange(const GateRequest& request) {
  if (request.Is(Mode::Versions)) return ChangeOfVersions(request);
  const git::Repository& repository = request.repository();
  ChangeFacts out(request);
  if (request.tree.IsCommit()) {
    TRY(const auto commit, request.tree.Head());
    TRY(repository.CheckPaths(*commit));
  }
  TRY(out.weakening_severity, WeakeningSeverity(repository));
  TRY(const auto text, ConfigText(request, out.config_path));
  const std::optional<git::Oid>& target = request.target.tip;
  if (!text) {
    // The commit predates the config, or `.revctl.yaml` has not been added to git yet. If the
    // target has no config either, there is nothing to protect.
    if (!target) return out;
    TRY(const auto on_target, repository.ReadFile(*target, out.config_path));
    out.target_has_config = on_target.has_value();
    return out;
  }
  TRY(out.ours, config::ParseConfig(*text, out.config_path));
  if (target) {
    auto there = request.tree.At(*target).Config();
    if (!there.ok() && there.error().exit == Exit::Environment) return there.error();
    if (there.ok()) out.target = std::move(*there);
    // Do not block a change that fixes the target's broken config.
    else out.target_error = std::move(there.error());
  }
  TRY(out.base_commit, BaseOf(request));
  if (!out.base_commit) return out;
  if (auto there = request.tree.At(*out.base_commit).Config(); there.ok())
    out.base = std::move(*there);
  return out;
}

Result<std::vector<ListFacts>> ReadLists(const ChangeFacts& change) {
  const std::string& only = change.request.only_list;
  std::vector<ListFacts> out;
  if (change.request.Is(Mode::Versions)) {
    TRY(ListFacts facts, ListOfVersions(change));
    out.push_back(std::move(facts));
    return out;
  }
  std::size_t bytes = 0;
  for (const list::ListConfig& list : change.ours->lists) {
    if (!only.empty() && only != list.name && only != list.path) continue;
    TRY(ListFacts facts, ReadList(change, list));
    bytes += facts.ours.text ? facts.ours.text->size() : 0;
    if (bytes > kMostListBytes)
      return Error{Exit::Usage,
                   fmt::format("the lists in {} exceed 16 MiB in total", change.config_path),
                   "remove some from `lists`"};
    out.push_back(std::move(facts));
  }
  return out;
}

list::CheckedLists ListsToCheck(const ListFacts& facts, const list::RevisionList& merged) {
  const GateRequest& request = facts.request();
  list::CheckedLists lists;
  lists.target = facts.landed();
  lists.merged = &merged;
  lists.target_label = request.target.label;
  if (request.target.tip && request.target.Text() != request.target.label)
    lists.target_commit = *request.target.tip;
  lists.reservation_required = facts.policy().reservation_required;
  lists.release = facts.IsRelease();
  lists.ledger_copy = request.ledger.copy_date;
  lists.in_repository = facts.InRepository();
  lists.own = facts.renames.own;
  lists.moved_in_code = facts.renames.moved_in_code;
  // Without a repository there is no ledger. With `numbers: at-landing`, the pending file itself is
  // the reservation.
  if (!facts.InRepository() || facts.AtLanding()) {
    lists.reservation_required = false;
    return lists;
  }
  // A freshly fetched snapshot without a ledger proves that nothing is reserved.
  const LedgerView& ledger = request.ledger;
  if (ledger.snapshot == nullptr || !(ledger.snapshot->tip || ledger.is_fresh)) return lists;
  lists.reservations.emplace();
  const auto found = ledger.snapshot->state.lists.find(facts.config.name);
  if (found == ledger.snapshot->state.lists.end()) return lists;
  lists.high_water = found->second.high_water.value_or(lists.high_water);
  for (const auto& r : found->second.open)
    lists.reservations->push_back({r.name, r.number, r.who.Text()});
  return lists;
}

std::vector<const list::Entry*> ListFacts::Pending() const {
  auto out = Numbering{landed(), &whole, {}, &config.purged}.Pending();
  std::erase_if(out, [&](const list::Entry* entry) { return renames.names.contains(entry->name); });
  return out;
}

std::optional<list::RevisionList> ListFacts::Parsed(const std::optional<std::string>& text) const {
  if (!text) return std::nullopt;
  auto parsed = list::Parse(*text, config, path);
  if (!parsed.ok()) return std::nullopt;
  return std::move(*parsed);
}

std::string ListFacts::PendingPath(const std::string& file_name) const {
  return request().prefix() + pending::Folder(config) + "/" + file_name;
}

findings::Finding ListFacts::At(findings::RuleId rule, int line, const std::string& revision,
                                std::string message, findings::Fix fix) const {
  const list::Entry* entry = revision.empty() ? nullptr : whole.Find(revision);
  const bool waits = entry != nullptr && !entry->pending_file.empty();
  return {.rule = rule,
          .severity = findings::RuleOf(rule).severity,
          .message = std::move(message),
          .file = waits ? request().prefix() + entry->pending_file : path,
          .line = line,
          .revision = revision,
          .fix = std::move(fix)};
}

}  // namespace revctl::commands
