#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace revctl::findings {

/// The kind of a fix. Commands such as `land` decide by the kind and never parse the text.
enum class FixKind : std::uint8_t {
  Edit,      ///< a person edits something or follows the text in `edit`
  Numbers,   ///< `revctl fix`, by giving numbers, which `land` does, too
  Repair,    ///< `revctl fix`, by anything else
  MoveFile,  ///< `git mv` or `git rm` of a file, which works without `git` if git does not track it
};

/// True if `revctl fix` repairs the finding without a decision by a person.
constexpr bool IsMechanical(FixKind kind) {
  return kind == FixKind::Numbers || kind == FixKind::Repair;
}

/// A way to fix a finding: a command, and text that follows it.
struct Fix {
  Fix() = default;
  /// A fix that only says what to edit.
  Fix(std::string text) : edit(std::move(text)) {}   // NOLINT(google-explicit-constructor)
  Fix(const char* text) : Fix(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Fix(FixKind what, std::vector<std::string> command, std::string rest = "")
      : kind(what), argv(std::move(command)), edit(std::move(rest)) {}

  /// Returns the fix of everything that a program can repair: exactly `revctl fix`.
  static Fix Mechanical(FixKind kind = FixKind::Repair) { return {kind, {"revctl", "fix"}}; }

  bool empty() const { return argv.empty() && edit.empty(); }
  Fix& operator+=(std::string_view more) {
    edit += more;
    return *this;
  }
  bool operator==(const Fix&) const = default;

  FixKind kind = FixKind::Edit;
  std::vector<std::string> argv;  ///< unquoted; empty for an edit
  std::string edit;               ///< follows the command, with its own punctuation
};

/// Returns the fix for a person, with the command quoted for a shell.
std::string FixText(const Fix& fix);

}  // namespace revctl::findings
