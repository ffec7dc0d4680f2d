#pragma once
#include <string>
#include <vector>

#include "harness/advice/advice.h"

namespace revctl::harness {

/// A FIELD or DEAD of today's code.
struct PlainItem {
  revctl::LayoutField field;
  std::string type;   ///< as the source spells it; empty where it could not be read
  std::string value;  ///< of a FIELD, as the source spells it: `= 100`, `{}`; may be empty
};

/// A PLAIN struct's list, which says every layout that it had: no line of it can be judged by one
/// revision alone.
struct PlainList {
  std::vector<PlainItem> items;                ///< today's, in the order of the source
  std::vector<golden::RecordedType> recorded;  ///< every recorded layout, in today's words
};

/// Reads from its source how a field is declared; what cannot be read there stays empty. `file`
/// must be readable from here. For messages: costs reading one file.
PlainItem ReadPlainItem(const revctl::LayoutField& field, const std::string& file);

/// `array<array<u8,3>,2>` as FIELD takes it: `uint8_t[2][3]`.
std::string PlainType(const std::string& wire);

// For PLAIN structs, with FIELD and DEAD; `place.plain` is there.
void MendPlainRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainOrder(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainGate(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainRemName(const LayoutChange& change, const ChangePlace& place, Advice& advice);
void MendPlainRenamed(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
