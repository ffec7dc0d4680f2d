#include "harness/samples/reaching_inventor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <revctl/detail/base/little_endian.h>
#include <revctl/trace.h>

#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::Kind;
using revctl::TypeInfo;

bool IsSigned(Kind kind) { return kind >= Kind::I8 && kind <= Kind::I64; }

/// Returns the distinct values of an enum's enumerators in ascending order.
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
  // Make only the first two strings of a sequence this long.
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
  // Code often uses the highest or the lowest value to mean "no key".
  if (round == 7 && variant < 2)
    return PutInteger(type, value, Integer(type.underlying, variant, 0));
  if (round % 3 == 0 && variant < 128) return PutInteger(type, value, number << high);
  if (round % 3 == 2 && IsSigned(type.underlying) && variant < 128)
    return PutInteger(type, value, variant % 2 == 0 ? number / 2 : 0 - (number + 1) / 2);
  // All numbers that differ only in the highest byte have been used.
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
    case 0:  // keys differ only in case
      bytes = "keytoall";
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if ((variant >> i & 1) != 0) bytes[i] = static_cast<char>(bytes[i] - 'a' + 'A');
      }
      break;
    case 1:  // keys differ only in trailing blanks, of which there are at most three
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

namespace {

/// containers nested more deeply than this stay minimal
constexpr std::size_t kDeepestReached = 3;

bool IsSingle(const TypeInfo& type) {
  return type.kind <= Kind::F64 || type.kind == Kind::Enum || type.kind == Kind::String ||
         type.kind == Kind::Bitset;
}

bool Grows(const TypeInfo& type) { return type.kind == Kind::Sequence; }

}  // namespace

ReachingInventor::ReachingInventor(const TypeInfo& root, std::int64_t number, std::uint64_t seed,
                                   const ReachingPlan& plan)
    : Inventor(root, number, seed), plan_(plan) {}

void ReachingInventor::BeginRecord(const TypeInfo& type, void* object) {
  records_.push_back(type.name());
  Inventor::BeginRecord(type, object);
}

void ReachingInventor::EndRecord(const TypeInfo& type, void* object) {
  Inventor::EndRecord(type, object);
  records_.pop_back();
}

void ReachingInventor::Field(const revctl::FieldVisit& field) {
  const std::string record = records_.empty() ? "" : records_.back();
  const std::string outer = std::exchange(field_, record + "." + field.site.name);
  const bool outer_is_bits = std::exchange(is_bits_, field.site.form == revctl::Form::Bits);
  if (is_bits_ && field.live && field.condition)
    bit_fields_[field_] = static_cast<unsigned>(8 * field.type.size);
  Inventor::Field(field);
  field_ = outer;
  is_bits_ = outer_is_bits;
}

void ReachingInventor::BeginElement(const TypeInfo& element, std::size_t index, bool is_key) {
  Inventor::BeginElement(element, index, is_key);
  elements_.push_back({index, is_key});
  if (!is_key) return;
  // Keys inside a key are part of the outermost key, so they do not restart the count of leaves.
  if (open_keys_++ == 0) keys_.back().leaf = 0;
}

void ReachingInventor::EndElement() {
  const Element last = elements_.back();
  elements_.pop_back();
  if (last.is_key && --open_keys_ == 0 && last.index == 0)
    keys_.back().leaves = std::max<std::size_t>(1, keys_.back().leaf);
  Inventor::EndElement();
}

std::size_t ReachingInventor::BeginContainer(const TypeInfo& type, std::size_t count) {
  keys_.emplace_back();
  const std::size_t taken = Inventor::BeginContainer(type, count);
  if (type.kind != Kind::Variant) return taken;
  // Treat each alternative as a separate field.
  keys_.back().field = field_;
  field_ += " " + std::to_string(taken);
  return taken;
}

void ReachingInventor::EndContainer(const TypeInfo& type) {
  Inventor::EndContainer(type);
  if (type.kind == Kind::Variant) field_ = keys_.back().field;
  keys_.pop_back();
}

/// Returns the next leaf of a key. The first key has variant 0 in all leaves, and each later key
/// differs from it in one leaf.
ReachingKey ReachingInventor::NextKey() {
  std::size_t at = elements_.size();
  for (std::size_t i = elements_.size(); i-- > 0;) {
    if (elements_[i].is_key) at = i;
  }
  // Element `at` belongs to container `at`, because each container has one open element, except
  // possibly the innermost container.
  Keys& keys = keys_[at];
  const std::size_t entry = elements_[at].index, leaf = keys.leaf++;
  ReachingKey key{plan_.round, 0};
  if (entry > 0 && leaf == (entry - 1) % keys.leaves) key.variant = 1 + (entry - 1) / keys.leaves;
  return key;
}

std::size_t ReachingInventor::Index() const {
  // Equal elements reveal readers that drop duplicates.
  if (plan_.round % 2 == 0) return 0;
  return elements_.empty() ? 0 : elements_.back().index;
}

/// Returns different rounds for neighboring fields. If the fields had equal numbers, code that
/// swaps or subtracts them would go unnoticed.
std::size_t ReachingInventor::RoundOfNumbers() const {
  // the rounds with the highest and the lowest number
  constexpr std::size_t kAlternating = 2;
  if (plan_.round >= kAlternating) return plan_.round;
  const auto field = std::find(fields_.begin(), fields_.end(), field_);
  return (plan_.round + static_cast<std::size_t>(field - fields_.begin())) % kAlternating;
}

bool ReachingInventor::AllFirst() const {
  return std::all_of(elements_.begin(), elements_.end(),
                     [](const Element& element) { return element.index == 0; });
}

bool ReachingInventor::Reaches(const std::string& path) {
  // These values describe the objects of a stream, so the objects determine them.
  if (!records_.empty() && (records_.back() == "object" || records_.back().starts_with("objects<")))
    return false;
  if (plan_.covered != nullptr && plan_.covered->contains(PlaceOf(path))) return false;
  if (known_.insert(field_).second) fields_.push_back(field_);
  return plan_.all_fields || plan_.fields.contains(field_);
}

void ReachingInventor::InventScalar(const TypeInfo& type, void* value, const std::string& path) {
  Inventor::InventScalar(type, value, path);
  if (InReference()) return;
  if (is_bits_) {
    const auto known = plan_.bits.find(field_);
    std::memset(value, 0, type.size);
    if (Reaches(path) && known != plan_.bits.end())
      Reaching{plan_.round, 0}.Bits(type, value, known->second);
    return;
  }
  const bool reaches = Reaches(path);
  if (open_keys_ > 0) {
    const ReachingKey key = NextKey();
    if (reaches) key.Scalar(type, value);
  } else if (type.kind == Kind::Enum || type.kind == Kind::Bool) {
    if (reaches || plan_.turn > 0) Reaching{plan_.round, Index(), plan_.turn}.Scalar(type, value);
  } else if (reaches) {
    Reaching{RoundOfNumbers(), Index()}.Scalar(type, value);
  }
}

void ReachingInventor::InventBytes(const TypeInfo& type, std::string& bytes,
                                   const std::string& path) {
  Inventor::InventBytes(type, bytes, path);
  const bool reaches = Reaches(path);
  if (open_keys_ > 0) {
    const ReachingKey key = NextKey();
    if (reaches) key.Bytes(type, bytes);
  } else if (reaches) {
    Reaching{plan_.round, Index()}.Bytes(type, bytes);
  }
}

std::size_t ReachingInventor::InventCount(const TypeInfo& type, std::size_t filled,
                                          const std::string& path) {
  if (InReference() && !Grows(type)) return Inventor::InventCount(type, filled, path);
  const bool reaches = Reaches(path);
  if (InReference() && !reaches) return 0;
  const std::size_t depth = keys_.size() - 1;  // keys_ already contains an entry for this container
  if (type.kind == Kind::Variant)
    return depth > kDeepestReached ? filled : (filled + plan_.round + plan_.turn) % type.count;
  if (depth > kDeepestReached) return 0;
  // The container must not be empty even if its own place is covered, because a place inside it may
  // be uncovered.
  if (open_keys_ > 0 || !reaches) return depth + 1 > kDeepestReached ? filled : 1;
  const std::size_t wanted = Reaching{plan_.round, 0, plan_.turn}.Count(type);
  // Only the first of several nested containers is large, and some of the others are empty.
  if (!AllFirst())
    return elements_.back().index == 1 && plan_.round % 2 == 1 ? 0
                                                               : std::min<std::size_t>(wanted, 2);
  bool single = true;
  for (std::size_t i = 0; i < type.parts; ++i) single = single && IsSingle(type.part(i));
  return std::min(wanted, single ? plan_.most_singles : plan_.most_records);
}

}  // namespace revctl::harness
