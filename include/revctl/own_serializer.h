#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/file_parts.h>
#include <revctl/harness.h>
#include <revctl/named_field.h>
#include <revctl/serialize.h>
#include <revctl/size_counter.h>

// The only header needed by the harness of a program that has its own serializer. Also defines
// REVCTL_STATE, for state in static variables; see docs/guide/own-serializer.md.

namespace revctl {

/// Converts a variable of the program to a value that the harness can compare. The default copies
/// the variable. Specialize it for the program's own containers and for classes that cannot be
/// copied:
///
///   template <class T, std::size_t N>
///   struct revctl::StateOf<game::Fifo<T, N>> {
///     using Type = std::vector<T>;
///     static void Get(const game::Fifo<T, N>& variable, Type& value);
///     static void Put(const Type& value, game::Fifo<T, N>& variable);
///   };
///
/// Sample values are generated, so Put must accept any value. It may discard values that the
/// variable cannot hold, because goldens keep the values that Get returns after the bytes have been
/// read.
template <class T>
struct StateOf {
  using Type = T;
  static void Get(const T& variable, Type& value) { value = variable; }
  static void Put(const Type& value, T& variable) { variable = value; }
};

namespace detail {

template <class Array, class T, std::size_t N>
struct StateOfArray {
  using Type = std::array<typename StateOf<T>::Type, N>;
  static void Get(const Array& variable, Type& value) {
    for (std::size_t i = 0; i < N; ++i) StateOf<T>::Get(variable[i], value[i]);
  }
  static void Put(const Type& value, Array& variable) {
    for (std::size_t i = 0; i < N; ++i) StateOf<T>::Put(value[i], variable[i]);
  }
};

/// A StateOf for one of the program's own list classes. The state of a list is a std::vector with
/// the state of each element.
template <class List, class T>
struct StateOfList {
  using Type = std::vector<typename StateOf<T>::Type>;
  static void Get(const List& variable, Type& value) {
    value.clear();
    for (const T& one : variable) {
      typename StateOf<T>::Type state{};
      StateOf<T>::Get(one, state);
      value.push_back(std::move(state));
    }
  }
  static void Put(const Type& value, List& variable) {
    variable.clear();
    for (const typename StateOf<T>::Type& state : value) {
      T one{};
      StateOf<T>::Put(state, one);
      variable.push_back(std::move(one));
    }
  }
};

}  // namespace detail

template <class T, class A>
struct StateOf<std::deque<T, A>> : detail::StateOfList<std::deque<T, A>, T> {};
template <class T, class A>
struct StateOf<std::list<T, A>> : detail::StateOfList<std::list<T, A>, T> {};
/// StateOf for vectors of structs that have a StateOf of their own. Other vectors need no
/// conversion.
template <class T, class A>
requires(!std::is_same_v<T, typename StateOf<T>::Type>) struct StateOf<std::vector<T, A>>
    : detail::StateOfList<std::vector<T, A>, T> {
};

template <class T, std::size_t N>
struct StateOf<T[N]> : detail::StateOfArray<T[N], T, N> {};
template <class T, std::size_t N>
struct StateOf<std::array<T, N>> : detail::StateOfArray<std::array<T, N>, T, N> {};

/// A StateOf for memory that is treated as a single string of bytes, not as one value per byte:
///
///   template <>
///   struct revctl::StateOf<spu::Ram> : revctl::MemoryState<spu::Ram> {};
///
/// The harness counts four bytes for the length of the string, even though the program does not
/// save a length; see kUnlistedBytes.
template <class T>
struct MemoryState {
  static_assert(std::is_trivially_copyable_v<T>,
                "revctl: MemoryState needs a trivially copyable type");
  using Type = std::string;
  static void Get(const T& variable, Type& value) {
    const auto bytes = std::as_bytes(std::span(&variable, 1));
    value.clear();
    for (const std::byte one : bytes) value += static_cast<char>(one);
  }
  /// Copies `value` into the variable's memory. If `value` is shorter, sets the remaining bytes to
  /// zero.
  static void Put(const Type& value, T& variable) {
    const auto bytes = std::as_writable_bytes(std::span(&variable, 1));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = i < value.size() ? static_cast<std::byte>(value[i]) : std::byte{0};
  }
};

/// The number of bytes that the program saves for T in addition to its listed values: markers,
/// section names, constants. Specialize it if there are any:
///
///   template <>
///   inline constexpr int revctl::kUnlistedBytes<CdromState> = 4;  // the marker "CDRM"
///
/// The harness counts four bytes for the length of each string and container. Subtract four for
/// each string or container that the program saves without its length.
template <class T>
inline constexpr int kUnlistedBytes = 0;
/// The kUnlistedBytes of a type whose bytes cannot be counted, for example because they are packed
/// or of variable length.
inline constexpr int kUncounted = (std::numeric_limits<int>::min)();

/// Returns the outcome of an adapter's Write, which fails if the program saved more or fewer bytes
/// than T's listed values occupy at this version. The harness thus notices class members and static
/// variables that are missing from the list.
template <class T>
harness::BinaryOutcome CountedOutcome(const T& values, std::int64_t version, std::size_t saved) {
  harness::BinaryOutcome out;
  if constexpr (kUnlistedBytes<T> != kUncounted) {
    const auto listed = WireSize(values, static_cast<Revision>(version));
    const std::size_t expected = listed.value_or(0) + static_cast<std::size_t>(kUnlistedBytes<T>);
    if (!listed || expected == saved) return out;
    out.ok = false;
    out.offset = saved;
    out.reason = "the program saves " + std::to_string(saved) + " bytes, but the listed values " +
                 "take " + std::to_string(expected) +
                 (saved > expected ? ": list the missing member, or count constants in "
                                     "revctl::kUnlistedBytes"
                                   : ": a listed member is not saved at this version, or a "
                                     "length takes fewer than 4 bytes: count it in "
                                     "revctl::kUnlistedBytes");
  }
  return out;
}

}  // namespace revctl

/// Defines the value struct TYPE for state that the program keeps in static variables or in one
/// object, its body, and the functions that save and load it:
///
///   #define CDROM_STATE(X)
///     X(SR_BEGIN, status, s_status.bits)
///     X(SR_ASYNC, parameters, s_parameters)
///   REVCTL_STATE(Cdrom, cdrom::DoState, CDROM_STATE);
///
/// Each line of CDROM_STATE must end with a backslash (omitted here), except the last. Each X names
/// the first version at which the member is saved, the member's name in goldens, and the variable.
/// The variables must be visible, so the file includes the module's .cpp. FUNCTION(stream) saves or
/// loads the module; it returns void, or something that converts to bool. A class with private
/// members must declare `friend struct TYPE;`. A class in a namespace declares
/// `friend struct ::TYPE;` instead, and `struct TYPE;` must come before the namespace.
///
/// If the program stops saving a member, keep its line, but add the version that removed it, and
/// replace the variable with a value of the member's type. The harness uses this value for older
/// files:
///
///     X((SR_BEGIN, SR_NO_REPEAT), irq_repeat, bool{false})
#define REVCTL_STATE(TYPE, FUNCTION, FIELDS)                                                       \
  struct TYPE {                                                                                    \
    FIELDS(REVCTL_DETAIL_STATE_MEMBER)                                                             \
    void Get() { FIELDS(REVCTL_DETAIL_STATE_GET) }                                                 \
    void Put() const { FIELDS(REVCTL_DETAIL_STATE_PUT) }                                           \
    template <class Stream>                                                                        \
    static bool DoState(Stream& stream) {                                                          \
      if constexpr (std::is_void_v<decltype(FUNCTION(stream))>) {                                  \
        FUNCTION(stream);                                                                          \
        return true;                                                                               \
      } else {                                                                                     \
        return static_cast<bool>(FUNCTION(stream));                                                \
      }                                                                                            \
    }                                                                                              \
  };                                                                                               \
  REVCTL_SERIALIZE_TYPE(TYPE){FIELDS(REVCTL_DETAIL_STATE_ADD)} REVCTL_SERIALIZE_END static_assert( \
      true)

/// Defines the value struct TYPE for VARIABLE, a struct of the program that cannot be listed
/// directly because it contains unions or the program's own containers. StateOf<VARIABLE> is then
/// TYPE. Use it at global scope. The names in the third column are members of VARIABLE:
///
///   #define CHANNEL_STATE(X)
///     X(SR_BEGIN, address, address)
///     X(SR_BEGIN, control, control.bits)
///   REVCTL_STATE_OF(Channel, dma::Channel, CHANNEL_STATE);
///
/// Every member of VARIABLE needs a line. The optional fourth argument is the number of members
/// that are not saved. A class with private members must declare `friend struct TYPE;`, and its
/// members cannot be counted.
#define REVCTL_STATE_OF(TYPE, VARIABLE, FIELDS, ...)                                               \
  struct TYPE {                                                                                    \
    using Variable = VARIABLE;                                                                     \
    FIELDS(REVCTL_DETAIL_PART_MEMBER)                                                              \
    static void Get(const VARIABLE& variable, TYPE& value) { FIELDS(REVCTL_DETAIL_PART_GET) }      \
    static void Put(const TYPE& value, VARIABLE& variable) { FIELDS(REVCTL_DETAIL_PART_PUT) }      \
  };                                                                                               \
  REVCTL_SERIALIZE_TYPE(TYPE){FIELDS(REVCTL_DETAIL_STATE_ADD)} REVCTL_SERIALIZE_END static_assert( \
      !std::is_aggregate_v<VARIABLE> || ::revctl::detail::AggregateMembers<VARIABLE>() ==          \
                                            0 FIELDS(REVCTL_DETAIL_STATE_ONE) __VA_OPT__(+)        \
                                                __VA_ARGS__,                                       \
      "revctl: list each member of " #VARIABLE ", or count those that are not saved");             \
  template <>                                                                                      \
  struct revctl::StateOf<VARIABLE> {                                                               \
    using Type = TYPE;                                                                             \
    static void Get(const VARIABLE& variable, TYPE& value) { TYPE::Get(variable, value); }         \
    static void Put(const TYPE& value, VARIABLE& variable) { TYPE::Put(value, variable); }         \
  }

// Each macro below has two variants: _0 for current members, and _1 for removed members.
#define REVCTL_DETAIL_STATE_MEMBER(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_STATE_MEMBER_, since_)(__VA_ARGS__)
#define REVCTL_DETAIL_STATE_MEMBER_0(name_, ...) \
  typename ::revctl::StateOf<std::remove_cvref_t<decltype(__VA_ARGS__)>>::Type name_{};
#define REVCTL_DETAIL_STATE_MEMBER_1(...)
#define REVCTL_DETAIL_STATE_GET(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_STATE_GET_, since_)(__VA_ARGS__)
#define REVCTL_DETAIL_STATE_GET_0(name_, ...) \
  ::revctl::StateOf<std::remove_cvref_t<decltype(__VA_ARGS__)>>::Get(__VA_ARGS__, name_);
#define REVCTL_DETAIL_STATE_GET_1(...)
#define REVCTL_DETAIL_STATE_PUT(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_STATE_PUT_, since_)(__VA_ARGS__)
#define REVCTL_DETAIL_STATE_PUT_0(name_, ...) \
  ::revctl::StateOf<std::remove_cvref_t<decltype(__VA_ARGS__)>>::Put(name_, __VA_ARGS__);
#define REVCTL_DETAIL_STATE_PUT_1(...)
#define REVCTL_DETAIL_STATE_ADD(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_STATE_ADD_, since_)(since_, __VA_ARGS__)
#define REVCTL_DETAIL_STATE_ADD_0(since_, name_, ...) REVCTL_ADD(since_, name_);
#define REVCTL_DETAIL_STATE_ADD_1(pair_, ...) \
  REVCTL_DETAIL_STATE_REM(REVCTL_DETAIL_UNPAIR pair_, __VA_ARGS__)
#define REVCTL_DETAIL_STATE_REM(...) REVCTL_DETAIL_STATE_REM_(__VA_ARGS__)
#define REVCTL_DETAIL_STATE_REM_(since_, until_, name_, ...) \
  REVCTL_REM(since_, until_, std::remove_cvref_t<decltype(__VA_ARGS__)>, name_, __VA_ARGS__);
#define REVCTL_DETAIL_STATE_ONE(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_STATE_ONE_, since_)
#define REVCTL_DETAIL_STATE_ONE_0 +1
#define REVCTL_DETAIL_STATE_ONE_1
#define REVCTL_DETAIL_PART_MEMBER(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_PART_MEMBER_, since_)(__VA_ARGS__)
#define REVCTL_DETAIL_PART_MEMBER_0(name_, member_) \
  typename ::revctl::StateOf<                       \
      std::remove_cvref_t<decltype(std::declval<Variable&>().member_)>>::Type name_{};
#define REVCTL_DETAIL_PART_MEMBER_1(...)
#define REVCTL_DETAIL_PART_GET(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_PART_GET_, since_)(__VA_ARGS__)
#define REVCTL_DETAIL_PART_GET_0(name_, member_)                                            \
  ::revctl::StateOf<std::remove_cvref_t<decltype(variable.member_)>>::Get(variable.member_, \
                                                                          value.name_);
#define REVCTL_DETAIL_PART_GET_1(...)
#define REVCTL_DETAIL_PART_PUT(since_, ...) \
  REVCTL_DETAIL_STATE_VARIANT(REVCTL_DETAIL_PART_PUT_, since_)(__VA_ARGS__)
#define REVCTL_DETAIL_PART_PUT_0(name_, member_)                                       \
  ::revctl::StateOf<std::remove_cvref_t<decltype(variable.member_)>>::Put(value.name_, \
                                                                          variable.member_);
#define REVCTL_DETAIL_PART_PUT_1(...)
// Appends 1 to `macro_` if `since_` is a pair in parentheses, and 0 otherwise.
#define REVCTL_DETAIL_STATE_VARIANT(macro_, since_) \
  REVCTL_DETAIL_CAT(macro_, REVCTL_DETAIL_SECOND(REVCTL_DETAIL_PROBE since_, 0, ))
#define REVCTL_DETAIL_PROBE(...) ~, 1
#define REVCTL_DETAIL_SECOND(...) REVCTL_DETAIL_SECOND_(__VA_ARGS__)
#define REVCTL_DETAIL_SECOND_(first_, second_, ...) second_
#define REVCTL_DETAIL_UNPAIR(since_, until_) since_, until_
