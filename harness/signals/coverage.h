#pragma once
#include <string>

#include "harness/signals/signals.h"

namespace revctl::harness {

/// Adds a finding of GH007 about `type`, at `field` where it has a name or a place, else at the
/// HARNESS_TYPE. False where a baseline accepts it.
bool AddUncovered(CheckContext& context, const RootType& root, Severity severity,
                  const std::string& type, const revctl::LayoutField& field,
                  const std::string& message, const std::string& fix, const std::string& cause,
                  const std::string& revision = "");

/// The command that makes a golden called `name` of a file.
std::string ImportCommand(const CheckContext& context, const RootType& root,
                          const std::string& name);

/// The command that makes goldens of older revisions. Today's code cannot write those of an Opaque
/// wire.
std::string OlderGoldens(const CheckContext& context, const RootType& root);

}  // namespace revctl::harness
