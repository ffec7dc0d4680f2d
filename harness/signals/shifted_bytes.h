#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// Why the program's own reader fails on a golden. To find out, the harness rewrites the recorded
/// values with the program's own writer.
struct ShiftedBytes {
  enum class Cause {
    Added,  ///< the writer writes a member that the golden does not contain
    /// like Added, but the member was added at a revision newer than the golden
    AddedTooOld,
    Dropped,   ///< the writer does not write a member of the golden
    Reshaped,  ///< a member takes more or fewer bytes
    Replaced,  ///< the writer writes different bytes for a value
    ReadOnly   ///< the writer produces the golden's bytes, so only the reader changed
  };
  Cause cause = Cause::Added;
  std::string field;  ///< path of the member, or its name in the source; empty if unknown
  std::string after;  ///< the field before the member if the member is unknown; otherwise empty
  /// revision that added the member; empty if it is unknown or does not matter
  std::string since;
  /// for Dropped: the first revision at which the writer writes the member, if it is later than
  /// `since`; otherwise empty
  std::string only_from;
  std::string call;       ///< source text of the call that wrote the bytes; empty if unknown
  std::string refusal;    ///< why the writer rejected its own bytes; empty if it did not
  SourcePlace place;      ///< place of the call; line 0 if unknown
  std::size_t at = 0;     ///< offset of the first byte that differs
  std::size_t bytes = 0;  ///< number of bytes that were added or dropped; 0 if unknown
  bool fewer = false;  ///< true if the value takes fewer bytes than recorded; set only for Reshaped
  /// for Added without `field`: true if the added bytes may also be the upper bytes of `after`
  bool wider = false;
  /// true if the writer can write only the latest revision, so its bytes are not those of the
  /// golden's revision
  bool of_latest = false;
};

/// Explains why a golden no longer fits the program's own streams. Returns nullopt for types
/// without such streams, or if no cause is found. Runs the writer several times for each field.
std::optional<ShiftedBytes> ExplainBytes(const CheckContext& context, const RootType& root,
                                         const Decoded& decoded);

/// Adds a finding with the result of ExplainBytes. `symptom` describes how the golden fails.
/// Returns false if no cause is found.
bool AddShift(CheckContext& context, const RootType& root, const Decoded& decoded,
              const std::string& symptom);

}  // namespace revctl::harness
