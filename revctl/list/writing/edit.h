#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// Each function returns the complete new text of the file and preserves every byte outside the
/// edited entries. It also parses its result again, and returns an Error if the result does not
/// evaluate as requested.

/// Adds `name = number` after the last revision (in a newest-first list: before the first), in the
/// style of the entries around it, and updates `config.current`. `comment` may be empty.
base::Result<std::string> Append(const RevisionList& list, const ListConfig& config,
                                 std::string_view name, std::int64_t number,
                                 std::string_view comment);

struct NewEntry {
  std::string name;
  std::int64_t number = 0;
  std::string comment;
};
/// Adds several entries in the given order. Parses the result only once.
base::Result<std::string> AppendAll(const RevisionList& list, const ListConfig& config,
                                    const std::vector<NewEntry>& entries);

/// Returns why `name` cannot be a new revision of the list, or "" if it can.
std::string WhyNoRevision(std::string_view name, const ListConfig& config);

/// Returns the lowest and the highest number that the type of the list's enum can hold. An unscoped
/// enum without a type, or an enum whose type revctl does not know, can hold every number.
std::pair<std::int64_t, std::int64_t> RangeOfEnum(const RevisionList& list);
/// True if the type of the list's enum can hold `number`.
bool FitsEnum(const RevisionList& list, std::int64_t number);

struct NewNumber {
  std::string name;
  std::int64_t number = 0;
};
/// Moves the named revisions to the end of the list, in the given order, and assigns their new
/// numbers. If an entry's comment contains the old number, the comment is updated.
base::Result<std::string> MoveToEnd(const RevisionList& list, const ListConfig& config,
                                    const std::vector<NewNumber>& changes);

/// Gives the revision `name` its former name back, and adds `name` as an alias.
base::Result<std::string> KeepFormerName(const RevisionList& list, const ListConfig& config,
                                         const std::string& name, const std::string& former);

/// Returns the list's text with corrected numbers in comments (RV010): if the list repeats each
/// revision's number in its comment, replaces the numbers that are wrong. Leaves a landed entry's
/// comment unchanged if it begins with the same number as on the target.
std::string WithKeptNumbers(const RevisionList& list, const RevisionList* landed,
                            const ListConfig& config);

/// Removes the named entries and their leading comment lines. Later entries keep their numbers.
base::Result<std::string> Remove(const RevisionList& list, const ListConfig& config,
                                 const std::vector<std::string>& names);

/// The result of Purge(). The caller must write `lineage_root`, the lineage of the last removed
/// revision (16 hex digits), to .revctl.yaml, so that the remaining lineages do not change.
struct Purged {
  std::string text;
  std::string lineage_root;
  std::vector<std::string> dropped;  ///< names of the removed revisions, ascending by number
  /// names of the aliases that were removed together with their revisions
  std::vector<std::string> aliases_dropped;
  /// aliases such as `MINIMAL` that now name the oldest remaining revision
  std::vector<std::string> aliases_moved;
};
/// Removes every revision with a lower number than `below`, which must be a revision of the list.
base::Result<Purged> Purge(const RevisionList& list, const ListConfig& config,
                           std::string_view below);

/// Returns the text of a new list file for `revctl init`.
std::string NewList(const ListConfig& config);

}  // namespace revctl::list
