// GH009 about what a record no longer says: its goldens hold records and enums that nothing
// describes.
#include <fmt/core.h>
#include <algorithm>

#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

void Add(CheckContext& context, const golden::StoredRecord& stored, const std::string& type,
         const std::string& revision, const std::string& message) {
  Finding finding{.rule = rule::kStore,
                  .message = message,
                  .file = context.Relative(context.store.folder() + "/" + stored.file),
                  .revision = revision,
                  .type = type,
                  .signal = "store"};
  finding.fix = PutBack(context, finding.file);
  context.verdicts.Add(std::move(finding), "undescribed " + stored.file);
}

/// Whether `type` was recorded at some revision up to this one, by whatever name it has now.
bool Described(const History& history, const std::string& type, std::size_t index) {
  return history.TypeRecordedAt(type, index) != History::none() ||
         history.EnumRecordedAt(type, index) != History::none();
}

/// Whether a layout in force says that `type` is there. What a body visits today may be new to the
/// record: that is for the layout signal to tell.
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
  // A user's file may be older than everything that was recorded.
  if (golden.record->record.provenance.command == "import" || !history.AllKnown()) return;
  const auto expect = [&](const std::string& type) {
    if (Described(history, type, golden.revision)) return;
    if (type != root.name && !Mentioned(history, decoded, type)) return;
    Add(context, *golden.record, type, history.revisions()[golden.revision].name,
        fmt::format(
            "{0} holds goldens with {1}, but no record says what {1} looks like: was a list "
            "of it emptied, or lost in a merge?",
            golden.record->file, type));
  };
  expect(root.name);
  if (!decoded.complete) return;
  for (const auto& [name, descriptor] : decoded.read.notes.Records()) {
    if (Described(history, name, golden.revision)) continue;
    // What only wraps others (a pointer to a class) has no layout of its own.
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
    // Goldens of a type that has older ones are recorded because something about it changed.
    for (const golden::Case& item : record.cases) {
      const auto& goldens = context.history.Goldens(item.type);
      if (goldens.empty() || goldens.front().record == revision.record ||
          context.history.revisions()[goldens.front().revision].number >= revision.number)
        continue;
      Add(context, *revision.record, item.type, revision.name,
          fmt::format("{} holds goldens of {}, but says of no type or enum what changed: were its "
                      "lists emptied, or lost in a merge?",
                      revision.record->file, item.type));
      break;
    }
  }
}

}  // namespace revctl::harness
