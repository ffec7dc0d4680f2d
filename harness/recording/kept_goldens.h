#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"
#include "harness/trace/registry.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

struct Recording;
struct RecordingOptions;

/// The old content of a record that is about to be recorded again.
struct KeptRecord {
  std::string revision;
  bool stale = false;  ///< true if the record must be recorded again
  /// The record with the cases of its additions, or nullopt if there was no readable record.
  std::optional<golden::RevisionRecord> record;
  std::vector<std::string> additions;  ///< text files of the additions whose cases are in `record`
  /// additions whose cases were all in the record already
  std::vector<std::string> taken_over;
  /// Maps the new ids of the additions' goldens to the ids that other records use for them.
  std::map<std::string, std::string> called;
};

/// The replaced records of a branch, in list order.
using KeptRecords = std::vector<KeptRecord>;

/// Reverts the changes that the records at index `from` and later make to a golden's upgraded
/// value, so that each record keeps only its own changes.
void TakeBack(const KeptRecords& kept, std::size_t from, const std::string& type,
              const std::string& id, std::vector<golden::Leaf>& leaves);

/// Returns the places that the record's upgrades change in older goldens of a root type.
std::set<std::string> PlacesChanged(const KeptRecord& kept, const std::string& type);

/// Values that could not be kept, grouped by place.
class Losses {
 public:
  /// Adds a value of the golden `name`. `now` is nullopt if the value disappeared.
  void Add(const std::string& type, const golden::Change& change, const std::string& name);
  void AddGolden(const std::string& type, const std::string& name, const std::string& why);
  /// Returns a line for each place, and a line for each reason why goldens were dropped.
  std::vector<std::string> Texts() const;

 private:
  std::map<std::pair<std::string, bool>, std::vector<std::string>> values_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> goldens_;
};

struct Written {
  std::string name;
  bool by_hand = false;
  Traced traced;
  std::vector<golden::Change> upgraded;
};

/// Returns the old content of the record that is being replaced, or null.
const golden::RevisionRecord* RecordBefore(const RecordingOptions& options);

/// Fills `samples` with the values of the record that is being replaced, if any. The current
/// samples may lack some of these values, because their fields were removed.
void KeepValues(const RootType& root, std::int64_t number, std::int64_t latest,
                const RecordingOptions& options, std::vector<Written>& samples, Losses& losses);

/// Reports the old goldens of root types that no longer have goldens at the revision.
void TellOfDropped(const RecordingOptions& options, const Recording& recording, Losses& losses);

}  // namespace revctl::harness
