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
  std::string message = {};   ///< one sentence that names both sides
  std::string file = {};      ///< relative to the repository's root
  int line = 0;               ///< 1-based; 0 if there is none
  std::string revision = {};  ///< `SR_NAME`
  Fix fix = {};               ///< rendered by FixText alone
  // Only set by the harness:
  std::string type = {}, field = {}, signal = {};
  std::string details = {};  ///< further lines, such as recorded and current values
  // The branch that the check compared with; may be empty.
  std::string target = {};         ///< `origin/main`
  std::string target_commit = {};  ///< full id of its tip
  /// Places or values that one finding is about. Text prints the first few and a count, JSON all.
  std::vector<std::string> items = {};
  /// What findings of one cause have in common; see causes.h. Never printed.
  std::string cause = {};
  /// Identifies the finding for `follows` of other findings. Never printed.
  std::string key = {};
  /// The `key` of the finding whose fix removes this finding, too. Never printed.
  std::string follows = {};
  /// A person has to see this before the change is joined with the target, because a rebase or
  /// merge would hide it. `land` stops. Never printed.
  bool asks = false;
};

enum class Format { Text, Json, GitHub, GitLab, Sarif, JUnit, Markdown };

bool HasErrors(const std::vector<Finding>& findings);

/// What a check says besides its findings.
struct Heading {
  std::string program = "revctl";
  std::string checked = {};  ///< what StatusLine() takes
  std::string facts = {};    ///< Markdown only: a table of revisions, or the changes of layouts
};

/// Returns `findings` in `format`, ready for stdout. `colour` only affects Text, and `heading` only
/// Text and Markdown.
std::string Render(const std::vector<Finding>& findings, Format format, bool colour,
                   const Heading& heading = {});

/// Returns the last line of a check, with a line end. The result comes first, then what was
/// checked: `OK: 3 types, 8 revisions`, `FAILED: 2 errors, 1 warning (3 types, 8 revisions); the
/// first is at src/save.h:15`. A cause and everything that follows from it are one error. If
/// `checked` is empty, the line names the branches that the findings were compared with.
std::string StatusLine(const std::vector<Finding>& findings, std::string_view checked);

}  // namespace revctl::findings
