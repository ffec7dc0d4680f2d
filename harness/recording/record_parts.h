#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/recording/recording.h"

namespace revctl::harness {

/// On destruction, adds the root type to `failed` if `recording` has new troubles.
class FailureNote {
 public:
  FailureNote(const RootType& root, Recording& recording)
      : root_(root), recording_(recording), before_(recording.troubles.size()) {}
  FailureNote(const FailureNote&) = delete;
  FailureNote& operator=(const FailureNote&) = delete;
  ~FailureNote() {
    if (recording_.troubles.size() > before_) recording_.failed.insert(root_.name);
  }

 private:
  const RootType& root_;
  Recording& recording_;
  std::size_t before_;
};

/// Returns the size of an empty object if both an empty object and a filled sample are too large
/// for a golden, so that no automatic sample can become a golden. Writes these objects in this
/// process.
std::optional<std::size_t> SizeIfTooLarge(const RootType& root, std::int64_t latest,
                                          std::uint64_t seed);

/// Formats the error about a root type for which SizeIfTooLarge returned `bytes`.
std::string TooLargeText(const std::string& type, std::size_t bytes);

bool AppliesAt(const RootType& root, const Revision& revision);

/// Returns the header of a record, without `previous` and `behind`.
golden::RevisionRecord Header(const History& history, std::size_t index,
                              const RecordingOptions& options);

/// A sample that is recorded as a large golden.
struct LargeSample {
  std::string name;
  std::vector<std::byte> payload;
};

/// The data of a root type at one revision that goes into a record.
struct TypeNow {
  std::map<std::string, TypeTrace> layouts;
  std::map<std::string, revctl::EnumLayout> enums;
  std::vector<Written> samples;
  std::vector<LargeSample> large;
  std::size_t made = 0;                 ///< number of samples tried
  std::string refusal;                  ///< why the first rejected sample was rejected
  bool rejects_sample_by_hand = false;  ///< true if a rejected hand-written sample was reported
};

/// Writes and reads the samples at revision `number`. Reports failed hand-written samples in
/// `troubles`.
TypeNow Look(const RootType& root, const std::vector<Sample>& samples, std::int64_t number,
             std::int64_t latest, std::vector<std::string>& troubles);

/// Adds an error to `troubles`: nothing would be recorded, because the type accepts neither samples
/// nor generated values. `latest` is the revision number at which samples are created.
void SayRefused(const RootType& root, std::int64_t latest, std::uint64_t seed, const TypeNow& now,
                Recording& recording);

void AddCases(const RootType& root, std::vector<Written>& samples, Recording& recording);

/// Adds an error to `troubles` if the goldens of a root type at this record's revision exceed their
/// budget.
void CheckBudget(const RootType& root, const History& history, Recording& recording);

/// Returns a layout as it is stored, without source positions.
golden::RecordedType Recorded(const TypeTrace& trace);

/// Adds a complete file of a root type to the record of revision `index` if the program declares
/// the type's frame, such as its header and checksum, and no record contains a file of the type.
/// If `renewed` is true, also adds a file if the frame has changed since the last recorded file.
void AddFile(const RootType& root, const History& history, std::size_t index, bool renewed,
             Recording& recording);

/// Records `payload` as a large golden of revision `index`. If the payload does not load or exceeds
/// a limit, adds an error to `troubles`. Frees the payload early, because it may take 64 MiB.
void AddLarge(const RootType& root, const History& history, std::size_t index,
              const std::string& name, std::vector<std::byte> payload, Recording& recording);

/// Adds an error to `troubles` if the files of all large goldens, including those of this record,
/// exceed the budget of their type or of the store.
void CheckLargeBudgets(const Registry& registry, const History& history, Recording& recording);

/// Adds the changes that revision `index` makes to the upgraded values of older large goldens.
void AddLargeUpgrades(const RootType& root, const History& history, std::size_t index,
                      const Renames& renames, golden::RevisionRecord& record);

/// Appends far-reaching goldens of a root type at revision `index` for places that no such golden
/// reaches yet. Uses only a small part of the budget. Reports payloads that crash the process in
/// `warnings`.
void AddReaching(const RootType& root, const History& history, std::size_t index,
                 const RecordingOptions& options, std::vector<Written>& samples,
                 std::vector<std::string>& warnings);

}  // namespace revctl::harness
