#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"
#include "golden/revision_record.h"

namespace revctl::golden {

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
