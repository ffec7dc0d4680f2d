#pragma once
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "revctl/ledger/state.h"
#include "tests/scenarios/team.h"

namespace revctl::testing {

/// A client without revctl, with the right to push, and what must hold whatever it pushes. All that
/// it does comes from a seed.
class Attacker {
 public:
  enum class Hook { Guarded, Unguarded };
  Attacker(unsigned seed, Hook hook);

  /// One push each, or several that belong together.
  void PushLedgerTree();
  void PushLedgerEvent();
  void PushContent();
  void PushRef();
  /// A merge commit with the tree of any parent, or of none; parents that never landed, or that
  /// lead back behind what has.
  void PushMerge();
  /// Folders, lists and projects that move, with a policy that follows them, and numbers that
  /// change in the same breath.
  void PushMove();
  /// Forged pending files and folds, where numbers are given at landing.
  void PushPending();

  /// What is broken now; empty: nothing. On a guarded server: no landed number or golden changed,
  /// the ledger reads, its marks only grow, no number has two names.
  std::string Broken();
  /// Colleagues reserve; where one cannot, the mend that it is given must work. What is broken;
  /// empty: nothing.
  std::string Reserve();

  int taken() const { return taken_; }
  int refused() const { return refused_; }
  /// What was pushed and what came of it, for the message of a failure.
  const std::string& log() const { return log_; }

 private:
  std::size_t Below(std::size_t n) { return random_() % n; }
  template <class T>
  const T& OneOf(const std::vector<T>& all) {
    return all[Below(all.size())];
  }

  /// A commit made of `lines` of git fast-import: any mode, any name.
  std::string Commit(const std::string& parent, const std::string& message,
                     const std::string& lines);
  static std::string File(const std::string& mode, const std::string& path,
                          const std::string& text);
  bool Push(const std::string& what, const std::vector<std::string>& refs);

  /// The server's main, fetched.
  std::string Main() const;
  std::string Show(const std::string& commit, const std::string& path) const;
  std::string LedgerTip() const;
  ledger::Files LedgerFiles() const;
  std::string Damaged(std::string text);
  std::string EditedList(std::string text);
  std::string EditedPolicy(std::string text);
  std::string Everything(const std::string& ref) const;
  std::string Mend(const std::string& why);
  std::string BrokenContent();
  std::string BrokenLedger();

  const Hook hook_;
  const bool at_landing_;
  std::mt19937 random_;
  Team team_;
  std::string log_;
  int taken_ = 0, refused_ = 0, reserved_ = 0;
  std::string main_tip_, ledger_tip_;          ///< when it was looked at last
  std::map<std::string, std::int64_t> marks_;  ///< of the ledger's lists
  std::map<std::int64_t, std::string> given_;  ///< numbers of list `main`
  std::int64_t highest_ = 2;                   ///< that a colleague got
  std::string goldens_;
};

}  // namespace revctl::testing
