#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "revctl/base/ascii.h"
#include "revctl/findings/printable.h"
#include "revctl/findings/render_formats.h"
#include "revctl/findings/rule_table.h"

namespace revctl::findings::detail {
namespace {

/// Escapes text for a workflow command. A line break would end the command, and ',' or ':' would
/// end a property, so a crafted revision name could forge commands. Makes control characters
/// visible.
std::string Escape(std::string_view text, bool property) {
  const std::string_view special = property ? "%\r\n:," : "%\r\n";
  std::string out;
  for (char c : property ? OneLine(text) : Visible(text)) {
    if (special.find(c) != special.npos) {
      out += '%' + base::Upper(base::Hex(static_cast<unsigned char>(c), 2));
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view Command(Severity severity) {
  return severity == Severity::Note ? "notice" : SeverityName(severity);
}

using Group = std::vector<const Finding*>;
/// GitHub shows ten annotations of each kind per step and silently drops the rest.
constexpr std::size_t kMostShown = 10;

/// The grouping key: findings with equal values share a cause. A finding without a fix always has
/// its own cause.
using Cause = std::array<std::string, 5>;
Cause CauseOf(const Finding& finding, bool by_file) {
  return {std::string(NameOf(finding.rule)), by_file ? finding.file : "", finding.type,
          finding.field,
          finding.fix.empty() ? fmt::format("{}\n{}", Place(finding), finding.message)
                              : FixText(finding.fix)};
}

/// Groups findings of one severity by cause and file, because each group becomes an annotation. If
/// there are too many groups, merges groups for different files. If there are still too many, puts
/// the rest into the last group.
std::vector<Group> Grouped(const Group& findings) {
  std::vector<Group> groups;
  for (const bool by_file : {true, false}) {
    std::map<Cause, std::size_t> group_of;
    groups.clear();
    for (const Finding* finding : findings) {
      const auto [place, fresh] = group_of.emplace(CauseOf(*finding, by_file), groups.size());
      if (fresh) groups.emplace_back();
      groups[place->second].push_back(finding);
    }
    if (groups.size() <= kMostShown) return groups;
  }
  Group& last = groups[kMostShown - 1];
  for (std::size_t i = kMostShown; i < groups.size(); ++i)
    last.insert(last.end(), groups[i].begin(), groups[i].end());
  groups.resize(kMostShown);
  return groups;
}

/// Returns `RV001`, `RV001 (2 findings)`, or for several causes `23 more findings: GH001, GH004`.
std::string Title(const Group& group) {
  const Finding& first = *group.front();
  const auto same = [&first](const Finding* finding) {
    return CauseOf(*finding, false) == CauseOf(first, false);
  };
  if (group.size() == 1) return std::string(NameOf(first.rule));
  if (std::all_of(group.begin(), group.end(), same))
    return fmt::format("{} ({} findings)", NameOf(first.rule), group.size());
  std::set<RuleId> rules;
  for (const Finding* finding : group) rules.insert(finding->rule);
  std::string title = fmt::format("{} more findings", group.size());
  for (const RuleId rule : rules)
    title += fmt::format("{}{}", rule == *rules.begin() ? ": " : ", ", NameOf(rule));
  return title;
}

/// Returns the annotation for a group, which lists all findings and is placed at the first one.
std::string Annotation(const Group& group) {
  const Finding& first = *group.front();
  const auto all_have = [&group](auto same) {
    return std::all_of(group.begin(), group.end(), same);
  };
  const bool one_rule = all_have([&](const Finding* f) { return f->rule == first.rule; });
  const bool one_file = all_have([&](const Finding* f) { return f->file == first.file; });
  std::string body;
  for (const Finding* finding : group) {
    if (!body.empty()) body += "\n";
    if (group.size() > 1 && one_file && finding->line > 0)
      body += fmt::format("line {}: ", finding->line);
    if (!one_file && !finding->file.empty()) body += Place(*finding) + ": ";
    if (!one_rule) body += fmt::format("{}: ", NameOf(finding->rule));
    body += Body(*finding);
  }
  std::set<std::string> targets;
  for (const Finding* finding : group) targets.insert(Target(*finding));
  targets.erase("");
  for (const std::string& target : targets)
    body += (target == *targets.begin() ? "\ncompared with " : " and ") + target;
  std::string properties;
  const auto property = [&properties](std::string_view key, std::string_view value) {
    properties += properties.empty() ? " " : ",";
    properties += key;
    properties += "=" + Escape(value, true);
  };
  if (!first.file.empty()) property("file", first.file);
  if (!first.file.empty() && first.line > 0) property("line", std::to_string(first.line));
  property("title", Title(group));
  return fmt::format("::{}{}::{}\n", Command(first.severity), properties, Escape(body, false));
}

}  // namespace

/// Prints errors first, because readers look for errors in a long log.
std::string RenderGitHub(const Findings& findings) {
  std::string out;
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
    Group same;
    for (const Finding& finding : findings) {
      if (finding.severity == severity) same.push_back(&finding);
    }
    if (same.empty()) continue;
    for (const Group& group : Grouped(same)) out += Annotation(group);
  }
  return out;
}

}  // namespace revctl::findings::detail
