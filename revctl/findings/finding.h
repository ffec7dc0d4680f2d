#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/findings/fix.h"
#include "revctl/findings/rule_id.h"

namespace revctl::findings {

enum class Severity { Error, Warning, Note };

/// Returns `error`, `warning` or `note`.
std::string_view SeverityName(Severity severity);

/// A result of a check. Every field except `message` may be empty or zero.
struct Finding {
  RuleId rule = RuleId::None;
  Severity severity = Severity::Error;
  std::string message = {};   ///< one sentence with what was found and what was expected
  std::string file = {};      ///< relative to the repository's root
  int line = 0;               ///< 1-based; 0 if there is none
  std::string revision = {};  ///< `SR_NAME`
  Fix fix = {};               ///< only FixText() turns it into text
  // Only the harness sets `type`, `field` and `signal`.
  std::string type = {}, field = {}, signal = {};
  std::string details = {};  ///< more lines, such as recorded and current values
  // The branch that the check compared with; may be empty.
  std::string target = {};         ///< name of the branch, such as `origin/main`
  std::string target_commit = {};  ///< full id of the branch's tip
  /// Places or values that this finding is about. Text output prints the first few and how many
  /// more there are; JSON prints all.
  std::vector<std::string> items = {};
  /// A key shared by findings with the same cause; see GroupByCause(). Never printed.
  std::string cause = {};
  /// A key that other findings use in `follows` to refer to this finding. Never printed.
  std::string key = {};
  /// The `key` of the finding whose fix also removes this finding; may be empty. Never printed.
  std::string follows = {};
  /// True if only a person can decide how to fix this finding, so no command tries to. Never
  /// printed.
  bool asks = false;
};

enum class Format { Text, Json, GitHub, GitLab, Sarif, JUnit, Markdown };

bool HasErrors(const std::vector<Finding>& findings);

/// The parts of a check's output other than the findings.
struct Heading {
  std::string program = "revctl";
  std::string checked = {};  ///< the `checked` argument of StatusLine()
  std::string facts = {};    ///< a table of revisions, or the layout changes; used only by Markdown
};

/// Returns `findings` in `format`, ready for stdout. Only Text uses `colour`, and only Text and
/// Markdown use `heading`.
std::string Render(const std::vector<Finding>& findings, Format format, bool colour,
                   const Heading& heading = {});

/// Returns the last line of a check, including the line break. The line begins with the result,
/// followed by what was checked: `OK: 3 types, 8 revisions`, `FAILED: 2 errors, 1 warning (3 types,
/// 8 revisions); the first is at src/save.h:15`. A finding and everything that follows from it
/// count as one error. If `checked` is empty, the line names the branches that the findings were
/// compared with.
std::string StatusLine(const std::vector<Finding>& findings, std::string_view checked);

}  // namespace revctl::findings
