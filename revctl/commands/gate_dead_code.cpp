// RV026: `oldest` goes up in this change, so upgrade code for files below it is reached by nobody any more. It compiles, it is
// tested by nothing, and it is what the change was made to be rid of.
#include <algorithm>

#include "revctl/commands/code_lines.h"
#include "revctl/commands/gate_parts.h"

namespace revctl::commands {

using findings::Done;
using findings::Result;
using findings::Severity;

namespace {

/// More places than this are a list for `revctl purge --dry-run`, not for a gate's report.
constexpr int kMaxNotes = 100;

}  // namespace

Result<Done> JudgeDeadCode(const GateRequest& request, const list::ListConfig& config, const list::ListConfig& before,
                           const list::RevisionList& list, std::vector<findings::Finding>& out) {
  const list::Entry* const oldest = list.Find(config.oldest);
  if (oldest == nullptr || before.oldest == config.oldest) return Done{};
  // Without a revision it began with the first; one that was purged meanwhile stood below all that are left.
  const list::Entry* const was = before.oldest.empty() ? nullptr : list.Find(before.oldest);
  std::vector<const list::Entry*> dead;
  for (const list::Entry& entry : list.entries) {
    if (entry.kind == list::EntryKind::Sentinel || entry.number > oldest->number || (was != nullptr && entry.number <= was->number)) continue;
    dead.push_back(&entry);
  }
  if (dead.empty()) return Done{};
  std::vector<std::string> patterns, options = {"-F"};
  if (!config.prefix.empty()) {
    patterns.push_back(config.prefix);
  } else {
    options.emplace_back("-w");
    for (const list::Entry* entry : dead) patterns.push_back(entry->name);
  }
  auto lines = request.side.Grep(patterns, options);
  if (!lines.ok()) return lines.error();
  int told = 0;
  for (const std::string& line : *lines) {
    const auto hit = ParseCodeLine(line);
    if (!hit || hit->path == request.prefix + config.path || !IsSource(hit->path)) continue;
    const std::string code = CodeOf(hit->text);
    const auto found = std::find_if(dead.begin(), dead.end(), [&](const list::Entry* entry) { return OnlyForOlder(code, entry->name); });
    if (found == dead.end() || ++told > kMaxNotes) continue;
    out.push_back({"RV026", Severity::Note, "only for files below " + (*found)->name + ", which nothing reads once `oldest` is " + config.oldest,
                   hit->path, hit->line, (*found)->name, "remove it once this has landed; revctl purge --below " + config.oldest + " drops the entries", "", "", "", ""});
  }
  return Done{};
}

}  // namespace revctl::commands
