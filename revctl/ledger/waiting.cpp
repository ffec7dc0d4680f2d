// Implements requests. If many clones reserve at the same time, the clone whose push wins also
// reserves numbers for the clones that lost. A request is a commit without files, on a ref next to
// the ledger. Its message is the event that the clone could not push, and its author becomes the
// author of the answer.
#include <algorithm>
#include <limits>

#include "revctl/git/remote.h"
#include "revctl/ledger/chain.h"
#include "revctl/ledger/ledger.h"

namespace revctl::ledger {
namespace {

/// Limits the work that other clones' requests can add to one push.
constexpr std::size_t kMostAnswers = 64;

/// The clocks of two machines may differ by this many seconds.
constexpr std::int64_t kClockError = 2;

/// Returns the ref prefix of requests, such as refs/revctl/waiting/ for refs/revctl/ledger.
std::string FolderOf(const std::string& ledger) {
  return ledger.substr(0, ledger.rfind('/')) + "/waiting/";
}

/// Returns the event that reserves a number for the requested name, and the resulting state.
/// Returns nullopt if the name is taken or if the request does not reserve exactly one name.
std::optional<Change> AnswerTo(const git::CommitInfo& request, const State& state) {
  auto event = ParseEvent(request.message);
  if (!event || event->kind != Event::Kind::Reserve || event->steps.size() != 1)
    return std::nullopt;
  Change out{state, std::move(*event)};
  const auto list = out.state.lists.find(out.event.list);
  if (list == out.state.lists.end() || !list->second.high_water) return std::nullopt;
  Step& step = out.event.steps.front();
  if (list->second.Find(step.name) != nullptr) return std::nullopt;
  // Grant the requested number if it is above the high-water mark, because the requester's list may
  // already contain higher numbers. Write() rejects a jump that is too large.
  if (*list->second.high_water == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  step.number = std::max(step.number, *list->second.high_water + 1);
  list->second.Give(step.name, step.number, request.author);
  return out;
}

}  // namespace

bool Ledger::TakesRequests() const { return !settings_.ref.starts_with("refs/heads/"); }

bool Ledger::IsCrowded(const Snapshot& before, const Snapshot& now, std::int64_t begin) const {
  if (!now.tip || now.tip == before.tip) return false;
  const auto newest = repository_.ReadCommit(*now.tip);
  return newest.ok() && newest->time >= begin - kClockError;
}

Result<std::optional<git::RefAt>> Ledger::LeaveRequest(const Change& change) {
  const std::optional<git::RefAt> none;
  if (change.event.kind != Event::Kind::Reserve || change.event.steps.size() != 1) return none;
  git::NewCommit commit;
  TRY(commit.author, repository_.Identity());
  const std::string nonce = RandomHex(32);
  commit.message = FormatEvent(change.event, nonce);
  TRY(auto written, repository_.WriteCommit(commit));
  git::RefAt request{FolderOf(settings_.ref) + nonce, std::move(written)};
  TRY(const auto pushed,
      git::PushWithLease(repository_, settings_.remote, request.ref, request.id, std::nullopt));
  return pushed.accepted ? std::optional(std::move(request)) : none;
}

Result<Snapshot> Ledger::RefreshWithRequests(bool may_be_missing,
                                             std::vector<git::RefAt>& requests) {
  const std::string there = FolderOf(settings_.ref);
  const std::string here = "refs/revctl/incoming/" + RandomHex(16) + "/";
  TRY(const auto fetched, git::Fetch(repository_, settings_.remote,
                                     {{"refs/heads/" + settings_.target, TargetRef(), true},
                                      {settings_.ref, CacheRef(), false},
                                      {there + "*", here + "*", true}}));
  TRY(const auto refs, repository_.Refs(here));
  for (const auto& [ref, id] : refs) {
    requests.push_back({there + ref.substr(here.size()), id});
    TRY(repository_.DeleteRef(ref));
  }
  return fetched.ok ? Cached() : Refresh(may_be_missing);
}

Result<Ledger::Prepared> Ledger::WithAnswers(Prepared prepared,
                                             const std::vector<git::RefAt>& requests) {
  if (requests.empty() || !prepared.before.target) return prepared;
  Snapshot at = prepared.before;
  at.tip = prepared.commit;
  TRY(at.state, ReadState(repository_, prepared.commit));
  for (const git::RefAt& request : requests) {
    if (prepared.answered.size() == kMostAnswers) break;
    const auto asked = repository_.ReadCommit(request.id);
    if (!asked.ok() || !ParseEvent(asked->message)) continue;  // not a request that revctl wrote
    prepared.answered.push_back(request);
    auto answer = AnswerTo(*asked, at.state);
    if (!answer) continue;  // for example, because the name already has a reservation
    auto written = Write(at, *answer, asked->author);
    if (!written.ok()) continue;
    at.tip = std::move(*written);
    at.state = std::move(answer->state);
  }
  prepared.commit = *at.tip;
  return prepared;
}

}  // namespace revctl::ledger
