#pragma once
#include <fmt/core.h>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "golden/result.h"
#include "golden/text/scalar_text.h"

namespace revctl::golden {

/// A text file of the store as a tree. The format is a strict subset of YAML, so any YAML tool can
/// read these files, while the parser stays small and offers little attack surface. It has block
/// maps and lists, single-line flow maps and lists, plain and double-quoted scalars, and comments.
/// The parser rejects anchors, aliases, tags, document markers, multi-line and single-quoted
/// scalars, and duplicate keys, and reports the line. Time and memory are linear in the size of the
/// text, so that `check` can read thousands of files; a general YAML parser is about ten times
/// slower.
struct TextNode {
  enum class Kind { Scalar, Map, List };
  Kind kind = Kind::Scalar;
  bool quoted = false;  ///< `scalar` was in double quotes and is already unescaped
  int line = 0;         ///< 1-based
  std::string scalar;
  struct Entry;
  std::vector<Entry> map;  ///< in file order, with distinct keys
  std::vector<TextNode> list;

  /// Returns the value of `key`, or null if the key is absent or this node is not a map. Takes
  /// linear time.
  const TextNode* Find(std::string_view key) const;
};

struct TextNode::Entry {
  std::string key;
  TextNode value;
};

/// Limit on the number of values in a text, because a tree of many small values takes far more
/// memory than the text itself.
inline constexpr std::size_t kMostNodes = std::size_t{1} << 20;

/// Parses `text` (LF or CRLF). Fails on syntax errors, nesting deeper than 32, and more than
/// kMostNodes values. `file` is the file name in messages.
Result<TextNode> ParseTextTree(std::string_view text, std::string_view file);

/// Extracts values from a tree. Keeps the first error, and returns empty results after it.
class TextReader {
 public:
  explicit TextReader(std::string_view file) : file_(file) {}

  const std::optional<Error>& error() const { return problem_; }

  void Fail(const TextNode& at, std::string message, std::string fix = "") {
    if (!problem_)
      problem_ = FileError(std::string(file_), at.line, std::move(message), std::move(fix));
  }

  /// Checks that the file whose root is `map` has version 1 of `format`. Call it before Keys,
  /// because a newer version may have unknown keys.
  bool IsVersionOne(const TextNode& map, const std::string& format) {
    const TextNode* version = Need(map, "version");
    if (!version || Scalar(*version) == "1") return version != nullptr;
    const std::string text = version->scalar.substr(0, 20);
    const bool newer =
        !text.empty() && text != "0" && text.find_first_not_of("0123456789") == std::string::npos;
    Fail(*version,
         fmt::format("found version {} of {}, but this program reads only version 1", text, format),
         newer ? kUpdateRevctl : "");
    return false;
  }

  /// Checks that `node` is a map whose keys are all in `known`.
  bool Keys(const TextNode& node, std::initializer_list<std::string_view> known) {
    if (node.kind != TextNode::Kind::Map) {
      Fail(node, "expected `key: value` entries");
      return false;
    }
    for (const auto& [key, value] : node.map) {
      bool found = false;
      for (std::string_view name : known) found = found || name == key;
      if (!found) {
        Fail(value, fmt::format("unknown key `{}`", key.substr(0, 40)));
        return false;
      }
    }
    return true;
  }

  const TextNode* Need(const TextNode& node, std::string_view key) {
    const TextNode* found = node.Find(key);
    if (!found) Fail(node, fmt::format("the key `{}` is missing", key));
    return found;
  }

  std::string Scalar(const TextNode& node) {
    if (node.kind != TextNode::Kind::Scalar) Fail(node, "expected one value");
    return node.scalar;
  }

  /// Returns a value in canonical form: quoted scalars stay quoted, and numbers are shortened.
  std::string Value(const TextNode& node) {
    const std::string scalar = Scalar(node);
    if (!node.quoted && scalar.empty()) Fail(node, "a value is missing");
    return node.quoted ? Quote(scalar) : ShortNumber(scalar);
  }

  template <std::integral Number>
  Number Integer(const TextNode& node) {
    const std::string text = Scalar(node);
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
      Fail(node, fmt::format("`{}` is not a number, or is out of range", text.substr(0, 40)));
    }
    return number;
  }

  std::uint64_t Hash(const TextNode& node) {
    const std::string text = Scalar(node);
    std::uint64_t hash = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    if (text.size() != 16 || error != std::errc{} || end != text.data() + text.size()) {
      Fail(node, "a hash must have 16 hex digits");
    }
    return hash;
  }

  bool Flag(const TextNode& node) {
    const std::string text = Scalar(node);
    if (text != "true" && text != "false") Fail(node, "expected true or false");
    return text == "true";
  }

  // Accessors for required and optional keys of a map.
  std::string Text(const TextNode& node, std::string_view key) {
    const TextNode* found = Need(node, key);
    return found ? Scalar(*found) : std::string();
  }
  std::string OptionalText(const TextNode& node, std::string_view key) {
    const TextNode* found = node.Find(key);
    return found ? Scalar(*found) : std::string();
  }
  template <std::integral Number>
  Number Integer(const TextNode& node, std::string_view key) {
    const TextNode* found = Need(node, key);
    return found ? Integer<Number>(*found) : Number{};
  }
  template <std::integral Number>
  Number OptionalInteger(const TextNode& node, std::string_view key) {
    const TextNode* found = node.Find(key);
    return found ? Integer<Number>(*found) : Number{};
  }

  /// Returns the list under `key`, or an empty list if the key is absent. If `needed`, an absent
  /// key is an error.
  const std::vector<TextNode>& List(const TextNode& node, std::string_view key,
                                    bool needed = true) {
    static const std::vector<TextNode> kNone;
    const TextNode* found = needed ? Need(node, key) : node.Find(key);
    if (!found) return kNone;
    if (found->kind != TextNode::Kind::List) {
      Fail(*found, "expected a list");
      return kNone;
    }
    return found->list;
  }

  const TextNode* Map(const TextNode& node, std::string_view key) {
    const TextNode* found = Need(node, key);
    if (found && found->kind != TextNode::Kind::Map) {
      Fail(*found, "expected `key: value` entries");
      return nullptr;
    }
    return found;
  }

 private:
  std::string_view file_;
  std::optional<Error> problem_;
};

}  // namespace revctl::golden
