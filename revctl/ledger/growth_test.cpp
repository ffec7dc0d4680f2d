// Readers of hostile input, by counted steps: four times the input may cost little more than four
// times the steps, on any machine at any load.
#include <catch2/catch.hpp>

#include "revctl/findings/finding.h"
#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/event.h"
#include "revctl/ledger/growth.h"
#include "revctl/ledger/sound.h"
#include "revctl/ledger/state.h"
#include "revctl/list/revision_list.h"
#include "revctl/list/rules.h"

namespace revctl {

using namespace growth;

TEST_CASE("growth: a list is read and judged in linear steps", "[growth]") {
  list::ListConfig config;
  std::string wrong;
  for (const auto& [title, make] : Lists()) {
    const auto read = [&, &make = make](std::size_t n) {
      (void)list::Parse(make(n), config, "list.h").ok();
    };
    const auto judge = [&, &make = make](std::size_t n, bool landed) {
      const auto plain = list::Parse(Lists().front().second(n), config, "list.h");
      const auto hostile = list::Parse(make(n), config, "list.h");
      if (!plain.ok() || !hostile.ok()) return;
      list::CheckedLists lists;
      lists.target = landed ? &*hostile : &*plain;
      lists.merged = landed ? &*plain : &*hostile;
      lists.reservations.emplace();
      for (std::size_t i = 0; i < n; ++i)
        lists.reservations->push_back({"SR_N" + Text(i), static_cast<std::int64_t>(i), "ann"});
      (void)list::CheckRules(lists, config);
      (void)list::Lineages(*lists.merged, 0);
    };
    for (const auto& [what, work] :
         {std::pair<std::string, std::function<void(std::size_t)>>{"read", read},
          {"pushed", [&](std::size_t n) { judge(n, false); }},
          {"landed", [&](std::size_t n) { judge(n, true); }}}) {
      const std::string growth = Growth(work, kSmall);
      if (!growth.empty()) wrong += title + ", " + what + ": " + growth;
    }
  }
  CHECK(wrong == "");
}

TEST_CASE("growth: a ledger's commit is read and judged in linear steps", "[growth]") {
  const auto make = [](std::size_t n, const std::string& who) {
    ledger::State state;
    state.id = "ab";
    auto& list = state.lists["main"];
    for (std::size_t i = 0; i < n; ++i)
      list.open.push_back({"SR_N" + Text(i), static_cast<std::int64_t>(i + 1), {who, who + "@x"}});
    list.high_water = static_cast<std::int64_t>(n);
    return state;
  };
  const ledger::TargetLists nothing = [](const std::string&) {
    return ledger::TargetList{[](const std::string&) { return false; }, std::nullopt};
  };
  CHECK(Growth(
            [&](std::size_t n) { (void)ledger::ParseState(FormatState(make(n, "ann")), "x").ok(); },
            400) == "");
  for (const char* kind : {"reserve", "take-over", "renumber", "release", "create"}) {
    INFO(kind);
    CHECK(Growth(
              [&](std::size_t n) {
                std::string message = std::string(kind) + " main\n\n";
                for (std::size_t i = 0; i < n; ++i)
                  message += "Revision: SR_N" + Text(i) + " " + Text(i + 1) + "\n";
                const auto event = ledger::ParseEvent(message);
                REQUIRE(event.has_value());
                (void)Contradiction(make(n, "ann"), *event, make(n, "bob"), nothing);
                (void)Contradiction(make(n, "ann"), *event, make(0, "bob"), nothing);
                // A reader takes from a bad commit what it says.
                ledger::ChainCheck judged;
                judged.Add("1", event, make(1, "ann"));
                judged.Add("2", event, make(n, "bob"));
                judged.Add("3", event, make(1, "bob"));
                judged.Add("4", event, make(n, "eve"));
              },
              400) == "");
  }
}

TEST_CASE("growth: findings are rendered in linear steps", "[growth]") {
  for (const findings::Format format :
       {findings::Format::Text, findings::Format::GitHub, findings::Format::JUnit}) {
    INFO(static_cast<int>(format));
    for (const bool alike : {true, false}) {
      CHECK(Growth(
                [&](std::size_t n) {
                  std::vector<findings::Finding> found(n);
                  for (std::size_t i = 0; i < n; ++i) {
                    found[i].message = "\x1b\xff##[x]\n::y " + Text(i);
                    if (!alike) found[i].rule = found[i].file = found[i].fix = "x" + Text(i);
                  }
                  (void)findings::Render(found, format, false);
                },
                200) == "");
    }
  }
}

// A loop that is quadratic must be seen: else the above proves nothing.
TEST_CASE("growth: what is quadratic is told", "[growth]") {
  const auto slow = [](std::size_t n) {
    ledger::ListState list;
    for (std::size_t i = 0; i < n; ++i)
      list.Give("SR_N" + Text(i), static_cast<std::int64_t>(i), {"ann", "ann@x"});
  };
  CHECK(Growth(slow, 400).find("steps") == 0);
}

}  // namespace revctl
