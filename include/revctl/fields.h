#pragma once
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <revctl/detail/visit/macros.h>
#include <revctl/json_writer.h>

/*
Defines a struct, its Serialize, equality, printing and a table of fields from one list.

  #define GAME_SCORE(ADD_TYPED, REM)                              \
    ADD_TYPED(SR_INITIAL, uint32_t, p1Score, 0)                   \
    REM(SR_FOULS, SR_NO_FOULS, uint32_t, p1Fouls, 0)              \
    ADD_TYPED(SR_HEIGHT, float, height, 1.5f, UNIT(metres), RANGE(0, 3))

  DEFINE_STRUCT(GameScore, GAME_SCORE);
  SERIALIZE_TYPE(GameScore) {
    ADD_FIELDS(GAME_SCORE);
    if (r.IsReading() && r.revision < SR_NO_FOULS) d.p1Score -= std::min(d.p1Score, p1Fouls);
  } SERIALIZE_END
  DESCRIBE_FIELDS(GameScore, GAME_SCORE);      // optional: adds printing and the field table

A field is ADD_TYPED(since, type, name, default, tags...). A type with a comma outside parentheses
needs a `using`, and such a default needs parentheses. Tags are arbitrary text; ToText() understands
NO_PRINT. To keep a list in a separate file, see fields_file.inc.
*/

namespace revctl {

/// An ADD_TYPED line of a field list, as strings with static storage.
struct FieldInfo {
  std::string_view name;
  std::string_view type;  ///< as spelled in the list
  std::string_view since;
  std::string_view fallback;  ///< default value, as spelled in the list
  std::string_view tags;      ///< `UNIT(metres), RANGE(0, 3)`; empty if the line has no tags

  /// True if the line has this tag, with or without arguments.
  constexpr bool HasTag(std::string_view tag) const {
    return FindTag(tag) != std::string_view::npos;
  }
  /// Returns the arguments of a tag, for example `0, 3` for RANGE; empty if the line does not have
  /// the tag or if the tag has no arguments.
  constexpr std::string_view Tag(std::string_view tag) const {
    const std::size_t at = FindTag(tag);
    if (at == std::string_view::npos || at + tag.size() >= tags.size() ||
        tags[at + tag.size()] != '(')
      return {};
    const std::size_t begin = at + tag.size() + 1;
    int depth = 1;
    for (std::size_t i = begin; i < tags.size(); ++i) {
      if (tags[i] == '(') ++depth;
      if (tags[i] == ')' && --depth == 0) return tags.substr(begin, i - begin);
    }
    return {};
  }

 private:
  /// Returns the position of a tag, or npos if the line does not have it. Ignores words inside the
  /// parentheses of other tags.
  constexpr std::size_t FindTag(std::string_view tag) const {
    int depth = 0;
    for (std::size_t i = 0; i < tags.size(); ++i) {
      if (tags[i] == '(') ++depth;
      if (tags[i] == ')') --depth;
      if (depth != 0 || (i > 0 && detail::IsInName(tags[i - 1])) ||
          tags.substr(i, tag.size()) != tag)
        continue;
      if (i + tag.size() == tags.size() || !detail::IsInName(tags[i + tag.size()])) return i;
    }
    return std::string_view::npos;
  }
};

namespace detail {

void RevctlFields();
void RevctlForEachField();

template <class T>
concept Described = requires {
  RevctlFields(Tag<T>{});
};

}  // namespace detail

/// Returns the FieldInfo of each field of a described type as a std::array, in the order of its
/// list.
template <detail::Described T>
constexpr auto FieldsOf() {
  return RevctlFields(Tag<T>{});
}

/// Calls `f(info, member)` for each field, in the order of the list. Intended for custom generators
/// and editors.
template <class T, class F>
requires detail::Described<std::remove_const_t<T>>
void ForEachField(T& object, F f) { RevctlForEachField(Tag<std::remove_const_t<T>>{}, object, f); }

namespace detail {

template <class T>
consteval bool HoldsDescribed();
/// True if any part of a pair, tuple or variant is or contains a type with a field list.
template <template <class...> class Parts, class... Part>
consteval bool AnyHoldsDescribed(std::type_identity<Parts<Part...>>) {
  return (HoldsDescribed<Part>() || ...);
}

/// True if T has a field list, or contains a type that has one, possibly inside containers. The
/// list may have NO_PRINT fields, so ToText() must not print the value as JSON.
template <class T>
consteval bool HoldsDescribed() {
  if constexpr (Described<T>) {
    return true;
  } else if constexpr (!Shape<T>::known) {
    return false;
  } else if constexpr (Shape<T>::kind == Kind::Tuple || Shape<T>::kind == Kind::Variant) {
    return AnyHoldsDescribed(std::type_identity<T>());
  } else if constexpr (Shape<T>::kind == Kind::Map) {
    return HoldsDescribed<typename Shape<T>::Key>() || HoldsDescribed<typename Shape<T>::Mapped>();
  } else if constexpr (requires { typename Shape<T>::Element; }) {
    return HoldsDescribed<typename Shape<T>::Element>();
  } else if constexpr (requires { typename Shape<T>::Key; }) {
    return HoldsDescribed<typename Shape<T>::Key>();
  } else {
    return false;
  }
}

}  // namespace detail

/// Returns the value as one human-readable line: `GameScore{p1Score: 5, height: 1.5}`. NO_PRINT
/// fields are omitted, including those inside containers. Types without a list are printed as JSON,
/// with all their fields.
template <class T>
std::string ToText(const T& value) {
  using Bare = std::remove_const_t<T>;
  std::string text;
  if constexpr (detail::Described<Bare>) {
    text = TypeName<Bare>();
    text += '{';
    ForEachField(value, [&, first = true](const FieldInfo& field, const auto& member) mutable {
      if (field.HasTag("NO_PRINT")) return;
      text.append(first ? "" : ", ").append(field.name).append(": ").append(ToText(member));
      first = false;
    });
    text += '}';
  } else if constexpr (
      detail::Shape<Bare>::known && requires { typename detail::Shape<Bare>::Element; } &&
      requires { value.begin(); }) {
    for (const auto& element : value)
      text.append(text.empty() ? "[" : ", ").append(ToText(element));
    text += text.empty() ? "[]" : "]";
  } else if constexpr (detail::HoldsDescribed<Bare>()) {
    constexpr Kind kind = detail::Shape<Bare>::kind;
    const auto add = [&text](const auto& part) {
      text.append(text.size() == 1 ? "" : ", ").append(ToText(part));
    };
    if constexpr (kind == Kind::Optional || kind == Kind::Pointer) {
      text = value ? ToText(*value) : "null";
    } else if constexpr (kind == Kind::Variant) {
      text = std::visit([](const auto& part) { return ToText(part); }, value);
    } else if constexpr (kind == Kind::Tuple) {
      text = "[";
      std::apply([&add](const auto&... part) { (add(part), ...); }, value);
      text += ']';
    } else if constexpr (kind == Kind::Map) {
      for (const auto& [key, mapped] : value)
        text.append(text.empty() ? "{" : ", ")
            .append(ToText(key))
            .append(": ")
            .append(ToText(mapped));
      text += text.empty() ? "{}" : "}";
    } else {
      text = "[";
      for (const auto& element : value) add(element);
      text += ']';
    }
  } else {
    text = ToJson(value, (std::numeric_limits<std::int64_t>::max)(), 0);
  }
  return text;
}

}  // namespace revctl

#define REVCTL_DETAIL_LIST_MEMBER(since_, type_, name_, default_, ...) type_ name_ = default_;
#define REVCTL_DETAIL_LIST_ADD(since_, type_, name_, default_, ...) REVCTL_ADD(since_, name_);
#define REVCTL_DETAIL_LIST_REM(since_, until_, type_, name_, ...) \
  REVCTL_REM(since_, until_, type_, name_, __VA_ARGS__);
#define REVCTL_DETAIL_LIST_INFO(since_, type_, name_, default_, ...) \
  {#name_, #type_, #since_, #default_, #__VA_ARGS__},
#define REVCTL_DETAIL_LIST_VISIT(since_, type_, name_, default_, ...) f(fields[i++], object.name_);
#define REVCTL_DETAIL_LIST_COUNT(since_, type_, name_, default_, ...) +1
#define REVCTL_DETAIL_LIST_NOTHING(...)

/// Declares the members of a handwritten struct: `struct Score { DECLARE_FIELDS(GAME_SCORE) int
/// Sum() const; };`.
#define REVCTL_DECLARE_FIELDS(list) list(REVCTL_DETAIL_LIST_MEMBER, REVCTL_DETAIL_LIST_NOTHING)

/// Defines the struct: members with their defaults, and equality.
#define REVCTL_DEFINE_STRUCT(T, list)          \
  struct T {                                   \
    REVCTL_DECLARE_FIELDS(list)                \
    bool operator==(const T&) const = default; \
  }

/// Visits the fields inside a body. Expands to an ADD for each ADD_TYPED and a REM (with its local
/// variable) for each REM, in list order.
#define REVCTL_ADD_FIELDS(list) \
  list(REVCTL_DETAIL_LIST_ADD, REVCTL_DETAIL_LIST_REM) static_cast<void>(0)

/// Defines the table of fields for ToText(), FieldsOf<T>() and ForEachField(). Use this macro in
/// T's namespace.
#define REVCTL_DESCRIBE_FIELDS(T, list)                                              \
  [[maybe_unused]] constexpr auto RevctlFields(::revctl::Tag<T>) {                   \
    return std::array<::revctl::FieldInfo,                                           \
                      0 list(REVCTL_DETAIL_LIST_COUNT, REVCTL_DETAIL_LIST_NOTHING)>{ \
        {list(REVCTL_DETAIL_LIST_INFO, REVCTL_DETAIL_LIST_NOTHING)}};                \
  }                                                                                  \
  template <class Object, class F>                                                   \
  void RevctlForEachField(::revctl::Tag<T> tag, Object& object, F& f) {              \
    static constexpr auto fields = RevctlFields(::revctl::Tag<T>{});                 \
    std::size_t i = 0;                                                               \
    static_cast<void>(tag);                                                          \
    list(REVCTL_DETAIL_LIST_VISIT, REVCTL_DETAIL_LIST_NOTHING) static_cast<void>(i); \
  }                                                                                  \
  static_assert(true)

#ifndef REVCTL_NO_SHORT_MACROS
#define DECLARE_FIELDS(list) REVCTL_DECLARE_FIELDS(list)
#define DEFINE_STRUCT(T, list) REVCTL_DEFINE_STRUCT(T, list)
#define ADD_FIELDS(list) REVCTL_ADD_FIELDS(list)
#define DESCRIBE_FIELDS(T, list) REVCTL_DESCRIBE_FIELDS(T, list)
#endif
