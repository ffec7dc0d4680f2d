#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

/// How an enum differs from a record of it, as one edit of its source. Lists are in the order of
/// the recorded values, `added` in that of today's.
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
    std::string now;  ///< the name that has the value today; empty if there is none
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
  bool width = false;  ///< the underlying type is another

  /// True if files of the record are read as other enumerators, or as none.
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
