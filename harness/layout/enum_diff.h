#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

/// The differences between an enum and one of its records, presented as one edit of the source.
/// `added` is in the order of the current values. All other lists are in the order of the recorded
/// values.
struct EnumDiff {
  struct Moved {
    std::string name;
    std::int64_t then = 0, now = 0;
  };
  struct Renamed {
    std::string from, to;
    std::int64_t value = 0;
  };
  struct Gone {
    std::string name;
    std::int64_t value = 0;
    std::string now;  ///< the current name of the value; empty if no enumerator has it
  };
  struct Added {
    std::string name;
    std::int64_t value = 0;
    /// The recorded enumerator that follows the added one; empty if it was added after all of them.
    std::string before;
  };
  std::vector<Moved> moved;
  std::vector<Renamed> renamed;  ///< values whose recorded name was replaced by a new name
  std::vector<Gone> gone;
  std::vector<Added> added;
  bool width = false;  ///< true if the underlying type differs

  /// True if a file from the time of the record would load with different enumerators, or with
  /// values that have no enumerator.
  bool Breaks() const { return width || !moved.empty() || !renamed.empty() || !gone.empty(); }
  bool empty() const { return !Breaks() && added.empty(); }
};

/// Compares an enum with one of its records. `records` contains all records of the enum. If a new
/// name has a different value in any of these records, it is not considered a rename of a recorded
/// enumerator.
EnumDiff CompareEnums(const revctl::EnumLayout& recorded, const revctl::EnumLayout& now,
                      const std::vector<const revctl::EnumLayout*>& records = {});

/// True if `newer`, the comparison with a newer record of the same enum, contains every change in
/// `older`.
bool Covers(const EnumDiff& newer, const EnumDiff& older);

}  // namespace revctl::harness
