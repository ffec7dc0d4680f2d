#include "harness/recording/add_files.h"

#include <optional>

#include "harness/files/file_frame.h"

namespace revctl::harness {
namespace {

/// The file that was recorded last, and with which record.
struct LastFile {
  const golden::RevisionRecord* record = nullptr;
  const golden::RecordedFile* file = nullptr;
};

LastFile Last(const RootType& root, const History& history) {
  LastFile last;
  const auto look = [&](const golden::StoredRecord& stored) {
    for (const golden::RecordedFile& file : stored.record.files) {
      if (file.type == root.name) last = {&stored.record, &file};
    }
  };
  for (const Revision& revision : history.revisions()) {
    if (revision.record != nullptr) look(*revision.record);
    for (const golden::StoredRecord* addition : revision.additions) look(*addition);
  }
  return last;
}

/// Whether the program makes the same file of the same payload today.
bool IsAsToday(const RootType& root, const revctl::ListTable& list, const LastFile& last) {
  revctl::FileParts parts;
  if (!OpenFrame(root, list, last.file->bytes, parts).Ok()) return false;
  const auto today = RecordFile(root, last.record->number, last.record->lineage, parts.payload);
  return today && *today == *last.file;
}

}  // namespace

void AddFile(const RootType& root, const History& history, std::size_t index, bool renewed,
             Recording& recording) {
  if (!SaysFrame(root)) return;
  if (const LastFile last = Last(root, history); last.file != nullptr) {
    const revctl::ListTable none{"", {}, 0};
    if (!renewed || IsAsToday(root, none, last)) return;
  }
  const Revision& revision = history.revisions()[index];
  std::span<const std::byte> smallest;
  bool any = false;
  const auto consider = [&](std::span<const std::byte> payload) {
    if (!any || payload.size() < smallest.size()) smallest = payload;
    any = true;
  };
  for (const golden::Case& item : recording.record.cases) {
    if (item.type != root.name) continue;
    if (const auto* payload = recording.payloads.Find(item.hash)) consider(*payload);
  }
  // Of whatever revision: a frame does not look into its payload.
  for (const Golden& golden : history.Goldens(root.name)) consider(golden.payload());
  if (!any) return;
  if (auto file = RecordFile(root, revision.number, revision.lineage, smallest))
    recording.record.files.push_back(std::move(*file));
}

}  // namespace revctl::harness
