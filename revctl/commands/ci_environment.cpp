#include "revctl/commands/ci_environment.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "revctl/config/files.h"

namespace revctl::commands {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsCommit(const std::string& id) {
  return (id.size() == 40 || id.size() == 64) &&
         id.find_first_not_of("0123456789abcdef") == std::string::npos &&
         id.find_first_not_of('0') != std::string::npos;
}

/// A push that made its branch has nothing before it, and hosts say so.
bool IsNoCommit(const std::string& id) {
  return !id.empty() && id.find_first_not_of('0') == std::string::npos;
}

/// A string of GitHub's event file; empty where the file or the key is missing.
std::string EventText(std::initializer_list<const char*> keys) {
  auto text = config::ReadFile(Variable("GITHUB_EVENT_PATH"), config::kMaxConfigBytes * 64);
  if (!text.ok() || !text->has_value()) return "";
  nlohmann::json at = nlohmann::json::parse(**text, nullptr, false);
  for (const char* key : keys) {
    if (!at.is_object() || !at.contains(key)) return "";
    at = at.at(key);
  }
  return at.is_string() ? at.get<std::string>() : "";
}

CiChange GitHub() {
  CiChange out{"GitHub", "", "", false};
  const std::string event = Variable("GITHUB_EVENT_NAME");
  if (event == "pull_request" || event == "pull_request_target")
    out.target_branch = Variable("GITHUB_BASE_REF");
  if (event == "merge_group") {
    // The commit that the group is built on, not the branch's tip: earlier groups land before this
    // one.
    out.target_commit = EventText({"merge_group", "base_sha"});
    const std::string base = EventText({"merge_group", "base_ref"});
    out.target_branch = base.starts_with("refs/heads/") ? base.substr(11) : base;
    out.missing = "merge_group.base_sha of the file in GITHUB_EVENT_PATH";
  }
  if (event == "push") {
    out.target_commit = EventText({"before"});
    out.target_branch = Variable("GITHUB_REF_NAME");
    out.is_push = true;
    out.missing = "`before` of the file in GITHUB_EVENT_PATH";
  }
  return out;
}

CiChange GitLab() {
  CiChange out{"GitLab", Variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"), "", false};
  if (Variable("CI_MERGE_REQUEST_EVENT_TYPE") == "merge_train") {
    out.target_commit = Variable("CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
    out.missing = "CI_MERGE_REQUEST_TARGET_BRANCH_SHA";
  }
  if (out.target_branch.empty() && Variable("CI_PIPELINE_SOURCE") == "push") {
    out.target_commit = Variable("CI_COMMIT_BEFORE_SHA");
    out.target_branch = Variable("CI_COMMIT_BRANCH");
    out.is_push = true;
    out.missing = "CI_COMMIT_BEFORE_SHA";
  }
  return out;
}

/// A change that is to be merged, or the build of a branch. What a branch was before is what was
/// built last; a build that is made again looks back to the last that went well, since the last of
/// all is itself.
CiChange Jenkins() {
  if (const std::string target = Variable("CHANGE_TARGET"); !target.empty())
    return {"Jenkins", target, "", false};
  CiChange out{"Jenkins", Variable("BRANCH_NAME"), Variable("GIT_PREVIOUS_COMMIT"), true,
               "GIT_PREVIOUS_COMMIT"};
  if (out.target_branch.empty()) {
    const std::string branch = Variable("GIT_BRANCH");  // origin/main
    out.target_branch = branch.substr(branch.find('/') + 1);
  }
  if (!out.target_commit.empty() && out.target_commit == Variable("GIT_COMMIT")) {
    out.target_commit = Variable("GIT_PREVIOUS_SUCCESSFUL_COMMIT");
    out.missing = "GIT_PREVIOUS_SUCCESSFUL_COMMIT";
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
    out = {"Gerrit", Variable("GERRIT_BRANCH"), "", false};
  } else if (!Variable("CHANGE_TARGET").empty() || !Variable("JENKINS_URL").empty()) {
    out = Jenkins();
  }
  if (IsCommit(out.target_commit) || (out.is_push && IsNoCommit(out.target_commit)))
    out.missing.clear();
  if (!IsCommit(out.target_commit)) out.target_commit.clear();
  return out;
}

}  // namespace revctl::commands
