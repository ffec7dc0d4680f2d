// GH008, types, and GH009, store: checks that the recorded data matches the program's types and the
// list.
#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "golden/index.h"
#include "harness/history/git_queries.h"
#include "harness/signals/layout_finding.h"
#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"
#include "revctl/base/file.h"
#include "revctl/base/glob.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

/// Adds a GH009 finding about a record that lacks the description of a type in its goldens.
void Add(CheckContext& context, const golden::StoredRecord& stored, const std::string& type,
         const std::string& revision, const std::string& message) {
  Finding finding{.rule = RuleId::GoldenStore,
                  .message = message,
                  .file = context.Relative(context.store.folder() + "/" + stored.file),
                  .revision = revision,
                  .type = type,
                  .signal = "store"};
  finding.fix = PutBack(context, finding.file);
  context.verdicts.Add(std::move(finding), "undescribed " + stored.file, {revision});
}

/// True if `type` was recorded, under any of its names, at this revision or at an earlier one.
bool Described(const History& history, const std::string& type, std::size_t index) {
  return history.TypeRecordedAt(type, index) != History::none() ||
         history.EnumRecordedAt(type, index) != History::none();
}

/// True if a recorded layout in force at the golden's revision mentions `type`. Otherwise, only the
/// current body visits the type, which GH001 reports.
bool Mentioned(const History& history, const Decoded& decoded, const std::string& type) {
  const std::size_t index = decoded.golden->revision;
  for (const auto& [name, descriptor] : decoded.read.notes.Records()) {
    const golden::RecordedType* recorded = history.TypeAt(name, index);
    if (recorded == nullptr) continue;
    for (const revctl::LayoutField& field : recorded->layout.fields) {
      if (Mentions(field.type, type)) return true;
    }
  }
  return false;
}

}  // namespace

void CheckDescribed(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  const Golden& golden = *decoded.golden;
  // An imported file may be older than any record, so nothing describes its types.
  if (golden.record->record.provenance.command == "import" || !history.AllKnown()) return;
  const auto expect = [&](const std::string& type) {
    if (Described(history, type, golden.revision)) return;
    if (type != root.name && !Mentioned(history, decoded, type)) return;
    Add(context, *golden.record, type, history.revisions()[golden.revision].name,
        fmt::format("{0} contains goldens with {1}, but no record describes {1}: was one of its "
                    "lists emptied, or lost in a merge?",
                    golden.record->file, type));
  };
  expect(root.name);
  if (!decoded.complete) return;
  for (const auto& [name, descriptor] : decoded.read.notes.Records()) {
    if (Described(history, name, golden.revision)) continue;
    // A type that only wraps another type, such as a pointer to a class, has no layout.
    const std::int64_t number = history.revisions()[golden.revision].number;
    if (decoded.read.notes.Layouts(number).contains(name)) expect(name);
  }
  for (const auto& [name, layout] : decoded.read.notes.Enums()) expect(name);
}

void CheckEmptied(CheckContext& context) {
  if (!context.history.AllKnown()) return;
  for (const Revision& revision : context.history.revisions()) {
    if (revision.record == nullptr) continue;
    const golden::RevisionRecord& record = revision.record->record;
    if (!record.types.empty() || !record.enums.empty()) continue;
    // If a type already has goldens of an older revision, `record` adds goldens only if the type or
    // its upgrade changed. So the record must describe a change.
    for (const golden::Case& item : record.cases) {
      const auto& goldens = context.history.Goldens(item.type);
      if (goldens.empty() || goldens.front().record == revision.record ||
          context.history.revisions()[goldens.front().revision].number >= revision.number)
        continue;
      Add(context, *revision.record, item.type, revision.name,
          fmt::format("{} contains goldens of {}, but describes no changed type or enum: were its "
                      "lists emptied, or lost in a merge?",
                      revision.record->file, item.type));
      break;
    }
  }
}

namespace {

void Add(CheckContext& context, Finding finding, RuleId rule, const char* signal,
         const std::string& cause, std::vector<std::string> mentioned = {}) {
  finding.rule = rule;
  finding.signal = signal;
  context.verdicts.Add(std::move(finding), cause, std::move(mentioned));
}

/// Reports goldens that are older than the type's first revision, because the check skips the
/// layouts of such goldens.
void CheckSince(CheckContext& context, const RootType& root) {
  const auto goldens = context.history.SmallAndLarge(root.name);
  if (goldens.empty()) return;
  const Revision& oldest = context.history.revisions()[goldens.front().revision];
  if (oldest.number >= root.entry.since) return;
  Finding finding{.message = fmt::format("{0} is registered as serialized since {1}, but has "
                                         "goldens of {2}: layouts before {1} are no longer checked",
                                         root.name, root.entry.since_text, oldest.name),
                  .file = context.Relative(root.entry.file),
                  .line = root.entry.line,
                  .revision = oldest.name,
                  .fix = fmt::format("HARNESS_TYPE({}, {});", root.name, oldest.name),
                  .type = root.name};
  Add(context, std::move(finding), RuleId::UnregisteredType, "type", "since", {oldest.name});
}

/// Returns a file name as a git argument for the current folder. Names in findings are relative to
/// the repository's root, so a name gets the prefix `:/` unless the root is the current folder.
std::string ForGit(const CheckContext& context, const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool from_root =
      fs::path(context.store.folder()).is_absolute() && fs::path(file).is_relative();
  const bool there =
      fs::equivalent(fs::current_path(ignored), context.options.source_root, ignored);
  return base::ShellWord((from_root && !there ? ":/" : "") + file);
}

bool IsInGit(const CheckContext& context) {
  std::error_code ignored;
  return !WorkTreeAround(std::filesystem::absolute(context.store.folder(), ignored)).empty();
}

/// Returns the command or instruction that restores files. `what` may be a pattern with a wildcard
/// at its end.
std::string Restore(const CheckContext& context, const std::string& what) {
  // Restore from HEAD, because after `git rm` the index no longer contains the file.
  return IsInGit(context)
             ? "git restore --source=HEAD --staged --worktree -- " + ForGit(context, what)
             : fmt::format("restore {} from version control", what);
}

/// Returns the command that removes files. `what` may be a pattern with a wildcard at its end.
std::string Remove(const CheckContext& context, const std::string& what) {
  return (IsInGit(context) ? "git rm -f " : "rm ") + what;
}

}  // namespace

// Restores both files of a record, because they are committed together. Uses a pattern, because a
// record without goldens does not have a payload file, and git rejects the name of a file that does
// not exist.
std::string PutBack(const CheckContext& context, const std::string& file) {
  const std::string stem = file.substr(0, file.rfind('.'));
  const auto slash = stem.rfind('/');
  const std::string revision = slash == std::string::npos ? stem : stem.substr(slash + 1);
  if (file.find("/approved/") != std::string::npos) return Restore(context, file);
  const std::string both = Restore(context, stem + ".*");
  if (context.history.Find(revision) == nullptr || context.landed().Has(revision)) return both;
  return fmt::format("{}\nor, while it is pending and was never committed: {} record --refresh {}",
                     both, context.options.program, revision);
}

std::string FixOfProblem(const CheckContext& context, const golden::Error& problem) {
  if (!problem.fix.empty() && problem.fix_kind != base::ErrorFix::RestoreFile) return problem.fix;
  return PutBack(context, context.Relative(problem.file)) + problem.alternative;
}

namespace {

/// Reports a retired type without goldens: its HARNESS_RETIRED line either has a typo or is no
/// longer needed.
void CheckRetired(CheckContext& context, const RetiredEntry& retired) {
  const std::vector<std::string> recorded = context.history.GoldenTypes();
  const bool known = std::find(recorded.begin(), recorded.end(), retired.type) != recorded.end();
  if (known || !context.history.AllKnown() || !context.store.problems().empty()) return;
  Finding finding{.severity = Severity::Warning,
                  .file = context.Relative(retired.file),
                  .line = retired.line,
                  .type = retired.type};
  finding.message = fmt::format("HARNESS_RETIRED names {}, which has no goldens", retired.type);
  // List first the recorded types that the program does not register, because the line was probably
  // meant for one of them.
  std::string names, gone;
  for (const std::string& name : recorded) {
    std::string& to =
        context.registry.Find(name) || context.registry.FindRetired(name) ? names : gone;
    to += (to.empty() ? "" : ", ") + name;
  }
  finding.details = fmt::format("types with goldens: {}{}{}", gone,
                                gone.empty() || names.empty() ? "" : ", ", names);
  finding.fix = "correct the name, or remove the line";
  Add(context, std::move(finding), RuleId::UnregisteredType, "type", "retired");
}

}  // namespace

void CheckTypes(CheckContext& context) {
  for (const RetiredEntry& retired : context.registry.retired) CheckRetired(context, retired);
  for (const std::string& name : context.history.GoldenTypes()) {
    if (context.registry.Find(name) || context.registry.FindRetired(name)) continue;
    const Golden newest = context.history.SmallAndLarge(name).back();
    Finding finding{.file = context.Relative(context.store.folder() + "/" + newest.record->file),
                    .revision = context.history.revisions()[newest.revision].name,
                    .type = name};
    finding.message = fmt::format(
        "{} has goldens, but no HARNESS_TYPE registers it, so files that contain it are no longer "
        "checked",
        name);
    finding.cause = "unregistered";
    finding.fix = fmt::format(
        "HARNESS_TYPE({0}, ...);   // or, if the type was removed:\nHARNESS_RETIRED(\"{0}\", {1}, "
        "\"why\");\n// or, if it was renamed:\n{2}",
        name, context.history.latest().name, NameOfLines({name, "NewName"}));
    Add(context, std::move(finding), RuleId::UnregisteredType, "type", "unregistered");
  }
  const std::size_t newest = context.history.newest_recorded();
  for (const RootType& root : context.registry.types) {
    CheckSince(context, root);
    if (newest == History::none() || !context.pending().empty() ||
        !context.history.Goldens(root.name).empty() || !context.history.Large(root.name).empty() ||
        !context.history.AllKnown())
      continue;
    Finding finding{.severity = Severity::Warning,
                    .message = root.name + " has no goldens yet, so nothing protects it",
                    .file = context.Relative(root.entry.file),
                    .line = root.entry.line,
                    .fix = context.options.program + " record",
                    .type = root.name,
                    .cause = "unrecorded type"};
    Add(context, std::move(finding), RuleId::Coverage, "coverage", "unrecorded type");
  }
}

namespace {

/// True if a .gitattributes line keeps the bytes of `file` unchanged, and false if it may change
/// them. Returns nullopt if the line does not apply to `file`, whose path is relative to the folder
/// of that .gitattributes. Assumes that macros (`[attr]`) keep the bytes.
std::optional<bool> KeepsBytes(const std::string& line, const std::string& file) {
  std::istringstream words(line);
  std::string pattern, word;
  if (!(words >> pattern) || pattern.starts_with('#') || pattern.starts_with('['))
    return std::nullopt;
  if (pattern.starts_with("**/")) pattern.erase(0, 3);
  // As in git, a pattern without a slash applies to file names at any depth.
  const bool any_depth = pattern.find('/') == std::string::npos;
  if (pattern.starts_with('/')) pattern.erase(0, 1);
  const std::string name = any_depth ? file.substr(file.rfind('/') + 1) : file;
  if (!base::GlobMatches(pattern, name)) return std::nullopt;
  std::optional<bool> keeps;
  while (words >> word) {
    if (word == "text" || word.starts_with("text=") || word == "crlf" || word.starts_with("eol=")) {
      keeps = false;
    } else if (!word.starts_with("diff") && !word.starts_with("-diff") &&
               !word.starts_with("merge") && !word.starts_with("-merge") &&
               !word.starts_with("linguist-") && !word.starts_with("filter=")) {
      keeps = true;  // `binary`, `-text` or a macro
    }
  }
  return keeps;
}

/// Checks that .gitattributes marks payloads as binary. If the user wrote this file, `record`
/// leaves it unchanged, so it may lack the line.
void CheckAttributes(CheckContext& context) {
  const std::string path = context.store.folder() + "/.gitattributes";
  constexpr std::size_t kMost = 1U << 20;
  const auto text = base::ReadFile(path, kMost);
  if (!text || !*text) return;
  const auto keeps = [&](const std::string& name, bool otherwise) {
    std::istringstream lines(**text);
    for (std::string line; std::getline(lines, line);)
      otherwise = KeepsBytes(line, name).value_or(otherwise);
    return otherwise;
  };
  const auto add = [&](const std::string& why, const std::string& line) {
    Finding finding;
    finding.severity = Severity::Warning;
    finding.file = context.Relative(path);
    finding.message = finding.file + why;
    finding.fix = fmt::format("printf '\\n{}\\n' >>{}", line, base::ShellWord(path));
    Add(context, std::move(finding), RuleId::GoldenStore, "store", "attributes " + line);
  };
  std::string pack = context.list_prefix + "NAME.golden", payload;
  for (const golden::StoredRecord& stored : context.store.records()) {
    if (&stored == &context.store.records().front())
      pack = stored.file.substr(0, stored.file.rfind('.')) + ".golden";
    if (payload.empty() && !stored.record.large.empty())
      payload = golden::LargeFileName(stored.record, stored.record.large.front());
  }
  if (!keeps(pack, false))
    add(" has no line for *.golden, so git may convert line endings in payloads and merge them as "
        "text",
        "*.golden binary diff=revctl-golden merge=revctl");
  // A missing line is fine, because another .gitattributes may put large goldens into Git LFS.
  if (!payload.empty() && !keeps(payload, true))
    add(" makes git treat large goldens as text, so it may convert line endings in *.payload",
        "*.payload binary");
}

/// Reports a missing golden folder. Recording again is no remedy, because goldens made by the
/// current code prove nothing about old files.
void CheckFolder(CheckContext& context) {
  const std::string& folder = context.store.folder();
  if (!IsGone(folder)) return;
  Finding finding;
  finding.file = context.Relative(folder);
  finding.message = "the golden folder is missing, although it exists in HEAD: " + finding.file;
  finding.fix = Restore(context, finding.file);
  Add(context, std::move(finding), RuleId::GoldenStore, "store", "folder");
}

void CheckOrphans(CheckContext& context) {
  const auto files = base::ListFiles(context.store.folder());
  if (!files) return;
  for (const std::string& file : *files) {
    const auto name = golden::ParseFileName(file);
    // If the list still has the revision, another finding reports the lost record.
    if (!name || !context.store.HasOrphan(name->revision) ||
        context.history.Find(name->revision) != nullptr)
      continue;
    const std::string& revision = name->revision;
    Finding finding{.message = fmt::format("{} has payloads but no record, and it is not in the "
                                           "list: was it renamed or abandoned?",
                                           revision),
                    .file = context.Relative(context.store.folder() + "/" + revision + ".golden"),
                    .revision = revision};
    finding.fix =
        fmt::format("{}   # if it never landed; otherwise put the name back into the list",
                    Remove(context, ForGit(context, finding.file)));
    finding.cause = "orphan";
    Add(context, std::move(finding), RuleId::GoldenStore, "store", "orphan " + revision,
        {revision});
  }
}

}  // namespace

void CheckStale(CheckContext& context) {
  for (const StalePending::Stale& stale : context.stale.stale) {
    Finding finding{
        .message = stale.message,
        .file = context.Relative(context.store.folder() + "/" + stale.revision + ".yaml"),
        .revision = stale.revision,
        .fix = context.options.program + " record"};
    for (const std::string& revision : context.stale.revisions)
      finding.fix += " --refresh " + revision;
    if (stale.unfolded) {
      finding.severity = Severity::Note;
      finding.message += "; revctl fold records it again on the target";
      finding.fix = context.options.program + " record --refresh-pending, or leave it to the fold";
    }
    finding.cause = "stale";
    Add(context, std::move(finding), RuleId::GoldenStore, "store", "stale " + stale.revision,
        {stale.revision});
  }
}

void CheckUnreadImports(CheckContext& context) {
  std::string first_file, first_revision;
  std::vector<std::string> items;
  for (const golden::StoredRecord* stored : context.history.unread_additions()) {
    if (stored->record.provenance.command != "import") continue;
    const auto add = [&](const golden::Case& item) {
      if (items.empty()) {
        first_file = stored->file;
        first_revision = stored->record.revision;
      }
      items.push_back(fmt::format("{}/{} ({})", stored->record.revision, item.name, stored->file));
    };
    for (const golden::Case& item : stored->record.cases) add(item);
    for (const golden::LargeCase& large : stored->record.large) add(large.item);
  }
  if (items.empty()) return;
  const std::string& oldest = context.history.revisions().front().name;
  Finding finding{
      .severity = Severity::Note,
      .message = fmt::format(
          "{} imported {} older than {}, the oldest supported revision: such files no longer load",
          items.size(), items.size() == 1 ? "golden is" : "goldens are", oldest),
      .file = context.Relative(context.store.folder() + "/" + first_file),
      .revision = first_revision,
      .fix = fmt::format("if such files still exist, undo the purge and run revctl purge --below "
                         "{} instead; otherwise there is nothing to fix",
                         first_revision),
      .items = std::move(items)};
  Add(context, std::move(finding), RuleId::GoldenStore, "store", "unread imports");
}

void CheckStore(CheckContext& context) {
  CheckAttributes(context);
  CheckFolder(context);
  CheckOrphans(context);
  for (const golden::Error& problem : context.store.problems()) {
    Finding finding{
        .message = problem.message, .file = context.Relative(problem.file), .line = problem.line};
    finding.fix = FixOfProblem(context, problem);
    Add(context, std::move(finding), RuleId::GoldenStore, "store", problem.file + problem.message);
  }
  for (const Revision& revision : context.history.revisions()) {
    if (revision.lost_since.empty()) continue;
    Finding finding{
        .message =
            fmt::format("the goldens of {} are missing, so upgrades of older goldens cannot be "
                        "compared: {}",
                        revision.name, revision.lost_since),
        .file = context.Relative(context.store.folder() + "/" + revision.name + ".yaml"),
        .revision = revision.name};
    finding.fix = PutBack(context, finding.file);
    if (IsInGit(context))
      finding.fix += fmt::format(
          "\nor, if their removal was committed:\ngit checkout \"$(git log -1 --diff-filter=D "
          "--format=%h -- {})^\" -- {}",
          ForGit(context, finding.file),
          ForGit(context, context.Relative(context.store.folder() + "/" + revision.name + ".*")));
    finding.cause = "lost";
    Add(context, std::move(finding), RuleId::GoldenStore, "store", "lost " + revision.name,
        {revision.name});
  }
  for (const golden::StoredRecord* stored : context.history.strangers()) {
    Finding finding{.message = fmt::format(
                        "{} has goldens, but it is not in the list: was it renamed or abandoned?",
                        stored->record.revision),
                    .file = context.Relative(context.store.folder() + "/" + stored->file),
                    .revision = stored->record.revision};
    finding.fix =
        fmt::format("{}.*   # if it never landed; otherwise put the name back into the list",
                    Remove(context, base::ShellPath(context.Relative(context.store.folder()) + "/" +
                                                    stored->record.revision)));
    finding.cause = "stranger";
    Add(context, std::move(finding), RuleId::GoldenStore, "store", "stranger " + stored->file,
        {stored->record.revision});
  }
}

}  // namespace revctl::harness
