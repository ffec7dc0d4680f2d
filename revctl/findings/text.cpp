#include <fmt/core.h>
#include <algorithm>
#include <cstddef>
#include <set>

#include "revctl/base/first_few.h"
#include "revctl/findings/causes.h"
#include "revctl/findings/fix.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/render_formats.h"
#include "revctl/findings/rule_table.h"

namespace revctl::findings::detail {
namespace {

/// Joins the lines of `text`, with `lead` before the first line and `others` before the rest.
std::string Hanging(std::string_view lead, std::string_view text, std::string_view others) {
  std::string out(lead);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && i + 1 == text.size()) break;
    out += text[i];
    if (text[i] == '\n') out += others;
  }
  out += '\n';
  return out;
}

std::string Count(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

/// Counts each cause once.
std::string Summary(const Findings& findings, const std::vector<CauseGroup>& groups) {
  std::size_t errors = 0, warnings = 0, notes = 0;
  for (const CauseGroup& group : groups) {
    const Finding& finding = findings[group[0]];
    if (finding.severity == Severity::Error) ++errors;
    if (finding.severity == Severity::Warning) ++warnings;
    if (finding.severity == Severity::Note) ++notes;
  }
  std::string out;
  const auto add = [&out](std::size_t n, std::string_view what) {
    if (n != 0) out += (out.empty() ? "" : ", ") + Count(n, what);
  };
  add(errors, "error");
  add(warnings, "warning");
  add(notes, "note");
  std::set<std::string> targets;  // the server's hook may check several branches at once
  for (const Finding& finding : findings) targets.insert(Target(finding));
  targets.erase("");
  for (const std::string& target : targets)
    out += (target == *targets.begin() ? " against " : " and ") + OneLine(target);
  return out + "\n";
}

std::string_view Colour(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "\x1b[1;31m";
    case Severity::Warning:
      return "\x1b[1;33m";
    case Severity::Note:
      return "\x1b[1;36m";
  }
  return "";
}

/// The other findings of a group: how many, and the first of them.
std::string Others(const Findings& findings, const CauseGroup& group) {
  std::vector<std::string> lines;
  for (std::size_t i = 1; i < group.size(); ++i) {
    const Finding& finding = findings[group[i]];
    const std::string place = OneLine(Place(finding));
    const std::string& message = finding.message;
    lines.push_back(place + (place.empty() ? "" : ": ") +
                    OneLine(std::string_view(message).substr(0, message.find('\n'))));
  }
  return fmt::format("{} more for the same cause:\n", lines.size()) +
         base::FirstLines(lines, base::kFirstFew - 1);
}

/// The fixes of a group: the common one, or the first few.
std::string Fixes(const Findings& findings, const CauseGroup& group) {
  const Fix& first = findings[group[0]].fix;
  const auto is_other = [&](std::size_t i) { return findings[i].fix != first; };
  if (std::none_of(group.begin(), group.end(), is_other)) return FixText(first);
  std::string out = FixText(first);
  for (std::size_t i = 1; i < base::kFirstFew; ++i) out += "\n" + FixText(findings[group[i]].fix);
  return out + "\nand likewise for the others, which --format json lists";
}

}  // namespace

/// Returns "" if there are no findings, so that a successful run prints nothing.
std::string RenderText(const Findings& findings, bool colour) {
  if (findings.empty()) return {};
  const std::vector<CauseGroup> groups = GroupByCause(findings);
  std::string out;
  for (const CauseGroup& group : groups) {
    const Finding& finding = findings[group[0]];
    const std::string place = OneLine(Place(finding));
    if (!place.empty()) out += (colour ? fmt::format("\x1b[1m{}\x1b[0m", place) : place) + ": ";
    std::string head(SeverityName(finding.severity));
    if (finding.rule != RuleId::None) head += fmt::format("[{}]", NameOf(finding.rule));
    out += colour ? fmt::format("{}{}\x1b[0m", Colour(finding.severity), head) : head;
    // Indent further lines of a message, so that none looks like another finding.
    out += ": " + Hanging("", Printable(finding.message), "  ");
    if (!finding.details.empty()) out += Hanging("  ", Printable(finding.details), "  ");
    if (!finding.items.empty())
      out += Hanging("  ", Printable(base::FirstLines(finding.items)), "  ");
    if (group.size() > 1) out += Hanging("  ", Others(findings, group), "  ");
    const std::string fix = Fixes(findings, group);
    if (!fix.empty()) out += Hanging("fix: ", Printable(fix), "     ");
  }
  return out + Summary(findings, groups);
}

}  // namespace revctl::findings::detail
