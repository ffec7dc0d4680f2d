#pragma once
#include <cstddef>
#include <string>

#include "harness/signals/signals.h"

namespace harness {

/// The revision behind which `index` was recorded by code that did not have it yet, though it
/// stands before it in the list: two branches met, and the field, which came with the other one,
/// was recorded there. Null where it is not so.
const Revision* MetLater(const CheckContext& context, const LayoutChange& change,
                         const std::string& type, std::size_t index);

}  // namespace harness
