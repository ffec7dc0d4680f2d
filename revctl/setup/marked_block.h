#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// `revctl install` writes its lines into files of the user between two marker lines. `revctl
// uninstall` removes them by the markers, so no record of the installation is kept elsewhere.
namespace revctl::commands {

/// Returns the lines between the markers, or nullopt if `text` has no complete block.
std::optional<std::string> BlockIn(std::string_view text);

/// Returns `text` with `lines` as its block. A new block goes to the line that begins at offset
/// `at`, or to the end of the text. `lines` end with a newline.
std::string WithBlock(std::string_view text, std::string_view lines,
                      std::size_t at = std::string_view::npos);

/// Returns `text` without its block.
std::string WithoutBlock(std::string_view text);

}  // namespace revctl::commands
