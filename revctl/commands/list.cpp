#include "revctl/commands/json_text.h"
#include "revctl/commands/views.h"
#include "revctl/commands/command.h"

namespace revctl::commands {
namespace {

std::string Json(const ListView& view) {
  std::vector<std::string> revisions, aliases;
  for (const list::Lineage& lineage : list::Lineages(view.working, LineageRoot(*view.config))) {
    const list::Entry& entry = *view.working.Find(lineage.name);
    revisions.push_back(JsonObject()
                            .Text("name", entry.name)
                            .Number("number", entry.number)
                            .Number("line", entry.line)
                            .Text("state", view.StateOf(entry))
                            .Text("lineage", list::LineageText(lineage.hash))
                            .str());
  }
  for (const list::Entry& entry : view.working.entries) {
    if (entry.kind == list::EntryKind::Alias) {
      aliases.push_back(JsonObject().Text("name", entry.name).Number("number", entry.number).str());
    }
  }
  const list::Entry* latest = view.working.Latest();
  return JsonObject()
      .Text("path", view.config->path)
      .Text("name", view.config->name)
      .Raw("latest", latest == nullptr ? "null" : JsonObject().Text("name", latest->name).Number("number", latest->number).str())
      .Raw("revisions", JsonArray(revisions))
      .Raw("aliases", JsonArray(aliases))
      .str();
}

std::string Text(const ListView& view, bool headed) {
  std::string out = headed ? view.config->path + "\n" : "";
  std::size_t width = 0;
  for (const list::Entry* entry : view.working.Revisions()) width = std::max(width, std::to_string(entry->number).size());
  for (const list::Entry* entry : view.working.Revisions()) {
    const std::string number = std::to_string(entry->number);
    const std::string_view state = view.StateOf(*entry);
    out += std::string(width - number.size(), ' ') + number + "  " + entry->name;
    if (state != "landed") out += "  (" + std::string(state) + ")";
    out += "\n";
  }
  return out;
}

Outcome Run(const Arguments&, Session& session) {
  auto workspace = Workspace::Open(session);
  if (!workspace.ok()) return workspace.error();
  auto lists = workspace->Lists(session);
  if (!lists.ok()) return lists.error();
  auto snapshot = workspace->OpenLedger(session).Cached();
  if (!snapshot.ok()) return snapshot.error();
  std::vector<std::string> items;
  std::string text;
  for (const list::ListConfig* config : *lists) {
    auto view = LookAt(*workspace, *config, *snapshot);
    if (!view.ok()) return view.error();
    items.push_back(Json(*view));
    text += Text(*view, lists->size() > 1);
  }
  session.Out(session.json() ? JsonObject().Number("version", 1).Raw("lists", JsonArray(items)).str() + "\n" : text);
  return findings::Exit::Fine;
}

}  // namespace

Command ListCommand() {
  return {"list", "the revisions, evaluated as the compiler does",
          "Prints every revision with its number and whether it has landed, is pending here, or has a\n"
          "provisional number. Asks no server: what has landed is what the last fetch saw.",
          "$ revctl list\n665  SR_STAMINA\n666  SR_BOSS_PHASE  (pending)", {}, {}, Run};
}

}  // namespace revctl::commands
