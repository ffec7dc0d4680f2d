#pragma once
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/trace/registry.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {

struct CheckContext;

/// Milliseconds that this process has computed since the watch was made. Not of the wall: what
/// others do on the machine does not count.
class Stopwatch {
 public:
  Stopwatch() : begin_(Now()) {}
  double Milliseconds() const { return Now() - begin_; }

 private:
  static double Now() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }
  double begin_;
};

/// A golden as today's code reads it.
struct Decoded {
  const Golden* golden = nullptr;
  std::int64_t number = 0;  ///< of the revision that it was read at
  Traced read;
  bool complete = false;    ///< read without an error to its last byte
  bool saved = false;       ///< and could be written again at the latest revision
  double milliseconds = 0;  ///< what both took
  Traced resaved;           ///< that writing; its leaves are the upgraded value
};
Decoded Decode(const RootType& root, const Golden& golden, std::int64_t number,
               std::int64_t latest);
/// Whether it was read to its end, as it was recorded. `renames`: approved ones.
bool ReadsAsRecorded(const History& history, const Decoded& decoded, Renames renames);
/// Path of the value whose bytes hold this offset; empty where nothing was read.
std::string LeafAt(const Decoded& decoded, std::size_t offset);
/// All goldens of a root type, each at its revision; notes which revisions are misread.
std::vector<Decoded> DecodeAll(CheckContext& context, const RootType& root);

/// A golden that files of a later revision look like, and what today's code makes of one of those.
struct Inherited {
  const Golden* golden = nullptr;
  Decoded decoded;
};
/// What the revision at `index` inherits of a root type's goldens: none where some were recorded
/// there. Left out is what is no longer read as it was recorded.
std::vector<Inherited> InheritedAt(const RootType& root, const History& history, std::size_t index,
                                   const Renames& renames);

// How findings show what changed about values.

/// As many changes of a golden are written out; a finding counts the rest.
constexpr std::size_t kShown = 6;

/// The value, or "not there".
std::string Side(const std::optional<std::string>& side);

/// ", and 2 more values differ": of `differing` values the first was told.
std::string AndMore(std::size_t differing);

/// What `now` calls a value that was recorded at `path`: with the names that its fields got since.
/// `path` where it is not there.
std::string PathNow(const Renames& renames, const std::string& path,
                    const std::vector<golden::Leaf>& now);

/// A line for each of the first changes: what was recorded, and what is there now, called as `now`
/// does.
std::string ShownChanges(const Renames& renames, const std::vector<golden::Change>& changes,
                         const std::vector<golden::Leaf>& now);

}  // namespace revctl::harness
