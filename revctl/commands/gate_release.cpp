// Release branches: a file of revision n is read as if it had every field up to n, so that a
// release has all of them or none.
#include <map>

#include "revctl/commands/gate_parts.h"
#include "revctl/commands/list_at.h"

namespace revctl::commands {

using findings::Error;
using findings::Exit;

findings::Result<findings::Done> JudgeRelease(ListGate& gate) {
  const GateRequest& request = gate.request();
  const list::ListConfig& config = gate.config();
  const list::RevisionList& ours = gate.ours();
  if (!request.main_tip) {
    return Error{
        Exit::Environment,
        request.main_label + " is not known here, which a release's list must be a prefix of",
        "revctl check --fetch"};
  }
  const auto at_tip = ListAt(*request.repository, *request.main_tip, request.prefix, config);
  if (!at_tip.ok()) return at_tip.error();
  const list::ListConfig& there = at_tip->config;
  auto main = list::Parse(at_tip->text.value_or(""), config, request.prefix + there.path);
  if (!main.ok()) return main.error();
  // What has been purged on either side is no fault of a release that was made before: main's
  // `oldest` is main's as it is now.
  const list::Entry* oldest = nullptr;
  for (const std::string& name : {config.oldest, there.oldest}) {
    const list::Entry* one = name.empty() ? nullptr : main->Find(name);
    if (one != nullptr && (oldest == nullptr || oldest->number < one->number)) oldest = one;
  }
  const std::string main_text = request.main_label + " at " + request.main_tip->substr(0, 10);
  const auto line = main->Revisions();
  // by name; in the end those that are on no line of the target
  std::map<std::string, const list::Entry*> own;
  for (const list::Entry* entry : ours.Revisions()) own.emplace(entry->name, entry);
  std::string missing;
  for (const list::Entry* entry : line) {
    if (oldest != nullptr && entry->number < oldest->number) continue;
    const auto found = own.find(entry->name);
    if (found == own.end()) {
      if (missing.empty()) missing = entry->name;
      continue;
    }
    const list::Entry* const mine = found->second;
    own.erase(found);
    if (mine->number != entry->number) {
      gate.Add("RV018",
               entry->name + " is " + std::to_string(mine->number) + " here and " +
                   std::to_string(entry->number) + " on " + main_text,
               mine->line, entry->name, "give it the number of " + request.main_label);
    } else if (!missing.empty()) {
      gate.Add("RV018",
               entry->name + " (" + std::to_string(entry->number) + ") is here without " + missing +
                   ", which stands before it on " + main_text + ": files of " + entry->name +
                   " would be read as if they had the fields of " + missing,
               mine->line, entry->name,
               "a single revision cannot be back-ported: bring every revision up to it, or make "
               "the fix without a new field");
    }
  }
  for (const auto& [name, mine] : own) {
    const bool was_there =
        there.purged.empty() || there.purged.contains(name) || main->Find(name) != nullptr;
    if (oldest != nullptr && mine->number < oldest->number && was_there) continue;
    gate.Add("RV018",
             name + " is on no line of " + main_text + ": a release takes no revision of its own",
             mine->line, name,
             "land it on " + request.main_label + " first, then bring all revisions up to it");
  }
  return findings::Done{};
}

}  // namespace revctl::commands
