// Simulates a team's year: how often numbers collide, changes are rejected, and revisions are
// renumbered. The simulation does not run revctl. It assumes that an update is one command and that
// no number is assigned twice, both of which the storm test verifies with real clones.
#include "revctl/bench/scaling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <queue>
#include <random>
#include <string>

namespace revctl::bench {
namespace {

constexpr double kWeek = 2400, kSecond = 1.0 / 60;
/// A team keeps up if it lands at least this share of the revisions that it starts in a year.
constexpr double kKeepsUp = 0.97;

/// A random number generator that yields the same numbers with every standard library. The
/// distributions in std:: differ between libraries.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}
  double Uniform() { return static_cast<double>(bits_() >> 11) * 0x1.0p-53; }
  double Exponential(double mean) { return -mean * std::log(1 - Uniform()); }

 private:
  std::mt19937_64 bits_;
};

struct Feature {
  double done = 0;  ///< time at which the author wants to land the feature
  std::int64_t number = 0;
  std::int64_t base = 0;  ///< number of landings that the branch contains
  bool wrong = false;     ///< true if the last merge by hand produced a wrong list
};

struct Event {
  enum class Kind { Begin, Update, Try } kind;
  double time;
  std::size_t feature;
  bool operator<(const Event& other) const {
    return time != other.time ? time > other.time : feature > other.feature;
  }
};

class Year {
 public:
  Year(const TeamModel& model, Way way) : model_(model), way_(way), dice_(model.seed) {}

  TeamYear Run() {
    const double end = model_.weeks * kWeek,
                 gap = kWeek / (model_.people * model_.revisions_per_week);
    for (double t = dice_.Exponential(gap); t < end; t += dice_.Exponential(gap))
      events_.push({Event::Kind::Begin, t, features_++});
    all_.resize(features_);
    out_.begun = static_cast<std::int64_t>(features_);
    // Stop 8 weeks after the end of the year, because features that have not landed by then never
    // will. Also stop after twenty rejections per feature, because a team with so many rejections
    // does not keep up.
    while (!events_.empty() && events_.top().time < end + 8 * kWeek &&
           out_.refused < 20 * out_.begun) {
      const Event event = events_.top();
      events_.pop();
      Feature& feature = all_[event.feature];
      if (event.kind == Event::Kind::Begin) Begin(event, feature);
      if (event.kind == Event::Kind::Update) Update(event, feature);
      if (event.kind == Event::Kind::Try) Try(event, feature);
    }
    if (out_.landed > 0) out_.waited /= static_cast<double>(out_.landed);
    CountRaces();
    return out_;
  }

 private:
  void Reserve(Feature& feature, double time) {
    feature.number = ++high_water_;
    ledger_moves_.push_back(time);
  }

  void Begin(const Event& event, Feature& feature) {
    feature.base = landings_;
    if (way_ == Way::Gate || way_ == Way::Queue) Reserve(feature, event.time);
    feature.done = event.time + dice_.Exponential(model_.work);
    events_.push({Event::Kind::Update, feature.done, event.feature});
  }

  double Build() { return model_.build * (0.7 + 0.6 * dice_.Uniform()); }

  /// Merges the target into the feature. Without revctl, the last line of the list conflicts if
  /// another person has landed a revision since the last update.
  void Update(const Event& event, Feature& feature) {
    double ready = event.time;
    if (way_ == Way::ByHand) {
      if (feature.base != landings_) {
        ++out_.merged_by_hand;
        feature.wrong = dice_.Uniform() < model_.wrong;
        ready += model_.by_hand;
      }
    } else if (way_ == Way::Gate && feature.number < last_number_) {
      Reserve(feature, event.time);
      ++out_.renumbered;
    }
    feature.base = landings_;
    // A merge queue builds each change on top of the earlier ones, and lands them in order.
    double tried = ready + Build();
    if (way_ == Way::Queue) tried = queue_free_ = std::max(tried, queue_free_ + kSecond);
    events_.push({Event::Kind::Try, tried, event.feature});
  }

  void Try(const Event& event, Feature& feature) {
    if (way_ == Way::AtLanding) {
      // With numbers at landing, no change edits the list, so nothing conflicts, and the fold
      // assigns the next number.
      feature.number = last_number_ + 1;
    } else if (way_ == Way::Queue) {
      if (feature.number < last_number_) {
        feature.number = ++high_water_;  // no race, because only the queue's bot assigns numbers
        ++out_.renumbered;
      }
    } else if (feature.base != landings_) {
      // The list changed during the build. The two versions of the list conflict as text,
      // regardless of their numbers.
      ++out_.refused;
      events_.push({Event::Kind::Update, event.time, event.feature});
      return;
    }
    ++landings_;
    last_number_ = feature.number;
    ++out_.landed;
    out_.wrong_lists += feature.wrong ? 1 : 0;
    out_.waited += event.time - feature.done;
  }

  void CountRaces() {
    std::sort(ledger_moves_.begin(), ledger_moves_.end());
    std::int64_t close = 0;
    for (std::size_t i = 1; i < ledger_moves_.size(); ++i)
      close += ledger_moves_[i] - ledger_moves_[i - 1] < kSecond ? 1 : 0;
    if (!ledger_moves_.empty())
      out_.lost_races = static_cast<double>(close) / static_cast<double>(ledger_moves_.size());
  }

  const TeamModel model_;
  const Way way_;
  Dice dice_;
  std::priority_queue<Event> events_;
  std::vector<Feature> all_;
  std::size_t features_ = 0;
  std::vector<double> ledger_moves_;
  std::int64_t landings_ = 0, last_number_ = 0, high_water_ = 0;
  double queue_free_ = 0;
  TeamYear out_;
};

constexpr int kSizes[] = {20, 50, 100, 200, 500, 1000, 2000};
constexpr std::pair<Way, const char*> kWays[] = {{Way::ByHand, "by hand"},
                                                 {Way::Gate, "revctl, gate"},
                                                 {Way::Queue, "revctl, queue"},
                                                 {Way::AtLanding, "revctl, at landing"}};

}  // namespace

TeamYear Simulate(const TeamModel& model, Way way) { return Year(model, way).Run(); }

std::vector<Row> BenchScaling() {
  std::vector<Row> out;
  for (const int people : kSizes) {
    for (const auto& [way, name] : kWays) {
      TeamModel model;
      model.people = people;
      const TeamYear year = Simulate(model, way);
      const double landed = static_cast<double>(std::max<std::int64_t>(year.landed, 1));
      auto row = [&, way_name = name](const char* op, double value, const char* unit) {
        out.push_back({"scaling", std::to_string(people), way_name, op, value, unit, 0, ""});
      };
      row("landed", static_cast<double>(year.landed) / static_cast<double>(year.begun),
          "of those begun");
      row("merged by hand", static_cast<double>(year.merged_by_hand) / landed, "per landing");
      row("wrong lists", static_cast<double>(year.wrong_lists), "a year");
      row("refused", static_cast<double>(year.refused) / landed, "per landing");
      row("renumbered", static_cast<double>(year.renumbered) / landed, "per landing");
      row("wait", year.waited, "minutes");
      row("lost races", year.lost_races, "per reservation");
    }
  }
  return out;
}

void PrintScaling(const std::vector<Row>& rows) {
  std::printf(
      "| people | way | landed | by hand | wrong lists a year | refused | renumbered | wait, min | "
      "lost races |\n|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i + 6 < rows.size(); i += 7) {
    std::printf("| %s | %s |", rows[i].subject.c_str(), rows[i].contender.c_str());
    if (rows[i].value < kKeepsUp) {
      std::printf(" does not keep up | | | | | | |\n");
      continue;
    }
    std::printf(" %.0f %% | %.2f | %.0f | %.2f | %.2f | %.0f | %.4f |\n", 100 * rows[i].value,
                rows[i + 1].value, rows[i + 2].value, rows[i + 3].value, rows[i + 4].value,
                rows[i + 5].value, rows[i + 6].value);
  }
}

}  // namespace revctl::bench
