// Implements `show NAME|NUMBER|LINEAGE|FILE`, which prints everything known about a name, a number,
// or the list with which a save file was written.
#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/system/files.h"
#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/findings/printable.h"
#include "revctl/git/history.h"
#include "revctl/list/writing/codegen.h"
#include "revctl/lookup/lineage_search.h"
#include "revctl/lookup/list_json.h"
#include "revctl/session/progress_line.h"
#include "revctl/source_scan/source_code.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

struct Fact {
  std::string kind;
  std::string text;
};

bool IsNumber(const std::string& text) {
  const std::size_t digits = text.starts_with('-') ? 1 : 0;
  return text.size() > digits && text.size() < 19 &&
         base::IsNumber(std::string_view(text).substr(digits));
}

bool IsLineage(const std::string& text) { return text.size() == 16 && base::IsHex(text); }

/// True if a shallow clone lacks the parents of `commit`.
Result<bool> IsCutOff(const git::Repository& repository, const git::Oid& commit) {
  TRY(auto boundary, config::ReadFile(repository.common_dir() + "/shallow", config::kMaxListBytes));
  return boundary.value_or("").find(commit) != std::string::npos;
}

/// Parses the file `path` at `commit` as a list, with the given config. Returns nullopt if the file
/// does not exist or is unreadable.
Result<std::optional<list::RevisionList>> ParseFile(const git::Repository& repository,
                                                    const git::Oid& commit, const std::string& path,
                                                    const list::ListConfig& config) {
  TRY(auto text, repository.ReadFile(commit, path));
  if (!text.has_value()) return std::optional<list::RevisionList>();
  auto list = list::Parse(*text, config, path);
  if (!list.ok()) return std::optional<list::RevisionList>();
  return std::optional<list::RevisionList>(std::move(*list));
}

/// Maximum number of changes to an entry's comment or number that FirstCommit follows back in time.
constexpr int kMostRewrites = 200;

/// Returns the commit that added the name to the list in the history of `tip`, or nullopt. Blames
/// the entry's line, and continues from the previous commit as long as that commit's list contains
/// the name. This rarely costs much more than a single blame.
Result<std::optional<git::CommitInfo>> FirstCommit(const Workspace& workspace,
                                                   const list::ListConfig& config,
                                                   const git::Oid& tip, const std::string& name) {
  const git::Repository& repository = workspace.repository();
  auto there = workspace.At(tip).List(config);
  std::string path = workspace.GitPath(there.ok() ? there->config.path : config.path);
  git::Oid at = tip, first;
  for (int i = 0; i < kMostRewrites; ++i) {
    TRY(auto list, ParseFile(repository, at, path, config));
    const list::Entry* entry = list ? list->Find(name) : nullptr;
    if (entry == nullptr) break;
    TRY(auto blamed, git::BlameLine(repository, at, path, entry->line));
    if (!blamed) break;
    first = blamed->commit;
    if (blamed->before.empty() || !config::IsSafePath(blamed->path_before)) break;
    at = blamed->before;
    path = blamed->path_before;
  }
  if (first.empty()) return std::optional<git::CommitInfo>();
  TRY(auto commit, repository.ReadCommit(first));
  return std::optional<git::CommitInfo>(std::move(commit));
}

/// Returns the lines that contain the name. In C++ sources, ignores comments and strings.
Result<std::vector<Fact>> CodeWith(const Workspace& workspace, const list::ListConfig& config,
                                   const std::string& name) {
  const Tree side = workspace.Here();
  TRY(auto hits, side.LinesWith({name}));
  std::vector<Fact> out;
  /// Numbers of the lines that contain code, by path; nullopt if the file cannot be split into
  /// tokens.
  std::map<std::string, std::optional<std::set<int>>> sources;
  for (const std::string& hit : hits) {
    if (hit.starts_with(workspace.GitPath(config.path) + ":")) continue;
    const auto line = ParseCodeLine(hit);
    if (line && IsSource(line->path)) {
      const auto [lines, fresh] = sources.try_emplace(line->path);
      if (fresh) {
        TRY(auto text, side.ReadSource(line->path));
        const SourceCode file(line->path, std::move(text).value_or(""));
        if (file.problem().empty()) lines->second.emplace();
        for (const CodeToken& token : file.tokens()) {
          if (token.IsName() && token.text == name) lines->second->insert(file.Line(token));
        }
      }
      if (lines->second && !lines->second->contains(line->line)) continue;
    }
    out.push_back({"code", hit});
  }
  return out;
}

Result<std::vector<Fact>> AboutName(const Workspace& workspace, const list::ListConfig& config,
                                    const ledger::Ledger& ledger, const ledger::Snapshot& snapshot,
                                    const std::string& what) {
  TRY(auto view, ReadListView(workspace, config, snapshot));
  std::vector<Fact> out;
  std::set<std::string> names;
  const std::optional<std::int64_t> number =
      IsNumber(what) ? std::optional<std::int64_t>(std::stoll(what)) : std::nullopt;
  auto fits = [&](const std::string& name, std::int64_t value) {
    return number ? value == *number : name == what;
  };
  for (const list::Entry* entry : view.working.Revisions()) {
    if (!fits(entry->name, entry->number)) continue;
    names.insert(entry->name);
    const std::string& file = entry->pending_file.empty() ? config.path : entry->pending_file;
    out.push_back({"list", fmt::format("{} = {}, {}:{}, {}{}{}", entry->name, entry->number, file,
                                       entry->line, view.StateOf(*entry),
                                       entry->comment.empty() ? "" : ": ", entry->comment)});
  }
  if (view.landed) {
    for (const list::Entry* entry : view.landed->Revisions()) {
      if (!fits(entry->name, entry->number)) continue;
      names.insert(entry->name);
      out.push_back({"landed", fmt::format("{} = {} on {}", entry->name, entry->number,
                                           workspace.TargetLabel())});
    }
  }
  TRY(ledger.History([&](const ledger::Record& record) {
    if (record.event.list != config.name) return true;
    for (const ledger::Step& step : record.event.steps) {
      if (!fits(step.name, step.number) && !(step.previous && fits(step.name, *step.previous)))
        continue;
      names.insert(step.name);
      const std::string before = step.previous ? fmt::format("{} -> ", *step.previous) : "";
      std::string text = fmt::format("{} {} {}{}, {}", ledger::KindName(record.event.kind),
                                     step.name, before, step.number, Described(record.commit));
      if (!record.event.comment.empty()) text += ": " + record.event.comment;
      out.push_back({"ledger", text});
    }
    return true;
  }));
  TRY(auto head, workspace.repository().Head());
  // Run the searches in parallel, because each one is slow in a large repository and mostly waits
  // for git.
  std::deque<std::future<Result<std::vector<Fact>>>> searches;
  for (const std::string& name : names)
    searches.push_back(
        std::async(std::launch::async, [&, name] { return CodeWith(workspace, config, name); }));
  for (const std::string& name : names) {
    const std::optional<git::Oid> tip = view.numbering().HasLanded(name) ? snapshot.target : head;
    if (tip) {
      TRY(auto commit, FirstCommit(workspace, config, *tip, name));
      if (commit) {
        TRY(auto cut, IsCutOff(workspace.repository(), commit->id));
        // In a shallow clone, every line seems to have been added by the oldest commit.
        out.push_back(
            {"commit",
             cut ? fmt::format(
                       "{} is older than the history of this shallow clone, which starts at {}; "
                       "run git fetch --unshallow",
                       name, commit->id.substr(0, 10))
                 : fmt::format("{} was added by {}", name, Described(*commit))});
      }
    }
    TRY(auto code, searches.front().get());
    searches.pop_front();
    out.insert(out.end(), code.begin(), code.end());
  }
  return out;
}

struct Rescue {
  std::string output;  ///< path of the file to write; empty if none was requested
  bool written = false;
};

/// Writes a new file. Refuses to overwrite an existing file, because the user may have mistyped the
/// name.
Result<base::Done> WriteNew(const std::string& output, const std::string& text) {
  if (base::KindAt(output) != base::PathKind::None) {
    auto there = config::ReadFile(output, config::kMaxListBytes);
    if (there.ok() && there->has_value() && **there == text) return base::Done{};
    return Error{Exit::Usage, output + ": already exists",
                 "choose another name for --output, or remove the file"};
  }
  return config::ReplaceFile(output, text);
}

/// Writes the list for `convert --written-with`: in the format of `list --json` if the file name
/// ends in `.json`, otherwise in the format of `codegen`.
Result<base::Done> WriteOut(const std::string& output, const list::RevisionList& list,
                            list::ListConfig config, std::uint64_t root) {
  if (output.ends_with(".json"))
    return WriteNew(output, findings::JsonSafe(ListsJson({ListJson(list, config, root, {})})));
  const list::Entry* oldest = list.Find(config.oldest);
  if (oldest == nullptr || oldest->kind != list::EntryKind::Revision) config.oldest.clear();
  TRY(auto table, list::GenerateTable(list, config, list::Lineages(list, root), config.path));
  return WriteNew(output, table);
}

Result<std::vector<Fact>> AboutLineage(const Workspace& workspace, const list::ListConfig& config,
                                       const std::string& wanted, Rescue& rescue) {
  TRY(auto found, FindLineage(workspace, config, wanted));
  std::vector<Fact> out;
  if (!found) return out;
  const LineageFound& then = *found;
  out.push_back({"lineage", fmt::format("{} = {} in {}", then.name, then.number, then.where)});
  const auto working = workspace.ParseWorking(config);
  const list::Entry* latest = working.ok() ? working->Latest() : nullptr;
  const std::string go_on = fmt::format(
      "; then run your harness: convert FILE --written-with {} --to-revision {} -o OURS",
      rescue.output.empty() ? "theirs.h" : rescue.output,
      latest == nullptr ? "NAME" : latest->name);
  if (rescue.output.empty()) {
    out.push_back(
        {"lineage", fmt::format("to read files of this lineage: revctl show {} --output theirs.h{}",
                                base::ShellWord(wanted), go_on)});
    return out;
  }
  TRY(WriteOut(rescue.output, then.list, config, then.root));
  rescue.written = true;
  out.push_back({"lineage", fmt::format("wrote the list to {}{}", rescue.output, go_on)});
  return out;
}

/// The header of a save file (docs/formats/save-file.md).
struct SaveHeader {
  std::string magic;  ///< the magic in printable form
  std::int32_t revision = 0;
  std::uint64_t lineage = 0;
};

/// Reads the first 16 bytes of a save file. Does not check the magic, because programs may choose
/// their own magic.
Result<SaveHeader> ReadHeader(const std::string& path, const std::string& shown) {
  constexpr std::size_t kHeaderBytes = 16;
  std::ifstream file(std::filesystem::path(path), std::ios::binary);
  std::array<char, kHeaderBytes> bytes{};
  if (!file.read(bytes.data(), kHeaderBytes))
    return Error{
        Exit::Usage,
        findings::Quoted(shown) + ": too short for a save file: the header alone takes 16 bytes",
        "revctl show NAME"};
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t out = 0;
    for (std::size_t i = size; i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
    return out;
  };
  const auto revision = static_cast<std::int32_t>(static_cast<std::uint32_t>(number(4, 4)));
  return SaveHeader{std::string(bytes.data(), 4), revision, number(8, 8)};
}

/// Returns facts about the revision that wrote the file and the programs that can read it. Returns
/// no facts if the list has no revision with this number and lineage.
Result<std::vector<Fact>> AboutFile(const Workspace& workspace, const list::ListConfig& config,
                                    const ledger::Ledger& ledger, const ledger::Snapshot& snapshot,
                                    const SaveHeader& header) {
  std::vector<Fact> out;
  TRY(const auto working, workspace.ParseWorking(config));
  for (const list::Lineage& one : list::Lineages(working, LineageRoot(config))) {
    if (header.lineage != 0 && one.hash != header.lineage) continue;
    const list::Entry* entry = working.Find(one.name);
    if (entry == nullptr || entry->number != header.revision) continue;
    const list::Entry* oldest = working.Find(config.oldest);
    const bool too_old = oldest != nullptr && entry->number < oldest->number;
    out.push_back(
        {"file",
         fmt::format("written at {} = {} of {}; {}", entry->name, entry->number, config.path,
                     too_old ? "the current code cannot read it, because it is older than `oldest`"
                             : fmt::format("programs at {} or later can read it", entry->name))});
    TRY(auto more, AboutName(workspace, config, ledger, snapshot, entry->name));
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  return out;
}

Outcome RunShow(const Arguments& arguments, Session& session) {
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto lists, workspace.Lists(session.list));
  std::string what = arguments.Value("WHAT");
  std::optional<SaveHeader> header;
  const bool named = IsNumber(what) || IsLineage(what) || config::IsIdentifier(what);
  const std::filesystem::path path = std::filesystem::path(session.directory) / what;
  std::error_code error;
  if (!named && std::filesystem::is_regular_file(path, error)) {
    TRY(header, ReadHeader(path.generic_string(), what));
    what = header->lineage == 0 ? std::to_string(header->revision)
                                : list::LineageText(header->lineage);
  } else if (!named) {
    return Error{
        Exit::Usage,
        findings::Quoted(what) + " is not a name, a number, a lineage (16 hex digits) or a file",
        "revctl show NAME"};
  }
  auto ledger = workspace.OpenLedger();
  TRY(auto snapshot, workspace.LastSeen(ListenerOf(session)));
  Rescue rescue;
  if (arguments.Has("--output"))
    rescue.output = (std::filesystem::path(session.directory) / arguments.Value("--output"))
                        .lexically_normal()
                        .generic_string();
  if (!rescue.output.empty() && !IsLineage(what))
    return Error{Exit::Usage, fmt::format("--output needs a lineage (16 hex digits), not {}", what),
                 "revctl show " + base::ShellWord(what)};
  std::vector<Fact> facts;
  std::string near;
  if (header) {
    facts.push_back(
        {"file", fmt::format("magic {}, revision {}, lineage {}", findings::Quoted(header->magic),
                             header->revision,
                             header->lineage == 0 ? "none (the program that wrote it had no list)"
                                                  : list::LineageText(header->lineage))});
    std::vector<Fact> known;
    for (const auto* list : lists) {
      TRY(auto found, AboutFile(workspace, *list, ledger, snapshot, *header));
      known.insert(known.end(), found.begin(), found.end());
    }
    facts.insert(facts.end(), known.begin(), known.end());
    if (!known.empty()) lists.clear();
    // If no current list contains the file's revision, the loop below searches the history of every
    // list for the file's lineage.
  }
  for (const auto* list : lists) {
    if (rescue.written) break;
    TRY(auto found, IsLineage(what) ? AboutLineage(workspace, *list, what, rescue)
                                    : AboutName(workspace, *list, ledger, snapshot, what));
    facts.insert(facts.end(), found.begin(), found.end());
    if (found.empty() && near.empty() && config::IsIdentifier(what)) {
      auto view = ReadListView(workspace, *list, snapshot);
      if (view.ok()) near = NearName(*view, what);
    }
  }
  if (session.json()) {
    Json::List items;
    for (const Fact& fact : facts)
      items.push_back(Json::Object().Set("kind", fact.kind).Set("text", fact.text));
    session.OutJson(
        Json::Object().Set("version", 1).Set("what", what).Set("facts", std::move(items)));
  } else {
    for (const Fact& fact : facts)
      session.Out(fmt::format("{:9}{}\n", fact.kind, findings::Printable(fact.text)));
  }
  if (facts.empty() || (header && facts.size() == 1)) {
    session.Message(
        fmt::format("{} is not in the list, the ledger or the history{} (as of the last fetch; "
                    "to fetch: revctl status --fetch)",
                    what, near));
    return Exit::Findings;
  }
  return Exit::Fine;
}

}  // namespace

Command ShowCommand() {
  return {
      {"show",
       "show everything about a revision, number or save file",
       "Shows who has a name or a number, since when, and which code uses it. For a save file it "
       "shows\nwhich revision wrote it, and which programs can read it. For a lineage it searches "
       "all versions of\nthe list on branches, tags and stashes of this clone.",
       "$ revctl show 667\nlist     SR_BOSS_PHASE = 667, src/master_version_list.h:14, pending\n"
       "$ revctl show 5d5b2e01c7a3f944 --output theirs.h",
       {{"WHAT", "a name, a number, a lineage or a file", Positional::Count::One, Hint::Revision}},
       {{"--output", "FILE",
         "write the list as it was at this lineage, for `convert --written-with`", Hint::File}}},
      RunShow};
}

}  // namespace revctl::commands
