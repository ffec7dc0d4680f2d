// Checks that pending revisions have goldens. landed_goldens.cpp checks the goldens of landed
// revisions.
#include <algorithm>
#include <set>

#include "golden/index.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/goldens/stale_goldens.h"

namespace revctl::commands {
namespace {

using findings::RuleId;

/// Returns `rm -f golden/SR_OLD.golden golden/SR_OLD.yaml, ` for goldens of revisions that are
/// neither in this change nor on the target. Returns "" if there are no such goldens.
base::Result<std::string> RemoveStrays(const ListFacts& facts, const std::string& folder) {
  const GateRequest& request = facts.request();
  TRY(const auto files, request.tree.Files(folder));
  std::string command;
  for (const std::string& file : files) {
    const auto name = golden::ParseFileName(file);
    const std::string path = folder + "/" + file;
    const auto has = [&](const list::RevisionList* list) {
      return list != nullptr && list->Find(name->revision) != nullptr;
    };
    if (!name || name->revision.empty() || has(&facts.whole) || has(facts.on_target()) ||
        facts.config.purged.contains(name->revision))
      continue;
    TRY(const bool here, request.tree.Exists(path));
    TRY(const auto ignored, request.tree.IsCommit() ? std::optional<bool>(false)
                                                    : request.repository().IsIgnored(path));
    if (here && !ignored.value_or(false)) command += " " + base::ShellPath(path);
  }
  return command.empty() ? command : fmt::format("rm -f{}, ", command);
}

/// Checks that each record of this change matches its payloads: records of pending revisions, and
/// additions. Skips revisions that are pending on the target, because RV019 checks every edit of
/// their goldens.
base::Result<Findings> CheckWhole(const ListFacts& facts, const std::string& folder) {
  Findings out;
  const GateRequest& request = facts.request();
  std::set<std::string> own;
  for (const list::Entry* entry : facts.Pending()) {
    if (!facts.IsPendingOnTarget(entry->name) || entry->pending_file.empty())
      own.insert(entry->name);
  }
  TRY(auto broken, FindBroken(request.tree, folder, own));
  const std::string there = facts.target.golden();
  TRY(const auto additions, AdditionsOn(request.tree, folder));
  for (const golden::FileName& addition : additions) {
    if (own.contains(addition.revision) || facts.whole.Find(addition.revision) == nullptr) continue;
    if (request.target.tip && !there.empty()) {
      const std::string path = request.prefix() + there + "/" + golden::FileNameText(addition);
      TRY(const auto landed, request.repository().ReadFile(*request.target.tip, path));
      if (landed) continue;
    }
    TRY(auto found, FindBroken(request.tree, folder, addition));
    if (found) broken.emplace(addition.revision, std::move(*found));
  }
  for (const auto& [revision, found] : broken)
    out.push_back(
        {.rule = RuleId::PendingGolden,
         .message = fmt::format("the goldens of {} are broken: {}", revision, found.message),
         .file = found.file,
         .revision = revision,
         .fix = found.fix});
  return out;
}

/// True if any golden has been recorded, here or on the target. Until then, pending revisions need
/// no goldens, because the team has no harness to record them.
base::Result<bool> HasRecorded(const ListFacts& facts, const std::string& folder) {
  const GateRequest& request = facts.request();
  const auto is_golden = [](std::string_view path) {
    const auto name = golden::ParseFileName(path.substr(path.rfind('/') + 1));
    return name && !name->revision.empty();
  };
  TRY(const auto files, request.tree.Files(folder));
  if (std::any_of(files.begin(), files.end(), is_golden)) return true;
  std::vector<git::Oid> commits;
  if (request.target.tip) commits.push_back(*request.target.tip);
  if (!request.tree.IsCommit()) {
    TRY(auto head, request.tree.Head());
    if (head) commits.push_back(*head);
  }
  const std::string there = facts.target.golden();
  for (const git::Oid& commit : commits) {
    for (const std::string& one : {folder, there.empty() ? folder : request.prefix() + there}) {
      TRY(const auto landed, request.repository().ListFiles(commit, one));
      if (std::any_of(landed.begin(), landed.end(),
                      [&](const git::TreeFile& file) { return is_golden(file.path); }))
        return true;
    }
  }
  return false;
}

/// Reports unreadable records in a commit below the tip of a push. Missing and stale goldens are
/// allowed there. At the tip, RV028 reports unreadable records.
base::Result<Findings> CheckReadableRecords(const ListFacts& facts, const std::string& folder) {
  Findings out;
  for (const list::Entry* entry : facts.Pending()) {
    TRY(const auto record, ReadRecordHere(facts.request().tree, folder, entry->name));
    if (record.problem.empty()) continue;
    out.push_back(facts.At(
        RuleId::PendingGolden, entry->line, entry->name,
        fmt::format("cannot read the record of {}, because it {}", entry->name, record.problem),
        ""));
    out.back().cause = "unreadable record";
  }
  return out;
}

/// Returns a finding if the pending revision `entry` has no record in `folder`.
base::Result<std::optional<findings::Finding>> CheckRecorded(const ListFacts& facts,
                                                             const list::Entry& entry,
                                                             const std::string& folder) {
  const GateRequest& request = facts.request();
  const std::optional<findings::Finding> fine;
  const auto missing = [&](std::string message, std::string fix) {
    return facts.At(RuleId::PendingGolden, entry.line, entry.name, std::move(message),
                    std::move(fix));
  };
  const std::string file =
      folder + "/" + golden::FileNameText({golden::FileName::Kind::Record, entry.name, ""});
  TRY(const bool here, request.tree.Exists(file));
  if (here) return fine;
  const bool on_target = facts.IsPendingOnTarget(entry.name);
  if (on_target) {
    TRY(const auto there, request.repository().ReadFile(*request.target.tip, file));
    if (there) return fine;  // RV019 reports that the change removes the record
  }
  const std::string own = request.prefix() + facts.ours.golden();
  if (own != folder) {
    TRY(const bool before, request.tree.Exists(own + file.substr(folder.size())));
    if (before)
      return std::optional(
          missing(fmt::format("the goldens of {} are in {}, but {} moved that folder to {}",
                              entry.name, own, request.target.label, folder),
                  fmt::format("git merge {} (or pull --rebase), then run revctl fix",
                              base::ShellWord(request.target.label))));
  }
  if (!request.tree.IsCommit()) {
    TRY(const auto head, request.tree.Head());
    TRY(const auto committed, head ? request.repository().ReadFile(*head, file)
                                   : base::Result<std::optional<std::string>>(std::nullopt));
    // Suggest restoring the goldens from HEAD, because goldens that are recorded with the current
    // code would prove nothing.
    if (committed) {
      auto out = missing(
          fmt::format("the goldens of {} are missing, but HEAD has them: {}", entry.name, file),
          "git restore --source=HEAD --staged --worktree -- " +
              base::ShellPath(fmt::format("{}/{}.*", folder, entry.name)));
      out.cause = "gone goldens";
      return std::optional(std::move(out));
    }
  }
  // A renamed revision leaves its old goldens behind, and `record` refuses to run as long as they
  // exist.
  TRY(const std::string remove, RemoveStrays(facts, folder));
  auto out =
      missing(fmt::format("{} has no goldens ({}), so nothing tests that its files still load",
                          entry.name, file),
              fmt::format("{}run your harness with `record`, and commit {}", remove,
                          base::ShellPath(remove.empty() ? file : folder)));
  out.cause = "no goldens";
  // Only warn if the target has the same problem, because the fold will keep the revision pending.
  if (on_target && !entry.pending_file.empty()) out.severity = findings::Severity::Warning;
  return std::optional(std::move(out));
}

}  // namespace

base::Result<Findings> CheckPendingGoldens(const ListFacts& facts) {
  if (facts.IsRelease() || facts.config.golden.empty()) return Findings{};
  const std::string folder = facts.request().prefix() + facts.config.golden;
  TRY(Findings out, CheckWhole(facts, folder));
  if (facts.request().Is(Mode::Intermediate)) {
    TRY(Append(out, CheckReadableRecords(facts, folder)));
    return out;
  }
  TRY(const bool recorded, HasRecorded(facts, folder));
  if (!recorded) return out;
  for (const list::Entry* entry : facts.Pending()) {
    TRY(auto found, CheckRecorded(facts, *entry, folder));
    if (found) out.push_back(std::move(*found));
  }
  return out;
}

base::Result<Findings> CheckStaleGoldens(const ListFacts& facts) {
  Findings out;
  const GateRequest& request = facts.request();
  if (facts.config.golden.empty() || facts.landed() == nullptr) return out;
  std::vector<std::string> pending;
  for (const list::Entry* entry : facts.Pending()) pending.push_back(entry->name);
  const std::string there = facts.target.golden();
  const std::string folder = request.prefix() + facts.config.golden;
  TRY(auto stale,
      FindStaleGoldens({&request.tree, request.target.tip, request.target.label, folder,
                        there.empty() ? folder : request.prefix() + there, &facts.config.purged},
                       facts.landed()->Revisions(), pending));
  // Suggest merging the target first if it is ahead, because only code with both revisions can
  // record the goldens.
  const std::string first = facts.change.IsBehind()
                                ? fmt::format("git merge {} (or pull --rebase), then ",
                                              base::ShellWord(request.target.label))
                                : "";
  const std::string fix = first + RefreshCommand(facts.policy(), folder);
  for (StaleGolden& golden : stale) {
    const list::Entry* entry = facts.whole.Find(golden.revision);
    const bool waits = entry != nullptr && !entry->pending_file.empty();
    // The next fold regenerates the goldens of pending revisions, so a note is enough. Report an
    // error if this change itself folds the revision, because no later fold will regenerate its
    // goldens, or if its record is unreadable.
    const bool refreshed_by_fold =
        waits && (golden.known || facts.IsPendingOnTarget(golden.revision));
    out.push_back(
        {.rule = RuleId::OutdatedGoldens,
         .severity = refreshed_by_fold ? findings::Severity::Note : findings::Severity::Error,
         .message = std::move(golden.message),
         .file = std::move(golden.file),
         .revision = golden.revision,
         .fix = waits || !facts.AtLanding()
                    ? fix
                    : fmt::format("run revctl fold on {} to record them again",
                                  request.target.label)});
  }
  return out;
}

}  // namespace revctl::commands
