#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/findings/finding.h"

/// One function per format, called by `Render`. Only files in this folder include this header.
namespace revctl::findings::detail {

using Findings = std::vector<Finding>;

/// Findings with the same cause. Both members contain indices into the grouped findings, in their
/// original order.
struct CauseGroup {
  std::vector<std::size_t> same;       ///< findings of the same rule; never empty
  std::vector<std::size_t> following;  ///< findings of any rule that follow from those in `same`

  std::size_t Size() const { return same.size() + following.size(); }
};

/// Groups findings that share a cause. Such findings have the same rule and severity, and either
/// the same `cause` or, for rules about lists, the same command as their fix. Groups are in the
/// order of their first findings. If at most base::kFirstFew findings share a cause, they stay
/// separate, because folding them would not save a line. A finding that `follows` another finding
/// joins that finding's group.
std::vector<CauseGroup> GroupByCause(const Findings& findings);

std::string RenderText(const Findings& findings, bool colour, std::string_view checked);
std::string RenderJson(const Findings& findings);
std::string RenderGitHub(const Findings& findings);
std::string RenderGitLab(const Findings& findings);
std::string RenderSarif(const Findings& findings);
std::string RenderJUnit(const Findings& findings);
std::string RenderMarkdown(const Findings& findings, const Heading& heading);

/// Returns StatusLine() for findings that are already grouped. Counts each group as one finding.
std::string StatusOf(const Findings& findings, const std::vector<CauseGroup>& groups,
                     std::string_view checked);
/// Returns a line with the number of further findings in a group, and the first few of them.
std::string Others(const Findings& findings, const CauseGroup& group);
/// Returns a line with the number of findings that follow from a group, and the first few of them.
std::string Consequences(const Findings& findings, const CauseGroup& group);
/// Returns the fix that all findings of a group share, or the first few fixes if they differ.
std::string Fixes(const Findings& findings, const CauseGroup& group);

/// Returns `path:line`, `path` or "".
std::string Place(const Finding& finding);

/// Returns `origin/main at 3f2c1d0abc`, or "". The commit is included because the branch may move.
std::string Target(const Finding& finding);

/// Returns the message, details and fix of a finding, for formats that show the place elsewhere.
std::string Body(const Finding& finding);
/// Returns Body() and the branch that the check compared with.
std::string BodyAndTarget(const Finding& finding);

}  // namespace revctl::findings::detail
