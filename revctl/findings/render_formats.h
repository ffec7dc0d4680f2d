#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/findings/finding.h"

/// One function per format, each in its own file; `Render` picks one. Inside this folder only.
namespace revctl::findings::detail {

using Findings = std::vector<Finding>;

std::string RenderText(const Findings& findings, bool colour);
std::string RenderJson(const Findings& findings);
std::string RenderGitHub(const Findings& findings);
std::string RenderGitLab(const Findings& findings);
std::string RenderSarif(const Findings& findings);
std::string RenderJUnit(const Findings& findings);

/// `path:line`, `path`, or nothing.
std::string Place(const Finding& finding);

/// `origin/main at 3f2c1d0abc`, or nothing: the branch may have moved on by the time it is read.
std::string Target(const Finding& finding);

/// What a person needs of a finding where its place is shown beside it: message, details, mend, a
/// line each or more.
std::string Body(const Finding& finding);
/// The same, and what it was judged against.
std::string BodyAndTarget(const Finding& finding);

}  // namespace revctl::findings::detail
