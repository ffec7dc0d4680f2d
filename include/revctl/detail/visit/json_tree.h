#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/types/leaf_text.h>

// Parses JSON text (strictly RFC 8259) into a tree for JsonReader. The text may be hostile.

namespace revctl {

/// A value in a JSON text. Its views refer to the text.
struct JsonNode {
  enum Type : std::uint8_t { Null, True, False, Number, String, Array, Object };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  Type type = Null;
  bool used = false;  ///< set when the reader reads this member
  /// The digits of a Number, or a String without quotes and with unresolved escapes.
  std::string_view text;
  std::string_view key;         ///< name in an Object, with unresolved escapes; empty otherwise
  std::size_t offset = 0;       ///< start of the value in the text
  std::uint32_t first = kNone;  ///< first child
  std::uint32_t next = kNone;   ///< next sibling
  std::uint32_t count = 0;      ///< number of children
};

/// A parsed JSON text. All nodes are in one array, starting with the root.
class JsonTree {
 public:
  JsonTree() = default;
  /// Parses `text`, which must outlive the tree. Deep nesting uses heap memory, not the stack. The
  /// nodes take at most `budget` bytes, or twice that while their array grows.
  explicit JsonTree(std::string_view text, std::size_t budget = SIZE_MAX)
      : text_(text), most_nodes_(budget / sizeof(JsonNode)) {
    nodes_.reserve((std::min)(text.size() / 8 + 4, most_nodes_));
    Skip();
    ok_ = Parse();
    Skip();
    if (ok_ && at_ != text_.size()) ok_ = Stop("unexpected text after the value");
  }

  bool Ok() const { return ok_; }
  /// Returns the parse error; offset() is its position.
  const std::string& reason() const { return reason_; }
  std::size_t offset() const { return at_; }
  JsonNode& root() { return nodes_[0]; }
  JsonNode* At(std::uint32_t index) { return index == JsonNode::kNone ? nullptr : &nodes_[index]; }
  std::uint32_t IndexOf(const JsonNode& node) const {
    return static_cast<std::uint32_t>(&node - nodes_.data());
  }

  /// Converts an offset to `line 3, column 7` for messages.
  static std::string Place(std::string_view text, std::size_t offset) {
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
      ++column;
      if (text[i] == '\n') ++line, column = 1;
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
  }

  /// Resolves the escapes of a string that was parsed successfully.
  static std::string Unescape(std::string_view raw) {
    std::string out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '\\') {
        out += raw[i];
        continue;
      }
      switch (raw[++i]) {
        case 'n':
          out += '\n';
          break;
        case 't':
          out += '\t';
          break;
        case 'r':
          out += '\r';
          break;
        case 'b':
          out += '\b';
          break;
        case 'f':
          out += '\f';
          break;
        case 'u': {
          std::uint32_t code = Hex4(raw, i + 1);
          i += 4;
          if (code >= 0xD800 && code < 0xDC00) {
            code = 0x10000 + ((code - 0xD800) << 10) + (Hex4(raw, i + 3) - 0xDC00);
            i += 6;
          }
          AppendUtf8(out, code);
          break;
        }
        default:
          out += raw[i];
      }
    }
    return out;
  }

 private:
  static std::uint32_t Hex4(std::string_view text, std::size_t at) {
    std::uint32_t code = 0;
    if (at + 4 > text.size()) return 0xFFFFFFFF;
    const char* begin = text.data() + at;
    const auto result = std::from_chars(begin, begin + 4, code, 16);
    return result.ptr == begin + 4 ? code : 0xFFFFFFFF;
  }
  static void AppendUtf8(std::string& out, std::uint32_t code) {
    auto byte = [&](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F));
    } else {
      byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)), byte(0x80 | (code >> 6 & 0x3F)),
          byte(0x80 | (code & 0x3F));
    }
  }

  bool Stop(const char* reason) {
    if (reason_.empty()) reason_ = reason;
    return false;
  }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Accept(char c) {
    if (Peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void Skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  struct Open {
    std::uint32_t index;
    std::uint32_t last;  ///< the container's last child so far
  };

  bool Parse() {
    std::vector<Open> open;
    std::string_view key;
    for (;;) {
      if (nodes_.size() >= JsonNode::kNone) return Stop("too many values");
      if (nodes_.size() >= most_nodes_)
        return Stop("needs more memory than the reader's budget allows");
      const auto index = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({});
      nodes_[index].key = key;
      nodes_[index].offset = at_;
      if (!open.empty()) Append(open.back(), index);
      if (Peek() == '{' || Peek() == '[') {
        nodes_[index].type = Peek() == '{' ? JsonNode::Object : JsonNode::Array;
        ++at_;
        open.push_back({index, JsonNode::kNone});
        Skip();
        if (!Accept(Closing(open.back()))) {
          if (!NextKey(open.back(), key)) return false;
          continue;
        }
        open.pop_back();
      } else if (!ParseLeaf(index)) {
        return false;
      }
      // Close every container that ends after the value that was just parsed.
      for (;; open.pop_back()) {
        if (open.empty()) return true;
        Skip();
        if (!Accept(Closing(open.back()))) break;
      }
      if (!Accept(','))
        return Stop(Closing(open.back()) == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
      Skip();
      if (!NextKey(open.back(), key)) return false;
    }
  }
  char Closing(const Open& open) const {
    return nodes_[open.index].type == JsonNode::Object ? '}' : ']';
  }
  void Append(Open& open, std::uint32_t child) {
    (open.last == JsonNode::kNone ? nodes_[open.index].first : nodes_[open.last].next) = child;
    open.last = child;
    ++nodes_[open.index].count;
  }
  /// Parses the name of an object's next member, up to the start of its value. Does nothing in an
  /// array.
  bool NextKey(const Open& open, std::string_view& key) {
    key = {};
    if (nodes_[open.index].type == JsonNode::Array) return true;
    if (Peek() != '"') return Stop("expected the name of a member");
    if (!ParseString(key)) return false;
    Skip();
    if (!Accept(':')) return Stop("expected ':'");
    Skip();
    return true;
  }
  bool ParseLeaf(std::uint32_t index) {
    switch (Peek()) {
      case '"':
        nodes_[index].type = JsonNode::String;
        return ParseString(nodes_[index].text);
      case 't':
        return Word(index, JsonNode::True, "true");
      case 'f':
        return Word(index, JsonNode::False, "false");
      case 'n':
        return Word(index, JsonNode::Null, "null");
      default:
        return ParseNumber(index);
    }
  }
  bool Word(std::uint32_t index, JsonNode::Type type, std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return Stop("expected a value");
    at_ += word.size();
    nodes_[index].type = type;
    return true;
  }
  bool ParseString(std::string_view& raw) {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20) return Stop("control characters are not allowed in a string");
      if (c == '\\') {
        if (!ParseEscape()) return Stop("an invalid escape");
      } else {
        const std::size_t length = detail::Utf8Length(text_, at_);
        if (length == 0) return Stop("invalid UTF-8");
        at_ += length;
      }
    }
    raw = text_.substr(begin, at_ - begin);
    return Accept('"') || Stop("an unterminated string");
  }
  bool ParseEscape() {
    ++at_;
    const char c = Peek();
    if (c != 'u') {
      if (c == '\0' || std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos)
        return false;
      ++at_;
      return true;
    }
    const std::uint32_t code = Hex4(text_, at_ + 1);
    if (code == 0xFFFFFFFF || (code >= 0xDC00 && code < 0xE000)) return false;
    at_ += 5;
    if (code < 0xD800 || code >= 0xDC00) return true;
    const std::uint32_t low = text_.substr(at_, 2) == "\\u" ? Hex4(text_, at_ + 2) : 0xFFFFFFFF;
    if (low < 0xDC00 || low >= 0xE000) return false;
    at_ += 6;
    return true;
  }
  bool Digits() {
    const std::size_t begin = at_;
    while (Peek() >= '0' && Peek() <= '9') ++at_;
    return at_ > begin;
  }
  bool ParseNumber(std::uint32_t index) {
    const std::size_t begin = at_;
    Accept('-');
    if (!Accept('0') && !Digits()) return Stop("expected a value");
    if (Accept('.') && !Digits()) return Stop("expected digits");
    if (Accept('e') || Accept('E')) {
      if (!Accept('+')) Accept('-');
      if (!Digits()) return Stop("expected digits");
    }
    nodes_[index].type = JsonNode::Number;
    nodes_[index].text = text_.substr(begin, at_ - begin);
    return true;
  }

  std::string_view text_;
  std::size_t most_nodes_ = 0;
  std::size_t at_ = 0;
  bool ok_ = false;
  std::string reason_;
  std::vector<JsonNode> nodes_;
};

}  // namespace revctl
