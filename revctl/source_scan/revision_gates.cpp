#include "revctl/source_scan/revision_gates.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace revctl::commands {
namespace {

using base::TokenKind;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::string_view kAsked = "revision";
/// Limits on the number of tokens in a name or type, and in a switch condition. They keep the
/// search linear for generated code.
constexpr std::size_t kLongestName = 32, kLongestCondition = 256;

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns how many revision arguments the library macro `name` takes (with or without `REVCTL_`),
/// or 0 for any other name.
int GateArguments(std::string_view name) {
  constexpr std::string_view kLong = "REVCTL_";
  if (name.starts_with(kLong)) name.remove_prefix(kLong.size());
  if (IsOneOf(name, {"REM", "REM_CONDITIONAL"})) return 2;
  const bool one = IsOneOf(
      name, {"ADD", "ADD_CONDITIONAL", "ADD_TYPED", "ADD_BASE", "ADD_BITS", "CHECK_INTEGRITY"});
  return one ? 1 : 0;
}

bool IsComparison(const CodeToken& token) {
  return token.kind == TokenKind::Punctuator &&
         IsOneOf(token.text, {"<", ">", "<=", ">=", "==", "!="});
}

/// True if converting to `type` preserves a revision's number.
bool IsInteger(std::string_view type) {
  return IsOneOf(type, {"int", "unsigned", "long", "short", "char", "to_underlying"}) ||
         type.ends_with("_t");
}

bool IsKeyword(std::string_view word) {
  return IsOneOf(
      word, {"return", "co_return", "co_yield", "case", "and", "or", "not", "throw", "else", "do"});
}

class GateSearch {
 public:
  GateSearch(const std::vector<CodeToken>& tokens, const std::set<std::string, std::less<>>& enums)
      : tokens_(tokens), enums_(enums), partner_(tokens.size(), kNone) {
    constexpr std::string_view kOpen = "([{", kClose = ")]}";
    std::vector<std::size_t> open;
    // Number of open brackets of each kind, so that a stray closing bracket is skipped in constant
    // time.
    std::array<std::size_t, 3> waiting{};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != TokenKind::Punctuator || tokens[i].text.size() != 1) continue;
      const char c = tokens[i].text[0];
      if (const std::size_t kind = kOpen.find(c); kind != kOpen.npos) {
        open.push_back(i);
        ++waiting[kind];
      }
      const std::size_t kind = kClose.find(c);
      if (kind == kClose.npos || waiting[kind] == 0) continue;
      // Code with #if may open a bracket twice and close it only once. In that case, the inner
      // brackets stay unmatched.
      for (bool found = false; !found; open.pop_back()) {
        const std::size_t last = kOpen.find(tokens[open.back()].text[0]);
        if (last < waiting.size()) --waiting[last];  // always true, but g++ 12 warns without it
        found = last == kind;
        if (!found) continue;
        partner_[i] = open.back();
        partner_[open.back()] = i;
      }
    }
  }

  /// Returns the bare numbers that are compared with members or calls other than `revision`.
  std::vector<ComparedNumber> Compared() {
    std::vector<ComparedNumber> out;
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      if (!tokens_[i].IsName() || tokens_[i].text == kAsked) continue;
      const bool member = Is(i - 1, ".") || Is(i - 1, "->");
      const bool call = Is(i + 1, "(") && Partner(i + 1) == i + 2;
      if (!member && !call) continue;
      found_.clear();
      Compared(i);
      for (const std::size_t number : found_) out.push_back({number, tokens_[i].text});
    }
    return out;
  }

  /// Returns the getter that is compared with the name at token `at`, or "" if there is none.
  std::string_view GetterBeside(std::size_t at) const {
    const std::size_t begin = NameBegin(at + 1);
    if (begin > 1 && IsComparison(tokens_[begin - 1])) {
      std::size_t end = begin - 1;  // end of the comparison's left operand
      const bool call = Is(end - 1, ")") && Partner(end - 1) == end - 2;
      if (call) end -= 2;
      if (end > 0 && IsName(end - 1) &&
          (call || (end > 1 && (Is(end - 2, ".") || Is(end - 2, "->")))))
        return tokens_[end - 1].text;
    }
    if (at + 2 >= tokens_.size() || !IsComparison(tokens_[at + 1])) return {};
    std::size_t i = at + 2;
    bool member = false;
    while (IsName(i) && (Is(i + 1, ".") || Is(i + 1, "->") || Is(i + 1, "::")) &&
           i - at < kLongestName) {
      member = !Is(i + 1, "::");
      i += 2;
    }
    const bool call = Is(i + 1, "(") && Partner(i + 1) == i + 2;
    return IsName(i) && (member || call) ? tokens_[i].text : std::string_view();
  }

  /// Returns the bare numbers that calls pass as one of `arguments`.
  std::vector<std::size_t> Passed(const RevisionArguments& arguments) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto called = tokens_[i].IsName() ? arguments.find(tokens_[i].text) : arguments.end();
      if (called == arguments.end()) continue;
      // Skip the template arguments of a call such as DoEx<u8>(...).
      const std::size_t open = Is(i + 1, "<") ? TemplateEnd(i + 1) : i + 1;
      Arguments(open, [&](int argument) { return called->second.contains(argument); });
    }
    return std::move(found_);
  }

  std::vector<std::size_t> Run() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_[i].IsName()) continue;
      if (tokens_[i].text == kAsked) Compared(i);
      else if (tokens_[i].text == "switch") Cases(i);
      else if (const int count = GateArguments(tokens_[i].text); count > 0)
        Arguments(i + 1, [&](int argument) { return argument <= count; });
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  bool Is(std::size_t at, std::string_view text) const {
    return at < tokens_.size() && tokens_[at].Is(text);
  }
  bool IsName(std::size_t at) const { return at < tokens_.size() && tokens_[at].IsName(); }
  bool IsNumber(std::size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == TokenKind::Number;
  }
  std::size_t Partner(std::size_t at) const { return at < tokens_.size() ? partner_[at] : kNone; }
  void Found(std::optional<std::size_t> number) {
    if (number) found_.push_back(*number);
  }

  /// Returns the token after the template arguments that begin at `at`, or `at` if there are none.
  std::size_t TemplateEnd(std::size_t at) const {
    std::size_t end = at + 1;
    while (end - at < kLongestName && (IsName(end) || Is(end, "::") || Is(end, "*"))) ++end;
    return Is(end, ">") ? end + 1 : at;
  }

  /// Returns the last part of the type name in [begin, end), such as `Revision` for
  /// `game::Revision`, or "" if there is no type name.
  std::string_view TypeIn(std::size_t begin, std::size_t end) const {
    if (begin >= end || end - begin > kLongestName) return {};
    for (std::size_t i = begin; i < end; ++i) {
      if (!IsName(i) && !Is(i, "::")) return {};
    }
    return IsName(end - 1) ? tokens_[end - 1].text : std::string_view();
  }

  /// Returns the first token of the qualified name that ends before `end`.
  std::size_t NameBegin(std::size_t end) const {
    std::size_t begin = end;
    if (begin > 0 && IsName(begin - 1)) --begin;
    while (begin > 1 && end - begin < kLongestName && Is(begin - 1, "::") && IsName(begin - 2))
      begin -= 2;
    return begin > 0 && Is(begin - 1, "::") ? begin - 1 : begin;
  }

  /// Returns the first token of a `static_cast<TYPE>` whose '>' precedes `end`, or kNone.
  std::size_t CastBegin(std::size_t end) const {
    if (end < 4 || !Is(end - 1, ">")) return kNone;
    std::size_t i = end - 1;
    while (i > 0 && end - i < kLongestName && (IsName(i - 1) || Is(i - 1, "::"))) --i;
    return i > 1 && Is(i - 1, "<") && Is(i - 2, "static_cast") ? i - 2 : kNone;
  }

  /// Returns the token of the number in [begin, end), ignoring brackets, signs and conversions, or
  /// nullopt if there is no number.
  std::optional<std::size_t> Number(std::size_t begin, std::size_t end) const {
    for (;;) {
      while (begin < end && (Is(begin, "-") || Is(begin, "+"))) ++begin;
      if (begin >= end) return std::nullopt;
      if (end - begin == 1) return IsNumber(begin) ? std::optional(begin) : std::nullopt;
      if (Is(begin, "(") && Partner(begin) == end - 1) {
        ++begin, --end;
        continue;
      }
      if (Is(begin, "(") && Partner(begin) < end &&
          enums_.contains(TypeIn(begin + 1, Partner(begin)))) {
        begin = Partner(begin) + 1;
        if (!IsNumber(begin) && !Is(begin, "(")) return std::nullopt;
        continue;
      }
      const std::size_t open = Partner(end - 1);
      if (open == kNone || open <= begin || Is(end - 1, "]")) return std::nullopt;
      if (!enums_.contains(TypeIn(begin, open)) && CastBegin(open) != begin) return std::nullopt;
      begin = open + 1, --end;
    }
  }

  /// Returns the end of the operand that begins at `begin`. Recognizes only operands that can be a
  /// number.
  std::size_t OperandEnd(std::size_t begin) const {
    for (;;) {
      while (Is(begin, "-") || Is(begin, "+")) ++begin;
      if (!Is(begin, "(") || Partner(begin) == kNone) break;
      const std::size_t end = Partner(begin) + 1;
      if (TypeIn(begin + 1, end - 1).empty() || !(IsNumber(end) || Is(end, "("))) return end;
      begin = end;  // the brackets contained a type, so this is a cast
    }
    if (Is(begin, "static_cast") && Is(begin + 1, "<")) {
      begin += 2;
      for (std::size_t i = 0; i < kLongestName && (IsName(begin) || Is(begin, "::")); ++i) ++begin;
      return Is(begin, ">") && Partner(begin + 1) != kNone ? Partner(begin + 1) + 1 : begin;
    }
    if (IsNumber(begin)) return begin + 1;
    for (std::size_t i = 0; i < kLongestName && (IsName(begin) || Is(begin, "::")); ++i) ++begin;
    return (Is(begin, "(") || Is(begin, "{")) && Partner(begin) != kNone ? Partner(begin) + 1
                                                                         : begin;
  }

  /// Returns the beginning of the operand that ends before `end`. Recognizes only operands that can
  /// be a number.
  std::size_t OperandBegin(std::size_t end) const {
    if (end == 0) return end;
    if (IsNumber(end - 1)) return end - 1;
    if (!(Is(end - 1, ")") || Is(end - 1, "}")) || Partner(end - 1) == kNone) return end;
    const std::size_t open = Partner(end - 1), cast = CastBegin(open);
    return cast != kNone ? cast : NameBegin(open);
  }

  /// Finds the bare numbers among the arguments of the call whose '(' is at `open`. Considers only
  /// the arguments for whose position, counted from 1, `wanted` returns true.
  template <class Wanted>
  void Arguments(std::size_t open, Wanted wanted) {
    const std::size_t close = Partner(open);
    if (!Is(open, "(") || close == kNone) return;
    int argument = 1;
    for (std::size_t begin = open + 1, at = begin; at <= close; ++at) {
      if (Is(at, ",") || at == close) {
        if (wanted(argument++)) Found(Number(begin, at));
        begin = at + 1;
      } else if ((Is(at, "(") || Is(at, "[") || Is(at, "{")) && Partner(at) < close) {
        at = Partner(at);
      }
    }
  }

  void Compared(std::size_t at) {
    std::size_t begin = at, end = at + 1;
    if (Is(end, "(") && Partner(end) == end + 1) end += 2;
    begin = ChainBegin(begin);
    if (!Unwrap(begin, end)) return;
    // Skip template brackets, because they are not comparisons: `array<int, 3> revision`,
    // `revision<42>`.
    if (end < tokens_.size() && IsComparison(tokens_[end])) {
      const std::size_t behind = OperandEnd(end + 1);
      if (!(Is(end, "<") && Is(behind, ">"))) Found(Number(end + 1, behind));
    }
    if (begin > 1 && IsComparison(tokens_[begin - 1])) {
      const std::size_t before = OperandBegin(begin - 1);
      const bool argument =
          Is(begin - 1, ">") && before > 0 && (Is(before - 1, ",") || Is(before - 1, "<"));
      if (!argument) Found(Number(before, begin - 1));
    }
  }

  /// Returns the start of the object expression before the name: `r.`, `archive->`, `Current().`,
  /// `readers[i].`
  std::size_t ChainBegin(std::size_t begin) const {
    for (std::size_t steps = 0; steps < kLongestName && begin > 1 &&
                                (Is(begin - 1, ".") || Is(begin - 1, "->") || Is(begin - 1, "::"));
         ++steps) {
      std::size_t i = begin - 1;
      if ((Is(i - 1, ")") || Is(i - 1, "]")) && Partner(i - 1) != kNone) i = Partner(i - 1);
      if (i > 0 && IsName(i - 1)) --i;
      if (i == begin - 1) break;
      begin = i;
    }
    return begin;
  }

  /// Extends the range to include enclosing brackets and conversions to an integer. Returns false
  /// if the range is an argument of any other function, because the result of that function is not
  /// a revision.
  bool Unwrap(std::size_t& begin, std::size_t& end) const {
    for (;;) {
      if (begin > 0 && Is(begin - 1, ")") && Partner(begin - 1) != kNone &&
          IsInteger(TypeIn(Partner(begin - 1) + 1, begin - 1))) {
        begin = Partner(begin - 1);
        continue;
      }
      if (begin == 0 || !Is(begin - 1, "(") || Partner(begin - 1) != end) return true;
      const std::size_t open = begin - 1, cast = CastBegin(open);
      if (cast != kNone) {
        begin = cast;
      } else if (const std::size_t name = NameBegin(open);
                 name < open && !IsKeyword(tokens_[open - 1].text)) {
        if (!IsInteger(tokens_[open - 1].text)) return false;
        begin = name;
      } else {
        begin = open;
      }
      ++end;
    }
  }

  /// Finds `case 42:` in a switch over the revision, but not in switches nested inside it.
  void Cases(std::size_t at) {
    const std::size_t close = Partner(at + 1);
    if (!Is(at + 1, "(") || close == kNone || !Is(close + 1, "{") || Partner(close + 1) == kNone)
      return;
    bool asked = false;
    for (std::size_t i = at + 2; i < std::min(close, at + kLongestCondition); ++i) {
      asked = asked || (IsName(i) && tokens_[i].text == kAsked && !Is(i + 1, ".") &&
                        !Is(i + 1, "->") && !Is(i + 1, "["));
    }
    if (!asked) return;
    for (std::size_t i = close + 2, end = Partner(close + 1); i < end; ++i) {
      if (Is(i, "switch") && Is(i + 1, "(") && Partner(i + 1) != kNone &&
          Is(Partner(i + 1) + 1, "{") && Partner(Partner(i + 1) + 1) != kNone) {
        i = Partner(Partner(i + 1) + 1);
      } else if (Is(i, "case")) {
        std::size_t begin = i + 1;
        for (++i; i < end && !Is(i, ":"); ++i) {
          if (!Is(i, "...")) continue;
          Found(Number(begin, i));
          begin = i + 1;
        }
        Found(Number(begin, i));
      }
    }
  }

  const std::vector<CodeToken>& tokens_;
  const std::set<std::string, std::less<>>& enums_;
  std::vector<std::size_t> partner_;
  std::vector<std::size_t> found_;
};

}  // namespace

std::vector<std::size_t> BareNumbers(const std::vector<CodeToken>& tokens,
                                     const std::set<std::string, std::less<>>& enums) {
  return GateSearch(tokens, enums).Run();
}

std::vector<ComparedNumber> ComparedNumbers(const std::vector<CodeToken>& tokens,
                                            const std::set<std::string, std::less<>>& enums) {
  return GateSearch(tokens, enums).Compared();
}

std::vector<std::size_t> PassedNumbers(const std::vector<CodeToken>& tokens,
                                       const std::set<std::string, std::less<>>& enums,
                                       const RevisionArguments& arguments) {
  if (arguments.empty()) return {};
  return GateSearch(tokens, enums).Passed(arguments);
}

std::vector<std::string_view> Getters(const std::vector<CodeToken>& tokens,
                                      const std::vector<std::size_t>& revisions) {
  if (revisions.empty()) return {};  // the usual case, in which the bracket table is not needed
  const std::set<std::string, std::less<>> none;
  const GateSearch search(tokens, none);
  std::vector<std::string_view> out;
  for (const std::size_t at : revisions) {
    if (const std::string_view getter = search.GetterBeside(at); !getter.empty())
      out.push_back(getter);
  }
  return out;
}

bool OnlyForOlder(const std::vector<CodeToken>& tokens, std::size_t at) {
  const auto is = [&](std::size_t i, std::string_view text) {
    return i < tokens.size() && tokens[i].Is(text);
  };
  std::size_t begin = at;
  while (begin > 0 && is(begin - 1, "::")) {  // skip the enum's name that qualifies the revision
    --begin;
    if (begin > 0 && tokens[begin - 1].IsName()) --begin;
    if (at - begin > kLongestName) return false;
  }
  if (begin == 0) return false;
  const bool less = is(begin - 1, "<"), greater = is(at + 1, ">");
  if (less != greater) return true;  // between '<' and '>', the name is a template argument
  if (!is(begin - 1, ",")) return false;
  std::size_t first = begin - 1;
  while (first > 0 && begin - first < kLongestName &&
         (tokens[first - 1].IsName() || is(first - 1, "::")))
    --first;
  return first < begin - 1 && first > 1 && is(first - 1, "(") &&
         GateArguments(tokens[first - 2].text) == 2;
}

}  // namespace revctl::commands
