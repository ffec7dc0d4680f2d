// Seeds for ledger_fuzz: a tree, and one event of each kind.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"

std::vector<std::vector<std::uint8_t>> FuzzSeeds();

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  using namespace revctl::ledger;
  std::vector<std::vector<std::uint8_t>> out;
  State state;
  state.id = "6f1c";
  state.lists["main"].Give("SR_BOSS", 667, {"Ann", "ann@studio.example"});
  state.lists["main"].Give("SR_STAMINA", 669, {"Bob B.", "bob@studio.example"});
  state.lists["net"];
  std::string tree;
  for (const auto& [name, text] : FormatState(state))
    tree += name + std::string(1, '\0') + text + std::string(1, '\0');
  out.emplace_back(tree.begin(), tree.end());
  for (const auto kind : {Event::Kind::Create, Event::Kind::Reserve, Event::Kind::Release,
                          Event::Kind::Renumber, Event::Kind::Confirm, Event::Kind::TakeOver}) {
    Event event{kind, "main", {{"SR_BOSS", 667, std::nullopt}}, "the boss has phases"};
    if (kind == Event::Kind::Renumber)
      event.steps = {{"SR_BOSS", 670, 667}, {"SR_STAMINA", 671, 669}};
    const std::string text = FormatEvent(event, "5d1c");
    out.emplace_back(text.begin(), text.end());
  }
  return out;
}
