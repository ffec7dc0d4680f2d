// Tests merges in random walks of a small team over commits: branches, merges, squashes,
// cherry-picks, reverts, rebases, renumberings and landings in any order, so a base may be older or
// newer than the sides. Revisions are never renamed. In every state, no revision has another
// revision's number, landed revisions stay, nothing is lost, and a branch keeps its order.
// random_history_test.cpp runs similar walks with real git, which is several hundred times slower.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "revctl/list/merging/line_merge_test.h"
#include "revctl/list/merging/merge.h"
#include "revctl/list/merging/walk_commits_test.h"
#include "revctl/list/merging/walk_ledger_test.h"
#include "revctl/list/testing/test_lists.h"
#include "revctl/list/writing/edit.h"
#include "tests/support/branch_order.h"

namespace revctl::list {
namespace {

using revctl::testing::BranchOrder;
using revctl::testing::Entries;
using testing::Commits;

std::size_t FromEnvironment(const char* name, std::size_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::stoul(value);
}

struct Branch : BranchOrder {
  std::size_t tip = 0;
};

class Walk : Commits {
 public:
  Walk(std::size_t seed, bool with_history)
      : random_(static_cast<std::mt19937::result_type>(seed)), with_history_(with_history) {
    implicit_ = Chance(3);
    commits.push_back({{}, "enum Revision {\n  SR_A = 1,\n  SR_B = 2,\n};\n"});
    branches_.resize(3);
    Landed();
  }

  void Step() {
    Branch& branch = branches_[Below(branches_.size())];
    const Branch other = branches_[Below(branches_.size())];
    const std::size_t kind = Below(12);
    switch (kind) {
      case 0:
        if (Chance(3)) branch = other;  // stack on another branch
        else Begin(branch);
        break;
      case 1:
      case 2:
      case 3:
        for (std::size_t i = Below(3) + 1; i > 0; --i) Add(branch);
        break;
      case 4:
        MergeTarget(branch);
        break;
      case 5:
      case 6:
        MergeBranch(branch, other, Chance(4));
        break;
      case 7:
        Pick(branch, Below(commits.size()), false);
        break;
      case 8:
        Pick(branch, Below(commits.size()), true);
        break;
      case 9:
        Rebase(branch);
        break;
      case 10:
        Renumber(branch);
        break;
      default:
        Land(branch);
        break;
    }
    Check(branch);
  }

  std::size_t conflicts() const { return conflicts_; }
  /// Returns how often a side used a landed number for a different revision.
  std::size_t taken() const { return taken_; }
  std::size_t landings() const { return landings_; }

 private:
  bool Chance(unsigned of) { return Below(of) == 0; }
  std::size_t Below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  void Begin(Branch& branch) {
    branch = Branch{};
    branch.tip = target_;
    for (const auto& [name, number] : EntriesOf(target_)) branch.names.insert(name);
  }

  /// Adds a revision with a reserved number, or with the next number from the author's point of
  /// view.
  void Add(Branch& branch) {
    const RevisionList list = Parsed(branch.tip);
    // Use random letters, so that the order of names has no meaning.
    const std::string name =
        std::string("SR_") + static_cast<char>('A' + Below(26)) + std::to_string(++names_);
    std::int64_t number = list.Latest()->number + 1;
    const bool reserved = Chance(3);
    if (reserved) number = ledger_.Reserve(name, number);
    std::string text = commits[branch.tip].text;
    const std::string comment = Chance(3) ? " // ann" : Chance(2) ? " // " + name : "";
    text.insert(text.rfind("};"),
                "  " + name + (implicit_ && !reserved ? "" : " = " + std::to_string(number)) + "," +
                    comment + "\n");
    branch.Add(name, EntriesOf(branch.tip));
    branch.tip = Put({{branch.tip}, text});
  }

  /// Merges `other` into the branch. Returns false if the merge stops at a conflict.
  bool MergeInto(Branch& branch, std::size_t other, bool squash = false) {
    const std::size_t base = MergeBase(branch.tip, other);
    if (base == other) return true;
    if (base == branch.tip && !squash) {
      branch.tip = other;
      return true;
    }
    const auto text =
        Merged(commits[base].text, commits[branch.tip].text, commits[other].text, true);
    if (!text) return false;
    if (squash) branch.tip = Put({{branch.tip}, *text});
    else branch.tip = Put({{branch.tip, other}, *text});
    return true;
  }

  bool MergeTarget(Branch& branch) {
    const Entries before = EntriesOf(branch.tip);
    if (!MergeInto(branch, target_)) return false;
    for (const auto& [name, number] : EntriesOf(target_)) branch.names.insert(name);
    Stays(before, branch);
    return true;
  }

  void MergeBranch(Branch& branch, const Branch& other, bool squash) {
    const Entries mine = EntriesOf(branch.tip), theirs = EntriesOf(other.tip);
    if (!MergeInto(branch, other.tip, squash)) return;
    branch.Join(other, mine, theirs);
    Stays(mine, branch, theirs);
    Stays(theirs, branch, mine);
  }

  void Pick(Branch& branch, std::size_t commit, bool revert) {
    if (commits[commit].parents.size() != 1) return;
    const std::size_t parent = commits[commit].parents[0];
    const std::string &before = commits[parent].text, &after = commits[commit].text;
    const auto text = revert ? Merged(after, commits[branch.tip].text, before, false)
                             : Merged(before, commits[branch.tip].text, after, true);
    if (!text) return;
    const Entries mine = EntriesOf(branch.tip), there = EntriesOf(parent);
    BranchOrder source;
    Entries above;
    for (const auto& [name, number] : EntriesOf(commit)) {
      source.Add(name, above);
      above.emplace_back(name, number);
      if (revctl::testing::Has(there, name)) continue;
      if (revert) loose_.insert(name);
      else branch.Pick(name, source, mine);
    }
    branch.tip = Put({{branch.tip}, *text});
    Stays(mine, branch, EntriesOf(revert ? parent : commit));
  }

  void Rebase(Branch& branch) {
    const auto landed = Ancestors(target_);
    std::vector<std::size_t> own;
    bool straight = true;
    for (const std::size_t commit : Ancestors(branch.tip)) {
      straight = straight && (landed.contains(commit) || commits[commit].parents.size() == 1);
      if (!landed.contains(commit) && commits[commit].parents.size() == 1) own.push_back(commit);
    }
    const Entries before = EntriesOf(branch.tip);
    std::size_t tip = target_;
    for (const std::size_t commit : own) {
      const auto text = Merged(commits[commits[commit].parents[0]].text, commits[tip].text,
                               commits[commit].text, true);
      if (!text) return;
      tip = Put({{tip}, *text});
    }
    branch.tip = tip;
    for (const auto& [name, number] : EntriesOf(target_)) branch.names.insert(name);
    if (straight) Stays(before, branch);
    // A rebase drops merge commits, so the order of revisions that reached the branch in two ways
    // may change.
    else branch.Forget(EntriesOf(branch.tip));
  }

  void Renumber(Branch& branch) {
    if (MergeBase(branch.tip, target_) != target_) return;
    const RevisionList list = Parsed(branch.tip);
    const auto moves = ledger_.Confirm(list, Parsed(target_));
    auto text = list::MoveToEnd(list, {}, moves);
    if (!text) FAIL(text.error().message);
    const Entries before = EntriesOf(branch.tip);
    if (*text != list.text) branch.tip = Put({{branch.tip}, *text});
    Stays(before, branch);
  }

  /// Merges the target, renumbers, and lands the branch as a single commit, as many hosts do.
  void Land(Branch& branch) {
    if (!MergeTarget(branch) || commits[branch.tip].text == commits[target_].text) return;
    if (Chance(2)) Renumber(branch);
    const RevisionList list = Parsed(branch.tip);
    for (const auto& [name, number] : Landed()) {
      const Entry* const entry = list.Find(name);
      if (entry == nullptr || entry->number != number) return;  // the gate rejects this
    }
    target_ = Put({{target_}, commits[branch.tip].text});
    if (Chance(2)) branch.tip = target_;
    ledger_.high_water = std::max(ledger_.high_water, list.Latest()->number);
    for (const auto& [name, number] : Landed()) {
      const auto [owner, fresh] = owners_.emplace(number, name);
      CHECK(owner->second == name);
    }
    ++landings_;
  }

  void Stays(const Entries& before, const Branch& branch, const Entries& other = {}) {
    const Entries after = EntriesOf(branch.tip);
    INFO("before " << revctl::testing::Text(before) << "\nother " << revctl::testing::Text(other)
                   << "\nafter " << revctl::testing::Text(after) << "\ntarget "
                   << revctl::testing::Text(EntriesOf(target_)));
    CHECK(revctl::testing::Turned(before, after, EntriesOf(target_), other) == "");
  }

  void Check(Branch& branch) {
    const Entries list = EntriesOf(branch.tip);
    branch.Keep(list);
    INFO(revctl::testing::Text(list) << "\ntarget " << revctl::testing::Text(EntriesOf(target_)));
    CHECK(revctl::testing::Unsound(list) == "");
    CHECK(branch.Wrong(list, EntriesOf(target_)) == "");
    for (const std::string& name : branch.names) {
      if (!revctl::testing::Has(list, name) && !loose_.contains(name))
        FAIL_CHECK(name << " is lost");
    }
  }

  std::optional<std::string> Merged(const std::string& base, const std::string& ours,
                                    const std::string& theirs, bool keeps) {
    // If only one side changed the file, git takes that side without calling the merge driver.
    if (ours == theirs || theirs == base) return ours;
    if (ours == base) return theirs;
    MergeContext context;
    context.landed_known = true;
    context.landed_text = commits[target_].text;
    context.reservations = ledger_.reservations;
    context.high_water = ledger_.high_water;
    context.ledger_known = true;
    context.text_merge = testing::LineMerge;
    // In a walk, no commit edits the number of a revision that has already landed.
    if (with_history_)
      context.knew_landed = [](std::string_view, const std::string&, std::int64_t) {
        return false;
      };
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
      CHECK_FALSE(with_history_);  // with knew_landed, no merge may conflict
      return std::nullopt;
    }
    taken_ += static_cast<std::size_t>(
        std::count_if(merged->messages.begin(), merged->messages.end(), [](const auto& message) {
          return message.find("has the same number on one side") != message.npos;
        }));
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
  std::mt19937 random_;
  bool with_history_, implicit_ = false;
  std::vector<Branch> branches_;
  std::set<std::string> loose_;  ///< revisions that some commit has reverted
  std::size_t target_ = 0;
  int names_ = 0;
  testing::WalkLedger ledger_;
  std::map<std::int64_t, std::string> owners_;  ///< for each number, the name that landed with it
  std::size_t conflicts_ = 0, taken_ = 0, landings_ = 0;
};

}  // namespace

TEST_CASE("merge: random walks", "[list][merge][property]") {
  std::size_t taken = 0, conflicts = 0, landings = 0;
  const std::size_t first = FromEnvironment("REVCTL_WALK_FIRST", 1),
                    count = FromEnvironment("REVCTL_WALKS", testing::Many(150));
  for (std::size_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    for (const bool with_history : {true, false}) {
      Walk walk(seed, with_history);
      for (int step = 0; step < 40; ++step) walk.Step();
      taken += walk.taken();
      conflicts += walk.conflicts();
      landings += walk.landings();
    }
  }
  // Check that the walks reach the important states: pending revisions with landed numbers,
  // conflicts and landings.
  CHECK(taken >= count / 50);
  CHECK(conflicts > count / 20);
  CHECK(2 * landings > 5 * count);
}

}  // namespace revctl::list
