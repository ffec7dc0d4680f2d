#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/findings/causes.h"
#include "revctl/findings/finding.h"

/// The functions that `Render` calls, one per format. For use in this folder only.
namespace revctl::findings::detail {

using Findings = std::vector<Finding>;

std::string RenderText(const Findings& findings, bool colour, std::string_view checked);
std::string RenderJson(const Findings& findings);
std::string RenderGitHub(const Findings& findings);
std::string RenderGitLab(const Findings& findings);
std::string RenderSarif(const Findings& findings);
std::string RenderJUnit(const Findings& findings);
std::string RenderMarkdown(const Findings& findings, const Heading& heading);

/// Returns StatusLine() of grouped findings. Counts each group once.
std::string StatusOf(const Findings& findings, const std::vector<CauseGroup>& groups,
                     std::string_view checked);
/// Returns how many other findings a group has, and the first of them.
std::string Others(const Findings& findings, const CauseGroup& group);
/// Returns one line about the consequences of a group: how many, and the first of them.
std::string Consequences(const Findings& findings, const CauseGroup& group);
/// Returns the fixes of a group: the common one, or the first few.
std::string Fixes(const Findings& findings, const CauseGroup& group);

/// Returns `path:line`, `path` or "".
std::string Place(const Finding& finding);

/// Returns `origin/main at 3f2c1d0abc`, or "". The commit is included because the branch may move.
std::string Target(const Finding& finding);

/// Returns message, details and fix, for formats that show the place elsewhere.
std::string Body(const Finding& finding);
/// Returns Body() and the branch that was compared with.
std::string BodyAndTarget(const Finding& finding);

}  // namespace revctl::findings::detail
