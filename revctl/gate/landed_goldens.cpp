// RV019: nobody may edit or remove goldens of revisions that have landed or are pending on the
// target. If a change moves the golden folder, each file is compared with its copy in the old
// folder.
#include <set>

#include "golden/index.h"
#include "golden/store.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/goldens/golden_rewrites.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

/// Returns the parsed name of a protected file, that is, of an approval or a golden of a revision
/// on the target. Returns nullopt for any other file.
std::optional<golden::FileName> Guarded(const ListFacts& facts, std::string_view file) {
  auto name = golden::ParseFileName(file);
  if (!name ||
      (name->kind != golden::FileName::Kind::Approval &&
       (facts.on_target() == nullptr || facts.on_target()->Find(name->revision) == nullptr)))
    return std::nullopt;
  return name;
}

Finding GoldenFinding(const ListFacts& facts, const std::string& path, const std::string& revision,
                      std::string message, const findings::Fix& fix,
                      Severity severity = Severity::Error) {
  return {.rule = RuleId::LandedGolden,
          .severity = severity,
          .message = std::move(message),
          .file = path.empty() ? facts.change.config_path : path,
          .revision = revision,
          .fix = fix};
}

/// True if `revctl fix` restores the file. If a revert removed landed goldens, `fix` restores them
/// together with the list entries, but only in a clone and only if the check compares with that
/// clone's target.
bool FixPutsBack(const ListFacts& facts, const golden::FileName& name) {
  const config::Config& policy = facts.policy();
  const std::string& label = facts.request().target.label;
  return facts.request().tree.IsWorkTree() && name.kind != golden::FileName::Kind::Approval &&
         !name.IsAddition() && !facts.IsPendingOnTarget(name.revision) &&
         (label == policy.target || label == policy.remote + "/" + policy.target);
}

/// True if `from` has a Git LFS pointer at `path` and the work tree has the file that it refers to.
bool IsWhatPointerNames(const GateRequest& request, const git::Oid& from, const std::string& path) {
  if (!request.tree.IsWorkTree()) return false;
  const auto size = request.repository().SizeOf(from, path);
  if (!size.ok() || !*size || **size > golden::kLongestLfsPointer) return false;
  const auto text = request.repository().ReadFile(from, path);
  if (!text.ok() || !*text) return false;
  const auto pointer = golden::ParseLfsPointer(**text);
  if (!pointer) return false;
  const auto file = base::ReadFile(request.repository().root() + "/" + path, pointer->size);
  return file.ok() && *file && golden::Names(*pointer, **file);
}

/// Compares the golden folder `in` with the same folder in the commit `from`.
Result<Findings> CheckInPlace(const ListFacts& facts, const git::Oid& from, const std::string& in) {
  const GateRequest& request = facts.request();
  const std::optional<git::Oid>& base = facts.change.base_commit;
  Findings out;
  const std::string folder = request.prefix() + in;
  TRY(auto changed, request.tree.ChangedSince(from, folder));
  if (!changed.empty() && base && *base != from) {
    TRY(auto touched, request.tree.ChangedSince(*base, folder));
    const std::set<std::string> since_base(touched.begin(), touched.end());
    TRY(auto base_files, request.repository().ListFiles(*base, folder));
    // Skip files that differ only because the target has changed since the merge base.
    std::set<std::string> at_base;
    for (const auto& file : base_files) at_base.insert(folder + "/" + file.path);
    std::erase_if(changed, [&](const std::string& path) {
      if (at_base.contains(path)) return !since_base.contains(path);
      auto here = request.tree.Exists(path);
      return here.ok() && !*here;
    });
  }
  std::set<std::string> edited;
  for (const std::string& path : changed) {
    const auto name = Guarded(facts, std::string_view(path).substr(folder.size() + 1));
    if (name && name->kind != golden::FileName::Kind::Approval && !name->IsAddition())
      edited.insert(name->revision);
  }
  RewriteQuestion writing{&request.tree, from, request.target.label, folder, {}, {}};
  if (facts.on_target() != nullptr) {
    for (const list::Entry* entry : facts.on_target()->Revisions())
      writing.order.push_back({entry->name, facts.IsPendingOnTarget(entry->name)});
  }
  for (const list::Entry* entry : facts.whole.Revisions()) {
    if (entry->pending_file.empty()) writing.numbered.push_back(entry->name);
  }
  TRY(auto anew, CheckRewrites(writing, edited));
  std::set<std::string> reported;
  for (const std::string& path : changed) {
    const auto name = Guarded(facts, std::string_view(path).substr(folder.size() + 1));
    if (!name) continue;
    const auto here = request.tree.Exists(path);
    const bool gone = here.ok() && !*here;
    if (!gone && name->kind == golden::FileName::Kind::Large &&
        IsWhatPointerNames(request, from, path))
      continue;
    // During a merge, git lists a file as changed even if it equals the landed file.
    if (!gone && request.tree.IsWorkTree()) {
      const auto before = request.repository().ReadFile(from, path);
      const auto now = request.tree.Read(path);
      if (before.ok() && now.ok() && *before && *before == *now) continue;
    }
    // CheckRewrites has already checked this revision's new record, which may also replace an
    // addition.
    if (const auto found = anew.find(name->revision);
        found != anew.end() && (!name->IsAddition() || gone)) {
      if (reported.insert(name->revision).second) out.push_back(found->second);
      continue;
    }
    const std::string_view wrong = gone ? "was removed" : "was edited";
    const bool pending = facts.IsPendingOnTarget(name->revision);
    const std::string whose = name->revision.empty() ? "approval"
                              : pending              ? "of " + name->revision
                                                     : "of the landed " + name->revision;
    out.push_back(GoldenFinding(
        facts, path, name->revision,
        pending
            ? fmt::format(
                  "the golden {} {}, but that revision is pending on {}; only a fold may record it "
                  "again, and only if it is stale",
                  whose, wrong, request.target.label)
            : fmt::format("the golden {} {}, but users may have files like it", whose, wrong),
        gone && FixPutsBack(facts, *name)
            ? findings::Fix::Mechanical()
            : findings::Fix(fmt::format("git checkout {} -- {}", from.substr(0, 10),
                                        base::ShellPath(path)))));
    out.back().cause = gone ? "removed" : "edited";
  }
  return out;
}

/// Checks that a new release branch keeps all goldens of the commit at which it was cut.
Result<Findings> CheckNewRelease(const ListFacts& facts) {
  const auto& base = facts.change.base_commit;
  const std::string folder = facts.base.golden();
  if (!facts.IsRelease() || !base || folder.empty()) return Findings{};
  if (facts.ours.golden() == folder) return CheckInPlace(facts, *base, folder);
  return Findings{GoldenFinding(
      facts, "", "",
      fmt::format("a new release must keep its goldens in the same folder as on {}: {}",
                  facts.request().release_of->label, folder),
      fmt::format("git checkout {} -- {}", base->substr(0, 10),
                  base::ShellPath(facts.change.config_path)))};
}

/// Compares a golden folder that the change has moved with the target's folder. Reports all
/// differences in a single finding.
Result<Findings> CheckMoved(const ListFacts& facts, const std::string& began) {
  const GateRequest& request = facts.request();
  Findings out;
  const std::string from = request.prefix() + facts.target.golden(),
                    to = request.prefix() + facts.ours.golden();
  TRY(auto landed, request.repository().ListFiles(*request.target.tip, from));
  std::vector<std::string> edited, dropped, left;
  for (const git::TreeFile& file : landed) {
    if (!Guarded(facts, file.path)) continue;
    TRY(auto there, request.repository().ReadFile(*request.target.tip, from + "/" + file.path));
    const auto here = request.tree.Read(to + "/" + file.path);
    if (here.ok() && *here == there) continue;
    const bool gone = here.ok() && !*here;
    if (facts.change.IsBehind()) {
      TRY(auto before,
          request.repository().ReadFile(*facts.change.base_commit,
                                        request.prefix() + facts.base.golden() + "/" + file.path));
      // Skip a file that has changed only on the target since the merge base.
      if (before && here.ok() && *here == before) continue;
      if (!before && gone) {
        left.push_back(file.path);
        continue;
      }
    }
    (gone ? dropped : edited).push_back(file.path);
  }
  if (edited.empty() && dropped.empty() && left.empty()) return out;
  std::string what;
  const auto count = [&](const std::vector<std::string>& files, const std::string& how) {
    if (files.empty()) return;
    what += fmt::format("{}{} {}", what.empty() ? "" : "; ", SomeOf(files), how);
  };
  count(edited, edited.size() == 1 ? "was edited" : "were edited");
  count(dropped, dropped.size() == 1 ? "was removed" : "were removed");
  count(left, "landed in the meantime, and would stay in " + facts.target.golden());
  // Copy the whole folder; this leaves files that are already correct unchanged.
  const std::string old = base::ShellPath(from), all = base::ShellPath(from + "/.");
  std::string fix = fmt::format("git checkout {} -- {}", request.target.tip->substr(0, 10), old);
  if (from != to)
    fix += fmt::format(" && cp -R {} {} && git rm -rqf {}", all, base::ShellPath(to), old);
  out.push_back(GoldenFinding(
      facts, to, "",
      fmt::format(
          "the goldens move from {} to {}, but landed goldens are changed or missing there: {}",
          began, facts.ours.golden(), what),
      std::move(fix)));
  return out;
}

/// Compares the goldens with the landed goldens, even if the change or the target has moved the
/// folder. `began` is the folder at the merge base.
Result<Findings> CheckKept(const ListFacts& facts, const std::string& began) {
  const std::string ours = facts.ours.golden(), target = facts.target.golden();
  if (ours != began && !ours.empty() && !began.empty()) return CheckMoved(facts, began);
  // Only the target has moved the folder, so compare with the merge base, where the folder has the
  // same path.
  if (facts.change.IsBehind() && !began.empty() && began != target && ours == began)
    return CheckInPlace(facts, *facts.change.base_commit, began);
  return CheckInPlace(facts, *facts.request().target.tip, target);
}

}  // namespace

Result<Findings> CheckLandedGoldens(const ListFacts& facts) {
  const GateRequest& request = facts.request();
  if (!request.target.tip) return CheckNewRelease(facts);
  const std::string target = facts.target.golden();
  if (target.empty()) return Findings{};
  const std::string began = facts.change.IsBehind() ? facts.base.golden() : target;
  Findings out;
  if (facts.ours.golden().empty() && !began.empty()) {
    out.push_back(GoldenFinding(facts, "", "",
                                fmt::format("`golden` of list `{}` was removed from .revctl.yaml, "
                                            "so the goldens in {} would no longer be protected",
                                            facts.config.name, target),
                                AllowPolicyChange("restore it: golden: " + target),
                                facts.change.weakening_severity));
  }
  TRY(Append(out, CheckKept(facts, began)));
  return out;
}

}  // namespace revctl::commands
