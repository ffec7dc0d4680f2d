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

/// A golden with its recorded values at today's place of its revision.
struct KeptGolden {
  Traced traced;          ///< with the payload; its leaves are the values
  Traced resaved;         ///< at the latest revision
  bool has_more = false;  ///< values that the record did not have: fields of other revisions
};
/// Nothing, told in `losses`, where no such payload can be read.
std::optional<KeptGolden> KeepGolden(const RootType& root, const golden::Case& item,
                                     std::int64_t number, std::int64_t latest, std::uint64_t seed,
                                     const Renames& renames, Losses& losses);

}  // namespace revctl::harness
