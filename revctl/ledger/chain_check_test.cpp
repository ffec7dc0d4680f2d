// Random chains, in memory: clients that read what holds and write on top of it, and hostile ones
// that write anything. Thousands of chains take a second; revctl_attack_test has real servers.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/sound.h"

namespace revctl::ledger {
namespace {

using Kind = Event::Kind;

const git::Person kEve{"eve", "eve@studio.example"};
const std::vector<std::string> kNames = {"SR_A", "SR_B", "SR_C", "SR_D", "SR_E", "SR_F"};

class Chain {
 public:
  explicit Chain(unsigned seed) : random_(seed) {
    State first;
    first.id = "ab";
    first.lists["main"].Give("SR_INITIAL", 1, kAnn);
    Append({Kind::Create, "main", {}, ""}, first);
  }

  /// A client of ours: whatever holds, with one more event.
  void Honest() {
    const bool at_end = held().high_water.value_or(0) > (1 << 24);
    if (at_end) return;  // carried off: only a repair leads back
    const git::Person who = OneOf(std::vector<git::Person>{kAnn, kBob});
    const std::string name = "SR_OWN" + std::to_string(given_.size());
    State next = Now().state;
    ListState& list = next.lists["main"];
    const std::int64_t number = list.high_water.value_or(0) + 1;
    INFO(log_ << name << " = " << number);
    CHECK(given_.emplace(number, name).second);
    CHECK(given_.rbegin()->first == number);
    list.Give(name, number, who);
    Append({Kind::Reserve, "main", {{name, number, std::nullopt}}, ""}, next);
    // What a client of ours writes counts, whatever stands below it.
    CHECK(Now().commit == std::to_string(commits_));
    own_[name] = {name, number, who};
  }

  /// Anything, on top of what holds, of the tip's own tree, or of nothing.
  void Hostile() {
    if (Below(6) == 0) {
      judged_.Add(Next(), std::nullopt, base::Error{base::Exit::Environment, "no ledger", ""});
      log_ += "nothing\n";
      return;
    }
    State state = Below(3) == 0 ? Now().state : Below(6) == 0 ? State{"ab", {}} : tip_;
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

  /// Nothing that a client of ours has written is another's, or has another number, but by an
  /// event that says so.
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
      // A repair brings back what other clones know.
      if (to != given_.end() && !repaired_) REQUIRE(to->second == one.name);
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
  const SoundState& Now() const { return *judged_.sound(); }
  const ListState& held() const { return Now().state.lists.at("main"); }
  std::string Next() { return std::to_string(++commits_); }

  /// A tree that reads: no number twice.
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
    // What the hook would say of a landed one, a reader does not know: it leaves without a word.
    for (const auto& [name, one] : own_) {
      const auto list = state.lists.find("main");
      if (list == state.lists.end() || list->second.Find(name) == nullptr) said_.insert(name);
    }
    repaired_ = repaired_ || (event.kind == Kind::Create && commits_ > 0);
    tip_ = state;
    judged_.Add(Next(), event, state);
  }

  std::mt19937 random_;
  ChainCheck judged_;
  State tip_;
  int commits_ = 0;
  std::string log_;
  std::map<std::int64_t, std::string> given_;  ///< to clients of ours
  std::map<std::string, Reservation> own_;     ///< theirs, as long as no event says otherwise
  std::set<std::string> said_, taken_;         ///< by the last event
  bool repaired_ = false;
};

}  // namespace

TEST_CASE("judged: a number stays given whatever stands on a ledger", "[ledger]") {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    Chain chain(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 12; ++i) {
      if (random() % 3 == 0) chain.Honest();
      else chain.Hostile();
      chain.Check();
    }
  }
}

}  // namespace revctl::ledger
