#pragma once
#include <string>
#include <vector>

#include "harness/signals/signals.h"

namespace revctl::harness {

/// Where a GH007 finding applies: the revision of the uncovered code, and the revisions that the
/// message mentions.
struct UncoveredAt {
  std::string at = {};  ///< revision at which the code is uncovered; the latest one if empty
  std::vector<std::string> mentioned = {};  ///< revisions that the message mentions
};
/// Adds a GH007 finding about `type`. Locates the finding at `field` if its place in the source is
/// known, or else at the HARNESS_TYPE. `follows` is the key of the finding that causes this one, or
/// "". Returns false if a baseline accepts the finding.
bool AddUncovered(CheckContext& context, const RootType& root, Severity severity,
                  const std::string& type, const revctl::LayoutField& field,
                  const std::string& message, const std::string& fix, const std::string& cause,
                  const UncoveredAt& where = {}, const std::string& follows = "");

/// Returns the command that imports a file as golden `name`.
std::string ImportCommand(const CheckContext& context, const RootType& root,
                          const std::string& name);

/// Returns the command that records goldens of older revisions. For an Opaque type, returns the
/// import command, because the current code cannot write older files.
std::string OlderGoldens(const CheckContext& context, const RootType& root);

}  // namespace revctl::harness
