#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace revctl::base {

/// White space of Unicode, and what takes no room at all. g++ refuses it, clang takes some of it
/// for a blank, and a person does not see it.
bool IsUnseen(std::uint32_t code);

/// Offset of a trigraph `??=` in `text`, or npos: older standards read it as another character.
std::size_t FindTrigraph(std::string_view text);

}  // namespace revctl::base
