// One bad commit on top of a ledger must not stop a team: what stands below it is known and sound.
#include "revctl/ledger/sound.h"

#include <fmt/core.h>
#include <optional>
#include <vector>

#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/event.h"

namespace revctl::ledger {
namespace {

using base::Error;
using base::Exit;
using base::Result;

/// A commit that does not follow from the one below it.
struct Link {
  git::Oid commit;
  std::optional<Event> event;
  State state;
};

/// How many bad commits on top are passed over. More are an attack on the time of each command.
constexpr int kMostUnsound = 256;

Result<State> Named(Result<State> state, const git::Oid& commit, const std::string& id) {
  if (!state.ok() || id.empty() || state->id == id) return state;
  return Error{Exit::Environment,
               fmt::format("the ledger at {} has the id {}, .revctl.yaml names {}: it belongs to "
                           "another project, or was begun anew",
                           commit.substr(0, 10), state->id.substr(0, 12), id.substr(0, 12)),
               "revctl doctor --repair-ledger"};
}

}  // namespace

Result<State> ReadState(const git::Repository& repository, const git::Oid& commit) {
  Files files;
  // Asked first: what was pushed may be a project's whole tree.
  const auto head = repository.ReadFile(commit, "ledger");
  if (!head.ok())
    return Error{Exit::Environment, head.error().message, "revctl doctor --repair-ledger"};
  if (!*head) return ParseState(files, commit.substr(0, 10));
  TRY(auto listed, repository.ListFiles(commit, ""));
  for (const git::TreeFile& file : listed) {
    auto text = repository.ReadFile(commit, file.path);
    // Exit::Usage is for formats of newer versions.
    if (!text.ok())
      return Error{Exit::Environment, text.error().message, "revctl doctor --repair-ledger"};
    files[file.path] = text->value_or("");
  }
  return ParseState(files, commit.substr(0, 10));
}

Result<SoundState> ReadSound(const git::Repository& repository, const git::Oid& tip,
                             const std::string& id) {
  // Down to a commit that follows from the one below it.
  std::vector<Link> doubtful;
  std::optional<Error> first;
  std::optional<SoundState> sound;
  std::optional<git::Oid> at = tip;
  for (int passed = 0; at && !sound && passed <= kMostUnsound; ++passed) {
    auto state = Named(ReadState(repository, *at), *at, id);
    if (!state.ok() && !first) first = state.error();
    if (!state.ok() && state.error().exit == Exit::Usage) break;
    auto commit = repository.ReadCommit(*at);
    if (!commit.ok() && state.ok()) sound = SoundState{std::move(*state), *at, {}};
    if (!commit.ok()) break;
    const git::Oid here = *at;
    at = commit->parents.empty() ? std::nullopt : std::optional<git::Oid>(commit->parents[0]);
    if (!state.ok()) continue;
    Link link{here, ParseEvent(commit->message), std::move(*state)};
    const auto below = at ? Named(ReadState(repository, *at), *at, id) : Error{};
    const bool follows = below.ok() && !Unsound(*below, link.event, link.state);
    if (!at || follows) sound = SoundState{std::move(link.state), here, {}};
    else doubtful.push_back(std::move(link));
  }
  if (!sound && doubtful.empty()) return *first;
  if (!sound) {
    sound = SoundState{std::move(doubtful.back().state), doubtful.back().commit, {}};
    doubtful.pop_back();
  }
  // And up again: what others have written on top of a bad one follows from what is below that.
  std::string why = first ? first->message : std::string();
  for (; !doubtful.empty(); doubtful.pop_back()) {
    Link& link = doubtful.back();
    if (const auto wrong = Unsound(sound->state, link.event, link.state))
      why = fmt::format("the ledger at {}: {}", link.commit.substr(0, 10), *wrong);
    else sound = SoundState{std::move(link.state), link.commit, {}};
  }
  if (sound->commit != tip) sound->unsound = why;
  return std::move(*sound);
}

}  // namespace revctl::ledger
