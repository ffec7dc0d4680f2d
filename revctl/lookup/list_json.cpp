#include "revctl/lookup/list_json.h"

#include <map>

namespace revctl::commands {

using base::Json;

Json ListJson(const list::RevisionList& list, const list::ListConfig& config, std::uint64_t root,
              const std::function<std::string_view(const list::Entry&)>& state_of) {
  Json::List revisions, aliases;
  // If two names share a number, both get the lineage of the first name.
  std::map<std::int64_t, std::uint64_t> hashes;
  for (const list::Lineage& lineage : list::Lineages(list, root))
    hashes.emplace(lineage.number, lineage.hash);
  for (const list::Entry* entry : list.Revisions()) {
    Json one = Json::Object()
                   .Set("name", entry->name)
                   .Set("number", entry->number)
                   .Set("line", entry->line);
    if (state_of) one.Set("state", state_of(*entry));
    if (!entry->pending_file.empty()) one.Set("unfolded", true).Set("file", entry->pending_file);
    const auto hash = hashes.find(entry->number);
    if (hash != hashes.end()) one.Set("lineage", list::LineageText(hash->second));
    revisions.push_back(std::move(one));
  }
  for (const list::Entry& entry : list.entries) {
    if (entry.kind == list::EntryKind::Alias)
      aliases.push_back(Json::Object().Set("name", entry.name).Set("number", entry.number));
  }
  const list::Entry* latest = list.Latest();
  return Json::Object()
      .Set("path", config.path)
      .Set("name", config.name)
      .Set("latest", latest == nullptr
                         ? Json()
                         : Json::Object().Set("name", latest->name).Set("number", latest->number))
      .Set("revisions", std::move(revisions))
      .Set("aliases", std::move(aliases));
}

Json ListsJson(Json::List lists) {
  return Json::Object().Set("version", 1).Set("lists", std::move(lists));
}

}  // namespace revctl::commands
