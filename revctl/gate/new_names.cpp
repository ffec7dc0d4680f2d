// RV027: a change that gives a landed revision another name, which its code uses. The fields behind
// such a gate are read from every file of the landed revision, also from those that never had them:
// right for a new word for the same thing, ruinous for what was a revision of its own before
// a merge took it for one. A text cannot tell, so a person has to.
#include <map>

#include "revctl/gate/rules.h"
#include "revctl/list/names.h"
#include "revctl/source_scan/source_code.h"

namespace revctl::commands {

Result<Done> CheckNewNames(ListGate& gate) {
  const list::RevisionList* const landed = gate.landed();
  if (landed == nullptr) return Done{};
  std::map<std::string, const list::Entry*, std::less<>> names;
  std::vector<std::string> texts;
  for (const list::Entry* entry : list::NewNames(*landed, gate.ours(), gate.config())) {
    names.emplace(entry->name, entry);
    texts.push_back(entry->name);
  }
  if (names.empty()) return Done{};
  const std::string list_path = gate.sides().path;
  TRY(EachSource(gate.request().side, texts, gate.request().watch, [&](const SourceCode& file) {
    if (file.path() == list_path) return;
    for (const CodeToken& token : file.tokens()) {
      const auto at = token.IsName() ? names.find(token.text) : names.end();
      if (at == names.end()) continue;
      const auto& [name, entry] = *at;
      gate.Add(
          "RV027",
          name + " is new, used by code (" + file.path() + ":" + std::to_string(file.Line(token)) +
              "), and only another name for " + entry->alias_of + " (" +
              std::to_string(entry->number) +
              "), which has landed: what is gated on it is read from every file of that revision",
          entry->line, name,
          "is it a revision of its own? take its line out, and revctl reserve " + name +
              "; is it only a new name? land it under `aliases` in .revctl.yaml first");
      names.erase(at);  // one place is enough
    }
  }));
  return Done{};
}

}  // namespace revctl::commands
