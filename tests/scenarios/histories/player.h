#pragma once
#include <deque>
#include <functional>
#include <optional>

#include "tests/scenarios/histories/world.h"

namespace revctl::testing {

struct Branch : BranchOrder {
  std::string person, name;
  git::Oid met;  ///< the target commit that this branch joined last
};

/// A step of a history. Its numbers select among the options that exist when the step is played, so
/// a history stays playable even if steps are left out.
struct Step {
  enum class Kind {
    Begin,
    Stack,
    Add,
    Rebase,
    Reorder,
    Autosquash,
    MergeTarget,
    MergeBranch,
    SquashIn,
    SquashOwn,
    Pick,
    Revert,
    Amend,
    Renumber,
    Land,
    LandSquashed,
    LandByCommand,
    Button,
    HandMerge,
    RevertLanded,
    Cut,
    Hotfix,
    kCount
  };
  Kind kind = Kind::Add;
  std::uint32_t id = 0, a = 0, b = 0, c = 0;
};
std::string Text(const Step& step);

/// Plays steps in a world and checks all invariants after each step. Throws Broken if one is
/// violated.
class Player {
 public:
  /// If `builds` is true, Finish() compiles every commit of the target.
  explicit Player(bool builds = false) : builds_(builds) {}
  void Play(const Step& step);
  /// Checks the invariants of the whole history. Then damages one landed line, selected by `turn`,
  /// and checks that the gate reports the damage.
  void Finish(std::uint32_t turn);

  const World& world() const { return world_; }
  std::size_t landed() const { return states_.size() - 1; }
  std::size_t refused() const { return refused_; }
  /// Returns how often each rare event happened, as proof that a run covers it.
  const std::map<std::string, std::size_t>& seen() const { return seen_; }

 private:
  struct State {
    git::Oid commit;
    Entries list;
  };
  struct Told {
    std::string rule, message, fix;
  };

  Branch* Choose(std::uint32_t which);
  void On(const Branch& branch);
  void Fetch(const std::string& person);
  Entries Landed(const std::string& person) const;
  git::Oid Target(const std::string& person) const;
  /// Returns the branch's commits that are missing from the target, newest first.
  std::vector<git::CommitInfo> Own(const Branch& branch) const;
  std::set<std::string> AddedBy(const std::string& person, const git::CommitInfo& commit) const;
  bool PlainAdds(const Branch& branch, const std::vector<git::CommitInfo>& own) const;
  /// Returns the name of branch `other` in `person`'s clone. If the branch belongs to another
  /// person, pushes and fetches it first.
  std::string Reach(const std::string& person, const Branch& other);

  void Begin(const Step& step);
  void Stack(const Step& step);
  void Add(const Step& step, bool amend);
  void Rebase(const Step& step);
  void Reorder(const Step& step);
  void Autosquash(const Step& step);
  void MergeTarget(Branch& branch);
  /// Squashes the commits of `from` that HEAD lacks into a single commit whose message names their
  /// authors.
  void Squash(const std::string& person, const std::string& from, const std::string& message);
  void MergeBranch(const Step& step, bool squash);
  void SquashOwn(const Step& step);
  void Pick(const Step& step);
  void Revert(const Step& step);
  void Renumber(Branch& branch, bool amend);
  void Land(const Step& step, bool squash);
  void LandByCommand(const Step& step);
  void Button(const Step& step);
  void HandMerge(const Step& step);
  void Mangle(const std::string& person, const Step& step);
  void RevertLanded(const Step& step);
  void Cut(const Step& step);
  void Hotfix(const Step& step);

  /// Runs a git command that joins branches, such as a merge or a rebase. If only goldens conflict,
  /// resolves the conflicts with `revctl fix`.
  void Join(const std::string& person, const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment = {});
  void FixGoldens(const std::string& person);
  /// Repairs the branch with one command if landed entries were lost because git took the list of
  /// one of the `sides` without calling the driver.
  void RestoreLanded(const Branch& branch, const std::vector<Entries>& sides);
  /// Returns the list of the newest landed state that the branch contains.
  Entries LandedIn(const Branch& branch) const;
  /// Continues a stopped git operation. Returns false if there is none.
  bool GoOn(const std::string& person);
  std::vector<Told> Check(const std::string& person, std::vector<std::string> options = {});
  /// Pushes HEAD, which must have passed `check`. If the server rejects an earlier commit, runs the
  /// command that it prints.
  void Push(const std::string& person, const std::string& branch);
  /// Runs the squash command that `said` contains. Returns false if there is none.
  bool SquashAsTold(const std::string& person, const std::string& said);
  /// Runs the fixes of findings until none are left. Throws Broken if some remain after a few
  /// rounds.
  void RunFixes(const std::string& person, std::vector<std::string> options = {});
  /// Runs a printed fix. If the fix ends with `revctl fix`, the findings that World::Fix allows may
  /// remain.
  void RunFix(const std::string& person, std::string command);
  /// Follows the merge driver's advice for `SR_A = SR_B`. Nobody adds second names in these
  /// histories, so SR_A is a revision. Removes its line and reserves it.
  void ReserveSecondNames(const std::string& person);

  std::string NewName(const Step& step, unsigned which) const;
  void Insert(const std::string& person, const std::string& name, const Step& step);
  void CommitAll(const std::string& person, const std::string& message, bool amend = false);
  void RebaseOnto(Branch& branch, std::vector<std::string> arguments,
                  const std::vector<std::string>& environment = {}, bool reorders = false);

  using Files = std::function<std::string(const std::string& file)>;
  /// Returns the pending revisions whose goldens are stale. Computes them from the records'
  /// `compiler` field, independently of the `previous` field that the gate uses.
  static std::set<std::string> Stale(const Entries& list, const Entries& landed,
                                     const Files& files);
  /// Returns a message if a record or payloads file is missing or belongs to a different revision,
  /// otherwise "".
  static std::string Unfit(const Entries& list, const Files& files);
  void CheckStale(const std::string& person, const std::vector<Told>& told) const;

  void CheckBranch(Branch& branch) const;
  void CheckGoldens(const Entries& list);
  void CheckServer();
  void CheckLedger();

  World world_;
  std::deque<Branch> branches_;
  std::map<std::string, std::string> checked_out_;
  std::vector<State> states_;    ///< the state of the target after each push
  std::set<std::string> loose_;  ///< revisions that were reverted on some branch
  std::map<std::int64_t, std::string> given_;
  std::map<std::string, std::string> goldens_;  ///< contents of landed goldens, by revision
  std::map<std::string, Entries> releases_;
  std::map<std::string, std::size_t> seen_;
  bool builds_ = false;
  git::Oid ledger_;
  std::size_t refused_ = 0;
  bool new_files_ = false;  ///< true if the next commit needs `git add`
};

}  // namespace revctl::testing
