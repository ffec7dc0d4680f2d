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

/// `error`, `warning`, `note`.
std::string_view SeverityName(Severity severity);

/// `path:line`, `path`, or nothing.
std::string Place(const Finding& finding);

}  // namespace revctl::findings::detail
