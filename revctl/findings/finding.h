#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace revctl::findings {

enum class Severity { Error, Warning, Note };

/// `error`, `warning`, `note`.
std::string_view SeverityName(Severity severity);

/// One thing that a gate has to say. Every field but `rule` and `message` may be empty / zero.
struct Finding {
  std::string rule = {};  ///< `RV001`, `GH003`
  Severity severity = Severity::Error;
  std::string message = {};   ///< one sentence, names both sides
  std::string file = {};      ///< relative to the repository's root
  int line = 0;               ///< 1-based; 0: no line
  std::string revision = {};  ///< `SR_NAME`
  std::string fix = {};       ///< the exact command, or the lines, that mend it
  // The harness's own:
  std::string type = {}, field = {}, signal = {};
  std::string details = {};  ///< further lines for a person: recorded against now, side by side
  // What a gate has judged against; empty where nothing was.
  std::string target = {};         ///< `origin/main`
  std::string target_commit = {};  ///< its tip, in full
};

enum class Format { Text, Json, GitHub, GitLab, Sarif, JUnit };

/// `findings` in `format`, ready for stdout, final newline included. `colour` matters to Text
/// alone.
std::string Render(const std::vector<Finding>& findings, Format format, bool colour);

}  // namespace revctl::findings
