#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/revision_list.h"

namespace revctl::list {

/// Of `names`, those that the list's file declares besides its enum, so that an entry of that name
/// would not compile; with the line. Any scope's macros count; for an unscoped enum, what stands in
/// its own scope, too. What a condition decides that the file does not counts: some build has it.
/// Other headers are not read.
std::map<std::string, int> DeclaredBeside(const RevisionList& list,
                                          const std::set<std::string>& names);

/// Words of a list's enum that the list's file alone gives a meaning.
struct WordsOfEntries {
  std::set<std::string, std::less<>> all;        ///< names, and what numbers are made of
  std::set<std::string, std::less<>> head;       ///< words of the declaration before the entries
  std::set<std::string, std::less<>> constants;  ///< of these, constants of the list's file
  std::set<std::string, std::less<>> macros;     ///< of these, its macros
};
WordsOfEntries EntryWords(const RevisionList& list);

/// What an `#include` names.
struct Include {
  std::string path;     ///< empty: macros make it, in a way that is not followed
  bool quoted = false;  ///< not in angle brackets: a file beside the including one comes first
  bool operator==(const Include&) const = default;
};

/// What a header says that the list's file includes outside of every scope.
struct HeaderOfList {
  std::map<std::string, int> declared;  ///< of `names`, as DeclaredBeside finds them
  /// Words of the enum that the compiler takes for something else than the list's file says:
  /// macros, and constants that C++ may find instead; with the line.
  std::map<std::string, int> changed;
  std::vector<Include> includes;  ///< what it includes in turn, see IncludedFiles()
  std::size_t cost = 0;           ///< bytes and tokens that it took
};
/// Of a header that revctl cannot read the cost alone.
HeaderOfList ReadHeader(std::string_view header, const RevisionList& list,
                        const std::set<std::string>& names, const WordsOfEntries& words);

/// Each `#include` that some build compiles, and that begins before the offset `before`. A macro's
/// name is followed to its text.
std::vector<Include> IncludedFiles(std::string_view text,
                                   std::size_t before = std::string_view::npos);

}  // namespace revctl::list
