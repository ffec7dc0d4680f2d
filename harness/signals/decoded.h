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
#include "revctl/base/first_few.h"

namespace revctl::harness {

struct CheckContext;

/// Measures CPU time, because elapsed time would also depend on other programs on the machine.
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

struct Decoded {
  const Golden* golden = nullptr;
  std::int64_t number = 0;  ///< number of the revision at which the golden was read
  Traced read;
  bool complete = false;  ///< true if the golden was read to its last byte without an error
  /// true if the golden is complete and could be written again at the latest revision
  bool saved = false;
  double milliseconds = 0;  ///< CPU time for reading and writing
  Traced resaved;           ///< result of writing; its leaves are the upgraded values
};
Decoded Decode(const RootType& root, const Golden& golden, std::int64_t number,
               std::int64_t latest);
/// True if reading the golden reached its last byte and yielded the recorded values. `renames`
/// contains the approved renames.
bool ReadsAsRecorded(const History& history, const Decoded& decoded, Renames renames);
/// Returns the path of the value whose bytes contain this offset, or "" if nothing was read.
std::string LeafAt(const Decoded& decoded, std::size_t offset);
/// Decodes all goldens of a root type, each at its own revision. Adds revisions with misread
/// goldens to `context.misread`.
std::vector<Decoded> DecodeAll(CheckContext& context, const RootType& root);

/// Returns the index of the first later revision whose files may differ from this golden, so that
/// the golden no longer represents them.
std::size_t ServesUntil(const RootType& root, const History& history, const Golden& golden);

/// A golden that also represents files of a later revision, decoded as if it were a file of that
/// revision.
struct Inherited {
  Golden golden;  ///< as a file of that revision; see History::AsFileOf
  Traced resaved;
};
/// Returns the goldens of a root type that the revision at `index` inherits, without those that are
/// not read with their recorded values. Returns none if the revision has its own goldens.
std::vector<Inherited> InheritedAt(const RootType& root, const History& history, std::size_t index,
                                   const Renames& renames);

// Functions that describe changed values in findings.

/// Maximum number of changes that a finding shows.
constexpr std::size_t kShown = base::kFirstFew;

/// Returns the value before or after a change, or "absent" if it is missing on that side.
std::string Side(const std::optional<std::string>& side);

/// Returns text such as ", and 2 more values differ". In this example, three values differ, and the
/// message has already mentioned the first one.
std::string AndMore(std::size_t differing);

/// Returns "was 5, but is now read as 3", or a phrase saying that the value is no longer read.
std::string ReadInstead(const golden::Change& change);

/// Returns the fix to print if the reader gets different values than the writer of `revision`
/// wrote.
std::string ReadAsWritten(const std::string& revision);

/// The fix for a failing reader if the cause is unknown.
inline constexpr char kReadAsWritten[] =
    "at this revision, read exactly what was written: look for a branch or condition whose result "
    "differs between writing and reading";

/// Removes the changes that result from upgrades. A program's own streams upgrade values while
/// reading, so the values read from a golden of an Opaque type may differ from the recorded ones.
/// GH004 checks such upgrades. `expected` contains the golden's upgraded values, and `number` is
/// its revision.
void ForgetUpgraded(const CheckContext& context, std::int64_t number,
                    const std::vector<golden::Leaf>& expected,
                    std::vector<golden::Change>& changes);

/// Returns "upgraded to 3, not to 5", or a phrase saying that the value appeared or disappeared.
std::string UpgradedInstead(const golden::Change& change);

/// Returns the fix of last resort for changed upgrade code: if no build with the old value was
/// released, approve the change in a review.
std::string OrReview(const std::string& program);

/// Returns a line for each of the first changes, with the recorded and the current value. Paths use
/// the names in `now`.
std::string ShownChanges(const Renames& renames, const std::vector<golden::Change>& changes,
                         const std::vector<golden::Leaf>& now);

}  // namespace revctl::harness
