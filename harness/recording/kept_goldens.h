#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"
#include "harness/trace/registry.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

struct Recording;
struct RecordingOptions;

/// What a record said that is written anew.
struct KeptRecord {
  std::string revision;
  bool stale = false;  ///< it cannot stay as it is
  /// With the cases of what was added to it. Nothing where none was, or it cannot be read.
  std::optional<golden::RevisionRecord> record;
  std::vector<std::string> additions;   ///< text files whose cases these are
  std::vector<std::string> taken_over;  ///< those of them that the record itself holds by now
  /// Ids of the additions' goldens as other records have them, by the ones that they get.
  std::map<std::string, std::string> called;
};

/// Those of a branch, in the list's order.
using KeptRecords = std::vector<KeptRecord>;

/// Takes back what the records from the one at `from` on said that they change of a golden's
/// upgraded value, so that each record goes on saying what it did itself.
void TakeBack(const KeptRecords& kept, std::size_t from, const std::string& type,
              const std::string& id, std::vector<golden::Leaf>& leaves);

/// Places of values that a record said it changes in older goldens of a root type.
std::set<std::string> PlacesChanged(const KeptRecord& kept, const std::string& type);

/// Values that could not be kept, told by place.
class Losses {
 public:
  /// A value of the golden `name`; `now` is nothing where it is gone.
  void Add(const std::string& type, const golden::Change& change, const std::string& name);
  /// A whole golden.
  void AddGolden(const std::string& type, const std::string& name, const std::string& why);
  /// One line for each place, and each reason for which goldens are gone.
  std::vector<std::string> Texts() const;

 private:
  std::map<std::pair<std::string, bool>, std::vector<std::string>> values_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> goldens_;
};

/// A golden that is about to be recorded.
struct Written {
  std::string name;
  bool by_hand = false;
  Traced traced;
  std::vector<golden::Change> upgraded;
};

/// What the record said that is written anew; null where there was none.
const golden::RevisionRecord* RecordBefore(const RecordingOptions& options);

/// Gives `samples`, today's, the values that the record had, where one is written anew: they may be
/// of fields that are gone, which no sample of today has.
void KeepValues(const RootType& root, std::int64_t number, std::int64_t latest,
                const RecordingOptions& options, std::vector<Written>& samples, Losses& losses);

/// Tells of goldens of root types of which the revision records none any more.
void TellOfDropped(const RecordingOptions& options, const Recording& recording, Losses& losses);

}  // namespace revctl::harness
