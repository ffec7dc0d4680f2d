// RV026: `oldest` goes up in this change, so upgrade code for files below it is not reached
// any more. It compiles, no test runs it, and the change was made to be rid of it.
#include <map>
#include <utility>

#include "revctl/gate/rules.h"
#include "revctl/list/names.h"
#include "revctl/source_scan/revision_gates.h"

namespace revctl::commands {

using findings::Severity;

namespace {

/// More places than this are a list for `revctl purge --dry-run`, not for a gate's report.
constexpr int kMaxNotes = 100;

/// `BattleSide::NONE` beside `enum class Version`, whose entries share no prefix.
bool IsForeign(const std::vector<CodeToken>& tokens, std::size_t at, const list::ListConfig& config,
               const list::RevisionList& list) {
  return config.prefix.empty() && list.scoped && at > 1 && tokens[at - 1].Is("::") &&
         tokens[at - 2].IsName() && tokens[at - 2].text != list.enum_name;
}

/// What follows the comparison throws: a guard against old files.
bool Refuses(const std::vector<CodeToken>& tokens, std::size_t at) {
  std::size_t i = at + 1;
  while (i < tokens.size() && tokens[i].Is(")")) ++i;
  if (i > at + 1 && i < tokens.size() && tokens[i].Is("{")) ++i;
  return i > at + 1 && i < tokens.size() && tokens[i].Is("throw");
}

}  // namespace

Result<Done> CheckDeadCode(const GateRequest& request, const list::ListConfig& config,
                           const list::ListConfig& before, const list::RevisionList& list,
                           std::vector<findings::Finding>& out) {
  const list::Entry* const oldest = list.Find(config.oldest);
  if (oldest == nullptr || before.oldest == config.oldest) return Done{};
  // Without a revision it began with the first; one that was purged meanwhile stood below all that
  // are left.
  const list::Entry* const was = before.oldest.empty() ? nullptr : list.Find(before.oldest);
  std::vector<const list::Entry*> dead;
  for (const list::Entry& entry : list.entries) {
    // `version < MINIMAL` refuses what is too old: a guard, which does not die.
    const bool guards = list::IsOldestName(entry.name) ||
                        (entry.kind == list::EntryKind::Alias && entry.number == oldest->number);
    if (entry.kind == list::EntryKind::Sentinel || entry.number > oldest->number || guards ||
        (was != nullptr && entry.number <= was->number))
      continue;
    dead.push_back(&entry);
  }
  if (dead.empty()) return Done{};
  std::vector<std::string> texts;
  if (!config.prefix.empty()) {
    texts.push_back(config.prefix);
  } else {
    for (const list::Entry* entry : dead) texts.push_back(entry->name);
  }
  std::map<std::string_view, const list::Entry*> by_name;
  for (const list::Entry* entry : dead) by_name.emplace(entry->name, entry);
  int told = 0;
  TRY(EachSource(request.side, texts, request.watch, [&](const SourceCode& file) {
    if (file.path() == request.prefix + config.path) return;
    int last = 0;  // one note a line
    for (std::size_t i = 0; i < file.tokens().size(); ++i) {
      const auto found =
          file.tokens()[i].IsName() ? by_name.find(file.tokens()[i].text) : by_name.end();
      if (found == by_name.end() || !OnlyForOlder(file.tokens(), i) ||
          IsForeign(file.tokens(), i, config, list) || Refuses(file.tokens(), i))
        continue;
      const int line = file.Line(file.tokens()[i]);
      if (line == std::exchange(last, line) || ++told > kMaxNotes) continue;
      const std::string& name = found->second->name;
      out.push_back(
          {"RV026", Severity::Note,
           fmt::format("only for files below {}, which nothing reads once `oldest` is {}", name,
                       config.oldest),
           file.path(), line, name,
           fmt::format("remove it once this has landed; revctl purge --below {} drops the entries",
                       config.oldest)});
    }
  }));
  return Done{};
}

}  // namespace revctl::commands
