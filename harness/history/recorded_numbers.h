#pragma once
#include <deque>

#include "golden/store.h"
#include "revctl/list_table.h"

namespace revctl::harness {

/// The layouts of a record with the numbers that today's list gives their revisions. A pending
/// revision that is renumbered keeps its goldens: their names are enough, and the numbers in them
/// (`from`, `to`, `compared`) are those of the day. Nothing where no number moved, or where some
/// moved otherwise than pending ones do, which is up, in their order.
std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record);

}  // namespace revctl::harness
