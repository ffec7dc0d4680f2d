#include "harness/samples/condition_edges.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

bool IsWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

template <class T>
void AddOnce(std::vector<T>& list, T value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

struct NumberLiteral {
  std::int64_t whole = 0;  ///< without what stands behind the point
  double real = 0;
};

/// A decimal, hexadecimal or floating literal at `at`; moves behind it, suffixes and all.
NumberLiteral TakeNumber(const std::string& text, std::size_t& at) {
  const bool hex =
      text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X');
  if (hex) at += 2;
  std::string digits;
  for (; at < text.size(); ++at) {
    const char c = text[at], before = digits.empty() ? ' ' : digits.back();
    const bool exponent = !hex && (c == '+' || c == '-') && (before == 'e' || before == 'E');
    if (!base::IsDigit(c) && !IsWordStart(c) && c != '.' && c != '\'' && !exponent) break;
    if (c != '\'') digits += c;  // between groups of digits
  }
  NumberLiteral literal;
  const char *begin = digits.data(), *end = begin + digits.size();
  (void)std::from_chars(begin, end, literal.whole, hex ? 16 : 10);
  literal.real = static_cast<double>(literal.whole);
  if (hex || digits.find_first_of(".eE") == std::string::npos) return literal;
  // What `0.1f` is, no double is called.
  if (float narrow = 0; digits.back() == 'f' || digits.back() == 'F') {
    if (std::from_chars(begin, end, narrow).ec == std::errc())
      literal.real = static_cast<double>(narrow);
  } else {
    (void)std::from_chars(begin, end, literal.real);
  }
  if (literal.real >= -1e15 && literal.real <= 1e15)
    literal.whole = static_cast<std::int64_t>(literal.real);
  return literal;
}

/// What stands between the quotes at `at`; moves behind them. None where it has an escape that is
/// not one of the usual ones.
std::optional<std::string> TakeText(const std::string& text, std::size_t& at) {
  std::optional<std::string> taken = "";
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    char c = text[at];
    if (c == '\\' && at + 1 < text.size()) {
      c = text[++at];
      constexpr std::string_view kNames = "ntr\"\\'", kMeant = "\n\t\r\"\\'";
      const auto known = kNames.find(c);
      if (known == std::string_view::npos) {
        taken.reset();
        continue;
      }
      c = kMeant[known];
    }
    if (taken) *taken += c;
  }
  if (at < text.size()) ++at;
  return taken;
}

/// The character before `at` that is no space; 0 where there is none.
char Before(const std::string& text, std::size_t at) {
  while (at > 0 && text[at - 1] == ' ') --at;
  return at > 0 ? text[at - 1] : '\0';
}

}  // namespace

ConditionEdges EdgesOf(const std::string& condition) {
  ConditionEdges edges;
  std::set<std::int64_t> values = {-1, 0, 1};
  for (std::size_t at = 0; at < condition.size();) {
    if (base::IsDigit(condition[at])) {
      const bool negative = Before(condition, at) == '-';
      const auto [whole, real] = TakeNumber(condition, at);
      for (std::int64_t near : {whole - 1, whole, whole + 1, -whole}) values.insert(near);
      AddOnce(edges.reals, real);
      if (!negative) continue;  // or a difference: both are tried
      for (std::int64_t near : {-whole - 1, -whole + 1}) values.insert(near);
      AddOnce(edges.reals, -real);
    } else if (condition[at] == '"') {
      const auto text = TakeText(condition, at);
      if (!text) continue;
      AddOnce(edges.texts, *text);
      AddOnce(edges.texts, *text + "x");
    } else if (IsWordStart(condition[at])) {
      std::size_t end = at;
      while (end < condition.size() &&
             (IsWordStart(condition[end]) || base::IsDigit(condition[end])))
        ++end;
      std::string word = condition.substr(at, end - at);
      const bool calls = condition.compare(end, 1, "(") == 0;
      edges.asks_size =
          edges.asks_size || (calls && (word == "size" || word == "length" || word == "ssize"));
      AddOnce(edges.fields, std::move(word));
      at = end;
    } else {
      ++at;
    }
  }
  edges.values.assign(values.begin(), values.end());
  if (edges.values.size() > ConditionEdges::kMost) edges.values.resize(ConditionEdges::kMost);
  if (edges.reals.size() > ConditionEdges::kMostReals)
    edges.reals.resize(ConditionEdges::kMostReals);
  return edges;
}

}  // namespace revctl::harness
