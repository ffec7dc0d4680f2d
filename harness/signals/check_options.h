#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "harness/isolation/time_limits.h"

namespace revctl::harness {

/// How a check runs, and how its findings name files and this program.
struct CheckOptions {
  std::uint64_t seed = 1;
  std::string program;                          ///< how a person calls this harness
  std::string source_root;                      ///< findings give files relative to it
  std::string build_root;                       ///< what a relative __FILE__ is relative to
  bool thorough = false;                        ///< hostile input at every byte
  const std::set<std::string>* only = nullptr;  ///< root types to look at; null: all of them
  bool store = true;                            ///< also what belongs to no single type
  bool in_process = false;                      ///< CheckIsolated runs no child: for a debugger
  TimeLimits limits;                            ///< with one golden or sample
  bool fold_only = false;                       ///< CheckResult::folded instead of findings
  /// Called by CheckIsolated meanwhile: how many goldens were looked at, of how many, and the type.
  std::function<void(std::size_t done, std::size_t all, const std::string& type)> watch;

  /// A file as __FILE__ gives it, so that it can be opened.
  std::string Whole(const std::string& file) const;
  /// The same, below the source root without it.
  std::string Relative(const std::string& file) const;
};

/// Files of this revision get upgrade code of their own, while all goldens of the root type are
/// older or newer ones.
struct UntestedUpgrade {
  std::string type;
  std::string revision;
};

}  // namespace revctl::harness
