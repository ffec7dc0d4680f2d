#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <utility>
#include "revctl/config/config.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// The release branch that HEAD continues, as the last fetch saw it.
struct ReleaseHere {
  std::string branch;           ///< `release/1.0`
  std::string label;            ///< as a command takes it: `origin/release/1.0`
  std::optional<git::Oid> tip;  ///< nullopt: only this clone has it
};

/// Where releases are looked for.
struct ReleaseQuestion {
  const git::Repository* repository;
  config::Config config;  ///< its `releases`; those of the target's `.revctl.yaml` count too
  std::string remote;     ///< empty: there is none
  std::string folder;     ///< of `.revctl.yaml`, with its final '/'
  std::optional<git::Oid> target;
};

/// Whether `branch` is a release's, by either configuration.
bool IsReleaseBranch(const ReleaseQuestion& question, std::string_view branch);

/// HEAD is on a release branch, on one that has it as its upstream, or has commits that only the
/// release has and no more of the target than that. A branch that begins where a release without
/// commits of its own was cut may be for either: nullopt.
base::Result<std::optional<ReleaseHere>> FindReleaseHere(const ReleaseQuestion& question);

/// Asks whether `side`, the whole text of `list`, is HEAD's or the index's on a release: a pick
/// brings that side only what the picked commit added. Here a branch that begins where a release
/// was cut counts as one, unless it has a revision of its own: on any other, what is left out comes
/// with the next merge. History is read at the first question only. The repository must outlive the
/// answer.
std::function<bool(std::string_view side)> OnRelease(ReleaseQuestion question,
                                                     list::ListConfig list);

/// Asks which release branch that is known here has a revision, and with what number. The branches'
/// lists are read at the first question, so that a merge without pending revisions pays nothing.
/// `remote` is empty where there is none; `folder` is that of
/// `.revctl.yaml`, with its final '/'; each branch says by itself where the list is. `repository`
/// must outlive the answer.
std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
ReleaseLines(const git::Repository& repository, const config::Config& config,
             const list::ListConfig& list, const std::string& remote, std::string folder);

}  // namespace revctl::commands
