#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"

namespace revctl::golden {

/// The text of the store as a tree: a strict subset of YAML, so that any YAML tool reads our files
/// while our own reader has nothing in it that a hostile file could use. There are block maps and
/// lists by indentation, flow maps and lists on one line, plain and double-quoted scalars,
/// comments. There are no anchors, aliases, tags, documents, multi-line or single-quoted scalars:
/// each is an error with its line. A duplicate key is an error. Time and memory are linear in the
/// text, which is what lets `check` read thousands of these files (a general YAML parser is an
/// order slower).
struct TextNode {
  enum class Kind { Scalar, Map, List };
  Kind kind = Kind::Scalar;
  bool quoted = false;  ///< the scalar stood in double quotes; `scalar` is then already unescaped
  int line = 0;         ///< 1-based
  std::string scalar;
  struct Entry;
  std::vector<Entry> map;  ///< in file order, keys distinct
  std::vector<TextNode> list;

  /// The value of `key`; null where there is none or this is no map.
  const TextNode* Find(std::string_view key) const;
};

struct TextNode::Entry {
  std::string key;
  TextNode value;
};

/// A text of many small values takes far more memory as a tree than as text: more are refused.
inline constexpr std::size_t kMostNodes = std::size_t{1} << 20;

/// Parses `text` (LF or CRLF). `file` is for messages. Nesting deeper than 32 is an error, and so
/// are more than kMostNodes values.
Result<TextNode> ParseTextTree(std::string_view text, std::string_view file);

}  // namespace revctl::golden
