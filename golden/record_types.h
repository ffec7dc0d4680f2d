#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"

namespace revctl::golden {

struct RevisionRecord;

/// What a record says about types, without its values: enough to see, without a build, whether two
/// records share a type that one of them changes.
struct RecordTypes {
  /// A record type, and every name in the wire types of its fields, those of closed REMs included:
  /// `vector<game::Item>` gives `vector`, `game::Item` and itself. Sorted, each once.
  struct Parts {
    std::string type;
    std::vector<std::string> names;
  };
  std::string revision;
  std::int64_t number = 0;          ///< RevisionRecord::number: as it was recorded
  std::string previous;             ///< RevisionRecord::previous
  std::vector<std::string> behind;  ///< RevisionRecord::behind
  std::vector<Parts> layouts;       ///< record types whose layout it records: they changed there
  std::vector<std::string> enums;   ///< enums, likewise
  std::vector<std::string> roots;   ///< root types of its goldens and changed upgrades
  std::vector<std::string> cases;   ///< `Hero/auto-1`: names of its goldens, sorted
};

/// A wire type with deeper angle brackets gives no further names; ReadRecordTypes refuses it.
inline constexpr std::size_t kDeepestWireType = 64;

RecordTypes TypesOf(const RevisionRecord& record);

/// ParseRecord, and no more kept than is asked for here. `file` is for messages.
Result<RecordTypes> ReadRecordTypes(std::string_view text, std::string_view file);

}  // namespace revctl::golden
