#include "revctl/ledger/ledger.h"

#include <algorithm>
#include <random>
#include <thread>

#include "revctl/git/remote.h"
#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/sound.h"

namespace revctl::ledger {

using findings::Done;
using findings::Error;
using findings::Exit;
using findings::Result;
using Clock = std::chrono::steady_clock;

namespace {

std::string Seconds(Clock::duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

/// Copies of remotes' ledgers: refs/revctl/remotes/REMOTE/ledger.
const std::string kCopies = "refs/revctl/remotes/", kCopy = "/ledger";

std::string Short(const git::Oid& id) { return id.substr(0, 10); }

/// The tip that was written is sound; what was wrong before it is said all the same.
Result<Snapshot> After(Result<Snapshot> written, const Snapshot& before) {
  if (written.ok()) written->unsound = before.unsound;
  return written;
}

}  // namespace

Ledger::Ledger(git::Repository& repository, Settings settings, Talk progress)
    : repository_(repository), settings_(std::move(settings)), progress_(std::move(progress)) {}

std::string Ledger::CacheRef() const {
  return HasRemote() ? kCopies + settings_.remote + kCopy : settings_.ref;
}

std::string Ledger::TargetRef() const {
  return HasRemote() ? "refs/remotes/" + settings_.remote + "/" + settings_.target
                     : "refs/heads/" + settings_.target;
}

Error Ledger::Missing() const {
  const std::string where = HasRemote() ? "remote " + settings_.remote : "this repository";
  return {Exit::Environment,
          where + " has no ledger (" + settings_.ref + ") though .revctl.yaml names " +
              settings_.id.substr(0, 12) +
              ": it was deleted, as `git push --mirror` does, or never pushed",
          "revctl doctor --repair-ledger"};
}

Result<Done> Ledger::NothingForgotten() const {
  auto copies = repository_.Refs(kCopies);
  if (!copies.ok()) return copies.error();
  for (const auto& [ref, tip] : *copies) {
    if (!ref.ends_with(kCopy)) continue;
    const std::string remote =
        ref.substr(kCopies.size(), ref.size() - kCopies.size() - kCopy.size());
    return Error{Exit::Environment,
                 "the ledger is on remote " + remote +
                     ", which this clone has no more: a ledger here would give numbers twice",
                 "git remote add " + remote +
                     " URL; where it is gone for good: revctl doctor --repair-ledger --local"};
  }
  return Done{};
}

Result<Snapshot> Ledger::Read(std::optional<git::Oid> tip, std::optional<git::Oid> target) const {
  Snapshot out;
  out.tip = std::move(tip);
  out.target = std::move(target);
  if (!out.tip) return out;
  auto sound = ReadSound(repository_, *out.tip, settings_.id);
  if (!sound.ok()) return sound.error();
  out.state = std::move(sound->state);
  if (!sound->unsound.empty())
    out.unsound =
        sound->unsound + "; what counts is the last sound commit, " + Short(sound->commit);
  return out;
}

Result<Snapshot> Ledger::Cached() const {
  auto tip = repository_.Resolve(CacheRef());
  if (!tip.ok()) return tip.error();
  auto target = repository_.Resolve(TargetRef());
  if (!target.ok()) return target.error();
  return Read(std::move(*tip), std::move(*target));
}

Result<Snapshot> Ledger::Refresh(bool may_be_missing) {
  if (settings_.missing) return *settings_.missing;
  const auto before = HasRemote() ? Cached() : Result<Snapshot>(Snapshot{});
  auto now = Ask(may_be_missing);
  if (!HasRemote() || !before.ok()) return now;
  // Commits of which each follows from the one below may have led back all the same.
  const auto why = now.ok() ? TakesBack(before->state, now->state) : std::nullopt;
  if (now.ok() && !(why && now->tip)) return now;
  // Remembered as it was: the next command has to say so, too, and no ledger descends from what is
  // none.
  auto fetched = repository_.Resolve(CacheRef());
  if (!fetched.ok()) return fetched.error();
  if (*fetched && *fetched != before->tip) {
    auto kept = before->tip ? repository_.UpdateRef(CacheRef(), *before->tip, *fetched)
                            : Result<bool>(repository_.DeleteRef(CacheRef()).ok());
    if (!kept.ok()) return kept.error();
  }
  if (!why) return now;
  return Error{Exit::Environment,
               "the ledger of remote " + settings_.remote + " (" + Short(*now->tip) +
                   ") takes back what this clone has seen at " + Short(*before->tip) + ": " + *why,
               "revctl doctor --repair-ledger"};
}

Result<Snapshot> Ledger::Ask(bool may_be_missing) {
  if (!HasRemote()) {
    auto snapshot = Cached();
    if (!snapshot.ok() || snapshot->tip) return snapshot;
    auto alone = NothingForgotten();
    if (!alone.ok()) return alone.error();
    if (!settings_.id.empty() && !may_be_missing) return Missing();
    return snapshot;
  }
  auto fetched = git::Fetch(
      repository_, settings_.remote,
      {{"refs/heads/" + settings_.target, TargetRef(), true}, {settings_.ref, CacheRef(), false}});
  if (!fetched.ok()) return fetched.error();
  if (fetched->ok) return Cached();
  return RefreshSlowly(may_be_missing, fetched->talk);
}

/// The one fetch failed. Which of the two refs is missing or moved is asked, not read from what git
/// said.
Result<Snapshot> Ledger::RefreshSlowly(bool may_be_missing, const std::string& talk) {
  const std::string target = "refs/heads/" + settings_.target;
  auto listed = git::ListRemote(repository_, settings_.remote, {target, settings_.ref});
  if (!listed.ok()) return listed.error();
  std::optional<git::Oid> target_tip;
  if (listed->contains(target)) {
    auto fetched = git::Fetch(repository_, settings_.remote, {{target, TargetRef(), true}});
    if (!fetched.ok()) return fetched.error();
    if (!fetched->ok) {
      return Error{
          Exit::Environment,
          "remote " + settings_.remote + " cannot be fetched:\n" + git::Talk(fetched->talk), ""};
    }
    auto resolved = repository_.Resolve(TargetRef());
    if (!resolved.ok()) return resolved.error();
    target_tip = std::move(*resolved);
  }
  if (!listed->contains(settings_.ref)) {
    auto cached = repository_.Resolve(CacheRef());
    if (!cached.ok()) return cached.error();
    if ((!settings_.id.empty() || cached->has_value()) && !may_be_missing) return Missing();
    return Read(std::nullopt, std::move(target_tip));
  }
  auto fetched = FetchLedger(listed->at(settings_.ref));
  if (!fetched.ok()) {
    if (!talk.empty() && fetched.error().fix.empty())
      fetched.error().message += "\n" + git::Talk(talk);
    return fetched.error();
  }
  auto tip = repository_.Resolve(CacheRef());
  if (!tip.ok()) return tip.error();
  return Read(std::move(*tip), std::move(target_tip));
}

Result<Done> Ledger::FetchLedger(const git::Oid& remote_tip) {
  auto fetched = git::Fetch(repository_, settings_.remote, {{settings_.ref, CacheRef(), false}});
  if (!fetched.ok()) return fetched.error();
  if (fetched->ok) return Done{};
  // Another process of this clone may hold the ref's lock, or the chain was rewritten: look at it
  // beside the local copy.
  const std::string incoming = "refs/revctl/incoming/" + RandomHex(16);
  auto beside = git::Fetch(repository_, settings_.remote, {{settings_.ref, incoming, true}});
  if (!beside.ok()) return beside.error();
  auto tip = repository_.Resolve(incoming);
  auto cached = repository_.Resolve(CacheRef());
  auto verdict = [&]() -> Result<Done> {
    if (!tip.ok()) return tip.error();
    if (!cached.ok()) return cached.error();
    if (!beside->ok || !*tip) {
      return Error{Exit::Environment,
                   "the ledger of remote " + settings_.remote + " cannot be fetched:\n" +
                       git::Talk(beside->talk),
                   ""};
    }
    if (!*cached || **cached == **tip) return Done{};
    auto descends = repository_.IsAncestor(**cached, **tip);
    if (!descends.ok()) return descends.error();
    if (!*descends) {
      auto newer_here = repository_.IsAncestor(**tip, **cached);
      if (newer_here.ok() && *newer_here) {
        // The remote went back to an older state, or another fetch of this clone was faster; only
        // asking again can tell.
        auto again = git::ListRemote(repository_, settings_.remote, {settings_.ref});
        if (!again.ok()) return again.error();
        if (again->contains(settings_.ref) && again->at(settings_.ref) == **cached) return Done{};
      }
      return Error{Exit::Environment,
                   "the ledger of remote " + settings_.remote + " (" + Short(remote_tip) +
                       ") does not descend from the one seen before (" + Short(**cached) +
                       "): somebody rewrote it",
                   "revctl doctor --repair-ledger"};
    }
    auto moved = repository_.UpdateRef(CacheRef(), **tip, *cached);
    if (!moved.ok()) return moved.error();
    return Done{};
  }();
  auto deleted = repository_.DeleteRef(incoming);
  if (verdict.ok() && !deleted.ok()) return deleted.error();
  return verdict;
}

Result<git::Oid> Ledger::Write(const Snapshot& snapshot, const Change& change) {
  auto who = repository_.Identity();
  if (!who.ok()) return who.error();
  git::NewCommit commit;
  State state = change.state;
  if (state.id.empty()) state.id = settings_.id.empty() ? RandomHex(32) : settings_.id;
  commit.files = FormatState(state);
  // One that cannot be read again would stop the whole team.
  if (auto again = ParseState(commit.files, "hand"); !again.ok())
    return Error{
        Exit::Usage,
        "this event would leave a ledger behind that cannot be read: " + again.error().message,
        "choose a shorter name, in ASCII"};
  commit.parent = snapshot.tip;
  commit.author = *who;
  commit.message = FormatEvent(change.event, RandomHex(32));
  return repository_.WriteCommit(commit);
}

/// How long to wait after a lost race. Full jitter, since equal waits would make the losers collide
/// again; and scaled by what an attempt takes now, since with many at once the server is slow for
/// all of them, and hurrying makes it slower.
void Ledger::Pause(int attempt, Clock::duration took) const {
  thread_local std::mt19937 random{std::random_device{}()};
  const auto longest = std::clamp<Clock::duration>(
      took * (2 << std::min(attempt, 2)), std::chrono::milliseconds(10), std::chrono::seconds(30));
  std::this_thread::sleep_for(
      Clock::duration(std::uniform_int_distribution<Clock::rep>(0, longest.count())(random)));
}

Result<Snapshot> Ledger::CommitLocally(const Plan& plan) {
  const auto begin = Clock::now();
  for (int attempt = 0;; ++attempt) {
    const auto attempt_begin = Clock::now();
    auto snapshot = Refresh(true);
    if (!snapshot.ok()) return snapshot;
    auto change = plan(*snapshot);
    if (!change.ok()) return change.error();
    if (!*change) return snapshot;
    auto written = Write(*snapshot, **change);
    if (!written.ok()) return written.error();
    auto moved = repository_.UpdateRef(settings_.ref, *written, snapshot->tip);
    if (!moved.ok()) return moved.error();
    if (*moved) return After(Read(*written, snapshot->target), *snapshot);
    if (git::IsRaceLost(Clock::now() - begin, attempt + 1, std::chrono::minutes(10))) break;
    Pause(attempt, Clock::now() - attempt_begin);
  }
  return Error{
      Exit::LostRace,
      "other processes kept moving " + settings_.ref + " for " + Seconds(Clock::now() - begin),
      "try again"};
}

std::string Ledger::MirrorFix() const {
  const std::string key = "remote." + settings_.remote + ".mirror";
  auto mirror = repository_.ConfigValue(key);
  if (!mirror.ok() || !*mirror || (**mirror != "true" && **mirror != "1" && **mirror != "yes"))
    return "";
  return "git config --unset " + key +
         ", since a mirror takes no push of one ref, and a push of all deletes the ledger";
}

Error Ledger::Refused(const Snapshot& snapshot, const git::PushReport& refusal) const {
  // Without a word about the ref it was the connection, or a server that takes no pushes at all.
  const bool namespace_refused =
      !settings_.ref.starts_with("refs/heads/") && !snapshot.tip && !refusal.reason.empty();
  return {
      Exit::Environment,
      "remote " + settings_.remote + " refuses to move " + settings_.ref +
          (refusal.reason.empty() ? "" : " (" + refusal.reason + ")") + ":\n" +
          git::Talk(refusal.talk),
      !MirrorFix().empty() ? MirrorFix()
      : namespace_refused
          ? "a host that takes branches only: `ledger: refs/heads/revctl-ledger` in .revctl.yaml"
          : "ask for the right to push " + settings_.ref + ", or set `reservation: optional`"};
}

Result<Snapshot> Ledger::Commit(const Plan& plan, bool may_create) {
  if (!HasRemote()) {
    auto present = Refresh(may_create);
    if (!present.ok()) return present;
    return CommitLocally(plan);
  }
  const auto begin = Clock::now();
  int unmoved = 0;
  std::optional<git::Oid> written_before, tip_before;
  git::PushReport refusal;
  for (int attempt = 0;; ++attempt) {
    const auto attempt_begin = Clock::now();
    auto snapshot = Refresh(may_create);
    if (!snapshot.ok()) return snapshot;
    if (written_before) {
      // Who won is read from the ref itself, never from what a failed push said: its answer may
      // have got lost on the way back.
      if (snapshot->tip) {
        auto taken = repository_.IsAncestor(*written_before, *snapshot->tip);
        if (!taken.ok()) return taken.error();
        if (*taken) return snapshot;
      }
      // The ref still is what it was: nobody won. A lock in passing, or a refusal.
      unmoved = snapshot->tip == tip_before ? unmoved + 1 : 0;
      if (unmoved > 0 && (!git::IsRace(refusal.reason) || unmoved >= 8))
        return Refused(*snapshot, refusal);
    }
    auto change = plan(*snapshot);
    if (!change.ok()) return change.error();
    if (!*change) return snapshot;
    auto written = Write(*snapshot, **change);
    if (!written.ok()) return written.error();
    auto pushed =
        git::PushWithLease(repository_, settings_.remote, settings_.ref, *written, snapshot->tip);
    if (!pushed.ok()) return pushed.error();
    if (pushed->accepted) {
      auto moved = repository_.UpdateRef(CacheRef(), *written, snapshot->tip);
      if (!moved.ok())
        return moved.error();  // `false`: another process of this clone has fetched it already
      return After(Read(*written, snapshot->target), *snapshot);
    }
    written_before = *written;
    tip_before = snapshot->tip;
    refusal = std::move(*pushed);
    if (git::IsRaceLost(Clock::now() - begin, attempt + 1, std::chrono::minutes(10))) break;
    if (progress_ && Clock::now() - begin > std::chrono::seconds(1)) {
      progress_("others are reserving too; attempt " + std::to_string(attempt + 2));
    }
    // A refusal is looked at again at once; only who lost a race has to make room.
    if (git::IsRace(refusal.reason)) Pause(attempt, Clock::now() - attempt_begin);
  }
  return Error{Exit::LostRace,
               "others kept winning the race for " + settings_.ref + " for " +
                   Seconds(Clock::now() - begin) + "; nothing was reserved",
               "try again"};
}

Result<Done> Ledger::History(const std::function<bool(const Record&)>& visit) const {
  auto tip = repository_.Resolve(CacheRef());
  if (!tip.ok()) return tip.error();
  std::optional<git::Oid> at = *tip;
  while (at) {
    auto commit = repository_.ReadCommit(*at);
    if (!commit.ok()) return commit.error();
    at = commit->parents.empty() ? std::nullopt : std::optional<git::Oid>(commit->parents[0]);
    auto event = ParseEvent(commit->message);
    // A commit of another hand says nothing; Read() tells of it.
    if (!event) continue;
    if (!visit({std::move(*commit), std::move(*event)})) break;
  }
  return Done{};
}

}  // namespace revctl::ledger
