#include "revctl/ledger/ledger.h"

#include <fmt/core.h>
#include <algorithm>
#include <random>
#include <thread>

#include "revctl/base/shell_word.h"
#include "revctl/config/config.h"
#include "revctl/git/changes.h"
#include "revctl/git/remote.h"
#include "revctl/ledger/chain.h"

namespace revctl::ledger {

using Clock = std::chrono::steady_clock;

namespace {

std::string Seconds(Clock::duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

std::mt19937& Random() {
  thread_local std::mt19937 random{std::random_device{}()};
  return random;
}

/// Waits after a lost race. The time is random and grows with the duration of the attempt, because
/// attempts take longer when more clones are pushing. If all losers waited equally long, they would
/// collide again.
void Pause(Clock::duration took) {
  const auto longest = std::clamp<Clock::duration>(took * 2, std::chrono::milliseconds(10),
                                                   std::chrono::seconds(30));
  std::this_thread::sleep_for(
      Clock::duration(std::uniform_int_distribution<Clock::rep>(0, longest.count())(Random())));
}

/// Commit gives up after this many consecutive pushes that were rejected, apparently because of a
/// lock, while no ref moved.
constexpr int kMostLockedPushes = 8;

bool Contains(const std::vector<git::RefAt>& requests, const git::RefAt& request) {
  return std::any_of(requests.begin(), requests.end(),
                     [&](const git::RefAt& one) { return one.ref == request.ref; });
}

}  // namespace

Ledger::Ledger(git::Repository& repository, Settings settings, Progress progress)
    : repository_(repository), settings_(std::move(settings)), progress_(std::move(progress)) {}

std::string Ledger::CacheRef() const {
  return HasRemote() ? fmt::format("{}{}{}", kCopiesOfLedgers, settings_.remote, kCopyOfLedger)
                     : settings_.ref;
}

std::string Ledger::TargetRef() const {
  return HasRemote() ? fmt::format("refs/remotes/{}/{}", settings_.remote, settings_.target)
                     : "refs/heads/" + settings_.target;
}

Result<Snapshot> Ledger::Read(std::optional<git::Oid> tip, std::optional<git::Oid> target) const {
  Snapshot out;
  out.tip = std::move(tip);
  out.target = std::move(target);
  if (!out.tip) return out;
  TRY(auto valid, ReadLastValid(repository_, *out.tip, settings_.id));
  if (valid.newer) return *valid.newer;
  out.state = std::move(valid.state);
  out.skipped = std::move(valid.skipped);
  return out;
}

Result<Snapshot> Ledger::Cached() const {
  TRY(auto tip, repository_.Resolve(CacheRef()));
  if (!tip) {
    TRY(auto local, FindLocal());
    if (local) tip = std::move(local->tip);
  }
  TRY(auto target, repository_.Resolve(TargetRef()));
  return Read(std::move(tip), std::move(target));
}

Result<git::Oid> Ledger::Write(const Snapshot& snapshot, const Change& change) {
  TRY(const auto who, repository_.Identity());
  return Write(snapshot, change, who);
}

Result<git::Oid> Ledger::Write(const Snapshot& snapshot, const Change& change,
                               const git::Person& who) {
  git::NewCommit commit;
  State state = change.state;
  if (state.id.empty()) state.id = settings_.id.empty() ? RandomHex(32) : settings_.id;
  commit.files = FormatState(state);
  if (auto again = ParseState(commit.files, "hand"); !again.ok())
    return Error{Exit::Usage,
                 "this event would make the ledger unreadable: " + ErrorText(again.error()),
                 "choose a shorter ASCII name"};
  // Do not write a commit that every reader would skip.
  if (auto wrong = ValidateEvent(snapshot.state, change.event, state))
    return Error{Exit::Usage, "this event " + *wrong, "choose a lower number"};
  commit.parent = snapshot.tip;
  commit.author = who;
  commit.message = FormatEvent(change.event, RandomHex(32));
  return repository_.WriteCommit(commit);
}

/// Returns the snapshot after a write. The new tip is valid, but `skipped` still describes the
/// problem with the previous tip.
Result<Snapshot> Ledger::Written(const git::Oid& written, const Snapshot& before) const {
  TRY(auto now, Read(written, before.target));
  now.skipped = before.skipped;
  return now;
}

Result<Snapshot> Ledger::CommitLocally(const Plan& plan) {
  const auto begin = Clock::now();
  int unmoved = 0;  // consecutive failed attempts during which the ref did not move
  for (int attempt = 0;; ++attempt) {
    const auto attempt_begin = Clock::now();
    auto snapshot = Refresh(true);
    if (!snapshot.ok()) return snapshot;
    TRY(auto change, plan(*snapshot));
    if (!change) return snapshot;
    TRY(auto written, Write(*snapshot, *change));
    TRY(auto moved, repository_.UpdateRef(settings_.ref, written, snapshot->tip));
    if (moved) return Written(written, *snapshot);
    if (git::IsRaceLost(Clock::now() - begin, attempt + 1, std::chrono::minutes(10))) break;
    const auto took = Clock::now() - attempt_begin;
    TRY(const auto now, repository_.Resolve(settings_.ref));
    unmoved = now == snapshot->tip ? unmoved + 1 : 0;
    if (unmoved > 0 && !git::WaitForLock(unmoved - 1))
      return git::LockedHere(repository_, settings_.ref);
    Pause(took);
  }
  return Error{Exit::LostRace,
               fmt::format("other processes kept updating {} for {}", settings_.ref,
                           Seconds(Clock::now() - begin)),
               "try again"};
}

std::string Ledger::MirrorFix() const {
  const std::string key = fmt::format("remote.{}.mirror", settings_.remote);
  auto mirror = repository_.ConfigValue(key);
  if (!mirror.ok() || !*mirror || (**mirror != "true" && **mirror != "1" && **mirror != "yes"))
    return "";
  return fmt::format(
      "git config --unset {}   # git cannot push a single ref to a mirror remote, and pushing all "
      "refs deletes the ledger",
      base::ShellWord(key));
}

Error Ledger::Refused(const Snapshot& snapshot, const git::PushReport& refusal) const {
  if (git::IsRace(refusal.reason))
    return git::LockedOnServer(settings_.remote, settings_.ref, refusal);
  // If the server gave no reason for this ref, then either the connection failed or the server
  // accepts no pushes at all. Moving the ledger to a branch would not help in either case.
  const bool namespace_refused =
      !settings_.ref.starts_with("refs/heads/") && !snapshot.tip && !refusal.reason.empty();
  return RejectedLedger(settings_.ref, refusal, namespace_refused);
}

Error Ledger::RejectedLedger(const std::string& ref, const git::PushReport& refusal,
                             bool needs_branch) const {
  Error error = git::Rejected(
      "remote " + settings_.remote, ref, refusal,
      fmt::format("ask for permission to push {}, or set `reservation: optional` in .revctl.yaml",
                  settings_.ref));
  if (const std::string mirror = MirrorFix(); !mirror.empty()) {
    error.fix = mirror;
  } else if (needs_branch) {
    error.fix = fmt::format("if the host accepts only branches, set `ledger: {}` in .revctl.yaml",
                            config::kBranchLedger);
    error.fix_kind = base::ErrorFix::BranchLedger;
  }
  return error;
}

/// Commits the change that `plan` returns, on top of the local copies of the ledger and the target.
/// Returns nullopt if a fetch is needed first: either a copy is missing or damaged, or the plan
/// fails or has nothing to write, which may change with the server's current state.
std::optional<Ledger::Prepared> Ledger::PrepareOnLastSeen(const Plan& plan) {
  if (settings_.missing) return std::nullopt;
  auto seen = Cached();
  if (!seen.ok() || !seen->tip || !seen->target) return std::nullopt;
  auto change = plan(*seen);
  if (!change.ok() || !*change) return std::nullopt;
  auto commit = Write(*seen, **change);
  if (!commit.ok()) return std::nullopt;
  return Prepared{std::move(*seen), std::move(*commit), {}};
}

Result<git::PushReport> Ledger::Push(const Prepared& prepared, bool target_must_stay) const {
  const Snapshot& before = prepared.before;
  if (target_must_stay && before.target)
    return git::PushWhileOtherRefStays(
        repository_, settings_.remote, {settings_.ref, prepared.commit}, before.tip,
        {"refs/heads/" + settings_.target, *before.target}, prepared.answered);
  return git::PushWithLease(repository_, settings_.remote, settings_.ref, prepared.commit,
                            before.tip);
}

Result<Snapshot> Ledger::Commit(const Plan& plan, bool may_create) {
  if (!HasRemote()) {
    auto present = Refresh(may_create);
    if (!present.ok()) return present;
    return CommitLocally(plan);
  }
  TRY(std::string moved, MoveToRemote());
  auto written = CommitToRemote(plan, may_create);
  if (written.ok()) written->moved = std::move(moved);
  else if (!moved.empty()) written.error().message = moved + "; " + written.error().message;
  return written;
}

Result<Snapshot> Ledger::CommitToRemote(const Plan& plan, bool may_create) {
  Race race;
  race.may_ask = race.may_answer = TakesRequests();
  auto done = CommitUntilWon(plan, may_create, race);
  // Withdraw this call's request. If another clone has answered the request in the meantime, this
  // does nothing.
  if (race.asked)
    static_cast<void>(
        git::DeleteWithLease(repository_, settings_.remote, race.asked->ref, race.asked->id));
  return done;
}

Result<Snapshot> Ledger::CommitUntilWon(const Plan& plan, bool may_create, Race& race) {
  if (auto prepared = PrepareOnLastSeen(plan)) {
    ++race.attempts;
    TRY(auto won, PushOnce(std::move(*prepared), race));
    if (won) return std::move(*won);
    // The local copies may just be outdated, so fetch without waiting.
  }
  while (true) {
    ++race.attempts;
    const auto attempt_begin = Clock::now();
    TRY(Snapshot now, FetchForPush(may_create, race));
    if (race.rejected) {
      TRY(const bool landed, HasLanded(*race.rejected, now));
      if (landed) return now;
      TRY(DecideHowToRetry(now, race));
    }
    TRY(auto change, plan(now));
    if (!change) return now;
    TRY(const bool waits, AskTheWinner(now, *change, race));
    if (waits) {
      Pause(Clock::now() - attempt_begin);
      continue;
    }
    TRY(auto commit, Write(now, *change));
    TRY(auto prepared, WithAnswers({std::move(now), std::move(commit), {}}, race.requests));
    TRY(auto won, PushOnce(std::move(prepared), race));
    if (won) return std::move(*won);
    const auto spent = Clock::now() - race.begin;
    race.is_time_over = git::IsRaceLost(spent, race.attempts, std::chrono::minutes(10));
    if (progress_ && spent > std::chrono::seconds(1))
      progress_(
          fmt::format("another push updated the ledger first; attempt {}", race.attempts + 1));
    // Back off only after losing a race. If the remote rejected the push, retry immediately to
    // confirm the rejection.
    if (git::IsRace(race.refusal.reason) && !race.is_time_over) Pause(Clock::now() - attempt_begin);
  }
}

Result<Snapshot> Ledger::FetchForPush(bool may_create, Race& race) {
  race.requests.clear();
  if (!race.rejected || !race.may_answer || !race.target_must_stay) return Refresh(may_create);
  TRY(Snapshot now, RefreshWithRequests(may_create, race.requests));
  if (race.asked && !Contains(race.requests, *race.asked)) race.asked.reset();
  return now;
}

Result<bool> Ledger::HasLanded(const Prepared& pushed, const Snapshot& now) const {
  if (!now.tip) return false;
  return repository_.IsAncestor(pushed.commit, *now.tip);
}

Result<Done> Ledger::DecideHowToRetry(const Snapshot& now, Race& race) const {
  const Snapshot& before = race.rejected->before;
  // If neither ref has moved, no other push won: the ref was briefly locked, or the remote rejects
  // the push.
  const bool moved = now.tip != before.tip || now.target != before.target;
  if (race.target_must_stay && race.refusal.reason.empty()) {
    // The server may not support atomic pushes. Try a plain push, because a server that rejects it
    // gives a reason.
    race.target_must_stay = false;
  } else if (!moved && !race.rejected->answered.empty()) {
    race.may_ask = race.may_answer = false;  // deleting requests may be forbidden
    race.requests.clear();
  } else {
    race.unmoved = moved ? 0 : race.unmoved + 1;
    const bool is_final =
        race.is_time_over || !git::IsRace(race.refusal.reason) || race.unmoved >= kMostLockedPushes;
    if (!moved && is_final) return Refused(now, race.refusal);
  }
  if (!race.is_time_over) return Done{};
  return Error{Exit::LostRace,
               fmt::format("lost the push race on {} for {}; nothing was reserved", settings_.ref,
                           Seconds(Clock::now() - race.begin)),
               "try again"};
}

Result<bool> Ledger::AskTheWinner(const Snapshot& now, const Change& change, Race& race) {
  // If only two clones collide, retrying takes the loser fewer pushes than leaving a request. After
  // a second lost race, more clones are probably involved.
  if (!race.may_ask || !race.target_must_stay || race.lost < 2 ||
      !IsCrowded(race.rejected->before, now, race.begin_seconds))
    return false;
  // Leave only one request, because a second one would not help if the first one did not.
  race.may_ask = false;
  TRY(race.asked, LeaveRequest(change));
  return race.asked.has_value();
}

Result<std::optional<Snapshot>> Ledger::PushOnce(Prepared prepared, Race& race) {
  TRY(auto report, Push(prepared, race.target_must_stay));
  if (!report.accepted) {
    ++race.lost;
    race.rejected = std::move(prepared);
    race.refusal = std::move(report);
    return std::optional<Snapshot>();
  }
  if (race.asked && Contains(prepared.answered, *race.asked)) race.asked.reset();
  // `false` is fine: another process in this clone has already fetched the new tip.
  TRY(repository_.UpdateRef(CacheRef(), prepared.commit, prepared.before.tip));
  TRY(auto written, Written(prepared.commit, prepared.before));
  return std::optional(std::move(written));
}

Result<Done> Ledger::History(const std::function<bool(const Record&)>& visit) const {
  TRY(auto tip, repository_.Resolve(CacheRef()));
  return EachEvent(repository_, std::move(tip), visit);
}

Result<Done> EachEvent(const git::Repository& repository, std::optional<git::Oid> at,
                       const std::function<bool(const Record&)>& visit) {
  while (at) {
    TRY(auto commit, repository.ReadCommit(*at));
    at = commit.parents.empty() ? std::nullopt : std::optional<git::Oid>(commit.parents[0]);
    auto event = ParseEvent(commit.message);
    // Skip commits that are not events; Read() reports them.
    if (!event) continue;
    if (!visit({std::move(commit), std::move(*event)})) break;
  }
  return Done{};
}

}  // namespace revctl::ledger
