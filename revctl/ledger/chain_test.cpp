// Tests which commits of a ledger are valid, with random chains in memory. Honest clients write
// valid events on top of the last valid state, and hostile clients write arbitrary events.
// tests/scenarios/hostile uses real servers.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "revctl/ledger/chain.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::ledger {
namespace {

using Kind = Event::Kind;

const git::Person kEve{"eve", "eve@studio.example"};
const std::vector<std::string> kNames = {"SR_A", "SR_B", "SR_C", "SR_D", "SR_E", "SR_F"};

class Clients {
 public:
  explicit Clients(unsigned seed) : random_(seed) {
    State first;
    first.id = "ab";
    first.lists["main"].Give("SR_INITIAL", 1, kAnn);
    Append({Kind::Create, "main", {}, ""}, first);
  }

  /// Appends an honest client's event to the last valid state.
  void Honest() {
    if (held().high_water >= list::kLargestNumber) return;
    const git::Person who = OneOf(std::vector<git::Person>{kAnn, kBob});
    const std::string name = "SR_OWN" + std::to_string(given_.size());
    State next = *chain_.state();
    ListState& list = next.lists["main"];
    const std::int64_t number = list.high_water.value_or(0) + 1;
    INFO(log_ << name << " = " << number);
    CHECK(given_.emplace(number, name).second);
    CHECK(given_.rbegin()->first == number);
    list.Give(name, number, who);
    Append({Kind::Reserve, "main", {{name, number, std::nullopt}}, ""}, next);
    // A valid event is accepted, no matter which commits come before it.
    CHECK(chain_.last() == std::to_string(commits_));
    own_[name] = {name, number, who};
  }

  /// Appends a random event to the last valid state, to the tip's own tree, or to an empty state.
  /// Sometimes appends an unreadable commit instead.
  void Hostile() {
    if (Below(6) == 0) {
      CHECK(chain_.Add(Next(), std::nullopt, base::Error{base::Exit::Environment, "broken", ""}));
      log_ += "nothing\n";
      return;
    }
    State state = Below(3) == 0 ? *chain_.state() : Below(6) == 0 ? State{"ab", {}} : tip_;
    ListState& list = state.lists[Below(8) == 0 ? "other" : "main"];
    Event event{static_cast<Kind>(Below(6)), Below(8) == 0 ? "other" : "main", {}, ""};
    for (std::size_t steps = Below(4); steps > 0; --steps) {
      const std::string name = Below(2) == 0 && !own_.empty() ? own_.begin()->first : OneOf(kNames);
      const std::int64_t mark = list.high_water.value_or(0);
      const std::int64_t number = OneOf(std::vector<std::int64_t>{
          1, 2, mark, mark + 1, mark + 1, mark + 2, mark + (1 << 25), 2147483647});
      if (Below(3) != 0) event.steps.push_back({name, number, std::nullopt});
      if (Below(4) == 0) list.Close(name);
      else if (!list.high_water || Below(8) != 0) Put(list, name, number);
    }
    if (Below(4) == 0) {
      std::int64_t least = 1;
      for (const Reservation& one : list.open) least = std::max(least, one.number);
      list.high_water = std::max(least, OneOf(std::vector<std::int64_t>{1, 2, 3, 1000}));
    }
    Append(event, state);
  }

  /// Checks that an honest client's reservation changes only through an event that names it, and
  /// that no number is assigned twice.
  void Check() {
    INFO(log_);
    for (auto one = own_.begin(); one != own_.end();) {
      const Reservation* const now = held().Find(one->first);
      const bool kept = now != nullptr && now->number == one->second.number &&
                        now->who.Text() == one->second.who.Text();
      if (!kept) REQUIRE(said_.contains(one->first));
      if (now != nullptr && !SamePerson(now->who, one->second.who))
        REQUIRE(taken_.contains(one->first));
      one = kept ? std::next(one) : own_.erase(one);
    }
    said_.clear();
    taken_.clear();
    for (const Reservation& one : held().open) {
      const auto to = given_.find(one.number);
      if (to != given_.end()) REQUIRE(to->second == one.name);
    }
    if (!given_.empty()) REQUIRE(held().high_water >= given_.rbegin()->first);
  }

 private:
  static inline const git::Person kAnn{"ann", "ann@studio.example"}, kBob{"bob", "bob@x"};

  std::size_t Below(std::size_t n) { return random_() % n; }
  template <class T>
  T OneOf(const std::vector<T>& all) {
    return all[Below(all.size())];
  }
  const ListState& held() const { return chain_.state()->lists.at("main"); }
  std::string Next() { return std::to_string(++commits_); }

  /// Sets a reservation. Removes any other reservation of the same number, because a tree with both
  /// would be invalid.
  void Put(ListState& list, const std::string& name, std::int64_t number) {
    std::erase_if(list.open, [&](const Reservation& one) { return one.number == number; });
    list.Give(name, number, OneOf(std::vector<git::Person>{kEve, kEve, kAnn, kBob}));
  }

  void Append(const Event& event, const State& state) {
    log_ += std::string(KindName(event.kind)) + " " + event.list;
    for (const Step& step : event.steps) {
      log_ += " " + step.name + " " + std::to_string(step.number);
      if (event.kind != Kind::Create) said_.insert(step.name);
      if (event.kind == Kind::TakeOver) taken_.insert(step.name);
    }
    for (const auto& [name, text] : FormatState(state)) log_ += "\n" + text;
    // Readers do not know which revisions have landed, so they must accept that any reservation
    // disappears.
    for (const auto& [name, one] : own_) {
      const auto list = state.lists.find("main");
      if (list == state.lists.end() || list->second.Find(name) == nullptr) said_.insert(name);
    }
    tip_ = state;
    (void)chain_.Add(Next(), event, state);
  }

  std::mt19937 random_;
  Chain chain_;
  State tip_;
  int commits_ = 0;
  std::string log_;
  /// numbers assigned to honest clients, with the revisions' names
  std::map<std::int64_t, std::string> given_;
  /// honest clients' reservations that no event has changed yet
  std::map<std::string, Reservation> own_;
  std::set<std::string> said_, taken_;  ///< names in the events since the last Check()
};

/// Returns why an event on a list with mark 5 and ann's `SR_OPEN = 4` is invalid, or "".
std::string Wrong(Kind kind, std::int64_t mark, const std::vector<Reservation>& open,
                  const std::vector<Step>& steps) {
  State before{"ab", {}}, after{"ab", {}};
  before.lists["main"] = {5, {{"SR_OPEN", 4, {"ann", "ann@x"}}}};
  after.lists["main"] = {mark, open};
  return ValidateEvent(before, {kind, "main", steps, ""}, after).value_or("");
}

}  // namespace

TEST_CASE("chain: a commit's state matches its event", "[ledger]") {
  const git::Person ann{"ann", "ann@x"}, ann_elsewhere{"Ann B.", "ANN@x"};
  const Reservation open{"SR_OPEN", 4, ann};
  const auto step = [](const std::string& name, std::int64_t number) {
    return Step{name, number, std::nullopt};
  };
  CHECK(Wrong(Kind::Reserve, 6, {open, {"SR_X", 6, ann}}, {step("SR_X", 6)}) == "");
  CHECK(Wrong(Kind::Create, 6, {open, {"SR_X", 6, ann}}, {}) == "");
  CHECK(Wrong(Kind::Release, 5, {}, {step("SR_OPEN", 4)}) == "");
  // SR_OPEN has landed
  CHECK(Wrong(Kind::Reserve, 6, {{"SR_X", 6, ann}}, {step("SR_X", 6)}) == "");
  CHECK(Wrong(Kind::Confirm, 900, {open}, {}) == "");  // 900 has landed
  CHECK(Wrong(Kind::Renumber, 6, {{"SR_OPEN", 6, ann}}, {step("SR_OPEN", 6)}) == "");
  CHECK(Wrong(Kind::TakeOver, 5, {{"SR_OPEN", 4, kEve}}, {step("SR_OPEN", 4)}) == "");
  CHECK(Wrong(Kind::Confirm, 5, {{"SR_OPEN", 4, ann_elsewhere}}, {step("SR_OPEN", 4)}) == "");

  CHECK(Wrong(Kind::Reserve, 4, {open}, {}) == "lowers the high-water mark of list main from 5");
  CHECK(Wrong(Kind::Reserve, 6, {open, {"SR_X", 5, kEve}, {"SR_Y", 6, kEve}}, {step("SR_X", 5)}) ==
        "assigns SR_X = 5, but numbers up to 5 have already been assigned");
  CHECK(Wrong(Kind::Create, 5, {open, {"SR_X", 3, kEve}}, {}) ==
        "assigns SR_X = 3, but numbers up to 5 have already been assigned");
  CHECK(Wrong(Kind::Reserve, 6, {open, {"SR_X", 6, kEve}}, {step("SR_X", 7)}) ==
        "assigns SR_X = 6 to eve <eve@studio.example>, but its event does not include this "
        "assignment");
  CHECK(Wrong(Kind::Confirm, 5, {{"SR_OPEN", 4, kEve}}, {step("SR_OPEN", 4)}) ==
        "moves SR_OPEN = 4 from ann <ann@x> to eve <eve@studio.example>, but only a take-over can "
        "do that");
  CHECK(Wrong(Kind::Create, 5, {{"SR_OPEN", 4, kEve}}, {}) ==
        "assigns SR_OPEN = 4 to eve <eve@studio.example>, but its event does not include this "
        "assignment");
  CHECK(Wrong(Kind::TakeOver, 6, {{"SR_OPEN", 6, kEve}}, {step("SR_OPEN", 6)}) ==
        "assigns SR_OPEN = 6, but a take-over cannot assign numbers");
  CHECK(ValidateEvent({"ab", {}}, {Kind::Create, "", {}, ""}, {"cd", {}}) ==
        "changes the ledger's id");
}

TEST_CASE("chain: no event can use up all numbers", "[ledger]") {
  CHECK(Wrong(Kind::Confirm, 5 + kLargestJump, {}, {}) == "");
  CHECK(Wrong(Kind::Confirm, 6 + kLargestJump, {}, {}) ==
        "raises the high-water mark of list main to 67108870, far above all numbers assigned so "
        "far");
  CHECK_FALSE(TooFar(2023110501, std::nullopt));  // a new list may start at a date
  CHECK(TooFar(list::kLargestNumber, std::nullopt));
  CHECK_FALSE(TooFar(list::kLargestNumber, list::kLargestNumber - 1));
}

TEST_CASE("chain: a skipped commit reserves nothing, but uses up numbers", "[ledger]") {
  State state{"ab", {}};
  state.lists["main"].Give("SR_A", 1, {"ann", "ann@x"});
  Chain chain("ab");
  CHECK_FALSE(chain.Add("1", Event{Kind::Create, "main", {}, ""}, state));
  State bad = state;
  bad.lists["main"].Give("SR_X", 7, kEve);
  CHECK(chain.Add("2", Event{Kind::Confirm, "main", {}, ""}, bad));
  bad.id = "cd";
  bad.lists["main"].Give("SR_X", 9, kEve);
  CHECK(chain.Add("3", Event{Kind::Create, "main", {}, ""}, bad));
  bad.id = "ab";
  bad.lists["main"].Give("SR_X", 8, kEve);
  CHECK(chain.Add("4", std::nullopt, bad));
  CHECK(chain.last() == "1");
  CHECK(chain.state()->lists.at("main").open.size() == 1);
  CHECK(chain.state()->lists.at("main").high_water == 9);
}

TEST_CASE("chain: a number stays assigned, whatever is pushed on top", "[ledger]") {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    Clients clients(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 12; ++i) {
      if (random() % 3 == 0) clients.Honest();
      else clients.Hostile();
      clients.Check();
    }
  }
}

}  // namespace revctl::ledger
