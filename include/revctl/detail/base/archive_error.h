#pragma once
#include <cstddef>
#include <string>

namespace revctl {

/// The first thing that went wrong in an archive.
struct ArchiveError {
  std::string path;        ///< `Level.things[3].mesh`; empty where nothing went wrong
  std::size_t offset = 0;  ///< where in the bytes the visit stood
  std::string reason;      ///< one line for a person
  bool refused = false;  ///< a body said no (r.Fail); otherwise the bytes are no value of the type
};

}  // namespace revctl
