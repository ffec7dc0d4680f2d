#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// The release branch that HEAD belongs to, as of the last fetch.
struct ReleaseHere {
  std::string branch;
  std::string label;            ///< name that commands accept, such as `origin/release/1.0`
  std::optional<git::Oid> tip;  ///< nullopt if the branch exists only in this clone
};

/// The repository, config and target that determine the release branches.
struct ReleaseQuestion {
  const git::Repository* repository;
  config::Config config;  ///< config of the work tree; its `releases` are added to the target's
  std::string remote;     ///< name of the remote; empty if there is none
  std::string folder;     ///< folder of `.revctl.yaml`, with a trailing '/'
  std::optional<git::Oid> target;
};

/// True if `branch` is a release branch according to the work tree's or the target's config.
bool IsReleaseBranch(const ReleaseQuestion& question, std::string_view branch);

/// Returns the release that HEAD belongs to. HEAD must be on a release branch or on a branch whose
/// upstream is a release branch, or it must contain commits that only the release has and no newer
/// commits from the target. Returns nullopt for any other branch. Also returns nullopt if HEAD's
/// branch begins where a release was cut and that release has no commits of its own, because the
/// branch may belong to either the release or the target.
base::Result<std::optional<ReleaseHere>> FindReleaseHere(const ReleaseQuestion& question);

/// Returns a predicate for the merge driver, which is true if HEAD is on a release and `side` is
/// the full text of `list` at HEAD or in the index. In that case, a cherry-pick must add only the
/// revisions that the picked commit added. A branch that begins where a release was cut counts as
/// the release unless it has a new revision. The predicate reads the history on its first call. The
/// repository must outlive it.
std::function<bool(std::string_view side)> OnRelease(ReleaseQuestion question,
                                                     list::ListConfig list);

/// Returns a function that looks up the revision `name` on the release branches, and returns its
/// number there and the name of the branch. The function reads the lists of all release branches on
/// its first call, so merges without pending revisions cost nothing. Each branch's own config
/// determines where its list is. `remote` is empty if there is none. `folder` is the folder of
/// `.revctl.yaml`, with a trailing '/'. `repository` must outlive the function.
std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
ReleaseLines(const git::Repository& repository, const config::Config& config,
             const list::ListConfig& list, const std::string& remote, std::string folder);

}  // namespace revctl::commands
