#include "revctl/list/reading/guess.h"

#include <algorithm>
#include <array>
#include <map>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/list/reading/declarations.h"
#include "revctl/list/reading/entries.h"
#include "revctl/list/reading/preprocessor.h"

namespace revctl::list {
namespace {

using base::IsLower;
using base::IsUpper;

/// Splits `NUM_TAG_MINORS` or `VersionPlusOne` into lower-case words.
std::vector<std::string> Words(std::string_view name) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!base::IsLetter(c)) continue;
    const bool goes_on =
        i > 0 && !words.empty() &&
        ((IsLower(c) && base::IsLetter(name[i - 1])) ||
         (IsUpper(c) && IsUpper(name[i - 1]) && (i + 1 == name.size() || !IsLower(name[i + 1]))));
    if (!goes_on) words.emplace_back();
    words.back() += base::Lower(c);
  }
  return words;
}

template <std::size_t N>
bool Has(const std::vector<std::string>& words, const std::array<std::string_view, N>& any) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(any.begin(), any.end(), word) != any.end();
  });
}

constexpr std::array<std::string_view, 4> kCounts = {"max", "count", "num", "end"};
constexpr std::array<std::string_view, 2> kLatest = {"current", "latest"};
constexpr std::array<std::string_view, 6> kOldest = {"min",    "minimal", "minimum",
                                                     "oldest", "lowest",  "earliest"};
constexpr std::array<std::string_view, 6> kNothing = {"none",    "invalid", "undefined",
                                                      "unknown", "unset",   "null"};
constexpr std::array<std::string_view, 7> kVersions = {
    "version", "versions", "revision", "revisions", "rev", "tag", "tags"};

bool OnlyCounts(std::string_view name) {
  const auto words = Words(name);
  const auto plus = std::find(words.begin(), words.end(), "plus");
  return Has(words, kCounts) ||
         (plus != words.end() && plus + 1 != words.end() && plus[1] == "one") ||
         (!words.empty() && words.back() == "next");
}

/// Returns the longest prefix ending in '_' that most of the names share, or "" if there is none.
std::string SharedPrefix(const std::vector<std::string_view>& names) {
  std::map<std::string_view, std::size_t> begins;
  for (std::string_view name : names) {
    for (std::size_t i = 1; i + 1 < name.size(); ++i) {
      if (name[i] == '_') ++begins[name.substr(0, i + 1)];
    }
  }
  std::string_view best;
  for (const auto& [begin, count] : begins) {
    if (count >= 2 && count * 5 >= names.size() * 3 && begin.size() > best.size()) best = begin;
  }
  return std::string(best);
}

std::vector<std::string_view> NamesOf(const detail::EnumDeclaration& declaration) {
  std::vector<std::string_view> names;
  for (const detail::Enumerator& one : declaration.enumerators) names.push_back(one.name->text);
  return names;
}

/// Adds the aliases and the sentinel, which are not revisions, to `config`.
void GuessEntries(const RevisionList& list, ListConfig& config) {
  for (std::size_t i = 0; i < list.entries.size(); ++i) {
    const Entry& entry = list.entries[i];
    if (entry.alias_of.empty() && entry.kind == EntryKind::Revision &&
        (entry.number <= 0 || i == 0) && Has(Words(entry.name), kNothing))
      config.aliases.push_back(entry.name);
  }
  const auto last = std::find_if(list.entries.rbegin(), list.entries.rend(), [](const Entry& one) {
    return one.alias_of.empty() && one.one_below.empty();
  });
  if (last != list.entries.rend() && !last->explicit_number && last != list.entries.rend() - 1 &&
      OnlyCounts(last->name))
    config.sentinel = last->name;
}

/// Sets `current` and `oldest` in `config`, the entries for the latest and the oldest readable
/// revision.
void GuessEnds(const RevisionList& list, ListConfig& config) {
  const auto revisions = list.Revisions();
  if (revisions.empty()) return;
  config.oldest = revisions.front()->name;
  const std::int64_t latest = revisions.back()->number;
  for (const Entry& entry : list.entries) {
    if (entry.kind == EntryKind::Sentinel) continue;
    const auto words = Words(entry.name);
    const bool follows = entry.kind == EntryKind::Alias && entry.number == latest &&
                         (!entry.alias_of.empty() || !entry.one_below.empty());
    const bool copies =
        entry.explicit_number && entry.number == latest && &entry != revisions.back();
    if (((follows || copies) && Has(words, kLatest)) || (follows && !entry.one_below.empty()))
      config.current = entry.name;
    if (!NamesOldest(entry.name)) continue;
    for (const Entry* revision : revisions) {
      if (revision->number == entry.number) {
        config.oldest = revision->name;
        break;
      }
    }
  }
}

bool AreFlags(const RevisionList& list) {
  const auto revisions = list.Revisions();
  return revisions.size() >= 3 &&
         std::all_of(revisions.begin(), revisions.end(),
                     [](const Entry* entry) {
                       return entry->number >= 0 && (entry->number & (entry->number - 1)) == 0;
                     }) &&
         revisions.back()->number > static_cast<std::int64_t>(revisions.size());
}

int Likeness(const Guess& guess, std::string_view path) {
  const std::size_t revisions = guess.list.Revisions().size();
  const std::string_view file = base::FileName(path);
  int likeness = 0;
  if (file.find("version_list.") != file.npos || file.find("revision_list.") != file.npos)
    likeness += 4;
  if (Has(Words(file), kVersions)) likeness += 2;
  if (Has(Words(guess.enum_name), kVersions)) likeness += 4;
  if (guess.config.prefix == "SR_") likeness += 5;
  else if (Has(Words(guess.config.prefix), kVersions)) likeness += 2;
  if (!guess.config.sentinel.empty() || !guess.config.current.empty()) likeness += 2;
  if (!guess.config.current.empty()) likeness += 1;
  if (revisions >= 5) ++likeness;
  if (revisions >= 20) ++likeness;
  if (revisions < 2) likeness -= 2;
  if (AreFlags(guess.list)) likeness -= 6;
  return likeness;
}

std::optional<Guess> GuessOne(std::string_view text, const detail::EnumDeclaration& declaration,
                              const ListConfig& given, bool any_prefix, std::string_view path) {
  Guess guess;
  guess.config = given;
  ListConfig& config = guess.config;
  guess.enum_name = declaration.QualifiedName();
  const auto names = NamesOf(declaration);
  const bool usual = std::any_of(names.begin(), names.end(), [&given](std::string_view name) {
    return !given.prefix.empty() && name.starts_with(given.prefix);
  });
  if (!usual && !any_prefix && !given.prefix.empty()) return std::nullopt;
  if (!usual && any_prefix) config.prefix = SharedPrefix(names);
  if (declaration.name.empty()) {
    if (config.prefix.empty()) return std::nullopt;
  } else if (config.enum_name.empty() && !usual) {
    config.enum_name = guess.enum_name;
  }
  auto read = Parse(text, config, path);
  // If several enums share the prefix, the config must also name the enum.
  if (!read && config.enum_name.empty() && !declaration.name.empty()) {
    config.enum_name = guess.enum_name;
    read = Parse(text, config, path);
  }
  if (!read || read->qualified_enum != guess.enum_name) return std::nullopt;
  GuessEntries(*read, config);
  if (auto again = Parse(text, config, path)) read = std::move(again);
  GuessEnds(*read, config);
  if (auto again = Parse(text, config, path)) read = std::move(again);
  if (read->Revisions().empty()) return std::nullopt;
  guess.list = std::move(*read);
  guess.likeness = Likeness(guess, path);
  return guess;
}

}  // namespace

bool NamesOldest(std::string_view name) {
  const auto words = Words(name);
  const auto last = std::find(words.begin(), words.end(), "last");
  return Has(words, kOldest) || detail::IsOldestName(name) ||
         (last != words.end() && last + 1 != words.end() && last[1] == "supported");
}

std::vector<Guess> GuessLists(std::string_view text, const ListConfig& given, bool any_prefix,
                              std::string_view path) {
  detail::Problem problem;
  const auto lexed = detail::Lex(text, problem);
  if (!lexed) return {};
  const auto file = detail::Preprocess(*lexed, problem);
  if (!file) return {};
  std::vector<Guess> out;
  // Limit the work: each guess parses the file again, and a header with thousands of enums is not a
  // list.
  constexpr std::size_t kMostEnums = 64;
  std::size_t enums = 0;
  for (const detail::Declaration& one : detail::FindDeclarations(file->tokens)) {
    const auto* declaration = std::get_if<detail::EnumDeclaration>(&one);
    if (declaration == nullptr || declaration->problem || declaration->enumerators.empty())
      continue;
    if (++enums > kMostEnums) break;
    if (auto guess = GuessOne(text, *declaration, given, any_prefix, path))
      out.push_back(std::move(*guess));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Guess& a, const Guess& b) { return a.likeness > b.likeness; });
  return out;
}

}  // namespace revctl::list
