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
  /// Only a person can decide this, so no command tries to repair it. Never printed.
  bool asks = false;
};

enum class Format { Text, Json, GitHub, GitLab, Sarif, JUnit };

/// Returns `findings` in `format`, ready for stdout. `colour` only affects Text.
std::string Render(const std::vector<Finding>& findings, Format format, bool colour);

}  // namespace revctl::findings
