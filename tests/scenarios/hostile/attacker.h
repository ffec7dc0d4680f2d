#pragma once
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "revctl/ledger/state.h"
#include "tests/scenarios/team.h"

namespace revctl::testing {

/// An attacker who has push access but no revctl, and the invariants that must hold after each
/// push. The seed determines all actions.
class Attacker {
 public:
  enum class Hook { Guarded, Unguarded };
  Attacker(unsigned seed, Hook hook);

  /// Each of these functions makes one push, or several related pushes.
  void PushLedgerTree();
  void PushLedgerEvent();
  void PushContent();
  void PushRef();
  /// Pushes a merge commit with the tree of one of its parents, or with a different tree. The
  /// parents may be commits that never landed, or older commits of main.
  void PushMerge();
  /// Pushes moves of folders, lists and projects with a matching config, some of which also change
  /// numbers.
  void PushMove();
  /// Pushes forged pending files and folds for numbers at landing.
  void PushPending();

  /// Returns a violated invariant, or "". On a guarded server, no landed number or golden may
  /// change, the ledger must be readable, its high-water marks may only grow, and no number may
  /// have two names.
  std::string Broken();
  /// Has colleagues reserve numbers. If a reservation fails, the printed fix must work. Returns a
  /// violated invariant, or "".
  std::string Reserve();

  int taken() const { return taken_; }
  int refused() const { return refused_; }
  /// Returns the pushes and their results, for failure messages.
  const std::string& log() const { return log_; }

 private:
  std::size_t Below(std::size_t n) { return random_() % n; }
  template <class T>
  const T& OneOf(const std::vector<T>& all) {
    return all[Below(all.size())];
  }

  /// Creates a commit from `lines` of git fast-import input, which allows any mode and file name.
  /// Returns the commit's id, or "" if git rejects the commit.
  std::string Commit(const std::string& parent, const std::string& message,
                     const std::string& lines);
  static std::string File(const std::string& mode, const std::string& path,
                          const std::string& text);
  bool Push(const std::string& what, const std::vector<std::string>& refs);

  /// Fetches the server's main and returns its tip.
  std::string Main() const;
  std::string Show(const std::string& commit, const std::string& path) const;
  std::string LedgerTip() const;
  ledger::Files LedgerFiles() const;
  std::string Damaged(std::string text);
  std::string EditedList(std::string text);
  std::string EditedPolicy(std::string text);
  std::string Everything(const std::string& ref) const;
  std::string RepairLedger(const std::string& why);
  std::string BrokenContent();
  std::string BrokenLedger();

  const Hook hook_;
  const bool at_landing_;
  std::mt19937 random_;
  Team team_;
  std::string log_;
  int taken_ = 0, refused_ = 0, reserved_ = 0;
  std::string main_tip_, ledger_tip_;  ///< the tips of main and the ledger at the last check
  std::map<std::string, std::int64_t> marks_;  ///< high-water marks of the ledger's lists
  std::map<std::int64_t, std::string> given_;  ///< names in the list `main`, by number
  std::int64_t highest_ = 2;                   ///< the highest number assigned to a colleague
  std::string goldens_;
};

}  // namespace revctl::testing
