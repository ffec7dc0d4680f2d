#include "harness/samples/reaching_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <revctl/detail/base/little_endian.h>
#include <revctl/trace.h>

namespace revctl::harness {
namespace {

using revctl::Kind;
using revctl::TypeInfo;

bool IsSigned(Kind kind) { return kind >= Kind::I8 && kind <= Kind::I64; }

/// By value, each once.
std::vector<std::int64_t> NamedValues(const TypeInfo& type) {
  std::vector<std::int64_t> values;
  for (const revctl::Enumerator* e = type.enumerators(); e->name != nullptr; ++e)
    values.push_back(e->value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

void PutInteger(const TypeInfo& type, void* value, std::uint64_t number) {
  revctl::detail::CopyLowBytes(value, static_cast<std::int64_t>(number),
                               revctl::detail::ScalarSize(type.underlying));
}

std::uint64_t Integer(Kind kind, std::size_t round, std::size_t index) {
  const unsigned bits = 8 * static_cast<unsigned>(revctl::detail::ScalarSize(kind));
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits);
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  switch (round) {
    case 0:
      return IsSigned(kind) ? ones >> 1 : ones;
    case 1:
      return top + index;
    case 2:
      return 0;
    case 3:
      return ones - index;
    case 4:
      return std::uint64_t{1} << (bits / 2);
    case 5:
      return 1;
    case 6:
      return (top >> 1) + 1;
    case 7:
      return ones << (bits / 2) & ones;
    case 9:
      return top - 1 - index;
    default:
      return ones >> (bits / 2);
  }
}

template <class T, class Bits>
void PutFloat(void* value, std::size_t round, Bits payload) {
  using Limit = std::numeric_limits<T>;
  const T values[Reaching::kRounds] = {(Limit::max)(),     Limit::lowest(),     T{0},
                                       Limit::infinity(),  -Limit::infinity(),  Limit::quiet_NaN(),
                                       Limit::quiet_NaN(), Limit::denorm_min(), -T{0},
                                       -(Limit::min)()};
  Bits bits;
  std::memcpy(&bits, &values[round], sizeof bits);
  if (round == 6) bits |= payload;
  std::memcpy(value, &bits, sizeof bits);
}

std::string SaltedLetters(std::size_t count, std::size_t salt) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += static_cast<char>('a' + (i * 7 + i / 26 + salt) % 26);
  return text;
}

void PutBits(const TypeInfo& type, std::string& bytes, std::size_t round) {
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    const bool last = i + 1 == type.count;
    const bool set = i < type.count && (round % 3 == 0 || (round % 3 == 1 && last));
    const auto bit = static_cast<char>(1U << (i % 8));
    bytes[i / 8] = static_cast<char>(set ? bytes[i / 8] | bit : bytes[i / 8] & ~bit);
  }
}

}  // namespace

void Reaching::Scalar(const TypeInfo& type, void* value) const {
  if (type.kind == Kind::Enum) {
    if (const auto values = NamedValues(type); !values.empty()) {
      const std::size_t n = values.size();
      const std::size_t own = round == 0 ? n - 1 : round == 1 ? 0 : round + index;
      const std::size_t at = (own + turn) % n;
      return PutInteger(type, value, static_cast<std::uint64_t>(values[at]));
    }
  }
  switch (type.underlying) {
    case Kind::Bool:
      return PutInteger(type, value, (round + index + turn) % 2);
    case Kind::F32:
      return PutFloat<float>(value, round, std::uint32_t{0x1234});
    case Kind::F64:
      return PutFloat<double>(value, round, std::uint64_t{0x123456789});
    default:
      return PutInteger(type, value, Integer(type.underlying, round, index));
  }
}

void Reaching::Bytes(const TypeInfo& type, std::string& bytes) const {
  if (type.kind == Kind::Bitset) return PutBits(type, bytes, round);
  constexpr std::size_t kLengths[] = {31, 63, 0, 127, 255, 300};
  // Two of a sequence are enough.
  if (round < 6) bytes = SaltedLetters(index < 2 ? kLengths[round] : kLengths[round] % 8, index);
  if (round == 6) bytes = " \tblanks  around\t ";
  if (round == 7)
    bytes =
        "\xEF\xBB\xBF"
        "e\xCC\x81, a return\rand\r\nlines\n";
  if (round == 8) bytes = std::string("a NUL\0within", 12);
  if (round == 9) bytes = "no UTF-8: \xFF\xC3";
}

std::size_t Reaching::Count(const TypeInfo& type) const {
  if (type.kind == Kind::Optional || type.kind == Kind::Pointer)
    return round == 7 && turn == 0 ? 0 : 1;
  constexpr std::size_t kCounts[kRounds] = {16, 64, 1, 257, 0, 2, 3, 2, 2, 3};
  return turn == 0 ? kCounts[round] : std::clamp<std::size_t>(kCounts[round], 1, 2);
}

void Reaching::Bits(const TypeInfo& type, void* value, unsigned bits) const {
  const std::uint64_t ones = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
  PutInteger(type, value, round % 3 == 0 ? ones : round % 3 == 1 ? ones - ones / 2 : 0);
}

void ReachingKey::Scalar(const TypeInfo& type, void* value) const {
  if (type.kind == Kind::Enum) {
    if (const auto values = NamedValues(type); !values.empty())
      return PutInteger(
          type, value,
          static_cast<std::uint64_t>(values[(values.size() - 1 + variant) % values.size()]));
  }
  const bool fractions = round % 2 == 0;
  const double real = fractions ? 1 + static_cast<double>(variant) / 16
                                : std::ldexp(1.0, static_cast<int>(20 + variant));
  switch (type.underlying) {
    case Kind::Bool:
      return PutInteger(type, value, variant % 2);
    case Kind::F32: {
      const auto number = static_cast<float>(real);
      std::memcpy(value, &number, sizeof number);
      return;
    }
    case Kind::F64:
      std::memcpy(value, &real, sizeof real);
      return;
    default:
      break;
  }
  const std::size_t high = 8 * (revctl::detail::ScalarSize(type.underlying) - 1);
  const std::uint64_t number = variant;
  // The highest and the lowest: keys that often mean none.
  if (round == 7 && variant < 2)
    return PutInteger(type, value, Integer(type.underlying, variant, 0));
  if (round % 3 == 0 && variant < 128) return PutInteger(type, value, number << high);
  if (round % 3 == 2 && IsSigned(type.underlying) && variant < 128)
    return PutInteger(type, value, variant % 2 == 0 ? number / 2 : 0 - (number + 1) / 2);
  // None of those whose highest byte differs.
  PutInteger(type, value, round % 3 == 0 && high > 0 ? 2 * (number - 128) + 1 : number);
}

void ReachingKey::Bytes(const TypeInfo& type, std::string& bytes) const {
  if (type.kind == Kind::Bitset) {
    std::fill(bytes.begin(), bytes.end(), '\0');
    for (std::size_t i = 0; i < type.count && i < 8; ++i)
      bytes[0] =
          static_cast<char>(static_cast<unsigned char>(bytes[0]) | ((variant >> i & 1) << i));
    return;
  }
  switch (round % 4) {
    case 0:  // case alone
      bytes = "keytoall";
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if ((variant >> i & 1) != 0) bytes[i] = static_cast<char>(bytes[i] - 'a' + 'A');
      }
      break;
    case 1:  // blanks at the end, as far as that goes
      bytes = "key" + std::string(std::min<std::size_t>(variant, 3), ' ');
      break;
    case 2:
      bytes = variant == 0 ? "" : std::string("key\0", 4);
      break;
    default:
      bytes = SaltedLetters(round == 3 ? 40 : 300, 0);
  }
  if (variant > 0 &&
      (round % 4 == 3 || (round % 4 == 1 && variant > 3) || (round % 4 == 2 && variant > 1)))
    bytes += std::to_string(variant);
}

}  // namespace revctl::harness
