#include "golden/text/text_tree.h"

#include <fmt/core.h>
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "revctl/base/ascii.h"
#include "revctl/base/unicode.h"

namespace revctl::golden {

namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kLinearKeys = 12;  // below this many keys, linear search beats a hash table

/// A line with content, without its indentation and line ending.
struct Line {
  std::size_t indent = 0;
  std::string_view text;
  int number = 0;
};

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : text_(text), file_(file) {
    CheckEncoding();
    Next();
  }

  Result<TextNode> Run() {
    TextNode root;
    root.kind = TextNode::Kind::Map;
    root.line = 1;
    if (line_) ParseBlock(line_->indent, 1, root);
    if (!problem_ && line_) Fail(line_->number, "indented differently from the lines around it");
    if (problem_) return std::move(*problem_);
    return root;
  }

 private:
  bool Fail(int line, std::string message) {
    if (!problem_) problem_ = FileError(std::string(file_), line, std::move(message));
    return false;
  }
  bool CountNode(int line) {
    return ++nodes_ <= kMostNodes || Fail(line, fmt::format("more than {} values", kMostNodes));
  }

  /// Rejects byte-order marks and UTF-16, which some editors and shells write. File names contain a
  /// hash of the text, so even a byte-order mark alone would change the name.
  void CheckEncoding() {
    if (text_.starts_with("\xEF\xBB\xBF"))
      Fail(1, "begins with a byte-order mark, which an editor or shell added");
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
      Fail(1, "is UTF-16, but must be UTF-8; perhaps an editor or shell converted it");
  }

  // ---- lines

  /// Moves to the next line that is neither blank nor a comment.
  void Next() {
    line_.reset();
    while (position_ < text_.size() && !problem_) {
      std::size_t end = text_.find('\n', position_);
      if (end == std::string_view::npos) end = text_.size();
      std::string_view line = text_.substr(position_, end - position_);
      position_ = end + 1;
      ++number_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      while (line.ends_with(' ')) line.remove_suffix(1);
      std::size_t indent = 0;
      while (indent < line.size() && line[indent] == ' ') ++indent;
      if (indent == line.size() || line[indent] == '#') continue;
      if (line[indent] == '\t') {
        Fail(number_, "tabs are not allowed in the indentation");
        return;
      }
      if (line.starts_with("<<<<<<<") || line.starts_with("=======") ||
          line.starts_with(">>>>>>>")) {
        Fail(number_, "unresolved conflict markers");
        return;
      }
      line_ = Line{indent, line.substr(indent), number_};
      return;
    }
  }

  // ---- blocks

  /// Parses the map or list whose entries are indented by `indent`.
  bool ParseBlock(std::size_t indent, int depth, TextNode& out) {
    if (depth > kDeepest) return Fail(line_->number, "nested too deeply");
    out.line = line_->number;
    out.kind = IsListEntry(line_->text) ? TextNode::Kind::List : TextNode::Kind::Map;
    std::unordered_set<std::string> keys;
    while (line_ && line_->indent == indent) {
      if (IsListEntry(line_->text) != (out.kind == TextNode::Kind::List)) {
        return Fail(line_->number, "mixes a map and a list at the same indentation");
      }
      const bool fine = out.kind == TextNode::Kind::List ? ParseListEntry(indent, depth, out)
                                                         : ParseMapEntry(indent, depth, out, keys);
      if (!fine) return false;
    }
    if (line_ && line_->indent > indent)
      return Fail(line_->number, "indented differently from the lines around it");
    return !problem_;
  }

  static bool IsListEntry(std::string_view text) { return text == "-" || text.starts_with("- "); }

  bool ParseListEntry(std::size_t indent, int depth, TextNode& out) {
    if (!CountNode(line_->number)) return false;
    TextNode& item = out.list.emplace_back();
    item.line = line_->number;
    std::size_t skip = 1;
    while (skip < line_->text.size() && line_->text[skip] == ' ') ++skip;
    if (skip >= line_->text.size()) return ParseNested(indent, depth, item);
    const std::string_view rest = line_->text.substr(skip);
    std::string key;
    std::size_t after = 0;
    if (IsListEntry(rest) || (rest[0] != '{' && rest[0] != '[' && FindKey(rest, key, after))) {
      line_->indent = indent + skip;  // the entry's nested block begins on this line
      line_->text = rest;
      return ParseBlock(line_->indent, depth + 1, item);
    }
    if (problem_) return false;
    return ParseInline(rest, line_->number, depth, item) && (Next(), !problem_);
  }

  bool ParseMapEntry(std::size_t indent, int depth, TextNode& out,
                     std::unordered_set<std::string>& keys) {
    std::string key;
    std::size_t after = 0;
    const int number = line_->number;
    if (!FindKey(line_->text, key, after)) return Fail(number, "expected `key: value`");
    if (!AddKey(out, keys, key, number)) return false;
    TextNode& value = Append(out, std::move(key));
    value.line = number;
    std::string_view rest = line_->text.substr(after);
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.empty() || rest[0] == '#') return ParseNested(indent, depth, value);
    return ParseInline(rest, number, depth, value) && (Next(), !problem_);
  }

  /// Parses the value after a `key:` or `-` at the end of a line: a deeper block or an empty
  /// scalar.
  bool ParseNested(std::size_t indent, int depth, TextNode& out) {
    Next();
    if (problem_) return false;
    if (!line_ || line_->indent <= indent) return true;
    return ParseBlock(line_->indent, depth + 1, out);
  }

  bool AddKey(const TextNode& map, std::unordered_set<std::string>& keys, const std::string& key,
              int line) {
    bool known = false;
    if (map.map.size() < kLinearKeys) {
      known = map.Find(key) != nullptr;
    } else {
      if (keys.empty()) {
        for (const auto& entry : map.map) keys.insert(entry.key);
      }
      known = !keys.insert(key).second;
    }
    return known ? Fail(line, fmt::format("the key `{}` occurs twice", Excerpt(key)))
                 : CountNode(line);
  }

  static TextNode& Append(TextNode& map, std::string key) {
    map.map.push_back({std::move(key), {}});
    return map.map.back().value;
  }

  /// Splits `key: rest`. Returns false if the line has no key or a malformed key. Reports an error
  /// only for the malformed key.
  bool FindKey(std::string_view text, std::string& key, std::size_t& after) {
    if (text[0] == '"') {
      std::size_t position = 0;
      if (!ParseQuoted(text, position, key, line_->number)) return false;
      if (position >= text.size() || text[position] != ':') return false;
      if (position + 1 < text.size() && text[position + 1] != ' ') return false;
      after = position + 1;
      return true;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '#' && i > 0 && text[i - 1] == ' ') return false;
      if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) {
        if (!CheckPlain(text.substr(0, i), line_->number)) return false;
        key = text.substr(0, i);
        after = i + 1;
        return true;
      }
    }
    return false;
  }

  // ---- single-line values

  bool ParseInline(std::string_view text, int number, int depth, TextNode& out) {
    std::size_t position = 0;
    if (!ParseValue(text, position, number, depth, false, out)) return false;
    while (position < text.size() && text[position] == ' ') ++position;
    if (position < text.size() && !(text[position] == '#' && text[position - 1] == ' '))
      return Fail(number, fmt::format("unexpected text after the value: `{}`",
                                      Excerpt(text.substr(position))));
    return true;
  }

  bool ParseValue(std::string_view text, std::size_t& position, int number, int depth, bool flow,
                  TextNode& out) {
    out.line = number;
    if (depth > kDeepest) return Fail(number, "nested too deeply");
    const char first = text[position];
    if (first == '{') return ParseFlowMap(text, position, number, depth, out);
    if (first == '[') return ParseFlowList(text, position, number, depth, out);
    if (first == '"') {
      out.quoted = true;
      return ParseQuoted(text, position, out.scalar, number);
    }
    const std::size_t begin = position;
    while (position < text.size()) {
      const char c = text[position];
      if (flow && (c == ',' || c == '}' || c == ']' || c == '{' || c == '[')) break;
      if (c == '#' && position > begin && text[position - 1] == ' ') break;
      if (c == ':' && (position + 1 == text.size() || text[position + 1] == ' ' || flow)) break;
      ++position;
    }
    std::string_view scalar = text.substr(begin, position - begin);
    while (scalar.ends_with(' ')) scalar.remove_suffix(1);
    if (!CheckPlain(scalar, number)) return false;
    out.scalar = scalar;
    return true;
  }

  bool CheckPlain(std::string_view scalar, int number) {
    if (scalar.empty()) return Fail(number, "a value is missing");
    static constexpr std::pair<char, const char*> kForbidden[] = {
        {'&', "anchors are not allowed in this format"},
        {'*', "aliases are not allowed in this format"},
        {'!', "tags are not allowed in this format"},
        {'|', "multi-line text is not allowed in this format"},
        {'>', "multi-line text is not allowed in this format"},
        {'\'', "single quotes are not allowed in this format; use double quotes"},
    };
    for (const auto& [start, message] : kForbidden) {
      if (scalar[0] == start) return Fail(number, message);
    }
    if (std::string_view("?%@`,]}{[").find(scalar[0]) != std::string_view::npos)
      return Fail(number, fmt::format("invalid start of a value: `{}`", Excerpt(scalar)));
    if (scalar == "---" || scalar == "...")
      return Fail(number, "document markers are not allowed in this format");
    for (char c : scalar) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
        return Fail(number, "a control character");
    }
    return true;
  }

  bool ParseFlowMap(std::string_view text, std::size_t& position, int number, int depth,
                    TextNode& out) {
    out.kind = TextNode::Kind::Map;
    std::unordered_set<std::string> keys;
    ++position;
    for (bool first = true;; first = false) {
      if (!SkipBlanks(text, position, number)) return false;
      if (text[position] == '}' && first) break;
      TextNode key;
      if (!ParseValue(text, position, number, depth + 1, true, key)) return false;
      if (key.kind != TextNode::Kind::Scalar) return Fail(number, "a key must be a word");
      if (position >= text.size() || text[position] != ':')
        return Fail(number, "expected `key: value`");
      ++position;
      if (!SkipBlanks(text, position, number) || !AddKey(out, keys, key.scalar, number))
        return false;
      TextNode& value = Append(out, std::move(key.scalar));
      if (!ParseValue(text, position, number, depth + 1, true, value)) return false;
      if (!SkipBlanks(text, position, number)) return false;
      if (text[position] == '}') break;
      if (text[position] != ',') return Fail(number, "expected `,` or `}`");
      ++position;
    }
    ++position;
    return true;
  }

  bool ParseFlowList(std::string_view text, std::size_t& position, int number, int depth,
                     TextNode& out) {
    out.kind = TextNode::Kind::List;
    ++position;
    for (bool first = true;; first = false) {
      if (!SkipBlanks(text, position, number)) return false;
      if (text[position] == ']' && first) break;
      if (!CountNode(number) ||
          !ParseValue(text, position, number, depth + 1, true, out.list.emplace_back()))
        return false;
      if (!SkipBlanks(text, position, number)) return false;
      if (text[position] == ']') break;
      if (text[position] != ',') return Fail(number, "expected `,` or `]`");
      ++position;
    }
    ++position;
    return true;
  }

  bool SkipBlanks(std::string_view text, std::size_t& position, int number) {
    while (position < text.size() && text[position] == ' ') ++position;
    return position < text.size() ? true
                                  : Fail(number, "the bracket is not closed on the same line");
  }

  bool ParseQuoted(std::string_view text, std::size_t& position, std::string& out, int number) {
    for (++position; position < text.size(); ++position) {
      const char c = text[position];
      if (c == '"') {
        ++position;
        return true;
      }
      if (c != '\\') {
        if (static_cast<unsigned char>(c) < 0x20) return Fail(number, "a control character");
        out += c;
        continue;
      }
      if (++position >= text.size()) break;
      constexpr std::string_view kLetters = "\"\\/nrtbf", kMeanings = "\"\\/\n\r\t\b\f";
      if (const auto letter = kLetters.find(text[position]); letter != std::string_view::npos) {
        out += kMeanings[letter];
        continue;
      }
      if (text[position] != 'u')
        return Fail(number, fmt::format("unknown escape \\{}", text[position]));
      std::uint32_t code = 0;
      if (text.size() - position < 5) return Fail(number, "a \\u escape needs four digits");
      for (int i = 0; i < 4; ++i) {
        const int digit = base::HexValue(text[++position]);
        if (digit < 0) return Fail(number, "a \\u escape needs four digits");
        code = code * 16 + static_cast<std::uint32_t>(digit);
      }
      base::AppendUtf8(out, code);
    }
    return Fail(number, "the quotes are not closed on the same line");
  }

  static std::string Excerpt(std::string_view text) { return std::string(text.substr(0, 40)); }

  std::string_view text_, file_;
  std::size_t position_ = 0;
  int number_ = 0;
  std::size_t nodes_ = 0;
  std::optional<Line> line_;
  std::optional<Error> problem_;
};

}  // namespace

const TextNode* TextNode::Find(std::string_view key) const {
  for (const auto& [name, value] : map) {
    if (name == key) return &value;
  }
  return nullptr;
}

Result<TextNode> ParseTextTree(std::string_view text, std::string_view file) {
  return Parser(text, file).Run();
}

}  // namespace revctl::golden
