#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// Returns the offset of the first difference, or the size if there is none.
std::size_t FirstOtherByte(std::span<const std::byte> one, std::span<const std::byte> other);

/// The reason why the program's own reader fails on a golden, found by writing the recorded values
/// again with the program's own writer.
struct ShiftedBytes {
  enum class Cause {
    Added,        ///< the writer writes a member that the golden does not contain
    AddedTooOld,  ///< like Added, but the member has a revision that is newer than the golden
    Dropped,      ///< the writer does not write a member of the golden
    Reshaped,     ///< a member takes more or fewer bytes
    Replaced,     ///< the writer writes other bytes for a value
    ReadOnly      ///< the writer produces the golden's bytes, so only reading changed
  };
  Cause cause = Cause::Added;
  std::string field;      ///< path of the member, or its name in the source; empty if unknown
  std::string after;      ///< a field next to the member, if the member is unknown
  std::string since;      ///< only for AddedTooOld: the member's revision
  std::string call;       ///< source text of the call that wrote the bytes; empty if unknown
  std::string refusal;    ///< why the writer itself rejected its bytes; usually empty
  SourcePlace place;      ///< place of the call; line 0 if unknown
  std::size_t at = 0;     ///< offset of the first byte that differs
  std::size_t bytes = 0;  ///< number of bytes that were added or dropped; 0 if unknown
  bool fewer = false;     ///< only for Reshaped: true if the value takes fewer bytes than recorded
  /// the writer writes only the latest revision, not the golden's revision
  bool of_latest = false;
};

/// Explains the bytes of a type with the program's own streams. Returns nullopt for other types and
/// if no cause is found. Runs the writer several times for each field.
std::optional<ShiftedBytes> ExplainBytes(const CheckContext& context, const RootType& root,
                                         const Decoded& decoded);

/// Returns the value that contains byte `at` of the bytes that the program's own writer produces
/// from a golden's values. Returns "" if several values begin at the same byte, as in a compressed
/// block.
std::string FieldWrittenAt(const CheckContext& context, const RootType& root,
                           const Decoded& decoded, std::size_t at);

/// Returns a text such as `4 bytes more than recorded at byte 84 (a member came without a
/// revision)`.
std::string TextOf(const ShiftedBytes& shift);

/// Returns lines that fix the cause, in the style of the program's own serializer if the type has
/// OwnWords for it.
std::string FixOf(const CheckContext& context, const RootType& root, const ShiftedBytes& shift,
                  const Decoded& decoded);

}  // namespace revctl::harness
