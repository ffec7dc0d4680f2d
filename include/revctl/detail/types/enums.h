#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/types/type_info.h>

// REVCTL_DETAIL_FOR_EACH(macro, first, a, b, c) expands to macro(first, a) macro(first, b)
// macro(first, c), for up to 256 items.

#define REVCTL_DETAIL_PARENS ()
#define REVCTL_DETAIL_EXPAND(...) \
  REVCTL_DETAIL_EXPAND3(          \
      REVCTL_DETAIL_EXPAND3(REVCTL_DETAIL_EXPAND3(REVCTL_DETAIL_EXPAND3(__VA_ARGS__))))
#define REVCTL_DETAIL_EXPAND3(...) \
  REVCTL_DETAIL_EXPAND2(           \
      REVCTL_DETAIL_EXPAND2(REVCTL_DETAIL_EXPAND2(REVCTL_DETAIL_EXPAND2(__VA_ARGS__))))
#define REVCTL_DETAIL_EXPAND2(...) \
  REVCTL_DETAIL_EXPAND1(           \
      REVCTL_DETAIL_EXPAND1(REVCTL_DETAIL_EXPAND1(REVCTL_DETAIL_EXPAND1(__VA_ARGS__))))
#define REVCTL_DETAIL_EXPAND1(...) \
  REVCTL_DETAIL_EXPAND0(           \
      REVCTL_DETAIL_EXPAND0(REVCTL_DETAIL_EXPAND0(REVCTL_DETAIL_EXPAND0(__VA_ARGS__))))
#define REVCTL_DETAIL_EXPAND0(...) __VA_ARGS__

#define REVCTL_DETAIL_FOR_EACH(macro, first, ...) \
  __VA_OPT__(REVCTL_DETAIL_EXPAND(REVCTL_DETAIL_FOR_EACH_STEP(macro, first, __VA_ARGS__)))
#define REVCTL_DETAIL_FOR_EACH_STEP(macro, first, item, ...) \
  macro(first, item)                                         \
      __VA_OPT__(REVCTL_DETAIL_FOR_EACH_AGAIN REVCTL_DETAIL_PARENS(macro, first, __VA_ARGS__))
#define REVCTL_DETAIL_FOR_EACH_AGAIN() REVCTL_DETAIL_FOR_EACH_STEP

// Names of enumerators, extracted from the compiler's spelling of values. This covers the values
// from -128 to 255 and the powers of two. Enumerators with other values must be declared at
// namespace scope: `REVCTL_ENUMERATORS(game::Color, Red, Green)`.

namespace revctl {

/// Specialize this template, or use REVCTL_ENUMERATORS, to declare the enumerators of an enum. The
/// specialization needs a `static constexpr Enumerator list[]` in ascending order of value,
/// terminated by an entry with a null name.
template <class E>
struct EnumeratorsOf;

namespace detail {

template <class E, E... values>
const char* SpellValues() {
  return REVCTL_DETAIL_SIGNATURE;
}

inline constexpr int kDenseBegin = -128, kDenseEnd = 256;

/// The values whose names the library asks the compiler for, in ascending order: negative powers of
/// two, the contiguous range, higher powers of two.
template <class U>
struct EnumCandidates {
  static constexpr int kBits = std::numeric_limits<U>::digits;
  static constexpr std::int64_t kHighest =
      kBits >= 63 ? (std::numeric_limits<std::int64_t>::max)() : (std::int64_t{1} << kBits) - 1;
  /// Calls `out(i, value)` for each candidate. Returns the number of candidates.
  template <class Out>
  static constexpr std::size_t Fill(Out out) {
    std::size_t n = 0;
    auto add = [&](std::int64_t value) { out(n++, value); };
    if constexpr (std::is_signed_v<U>) {
      for (int bit = kBits; bit > 7; --bit) {
        add(bit == 63 ? (std::numeric_limits<std::int64_t>::min)() : -(std::int64_t{1} << bit));
      }
    }
    for (int value = kDenseBegin; value < kDenseEnd; ++value) {
      if (value < 0 ? (std::is_signed_v<U> && value >= -kHighest - 1) : value <= kHighest)
        add(value);
    }
    for (int bit = 8; bit < kBits && bit < 63; ++bit) add(std::int64_t{1} << bit);
    return n;
  }
};

template <class E, std::size_t n>
struct CandidateArray {
  std::int64_t value[n];
  constexpr CandidateArray() : value{} {
    EnumCandidates<std::underlying_type_t<E>>::Fill(
        [this](std::size_t i, std::int64_t v) { value[i] = v; });
  }
};

/// Returns the end of the value that begins at `at`. Only commas outside angle brackets separate
/// values; commas inside them separate the template arguments of an enclosing class.
inline std::size_t EndOfSpelled(std::string_view list, std::size_t at) {
  for (int depth = 0; at < list.size() && (depth > 0 || list[at] != ','); ++at) {
    if (list[at] == '<') ++depth;
    if (list[at] == '>') --depth;
  }
  return at;
}

/// Splits the compiler's list of values, and calls `f(index, name)` for each value that has a name.
template <class F>
void ForEachSpelled(std::string_view text, F f) {
  // g++: `[with E = Color; E ...values = {Color::Red, (Color)3}]`; clang: `[E = Color, values =
  // <Color::Red, (Color)3>]`. MSVC: `SpellValues<enum Color,Color::Red,(enum Color)0x3>(void)`.
  std::size_t at = text.rfind("values = ");
  std::string_view list;
  if (at != std::string_view::npos) {
    at += sizeof("values = ");  // also skips the opening bracket
    list = text.substr(at, text.size() - at - 2);
  } else {
    at = text.find("SpellValues<");
    const std::size_t end = text.rfind(">(");
    if (at == std::string_view::npos || end == std::string_view::npos || end < at) return;
    list = text.substr(at, end - at);
    list.remove_prefix((std::min)(list.size(), EndOfSpelled(list, sizeof("SpellValues<") - 1) + 1));
  }
  for (std::size_t index = 0; !list.empty(); ++index) {
    const std::size_t end = EndOfSpelled(list, 0);
    std::string_view one = list.substr(0, end);
    std::size_t last = one.find_last_of(":)> ");
    std::string_view name = last == std::string_view::npos ? one : one.substr(last + 1);
    if (!name.empty() && name[0] != '-' && !(name[0] >= '0' && name[0] <= '9')) f(index, name);
    list.remove_prefix(end < list.size() ? end + 1 : end);
    while (!list.empty() && list[0] == ' ') list.remove_prefix(1);
  }
}

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wconversion"  // g++ warns about values that an enum without a fixed type cannot hold
#endif
/// Returns a candidate as a value of E, or 0 if the compiler rejects the conversion because an enum
/// without a fixed type cannot hold the value.
template <class E, std::int64_t candidate>
consteval E CandidateValue() {
  if constexpr (requires { typename std::integral_constant<E, static_cast<E>(candidate)>; }) {
    return static_cast<E>(candidate);
  } else {
    return E{};
  }
}
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

/// The names from the compiler's list, with their values. Owns the strings.
class SpelledNames {
 public:
  /// `same[i]` is true if the i-th spelled value is `candidates[i]` itself, false if 0 replaces it.
  SpelledNames(std::string_view spelled, const std::int64_t* candidates, const bool* same) {
    std::vector<std::int64_t> numbers;
    ForEachSpelled(spelled, [&](std::size_t index, std::string_view name) {
      if (!same[index]) return;
      text_.emplace_back(name);
      numbers.push_back(candidates[index]);
    });
    for (std::size_t k = 0; k < numbers.size(); ++k)
      list_.push_back({text_[k].c_str(), numbers[k]});
    list_.push_back({nullptr, 0});
  }
  const Enumerator* list() const { return list_.data(); }

 private:
  std::vector<std::string> text_;
  std::vector<Enumerator> list_;
};

template <class E, std::size_t... i>
const Enumerator* SpelledEnumerators(std::index_sequence<i...>) {
  static constexpr CandidateArray<E, sizeof...(i)> candidates;
  static constexpr E values[] = {CandidateValue<E, candidates.value[i]>()...};
  static constexpr bool same[] = {static_cast<std::int64_t>(values[i]) == candidates.value[i]...};
  static const SpelledNames names(SpellValues<E, values[i]...>(), candidates.value, same);
  return names.list();
}

}  // namespace detail

/// Returns the named enumerators of `E`, ascending by value, terminated by an entry with a null
/// name.
template <class E>
const Enumerator* EnumeratorsWithNames() {
  if constexpr (requires { EnumeratorsOf<E>::list[0].name; }) {
    return EnumeratorsOf<E>::list;
  } else {
    constexpr std::size_t count =
        detail::EnumCandidates<std::underlying_type_t<E>>::Fill([](std::size_t, std::int64_t) {});
    return detail::SpelledEnumerators<E>(std::make_index_sequence<count>());
  }
}

/// Returns the name of `value` in a list of enumerators, or null if it has none.
inline const char* EnumeratorName(const Enumerator* list, std::int64_t value) {
  for (; list != nullptr && list->name != nullptr; ++list) {
    if (list->value == value) return list->name;
  }
  return nullptr;
}

}  // namespace revctl

#define REVCTL_DETAIL_ENUMERATOR(E, name) {#name, static_cast<std::int64_t>(E::name)},

/// Declares the enumerators of `E`, ascending by value, for enums whose names cannot be extracted
/// from the compiler's spelling. Use it outside all namespaces: `REVCTL_ENUMERATORS(game::Color,
/// Red, Green)`.
#define REVCTL_ENUMERATORS(E, ...)                                                     \
  template <>                                                                          \
  struct revctl::EnumeratorsOf<E> {                                                    \
    static constexpr ::revctl::Enumerator list[] = {                                   \
        REVCTL_DETAIL_FOR_EACH(REVCTL_DETAIL_ENUMERATOR, E, __VA_ARGS__){nullptr, 0}}; \
  }

// An enum without a fixed underlying type (`enum Color { Red, Green };`) can only hold values that
// fit in the bits of its enumerators; any other value is undefined behavior. Reading checks this,
// and so does writing, so that every written file can be read. An `enum Color : int` and every
// `enum class` can hold any value, so they need no check and are faster.

namespace revctl::detail {

template <class E>
inline constexpr bool kIsUnfixedEnum = false;
template <class E>
requires(std::is_enum_v<E> &&
         !requires { E{0}; })  // only an enum with a fixed type can be initialized with a number
    inline constexpr bool kIsUnfixedEnum<E> = true;

inline constexpr char kNotOfEnum[] =
    "the value does not belong to this enum, which has no fixed underlying type; write `enum E : "
    "int32_t`, or name its enumerators (REVCTL_ENUMERATORS)";

/// The range of an enum without a fixed type, derived from its known enumerators. If no enumerators
/// are known, the range contains every number.
struct EnumRange {
  std::int64_t lowest = (std::numeric_limits<std::int64_t>::min)();
  std::int64_t highest = (std::numeric_limits<std::int64_t>::max)();

  explicit EnumRange(const Enumerator* list) {
    if (list == nullptr || list->name == nullptr) return;
    std::int64_t least = 0,
                 bits = 0;  // the bits of all enumerators, or of the complements of negative ones
    for (; list->name != nullptr; ++list) {
      least = (std::min)(least, list->value);
      bits |= list->value < 0 ? ~list->value : list->value;
    }
    highest = 1;  // an enum whose enumerators are all 0 still has one bit
    while (highest < bits) highest = highest * 2 + 1;
    lowest = least < 0 ? -highest - 1 : 0;
  }
};

template <class E>
bool IsNumberOfEnum(std::underlying_type_t<E> number) {
  static const EnumRange range(EnumeratorsWithNames<E>());
  // Enumerators are stored as int64_t, so larger numbers are out of range.
  if (number > 0 && static_cast<std::uint64_t>(number) > static_cast<std::uint64_t>(range.highest))
    return false;
  return static_cast<std::int64_t>(number) >= range.lowest;
}
template <class E>
bool IsOfEnum(const E& value) {
  std::underlying_type_t<E> number;
  std::memcpy(&number, &value, sizeof number);
  return IsNumberOfEnum<E>(number);
}

}  // namespace revctl::detail
