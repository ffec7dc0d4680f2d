#include "revctl/setup/version_constant.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/list/reading/guess.h"

namespace revctl::commands {
namespace {

using base::Token;
using base::TokenKind;

/// Limits for a constant's declaration: the number of tokens in its type, and the number of
/// enumerators in its enum.
constexpr std::size_t kLongestType = 24, kMostEnumerators = 3;
constexpr std::int64_t kLargestVersion = 1'000'000;

template <std::size_t N>
bool HasAny(const std::string& text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

constexpr std::array<std::string_view, 2> kVersions = {"version", "revision"};
constexpr std::array<std::string_view, 6> kOfSaves = {"save",   "state",  "snapshot",
                                                      "serial", "format", "archive"};
constexpr std::array<std::string_view, 10> kOfOthers = {
    "protocol", "major", "minor", "patch", "api", "shader", "vulkan", "cache", "magic", "net"};
constexpr std::array<std::string_view, 7> kOfOtherPeople = {
    "third_party", "thirdparty", "3rdparty", "external", "vendor", "dep/", "deps/"};

bool IsVersion(std::string_view name) { return HasAny(base::Lower(name), kVersions); }

/// Returns the value of a decimal literal such as `71` or `71u`, or nullopt for other text.
std::optional<std::int64_t> Decimal(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || text.find_first_not_of("uUlL", digits) != text.npos ||
      (text[0] == '0' && digits > 1))
    return std::nullopt;
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + digits, value);
  if (read.ec != std::errc() || value > kLargestVersion) return std::nullopt;
  return value;
}

class ConstantSearch {
 public:
  ConstantSearch(const std::vector<Token>& tokens, const std::string& path)
      : tokens_(tokens), path_(path) {}

  std::vector<VersionConstant> Run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_[i].IsName() || !IsVersion(tokens_[i].text)) continue;
      if (i > 1 && Is(i - 1, "define") && Is(i - 2, "#")) Macro(i);
      else if (IsDeclared(i)) Variable(i);
      else if (IsOnlyEnumerator(i)) Add(i, i + 2, false);
    }
    return std::move(out_);
  }

 private:
  bool Is(std::size_t at, std::string_view text) const {
    return at < tokens_.size() && tokens_[at].Is(text);
  }

  void Macro(std::size_t at) {
    const bool brackets = Is(at + 1, "(") && Is(at + 3, ")");
    const std::size_t number = at + (brackets ? 2 : 1), end = number + (brackets ? 2 : 1);
    if (number < tokens_.size() && !tokens_[number].line_start &&
        (end >= tokens_.size() || tokens_[end].line_start))
      Add(at, number, true);
  }

  /// True if the tokens before the name at `at` declare it as a constant.
  bool IsDeclared(std::size_t at) const {
    for (std::size_t i = at; i > 0 && at - i < kLongestType; --i) {
      const Token& before = tokens_[i - 1];
      if (before.Is("const") || before.Is("constexpr") || before.Is("constinit")) return true;
      if (before.Is(";") || before.Is("{") || before.Is("}") || before.Is("(") || before.Is("#"))
        return false;
    }
    return false;
  }

  void Variable(std::size_t at) {
    const bool equals = Is(at + 1, "=");
    const std::size_t begin = at + (equals ? 2 : 1);
    if (Is(begin, "{") && Is(begin + 2, "}") && Is(begin + 3, ";")) Add(at, begin + 1, false);
    else if (equals && Is(begin + 1, ";")) Add(at, begin, false);
  }

  /// True if the name at `at` is an enumerator with a number, and its enum is so small that it is
  /// probably just a set of constants.
  bool IsOnlyEnumerator(std::size_t at) const {
    if (!Is(at + 1, "=") || !(Is(at + 3, "}") || Is(at + 3, ","))) return false;
    std::size_t open = at, close = at, count = 0;
    while (open > 0 && at - open < kLongestType && !Is(open, "{")) --open;
    while (close < tokens_.size() && close - at < kLongestType && !Is(close, "}")) ++close;
    if (!Is(open, "{") || !Is(close, "}")) return false;
    for (std::size_t i = open + 1; i < close; i += 4, ++count) {
      if (!tokens_[i].IsName() || !Is(i + 1, "=") || i + 2 >= close ||
          tokens_[i + 2].kind != TokenKind::Number || !(Is(i + 3, ",") || i + 3 == close))
        return false;
    }
    for (std::size_t i = open; i > 0 && open - i < kLongestType; --i) {
      if (Is(i - 1, "enum")) return count <= kMostEnumerators;
      if (Is(i - 1, ";") || Is(i - 1, "}")) break;
    }
    return false;
  }

  void Add(std::size_t name, std::size_t number, bool is_macro) {
    if (number >= tokens_.size() || tokens_[number].kind != TokenKind::Number) return;
    const auto value = Decimal(tokens_[number].text);
    if (!value) return;
    VersionConstant one;
    one.path = path_;
    one.name = tokens_[name].text;
    one.number = *value;
    one.number_span = tokens_[number].span;
    one.is_macro = is_macro;
    one.is_oldest = list::NamesOldest(one.name);
    one.likeness = Likeness(one);
    out_.push_back(std::move(one));
  }

  static int Likeness(const VersionConstant& one) {
    const std::string name = base::Lower(one.name), path = base::Lower(one.path);
    const std::string file(base::FileName(path));
    int likeness = 4;
    if (HasAny(name, kOfSaves)) likeness += 4;
    if (HasAny(name, kOfOthers)) likeness -= 5;
    if (HasAny(file, kVersions) || HasAny(file, kOfSaves)) likeness += 1;
    if (one.number >= 5) likeness += 1;
    if (HasAny(path, kOfOtherPeople)) likeness -= 4;
    if (one.is_oldest) likeness -= 8;
    return likeness;
  }

  const std::vector<Token>& tokens_;
  const std::string& path_;
  std::vector<VersionConstant> out_;
};

/// Returns the offset after the end of the line that contains `at`.
std::size_t AfterLine(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size() - 1) + 1;
}

/// Returns the offset at which an #include may be inserted: before `limit`, and outside any
/// preprocessor condition except the include guard.
std::size_t IncludePlace(std::string_view text, const std::vector<Token>& tokens,
                         std::size_t limit) {
  const auto is = [&](std::size_t at, std::string_view word) {
    return at < tokens.size() && tokens[at].Is(word);
  };
  std::size_t guard = 0;
  int depth = 0;
  bool first = true;
  for (std::size_t i = 0; i + 1 < tokens.size() && tokens[i].span.begin < limit; ++i) {
    if (!tokens[i].Is("#") || !tokens[i].line_start) continue;
    const Token& word = tokens[i + 1];
    if (word.Is("pragma") && is(i + 2, "once")) return AfterLine(text, word.span.end);
    if (word.Is("include") && depth == 0) return AfterLine(text, word.span.end);
    if (first && word.Is("ifndef") && i + 5 < tokens.size() && is(i + 4, "define") &&
        tokens[i + 5].text == tokens[i + 2].text) {
      guard = AfterLine(text, tokens[i + 5].span.end);
      i += 5;
    } else if (word.text.starts_with("if")) {
      ++depth;
    } else if (word.Is("endif")) {
      --depth;
    }
    first = false;
  }
  if (guard != 0) return guard;
  return tokens.empty() ? text.size() : text.rfind('\n', tokens.front().span.begin) + 1;
}

}  // namespace

std::vector<VersionConstant> FindConstants(std::string_view text, const std::string& path) {
  base::Problem problem;
  const auto lexed = base::Lex(text, problem);
  if (!lexed) return {};
  auto found = ConstantSearch(lexed->tokens, path).Run();
  for (VersionConstant& one : found) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(one.number_span.begin);
    one.line = static_cast<int>(std::count(text.begin(), end, '\n')) + 1;
  }
  return found;
}

std::optional<std::int64_t> NumberOf(std::string_view text, const std::string& name) {
  for (const VersionConstant& one : FindConstants(text, "")) {
    if (one.name == name) return one.number;
  }
  return std::nullopt;
}

std::string WithNamedNumber(std::string_view text, const VersionConstant& constant,
                            std::string_view value, std::string_view include) {
  std::string out(text);
  out.replace(constant.number_span.begin, constant.number_span.end - constant.number_span.begin,
              value);
  base::Problem problem;
  const auto lexed = base::Lex(text, problem);
  if (!lexed) return out;
  const bool crlf = text.find("\r\n") != text.npos;
  const std::string line = std::string(include) + (crlf ? "\r\n" : "\n");
  return out.insert(IncludePlace(text, lexed->tokens, constant.number_span.begin), line);
}

}  // namespace revctl::commands
