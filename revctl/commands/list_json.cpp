#include "revctl/commands/list_json.h"

#include <map>

#include "revctl/findings/json_text.h"

namespace revctl::commands {

using findings::JsonArray;
using findings::JsonObject;

std::string ListJson(const list::RevisionList& list, const list::ListConfig& config,
                     std::uint64_t root,
                     const std::function<std::string_view(const list::Entry&)>& state_of) {
  std::vector<std::string> revisions, aliases;
  // Of two names on one number the first has the lineage; the other is an entry all the same.
  std::map<std::int64_t, std::uint64_t> hashes;
  for (const list::Lineage& lineage : list::Lineages(list, root))
    hashes.emplace(lineage.number, lineage.hash);
  for (const list::Entry* entry : list.Revisions()) {
    JsonObject one;
    one.Text("name", entry->name).Number("number", entry->number).Number("line", entry->line);
    if (state_of) one.Text("state", state_of(*entry));
    if (!entry->pending_file.empty()) one.Flag("unfolded", true).Text("file", entry->pending_file);
    const auto hash = hashes.find(entry->number);
    if (hash != hashes.end()) one.Text("lineage", list::LineageText(hash->second));
    revisions.push_back(one.str());
  }
  for (const list::Entry& entry : list.entries) {
    if (entry.kind == list::EntryKind::Alias)
      aliases.push_back(JsonObject().Text("name", entry.name).Number("number", entry.number).str());
  }
  const list::Entry* latest = list.Latest();
  return JsonObject()
      .Text("path", config.path)
      .Text("name", config.name)
      .Raw("latest",
           latest == nullptr
               ? "null"
               : JsonObject().Text("name", latest->name).Number("number", latest->number).str())
      .Raw("revisions", JsonArray(revisions))
      .Raw("aliases", JsonArray(aliases))
      .str();
}

std::string ListsJson(const std::vector<std::string>& lists) {
  return JsonObject().Number("version", 1).Raw("lists", JsonArray(lists)).str() + "\n";
}

}  // namespace revctl::commands
