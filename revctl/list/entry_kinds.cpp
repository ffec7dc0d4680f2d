#include "revctl/list/entry_kinds.h"

#include <algorithm>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/list/expression.h"

namespace revctl::list::detail {
namespace {

std::span<const Token> WithoutCast(std::span<const Token> tokens) {
  if (tokens.size() < 6 || !tokens[0].Is("static_cast") || !tokens[1].Is("<")) return tokens;
  std::size_t i = 2;
  while (i < tokens.size() && (tokens[i].IsName() || tokens[i].Is("::"))) ++i;
  return i < tokens.size() && tokens[i].Is(">") ? tokens.subspan(i + 1) : tokens;
}

/// Takes parentheses off that enclose everything.
std::span<const Token> Unwrapped(std::span<const Token> tokens) {
  tokens = WithoutCast(tokens);
  while (tokens.size() >= 2 && tokens.front().Is("(") && tokens.back().Is(")")) {
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].Is("(")) ++depth;
      if (tokens[i].Is(")") && --depth == 0 && i + 1 != tokens.size()) return tokens;
    }
    tokens = WithoutCast(tokens.subspan(1, tokens.size() - 2));
  }
  return tokens;
}

/// The entry that a qualified name means: only this enum's own.
std::string EntryName(std::span<const Token>& tokens, const std::string& enum_name) {
  const std::string name = TakeQualifiedName(tokens);
  const std::size_t cut = name.rfind("::");
  if (cut == name.npos) return name;
  const std::string scope = name.substr(0, cut);
  const bool own = scope == enum_name ||
                   (scope.size() > enum_name.size() + 2 && scope.ends_with("::" + enum_name));
  return own && !enum_name.empty() ? name.substr(cut + 2) : std::string();
}

bool IsAliasName(const std::string& name, const ListConfig& config) {
  return std::any_of(config.aliases.begin(), config.aliases.end(),
                     [&name](const std::string& pattern) { return MatchesGlob(name, pattern); });
}

/// A last entry that only counts gives itself away by what stands behind it: `CURRENT = COUNT - 1`.
std::string CountedEntry(const RevisionList& list) {
  const auto last = std::find_if(
      list.entries.rbegin(), list.entries.rend(),
      [](const Entry& entry) { return entry.alias_of.empty() && entry.one_below.empty(); });
  if (last == list.entries.rend() || last->explicit_number) return {};
  const bool counted =
      std::any_of(list.entries.begin(), list.entries.end(),
                  [&](const Entry& entry) { return entry.one_below == last->name; });
  return counted ? last->name : std::string();
}

}  // namespace

std::string NamedEntry(std::span<const Token> initializer, const std::string& enum_name) {
  std::span<const Token> tokens = Unwrapped(initializer);
  std::string name = EntryName(tokens, enum_name);
  return tokens.empty() ? name : std::string();
}

std::string OneBelowEntry(std::span<const Token> initializer, const std::string& enum_name) {
  std::span<const Token> tokens = Unwrapped(initializer);
  std::string name = EntryName(tokens, enum_name);
  return tokens.size() == 2 && tokens[0].Is("-") && tokens[1].Is("1") ? name : std::string();
}

bool IsOldestName(std::string_view name) {
  std::string lower;
  for (char c : name) {
    if (c != '_') lower += base::Lower(c);
  }
  for (std::string_view word :
       {"minimal", "minimum", "oldest", "lowest", "lowsupport", "lowsupported", "lowestsupport",
        "lowestsupported", "minsupported"}) {
    if (std::string_view(lower).ends_with(word)) return true;
  }
  return false;
}

bool MatchesGlob(std::string_view name, std::string_view pattern) {
  // Greedy with one point of return: linear in name times stars, no recursion.
  std::size_t n = 0, p = 0, star = pattern.npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++n, ++p;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

void AssignKinds(RevisionList& list, const ListConfig& config) {
  const std::string sentinel = config.sentinel.empty() ? CountedEntry(list) : config.sentinel;
  std::set<std::string_view> named, own;  // few: most entries name no other
  for (const Entry& entry : list.entries) {
    if (!entry.alias_of.empty()) named.insert(entry.alias_of);
    if (!entry.one_below.empty()) named.insert(entry.one_below);
  }
  for (const Entry& entry : list.entries) {
    if (!named.empty() && named.contains(entry.name)) own.insert(entry.name);
  }
  for (Entry& entry : list.entries) {
    // The name of another enum's entry, or of a constant, is a number like any other.
    if (!entry.alias_of.empty() && !own.contains(entry.alias_of)) entry.alias_of.clear();
    if (!entry.one_below.empty() && !own.contains(entry.one_below)) entry.one_below.clear();
    const bool prefixed =
        std::string_view(entry.name).substr(0, config.prefix.size()) == config.prefix;
    if (!sentinel.empty() && entry.name == sentinel) {
      entry.kind = EntryKind::Sentinel;
    } else if (!entry.alias_of.empty() || (!sentinel.empty() && entry.one_below == sentinel) ||
               !prefixed || entry.name == config.current || IsAliasName(entry.name, config)) {
      entry.kind = EntryKind::Alias;
    }
  }
}

}  // namespace revctl::list::detail
