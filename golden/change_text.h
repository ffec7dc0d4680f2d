#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "golden/revision_record.h"
#include "golden/text_reader.h"

namespace revctl::golden {

/// A value as it stands in the store's text: what is quoted is a string.
std::string ValueText(std::string_view text);

/// `key:` and, a line each, `path: [before, after]`, with `~` for "not there"; `indent` blanks
/// before the key.
void FormatChanges(std::string_view key, std::size_t indent, const std::vector<Change>& changes,
                   std::string& out);

/// Reads the entries back; the first that is none is the reader's problem.
std::vector<Change> ReadChanges(TextReader& reader, const TextNode& node);

}  // namespace revctl::golden
