#include "revctl/findings/render_formats.h"

#include <fmt/core.h>

#include <algorithm>

#include "revctl/base/first_few.h"
#include "revctl/base/shell_word.h"

namespace revctl::findings {

std::string Render(const std::vector<Finding>& findings, Format format, bool colour,
                   const Heading& heading) {
  switch (format) {
    case Format::Text:
      return detail::RenderText(findings, colour, heading.checked);
    case Format::Json:
      return detail::RenderJson(findings);
    case Format::GitHub:
      return detail::RenderGitHub(findings);
    case Format::GitLab:
      return detail::RenderGitLab(findings);
    case Format::Sarif:
      return detail::RenderSarif(findings);
    case Format::JUnit:
      return detail::RenderJUnit(findings);
    case Format::Markdown:
      return detail::RenderMarkdown(findings, heading);
  }
  return {};
}

bool HasErrors(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::Error; });
}

std::string_view SeverityName(Severity severity) {
  if (severity == Severity::Note) return "note";
  return severity == Severity::Warning ? "warning" : "error";
}

std::string FixText(const Fix& fix) {
  return fix.argv.empty() ? fix.edit : base::ShellLine(fix.argv) + fix.edit;
}

namespace detail {

std::string Place(const Finding& finding) {
  if (finding.file.empty() || finding.line <= 0) return finding.file;
  return fmt::format("{}:{}", finding.file, finding.line);
}

std::string Target(const Finding& finding) {
  const std::string commit = finding.target_commit.substr(0, 10);
  if (finding.target.empty() || commit.empty() || finding.target == commit)
    return finding.target.empty() ? commit : finding.target;
  return fmt::format("{} at {}", finding.target, commit);
}

std::string Body(const Finding& finding) {
  std::string out = finding.message;
  if (!finding.details.empty()) out += "\n" + finding.details;
  if (!finding.items.empty()) {
    const std::string items = base::FirstLines(finding.items);
    out += "\n" + items.substr(0, items.size() - 1);
  }
  if (!finding.fix.empty()) out += "\nfix: " + FixText(finding.fix);
  return out;
}

std::string BodyAndTarget(const Finding& finding) {
  const std::string target = Target(finding);
  return Body(finding) + (target.empty() ? "" : "\ncompared with " + target);
}

}  // namespace detail
}  // namespace revctl::findings
