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

/// A value in a payload. `text` is canonical: numbers and words are plain, strings are JSON. `path`
/// omits the root type, because the case contains it: `GameScore.players[1].name` becomes
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
  std::uint64_t size = 0;    ///< size of the payload in bytes
  std::vector<Leaf> values;  ///< as the recording code decoded them, in wire order
  /// How the values change when the recording code upgrades the payload to its latest revision.
  /// Unchanged values are omitted.
  std::vector<Change> upgraded;
  bool operator==(const Case&) const = default;
};

/// A large golden. Its payload is in `SR_NAME.large/`, because it is too large for
/// `SR_NAME.golden`.
struct LargeCase {
  /// Like a case of a small golden, except that `values` and `upgraded` contain a digest instead of
  /// the elements of long lists.
  Case item;
  std::uint64_t stored = 0;  ///< size of the file in bytes
  std::string sha256;        ///< hash of the file, as in a Git LFS pointer to it
  bool operator==(const LargeCase&) const = default;
};

/// Suffix of a path whose value is a digest, for example `units[0..255]#digest`.
inline constexpr std::string_view kDigest = "#digest";
/// Path in `upgraded` whose value is a hash of the upgraded object. The recording code read the
/// golden, wrote the object at its latest revision, and hashed the bytes. If the current code
/// writes the same bytes, it reads the same upgraded values.
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
  /// Removed fields, which a REM reads only from older files. Upgrade code and downgrades use them,
  /// so their types, ranges and defaults determine the meaning of old files.
  std::vector<revctl::LayoutField> removed;
  bool operator==(const RecordedType&) const = default;
};

/// A whole file as the program writes it for a root type, for example with its own header and
/// checksum. Its revision and lineage are those of the record that contains it.
struct RecordedFile {
  std::string type;
  std::uint64_t payload = 0;  ///< XXH64 of the contained payload
  /// `depth` and `budget` are the limits of the FileFormat; both are 0 if the program reads the
  /// file with its own code.
  int depth = 0;
  std::uint64_t budget = 0;
  std::vector<std::byte> bytes;
  bool operator==(const RecordedFile&) const = default;
};

/// Describes how a record was made. Mostly for people; a few checks use `command` and `code`.
struct Provenance {
  std::string command;  ///< `record`, `record --backfill`, `record --refresh`
  /// The newest revision that the recording code knew. For backfills, it is later than `revision`.
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
  std::uint64_t lineage = 0;
  /// The previous recorded revision at the time of recording. Used to detect missing records. Empty
  /// in the first record and in additions.
  std::string previous;
  /// The revisions before this one, from the newest landed revision to `previous`; empty if
  /// `previous` had landed. The list is needed because a pending revision in it may be re-recorded
  /// before it lands, on top of revisions that this record does not know.
  std::vector<std::string> behind;
  /// With numbers at landing: the revisions that had no number at the time of recording, including
  /// this one. In `from`, `to` and `compared`, these revisions have provisional numbers, which
  /// readers map back to the names. Empty in other records.
  std::vector<std::pair<std::string, std::int64_t>> pending;
  Provenance provenance;
  std::vector<RecordedType> types;        ///< layouts that changed at this revision, by type name
  std::vector<revctl::EnumLayout> enums;  ///< enums that changed at this revision, by type name
  std::vector<Case> cases;
  std::vector<LargeCase> large;
  /// Opaque types whose bytes differ from those of the previous revision only in the revision
  /// number.
  std::vector<HeldVersion> versions;
  std::vector<Upgrade> upgrades;
  std::vector<RecordedFile> files;
};

/// Returns the identifier of a case, such as "SR_INITIAL/auto-1".
std::string CaseId(const std::string& revision, const std::string& name);

/// Returns the changes that turn `before` into `after`: changed and removed paths in the order of
/// `before`, then added paths.
std::vector<Change> Compare(const std::vector<Leaf>& before, const std::vector<Leaf>& after);

/// Applies `changes` to `leaves`, and appends new paths at the end. The caller must check that
/// `before` matches the current values.
void Apply(const std::vector<Change>& changes, std::vector<Leaf>& leaves);

class TextReader;
struct TextNode;

/// Appends `key:` and a line `path: [before, after]` for each change, indented by `indent` spaces.
/// The value `~` means that the path is absent.
void FormatChanges(std::string_view key, std::size_t indent, const std::vector<Change>& changes,
                   std::string& out);

/// Parses the entries that FormatChanges wrote. Sets the reader's error if an entry is malformed.
std::vector<Change> ReadChanges(TextReader& reader, const TextNode& node);

/// Returns the text of `SR_NAME.yaml`. The text is deterministic and has one field or value per
/// line, so that pull requests are easy to review. Grammar and example:
/// docs/formats/golden-store.md.
std::string FormatRecord(const RevisionRecord& record);

/// Parses the text of a record. Returns an error with the line for an unknown version or key, a
/// duplicate, a missing value, a malformed number, or a name that is not an identifier. Messages
/// refer to the record as `file`.
Result<RevisionRecord> ParseRecord(std::string_view text, std::string_view file);

/// Returns the canonical form of a value, which FormatRecord and ParseRecord preserve: numbers and
/// plain words unchanged, strings as Quote writes them, everything else quoted.
std::string CanonicalText(std::string_view text);

/// Formats a hash as 16 lowercase hex digits.
std::string HashText(std::uint64_t hash);

}  // namespace revctl::golden
