#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// Each edit returns the whole new text of the file, every byte outside the edited entry unchanged
/// (invariant 6), and has re-parsed it: the result evaluates as asked, or an Error says why not.

/// Adds `name = number` in its neighbours' style after the last revision (or first, in a
/// newest-first list), before a sentinel, and moves `config.current` where the list keeps one.
/// `comment` may be empty.
base::Result<std::string> Append(const RevisionList& list, const ListConfig& config,
                                 std::string_view name, std::int64_t number,
                                 std::string_view comment);

/// The same for several, in the order given. One parse for all of them.
struct NewEntry {
  std::string name;
  std::int64_t number = 0;
  std::string comment;
};
base::Result<std::string> AppendAll(const RevisionList& list, const ListConfig& config,
                                    const std::vector<NewEntry>& entries);

/// Why `name` cannot be a new revision of the list (`is no name of C++`); empty where it can.
std::string WhyNoRevision(std::string_view name, const ListConfig& config);

/// `number` can be a value of the list's enum.
bool FitsEnum(const RevisionList& list, std::int64_t number);

/// Moves the entries of the named revisions to the end of the list, in the given order, and gives
/// them these numbers. Numbers in their own comments that repeated the old number change with them.
struct NewNumber {
  std::string name;
  std::int64_t number = 0;
};
base::Result<std::string> MoveToEnd(const RevisionList& list, const ListConfig& config,
                                    const std::vector<NewNumber>& changes);

/// The list's text with each revision's own number in its comment, where this list keeps numbers
/// there and one disagrees (RV010). What the target's comments say stays.
std::string WithKeptNumbers(const RevisionList& list, const RevisionList* landed,
                            const ListConfig& config);

/// Takes the named entries out, with the comment lines that lead them (a reservation given up
/// before it landed). Entries behind them keep their numbers.
base::Result<std::string> Remove(const RevisionList& list, const ListConfig& config,
                                 const std::vector<std::string>& names);

/// Drops every revision below `below`. `lineage_root` is the lineage of the last one dropped (16
/// hex digits), to be written into .revctl.yaml so that the lineages of those kept do not change.
struct Purged {
  std::string text;
  std::string lineage_root;
  std::vector<std::string> dropped;          ///< names, ascending by number
  std::vector<std::string> aliases_dropped;  ///< they named a dropped revision
  std::vector<std::string> aliases_moved;    ///< `MINIMAL`: it names the oldest one kept now
};
base::Result<Purged> Purge(const RevisionList& list, const ListConfig& config,
                           std::string_view below);

/// A new list file for `revctl init` where none exists.
std::string NewList(const ListConfig& config);

}  // namespace revctl::list
