#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace revctl::list {

using Names = std::set<std::string, std::less<>>;

/// Range of revision numbers. The header of a save stores a number as a signed 32-bit integer.
inline constexpr std::int64_t kSmallestNumber = INT32_MIN, kLargestNumber = INT32_MAX;

/// When a revision gets its number.
enum class Numbers {
  AtReserve,  ///< `revctl reserve` assigns the number and writes the entry into the list
  /// `revctl fold` assigns the number on the target; until then the revision is a pending file
  AtLanding,
};

/// An entry of `lists:` in .revctl.yaml, which revctl/config parses.
struct ListConfig {
  std::string path;            ///< relative to the repository's root, with '/'
  std::string name = "main";   ///< name of the list in the ledger
  std::string prefix = "SR_";  ///< may be empty if `enum_name` is set
  std::string enum_name;       ///< name of the list's enum; if empty, the prefix selects the enum
  std::vector<std::string> aliases;  ///< names or globs of entries that are not revisions
  std::string sentinel;  ///< last entry, whose value only counts the others; "" if not set
  std::string current;   ///< alias that must name the latest revision; "" if not set
  std::string oldest;    ///< oldest readable revision; "" if not set
  /// functions and members of the program that return a revision, and function parameters that take
  /// a revision, such as `DoEx#2`
  std::vector<std::string> getters;
  std::string lineage_root = "0";  ///< lineage before the first revision: 16 hex digits, or 0
  /// Names of landed revisions that were purged. These revisions must not come back, and no new
  /// revision may use their names. If a branch is older than a purge, the caller adds the target's
  /// purged names.
  Names purged;
  std::string golden;  ///< folder of this list's goldens; "" if not set
  Numbers numbers = Numbers::AtReserve;
  /// With numbers at landing, the highest number that the ledger had assigned when the list was
  /// converted. New numbers are always higher, so that no number is assigned twice.
  std::optional<std::int64_t> floor;
};

}  // namespace revctl::list
