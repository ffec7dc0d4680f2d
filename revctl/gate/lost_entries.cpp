// RV022 as an error: a commit of this change had an entry or a pending file, or the ledger has its
// reservation; the list has it no more, and code still uses the name. A hand merge that takes the
// target's list alone does that, or a rebase, and the result does not compile.
#include <algorithm>
#include <map>
#include <queue>

#include "revctl/base/shell_word.h"
#include "revctl/gate/rules.h"
#include "revctl/pending/paths.h"
#include "revctl/source_scan/source_code.h"
#include "revctl/tree/list_at.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// A push may have any number of commits, each with a large list: so many bytes of lists and names
/// of pending files are looked at, from the newest commit back. Older ones say nothing: neither
/// does a rebase.
constexpr std::size_t kMostBytes = std::size_t{64} << 20, kMostFiles = 1'000'000;
/// A text that has to be parsed costs as many bytes that are only read.
constexpr std::size_t kParsing = 7;
/// Names that are looked for in code; more fit into no command line.
constexpr std::size_t kMostLost = 500, kLongestLost = 200;

/// Commits that `tip` has and `without` lacks, newest first. Where clocks of authors differ much, a
/// few of `without` may come along.
Result<std::vector<git::Oid>> OwnCommits(const git::Repository& repository, const git::Oid& tip,
                                         const git::Oid& without) {
  struct Seen {
    bool theirs = false;
    bool done = false;
    std::vector<git::Oid> parents;
  };
  std::map<git::Oid, Seen> seen;
  std::priority_queue<std::pair<std::int64_t, git::Oid>> open;
  std::size_t ours = 0;  // of those in `open`
  const auto meet = [&](const git::Oid& id, bool theirs) -> Result<Done> {
    const auto [at, fresh] = seen.try_emplace(id);
    if (fresh) {
      auto commit = repository.ReadCommit(id);
      if (!commit.ok()) {
        TRY(auto shallow, repository.IsShallow());
        if (!shallow) return commit.error();
        seen.erase(at);  // the clone ends here
        return Done{};
      }
      at->second.parents = commit->parents;
      open.emplace(commit->time, id);
      ours += theirs ? 0 : 1;
    } else if (theirs && !at->second.theirs && !at->second.done) {
      --ours;
    }
    at->second.theirs = at->second.theirs || theirs;
    return Done{};
  };
  TRY(meet(without, true));
  TRY(meet(tip, false));
  std::vector<git::Oid> out;
  while (ours > 0) {
    const git::Oid id = open.top().second;
    open.pop();
    Seen& one = seen[id];
    one.done = true;
    if (!one.theirs) {
      --ours;
      out.push_back(id);
    }
    const bool theirs = one.theirs;
    for (const git::Oid& parent : std::vector(one.parents)) TRY(meet(parent, theirs));
  }
  return out;
}

/// The list's text in a commit; nullopt: none that can be read. A commit on the way may be broken;
/// what is judged is where it leads.
std::optional<std::string> TextAt(const ListGate& gate, const git::Oid& commit) {
  const GateRequest& request = gate.request();
  if (auto text = request.repository->ReadFile(commit, gate.sides().path); text.ok() && *text)
    return std::move(*text);
  auto moved = ListAt(*request.repository, commit, request.prefix, gate.config());
  return moved.ok() ? std::move(moved->text) : std::nullopt;
}

bool IsThere(const ListGate& gate, const std::string& name) {
  return gate.there() != nullptr && gate.there()->Find(name) != nullptr;
}

/// Names that the list of a commit of this change has, and the change's has not, with that commit.
/// Those that have landed are left out: they stand on the target, and a merge brings them.
Result<std::map<std::string, git::Oid, std::less<>>> LostNames(const ListGate& gate) {
  std::map<std::string, git::Oid, std::less<>> lost;
  const GateRequest& request = gate.request();
  TRY(auto head, request.side.Head());
  if (!head || !request.target) return lost;
  std::vector<git::Oid> own;
  if (request.on_the_way) {
    // The first commit that takes an entry away is judged: those before it need no look.
    TRY(auto commit, request.repository->ReadCommit(*head));
    own = std::move(commit.parents);
  } else {
    // Down from the merge base: a target that is far ahead costs nothing.
    TRY(own,
        OwnCommits(*request.repository, *head, gate.sides().base_commit.value_or(*request.target)));
  }
  std::string last = gate.sides().ours.value_or("");
  std::size_t bytes = 0;
  for (const git::Oid& commit : own) {
    if (bytes >= kMostBytes) break;
    auto text = TextAt(gate, commit);
    bytes += text ? text->size() : 0;
    if (!text || *text == last) continue;
    bytes += kParsing * text->size();
    last = std::move(*text);
    const auto list = list::Parse(last, gate.config(), gate.sides().path);
    if (!list.ok()) continue;
    for (const list::Entry& entry : list->entries) {
      if (entry.name.starts_with(gate.config().prefix) && gate.ours().Find(entry.name) == nullptr &&
          !IsThere(gate, entry.name) && !gate.config().purged.contains(entry.name))
        lost.try_emplace(entry.name, commit);
    }
  }
  if (!AtLanding(gate.config())) return lost;
  std::size_t listed = 0;
  for (const git::Oid& commit : own) {
    if (listed >= kMostFiles) break;
    const auto files =
        request.repository->ListFiles(commit, request.prefix + pending::Folder(gate.config()));
    listed += files.ok() ? files->size() : 0;
    for (const git::TreeFile& file : files.ok() ? *files : std::vector<git::TreeFile>()) {
      const std::string name = pending::NameOfFile(file.path);
      if (!name.empty() && gate.ours().Find(name) == nullptr && !IsThere(gate, name) &&
          !gate.config().purged.contains(name))
        lost.try_emplace(name, commit);
    }
  }
  return lost;
}

/// Whether another person holds the reservation, or may hold it: an old copy of the ledger does not
/// say who does, but a commit says whose entry it was. `commit` is empty where there is none.
bool IsAnothers(const GateRequest& request, const ledger::Reservation* held,
                const git::Oid& commit) {
  const auto me = request.repository->Identity();
  if (!me.ok()) return false;
  if (held != nullptr) return !ledger::SamePerson(held->who, *me);
  if (request.ledger_asked || commit.empty()) return false;
  const auto made = request.repository->ReadCommit(commit);
  return made.ok() && !ledger::SamePerson(made->author, *me);
}

/// The command that puts the entry back, in the place that it can land on. Another person's, whose
/// branch was merged, is taken over.
std::string PutBack(const ListGate& gate, const std::string& name, const git::Oid& commit) {
  const GateRequest& request = gate.request();
  const std::string option = ListOption(gate.policy(), gate.config());
  std::string out = "revctl reserve " + name + option;
  if (request.repository->bare()) return out;
  const ledger::Reservation* held = nullptr;
  if (request.ledger != nullptr) {
    const auto found = request.ledger->state.lists.find(gate.config().name);
    if (found != request.ledger->state.lists.end()) held = found->second.Find(name);
  }
  if (IsAnothers(request, held, commit)) out += " --take-over";
  if (held == nullptr || gate.landed() == nullptr) return out;
  const auto landed = gate.landed()->Revisions();
  const bool behind = std::any_of(landed.begin(), landed.end(), [&](const list::Entry* entry) {
    return entry->number >= held->number;
  });
  return behind ? out + " && revctl renumber" + option : out;
}

}  // namespace

std::map<std::string, std::string, std::less<>> MissingReservations(
    const ListGate& gate, const std::vector<std::unique_ptr<ListGate>>& lists) {
  std::map<std::string, std::string, std::less<>> missing;
  const GateRequest& request = gate.request();
  if (request.ledger == nullptr || request.scope != GateRequest::Scope::Landing ||
      gate.config().prefix.empty() || AtLanding(gate.config()))
    return missing;
  const auto found = request.ledger->state.lists.find(gate.config().name);
  if (found == request.ledger->state.lists.end()) return missing;
  for (const ledger::Reservation& one : found->second.open) {
    const bool known = std::any_of(lists.begin(), lists.end(), [&](const auto& list) {
      return list->ours().Find(one.name) != nullptr || IsThere(*list, one.name) ||
             list->config().purged.contains(one.name);
    });
    if (!known) missing.emplace(one.name, PutBack(gate, one.name, {}));
  }
  return missing;
}

Result<Done> CheckLostEntries(ListGate& gate, const std::vector<std::unique_ptr<ListGate>>& lists) {
  // Without a prefix any word of the code may be meant.
  if (gate.config().prefix.empty() || gate.request().scope != GateRequest::Scope::Landing)
    return Done{};
  TRY(auto lost, LostNames(gate));
  std::vector<std::string> texts;
  for (auto at = lost.begin(); at != lost.end();) {
    const bool moved = std::any_of(lists.begin(), lists.end(), [&](const auto& other) {
      return other->ours().Find(at->first) != nullptr;
    });
    const bool sought = !moved && texts.size() < kMostLost && at->first.size() <= kLongestLost;
    if (sought) texts.push_back(at->first);
    at = !sought ? lost.erase(at) : std::next(at);
  }
  return EachSource(gate.request().side, texts, gate.request().watch, [&](const SourceCode& file) {
    if (file.path() == gate.sides().path) return;
    for (const CodeToken& token : file.tokens()) {
      const auto at = token.IsName() ? lost.find(token.text) : lost.end();
      if (at == lost.end()) continue;
      const auto& [name, commit] = *at;
      const std::string id = commit.substr(0, 10),
                        path = gate.request().prefix + pending::FilePath(gate.config(), name);
      gate.AddAt(file.path(), file.Line(token),
                 {"RV022", findings::Severity::Error,
                  name + " has left the list: commit " + id +
                      " of this change has its entry, and this line still uses it: put it back, or "
                      "take it out of the code",
                  "", 0, name,
                  AtLanding(gate.config())
                      ? fmt::format("git checkout {} -- {}", id, base::ShellPath(path))
                      : PutBack(gate, name, commit)});
      lost.erase(at);  // one place is enough
    }
  });
}

}  // namespace revctl::commands
