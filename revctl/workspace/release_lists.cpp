#include "revctl/workspace/release_lists.h"

#include <map>
#include <memory>
#include <set>

#include "revctl/list/revision_list.h"
#include "revctl/tree/list_at.h"

namespace revctl::commands {
namespace {

using Known = std::map<std::string, std::pair<std::int64_t, std::string>>;

/// A branch that cannot be read says nothing: the gate looks at releases by itself, and tells.
Known ReadReleases(const git::Repository& repository, const config::Config& config,
                   const list::ListConfig& list, const std::string& prefix,
                   const std::string& folder) {
  Known known;
  const auto refs = repository.Refs(prefix);
  if (!refs.ok()) return known;
  std::set<std::string> seen;  // most releases have one list
  for (const auto& [ref, id] : *refs) {
    const std::string branch = ref.substr(prefix.size());
    if (!config.IsRelease(branch)) continue;
    const auto there = ListAt(repository, id, folder, list);
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
