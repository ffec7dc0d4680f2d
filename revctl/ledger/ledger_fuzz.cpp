#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"

/// libFuzzer entry point: parses arbitrary bytes as the tree of a ledger's tip (a sequence of
/// files, each as `name NUL text NUL`) and as an event's message. Only text that revctl would write
/// may be accepted, because the whole team trusts the result.
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  revctl::ledger::Files files;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t name = std::min(text.find('\0', at), text.size());
    const std::size_t end = std::min(text.find('\0', std::min(name + 1, text.size())), text.size());
    files[text.substr(at, name - at)] =
        name < text.size() ? text.substr(name + 1, end - name - 1) : "";
    at = end + 1;
  }
  const auto state = revctl::ledger::ParseState(files, "here");
  Require(state.ok() || !state.error().message.empty());
  if (state.ok()) {
    for (const auto& [name, list] : state->lists) {
      for (const auto& reservation : list.open) {
        Require(list.Find(reservation.name) == &reservation);
        Require(list.high_water && reservation.number <= *list.high_water);
      }
    }
    const auto again = revctl::ledger::ParseState(revctl::ledger::FormatState(*state), "again");
    Require(again.ok() &&
            revctl::ledger::FormatState(*again) == revctl::ledger::FormatState(*state));
  }
  // Skip `create` events, which have no list and no steps.
  if (const auto event = revctl::ledger::ParseEvent(text); event && !event->list.empty()) {
    const auto again =
        revctl::ledger::ParseEvent(revctl::ledger::FormatEvent(*event, "0123456789abcdef"));
    Require(again && again->kind == event->kind && again->list == event->list &&
            again->steps.size() == event->steps.size());
    for (std::size_t i = 0; i < event->steps.size(); ++i) {
      Require(again->steps[i].name == event->steps[i].name &&
              again->steps[i].number == event->steps[i].number);
      Require(again->steps[i].previous == event->steps[i].previous);
    }
  }
  return 0;
}
