#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace revctl::list {

using Names = std::set<std::string, std::less<>>;

/// Range of revision numbers, because the header of a save stores them as signed 32-bit integers.
inline constexpr std::int64_t kSmallestNumber = INT32_MIN, kLargestNumber = INT32_MAX;

/// When a revision gets its number.
enum class Numbers {
  AtReserve,  ///< at `revctl reserve`, which also writes the entry into the list
  AtLanding,  ///< at `revctl fold` on the target; until then it is a pending file
};

/// An entry of `lists:` in .revctl.yaml, which revctl/config parses.
struct ListConfig {
  std::string path;                  ///< relative to the repository's root, with '/'
  std::string name = "main";         ///< identity in the ledger
  std::string prefix = "SR_";        ///< may be empty if `enum_name` is set
  std::string enum_name;             ///< selects one enum of the file; optional
  std::vector<std::string> aliases;  ///< names or globs of entries that are not revisions
  std::string sentinel;              ///< last entry, which only counts
  std::string current;               ///< alias that must name the latest revision
  std::string oldest;                ///< oldest readable revision
  /// functions and members of the program that return a revision, and arguments of functions that
  /// take one: `DoEx#2`
  std::vector<std::string> getters;
  std::string lineage_root = "0";  ///< 16 hex digits, or 0
  /// Names of landed revisions that were purged. They must not return, and no new revision may use
  /// them. If a branch predates a purge, the caller adds the target's names to the branch's own.
  Names purged;
  std::string golden;  ///< folder of this list's goldens
  Numbers numbers = Numbers::AtReserve;
  /// With AtLanding: numbers up to this one are never given, because the ledger gave them earlier.
  std::optional<std::int64_t> floor;
};

}  // namespace revctl::list
