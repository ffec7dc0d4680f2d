#pragma once
#include "harness/advice/advice.h"

namespace revctl::harness {

// Fixes for bodies that use ADD and REM, and for enums.
FixFunction FixRetype, FixOrder, FixGate, FixRenumbered, FixGateConstant, FixRemoved, FixAdded,
    FixConditional, FixCondition, FixRemName, FixRenamed, FixNameGained, FixPadding, FixEnumWidth,
    FixMembers;

// Fixes for bodies that use the program's own macros. They are written in prose, because a line
// with ADD or REM would not fit in such a body.
FixFunction TellRetype, TellRemoved, TellAdded, TellOrder, TellConditional, TellName, TellNoName;

}  // namespace revctl::harness
