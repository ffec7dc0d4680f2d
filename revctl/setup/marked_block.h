#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// In files that belong to the user, `revctl install` writes its lines between two marker lines.
// `revctl uninstall` finds the lines by these markers, so no other record of the installation is
// needed.
namespace revctl::commands {

/// Returns the lines between the markers, or nullopt if `text` has no complete block.
std::optional<std::string> BlockIn(std::string_view text);

/// Returns `text` with `lines` as its block. A new block is inserted before the line at offset
/// `at`, or at the end of the text. `lines` must end with a newline.
std::string WithBlock(std::string_view text, std::string_view lines,
                      std::size_t at = std::string_view::npos);

/// Returns `text` without its block.
std::string WithoutBlock(std::string_view text);

}  // namespace revctl::commands
