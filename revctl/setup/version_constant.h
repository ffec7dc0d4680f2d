#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/lexer.h"

// Programs without a list often keep the version of their saves in a constant that each change of
// a layout raises: `static constexpr u32 kSaveVersion = 71;`.
namespace revctl::commands {

/// A named number in a source file: `constexpr u32 kVersion = 71;`, `const int kVersion{71};`,
/// `#define VERSION 71` or `enum { VERSION = 71 }`.
struct VersionConstant {
  std::string path;
  std::string name;
  std::int64_t number = 0;
  base::Span number_span;  ///< bytes of the number in the file
  int line = 0;
  bool is_macro = false;
  bool is_oldest =
      false;         ///< according to its name, the oldest readable version: `MINIMUM_VERSION`
  int likeness = 0;  ///< likelihood that saves have this version, based on names and the number
};

/// Constants below this likeness are proposed only if the user names their file.
inline constexpr int kLikelyConstant = 8;

/// Returns the constants of `text` whose name contains "version" or "revision" and whose value is a
/// decimal number, in file order. Returns none if the text cannot be split into tokens.
std::vector<VersionConstant> FindConstants(std::string_view text, const std::string& path);

/// Returns the number of the constant `name` in `text`, or nullopt if it is not a number there.
std::optional<std::int64_t> NumberOf(std::string_view text, const std::string& name);

/// Returns `text` with `value` in place of the constant's number and with `include` (a line without
/// its end) after `#pragma once`, the first #include or the include guard.
std::string WithNamedNumber(std::string_view text, const VersionConstant& constant,
                            std::string_view value, std::string_view include);

}  // namespace revctl::commands
