// RV027: a change that gives a landed revision another name, which its code uses. The fields behind such a gate are read from
// every file of the landed revision, also from those that never had them: right for a new word for the same thing, ruinous for
// what was a revision of its own before somebody's merge took it for one. A text cannot tell, so a person has to.
#include <map>

#include "revctl/commands/code_lines.h"
#include "revctl/commands/gate_parts.h"
#include "revctl/list/names.h"

namespace revctl::commands {

using findings::Done;
using findings::Result;

Result<Done> JudgeNewNames(ListGate& gate) {
  const list::RevisionList* const landed = gate.landed();
  if (landed == nullptr) return Done{};
  std::map<std::string, const list::Entry*> names;
  std::vector<std::string> patterns;
  for (const list::Entry* entry : list::NewNames(*landed, gate.ours(), gate.config())) {
    names.emplace(entry->name, entry);
    patterns.push_back(entry->name);
  }
  if (names.empty()) return Done{};
  const std::string list_path = gate.sides().path;
  auto lines = gate.request().side.Grep(patterns, {"-F", "-w"});
  if (!lines.ok()) return lines.error();
  for (const std::string& line : *lines) {
    const auto hit = ParseCodeLine(line);
    if (!hit || hit->path == list_path || !IsSource(hit->path)) continue;
    const std::string code = CodeOf(hit->text);
    for (auto at = names.begin(); at != names.end();) {
      const auto& [name, entry] = *at;
      if (!HoldsWord(code, name)) {
        ++at;
        continue;
      }
      gate.Add("RV027",
               name + " is new, used by code (" + hit->path + ":" + std::to_string(hit->line) + "), and only another name for " + entry->alias_of + " (" +
                   std::to_string(entry->number) + "), which has landed: what is gated on it is read from every file of that revision",
               entry->line, name,
               "is it a revision of its own? take its line out, and revctl reserve " + name + "; is it only a new name? land it under `aliases` in .revctl.yaml first");
      at = names.erase(at);  // one place is enough
    }
  }
  return Done{};
}

}  // namespace revctl::commands
