#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// The release branch that HEAD belongs to, as last fetched.
struct ReleaseHere {
  std::string branch;
  std::string label;            ///< as commands take it: `origin/release/1.0`
  std::optional<git::Oid> tip;  ///< nullopt if the branch exists only in this clone
};

/// Inputs for finding release branches.
struct ReleaseQuestion {
  const git::Repository* repository;
  config::Config config;  ///< its `releases` are used in addition to the target's
  std::string remote;     ///< empty if there is no remote
  std::string folder;     ///< folder of `.revctl.yaml`, with a trailing '/'
  std::optional<git::Oid> target;
};

/// True if `branch` is a release branch according to either configuration.
bool IsReleaseBranch(const ReleaseQuestion& question, std::string_view branch);

/// Returns the release that HEAD is for: HEAD is on a release branch, or on a branch whose upstream
/// is one, or it has commits that only the release has and nothing newer from the target. A branch
/// that begins where a release without commits was cut may be for either: nullopt.
base::Result<std::optional<ReleaseHere>> FindReleaseHere(const ReleaseQuestion& question);

/// Returns a predicate for the merge driver: true if `side`, the whole text of `list`, is the list
/// of HEAD or the index on a release branch. A cherry-pick there must bring only what the picked
/// commit added. A branch that begins where a release was cut counts as the release unless it has a
/// new revision. History is read at the first call. The repository must outlive the predicate.
std::function<bool(std::string_view side)> OnRelease(ReleaseQuestion question,
                                                     list::ListConfig list);

/// Returns a function that finds the release branch that has a revision, and the revision's number
/// there. The branches' lists are read at the first call, so merges without pending revisions pay
/// nothing. Each branch's own config locates its list. `remote` is empty if there is none; `folder`
/// is the folder of `.revctl.yaml` with a trailing '/'. `repository` must outlive the function.
std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
ReleaseLines(const git::Repository& repository, const config::Config& config,
             const list::ListConfig& list, const std::string& remote, std::string folder);

}  // namespace revctl::commands
