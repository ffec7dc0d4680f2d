#pragma once
#include <deque>

#include <revctl/list_table.h>

#include "golden/store.h"

namespace revctl::harness {

/// The layouts of a record with the numbers that today's list gives their revisions. A pending
/// revision that gets another number keeps its goldens: their names are enough, and the numbers in
/// them (`from`, `to`, `compared`) are those of the day. A record says in `pending` whose these
/// are; of one that does not, what it was made behind tells, and numbers only move up, in their
/// order. Nothing where no number moved, or where they moved otherwise.
std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record);

}  // namespace revctl::harness
