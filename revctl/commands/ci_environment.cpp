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
  return (id.size() == 40 || id.size() == 64) && id.find_first_not_of("0123456789abcdef") == std::string::npos &&
         id.find_first_not_of('0') != std::string::npos;
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
  if (event == "pull_request" || event == "pull_request_target") out.target_branch = Variable("GITHUB_BASE_REF");
  if (event == "merge_group") {
    // The commit that the group is built on, not the branch's tip: earlier groups land before this one.
    out.target_commit = EventText({"merge_group", "base_sha"});
    const std::string base = EventText({"merge_group", "base_ref"});
    out.target_branch = base.starts_with("refs/heads/") ? base.substr(11) : base;
  }
  if (event == "push") {
    out.target_commit = EventText({"before"});
    out.target_branch = Variable("GITHUB_REF_NAME");
    out.is_push = true;
  }
  return out;
}

CiChange GitLab() {
  CiChange out{"GitLab", Variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"), "", false};
  if (Variable("CI_MERGE_REQUEST_EVENT_TYPE") == "merge_train") out.target_commit = Variable("CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
  if (out.target_branch.empty() && Variable("CI_PIPELINE_SOURCE") == "push") {
    out.target_commit = Variable("CI_COMMIT_BEFORE_SHA");
    out.target_branch = Variable("CI_COMMIT_BRANCH");
    out.is_push = true;
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
  } else if (!Variable("CHANGE_TARGET").empty()) {
    out = {"Jenkins", Variable("CHANGE_TARGET"), "", false};
  }
  if (!IsCommit(out.target_commit)) out.target_commit.clear();
  return out;
}

}  // namespace revctl::commands
