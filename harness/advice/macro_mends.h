#pragma once
#include "harness/advice/advice.h"

namespace revctl::harness {

// Each of these functions sets `before` and `after` of an advice.

// Fixes for bodies that use ADD and REM, and for enums.
void MendRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendOrder(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendGate(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendRenumbered(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendGateConstant(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendCondition(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendRemName(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendRenamed(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendNameGained(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPadding(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendEnumWidth(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendMembers(const LayoutChange& change, const ChangePlace& place, Advice& advice);

// Fixes for bodies that use the program's own macros. They are described in prose, because a line
// with ADD or REM would not fit into such a body.
void TellRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellOrder(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellName(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellNoName(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
