// Removes old revisions from the list, and sets `lineage_root` so that the lineages of the
// remaining revisions do not change.
#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "golden/index.h"
#include "golden/revision_record.h"
#include "revctl/base/counted.h"
#include "revctl/base/file.h"
#include "revctl/commands/table.h"
#include "revctl/config/edit_config.h"
#include "revctl/config/files.h"
#include "revctl/list/writing/edit.h"
#include "revctl/session/progress_line.h"
#include "revctl/source_scan/revision_gates.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

/// Prints the code that the purge affects: code that names a dropped revision and therefore no
/// longer compiles, and code for files older than the oldest revision, which compiles but is never
/// reached.
base::Result<base::Done> TellDeadCode(const Workspace& workspace, const list::ListConfig& config,
                                      const std::vector<std::string>& names,
                                      const std::string& oldest, Session& session) {
  if (names.empty()) return base::Done{};
  std::vector<std::string> searched = names;
  searched.push_back(oldest);
  TRY(auto hits, workspace.Here().LinesWith(searched));
  // The locations (`path:line`) of code that only handles files older than `oldest`.
  std::set<std::string> older;
  TRY(EachSource(workspace.Here(), {oldest}, {}, [&](const SourceCode& file) {
    for (std::size_t i = 0; i < file.tokens().size(); ++i) {
      const CodeToken& token = file.tokens()[i];
      if (token.IsName() && token.text == oldest && OnlyForOlder(file.tokens(), i))
        older.insert(fmt::format("{}:{}", file.path(), file.Line(token)));
    }
  }));
  std::string gone, dead;
  for (const std::string& hit : hits) {
    if (hit.starts_with(workspace.GitPath(config.path) + ":") ||
        hit.starts_with(workspace.GitPath(std::string(config::kFileName)) + ":") ||
        (!config.golden.empty() && hit.starts_with(workspace.GitPath(config.golden) + "/")))
      continue;
    const bool names_dropped = std::any_of(
        names.begin(), names.end(), [&](const std::string& name) { return HoldsWord(hit, name); });
    if (names_dropped) gone += fmt::format("  {}\n", hit);
    else if (const auto line = ParseCodeLine(hit);
             line && older.contains(fmt::format("{}:{}", line->path, line->line)))
      dead += fmt::format("  {}\n", hit);
  }
  if (!gone.empty()) session.Out("code that still names dropped revisions:\n" + gone);
  if (!dead.empty())
    session.Out(fmt::format(
        "code that is now dead, because it only handled files older than {}:\n{}", oldest, dead));
  return base::Done{};
}

/// Warns about imported goldens of dropped revisions. They prove that such save files exist, but
/// the program will no longer load those files.
void TellUnreadImports(const Workspace& workspace, const list::ListConfig& config,
                       const std::vector<std::string>& dropped, const std::string& below,
                       Session& session) {
  if (config.golden.empty()) return;
  constexpr std::size_t kLargestRecord = std::size_t{64} << 20;
  const std::string folder = workspace.root() + "/" + config.golden;
  const auto files = base::ListFiles(folder);
  if (!files.ok()) return;  // no goldens have been recorded yet
  std::string imports, oldest;
  for (const std::string& file : *files) {
    const auto name = golden::ParseFileName(file);
    if (!name || name->kind != golden::FileName::Kind::Record || !name->IsAddition() ||
        std::find(dropped.begin(), dropped.end(), name->revision) == dropped.end())
      continue;
    const auto text = base::ReadFile(folder + "/" + file, kLargestRecord);
    if (!text.ok() || !*text) continue;
    const auto record = golden::ParseRecord(**text, file);
    if (!record.ok() || record->provenance.command != "import") continue;
    const auto add = [&](const golden::Case& item) {
      imports += fmt::format("  {}/{} ({}/{})\n", name->revision, item.name, config.golden, file);
    };
    for (const golden::Case& item : record->cases) add(item);
    for (const golden::LargeCase& large : record->large) add(large.item);
    const auto place = std::find(dropped.begin(), dropped.end(), name->revision);
    if (oldest.empty() || place < std::find(dropped.begin(), dropped.end(), oldest))
      oldest = name->revision;
  }
  if (imports.empty()) return;
  session.Out(
      fmt::format("imported files older than {}, which no longer load:\n{}if they must load, undo "
                  "this purge and keep their revisions: {}\n",
                  below, imports, CommandFor(workspace, config, "purge --below " + oldest)));
}

Outcome RunPurge(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto found, workspace.OneList(session.list));
  const list::ListConfig& config = *found;
  const std::string below = arguments.Value("--below");
  if (below.empty())
    return Error{Exit::Usage, "missing --below NAME; NAME is the oldest revision to keep",
                 CommandFor(workspace, config, fmt::format("purge --below {}NAME", config.prefix))};
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  TRY(auto snapshot, workspace.LastSeen(ListenerOf(session)));
  TRY(auto view, ReadListView(workspace, config, snapshot));
  if (!view.numbering().HasLanded(below))
    return Error{Exit::Usage,
                 fmt::format("{} has not landed on {}; the oldest revision must have landed", below,
                             workspace.TargetLabel()),
                 "revctl list"};
  // If an earlier run was killed after writing the config, the config has the new root but the list
  // is still the old one. In that case, take the old root from the target.
  list::ListConfig from = config;
  if (snapshot.target && view.landed &&
      view.working.Revisions().front()->name == view.landed->Revisions().front()->name) {
    TRY(const auto landed_config, workspace.At(*snapshot.target).Config());
    const auto* landed = landed_config ? landed_config->ListNamed(config.name) : nullptr;
    if (landed != nullptr) from.lineage_root = landed->lineage_root;
  }
  TRY(auto alone, workspace.ParseListAlone(config));
  TRY(auto purged, list::Purge(alone, from, below));
  const std::string config_path = workspace.root() + "/" + std::string(config::kFileName);
  TRY(auto text, config::ReadFile(config_path, config::kMaxConfigBytes));
  TRY(auto edited, config::SetListKey(text.value_or(""), config.name, "oldest", below));
  TRY(edited, config::SetListKey(edited, config.name, "lineage_root", purged.lineage_root));
  // Record the dropped names, because branches that were created before the purge may bring their
  // entries back.
  list::Names names_gone = view.purged;
  for (const std::string& name : purged.dropped) {
    if (view.numbering().HasLanded(name)) names_gone.insert(name);
  }
  TRY(edited, config::SetPurged(edited, config.name, names_gone));
  if (purged.dropped.empty()) {
    session.Message("nothing to drop: no revision is older than " + below);
    return Exit::Fine;
  }
  if (!arguments.Has("--dry-run")) {
    // Write the config first, because the new root cannot be computed from the purged list. `check`
    // reports changed lineages until the list is written. Running the command again completes the
    // purge.
    TRY(config::ReplaceFile(config_path, edited));
    if (const auto written = workspace.WriteList(config, purged.text); !written.ok()) {
      // Restore the config if possible.
      (void)config::ReplaceFile(config_path, text.value_or(""));
      return written.error();
    }
  }
  std::string names;
  for (const std::string& name : purged.dropped) names += " " + name;
  session.Out(fmt::format("dropped {} below {}:{}\nlineage_root: {}, oldest: {} (.revctl.yaml)\n",
                          base::Counted(purged.dropped.size(), "revision"), below, names,
                          purged.lineage_root, below));
  for (const std::string& alias : purged.aliases_moved)
    session.Out(fmt::format("{} now names {}\n", alias, below));
  for (const std::string& alias : purged.aliases_dropped)
    session.Out(alias + " is dropped, because it named a dropped revision\n");
  TRY(TellDeadCode(workspace, config, purged.dropped, below, session));
  TellUnreadImports(workspace, config, purged.dropped, below, session);
  return Exit::Fine;
}

}  // namespace

Command PurgeCommand() {
  return {{"purge",
           "drop revisions whose files no longer need to load",
           "Removes the entries before NAME from the list, and writes `oldest` and `lineage_root` "
           "into\n.revctl.yaml, so that files that still load keep their lineage. Lists upgrade "
           "code\nthat is now dead.",
           "$ revctl purge --below SR_PLAYERS",
           {},
           {{"--below", "NAME", "the oldest revision to keep", Hint::Revision},
            {"--dry-run", "", "print the entries to drop; change nothing"}}},
          RunPurge};
}

}  // namespace revctl::commands
