#pragma once
#include <string>
#include <vector>

#include "harness/advice/advice.h"

namespace revctl::harness {

/// A FIELD or DEAD in the current code.
struct PlainItem {
  revctl::LayoutField field;
  std::string type;  ///< as spelled in the source; empty if it could not be read
  /// value of a FIELD as spelled in the source (`= 100`, `{}`); may be empty
  std::string value;
};

/// The fields of a PLAIN struct. The struct's current source determines its layout at every
/// revision, so each line affects all revisions.
struct PlainList {
  std::vector<PlainItem> items;  ///< current fields in the order of the source
  /// every recorded layout of the struct, with current names
  std::vector<golden::RecordedType> recorded;
};

/// Reads a field's declaration from `file`. Parts that cannot be read stay empty. This function is
/// slow, so use it only for messages.
PlainItem ReadPlainItem(const revctl::LayoutField& field, const std::string& file);

/// Returns a wire type as spelled in FIELD, such as `uint8_t[2][3]` for `array<array<u8,3>,2>`.
std::string PlainType(const std::string& wire);

// Fixes for PLAIN structs. `place.plain` must not be null.
FixFunction FixPlainRetype, FixPlainOrder, FixPlainGate, FixPlainRemoved, FixPlainAdded,
    FixPlainRemName, FixPlainRenamed;

}  // namespace revctl::harness
