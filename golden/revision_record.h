#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <revctl/detail/visit/layout.h>

#include "golden/held_version.h"
#include "golden/result.h"

namespace revctl::golden {

/// A value of a payload. `text` is canonical: numbers and words are plain, strings are JSON. `path`
/// omits the root type, which the case names: `GameScore.players[1].name` becomes
/// `players[1].name`.
struct Leaf {
  std::string path;
  std::string text;
  bool operator==(const Leaf&) const = default;
};

/// A difference between two lists of leaves. nullopt means that the path is absent.
struct Change {
  std::string path;
  std::optional<std::string> before, after;
  bool operator==(const Change&) const = default;
};

/// A golden: a payload written at this revision and kept forever.
struct Case {
  std::string type;          ///< name of the root type, as in TypeInfo::name
  std::string name;          ///< `auto-1` or the sample's name; unique within type and file
  std::uint64_t hash = 0;    ///< XXH64 of the payload, seed 0
  std::uint64_t size = 0;    ///< bytes of the payload
  std::vector<Leaf> values;  ///< decoded with the code that recorded it, in wire order
  /// How the values change when the recording code upgrades the payload to its latest revision.
  /// Unchanged values are omitted.
  std::vector<Change> upgraded;
  bool operator==(const Case&) const = default;
};

/// A large golden. Its payload is in `SR_NAME.large/`, because it exceeds the limits of
/// `SR_NAME.golden`.
struct LargeCase {
  /// Like a case of a small golden, except that `values` and `upgraded` contain a digest instead of
  /// the elements of long lists.
  Case item;
  std::uint64_t stored = 0;  ///< size of the file in bytes
  std::string sha256;        ///< hash of the file, which a Git LFS pointer to it contains
  bool operator==(const LargeCase&) const = default;
};

/// Suffix of a path whose value is a digest, for example `units[0..255]#digest`.
inline constexpr std::string_view kDigest = "#digest";
/// Path in `upgraded` whose value is the hash of the payload that the recording code wrote at its
/// latest revision after it had read the golden. If the current code writes the same bytes, the
/// upgraded values are the same.
inline constexpr std::string_view kSaved = "#saved";

/// Older goldens whose upgraded values this revision changes. Cases with equal changes share an
/// entry.
struct Upgrade {
  std::string type;
  std::vector<std::string> cases;  ///< `SR_INITIAL/auto-1`
  std::vector<Change> changes;
  bool operator==(const Upgrade&) const = default;
};

/// The layout of a record type at one revision.
struct RecordedType {
  revctl::TypeLayout layout;
  /// Fields that a REM keeps for older files but that are closed at this revision. Upgrade code and
  /// downgrades read them, so their types, ranges and defaults are part of the meaning of old
  /// files.
  std::vector<revctl::LayoutField> removed;
  bool operator==(const RecordedType&) const = default;
};

/// A whole file of a root type as the program writes it, for example with its own header and
/// checksum. The record that contains it specifies the revision and the lineage.
struct RecordedFile {
  std::string type;
  std::uint64_t payload = 0;  ///< XXH64 of the contained payload
  /// With `budget`, the limits of its FileFormat; 0 if the program's own code reads it.
  int depth = 0;
  std::uint64_t budget = 0;
  std::vector<std::byte> bytes;
  bool operator==(const RecordedFile&) const = default;
};

/// Origin of a record, for human readers. No check uses it.
struct Provenance {
  std::string command;  ///< `record`, `record --backfill`, `record --refresh`
  /// Newest revision known to the recording code. It is later than `revision` for backfills.
  std::string code;
  std::string compiler;
  std::string version;  ///< version of revctl
  std::uint64_t seed = 0;
  bool operator==(const Provenance&) const = default;
};

/// The content of one `SR_NAME.yaml`: everything recorded at one revision. A layout that did not
/// change is inherited from the closest earlier revision that recorded it.
struct RevisionRecord {
  std::string revision;
  /// The number at the time of recording; the list contains the current number.
  std::int64_t number = 0;
  std::uint64_t lineage = 0;  ///< provenance
  /// The recorded revision before this one at the time of recording, so that a missing record is
  /// detected. Empty in the first record and in additions.
  std::string previous;
  /// The revisions before this one, from the newest landed revision to `previous`; empty if
  /// `previous` had landed. This list is needed because pending records may be recorded again
  /// before they land, and then know more revisions than they did when this record was made.
  std::vector<std::string> behind;
  /// With numbers at landing: the revisions without a number at the time of recording, including
  /// this one, each with the provisional number that stands for it in `from`, `to` and `compared`.
  /// Readers use them to map these numbers to names. Empty in other records.
  std::vector<std::pair<std::string, std::int64_t>> pending;
  Provenance provenance;
  std::vector<RecordedType> types;        ///< layouts that changed at this revision, by type name
  std::vector<revctl::EnumLayout> enums;  ///< enums that changed at this revision, by type name
  std::vector<Case> cases;
  std::vector<LargeCase> large;
  /// Opaque types whose bytes differ from those of the previous revision only in the number of the
  /// revision.
  std::vector<HeldVersion> versions;
  std::vector<Upgrade> upgrades;
  std::vector<RecordedFile> files;
};

/// Returns the identifier of a case, such as "SR_INITIAL/auto-1".
std::string CaseId(const std::string& revision, const std::string& name);

/// Returns the changes that turn `before` into `after`: changed and removed paths in the order of
/// `before`, then added paths.
std::vector<Change> Compare(const std::vector<Leaf>& before, const std::vector<Leaf>& after);

/// Applies `changes` to `leaves`; new paths come last. Does not check that `before` matches the
/// current value; that is up to the caller.
void Apply(const std::vector<Change>& changes, std::vector<Leaf>& leaves);

class TextReader;
struct TextNode;

/// Formats a value for a store file: strings in quotes, everything else plain if possible.
std::string ValueText(std::string_view text);

/// Appends `key:` and a line `path: [before, after]` for each change, indented by `indent` blanks.
/// A `~` instead of a value means that the path is absent.
void FormatChanges(std::string_view key, std::size_t indent, const std::vector<Change>& changes,
                   std::string& out);

/// Parses the entries that FormatChanges wrote. A malformed entry becomes the reader's error.
std::vector<Change> ReadChanges(TextReader& reader, const TextNode& node);

/// Returns the text of `SR_NAME.yaml`. The text is deterministic and has one field or value per
/// line, so that pull requests are easy to review. Grammar and example:
/// docs/formats/golden-store.md.
std::string FormatRecord(const RevisionRecord& record);

/// Parses the text of a record. Returns an error with the line for an unknown version or key, a
/// duplicate, a missing value, a malformed number, or a name that is not an identifier. `file` is
/// used in messages.
Result<RevisionRecord> ParseRecord(std::string_view text, std::string_view file);

/// Returns the canonical form of a value, which FormatRecord and ParseRecord preserve: numbers and
/// plain words unchanged, strings as Quote writes them, everything else quoted.
std::string CanonicalText(std::string_view text);

/// Formats a hash as 16 lower-case hex digits.
std::string HashText(std::uint64_t hash);

}  // namespace revctl::golden
