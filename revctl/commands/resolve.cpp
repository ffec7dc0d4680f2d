// resolve [PATH]: a list that was left with markers, or that a clean text merge has put wrong.
#include <array>
#include <filesystem>

#include "revctl/commands/command.h"
#include "revctl/commands/merge_context.h"
#include "revctl/commands/workspace.h"
#include "revctl/config/files.h"
#include "revctl/list/edit.h"

namespace revctl::commands {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

/// Base, ours and theirs of an unfinished merge, as the index still has them; nullopt: the index
/// has no conflict there.
Result<std::optional<std::array<std::string, 3>>> Stages(const git::Repository& repository,
                                                         const std::string& path) {
  auto listed = repository.Git({"ls-files", "-z", "--unmerged", "--", path});
  if (!listed.ok()) return listed.error();
  std::array<std::string, 3> out;
  if (!listed->ok() || listed->out.empty()) return std::optional<std::array<std::string, 3>>();
  for (std::size_t at = 0; at < listed->out.size();) {
    // "MODE OID STAGE\tPATH"
    const std::size_t end = std::min(listed->out.find('\0', at), listed->out.size());
    const std::string line = listed->out.substr(at, end - at);
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (second != std::string::npos && line.size() > second + 1 && line[second + 1] >= '1' &&
        line[second + 1] <= '3') {
      auto blob = repository.Git({"cat-file", "blob", line.substr(first + 1, second - first - 1)});
      if (!blob.ok()) return blob.error();
      if (!blob->ok())
        return Error{Exit::Environment,
                     "a side of the merge cannot be read: " + git::Talk(blob->err), ""};
      out[static_cast<std::size_t>(line[second + 1] - '1')] = std::move(blob->out);
    }
    at = end + 1;
  }
  return std::optional<std::array<std::string, 3>>(std::move(out));
}

/// A text merge brings back what `.revctl.yaml` says was purged, without a marker.
Result<findings::Done> DropPurged(const list::ListConfig& list, list::MergeOutput& merged) {
  auto parsed = list::Parse(merged.text, list, list.path);
  if (merged.conflict || !parsed.ok()) return findings::Done{};
  std::vector<std::string> names;
  for (const list::Entry* entry : parsed->Revisions()) {
    if (list.purged.contains(entry->name)) names.push_back(entry->name);
  }
  if (names.empty()) return findings::Done{};
  auto text = list::Remove(*parsed, list, names);
  if (!text.ok()) return text.error();
  merged.text = std::move(*text);
  for (const std::string& name : names)
    merged.messages.push_back(list.path + ": " + name +
                              " is taken out again: it had landed and was purged");
  return findings::Done{};
}

Outcome ResolveOne(const Workspace& workspace, const list::ListConfig& list, Session& session) {
  auto text = workspace.ReadList(list);
  if (!text.ok()) return text.error();
  const std::string path = workspace.GitPath(list.path);
  auto scene = GatherMergeScene(workspace.root(), path);
  if (!scene.ok()) return scene.error();
  scene->context.text_merge = PlainTextMerge(7);
  auto stages = Stages(workspace.repository(), path);
  if (!stages.ok()) return stages.error();
  Result<list::MergeOutput> merged = Error{};
  const bool markers = list::ConflictMarkerLine(*text) != 0;
  if (markers && *stages) {
    const auto& sides = **stages;
    list::MergeInput input;
    input.base = sides[0];
    input.ours = sides[1];
    input.theirs = sides[2];
    input.path = list.path;
    merged = list::Merge(input, scene->context, list);
  }
  if (!merged.ok()) merged = list::Resolve(*text, list.path, scene->context, list);
  if (!merged.ok()) return merged.error();
  auto dropped = DropPurged(list, *merged);
  if (!dropped.ok()) return dropped.error();
  for (const std::string& message : merged->messages) session.Talk(message);
  if (merged->text != *text) {
    auto written = workspace.WriteList(list, merged->text);
    if (!written.ok()) return written.error();
  }
  if (merged->conflict) {
    session.Talk(list.path + ": what contradicts itself is left between markers, line " +
                 std::to_string(list::ConflictMarkerLine(merged->text)));
    return Exit::Findings;
  }
  session.Out(list.path +
              (merged->text == *text
                   ? ": nothing to mend\n"
                   : ": mended" + std::string(*stages ? "; git add " + list.path : "") + "\n"));
  return Exit::Fine;
}

Outcome RunResolve(const Arguments& arguments, Session& session) {
  auto workspace = Workspace::Open(session);
  if (!workspace.ok()) return workspace.error();
  auto lock = workspace->LockLists(session);
  if (!lock.ok()) return lock.error();
  if (arguments.Has("PATH")) {
    const std::string absolute = config::ResolvedPath(
        (std::filesystem::path(session.directory) / arguments.Value("PATH")).string());
    for (const auto& list : workspace->config().lists) {
      if (config::ResolvedPath(workspace->FilePath(list.path)) == absolute)
        return ResolveOne(*workspace, list, session);
    }
    return Error{Exit::Usage, arguments.Value("PATH") + " is no list of .revctl.yaml",
                 "revctl resolve"};
  }
  auto lists = workspace->Lists(session);
  if (!lists.ok()) return lists.error();
  Exit worst = Exit::Fine;
  for (const auto* list : *lists) {
    auto outcome = ResolveOne(*workspace, *list, session);
    if (!outcome.ok()) return outcome;
    if (*outcome != Exit::Fine) worst = *outcome;
  }
  return worst;
}

}  // namespace

Command ResolveCommand() {
  return {
      "resolve",
      "mend a list left with conflict markers, or merged wrongly",
      "Does after the fact what the merge driver would have done. Landed entries get their landed\n"
      "numbers back, pending ones follow; `revctl renumber` then confirms those.",
      "$ revctl resolve && git add src/master_version_list.h",
      {{"PATH", "the list (default: all)", Positional::Count::Optional, Hint::File}},
      {},
      RunResolve};
}

}  // namespace revctl::commands
