// One bad commit on top of a ledger must not stop a team: what stands below it is known and sound.
#include "revctl/ledger/sound.h"

#include <optional>

namespace revctl::ledger {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

/// How many bad commits on top are passed over. More are an attack on the time of each command.
constexpr int kMostUnsound = 256;

Result<State> Named(Result<State> state, const git::Oid& commit, const std::string& id) {
  if (!state.ok() || id.empty() || state->id == id) return state;
  return Error{Exit::Environment,
               "the ledger at " + commit.substr(0, 10) + " has the id " + state->id.substr(0, 12) +
                   ", .revctl.yaml names " + id.substr(0, 12) +
                   ": it belongs to another project, or was begun anew",
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
  auto listed = repository.ListFiles(commit, "");
  if (!listed.ok()) return listed.error();
  for (const git::TreeFile& file : *listed) {
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
  std::optional<Error> first;
  std::optional<git::Oid> at = tip;
  for (int passed = 0; at && passed <= kMostUnsound; ++passed) {
    auto state = Named(ReadState(repository, *at), *at, id);
    if (state.ok())
      return SoundState{std::move(*state), *at, first ? first->message : std::string()};
    if (!first) first = state.error();
    if (state.error().exit == Exit::Usage) break;
    auto commit = repository.ReadCommit(*at);
    if (!commit.ok() || commit->parents.empty()) break;
    at = commit->parents[0];
  }
  return *first;
}

}  // namespace revctl::ledger
