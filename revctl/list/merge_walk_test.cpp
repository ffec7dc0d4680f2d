// Random walks of a small team over commits, as git makes them: branches, merges, cherry-picks,
// reverts, rebases and landings, in any order, so that bases are older or newer than the sides they
// are given with. Nobody renames anything here. So whatever happens, no name ever gets the number
// of another, none becomes another name, and what has landed stays.
#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "revctl/list/line_merge_test.h"
#include "revctl/list/merge.h"
#include "revctl/list/test_lists.h"

namespace revctl::list {
namespace {

struct Commit {
  std::vector<std::size_t> parents;
  std::string text;
};

class Walk {
 public:
  Walk(unsigned seed, bool with_history) : random_(seed), with_history_(with_history) {
    implicit_ = Chance(3);
    commits_.push_back({{}, "enum Revision {\n  SR_A = 1,\n  SR_B = 2,\n};\n"});
    branches_.assign(3, 0);
    Landed();
  }

  void Step() {
    std::size_t& branch = branches_[Below(branches_.size())];
    switch (Below(8)) {
      case 0:
        branch = target_;  // a new branch
        break;
      case 1:
      case 2:
        Add(branch);
        break;
      case 3:
        MergeInto(branch, Chance(2) ? target_ : branches_[Below(branches_.size())]);
        break;
      case 4:
        Pick(branch, Below(commits_.size()), false);
        break;
      case 5:
        Pick(branch, Below(commits_.size()), true);
        break;
      case 6:
        Rebase(branch);
        break;
      default:
        Land(branch);
        break;
    }
  }

  std::size_t conflicts() const { return conflicts_; }
  std::size_t asked() const { return asked_; }
  std::size_t landings() const { return landings_; }

 private:
  bool Chance(unsigned of) { return Below(of) == 0; }
  std::size_t Below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  std::set<std::size_t> Ancestors(std::size_t tip) const {
    std::set<std::size_t> seen{tip};
    for (auto at = seen.rbegin(); at != seen.rend(); ++at)
      seen.insert(commits_[*at].parents.begin(), commits_[*at].parents.end());
    return seen;
  }
  std::size_t MergeBase(std::size_t a, std::size_t b) const {
    const auto one = Ancestors(a), two = Ancestors(b);
    return *std::find_if(one.rbegin(), one.rend(),
                         [&](std::size_t commit) { return two.contains(commit); });
  }

  /// A revision with the number that its author sees as the next one, or one from the ledger.
  void Add(std::size_t& branch) {
    const RevisionList list = Parsed(branch);
    const std::string name = "SR_N" + std::to_string(++names_);
    std::int64_t number = list.Latest()->number + 1;
    const bool reserved = Chance(3);
    if (reserved) {
      high_water_ = std::max(high_water_, number - 1) + 1;
      number = high_water_;
      reservations_.emplace_back(name, number);
    }
    std::string text = commits_[branch].text;
    const std::string comment = Chance(3) ? " // ann" : Chance(2) ? " // " + name : "";
    text.insert(text.rfind("};"),
                "  " + name + (implicit_ && !reserved ? "" : " = " + std::to_string(number)) + "," +
                    comment + "\n");
    branch = Put({{branch}, text});
  }

  void MergeInto(std::size_t& branch, std::size_t other) {
    const std::size_t base = MergeBase(branch, other);
    if (base == other) return;
    if (base == branch) {
      branch = other;
      return;
    }
    if (const auto text =
            Merged(commits_[base].text, commits_[branch].text, commits_[other].text, true))
      branch = Put({{branch, other}, *text});
  }

  void Pick(std::size_t& branch, std::size_t commit, bool revert) {
    if (commits_[commit].parents.size() != 1) return;
    const std::string &before = commits_[commits_[commit].parents[0]].text,
                      &after = commits_[commit].text;
    const auto text = revert ? Merged(after, commits_[branch].text, before, false)
                             : Merged(before, commits_[branch].text, after, true);
    if (text) branch = Put({{branch}, *text});
  }

  void Rebase(std::size_t& branch) {
    const auto landed = Ancestors(target_);
    std::vector<std::size_t> own;
    for (const std::size_t commit : Ancestors(branch)) {
      if (!landed.contains(commit) && commits_[commit].parents.size() == 1) own.push_back(commit);
    }
    std::size_t tip = target_;
    for (const std::size_t commit : own) {
      const auto text = Merged(commits_[commits_[commit].parents[0]].text, commits_[tip].text,
                               commits_[commit].text, true);
      if (!text) return;
      tip = Put({{tip}, *text});
    }
    branch = tip;
  }

  /// Merged with the target, confirmed, and landed as a commit of its own, as many hosts do.
  void Land(std::size_t& branch) {
    MergeInto(branch, target_);
    if (MergeBase(branch, target_) != target_ || commits_[branch].text == commits_[target_].text)
      return;
    const RevisionList list = Parsed(branch);
    for (const auto& [name, number] : Landed()) {
      const Entry* const entry = list.Find(name);
      if (entry == nullptr || entry->number != number) return;  // the gate refuses it
    }
    target_ = Put({{target_}, commits_[branch].text});
    branch = target_;
    high_water_ = std::max(high_water_, list.Latest()->number);
    for (const auto& [name, number] : Landed()) {
      const auto [owner, fresh] = owners_.emplace(number, name);
      CHECK(owner->second == name);
    }
    ++landings_;
  }

  std::optional<std::string> Merged(const std::string& base, const std::string& ours,
                                    const std::string& theirs, bool keeps) {
    if (ours == theirs || theirs == base) return ours;  // git calls no driver
    if (ours == base) return theirs;
    MergeContext context;
    context.landed_known = true;
    context.landed_text = commits_[target_].text;
    context.reservations = reservations_;
    context.high_water = high_water_;
    context.ledger_known = true;
    context.text_merge = testing::LineMerge;
    if (with_history_) {
      context.origin = [this](std::string_view, const std::string&, const std::string&) {
        ++asked_;
        return Origin::Own;
      };
    }
    const auto merged =
        Merge({.base = base, .ours = ours, .theirs = theirs, .path = "list.h"}, context, {});
    INFO("--- base\n"
         << base << "--- ours\n"
         << ours << "--- theirs\n"
         << theirs << "--- landed\n"
         << context.landed_text);
    if (!merged) FAIL(merged.error().message);
    INFO("--- merged\n" << merged->text);
    if (merged->conflict) {
      ++conflicts_;
      // Reverting a renumbering, or picking from before it, edits what has landed: a person is
      // asked, and nobody else.
      for (const std::string& message : merged->messages) {
        if (with_history_ && message.find(": conflict: ") != std::string::npos)
          CHECK(message.find("and one side makes it") != std::string::npos);
      }
      return std::nullopt;
    }
    Judge(merged->text, keeps ? ours : "");
    return merged->text;
  }

  void Judge(const std::string& text, const std::string& ours) {
    const RevisionList list = testing::Parsed(text);
    std::set<std::int64_t> numbers;
    for (const Entry& entry : list.entries) {
      CHECK(entry.kind == EntryKind::Revision);
      CHECK(numbers.insert(entry.number).second);
    }
    const auto landed = Landed();
    for (const Entry& entry : list.entries) {
      const auto found = landed.find(entry.name);
      if (found != landed.end()) CHECK(entry.number == found->second);
      const auto owner = owners_.find(entry.number);
      if (owner != owners_.end()) CHECK(owner->second == entry.name);
    }
    if (ours.empty()) return;
    for (const Entry& entry : testing::Parsed(ours).entries) {
      if (list.Find(entry.name) == nullptr && landed.contains(entry.name))
        FAIL(entry.name << " is lost");
    }
  }

  std::map<std::string, std::int64_t> Landed() {
    std::map<std::string, std::int64_t> out;
    for (const Entry& entry : Parsed(target_).entries) out[entry.name] = entry.number;
    return out;
  }
  RevisionList Parsed(std::size_t commit) const { return testing::Parsed(commits_[commit].text); }
  std::size_t Put(Commit commit) {
    commits_.push_back(std::move(commit));
    return commits_.size() - 1;
  }

  std::mt19937 random_;
  bool with_history_, implicit_ = false;
  std::vector<Commit> commits_;
  std::vector<std::size_t> branches_;
  std::size_t target_ = 0;
  int names_ = 0;
  std::int64_t high_water_ = 2;
  std::vector<std::pair<std::string, std::int64_t>> reservations_;
  std::map<std::int64_t, std::string> owners_;  ///< who has ever landed with a number
  std::size_t conflicts_ = 0, asked_ = 0, landings_ = 0;
};

}  // namespace

TEST_CASE("merge: random walks", "[list][merge][property]") {
  std::size_t asked = 0, conflicts = 0, landings = 0;
  for (unsigned seed = 1; seed <= testing::Many(400); ++seed) {
    INFO("seed " << seed);
    for (const bool with_history : {true, false}) {
      Walk walk(seed, with_history);
      for (int step = 0; step < 40; ++step) walk.Step();
      asked += walk.asked();
      conflicts += walk.conflicts();
      landings += walk.landings();
    }
  }
  // The walks come where it matters: to names on landed numbers, to conflicts where nobody can be
  // asked, and to main.
  CHECK(asked > testing::Many(20));
  CHECK(conflicts > testing::Many(20));
  CHECK(landings > testing::Many(1000));
}

}  // namespace revctl::list
