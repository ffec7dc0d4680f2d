#include "harness/condition_edges.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "harness/ascii.h"

namespace harness {
namespace {

bool IsWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// A decimal, hexadecimal or character literal at `at`; moves behind it, suffixes and all.
std::int64_t TakeNumber(const std::string& text, std::size_t& at) {
  std::int64_t value = 0;
  const bool hex =
      text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X');
  const char* begin = text.data() + at + (hex ? 2 : 0);
  (void)std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
  while (at < text.size() &&
         (IsDigit(text[at]) || IsWordStart(text[at]) || text[at] == '.' || text[at] == '\''))
    ++at;
  return value;
}

}  // namespace

ConditionEdges EdgesOf(const std::string& condition) {
  ConditionEdges edges;
  std::set<std::int64_t> values = {-1, 0, 1};
  for (std::size_t at = 0; at < condition.size();) {
    if (IsDigit(condition[at])) {
      const std::int64_t value = TakeNumber(condition, at);
      for (std::int64_t near : {value - 1, value, value + 1, -value}) values.insert(near);
    } else if (IsWordStart(condition[at])) {
      std::size_t end = at;
      while (end < condition.size() && (IsWordStart(condition[end]) || IsDigit(condition[end])))
        ++end;
      std::string word = condition.substr(at, end - at);
      if (std::find(edges.fields.begin(), edges.fields.end(), word) == edges.fields.end()) {
        edges.fields.push_back(std::move(word));
      }
      at = end;
    } else {
      ++at;
    }
  }
  edges.values.assign(values.begin(), values.end());
  if (edges.values.size() > ConditionEdges::kMost) edges.values.resize(ConditionEdges::kMost);
  return edges;
}

}  // namespace harness
