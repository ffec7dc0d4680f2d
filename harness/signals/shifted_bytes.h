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

/// Why the program's own reader fails on a golden, found by letting the program's own writer write
/// the recorded values again.
struct ShiftedBytes {
  enum class Cause {
    Added,        ///< a member is written that the golden does not have
    AddedTooOld,  ///< likewise, but the member has a revision, and the golden is older
    Dropped,      ///< a member of the golden is not written
    Reshaped,     ///< a member takes more or fewer bytes
    Replaced,     ///< a value is written with other bytes
    ReadOnly      ///< the writer gives the golden's bytes; only reading changed
  };
  Cause cause = Cause::Added;
  std::string field;       ///< path of the member, or its name in the source; empty if unknown
  std::string after;       ///< a field next to an unknown member
  std::string since;       ///< AddedTooOld: the member's revision
  std::string call;        ///< source text of the call that wrote the bytes; empty if unknown
  std::string refusal;     ///< why the writer itself refused its bytes; usually empty
  SourcePlace place;       ///< of the call; line 0 if unknown
  std::size_t at = 0;      ///< offset of the first byte that differs
  std::size_t bytes = 0;   ///< number of bytes that came or went; 0 if unknown
  bool fewer = false;      ///< Reshaped: true if the value takes fewer bytes than recorded
  bool of_latest = false;  ///< the writer does not write the golden's revision, only the latest
};

/// Returns nullopt unless the type has streams of the program and they tell a cause. Runs the
/// writer a few times for each field.
std::optional<ShiftedBytes> ExplainBytes(const CheckContext& context, const RootType& root,
                                         const Decoded& decoded);

/// Returns the value that contains byte `at` of what the program's own writer makes of a golden's
/// values. Returns "" if several begin at the same byte, as in a compressed block.
std::string FieldWrittenAt(const CheckContext& context, const RootType& root,
                           const Decoded& decoded, std::size_t at);

/// `4 bytes more than recorded at byte 84 (a member was added without a revision)`.
std::string TextOf(const ShiftedBytes& shift);

/// Returns lines that fix it, in the program's words as far as the type has some.
std::string FixOf(const CheckContext& context, const RootType& root, const ShiftedBytes& shift,
                  const Decoded& decoded);

}  // namespace revctl::harness
