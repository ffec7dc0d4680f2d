#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <revctl/detail/visit/layout.h>

#include "golden/result.h"

namespace revctl::golden {

/// One value of a payload: where it is, and what it is, as canonical text: numbers and words plain,
/// strings as JSON. `GameScore.players[1].name` is stored without its first component, since the
/// case names the type.
struct Leaf {
  std::string path;
  std::string text;
  bool operator==(const Leaf&) const = default;
};

/// One value that differs between two lists of leaves; nothing stands for "not there".
struct Change {
  std::string path;
  std::optional<std::string> before, after;
  bool operator==(const Change&) const = default;
};

/// A golden: a payload written at this revision and kept for good.
struct Case {
  std::string type;              ///< root type, TypeInfo::name
  std::string name;              ///< `auto-1`, or the sample's; unique within type and file
  std::uint64_t hash = 0;        ///< XXH64 of the payload, seed 0
  std::uint64_t size = 0;        ///< bytes of the payload
  std::vector<Leaf> values;      ///< decoded with the code that recorded it, in wire order
  std::vector<Change> upgraded;  ///< what that code made of it at its latest revision, where that
                                 ///< differs from `values`
  bool operator==(const Case&) const = default;
};

/// Which older goldens' upgraded values this revision changes. Cases with the same changes stand
/// together.
struct Upgrade {
  std::string type;
  std::vector<std::string> cases;  ///< `SR_INITIAL/auto-1`
  std::vector<Change> changes;
  bool operator==(const Upgrade&) const = default;
};

/// The layout of one record type as a revision records it.
struct RecordedType {
  revctl::TypeLayout layout;
  /// Fields that a REM keeps for older files but that are closed at this revision: their types,
  /// ranges and defaults are part of what old files mean, since upgrade code and downgrades see
  /// them.
  std::vector<revctl::LayoutField> removed;
  bool operator==(const RecordedType&) const = default;
};

/// A whole file of a root type, as the program framed it: header, payload, checksum, or whatever
/// its own code makes. Its revision and lineage are the record's.
struct RecordedFile {
  std::string type;
  std::uint64_t payload = 0;  ///< XXH64 of the payload within
  int depth = 0;              ///< limits of its FileFormat; 0 where the program's own code reads it
  std::uint64_t budget = 0;
  std::vector<std::byte> bytes;
  bool operator==(const RecordedFile&) const = default;
};

/// Where a record comes from. Never judged.
struct Provenance {
  std::string command;  ///< `record`, `record --backfill`, `record --refresh`
  /// newest revision of the code that made the values; later than `revision` where that was not the
  /// code of its time
  std::string code;
  std::string compiler;
  std::string version;  ///< of revctl
  std::uint64_t seed = 0;
  bool operator==(const Provenance&) const = default;
};

/// One `SR_NAME.yaml`: what is recorded at one revision. What did not change at a revision is
/// inherited from the last revision before it that recorded it.
struct RevisionRecord {
  std::string revision;
  std::int64_t number = 0;    ///< provenance: the list says which number the revision has now
  std::uint64_t lineage = 0;  ///< provenance, too
  /// The recorded revision before this one, when this was recorded: a record that is gone is spoken
  /// of. Empty in the first record and in additions.
  std::string previous;
  /// Where `previous` had not landed yet: what stood before this one, from the newest landed
  /// revision to `previous`. Their records may be written anew before they land, and then know
  /// more.
  std::vector<std::string> behind;
  /// Where numbers are given at landing: those without one when this was recorded, itself among
  /// them, and the numbers that they had in `from`, `to` and `compared`. So each of these goes by
  /// its name. Empty in other records.
  std::vector<std::pair<std::string, std::int64_t>> pending;
  Provenance provenance;
  std::vector<RecordedType> types;        ///< layouts that changed at this revision, by name
  std::vector<revctl::EnumLayout> enums;  ///< likewise
  std::vector<Case> cases;
  std::vector<Upgrade> upgrades;
  std::vector<RecordedFile> files;
};

/// "SR_INITIAL/auto-1".
std::string CaseId(const std::string& revision, const std::string& name);

/// What turns `before` into `after`: changed and removed paths in the order of `before`, then added
/// ones.
std::vector<Change> Compare(const std::vector<Leaf>& before, const std::vector<Leaf>& after);

/// Applies `changes` to `leaves`; new paths come last. A path whose `before` is not what stands
/// there is applied all the same: who checks it is the caller, which has kept the chain.
void Apply(const std::vector<Change>& changes, std::vector<Leaf>& leaves);

class TextReader;
struct TextNode;

/// A value as it stands in the store's text: what is quoted is a string.
std::string ValueText(std::string_view text);

/// `key:` and, a line each, `path: [before, after]`, with `~` for "not there"; `indent` blanks
/// before the key.
void FormatChanges(std::string_view key, std::size_t indent, const std::vector<Change>& changes,
                   std::string& out);

/// Reads the entries back; the first that is none is the reader's problem.
std::vector<Change> ReadChanges(TextReader& reader, const TextNode& node);

/// `SR_NAME.yaml` of a record: deterministic, one field or value a line, made to be reviewed in a
/// pull request. Grammar and a worked example: docs/formats/golden-store.md.
std::string FormatRecord(const RevisionRecord& record);

/// Reads it back, trusting nothing: an unknown version or key, a duplicate, a missing value, a
/// number that is none, a name that no identifier can be are errors with their line. `file` is for
/// messages.
Result<RevisionRecord> ParseRecord(std::string_view text, std::string_view file);

/// Canonical form of a value's text, the one that survives FormatRecord and ParseRecord: numbers
/// and plain words as they are, strings as Quote writes them, anything else quoted.
std::string CanonicalText(std::string_view text);

/// 16 lower-case hex digits.
std::string HashText(std::uint64_t hash);

}  // namespace revctl::golden
