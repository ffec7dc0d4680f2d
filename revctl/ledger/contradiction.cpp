// Does a ledger's commit do what it says? A server asks, since any client may write any tree under
// any message.
#include <algorithm>

#include "revctl/ledger/contradiction.h"

namespace revctl::ledger {
namespace {

using Kind = Event::Kind;

/// A save's header holds 32 bits, and no list jumps further than this at once (3060011 behind 25
/// does occur): a number near the end would be the last that anybody gets.
constexpr std::int64_t kLargestNumber = 0xffffffff, kLargestStep = std::int64_t{1} << 24;

const Step* FindStep(const Event& event, const std::string& name) {
  const auto found = std::find_if(event.steps.begin(), event.steps.end(),
                                  [&](const Step& step) { return step.name == name; });
  return found == event.steps.end() ? nullptr : &*found;
}

/// The first reservation that went without a word; landed ones go by themselves.
std::optional<std::string> TakenAway(const ListState& before, const Event& event,
                                     const ListState& after, const TargetList& target) {
  for (const Reservation& held : before.open) {
    if (after.Find(held.name) != nullptr || target.has(held.name)) continue;
    if (event.kind == Kind::Release && FindStep(event, held.name) != nullptr) continue;
    return "takes " + held.name + " = " + std::to_string(held.number) + " away from " +
           held.who.Text() + ", which it does not say";
  }
  return std::nullopt;
}

std::optional<std::string> InList(const ListState& before, const Event& event,
                                  const ListState& after, const TargetList& target, bool restored) {
  std::optional<std::int64_t> known = before.high_water;
  if (target.last) known = std::max(known.value_or(*target.last), *target.last);
  if (after.high_water && TooFar(*after.high_water, known))
    return "takes the number " + std::to_string(*after.high_water) + ", far beyond all others";
  // A chain that is brought back is older than the target is now: it is held to what holds for any
  // state.
  if (restored) return std::nullopt;
  // A repair brings back what other clones know, beside all that is here.
  if (event.kind == Kind::Create) return TakenAway(before, event, after, target);
  std::optional<std::int64_t> highest = known;
  if (event.kind != Kind::Release) {
    for (const Step& step : event.steps)
      highest = std::max(highest.value_or(step.number), step.number);
  }
  if (after.high_water && (!highest || *after.high_water > *highest)) {
    return "sets the high-water mark to " + std::to_string(*after.high_water) +
           ", which it does not say";
  }
  for (const Reservation& now : after.open) {
    const Reservation* const held = before.Find(now.name);
    const Step* const step = FindStep(event, now.name);
    const bool said = step != nullptr && step->number == now.number && event.kind != Kind::Release;
    const bool kept =
        held != nullptr && held->number == now.number && held->who.Text() == now.who.Text();
    if (!said && !kept)
      return "gives " + now.name + " = " + std::to_string(now.number) + " to " + now.who.Text() +
             ", which it does not say";
  }
  return TakenAway(before, event, after, target);
}

}  // namespace

bool TooFar(std::int64_t number, const std::optional<std::int64_t>& known) {
  return number > kLargestNumber ||
         (known && *known < number && number - std::max<std::int64_t>(*known, 0) > kLargestStep);
}

std::optional<std::string> Contradiction(
    const State& before, const Event& event, const State& after,
    const std::function<TargetList(const std::string& list)>& target, bool restored) {
  static const ListState kNone;
  for (const auto& [name, old] : before.lists) {
    if (restored || after.lists.contains(name)) continue;
    if (auto why = TakenAway(old, event, kNone, target(name))) return why;
  }
  for (const auto& [name, now] : after.lists) {
    const auto found = before.lists.find(name);
    const ListState& old = found == before.lists.end() ? kNone : found->second;
    Event here = event;
    // Another list than the event's stays as it is, whatever the event is called.
    if (event.kind != Kind::Create && name != event.list) here.steps.clear();
    if (auto why = InList(old, here, now, target(name), restored)) return why;
  }
  return std::nullopt;
}

}  // namespace revctl::ledger
