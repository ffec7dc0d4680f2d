#pragma once
#include "revctl/ledger/state.h"

namespace revctl::ledger {

/// Adds the numbers in `other` to `state`, which is derived from `base`: raises marks, and adds
/// each reservation whose name and number are free and whose number is above the mark in `base`.
/// Ignores a list whose mark is too far above its mark in `base`, because readers would reject the
/// result.
void AddNumbersOf(const State& other, const State& base, State& state);

}  // namespace revctl::ledger
