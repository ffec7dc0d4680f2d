#pragma once

// What the source that revctl_add_harness() generates registers. By itself, since each adopter
// compiles it once a program: <revctl/harness.h> takes the compiler seven times as long.

namespace revctl::harness {

/// Where this program's goldens are. All pointers are to static storage.
struct Settings {
  const char* golden = "";  ///< folder of the goldens
  const char* source_root =
      "";  ///< files in findings are given relative to the repository that holds this
  const char* build_root = "";  ///< what relative __FILE__s are relative to
};

/// Called before main(); defined in the library revctl::harness. The value means nothing.
bool Register(const Settings& settings);

}  // namespace revctl::harness
