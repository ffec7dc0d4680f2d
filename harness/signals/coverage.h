#pragma once
#include <string>

#include "harness/signals/signals.h"

namespace revctl::harness {

/// Adds a GH007 finding about `type`, at `field` if that has a name or place, else at the
/// HARNESS_TYPE. `follows` is the key of the finding that it is a consequence of, or "". Returns
/// false if a baseline accepts it.
bool AddUncovered(CheckContext& context, const RootType& root, Severity severity,
                  const std::string& type, const revctl::LayoutField& field,
                  const std::string& message, const std::string& fix, const std::string& cause,
                  const std::string& revision = "", const std::string& follows = "");

/// Returns the command that imports a file as golden `name`.
std::string ImportCommand(const CheckContext& context, const RootType& root,
                          const std::string& name);

/// Returns the command that records goldens of older revisions. For an Opaque type that is an
/// import, because today's code cannot write them.
std::string OlderGoldens(const CheckContext& context, const RootType& root);

}  // namespace revctl::harness
