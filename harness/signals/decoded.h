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

/// Measures CPU time, which is independent of other programs on the machine.
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
  std::int64_t number = 0;  ///< of the revision at which it was read
  Traced read;
  bool complete = false;    ///< read to its last byte without an error
  bool saved = false;       ///< complete, and written again at the latest revision
  double milliseconds = 0;  ///< CPU time of both
  Traced resaved;           ///< result of writing; its leaves are the upgraded value
};
Decoded Decode(const RootType& root, const Golden& golden, std::int64_t number,
               std::int64_t latest);
/// True if it was read completely and as recorded. `renames`: approved ones.
bool ReadsAsRecorded(const History& history, const Decoded& decoded, Renames renames);
/// Returns the path of the value that contains this offset, or "" if nothing was read.
std::string LeafAt(const Decoded& decoded, std::size_t offset);
/// Decodes all goldens of a root type, each at its revision. Notes revisions with misread goldens.
std::vector<Decoded> DecodeAll(CheckContext& context, const RootType& root);

/// Returns the first later revision whose files this golden does not represent.
std::size_t ServesUntil(const RootType& root, const History& history, const Golden& golden);

/// A golden that represents files of a later revision, decoded as such a file.
struct Inherited {
  const Golden* golden = nullptr;
  Decoded decoded;
};
/// Returns the goldens of a root type that the revision at `index` inherits; none if it has its
/// own. Leaves out those that are not read as recorded.
std::vector<Inherited> InheritedAt(const RootType& root, const History& history, std::size_t index,
                                   const Renames& renames);

// Formatting of changed values in findings.

/// Number of changes that a finding lists.
constexpr std::size_t kShown = base::kFirstFew;

/// Returns the value, or "absent".
std::string Side(const std::optional<std::string>& side);

/// Returns ", and 2 more values differ" for `differing` values, of which the first has been
/// mentioned.
std::string AndMore(std::size_t differing);

/// Returns "was 5, is read as 3", or that the value is not read any more.
std::string ReadInstead(const golden::Change& change);

/// Returns the fix for values that are read otherwise than they were written at `revision`.
std::string ReadAsWritten(const std::string& revision);

/// Removes changes due to upgrades. The program's own streams upgrade while reading, so values of
/// an opaque type are never seen as written. GH004 checks their upgrades. `expected`: the golden's
/// upgraded values; `number`: its revision.
void ForgetUpgraded(const CheckContext& context, std::int64_t number,
                    const std::vector<golden::Leaf>& expected,
                    std::vector<golden::Change>& changes);

/// Returns "upgraded to 3, not to 5", or how a value came or went.
std::string UpgradedInstead(const golden::Change& change);

/// Returns the last alternative in the fix of a changed upgrade: to approve the new value in a
/// review, if no build with the old value was released.
std::string OrReview(const std::string& program);

/// Returns the path in `now` for a recorded `path`, with the current names of its fields. Returns
/// `path` if there is none.
std::string PathNow(const Renames& renames, const std::string& path,
                    const std::vector<golden::Leaf>& now);

/// Returns a line for each of the first changes with the recorded and the current value, using the
/// names in `now`.
std::string ShownChanges(const Renames& renames, const std::vector<golden::Change>& changes,
                         const std::vector<golden::Leaf>& now);

}  // namespace revctl::harness
