#pragma once
#include <optional>
#include <string>

#include "revctl/git/repository.h"
#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"

namespace revctl::ledger {

/// The state in the tree of one commit; an Error where that is none that revctl writes.
base::Result<State> ReadState(const git::Repository& repository, const git::Oid& commit);

/// What holds at a ledger's tip.
struct SoundState {
  State state;
  git::Oid commit;  ///< the tip, or the last sound commit below it
  /// Why the tip does not count; empty where it does.
  std::string unsound;
};

/// Judges a chain's commits, oldest first: each has to follow from what holds below it. One that is
/// no ledger's, or does what its event does not say, changes nothing. A number that its event and
/// its state both give stays given all the same: a person has it.
class ChainCheck {
 public:
  /// `known`: numbers that branches have. Where it is given, events that lift a list's numbers too
  /// far (TooFar) change nothing, either.
  explicit ChainCheck(const State* known = nullptr) : known_(known) {}
  void Add(const git::Oid& commit, const std::optional<Event>& event,
           const base::Result<State>& state);

  /// What holds now; nullopt: no commit is a ledger's.
  const std::optional<SoundState>& sound() const { return sound_; }
  /// What is wrong with the last commit that does not count.
  const std::string& why() const { return why_; }
  /// A newer revctl has written what counts.
  const std::optional<base::Error>& newer() const { return newer_; }
  /// The last sound commit before numbers were carried off.
  const std::optional<git::Oid>& before_ruin() const { return before_ruin_; }

 private:
  void TakeSaid(const Event& event, const State& after);
  /// Lists whose numbers were carried off are as they were before; others go on.
  State WithoutRuin(State state);

  const State* known_;
  std::optional<SoundState> sound_;
  std::optional<git::Oid> before_ruin_;
  std::optional<base::Error> newer_;
  std::string why_;
  std::int64_t steps_ = 0;  ///< of events since `sound_`
};

/// How many commits are judged where a clone has judged none of the chain before.
inline constexpr std::size_t kCheckedAtOnce = 64;
/// The same where the hook has judged each as it came, or this repository wrote it.
inline constexpr std::size_t kCheckedBefore = 1;

/// The state at `tip`, since any client may push anything there. `id`: of this ledger; empty: any.
/// `judged`: a commit that was sound when this clone read it last; all above it are judged.
/// Without it the newest `window` commits are, and all where the tip does not count.
/// The tip's Error where no commit is sound, or where a newer revctl wrote it.
base::Result<SoundState> ReadSound(const git::Repository& repository, const git::Oid& tip,
                                   const std::string& id,
                                   const std::optional<git::Oid>& judged = std::nullopt,
                                   std::size_t window = kCheckedAtOnce);

}  // namespace revctl::ledger
