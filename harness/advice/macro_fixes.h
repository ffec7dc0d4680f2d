#pragma once
#include "harness/advice/advice.h"

namespace revctl::harness {

// Each of these functions sets `advice.before` and `advice.after`.

// Fixes for bodies that use ADD and REM, and for enums.
void FixRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixOrder(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixGate(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixRenumbered(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixGateConstant(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixCondition(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixRemName(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixRenamed(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixNameGained(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixPadding(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixEnumWidth(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void FixMembers(const LayoutChange& change, const ChangePlace& place, Advice& advice);

// Fixes for bodies that use the program's own macros. They are written in prose, because a line
// with ADD or REM would not fit in such a body.
void TellRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellOrder(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellConditional(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellName(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void TellNoName(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
