#include "revctl/base/lexer.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>

#include "revctl/base/ascii.h"
#include "revctl/base/unicode.h"

namespace revctl::base {
namespace {

/// True for bytes of C++ names. Bytes above 127 are part of a name, in UTF-8 and in older
/// encodings.
constexpr bool IsNameByteSlowly(unsigned char c) {
  return IsWord(static_cast<char>(c)) || c == '$' || c >= 0x80;
}
constexpr auto kNameBytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c)
    table[c] = IsNameByteSlowly(static_cast<unsigned char>(c));
  return table;
}();
bool IsNameByte(char c) { return kNameBytes[static_cast<unsigned char>(c)]; }

/// Returns the length of the line continuation at `at`, or 0 if there is none. Blanks may follow
/// the backslash.
std::size_t SpliceLength(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '\\') return 0;
  std::size_t i = at + 1;
  while (i < text.size() && IsBlank(text[i]) && text[i] != '\r') ++i;
  if (i + 1 < text.size() && text[i] == '\r' && text[i + 1] == '\n') ++i;
  return i < text.size() && text[i] == '\n' ? i + 1 - at : 0;
}

/// True for Unicode blanks and invisible characters. g++ rejects them, clang treats some as blanks,
/// and people cannot see them.
bool IsUnseen(std::uint32_t code) {
  return (code >= 0x80 && code <= 0xa0) || code == 0xad || code == 0x1680 || code == 0x180e ||
         (code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) ||
         (code >= 0x205f && code <= 0x206f) || code == 0x3000 || code == 0xfeff ||
         (code >= 0xe0000 && code <= 0xe0fff);
}

/// Returns the offset of a trigraph (such as `??=`) in `text`, or npos. Standards before C++17
/// replace trigraphs.
std::size_t FindTrigraph(std::string_view text) {
  for (std::size_t at = text.find("??"); at != text.npos; at = text.find("??", at + 1)) {
    if (at + 2 < text.size() && std::string_view("=/'()!<>-").find(text[at + 2]) != text.npos)
      return at;
  }
  return text.npos;
}

constexpr std::array<std::string_view, 5> kDigraphs{"<%", "%>", "<:", ":>", "%:"};

constexpr std::array<std::string_view, 27> kLongPunctuators{
    "<=>", "<<=", ">>=", "...", "->*", "::", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
    "++",  "--",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "->", ".*", "##"};

class Lexer {
 public:
  Lexer(std::string_view text, Problem& problem) : text_(text), problem_(problem) {}

  std::optional<LexedFile> Run(std::size_t largest) {
    if (text_.size() > largest) {
      Fail(0, fmt::format("the file has {} bytes, but {} at most {}", text_.size(),
                          largest == kLargestFile ? "a version list may have" : "a file may have",
                          largest));
      return std::nullopt;
    }
    file_.tokens.reserve(text_.size() / 12);
    file_.comments.reserve(text_.size() / 64);
    if (text_.substr(0, 3) == kByteOrderMark) at_ = 3;
    // Before C++17, the trigraph `??/` at the end of a line continues the line, even in a comment.
    for (std::size_t at = text_.find("?\?/"); at != text_.npos; at = text_.find("?\?/", at + 1)) {
      std::size_t end = at + 3;
      while (end < text_.size() && IsBlank(text_[end])) ++end;
      if (end < text_.size() && text_[end] == '\n') {
        Fail(at,
             "a trigraph at the end of this line; before C++17, it joins this line with the next");
        return std::nullopt;
      }
    }
    if (const std::size_t nul = text_.find('\0'); nul != text_.npos) {
      Fail(nul, "the file has a NUL byte here, so it is UTF-16 or binary, not text");
      return std::nullopt;
    }
    while (!failed_ && Step()) {
    }
    if (failed_) return std::nullopt;
    return std::move(file_);
  }

 private:
  void Fail(std::size_t offset, std::string message, std::string fix = {}) {
    if (!failed_) problem_ = {offset, std::move(message), std::move(fix)};
    failed_ = true;
  }

  /// Returns the next byte, or '\0' at the end of the file. Skips line continuations before it.
  char Peek() {
    if (at_ < text_.size() && text_[at_] != '\\') return text_[at_];
    while (const std::size_t splice = SpliceLength(text_, at_)) at_ += splice;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  /// Returns the byte after the next one, skipping line continuations.
  char PeekSecond() {
    Peek();
    std::size_t next = at_ + 1;
    if (next < text_.size() && text_[next] != '\\') return text_[next];
    while (const std::size_t splice = SpliceLength(text_, next)) next += splice;
    return next < text_.size() ? text_[next] : '\0';
  }

  bool AtEnd() {
    Peek();
    return at_ >= text_.size();
  }

  void Take() { ++at_; }

  bool Step() {
    if (AtEnd()) return false;
    const char c = Peek();
    if (c == '\n') {
      line_start_ = true;
      Take();
    } else if (c == '\r') {
      CarriageReturn();
    } else if (IsBlank(c)) {
      Take();
    } else if (c == '/' && PeekSecond() == '/') {
      LineComment();
    } else if (c == '/' && PeekSecond() == '*') {
      BlockComment();
    } else {
      ReadToken(c);
    }
    return true;
  }

  /// Rejects carriage returns, except directly before a line feed. Compilers end a line at a
  /// carriage return, but git and editors do not, so code could look like part of a comment.
  void CarriageReturn() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ == text_.size()) return;
    std::size_t before = begin;
    while (before > 0 && IsBlank(text_[before - 1])) --before;
    const bool continued = before > 0 && text_[before - 1] == '\\';
    if (text_[at_] == '\n' && !(continued && at_ > begin + 1)) return;
    Fail(begin,
         "a carriage return without a line feed: compilers end the line here, but git and editors "
         "do not",
         "end all lines with LF, or all with CRLF");
  }

  void LineComment() {
    const std::size_t begin = at_;
    do {  // reads a logical line: a line and its continuations
      at_ = std::min(text_.find_first_of("\\\n\r", at_), text_.size());
      if (AtEnd() || Peek() == '\n' || Peek() == '\r') break;
      if (Peek() == '\\') Take();
    } while (true);
    file_.comments.push_back({begin, at_});
  }

  void BlockComment() {
    const std::size_t begin = at_;
    Take(), Peek(), Take();
    for (;;) {
      if (AtEnd()) return Fail(begin, "unterminated comment");
      if (Peek() == '*' && PeekSecond() == '/') break;
      Take();
    }
    Take(), Peek(), Take();
    file_.comments.push_back({begin, at_});
  }

  void ReadToken(char c) {
    const std::size_t begin = at_;
    TokenKind kind = TokenKind::Punctuator;
    if (IsDigit(c) || (c == '.' && IsDigit(PeekSecond()))) {
      kind = TokenKind::Number;
      Number();
    } else if (IsNameByte(c)) {
      kind = NameOrLiteral(begin);
    } else if (c == '"' || c == '\'') {
      kind = Quoted(c);
    } else {
      kind = Punctuator();
    }
    if (!failed_) CheckCharacters(kind, begin);
    if (!failed_) Push(kind, begin);
  }

  /// Rejects characters that compilers, or different compiler settings, treat differently.
  void CheckCharacters(TokenKind kind, std::size_t begin) {
    const std::string_view raw = text_.substr(begin, at_ - begin);
    const bool literal = kind == TokenKind::Character || kind == TokenKind::String;
    if (!literal && kind != TokenKind::Unknown) {
      for (std::size_t i = 0; i < raw.size();) {
        const auto character = static_cast<unsigned char>(raw[i]) < 0x80
                                   ? std::optional(Character{0, 1})
                                   : CharacterAt(raw, i);
        if (character && IsUnseen(character->code))
          return Fail(
              begin + i,
              "a Unicode space or an invisible character, which compilers treat differently",
              "replace it with a space, or delete it");
        i += character ? character->length : 1;
      }
    }
    if (raw == "\\" && at_ < text_.size() &&
        (text_[at_] == 'u' || text_[at_] == 'U' || text_[at_] == 'N'))
      return Fail(begin, "revctl does not support universal character names in code",
                  "write the character itself");
    const bool mark = raw == "?" && FindTrigraph(text_.substr(begin, 3)) == 0;
    const bool inside = kind == TokenKind::Character && FindTrigraph(raw) != raw.npos;
    const bool quote = kind == TokenKind::String && raw.find("?\?/") != raw.npos;
    if (mark || inside || quote)
      Fail(begin, "a trigraph, which compilers replace with another character before C++17",
           "write it without the trigraph");
  }

  void Push(TokenKind kind, std::size_t begin) {
    Token token;
    token.kind = kind;
    token.line_start = line_start_;
    token.span = {begin, at_};
    token.text = Spelling(begin, kind);
    line_start_ = false;
    file_.tokens.push_back(token);
  }

  std::string_view Spelling(std::size_t begin, TokenKind kind) {
    const std::string_view raw = text_.substr(begin, at_ - begin);
    if (kind == TokenKind::String || raw.find('\\') == raw.npos) return raw;
    std::string joined;
    for (std::size_t i = 0; i < raw.size();) {
      if (const std::size_t splice = SpliceLength(raw, i)) {
        i += splice;
      } else {
        joined += raw[i++];
      }
    }
    if (joined.size() == raw.size()) return raw;
    return file_.spliced.emplace_back(std::move(joined));
  }

  void Number() {
    char last = '\0';
    while (!AtEnd()) {
      const char c = Peek();
      const bool sign =
          (c == '+' || c == '-') && (last == 'e' || last == 'E' || last == 'p' || last == 'P');
      const bool separator = c == '\'' && IsNameByte(PeekSecond());
      if (!IsNameByte(c) && c != '.' && !sign && !separator) break;
      last = c;
      Take();
    }
  }

  /// Reads a name, or a literal with a prefix: `u8"..."`, `L'x'`, `LR"(...)"`.
  TokenKind NameOrLiteral(std::size_t begin) {
    // Avoid copying the name in the usual case, in which neither a line continuation nor a literal
    // follows.
    std::size_t plain = at_;
    while (plain < text_.size() && IsNameByte(text_[plain])) ++plain;
    const char behind = plain < text_.size() ? text_[plain] : '\0';
    if (behind != '\\' && behind != '"' && behind != '\'') {
      at_ = plain;
      return TokenKind::Identifier;
    }
    std::string name;  // prefixes have at most three letters
    std::size_t length = 0;
    while (!AtEnd() && IsNameByte(Peek())) {
      if (++length <= 4) name += Peek();
      Take();
    }
    const char next = AtEnd() ? '\0' : Peek();
    if (next == '"' || next == '\'') {
      const bool raw = next == '"' && !name.empty() && name.back() == 'R';
      const std::string prefix = raw ? name.substr(0, name.size() - 1) : name;
      if ((prefix.empty() && raw) || prefix == "u8" || prefix == "u" || prefix == "U" ||
          prefix == "L") {
        return raw ? Raw(begin) : Quoted(next);
      }
    }
    return TokenKind::Identifier;
  }

  /// Reads a literal up to its closing quote. If there is none, stops before the end of the line,
  /// because prose after #error or under #if 0 may contain an apostrophe.
  TokenKind Quoted(char quote) {
    Take();
    while (!AtEnd() && Peek() != '\n' && Peek() != '\r') {
      const char c = Peek();
      Take();
      if (c == quote) return quote == '"' ? TokenKind::String : TokenKind::Character;
      if (c == '\\' && !AtEnd() && Peek() != '\n') Take();
    }
    return TokenKind::Unknown;
  }

  /// Raw strings have no line continuations, so read them byte by byte.
  TokenKind Raw(std::size_t begin) {
    const std::size_t open = text_.find('(', at_);
    if (open == text_.npos || open - at_ > 17) {
      Fail(begin, "this raw string has no opening parenthesis");
      return TokenKind::Unknown;
    }
    const std::string close = fmt::format("){}\"", text_.substr(at_ + 1, open - at_ - 1));
    const std::size_t end = text_.find(close, open);
    if (end == text_.npos) {
      Fail(begin, "unterminated raw string");
      return TokenKind::Unknown;
    }
    at_ = end + close.size();
    return TokenKind::String;
  }

  TokenKind Punctuator() {
    // Fast path for single-character punctuators, which make up nearly all punctuators in a list.
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    static constexpr std::string_view kAlone = ",;(){}[]~?", kMayFollow = "<>=!&|+-*/%^.:#\\";
    static constexpr std::string_view kMayBegin = "<>=!&|+-*/%^.:#";
    if (kAlone.find(text_[at_]) != kAlone.npos || (kMayBegin.find(text_[at_]) != kMayBegin.npos &&
                                                   kMayFollow.find(next) == kMayFollow.npos)) {
      ++at_;
      return TokenKind::Punctuator;
    }
    std::string ahead;  // the next four bytes at most, without line continuations
    const std::size_t begin = at_;
    std::array<std::size_t, 4> ends{};
    while (ahead.size() < 4 && !AtEnd() && Peek() != '\n') {
      ahead += Peek();
      Take();
      ends[ahead.size() - 1] = at_;
    }
    const auto take = [&](std::size_t length) { at_ = ends[length - 1]; };
    for (std::string_view digraph : kDigraphs) {
      if (!ahead.starts_with(digraph)) continue;
      // The characters `<::` are read as `<` and `::`, unless a third ':' or a '>' follows.
      if (ahead.starts_with("<::") && !ahead.starts_with("<:::") && !ahead.starts_with("<::>"))
        break;
      Fail(begin, fmt::format("revctl does not support the digraph {}", digraph),
           "write the bracket or `#` that it stands for");
      return TokenKind::Unknown;
    }
    for (std::string_view spelling : kLongPunctuators) {
      if (ahead.compare(0, spelling.size(), spelling) == 0) {
        take(spelling.size());
        return TokenKind::Punctuator;
      }
    }
    at_ = begin;
    const char c = Peek();
    take(1);
    static constexpr std::string_view kSingle = "{}[]()<>;:,.?!~+-*/%&|^=#";
    return kSingle.find(c) != kSingle.npos ? TokenKind::Punctuator : TokenKind::Unknown;
  }

  std::string_view text_;
  Problem& problem_;
  std::size_t at_ = 0;
  bool line_start_ = true;
  bool failed_ = false;
  LexedFile file_;
};

}  // namespace

std::optional<LexedFile> Lex(std::string_view text, Problem& problem, std::size_t largest) {
  return Lexer(text, problem).Run(largest);
}

namespace {

// The keywords of C++20, which must be sorted. clang-format would align them in columns.
// clang-format off
constexpr std::string_view kKeywords[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline",
    "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
    "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t",
    "while", "xor", "xor_eq"};
// clang-format on
static_assert(std::is_sorted(std::begin(kKeywords), std::end(kKeywords)));

}  // namespace

bool IsKeyword(std::string_view name) {
  return std::binary_search(std::begin(kKeywords), std::end(kKeywords), name);
}

}  // namespace revctl::base
