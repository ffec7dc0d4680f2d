// Does a ledger's commit do what it says? A server asks, since any client may write any tree under
// any message.
#include "revctl/ledger/contradiction.h"

#include <fmt/core.h>
#include <algorithm>
#include <unordered_map>

#include "revctl/list/number_range.h"

namespace revctl::ledger {
namespace {

using Kind = Event::Kind;

/// No list jumps further than this at once (3060011 behind 25 does occur).
constexpr std::int64_t kLargestStep = std::int64_t{1} << 24;

/// The parts of a list or an event by their names: both may hold thousands.
template <class T>
class ByName {
 public:
  explicit ByName(const std::vector<T>& all) {
    for (const T& one : all) index_.emplace(one.name, &one);
  }
  const T* Find(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const T*> index_;
};

std::string Text(const Reservation& one) { return fmt::format("{} = {}", one.name, one.number); }

/// One list before and after an event.
class InList {
 public:
  InList(const ListState& before, const Event& event, const ListState& after,
         const TargetList& target)
      : before_(before),
        event_(event),
        after_(after),
        target_(target),
        held_(before.open),
        now_(after.open),
        steps_(event.steps) {}

  std::optional<std::string> Run(bool restored) const {
    if (auto why = OutOfRange()) return why;
    // A chain that is brought back is older than the target is now: it is held to what holds for
    // any state.
    if (restored) return std::nullopt;
    // A repair brings back what other clones know, beside all that is here.
    if (event_.kind != Kind::Create) {
      if (auto why = MarkUnsaid()) return why;
    }
    for (const Reservation& now : after_.open) {
      if (auto why = Given(now)) return why;
    }
    return TakenAway();
  }

  /// The first reservation that went without a word; landed ones go by themselves.
  std::optional<std::string> TakenAway() const {
    for (const Reservation& held : before_.open) {
      if (now_.Find(held.name) != nullptr || target_.has(held.name)) continue;
      if (event_.kind == Kind::Release && steps_.Find(held.name) != nullptr) continue;
      return fmt::format("takes {} away from {}, which it does not say", Text(held),
                         held.who.Text());
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> OutOfRange() const {
    for (const std::int64_t number :
         {after_.high_water.value_or(0), after_.open.empty() ? 0 : after_.open.front().number}) {
      if (number >= list::kSmallestNumber && number <= list::kLargestNumber) continue;
      return fmt::format(
          "takes the number {}, far beyond all others: a file's header holds none outside {} to {}",
          number, list::kSmallestNumber, list::kLargestNumber);
    }
    return std::nullopt;
  }

  std::optional<std::string> MarkUnsaid() const {
    std::optional<std::int64_t> highest = before_.high_water;
    if (target_.last) highest = std::max(highest.value_or(*target_.last), *target_.last);
    if (event_.kind != Kind::Release) {
      for (const Step& step : event_.steps)
        highest = std::max(highest.value_or(step.number), step.number);
    }
    if (!after_.high_water || (highest && *after_.high_water <= *highest)) return std::nullopt;
    return fmt::format("sets the high-water mark to {}, which it does not say", *after_.high_water);
  }

  std::optional<std::string> Given(const Reservation& now) const {
    const Reservation* const held = held_.Find(now.name);
    const Step* const step = steps_.Find(now.name);
    const bool moved = held != nullptr && held->who.Text() != now.who.Text();
    const bool same = held != nullptr && held->number == now.number;
    if (same && !moved) return std::nullopt;
    if (event_.kind == Kind::Create && held == nullptr) return std::nullopt;
    const bool said = step != nullptr && step->number == now.number &&
                      event_.kind != Kind::Release && event_.kind != Kind::Create;
    if (!said)
      return fmt::format("gives {} to {}, which it does not say", Text(now), now.who.Text());
    if (held != nullptr && !SamePerson(held->who, now.who) && event_.kind != Kind::TakeOver)
      return fmt::format("moves {} from {} to {}, which only a take-over does", Text(now),
                         held->who.Text(), now.who.Text());
    if (event_.kind == Kind::TakeOver && !same)
      return fmt::format("gives {} a number, which a take-over does not", Text(now));
    return std::nullopt;
  }

  const ListState& before_;
  const Event& event_;
  const ListState& after_;
  const TargetList& target_;
  const ByName<Reservation> held_, now_;
  const ByName<Step> steps_;
};

}  // namespace

bool TooFar(std::int64_t number, const Room& room) {
  if (number > list::kLargestNumber) return true;
  if (room.ledger && number <= *room.ledger) return false;
  std::optional<std::int64_t> last = room.landed ? room.landed : room.ledger;
  // A list that is not there yet may begin anywhere, where it leaves room behind it.
  if (!last) return number > list::kLargestNumber - kLargestStep;
  last = std::max<std::int64_t>(*last, 0) + kLargestStep;
  if (room.ledger) last = std::max(*last, *room.ledger + room.events);
  return number > *last;
}

std::optional<std::string> Contradiction(const State& before, const Event& event,
                                         const State& after, const TargetLists& target,
                                         bool restored) {
  static const ListState kNone;
  if (!before.id.empty() && before.id != after.id && !restored)
    return "changes the ledger's id, which no event does";
  for (const auto& [name, old] : before.lists) {
    if (restored || after.lists.contains(name)) continue;
    const TargetList there = target(name);
    if (auto why = InList(old, event, kNone, there).TakenAway()) return why;
  }
  for (const auto& [name, now] : after.lists) {
    const auto found = before.lists.find(name);
    const ListState& old = found == before.lists.end() ? kNone : found->second;
    Event here = event;
    // Another list than the event's stays as it is, whatever the event is called.
    if (event.kind != Kind::Create && name != event.list) here.steps.clear();
    const TargetList there = target(name);
    if (auto why = InList(old, here, now, there).Run(restored)) return why;
  }
  return std::nullopt;
}

namespace {

std::optional<std::string> MarkGoesBack(const std::string& name, const State& before,
                                        const State& after) {
  const auto was = before.lists.find(name), is = after.lists.find(name);
  if (was == before.lists.end() || !was->second.high_water) return std::nullopt;
  if (is != after.lists.end() && is->second.high_water >= was->second.high_water)
    return std::nullopt;
  return fmt::format("the ledger's high-water mark of list {} would go back from {}", name,
                     *was->second.high_water);
}

}  // namespace

std::optional<std::string> GivesAgain(const std::string& name, const State& before,
                                      const State& after) {
  if (auto why = MarkGoesBack(name, before, after)) return why;
  const auto was = before.lists.find(name), is = after.lists.find(name);
  if (was == before.lists.end() || is == after.lists.end() || !was->second.high_water)
    return std::nullopt;
  const ByName<Reservation> held(was->second.open);
  for (const Reservation& given : is->second.open) {
    const Reservation* const old = held.Find(given.name);
    if (given.number <= *was->second.high_water && (old == nullptr || old->number != given.number))
      return fmt::format("{} would get {}, which was given before", given.name, given.number);
  }
  return std::nullopt;
}

std::optional<std::string> Unsound(const State& before, const std::optional<Event>& event,
                                   const State& after) {
  // Any name may have landed meanwhile, with any number.
  static const TargetLists kUnknown = [](const std::string&) {
    return TargetList{[](const std::string&) { return true; }, list::kLargestNumber};
  };
  static const Event kSaysNothing{Event::Kind::Release, "", {}, ""};
  const Event& said = event ? *event : kSaysNothing;
  if (auto why = Contradiction(before, said, after, kUnknown)) return why;
  // A repair brings back numbers that other clones know.
  const bool repair = said.kind == Event::Kind::Create;
  for (const auto& [name, list] : before.lists) {
    if (auto why = repair ? MarkGoesBack(name, before, after) : GivesAgain(name, before, after))
      return why;
  }
  return std::nullopt;
}

std::optional<std::string> PushedNumbers::Contradiction(const State& after,
                                                        const TargetLists& target) const {
  for (const auto& [name, list] : after.lists) {
    if (!list.high_water) continue;
    const auto old = before_.lists.find(name);
    const auto events = events_.find(name);
    const Room room{old == before_.lists.end() ? std::nullopt : old->second.high_water,
                    target(name).last, events == events_.end() ? 0 : events->second};
    if (!TooFar(*list.high_water, room)) continue;
    return fmt::format("carries the numbers of list {} to {}, far beyond all others", name,
                       *list.high_water);
  }
  return std::nullopt;
}

}  // namespace revctl::ledger
