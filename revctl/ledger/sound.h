#pragma once
#include <string>

#include "revctl/git/repository.h"
#include "revctl/ledger/state.h"

namespace revctl::ledger {

/// The state in the tree of one commit; an Error where that is none that revctl writes.
base::Result<State> ReadState(const git::Repository& repository, const git::Oid& commit);

/// What holds at a ledger's tip.
struct SoundState {
  State state;
  git::Oid commit;  ///< whose tree it is: the tip, or the last sound commit below it
  /// Why the tip does not count; empty where it does.
  std::string unsound;
};

/// The state at `tip`. A tip that is no ledger's, or does what its event does not say, does not
/// count: any client may push one. Then the last sound commit below it does. `id`: of this ledger;
/// empty: any. The tip's Error where no commit below is sound, or where a newer revctl wrote it.
base::Result<SoundState> ReadSound(const git::Repository& repository, const git::Oid& tip,
                                   const std::string& id);

}  // namespace revctl::ledger
