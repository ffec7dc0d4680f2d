#include <fmt/core.h>
#include <algorithm>
#include <cstddef>

#include "revctl/findings/printable.h"
#include "revctl/findings/render_formats.h"
#include "revctl/findings/rule_table.h"

namespace revctl::findings::detail {
namespace {

/// GitHub and GitLab cut off comments at 65,536 characters. The first findings are enough for a
/// comment, because the job's log contains all of them.
constexpr std::size_t kMostFindings = 12;
constexpr std::size_t kMostBytes = 3000;

/// Returns the lines as an indented block, because the text of a finding could end a fenced block.
std::string Block(std::string_view text) {
  std::string out = "\n    ";
  if (text.size() > kMostBytes) {
    // Cut between lines, so that no multi-byte character is split.
    const std::size_t end = text.rfind('\n', kMostBytes);
    return end == std::string_view::npos ? out + "(a very long line)\n"
                                         : Block(text.substr(0, end)) + "    ...\n";
  }
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out + "\n";
}

/// Returns text as a code span, delimited by more backticks than any run of backticks in the text.
std::string Code(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string ticks(longest + 1, '`');
  const std::string_view pad = longest == 0 ? "" : " ";
  return fmt::format("{}{}{}{}{}", ticks, pad, text, pad, ticks);
}

}  // namespace

std::string RenderMarkdown(const Findings& findings, const Heading& heading) {
  std::string out = fmt::format("### {}: {}\n", Code(OneLine(heading.program)),
                                HasErrors(findings) ? "failed" : "passed");
  const std::vector<CauseGroup> groups = GroupByCause(findings);
  if (!findings.empty() || !heading.checked.empty())
    out += "\n" + StatusOf(findings, groups, heading.checked);
  if (!heading.facts.empty()) out += "\n" + heading.facts;
  for (std::size_t i = 0; i < groups.size() && i < kMostFindings; ++i) {
    const Finding& finding = findings[groups[i].same[0]];
    std::string head(SeverityName(finding.severity));
    if (finding.rule != RuleId::None) head += fmt::format(" {}", NameOf(finding.rule));
    const std::string place = OneLine(Place(finding));
    out += fmt::format("\n**{}**{}\n", head, place.empty() ? "" : " in " + Code(place));
    std::string body = finding.message;
    if (!finding.details.empty()) body += "\n" + finding.details;
    if (groups[i].same.size() > 1) body += "\n" + Others(findings, groups[i]);
    if (!groups[i].following.empty()) body += "\n" + Consequences(findings, groups[i]);
    while (body.ends_with('\n')) body.pop_back();
    out += Block(Printable(body));
    if (const std::string fix = Fixes(findings, groups[i]); !fix.empty())
      out += "\nFix:\n" + Block(Printable(fix));
  }
  if (groups.size() > kMostFindings)
    out += fmt::format("\n{} more are in the job log.\n", groups.size() - kMostFindings);
  return out;
}

}  // namespace revctl::findings::detail
