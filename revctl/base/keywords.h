#pragma once
#include <string_view>

namespace revctl::base {

/// A keyword of C++20, alternative tokens (`and`) too: [lex.key], [lex.digraph].
bool IsKeyword(std::string_view name);

}  // namespace revctl::base
