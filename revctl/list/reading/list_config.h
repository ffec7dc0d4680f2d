#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace revctl::list {

using Names = std::set<std::string, std::less<>>;

/// The smallest and largest number of a revision: signed 32 bits, as the header of a save has it.
inline constexpr std::int64_t kSmallestNumber = INT32_MIN, kLargestNumber = INT32_MAX;

/// When a revision gets its number.
enum class Numbers {
  AtReserve,  ///< when it is reserved; the entry stands in the list at once
  AtLanding,  ///< on the target, by `revctl fold`; until then it is a pending file (revctl/pending)
};

/// One entry of `lists:` in .revctl.yaml. Plain values: who reads the YAML is revctl/config.
struct ListConfig {
  std::string path;                  ///< relative to the repository's root, '/' separated
  std::string name = "main";         ///< identity in the ledger
  std::string prefix = "SR_";        ///< may be empty where `enum_name` is given
  std::string enum_name;             ///< optional: which enum of the file
  std::vector<std::string> aliases;  ///< names or globs that are no revisions
  std::string sentinel;              ///< last entry that only counts
  std::string current;               ///< alias that must name the latest
  std::string oldest;                ///< oldest revision still readable
  std::vector<std::string> getters;  ///< functions and members of the program that give a revision
  std::string lineage_root = "0";    ///< 16 hex digits or 0
  /// Names of revisions that had landed and were purged: they stay away, and no new revision is
  /// called so. A caller in a branch that began before a purge adds the target's names to the
  /// branch's own.
  Names purged;
  std::string golden;  ///< folder of this list's goldens
  Numbers numbers = Numbers::AtReserve;
  /// With AtLanding: no number up to this one is given, since the ledger once gave it.
  std::optional<std::int64_t> floor;
};

}  // namespace revctl::list
