#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

/// The differences between an enum and a record of it, as one edit of its source. Lists are in the
/// order of the recorded values, and `added` is in the order of today's values.
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
    std::string now;  ///< today's name of the value; empty if no name has it
  };
  struct Added {
    std::string name;
    std::int64_t value = 0;
    std::string before;  ///< the next recorded enumerator; empty if it was added after the last
  };
  std::vector<Moved> moved;
  std::vector<Renamed> renamed;  ///< a new name at a value whose recorded name is gone
  std::vector<Gone> gone;
  std::vector<Added> added;
  bool width = false;  ///< the underlying type differs

  /// True if enumerators in files of that record are read as other enumerators or as unnamed
  /// values.
  bool Breaks() const { return width || !moved.empty() || !renamed.empty() || !gone.empty(); }
  bool empty() const { return !Breaks() && added.empty(); }
};

/// Compares an enum with one of its records. `records` are all records of the enum: an enumerator
/// that any of them has with another value is not a new name of a recorded enumerator.
EnumDiff CompareEnums(const revctl::EnumLayout& recorded, const revctl::EnumLayout& now,
                      const std::vector<const revctl::EnumLayout*>& records = {});

/// True if `newer`, the comparison with a newer record of the same enum, shows everything that
/// `older` shows.
bool Covers(const EnumDiff& newer, const EnumDiff& older);

}  // namespace revctl::harness
