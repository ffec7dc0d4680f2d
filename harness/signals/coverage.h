#pragma once
#include <string>
#include <vector>

#include "harness/signals/signals.h"

namespace revctl::harness {

/// Where something is uncovered.
struct UncoveredAt {
  std::string at = {};                      ///< its revision; the latest one if empty
  std::vector<std::string> mentioned = {};  ///< revisions that its message mentions
};
/// Adds a GH007 finding about `type`. The finding is at `field` if the field has a name or a place,
/// or else at the HARNESS_TYPE. Returns false if a baseline accepts the
/// finding. `follows`: key of the finding that this one follows from; "" if there is none.
bool AddUncovered(CheckContext& context, const RootType& root, Severity severity,
                  const std::string& type, const revctl::LayoutField& field,
                  const std::string& message, const std::string& fix, const std::string& cause,
                  const UncoveredAt& where = {}, const std::string& follows = "");

/// Returns the command that imports a file as golden `name`.
std::string ImportCommand(const CheckContext& context, const RootType& root,
                          const std::string& name);

/// Returns the command that records goldens of older revisions. For an Opaque type, the command is
/// an import, because today's code cannot write older files.
std::string OlderGoldens(const CheckContext& context, const RootType& root);

}  // namespace revctl::harness
