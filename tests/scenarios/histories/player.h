#pragma once
#include <deque>
#include <functional>
#include <optional>

#include "tests/scenarios/histories/world.h"

namespace revctl::testing {

struct Branch : BranchOrder {
  std::string person, name;
  git::Oid met;  ///< the target as it was when this branch was last joined with it
};

/// What one step of a history is. The numbers choose among what there is when it is played, so that
/// a history stays playable when steps are left out.
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

/// Plays steps in a world, and looks after each whether all that must hold does. Throws Broken.
class Player {
 public:
  /// `builds`: a compiler judges each commit of the target at the end.
  explicit Player(bool builds = false) : builds_(builds) {}
  void Play(const Step& step);
  /// What holds of the whole history at its end. Then one landed line is mangled by hand, as `turn`
  /// says: the gate names it.
  void Finish(std::uint32_t turn);

  const World& world() const { return world_; }
  std::size_t landed() const { return states_.size() - 1; }
  std::size_t refused() const { return refused_; }
  /// How often each of the seldom things happened: otherwise a run shows less than it says.
  const std::map<std::string, std::size_t>& seen() const { return seen_; }

 private:
  struct State {
    git::Oid commit;
    Entries list;
  };
  /// An error of `revctl check`, as a person reads it.
  struct Told {
    std::string rule, message, fix;
  };

  Branch* Choose(std::uint32_t which);
  void On(const Branch& branch);
  void Fetch(const std::string& person);
  Entries Landed(const std::string& person) const;
  git::Oid Target(const std::string& person) const;
  /// Commits of the branch that the target lacks, newest first.
  std::vector<git::CommitInfo> Own(const Branch& branch) const;
  std::set<std::string> AddedBy(const std::string& person, const git::CommitInfo& commit) const;
  bool PlainAdds(const Branch& branch, const std::vector<git::CommitInfo>& own) const;
  /// What `person` calls another branch; published first where it is another person's.
  std::string Reach(const std::string& person, const Branch& other);

  void Begin(const Step& step);
  void Stack(const Step& step);
  void Add(const Step& step, bool amend);
  void Rebase(const Step& step);
  void Reorder(const Step& step);
  void Autosquash(const Step& step);
  void MergeTarget(Branch& branch);
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

  /// A way of git's to join: where goldens alone are in conflict, `revctl resolve` mends them.
  void Join(const std::string& person, const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment = {});
  void MendGoldens(const std::string& person);
  /// Where git took the list of one side without asking the driver, what has landed may be gone:
  /// then one command mends it, as the gate says.
  void MendUnasked(const Branch& branch, const std::vector<Entries>& sides);
  /// The list of the newest landed state that the branch has, as far as its clone knows.
  Entries LandedIn(const Branch& branch) const;
  /// Goes on with what git has stopped within; false where nothing has.
  bool GoOn(const std::string& person);
  /// The errors of `check`.
  std::vector<Told> Check(const std::string& person, std::vector<std::string> options = {});
  /// Pushes HEAD, whose `check` is green. Where a commit before it is refused, the printed command
  /// mends that at once.
  void Push(const std::string& person, const std::string& branch);
  /// Runs the command that squashes a commit's mend into it, where `said` prints one.
  bool SquashAsTold(const std::string& person, const std::string& said);
  /// Runs what the findings print, until there are none. Broken where that does not end.
  void MendByFixes(const std::string& person, std::vector<std::string> options = {});
  /// Follows the merge driver's advice for `SR_A = SR_B`. People in these histories give no landed
  /// revision a second name, so SR_A is a revision of its own: its line goes, and it is reserved.
  void ReserveSecondNames(const std::string& person);

  std::string NewName(const Step& step, unsigned which) const;
  void Insert(const std::string& person, const std::string& name, const Step& step);
  void CommitAll(const std::string& person, const std::string& message, bool amend = false);
  void RebaseOnto(Branch& branch, std::vector<std::string> arguments,
                  const std::vector<std::string>& environment = {}, bool reorders = false);

  using Files = std::function<std::string(const std::string& file)>;
  /// Pending revisions whose records were made with other revisions that share a type than stand
  /// before them now: from what the records say in `compiler`, not from `previous`.
  static std::set<std::string> Stale(const Entries& list, const Entries& landed,
                                     const Files& files);
  /// A record that another one's payloads lie beside; empty where there is none.
  static std::string Unfit(const Entries& list, const Files& files);
  void CheckStale(const std::string& person, const std::vector<Told>& told) const;

  void CheckBranch(Branch& branch) const;
  void CheckGoldens(const Entries& list);
  void CheckServer();
  void CheckLedger();

  World world_;
  std::deque<Branch> branches_;
  std::map<std::string, std::string> checked_out_;
  std::vector<State> states_;    ///< of the target, each that a push has left
  std::set<std::string> loose_;  ///< revisions that were reverted somewhere
  std::map<std::int64_t, std::string> given_;
  std::map<std::string, std::string> goldens_;  ///< both files of what has landed
  std::map<std::string, Entries> releases_;
  std::map<std::string, std::size_t> seen_;
  bool builds_ = false;
  git::Oid ledger_;
  std::size_t refused_ = 0;
  bool new_files_ = false;  ///< `git add` has something to do
};

}  // namespace revctl::testing
