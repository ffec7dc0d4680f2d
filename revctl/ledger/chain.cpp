#include "revctl/ledger/chain.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "revctl/list/reading/list_config.h"

namespace revctl::ledger {
namespace {

using Kind = Event::Kind;

constexpr std::size_t kWindow = 16, kMostFiles = 10'000, kMostBytes = std::size_t{64} << 20;

/// Limits how many reservations ReadLastValid parses in its first pass, which covers at least two
/// commits regardless.
constexpr std::size_t kMostReplayed = 20'000;

const ListState& ListOf(const State& state, const std::string& name) {
  static const ListState kNone;
  const auto found = state.lists.find(name);
  return found == state.lists.end() ? kNone : found->second;
}

/// Indexes `all` by name, because a list or an event may contain thousands of entries.
template <class T>
std::unordered_map<std::string_view, const T*> ByName(const std::vector<T>& all) {
  std::unordered_map<std::string_view, const T*> out;
  for (const T& one : all) out.emplace(one.name, &one);
  return out;
}

/// Returns why the reservation `now` is not allowed in a list with the high-water mark `mark`, or
/// nullopt if it is allowed. `held` is the previous reservation of the name, and `step` is the part
/// of the event about that name; both may be null.
std::optional<std::string> Wrong(const Reservation& now, const Reservation* held, const Step* step,
                                 Kind kind, const std::optional<std::int64_t>& mark) {
  const bool same_number = held != nullptr && held->number == now.number;
  if (same_number && held->who.Text() == now.who.Text()) return std::nullopt;
  const std::string text = fmt::format("{} = {}", now.name, now.number);
  if (!same_number && mark && now.number <= *mark)
    return fmt::format("assigns {}, but numbers up to {} have already been assigned", text, *mark);
  if (kind == Kind::Create && held == nullptr) return std::nullopt;
  const bool named = step != nullptr && step->number == now.number && kind != Kind::Release &&
                     kind != Kind::Create;
  if (!named)
    return fmt::format("assigns {} to {}, but its event does not include this assignment", text,
                       now.who.Text());
  if (kind == Kind::TakeOver && !same_number)
    return fmt::format("assigns {}, but a take-over cannot assign numbers", text);
  if (kind != Kind::TakeOver && held != nullptr && !SamePerson(held->who, now.who))
    return fmt::format("moves {} from {} to {}, but only a take-over can do that", text,
                       held->who.Text(), now.who.Text());
  return std::nullopt;
}

Error Skipped(const git::Oid& commit, const std::string& why) {
  return {Exit::Environment, fmt::format("the ledger at {} {}", commit.substr(0, 10), why),
          "revctl doctor --repair-ledger"};
}

}  // namespace

bool TooFar(std::int64_t mark, const std::optional<std::int64_t>& before) {
  return mark > before.value_or(list::kLargestNumber - 2 * kLargestJump) + kLargestJump;
}

std::optional<std::string> JumpsTooFar(const State& before, const State& after) {
  for (const auto& [name, list] : after.lists) {
    const auto& mark = ListOf(before, name).high_water;
    if (list.high_water && TooFar(*list.high_water, mark))
      return fmt::format(
          "raises the high-water mark of list {} to {}, far above all numbers "
          "assigned so far",
          name, *list.high_water);
  }
  return std::nullopt;
}

std::optional<std::string> ValidateEvent(const State& before, const Event& event,
                                         const State& after) {
  if (!before.id.empty() && before.id != after.id) return "changes the ledger's id";
  for (const auto& [name, list] : before.lists) {
    if (list.high_water && !(ListOf(after, name).high_water >= list.high_water))
      return fmt::format("lowers the high-water mark of list {} from {}", name, *list.high_water);
  }
  if (auto jump = JumpsTooFar(before, after)) return jump;
  const auto steps = ByName(event.steps);
  const auto find = [](const auto& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
  };
  for (const auto& [name, list] : after.lists) {
    const ListState& old = ListOf(before, name);
    const auto held = ByName(old.open);
    for (const Reservation& now : list.open) {
      const Step* const step = name == event.list ? find(steps, now.name) : nullptr;
      if (auto wrong = Wrong(now, find(held, now.name), step, event.kind, old.high_water))
        return wrong;
    }
  }
  return std::nullopt;
}

void AddNumbersOf(const State& other, const State& base, State& state) {
  for (const auto& [name, list] : other.lists) {
    const std::optional<std::int64_t> mark = ListOf(base, name).high_water;
    if (!list.high_water || TooFar(*list.high_water, mark)) continue;
    ListState& mine = state.lists[name];
    mine.high_water = std::max(mine.high_water, list.high_water);
    std::set<std::string> names;
    std::set<std::int64_t> numbers;
    for (const Reservation& reservation : mine.open) {
      names.insert(reservation.name);
      numbers.insert(reservation.number);
    }
    for (const Reservation& reservation : list.open) {
      if (mark && reservation.number <= *mark) continue;
      if (!names.contains(reservation.name) && !numbers.contains(reservation.number))
        mine.open.push_back(reservation);
    }
    std::sort(mine.open.begin(), mine.open.end(),
              [](const Reservation& a, const Reservation& b) { return a.number < b.number; });
  }
}

Chain::Chain(std::string id, std::optional<State> before)
    : id_(std::move(id)), state_(std::move(before)) {}

std::optional<base::Error> Chain::Add(const git::Oid& commit, const std::optional<Event>& event,
                                      const Result<State>& state) {
  if (!state.ok()) return state.error();
  if (!id_.empty() && state->id != id_)
    return Skipped(commit, fmt::format("has the id {}, but .revctl.yaml names {}: it belongs to "
                                       "another project, or somebody created a new ledger",
                                       state->id.substr(0, 12), id_.substr(0, 12)));
  std::optional<std::string> wrong;
  if (!event) wrong = "is not a revctl event";
  else if (state_) wrong = ValidateEvent(*state_, *event, *state);
  if (!wrong) {
    state_ = *state;
    last_ = commit;
    return std::nullopt;
  }
  if (state_ && state_->id == state->id) {
    for (const auto& [name, list] : state->lists) {
      auto& mark = state_->lists[name].high_water;
      if (list.high_water && !TooFar(*list.high_water, mark))
        mark = std::max(mark, list.high_water);
    }
  }
  return Skipped(commit, *wrong);
}

Result<State> ReadState(const git::Repository& repository, const git::Oid& commit) {
  Files files;
  // Read the file `ledger` first, because the commit may contain an entire project tree instead of
  // a ledger.
  const auto head = repository.ReadFile(commit, "ledger");
  if (!head.ok())
    return Error{Exit::Environment, ErrorText(head.error()), "revctl doctor --repair-ledger"};
  if (!*head) return ParseState(files, commit.substr(0, 10));
  TRY(auto listed, repository.ListFiles(commit, ""));
  // Check the number of files before reading any, because a commit may contain a million files.
  if (listed.size() > kMostFiles)
    return Skipped(commit,
                   fmt::format("has {} files, but at most {} are allowed, one for each list",
                               listed.size(), kMostFiles));
  std::size_t bytes = 0;
  for (const git::TreeFile& file : listed) {
    auto text = repository.ReadFile(commit, file.path);
    // Report repository errors as Exit::Environment, because callers take Exit::Usage to mean a
    // newer format.
    if (!text.ok())
      return Error{Exit::Environment, ErrorText(text.error()), "revctl doctor --repair-ledger"};
    // Limit the total size, because a commit may contain the same large file under thousands of
    // names.
    bytes += text->value_or("").size();
    if (bytes > kMostBytes)
      return Skipped(commit, fmt::format("has more than {} bytes", kMostBytes));
    files[file.path] = std::move(*text).value_or("");
  }
  return ParseState(files, commit.substr(0, 10));
}

namespace {

/// Returns how many commits to replay first: fewer if many reservations are open, because every
/// commit contains all of them.
std::size_t FirstWindow(const Result<State>& tip) {
  if (!tip.ok()) return kWindow;
  std::size_t open = 1;
  for (const auto& [name, list] : tip->lists) open += list.open.size();
  return std::clamp(kMostReplayed / open, std::size_t{2}, kWindow);
}

}  // namespace

Result<ValidState> ReadLastValid(const git::Repository& repository, const git::Oid& tip,
                                 const std::string& id) {
  const Result<State> tip_state = ReadState(repository, tip);
  std::vector<git::CommitInfo> newest_first;
  std::optional<git::Oid> next = tip;
  for (std::size_t window = FirstWindow(tip_state);; window *= 2) {
    while (next && newest_first.size() < window) {
      auto commit = repository.ReadCommit(*next);
      if (!commit.ok() && newest_first.empty()) return commit.error();
      next.reset();
      if (!commit.ok()) break;  // end of a shallow clone, or an unreadable commit
      if (!commit->parents.empty()) next = commit->parents.front();
      newest_first.push_back(std::move(*commit));
    }
    Chain chain(id);
    std::optional<Error> skipped, newer;
    for (auto commit = newest_first.rbegin(); commit != newest_first.rend(); ++commit) {
      const auto event = ParseEvent(commit->message);
      skipped = commit->id == tip ? chain.Add(commit->id, event, tip_state)
                                  : chain.Add(commit->id, event, ReadState(repository, commit->id));
      if (!skipped) newer.reset();
      else if (skipped->exit == Exit::Usage) newer = skipped;
    }
    if (!skipped) return ValidState{*chain.state(), "", {}};
    // If the oldest commit in the window is invalid, all valid commits after it seem invalid, too.
    // Try again with a larger window.
    if (next) continue;
    if (!chain.state()) return *skipped;
    return ValidState{*chain.state(),
                      fmt::format("{}; using the last valid commit {}", skipped->message,
                                  chain.last().substr(0, 10)),
                      newer};
  }
}

}  // namespace revctl::ledger
