#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/history/history.h"

namespace revctl::harness {

/// An object around a value of a golden: its record type, and the field of it that leads on.
struct PathStep {
  std::string type;
  std::string field;      ///< empty for the object's counter
  std::size_t begin = 0;  ///< where the path goes on below the object
};

/// The way from the root to a value, by its path.
struct RecordedPath {
  std::vector<PathStep> steps;  ///< outermost first; never empty
  bool whole = true;  ///< false where something that is no record stands between, so that more
                      ///< objects may lie behind
};

/// By the layouts in force at revision `index`, as recorded.
RecordedPath PathTo(const History& history, std::size_t index, const std::string& root,
                    const std::string& path);

}  // namespace revctl::harness
