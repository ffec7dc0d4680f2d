// What a plan makes: of the list's text, and for the compiler.
#include <fmt/core.h>
#include <set>

#include "revctl/list/writing/edit.h"
#include "revctl/pending/paths.h"
#include "revctl/pending/plan.h"

namespace revctl::pending {

Result<std::string> FoldedText(const list::RevisionList& list, const list::ListConfig& config,
                               const Plan& plan) {
  if (plan.order.empty()) return list.text;
  std::vector<list::NewEntry> entries;
  entries.reserve(plan.order.size());
  for (const Numbered& one : plan.order) entries.push_back({one.name, one.number, one.message});
  return list::AppendAll(list, config, entries);
}

Result<list::RevisionList> Folded(const list::RevisionList& list, const list::ListConfig& config,
                                  const Plan& plan) {
  if (plan.order.empty()) return list;
  TRY(auto text, FoldedText(list, config, plan));
  TRY(auto parsed, list::Parse(text, config, list.path));
  std::set<std::string_view> pending;
  for (const Numbered& one : plan.order) pending.insert(one.name);
  for (list::Entry& entry : parsed.entries) {
    if (!pending.contains(entry.name)) continue;
    entry.pending_file = FilePath(config, entry.name);
    entry.line = 1;
  }
  return parsed;
}

std::string IncludeText(const list::RevisionList& list, const list::ListConfig& config,
                        const Plan& plan) {
  std::string out =
      fmt::format("// Written by `revctl sync` from the files in {}/. Not in git; do not edit.\n",
                  Folder(config));
  const list::Entry* latest = list.Latest();
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const Numbered& one = plan.order[i];
    out += one.name;
    // Implicit counting goes on from the entry above, which may be an alias of an older one.
    if (i == 0) {
      out += latest != nullptr && latest->number + 1 == one.number
                 ? fmt::format(" = {} + 1", latest->name)
                 : fmt::format(" = {}", one.number);
    }
    out += ",\n";
  }
  return out;
}

}  // namespace revctl::pending
