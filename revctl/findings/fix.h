#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace revctl::findings {

/// The kind of a fix. Commands such as `land` act on the kind and never parse the text.
enum class FixKind : std::uint8_t {
  Edit,      ///< a person edits something or follows the instructions in `edit`
  Numbers,   ///< `revctl fix`, which assigns numbers; so does `land`
  Repair,    ///< `revctl fix`, which repairs something other than numbers
  MoveFile,  ///< `git mv` or `git rm` of a file, or plain `mv` or `rm` if git does not track the
             ///< file
};

/// True if `revctl fix` repairs the finding without asking a person to decide.
constexpr bool IsMechanical(FixKind kind) {
  return kind == FixKind::Numbers || kind == FixKind::Repair;
}

/// A way to fix a finding: a command, and text that follows it.
struct Fix {
  Fix() = default;
  /// Creates a fix without a command; it only tells the user what to edit.
  Fix(std::string text) : edit(std::move(text)) {}   // NOLINT(google-explicit-constructor)
  Fix(const char* text) : Fix(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Fix(FixKind what, std::vector<std::string> command, std::string rest = "")
      : kind(what), argv(std::move(command)), edit(std::move(rest)) {}

  /// Returns a fix that a program can apply on its own. The command is always `revctl fix`.
  static Fix Mechanical(FixKind kind = FixKind::Repair) { return {kind, {"revctl", "fix"}}; }

  bool empty() const { return argv.empty() && edit.empty(); }
  Fix& operator+=(std::string_view more) {
    edit += more;
    return *this;
  }
  bool operator==(const Fix&) const = default;

  FixKind kind = FixKind::Edit;
  std::vector<std::string> argv;  ///< the command's words, unquoted; empty for an edit
  std::string edit;               ///< text after the command, including any punctuation before it
};

/// Returns the fix as text for the user, with the command quoted for a shell.
std::string FixText(const Fix& fix);

}  // namespace revctl::findings
