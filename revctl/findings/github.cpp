#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

#include "revctl/findings/render_formats.h"

namespace revctl::findings::detail {
namespace {

/// The runner ends a command at a line end and a property at ',' or ':'; unescaped, a revision's name could forge commands.
std::string Escape(std::string_view text, bool property) {
  std::string out;
  for (char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view Command(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "notice";
  }
  return "error";
}

std::string Body(const Finding& finding) {
  std::string out = finding.message;
  if (!finding.details.empty()) out += "\n" + finding.details;
  if (!finding.fix.empty()) out += "\nfix: " + finding.fix;
  return out;
}

}  // namespace

/// Workflow commands. GitHub shows ten annotations of a kind per step and drops the rest in silence, so findings of one
/// cause (rule and file) share one annotation, which stands at the first of them and lists them all.
std::string RenderGitHub(const Findings& findings) {
  using Cause = std::tuple<Severity, std::string, std::string>;
  std::vector<std::vector<const Finding*>> groups;
  std::map<Cause, std::size_t> group_of;
  for (const Finding& finding : findings) {
    const auto [place, fresh] = group_of.emplace(Cause{finding.severity, finding.rule, finding.file}, groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(&finding);
  }
  std::string out;
  for (const auto& group : groups) {
    const Finding& first = *group.front();
    std::string body;
    for (const Finding* finding : group) {
      if (!body.empty()) body += "\n";
      if (group.size() > 1 && finding->line > 0) body += "line " + std::to_string(finding->line) + ": ";
      body += Body(*finding);
    }
    std::string title = first.rule;
    if (group.size() > 1) title += " (" + std::to_string(group.size()) + " findings)";
    std::string properties;
    const auto property = [&properties](std::string_view key, std::string_view value) {
      properties += properties.empty() ? " " : ",";
      properties += key;
      properties += "=" + Escape(value, true);
    };
    if (!first.file.empty()) property("file", first.file);
    if (!first.file.empty() && first.line > 0) property("line", std::to_string(first.line));
    property("title", title);
    out += "::" + std::string(Command(first.severity)) + properties + "::" + Escape(body, false) + "\n";
  }
  return out;
}

}  // namespace revctl::findings::detail
