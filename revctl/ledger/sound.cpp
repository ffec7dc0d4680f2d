// One bad commit on top of a ledger must not stop a team: what stands below it is known and sound.
#include "revctl/ledger/sound.h"

#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "revctl/ledger/contradiction.h"

namespace revctl::ledger {
namespace {

constexpr std::size_t kMostFiles = 10'000;

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
  // Before their bytes: one commit may have a million files.
  if (listed.size() > kMostFiles)
    return Error{Exit::Environment,
                 fmt::format("the ledger at {} holds {} files: it has at most {}, one a list",
                             commit.substr(0, 10), listed.size(), kMostFiles),
                 "revctl doctor --repair-ledger"};
  for (const git::TreeFile& file : listed) {
    auto text = repository.ReadFile(commit, file.path);
    // Exit::Usage is for formats of newer versions.
    if (!text.ok())
      return Error{Exit::Environment, text.error().message, "revctl doctor --repair-ledger"};
    files[file.path] = text->value_or("");
  }
  return ParseState(files, commit.substr(0, 10));
}

void ChainCheck::TakeSaid(const Event& event, const State& after) {
  const auto there = after.lists.find(event.list);
  if (there == after.lists.end()) return;
  if (event.kind == Event::Kind::Create || event.kind == Event::Kind::TakeOver) return;
  const auto here = sound_->state.lists.find(event.list);
  ListState mine = here == sound_->state.lists.end() ? ListState{} : here->second;
  const Room room{mine.high_water, std::nullopt, static_cast<std::int64_t>(event.steps.size())};
  std::map<std::string_view, const Reservation*> held, now;
  for (const Reservation& one : mine.open) held.emplace(one.name, &one);
  for (const Reservation& one : there->second.open) now.emplace(one.name, &one);
  std::vector<Reservation> given;
  std::set<std::string> closed;
  for (const Step& step : event.steps) {
    const auto old = held.find(step.name), is = now.find(step.name);
    if (event.kind == Event::Kind::Release) {
      if (is == now.end()) closed.insert(step.name);
      continue;
    }
    if (is == now.end() || is->second->number != step.number) continue;
    if (mine.high_water && step.number <= *mine.high_water) continue;
    if (TooFar(step.number, room)) continue;
    if (old != held.end() && !SamePerson(old->second->who, is->second->who)) continue;
    given.push_back(*is->second);
    now.erase(is);
  }
  std::erase_if(mine.open, [&](const Reservation& one) { return closed.contains(one.name); });
  mine.GiveAll(given);
  if (!given.empty() || !closed.empty()) sound_->state.lists[event.list] = std::move(mine);
}

State ChainCheck::WithoutRuin(State state) {
  if (!sound_ || known_ == nullptr) return state;
  const auto mark = [](const State& from, const std::string& list) {
    const auto found = from.lists.find(list);
    return found == from.lists.end() ? std::nullopt : found->second.high_water;
  };
  for (auto list = state.lists.begin(); list != state.lists.end();) {
    const auto& [name, after] = *list;
    const Room room{mark(sound_->state, name), mark(*known_, name), steps_};
    const bool ruined = after.high_water && TooFar(*after.high_water, room);
    if (ruined && !before_ruin_) before_ruin_ = sound_->commit;
    const auto before = sound_->state.lists.find(name);
    if (ruined && before == sound_->state.lists.end()) {
      list = state.lists.erase(list);
      continue;
    }
    if (ruined) list->second = before->second;
    ++list;
  }
  return state;
}

void ChainCheck::Add(const git::Oid& commit, const std::optional<Event>& event,
                     const Result<State>& state) {
  if (event) steps_ += static_cast<std::int64_t>(event->steps.size());
  if (!state.ok()) {
    why_ = state.error().message;
    if (state.error().exit == Exit::Usage) newer_ = state.error();
    return;
  }
  State here = WithoutRuin(*state);
  if (const auto wrong = sound_ ? Unsound(sound_->state, event, here) : std::nullopt) {
    why_ = fmt::format("the ledger at {}: {}", commit.substr(0, 10), *wrong);
    if (event) TakeSaid(*event, here);
    return;
  }
  sound_ = SoundState{std::move(here), commit, {}};
  newer_.reset();
  steps_ = 0;
}

Result<SoundState> ReadSound(const git::Repository& repository, const git::Oid& tip,
                             const std::string& id, const std::optional<git::Oid>& judged,
                             std::size_t window) {
  const auto read = [&](const git::Oid& commit) {
    return Named(ReadState(repository, commit), commit, id);
  };
  const auto tip_state = read(tip);
  if (tip_state.ok() && judged == tip) return SoundState{*tip_state, tip, {}};
  // Newest first: down to one that was judged before, or that follows from the one below it.
  std::vector<std::pair<git::Oid, std::optional<Event>>> chain;
  std::optional<git::Oid> at = tip;
  for (;; window *= 2) {
    for (bool base = false; at && !base;) {
      auto commit = repository.ReadCommit(*at);
      if (!commit.ok()) {  // of a shallow clone: the last one that is here
        if (chain.empty() && !tip_state.ok()) return tip_state.error();
        if (chain.empty()) return SoundState{*tip_state, tip, {}};
        at.reset();
        break;
      }
      chain.emplace_back(*at, ParseEvent(commit->message));
      const bool known = judged == *at;
      at = commit->parents.empty() || known ? std::nullopt
                                            : std::optional<git::Oid>(commit->parents[0]);
      if (!at || judged || chain.size() < window) continue;
      const auto below = read(*at), here = read(chain.back().first);
      base = below.ok() && here.ok() && !Unsound(*below, chain.back().second, *here);
    }
    ChainCheck all;
    for (auto link = chain.rbegin(); link != chain.rend(); ++link)
      all.Add(link->first, link->second, link->first == tip ? tip_state : read(link->first));
    // A bad one far below would make all above it look bad, too.
    const bool counts = all.sound() && all.sound()->commit == tip;
    if (!counts && at) continue;
    if (all.newer()) return *all.newer();
    if (!all.sound()) return tip_state.error();
    SoundState out = *all.sound();
    if (!counts) out.unsound = all.why();
    return out;
  }
}

}  // namespace revctl::ledger
