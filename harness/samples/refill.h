#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "golden/revision_record.h"
#include "harness/layout/renames.h"
#include "harness/trace/object.h"

namespace revctl::harness {

/// What became of recorded values that were written at another place in the list.
struct Refilled {
  explicit Refilled(const revctl::TypeInfo& type) : object(type) {}

  bool ok = false;
  std::string path, reason;      ///< of the first error
  Object object;                 ///< as reading the bytes would leave it
  std::vector<std::byte> bytes;  ///< the payload
  /// Paths of values that follow from others: sizes of objects, integrity numbers. They are not
  /// kept.
  std::set<std::string> derived;
};

/// Fills a fresh object at revision `number` by path from `values`, and gives the payload of that.
///
/// The bytes are made while the body reads, not from the object: the local of a REM is gone when
/// the body returns. What no recorded value fits gets what a sample of `seed` has there.
Refilled Refill(const revctl::TypeInfo& type, const std::vector<golden::Leaf>& values,
                std::int64_t number, std::uint64_t seed, const Renames& renames);

}  // namespace revctl::harness
