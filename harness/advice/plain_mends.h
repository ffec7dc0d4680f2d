#pragma once
#include <string>
#include <vector>

#include "harness/advice/advice.h"

namespace revctl::harness {

/// A FIELD or DEAD of today's code.
struct PlainItem {
  revctl::LayoutField field;
  std::string type;   ///< source spelling; empty if it could not be read
  std::string value;  ///< FIELD: source spelling of the value (`= 100`, `{}`); may be empty
};

/// The fields of a PLAIN struct. They describe every layout that it ever had, so a line can only be
/// checked against all revisions together.
struct PlainList {
  std::vector<PlainItem> items;                ///< today's, in source order
  std::vector<golden::RecordedType> recorded;  ///< every recorded layout, with today's names
};

/// Reads a field's declaration from `file`; parts that cannot be read stay empty. Reads one file,
/// so use it only for messages.
PlainItem ReadPlainItem(const revctl::LayoutField& field, const std::string& file);

/// Returns a wire type in FIELD's spelling: `uint8_t[2][3]` for `array<array<u8,3>,2>`.
std::string PlainType(const std::string& wire);

// PLAIN structs; `place.plain` must not be null.
void MendPlainRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainOrder(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainGate(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainRemName(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainRenamed(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
