#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/lexer.h"

// Programs without a list often keep their save version in a constant that they raise with every
// layout change: `static constexpr u32 kSaveVersion = 71;`.
namespace revctl::commands {

/// A named number in a source file: `constexpr u32 kVersion = 71;`, `const int kVersion{71};`,
/// `#define VERSION 71` or `enum { VERSION = 71 }`.
struct VersionConstant {
  std::string path;
  std::string name;
  std::int64_t number = 0;
  base::Span number_span;  ///< position of the number in the file
  int line = 0;
  bool is_macro = false;
  bool is_oldest = false;  ///< true if the name suggests the oldest readable version, such as
                           ///< `MINIMUM_VERSION`
  int likeness = 0;        ///< how likely this is the save version, judging by names and number
};

/// Minimum likeness of a constant that `init` proposes by itself. For less likely constants, the
/// user must name the file.
inline constexpr int kLikelyConstant = 8;

/// Returns the constants in `text` that have "version" or "revision" in their name and a decimal
/// number as their value, in file order. Returns no constants if the text cannot be tokenized.
std::vector<VersionConstant> FindConstants(std::string_view text, const std::string& path);

/// Returns the value of the constant `name` in `text`, or nullopt if the constant is missing or its
/// value is not a number.
std::optional<std::int64_t> NumberOf(std::string_view text, const std::string& name);

/// Returns `text` with the constant's number replaced by `value`, and with `include` (a line
/// without a newline) inserted after `#pragma once`, the first #include or the include guard.
std::string WithNamedNumber(std::string_view text, const VersionConstant& constant,
                            std::string_view value, std::string_view include);

}  // namespace revctl::commands
