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

/// A large golden as today's code reads it and saves it again. Holds no payload: at most the
/// payload, the object and the bytes that it is saved as are in memory at a time.
struct LargeDecoded {
  std::optional<golden::Error> unreadable;  ///< its file is missing, damaged or a pointer
  bool complete = false;                    ///< read to its last byte without an error
  std::size_t offset = 0;                   ///< of the first error
  std::string path, reason;
  bool saved = false;      ///< written again
  std::uint64_t hash = 0;  ///< of the bytes that were written
  bool as_recorded =
      false;  ///< the same bytes as when it was recorded, so its values are not visited
  Condensed read, resaved;  ///< empty if `as_recorded`
};

/// The revision at which large goldens are saved again: the newest recorded one, so that code of a
/// revision that is not recorded yet changes as little as possible.
std::int64_t SavedAt(const History& history);

/// Reads a large golden and writes it at revision `number`. Visits the values only if the
/// bytes differ from `expected`, the recorded value of golden::kSaved. Fills the object's memory
/// with `garbage` first. With `bytes`, also returns the written bytes.
LargeDecoded DecodeLarge(const RootType& root, const History& history, const Golden& golden,
                         std::int64_t number, const std::string& expected,
                         unsigned char garbage = 0, std::vector<std::byte>* bytes = nullptr);

/// Returns the text of golden::kSaved for bytes with this hash.
std::string SavedText(std::uint64_t hash);

/// Returns the text of golden::kSaved in `leaves`, or "", and removes it.
std::string TakeSaved(std::vector<golden::Leaf>& leaves);

/// Values of a large golden that differ.
struct LargeChanges {
  std::vector<golden::Change> changes;  ///< the first ones, by path
  std::size_t more = 0;                 ///< further values that differ
  std::size_t not_looked_into = 0;      ///< further lists or chunks that differ
  bool empty() const { return changes.empty(); }
};

/// What Expand knows of the values before: those that were expected, or those that are in the file,
/// which upgrades had changed.
enum class Before { Expected, Read };

/// Replaces each change of a digest by those of the values in it. `after` is a visit with the
/// wanted digests, which solves a difference of one number; `before` has the values as they were,
/// if they are known. A digest whose values are the same after all, by approved names, is dropped.
/// If nothing tells the values, the change names the chunk.
LargeChanges Expand(const std::vector<golden::Change>& changes, const Condensed& before,
                    const Condensed& after, const Renames& renames,
                    Before known = Before::Expected);

/// Returns the first digests among the changes.
Wanted WantedOf(const std::vector<golden::Change>& changes);

}  // namespace revctl::harness
