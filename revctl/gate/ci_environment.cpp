#include "revctl/gate/check_target.h"

#include <cstdlib>

#include "revctl/base/ascii.h"
#include "revctl/base/json.h"
#include "revctl/config/files.h"
#include "revctl/git/repository.h"

namespace revctl::commands {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsCommit(const std::string& id) {
  return (id.size() == 40 || id.size() == 64) && base::IsHex(id) && !git::IsNull(id);
}

// Nesting limit for the JSON parser. GitHub's events have about five levels.
constexpr std::size_t kDeepestEvent = 64;

/// Returns the string at `keys` in GitHub's event file, or "" if the file or a key is missing.
std::string EventText(std::initializer_list<const char*> keys) {
  auto text = config::ReadFile(Variable("GITHUB_EVENT_PATH"), config::kMaxConfigBytes * 64);
  if (!text.ok() || !text->has_value()) return "";
  const auto event = base::ParseJson(**text, kDeepestEvent);
  if (!event.has_value()) return "";
  const base::Json* at = &*event;
  for (const char* key : keys) at = &(*at)[key];
  return at->IsText() ? *at->text() : "";
}

constexpr const char* kBeforePush = "the tip of the branch before the push";

CiChange GitHub() {
  CiChange out{.system = "GitHub", .event = Variable("GITHUB_EVENT_NAME")};
  if (out.event == "pull_request" || out.event == "pull_request_target") {
    out.target_branch = Variable("GITHUB_BASE_REF");
    out.branch_from = "GITHUB_BASE_REF";
  }
  if (out.event == "merge_group") {
    // Use the merge group's base commit, not the branch's tip, because earlier groups land first.
    out.target_commit = EventText({"merge_group", "base_sha"});
    const std::string base = EventText({"merge_group", "base_ref"});
    out.target_branch = base.starts_with("refs/heads/") ? base.substr(11) : base;
    out.commit_from = "merge_group.base_sha in the event file (GITHUB_EVENT_PATH)";
    out.commit_means = "the commit that the merge group is built on";
  }
  if (out.event == "push") {
    out.target_commit = EventText({"before"});
    out.target_branch = Variable("GITHUB_REF_NAME");
    out.is_push = true;
    out.commit_from = "`before` in the event file (GITHUB_EVENT_PATH)";
    out.commit_means = kBeforePush;
  }
  return out;
}

CiChange GitLab() {
  CiChange out{.system = "GitLab",
               .event = Variable("CI_MERGE_REQUEST_EVENT_TYPE"),
               .target_branch = Variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"),
               .branch_from = "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"};
  if (out.event == "merge_train") {
    out.target_commit = Variable("CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
    out.commit_from = "CI_MERGE_REQUEST_TARGET_BRANCH_SHA";
    out.commit_means = "the commit that the merge train is built on";
  }
  if (out.event.empty()) out.event = Variable("CI_PIPELINE_SOURCE");
  if (out.target_branch.empty() && Variable("CI_PIPELINE_SOURCE") == "push") {
    out.target_commit = Variable("CI_COMMIT_BEFORE_SHA");
    out.target_branch = Variable("CI_COMMIT_BRANCH");
    out.is_push = true;
    out.commit_from = "CI_COMMIT_BEFORE_SHA";
    out.commit_means = kBeforePush;
  }
  return out;
}

/// Reads Jenkins's variables, for a change request or a branch build. A branch build is compared
/// with the commit of the previous build or, if that is the same commit, with the commit of the
/// last successful build.
CiChange Jenkins() {
  if (const std::string target = Variable("CHANGE_TARGET"); !target.empty()) {
    return {.system = "Jenkins",
            .event = "change",
            .target_branch = target,
            .branch_from = "CHANGE_TARGET"};
  }
  CiChange out{.system = "Jenkins",
               .event = "branch",
               .target_branch = Variable("BRANCH_NAME"),
               .target_commit = Variable("GIT_PREVIOUS_COMMIT"),
               .commit_from = "GIT_PREVIOUS_COMMIT",
               .commit_means = "the commit of the previous build",
               .is_push = true};
  if (out.target_branch.empty()) {
    const std::string branch = Variable("GIT_BRANCH");
    out.target_branch = branch.substr(branch.find('/') + 1);
  }
  if (!out.target_commit.empty() && out.target_commit == Variable("GIT_COMMIT")) {
    out.target_commit = Variable("GIT_PREVIOUS_SUCCESSFUL_COMMIT");
    out.commit_from = "GIT_PREVIOUS_SUCCESSFUL_COMMIT";
  }
  return out;
}

}  // namespace

CiChange ReadCiEnvironment() {
  CiChange out;
  if (Variable("GITHUB_ACTIONS") == "true") {
    out = GitHub();
  } else if (Variable("GITLAB_CI") == "true") {
    out = GitLab();
  } else if (!Variable("GERRIT_BRANCH").empty()) {
    out = {.system = "Gerrit",
           .event = "change",
           .target_branch = Variable("GERRIT_BRANCH"),
           .branch_from = "GERRIT_BRANCH"};
  } else if (!Variable("CHANGE_TARGET").empty() || !Variable("JENKINS_URL").empty()) {
    out = Jenkins();
  }
  if (IsCommit(out.target_commit)) return out;
  // If a push creates a branch, hosts set the previous commit to all zeros.
  const bool is_new = out.is_push && !out.target_commit.empty() && git::IsNull(out.target_commit);
  if (!is_new) out.missing = out.commit_from;
  out.target_commit.clear();
  return out;
}

}  // namespace revctl::commands
