#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include <revctl/detail/types/type_info.h>

namespace revctl::harness {

/// The values of far-reaching samples, in turn: round by round each place gets each of its kind.
///
///   text       31, 63, 127, 255 and 300 letters; empty; blanks around it; CR, LF and a byte order
///              mark; NUL; bytes that are no UTF-8
///   integer    highest, lowest, 0, -1, and numbers whose low or high bytes alone are set
///   float      highest, lowest, 0, infinities, NaNs with and without a payload, smallest, -0
///   enum       the named value that is highest, lowest, and the others in turn
///   sequence   16, 64, 1, 257, 0, 2, 3 elements; equal ones in most rounds
///   optional   present but for one round
struct Reaching {
  static constexpr std::size_t kRounds = 10;

  std::size_t round = 0;
  std::size_t index = 0;  ///< of the element in its sequence
  std::size_t turn = 0;   ///< other enumerators and bools than those of turn 0; nothing is empty

  void Scalar(const revctl::TypeInfo& type, void* value) const;
  void Bytes(const revctl::TypeInfo& type, std::string& bytes) const;
  /// Elements of a sequence, map or set; 0 or 1 of what may be absent.
  std::size_t Count(const revctl::TypeInfo& type) const;
  /// A bit-field of `bits` bits.
  void Bits(const revctl::TypeInfo& type, void* value, unsigned bits) const;
};

/// Values of keys that differ in one respect alone, another one each round: case, blanks at the
/// end, what stands behind 40 letters, NUL; the highest byte, the lowest bit, the sign; fractions.
/// In one round integers are the highest and the lowest.
/// A comparison that becomes blind for that then finds a key twice. Variants differ from each
/// other.
struct ReachingKey {
  std::size_t round = 0;
  std::size_t variant = 0;

  void Scalar(const revctl::TypeInfo& type, void* value) const;
  void Bytes(const revctl::TypeInfo& type, std::string& bytes) const;
};

}  // namespace revctl::harness
