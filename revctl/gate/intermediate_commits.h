#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "revctl/gate/gate.h"

namespace revctl::commands {

/// A rule, and whether it is asked of a commit that later ones of the same push follow.
struct AskedOnTheWay {
  std::string_view rule;
  bool asked;
  std::string_view why;
};
/// Each rule of the gate, in the order of their ids.
const std::vector<AskedOnTheWay>& RulesOnTheWay();

/// A push puts more than its tip on the first-parent line of the target or of a release. Each of
/// those commits must hold a whole list, and the landed goldens: programs are built from it, and
/// `git bisect` stops there. `tip`: how the tip was judged; `found`: its findings. Where none is an
/// error, the earliest commit that is wrong is added, with the command that squashes what follows
/// into it. The mend of a tip comes first.
base::Result<base::Done> CheckLine(const GateRequest& tip, std::vector<findings::Finding>& found);

}  // namespace revctl::commands
