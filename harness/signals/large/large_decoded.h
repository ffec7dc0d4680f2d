#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/layout/renames.h"
#include "harness/trace/condensed.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// The result of reading a large golden with the current code and saving it again, without the
/// payload itself. To compute it, at most the payload, the object and the saved bytes are in memory
/// at the same time.
struct LargeDecoded {
  /// the error if the golden's file is missing, damaged or a Git LFS pointer
  std::optional<golden::Error> unreadable;
  /// true if the golden was read to its last byte without an error
  bool complete = false;
  std::size_t offset = 0;  ///< offset of the first error
  std::string path, reason;
  bool saved = false;        ///< true if the object could be written again
  std::uint64_t hash = 0;    ///< hash of the written bytes; 0 unless `saved`
  bool as_recorded = false;  ///< true if the written bytes prove that the values are as recorded,
                             ///< so that no value was visited
  Condensed read, resaved;   ///< empty if `as_recorded`
};

/// Returns the newest recorded revision. Large goldens are saved at this revision, so that code of
/// an unrecorded revision has as little effect as possible.
std::int64_t SavedAt(const History& history);

/// Reads a large golden and writes it at revision `number`. Visits the values only if the written
/// bytes differ from `expected`, the recorded value of golden::kSaved, or if the type is Opaque.
/// The object is constructed in memory filled with `garbage`. If the written bytes match
/// `expected`, stores them in `bytes` unless it is null.
LargeDecoded DecodeLarge(const RootType& root, const History& history, const Golden& golden,
                         std::int64_t number, const std::string& expected,
                         unsigned char garbage = 0, std::vector<std::byte>* bytes = nullptr);

/// Returns the recorded form of golden::kSaved for bytes with this hash.
std::string SavedText(std::uint64_t hash);

/// Removes golden::kSaved from `leaves` and returns its value, or "" if it is not present.
std::string TakeSaved(std::vector<golden::Leaf>& leaves);

/// The values of a large golden that differ.
struct LargeChanges {
  std::vector<golden::Change> changes;  ///< the first changes, by path
  std::size_t more = 0;                 ///< number of further values that differ
  /// number of other changed lists or chunks, whose values were not compared
  std::size_t not_looked_into = 0;
  bool empty() const { return changes.empty(); }
};

/// Whether the earlier values passed to Expand are the expected values or the values in the file,
/// before upgrades.
enum class Before { Expected, Read };

/// Replaces each changed digest with the changed values behind it. `after` is a visit that
/// collected the values behind the wanted digests. `before` contains the earlier values if they are
/// known; even without them, a difference in a single number can be found. Drops a digest if its
/// values are equal apart from approved renames. If the values behind a digest cannot be
/// determined, the change names the chunk.
LargeChanges Expand(const std::vector<golden::Change>& changes, const Condensed& before,
                    const Condensed& after, const Renames& renames,
                    Before known = Before::Expected);

/// Names the values of a large golden that are now read differently. `now` is a visit that collects
/// the values of the wanted digests of the changes.
LargeChanges NameChanges(const RootType& root, const History& history, const Golden& golden,
                         const std::vector<golden::Change>& changes, const Condensed& now,
                         const Renames& renames);

/// Returns the digests whose values a visit should collect: the first ones among the changes.
Wanted WantedOf(const std::vector<golden::Change>& changes);

}  // namespace revctl::harness
