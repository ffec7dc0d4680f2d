#include <fmt/core.h>
#include <algorithm>
#include <cstddef>
#include <set>

#include "revctl/base/counted.h"
#include "revctl/base/first_few.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/render_formats.h"
#include "revctl/findings/rule_table.h"

namespace revctl::findings {
namespace detail {
namespace {

/// Joins the lines of `text`, with `lead` before the first line and `others` before all other
/// lines.
std::string Hanging(std::string_view lead, std::string_view text, std::string_view others) {
  std::string out(lead);
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const char c : text) {
    out += c;
    if (c == '\n') out += others;
  }
  return out + '\n';
}

std::string_view Colour(Severity severity) {
  if (severity == Severity::Note) return "\x1b[1;36m";
  return severity == Severity::Warning ? "\x1b[1;33m" : "\x1b[1;31m";
}

/// Returns `compared with origin/main at 3f2c1d0abc`, or "" if no finding names a branch.
std::string ComparedWith(const Findings& findings) {
  std::set<std::string> targets;  // the server's hook may check several branches at once
  for (const Finding& finding : findings) targets.insert(Target(finding));
  targets.erase("");
  std::string out;
  for (const std::string& target : targets)
    out += (out.empty() ? "compared with " : " and ") + OneLine(target);
  return out;
}

}  // namespace

std::string StatusOf(const Findings& findings, const std::vector<CauseGroup>& groups,
                     std::string_view checked) {
  std::size_t errors = 0, warnings = 0, notes = 0;
  std::string first;
  for (const CauseGroup& group : groups) {
    const Finding& finding = findings[group.same[0]];
    if (finding.severity == Severity::Error && errors++ == 0) first = OneLine(Place(finding));
    if (finding.severity == Severity::Warning) ++warnings;
    if (finding.severity == Severity::Note) ++notes;
  }
  std::string counts;
  const auto add = [&counts](std::size_t n, std::string_view what) {
    if (n != 0) counts += (counts.empty() ? "" : ", ") + base::Counted(n, what);
  };
  add(errors, "error");
  add(warnings, "warning");
  add(notes, "note");
  const std::string with = checked.empty() ? ComparedWith(findings) : std::string(checked);
  std::string out = errors != 0 ? "FAILED: " : "OK: ";
  if (counts.empty()) return out + (with.empty() ? "no problems" : with) + "\n";
  out += counts + (with.empty() ? "" : fmt::format(" ({})", with));
  // If there are several findings, the first error has scrolled out of view when the user reads
  // this line.
  if (groups.size() > 1 && !first.empty())
    out += fmt::format("; the {}error is at {}", errors > 1 ? "first " : "", first);
  return out + "\n";
}

std::string Others(const Findings& findings, const CauseGroup& group) {
  std::vector<std::string> lines;
  for (std::size_t i = 1; i < group.same.size(); ++i) {
    const Finding& finding = findings[group.same[i]];
    const std::string place = OneLine(Place(finding));
    const std::string& message = finding.message;
    lines.push_back(place + (place.empty() ? "" : ": ") +
                    OneLine(std::string_view(message).substr(0, message.find('\n'))));
  }
  return fmt::format("{} more with the same cause:\n", lines.size()) +
         base::FirstLines(lines, base::kFirstFew - 1);
}

namespace {

/// Returns the subject of a finding: `GH003 GameScore.p2Score`, or its revision or place if it has
/// no type.
std::string Named(const Finding& finding) {
  std::string out(NameOf(finding.rule));
  const std::string what = !finding.type.empty()       ? finding.type
                           : !finding.revision.empty() ? finding.revision
                                                       : Place(finding);
  if (!what.empty()) out += (out.empty() ? "" : " ") + what;
  if (!finding.type.empty() && !finding.field.empty()) out += "." + finding.field;
  return OneLine(out);
}

}  // namespace

std::string Consequences(const Findings& findings, const CauseGroup& group) {
  std::vector<std::string> names;
  for (const std::size_t i : group.following) names.push_back(Named(findings[i]));
  return fmt::format("{} more {} from it: {}\n", names.size(),
                     names.size() == 1 ? "finding follows" : "findings follow",
                     base::FirstFew(names));
}

std::string Fixes(const Findings& findings, const CauseGroup& group) {
  const std::vector<std::size_t>& same = group.same;
  const Fix& first = findings[same[0]].fix;
  const auto is_other = [&](std::size_t i) { return findings[i].fix != first; };
  if (std::none_of(same.begin(), same.end(), is_other)) return FixText(first);
  std::string out = FixText(first);
  for (std::size_t i = 1; i < base::kFirstFew; ++i) out += "\n" + FixText(findings[same[i]].fix);
  return out + "\nThe other findings have similar fixes; --format json lists all of them.";
}

/// Returns "" if there are no findings, so that a successful check prints nothing on stdout.
std::string RenderText(const Findings& findings, bool colour, std::string_view checked) {
  if (findings.empty()) return {};
  const std::vector<CauseGroup> groups = GroupByCause(findings);
  std::string out;
  for (const CauseGroup& group : groups) {
    const Finding& finding = findings[group.same[0]];
    const std::string place = OneLine(Place(finding));
    if (!place.empty()) out += (colour ? fmt::format("\x1b[1m{}\x1b[0m", place) : place) + ": ";
    std::string head(SeverityName(finding.severity));
    if (finding.rule != RuleId::None) head += fmt::format("[{}]", NameOf(finding.rule));
    out += colour ? fmt::format("{}{}\x1b[0m", Colour(finding.severity), head) : head;
    // Indent further lines of a message, so that none of them looks like a separate finding.
    out += ": " + Hanging("", Printable(finding.message), "  ");
    if (!finding.details.empty()) out += Hanging("  ", Printable(finding.details), "  ");
    if (!finding.items.empty())
      out += Hanging("  ", Printable(base::FirstLines(finding.items)), "  ");
    if (group.same.size() > 1) out += Hanging("  ", Others(findings, group), "  ");
    if (!group.following.empty()) out += "  " + Consequences(findings, group);
    const std::string fix = Fixes(findings, group);
    if (!fix.empty()) out += Hanging("fix: ", Printable(fix), "     ");
  }
  return out + StatusOf(findings, groups, checked);
}

}  // namespace detail

std::string StatusLine(const std::vector<Finding>& findings, std::string_view checked) {
  return detail::StatusOf(findings, detail::GroupByCause(findings), checked);
}

}  // namespace revctl::findings
