// GH004, upgrade: checks that the current code upgrades a golden to the recorded value, including
// the changes of later revisions.
#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <string_view>

#include "golden/text/scalar_text.h"
#include "harness/advice/own_words.h"
#include "harness/history/harmless_changes.h"
#include "harness/layout/fields.h"
#include "harness/signals/decoded.h"
#include "harness/signals/pending_effect.h"
#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"
#include "harness/trace/tracing.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

/// Returns a field's value as a C++ expression, or "" if it cannot be written as one.
std::string Literal(const std::string& text, const revctl::LayoutField& field) {
  constexpr std::size_t kLongest = 60;
  if (text.size() > kLongest) return "";
  const std::string word(golden::WordOf(text));
  if (word.empty() || field.type == "bool") return text;
  if (word.find_first_not_of("0123456789.-+e") == std::string::npos) return word;
  return base::IsIdentifier(word) ? fmt::format("{}::{}", field.type, word) : "";
}

/// Returns a line of upgrade code that restores the recorded value of `change`. Returns "" if the
/// value comes from the file, or if a single line cannot restore it.
std::string KeepLine(const RootType& root, const Decoded& decoded, const golden::Change& change,
                     std::int64_t latest) {
  const bool read = FindLeaf(decoded.golden->item->values, change.path) != nullptr;
  if (read || !change.before || !change.after) return "";
  const auto layouts = decoded.resaved.notes.Layouts(latest);
  const revctl::LayoutField* const field = FieldAt(layouts, root.name, change.path);
  if (field == nullptr || field->since.empty() || !field->until.empty()) return "";
  const std::string value = Literal(*change.before, *field);
  if (value.empty()) return "";
  if (IsOpaque(root.type())) {
    const OwnWords& words = root.entry.words;
    return words.add_field != nullptr ? AddFieldLine(words, field->name, field->since, value)
                                      : UpgradeLineOf(words, field->name, field->since, value);
  }
  return fmt::format("if (r.IsReading() && r.revision < {}) d.{} = {};", field->since, field->name,
                     value);
}

/// Returns upgrade code for files older than `revision`: a condition that guards `code`. If the
/// root's body uses the program's own macros, returns a description instead.
std::string UpgradeLine(const CheckContext& context, const RootType& root, const Decoded& decoded,
                        const std::string& revision, const std::string& code) {
  const auto layouts = decoded.resaved.notes.Layouts(context.history.latest().number);
  const auto own = layouts.find(root.name);
  if (IsOpaque(root.type()) && root.entry.words.upgrade != nullptr)
    return UpgradeLineOf(root.entry.words, "member", revision, "value");
  if (IsOpaque(root.type()) || (own != layouts.end() && HasOtherMacros(own->second.layout.fields)))
    return fmt::format("change the upgrade code for files older than {}", revision);
  return fmt::format("if (r.IsReading() && r.revision < {}) {}", revision, code);
}

void OfferUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                  const std::vector<golden::Change>& changes, const Finding& finding) {
  const std::string& after = context.history.revisions()[context.history.newest_recorded()].name;
  context.Offer({.kind = golden::Approval::Kind::Upgrade,
                 .type = root.name,
                 .after = after,
                 .cases = {decoded.golden->id},
                 .changes = changes},
                finding);
}

/// Returns all alternatives for a fix: restoring the code, adding the line from KeepLine, or
/// reserving a new revision for the new value.
std::string UpgradeFixes(const CheckContext& context, const RootType& root, const Decoded& decoded,
                         const golden::Change& change) {
  const std::string keep = KeepLine(root, decoded, change, context.history.latest().number);
  const std::string name = context.FreeUpgradeName(root);
  std::string fixes = "restore the upgrade code";
  if (!keep.empty())
    fixes +=
        ", or the default\nor keep the recorded value in older files, with upgrade code:\n" + keep;
  return fmt::format(
      "{}\nor change the value in a new revision, after the code that produces the recorded "
      "value:\nrevctl reserve {}\n{}\n{} record",
      fixes, name, UpgradeLine(context, root, decoded, name, "{ ... }"), context.options.program);
}

/// Returns a finding about a golden's upgraded value. `path` is the recorded path.
Finding About(const CheckContext& context, const RootType& root, const Decoded& decoded,
              const std::string& path) {
  return context.AboutSaved(root, decoded, RuleId::UpgradedValue, "upgrade",
                            PathNow(context.renames, path, decoded.resaved.leaves));
}

/// Returns a finding such as "Score.points: upgraded to 3, not to 5, and 2 more values differ",
/// followed by `behind`. Its details list some of the changes.
Finding AboutChanges(const CheckContext& context, const RootType& root, const Decoded& decoded,
                     const std::vector<golden::Change>& changes, const std::string& behind) {
  Finding finding = About(context, root, decoded, changes[0].path);
  finding.message = fmt::format("{}.{}: {}{}{}", root.name, finding.field,
                                UpgradedInstead(changes[0]), AndMore(changes.size()), behind);
  finding.details += ShownChanges(context.renames, changes, decoded.resaved.leaves);
  return finding;
}

/// Adds the finding, and offers the change for approval. If a changed layout explains the finding,
/// adds it as a consequence and offers nothing.
void AddUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                const std::vector<golden::Change>& changes, Finding finding,
                const std::string& cause, std::vector<std::string> mentioned = {}) {
  finding.fix += OrReview(context.options.program);
  if (context.FollowsLayout(root, decoded, changes))
    return context.AddOrFollowAny(root, std::move(finding), cause, std::move(mentioned));
  OfferUpgrade(context, root, decoded, changes, finding);
  context.verdicts.Add(std::move(finding), cause, std::move(mentioned));
}

/// Adds a note that a pending revision changes an upgrade. Reviewers will see the change in the
/// revision's record.
void TellOfPending(CheckContext& context, const RootType& root, const Decoded& decoded,
                   const std::vector<golden::Change>& changes) {
  // The finding about the stale record already contains the command that re-records the revision.
  if (context.stale.Holds(context.pending())) return;
  Finding finding =
      AboutChanges(context, root, decoded, changes, "; will be recorded with " + context.pending());
  finding.severity = Severity::Note;
  finding.fix = context.options.program + " record";
  context.AddOrFollowAny(root, std::move(finding), "upgrade");
}

bool IsApproved(const CheckContext& context, const RootType& root, const Decoded& decoded,
                const golden::Change& change) {
  const auto& all = context.store.approvals();
  return std::any_of(all.begin(), all.end(), [&](const golden::Approval& one) {
    return one.kind == golden::Approval::Kind::Upgrade && one.type == root.name &&
           std::find(one.cases.begin(), one.cases.end(), decoded.golden->id) != one.cases.end() &&
           std::any_of(one.changes.begin(), one.changes.end(), [&](const golden::Change& accepted) {
             return accepted.path == change.path && accepted.after == change.after;
           });
  });
}

/// Returns the upgrades that a stale record contains, but that the current code no longer makes.
/// Revisions unknown to the stale record can only add upgrades, so a missing upgrade was lost. A
/// refresh would make the loss permanent.
std::vector<golden::Change> LostOfStale(const CheckContext& context, const RootType& root,
                                        const Decoded& decoded) {
  std::vector<golden::Change> lost;
  const StalePending& stale = context.stale;
  const auto found = stale.made.find({root.name, decoded.golden->id});
  if (found == stale.made.end() || stale.others.MayUpgrade(root.name, decoded.golden->id))
    return lost;
  std::map<std::string, const std::string*> now;
  for (const golden::Leaf& leaf : decoded.resaved.leaves)
    now.emplace(context.renames.CanonicalPath(leaf.path), &leaf.text);
  for (const auto& [path, value] : found->second) {
    if (path.ends_with(kInMemory)) continue;
    golden::Change change{path, value, std::nullopt};
    const auto there = now.find(context.renames.CanonicalPath(path));
    if (there != now.end()) change.after = *there->second;
    if (change.after != change.before && !stale.others.MayChange(change) &&
        !IsApproved(context, root, decoded, change))
      lost.push_back(std::move(change));
  }
  return lost;
}

void TellOfLost(CheckContext& context, const RootType& root, const Decoded& decoded,
                const std::vector<golden::Change>& lost) {
  std::string by;
  for (const std::string& revision : context.stale.revisions)
    by += (by.empty() ? "" : ", ") + revision;
  Finding finding = AboutChanges(
      context, root, decoded, lost,
      fmt::format("; the goldens of {} are stale, and recording them again would hide this change",
                  by));
  finding.fix = "restore the upgrade code";
  context.AddOrFollowAny(root, std::move(finding), "upgrade of a stale record",
                         context.stale.revisions);
}

/// Returns an outline of upgrade code for a pending revision, which must compare with the pending
/// revision first. If an older comparison came first and matched, files would not reach a following
/// `else` or `||`.
std::string PendingUpgrade(const History& history) {
  if (history.newest_recorded() == 0) return "{ ... }";
  return fmt::format(
      "{{ if (r.revision < {}) {{ ... }} else {{ ... }} }}  // test the new revision first, and "
      "older revisions inside",
      history.revisions()[history.newest_recorded()].name);
}

/// Reports a comparison that uses `<=` instead of `<` and therefore also upgrades files of the
/// revision itself. Returns false if no such comparison explains the changes.
bool TellOfInclusive(CheckContext& context, const RootType& root, const Decoded& decoded,
                     const std::vector<golden::Change>& changes) {
  const InclusiveComparison found = FindInclusive(context, root, decoded, changes);
  if (found.revision == nullptr) return false;
  context.inclusive.emplace(root.name, found.revision->number);
  const std::string& name = found.revision->name;
  Finding finding = AboutChanges(context, root, decoded, changes,
                                 fmt::format(": `r.revision <= {0}` (or `>`) also includes files "
                                             "of {0} itself, while `<` keeps their saved values",
                                             name));
  finding.fix = fmt::format("write `r.revision < {0}`, or `>= {0}` for files from {0} on", name);
  context.PointAt(found.place, finding);
  AddUpgrade(context, root, decoded, changes, std::move(finding), "inclusive comparison", {name});
  return true;
}

/// Reports a changed upgrade of old files that the pending revision does not explain. A person must
/// approve such a change and give a reason.
void TellOfStowaway(CheckContext& context, const RootType& root, const Decoded& decoded,
                    const std::vector<golden::Change>& changes) {
  const std::string pending = context.pending();
  Finding finding = AboutChanges(
      context, root, decoded, changes,
      ": " +
          fmt::format("no gate, REM or comparison with {} explains this change, so upgrade code, a "
                      "default or the meaning of a removed field changed for files of all builds",
                      pending));
  std::string keep = KeepLine(root, decoded, changes[0], context.history.latest().number);
  if (!keep.empty())
    keep = fmt::format(
        "the default\nor keep the recorded value in older files, with upgrade code:\n{}\nor ",
        keep);
  finding.fix = fmt::format(
      "restore the upgrade code, or {}make the change in {}, after the code that produces the "
      "recorded value:\n{}",
      keep, pending, UpgradeLine(context, root, decoded, pending, PendingUpgrade(context.history)));
  AddUpgrade(context, root, decoded, changes, std::move(finding), "upgrade beside a revision");
}

/// True for a golden of a purged revision if the code that recorded it distinguished this revision
/// from the oldest remaining one. Its bytes may then mean something different when they are read at
/// the oldest remaining revision.
bool ToldFromOldest(const History& history, const Decoded& decoded) {
  const Golden& golden = *decoded.golden;
  return history.Carried(golden) &&
         history.ToldApart(decoded.read.notes.Records(), golden.record->record.number,
                           history.revisions()[golden.revision].number);
}

void TellOfCarried(CheckContext& context, const RootType& root, const Decoded& decoded,
                   const std::vector<golden::Change>& changes) {
  const Golden& golden = *decoded.golden;
  Finding finding = AboutChanges(
      context, root, decoded, changes,
      fmt::format(": the golden was recorded at {}, which is no longer supported, so it is now "
                  "read as a file of {}; the next `record` will save the new value",
                  golden.record->record.revision,
                  context.history.revisions()[golden.revision].name));
  finding.severity = Severity::Note;
  context.AddOrFollowAny(root, std::move(finding), "upgrade of a purged revision's golden",
                         {context.history.revisions()[golden.revision].name});
}

/// Adds a note that only the order of a map's or set's entries has changed. This changes bytes, but
/// no values.
void TellOfOrder(CheckContext& context, const RootType& root, const Decoded& decoded,
                 const std::string& path) {
  Finding finding = About(context, root, decoded, path);
  finding.severity = Severity::Note;
  finding.message = fmt::format(
      "{}.{}: its entries are written in a different order than recorded (the KeyOrder or the key "
      "comparison changed). Readers accept both orders",
      root.name, finding.field);
  context.AddOrFollowAny(root, std::move(finding), "order of entries");
}

}  // namespace

void CheckUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded,
                  PendingEffect& pending) {
  if (!decoded.complete) return;
  const History& history = context.history;
  if (!history.Known(decoded.golden->revision, history.newest_recorded())) return;
  if (!decoded.saved) {
    Finding finding = About(context, root, decoded, decoded.resaved.path);
    finding.message =
        fmt::format("{} loads, but cannot be saved again: {}: {}", root.name,
                    FromRoot(root.name, decoded.resaved.path), decoded.resaved.reason);
    finding.fix = "make the upgrade code produce a value that can be written";
    context.AddOrFollowAny(root, std::move(finding), "cannot be saved");
    return;
  }
  auto changes =
      context.renames.Compare(history.ExpectedUpgrade(*decoded.golden), decoded.resaved.leaves);
  // GH003 reports differences that exist before any upgrade, so skip them.
  const auto misread = context.renames.Compare(decoded.golden->item->values, decoded.read.leaves);
  std::erase_if(changes, [&](const golden::Change& change) {
    return std::find(misread.begin(), misread.end(), change) != misread.end();
  });
  if (const auto lost = LostOfStale(context, root, decoded); !lost.empty()) {
    TellOfLost(context, root, decoded, lost);
    std::erase_if(changes, [&](const golden::Change& change) {
      return std::any_of(lost.begin(), lost.end(),
                         [&](const auto& one) { return one.path == change.path; });
    });
  }
  if (changes.empty()) return;
  if (const auto reordered =
          OnlyReordered(history.ExpectedUpgrade(*decoded.golden), decoded.resaved, context.renames);
      !reordered.empty())
    return TellOfOrder(context, root, decoded, reordered.front());
  // Report lost upgrade code separately from the consequences of a broken layout.
  auto own = changes;
  std::erase_if(own, [&](const golden::Change& change) {
    return context.FollowsLayout(root, decoded, {change});
  });
  if (!own.empty()) changes = std::move(own);
  if (ToldFromOldest(history, decoded)) return TellOfCarried(context, root, decoded, changes);
  if (!context.pending().empty()) {
    const auto stowaways = pending.Unexplained(decoded, changes);
    std::erase_if(changes, [&](const golden::Change& change) {
      return std::find(stowaways.begin(), stowaways.end(), change) != stowaways.end();
    });
    if (!changes.empty()) TellOfPending(context, root, decoded, changes);
    if (!stowaways.empty() && !TellOfInclusive(context, root, decoded, stowaways))
      TellOfStowaway(context, root, decoded, stowaways);
    return;
  }
  if (TellOfInclusive(context, root, decoded, changes)) return;
  Finding finding = AboutChanges(
      context, root, decoded, changes,
      ": upgrade code, a default or the meaning of a removed field changed without a revision");
  finding.fix = context.OrRefresh(UpgradeFixes(context, root, decoded, changes[0]),
                                  history.newest_recorded());
  AddUpgrade(context, root, decoded, changes, std::move(finding), "upgrade");
}

// GH004 for changes that affect no byte of any file, such as equal edits of both conversions of a
// WireAs.

void CheckMemory(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  if (!decoded.saved || !history.Known(decoded.golden->revision, history.newest_recorded())) return;
  const auto recorded = history.ExpectedMemory(*decoded.golden);
  if (recorded.empty()) return;
  const auto expected = history.ExpectedUpgrade(*decoded.golden);
  std::vector<golden::Change> changes;
  for (const golden::Leaf& then : recorded) {
    const golden::Leaf* const now = FindLeaf(decoded.resaved.memory, then.path);
    if (now == nullptr || now->text == then.text) continue;
    // Another finding reports the change if the value in the file has also changed.
    const auto own = std::string_view(then.path).substr(0, then.path.size() - kInMemory.size());
    const golden::Leaf *before = FindLeaf(expected, own),
                       *after = FindLeaf(decoded.resaved.leaves, own);
    if ((before == nullptr) != (after == nullptr) ||
        (before != nullptr && before->text != after->text))
      continue;
    changes.push_back({then.path, then.text, now->text});
  }
  if (changes.empty()) return;
  const golden::Change& first = changes.front();
  Finding finding = context.AboutSaved(root, decoded, RuleId::UpgradedValue, "upgrade",
                                       first.path.substr(0, first.path.size() - kInMemory.size()));
  finding.message = fmt::format(
      "{}.{} is now loaded as {}, but was loaded as {} when it was recorded. The value in the file "
      "has not changed, so both conversions of its WireAs must have{}",
      root.name, finding.field, *first.after, *first.before, AndMore(changes.size()));
  finding.details += ShownChanges(context.renames, changes, decoded.resaved.leaves);
  finding.fix = fmt::format(
      "restore the conversions in FromWire and ToWire\nor, if the value still means the same "
      "(only its unit in memory changed):\n{} review",
      context.options.program);
  if (!context.Broken(root)) OfferUpgrade(context, root, decoded, changes, finding);
  context.AddOrFollowAny(root, std::move(finding), "value in memory");
}

// GH004 at revisions that inherit a golden. Files of these revisions contain the same bytes as the
// golden. If the recorded code did not distinguish the revisions, it upgraded all these files in
// the same way, so the current code must do the same.

namespace {

/// Reads a golden's bytes as a file of revision `number`, and returns the values to which the
/// current code upgrades them. Excludes the effect of pending revisions. Returns nullopt if this
/// effect is unknown.
std::optional<std::vector<golden::Leaf>> UpgradedFrom(const CheckContext& context,
                                                      const RootType& root, const Golden& golden,
                                                      std::int64_t number) {
  const History& history = context.history;
  const std::int64_t latest = history.latest().number;
  if (!context.pending().empty())
    return WithoutUpgrades(root.type(), golden.payload(), number,
                           history.revisions()[history.newest_recorded()].number + 1, latest);
  const Decoded decoded = Decode(root, golden, number, latest);
  if (!decoded.complete || !decoded.saved) return std::nullopt;
  return decoded.resaved.leaves;
}

/// Compares values. If a revision is pending, ignores values that exist on only one side, because
/// these result from fields and not from upgrade code.
std::vector<golden::Change> Changes(const CheckContext& context,
                                    const std::vector<golden::Leaf>& expected,
                                    const std::vector<golden::Leaf>& now) {
  auto changes = context.renames.Compare(expected, now);
  if (!context.pending().empty())
    std::erase_if(changes,
                  [](const golden::Change& change) { return !change.before || !change.after; });
  return changes;
}

}  // namespace

void CheckInheritedUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  if (!decoded.complete || !decoded.saved || !history.AllKnown() ||
      history.newest_recorded() == History::none())
    return;
  // Visits do not reveal which revisions a program's own streams distinguish.
  if (IsOpaque(root.type())) return;
  const Golden& golden = *decoded.golden;
  // The values of an addition may depend on comparisons that no earlier golden reached, so its
  // record does not show whether the code distinguished the revisions.
  if (history.Carried(golden) || golden.record->addition) return;
  const Revision& own = history.revisions()[golden.revision];
  const auto sides = decoded.read.notes.Compared();
  const auto types = decoded.read.notes.Records();
  const std::size_t end = history.InheritedUntil(golden);
  std::int64_t looked_at = own.number;
  for (std::size_t i = golden.revision + 1; i < end; ++i) {
    const Revision& revision = history.revisions()[i];
    if (SameSide(looked_at, revision.number, sides)) continue;
    looked_at = revision.number;
    if (history.ToldApart(types, own.number, revision.number)) return;
    const auto now = UpgradedFrom(context, root, golden, revision.number);
    const auto at_own = now ? UpgradedFrom(context, root, golden, own.number) : std::nullopt;
    if (!at_own || Changes(context, *at_own, *now).empty()) continue;
    const auto changes = Changes(context, history.ExpectedUpgrade(golden), *now);
    // Approved values of the golden's own revision may still be wrong for files of this revision.
    if (changes.empty() || Changes(context, history.RecordedUpgrade(golden), *now).empty())
      continue;
    const golden::Change& first = changes[0];
    Finding finding = context.AboutSaved(root, decoded, RuleId::UpgradedValue, "upgrade",
                                         PathNow(context.renames, first.path, *now));
    finding.revision = revision.name;
    finding.message = fmt::format(
        "{}.{}: a file of {} is upgraded to {}, not to {}{}: the recorded code treated it like a "
        "file of {}",
        root.name, finding.field, revision.name, Side(first.after), Side(first.before),
        AndMore(changes.size()), own.name);
    finding.details += ShownChanges(context.renames, changes, *now);
    finding.fix = context.OrRefresh(
        "use the same revision checks as the code that recorded the golden\nor make the change in "
        "a new revision, and compare with that revision first:\nrevctl reserve " +
            context.FreeUpgradeName(root),
        history.newest_recorded());
    context.AddOrFollowAny(root, std::move(finding), "inherited upgrade", {revision.name});
    return;
  }
}

}  // namespace revctl::harness
