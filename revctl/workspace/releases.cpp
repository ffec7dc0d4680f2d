#include "revctl/workspace/releases.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "revctl/list/reading/revision_list.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

class ReleaseSearch {
 public:
  explicit ReleaseSearch(const ReleaseQuestion& question)
      : q_(question),
        prefix_(q_.remote.empty() ? "refs/heads/" : "refs/remotes/" + q_.remote + "/") {
    if (!q_.target) return;
    if (auto there = Tree::Commit(*q_.repository, *q_.target, q_.folder).Config(); there.ok())
      target_config_ = std::move(*there);
  }

  bool IsRelease(std::string_view branch) const {
    return q_.config.IsRelease(branch) || (target_config_ && target_config_->IsRelease(branch));
  }

  /// Finds the release that HEAD belongs to. If `cut_here` is true, a branch that begins where a
  /// release was cut counts as part of that release.
  Result<std::optional<ReleaseHere>> Run(bool cut_here) const {
    std::optional<ReleaseHere> none;
    if (q_.config.releases.empty() && (!target_config_ || target_config_->releases.empty()))
      return none;
    TRY(auto branch, q_.repository->HeadBranch());
    if (branch) {
      if (IsRelease(*branch)) return Named(*branch);
      if (IsTarget(*branch)) return none;
      TRY(auto upstream, q_.repository->ConfigValue("branch." + *branch + ".merge"));
      constexpr std::string_view kBranches = "refs/heads/";
      if (upstream && upstream->starts_with(kBranches)) {
        const std::string followed = upstream->substr(kBranches.size());
        if (IsRelease(followed)) return Named(followed);
        if (IsTarget(followed)) return none;
      }
    }
    return ByHistory(cut_here);
  }

 private:
  bool IsTarget(std::string_view branch) const { return branch == q_.config.target; }

  Result<std::optional<ReleaseHere>> Named(const std::string& branch) const {
    TRY(auto tip, q_.repository->Resolve(prefix_ + branch));
    return std::optional(
        ReleaseHere{branch, q_.remote.empty() ? branch : q_.remote + "/" + branch, std::move(tip)});
  }

  Result<std::optional<ReleaseHere>> ByHistory(bool cut_here) const {
    std::optional<ReleaseHere> none;
    TRY(auto head, q_.repository->Head());
    if (!head || !q_.target) return none;
    TRY(auto refs, q_.repository->Refs(prefix_));
    std::erase_if(refs, [&](const auto& ref) {
      return !IsRelease(std::string_view(ref.first).substr(prefix_.size()));
    });
    if (refs.empty()) return none;
    auto fork = q_.repository->MergeBase(*head, *q_.target);
    if (!fork.ok() || !*fork) return none;  // the history of a shallow clone may be incomplete
    for (const auto& [ref, tip] : refs) {
      auto cut = q_.repository->MergeBase(tip, *q_.target);
      // Skip a release if HEAD contains more of the target than the release does, because HEAD will
      // land on the target.
      if (!cut.ok() || *cut != *fork) continue;
      auto shared = q_.repository->MergeBase(*head, tip);
      if (!shared.ok() || !*shared) continue;
      const bool own = **shared != **cut;  // HEAD contains commits that only the release has
      if (own || (cut_here && tip == **cut)) return Named(ref.substr(prefix_.size()));
    }
    return none;
  }

  const ReleaseQuestion& q_;
  std::string prefix_;
  std::optional<config::Config> target_config_;
};

/// Returns the texts of the list at HEAD and in the index, which an uncommitted cherry-pick builds
/// on.
std::vector<std::string> TextsHere(const ReleaseQuestion& q, const list::ListConfig& list) {
  std::vector<std::string> texts;
  if (auto staged = q.repository->ReadStaged(q.folder + list.path); staged.ok() && *staged)
    texts.push_back(std::move(**staged));
  auto head = q.repository->Head();
  if (!head.ok() || !*head) return texts;
  if (auto there = Tree::Commit(*q.repository, **head, q.folder).List(list);
      there.ok() && there->text)
    texts.push_back(std::move(*there->text));
  return texts;
}

/// True if the list at HEAD has a revision that is missing from the target's list. Releases never
/// get new revisions, so such a branch will land on the target.
bool HasOwn(const ReleaseQuestion& q, const list::ListConfig& list) {
  const auto revisions = [&](const git::Oid& commit) -> std::optional<list::RevisionList> {
    auto there = Tree::Commit(*q.repository, commit, q.folder).List(list);
    if (!there.ok() || !there->text) return std::nullopt;
    auto parsed = list::Parse(*there->text, list, list.path);
    if (!parsed.ok()) return std::nullopt;
    return std::move(*parsed);
  };
  auto head = q.repository->Head();
  if (!head.ok() || !*head || !q.target) return false;
  const auto here = revisions(**head), landed = revisions(*q.target);
  if (!here || !landed) return false;
  const auto own = here->Revisions();
  return std::any_of(own.begin(), own.end(), [&](const list::Entry* entry) {
    return landed->Find(entry->name) == nullptr;
  });
}

}  // namespace

bool IsReleaseBranch(const ReleaseQuestion& question, std::string_view branch) {
  return question.config.IsRelease(branch) || ReleaseSearch(question).IsRelease(branch);
}

Result<std::optional<ReleaseHere>> FindReleaseHere(const ReleaseQuestion& question) {
  return ReleaseSearch(question).Run(false);
}

std::function<bool(std::string_view side)> OnRelease(ReleaseQuestion question,
                                                     list::ListConfig list) {
  return
      [question = std::move(question), list = std::move(list),
       texts = std::make_shared<std::optional<std::vector<std::string>>>()](std::string_view side) {
        if (!*texts) {
          auto here = ReleaseSearch(question).Run(false);
          if (here.ok() && !*here && !HasOwn(question, list))
            here = ReleaseSearch(question).Run(true);
          *texts = here.ok() && *here ? TextsHere(question, list) : std::vector<std::string>();
        }
        return std::find((**texts).begin(), (**texts).end(), side) != (**texts).end();
      };
}

namespace {

using Known = std::map<std::string, std::pair<std::int64_t, std::string>>;

/// Reads the revisions on all release branches. Skips unreadable lists, because the gate reports
/// them.
Known ReadReleases(const git::Repository& repository, const config::Config& config,
                   const list::ListConfig& list, const std::string& prefix,
                   const std::string& folder) {
  Known known;
  const auto refs = repository.Refs(prefix);
  if (!refs.ok()) return known;
  // Texts that have already been parsed. Most releases have the same text, so each text is parsed
  // only once.
  std::set<std::string> seen;
  for (const auto& [ref, id] : *refs) {
    const std::string branch = ref.substr(prefix.size());
    if (!config.IsRelease(branch)) continue;
    const auto there = Tree::Commit(repository, id, folder).List(list);
    if (!there.ok() || !there->text || !seen.insert(*there->text).second) continue;
    const auto parsed = list::Parse(*there->text, list, folder + there->config.path);
    if (!parsed.ok()) continue;
    for (const list::Entry* entry : parsed->Revisions())
      known.emplace(entry->name, std::make_pair(entry->number, branch));
  }
  return known;
}

}  // namespace

std::function<std::optional<std::pair<std::int64_t, std::string>>(const std::string& name)>
ReleaseLines(const git::Repository& repository, const config::Config& config,
             const list::ListConfig& list, const std::string& remote, std::string folder) {
  if (config.releases.empty()) return {};
  const std::string prefix = remote.empty() ? "refs/heads/" : "refs/remotes/" + remote + "/";
  return [&repository, config, list, prefix, folder = std::move(folder),
          known = std::make_shared<std::optional<Known>>()](
             const std::string& name) -> std::optional<std::pair<std::int64_t, std::string>> {
    if (!*known) *known = ReadReleases(repository, config, list, prefix, folder);
    const auto found = (*known)->find(name);
    if (found == (*known)->end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace revctl::commands
