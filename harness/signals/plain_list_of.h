#pragma once
#include <cstddef>
#include <string>

#include "harness/advice/plain_list.h"
#include "harness/signals/signals.h"

namespace revctl::harness {

/// The list of a PLAIN struct, from its source and its records. For messages: costs reading its
/// source.
PlainList PlainListOf(const CheckContext& context, const std::string& type, const TypeTrace& trace);

/// Whether a type that a PLAIN struct holds has changed itself: where its own padding differs, that
/// is why.
bool HoldsChanged(const CheckContext& context, const TypeTrace& holder, const RevisionRun& today,
                  std::size_t index);

}  // namespace revctl::harness
