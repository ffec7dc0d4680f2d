#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/check/check.h"
#include "harness/isolation/child_process.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// How a child ended, and what it was at.
struct Crash {
  std::string last;    ///< `type\nwhat`, as Progress noted it; empty before the first note
  std::string ending;  ///< ChildProcess::ending()
  /// the last one visited, or the one at which the golden was harmed; may be empty
  std::string field;
  SourcePlace place{};  ///< of that field
  std::string harm{};   ///< what was done to the golden: `cut at`; empty where it was read as it is
  std::size_t offset = 0;

  /// `golden SR_A/auto-1`, `sample boss room`, `making of its samples`.
  std::string What() const;
};

/// Of a child that gave no answer.
Crash CrashOf(const ChildProcess& child);

/// What ended the process while one root type was looked at. One trap is met by many goldens and
/// samples: those that end at one place in one way are one error, which lists them.
class Crashes {
 public:
  void Add(Crash crash) { all_.push_back(std::move(crash)); }
  void Tell(const RootType& root, const CheckOptions& options, Verdicts& verdicts) const;

 private:
  std::vector<Crash> all_;
};

}  // namespace revctl::harness
