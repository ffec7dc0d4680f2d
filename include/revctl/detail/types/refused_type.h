#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <revctl/detail/types/polymorphic.h>

// Compile errors for types without a wire form. Each message says what to use instead.

namespace revctl::detail {

template <class T>
inline constexpr bool kNever = false;

/// Standard types that share their contents or do not own them. Each group has its own compile
/// error.
template <class T>
inline constexpr bool kIsShared = false;
template <class T>
inline constexpr bool kIsShared<std::shared_ptr<T>> = true;
template <class T>
inline constexpr bool kIsShared<std::weak_ptr<T>> = true;
template <class T>
inline constexpr bool kIsTextView = false;
template <class C, class Traits>
inline constexpr bool kIsTextView<std::basic_string_view<C, Traits>> = true;
template <class T>
inline constexpr bool kIsSpan = false;
template <class T, std::size_t n>
inline constexpr bool kIsSpan<std::span<T, n>> = true;

/// Other unsupported standard types, each with its own compile error.
template <class T>
inline constexpr bool kIsOwnedArray = false;
template <class T, class D>
inline constexpr bool kIsOwnedArray<std::unique_ptr<T[], D>> = true;
template <class T>
inline constexpr bool kHasDeleter = false;
template <class T, class D>
inline constexpr bool kHasDeleter<std::unique_ptr<T, D>> =
    !std::is_same_v<D, std::default_delete<T>>;
template <class T>
inline constexpr bool kIsWideString = false;
template <class C, class Traits, class A>
inline constexpr bool kIsWideString<std::basic_string<C, Traits, A>> = !std::is_same_v<C, char>;
template <class T>
inline constexpr bool kIsUtf8String = false;
template <class Traits, class A>
inline constexpr bool kIsUtf8String<std::basic_string<char8_t, Traits, A>> = true;
/// True for types that look like containers but are unknown to the library. Checks only members, so
/// that the library need not include the headers of the types it rejects.
template <class T>
concept LooksLikeContainer = requires(const T& c) {
  typename T::value_type;
  c.begin();
  c.end();
};
template <class T>
concept LooksLikeMultimap = LooksLikeContainer<T> &&
    requires(const T& c, const typename T::key_type& key) {
  c.equal_range(key);
};
template <class T>
concept LooksLikeFunction = std::is_function_v<T> || std::is_member_pointer_v<T> ||
    requires(const T& f) {
  typename T::result_type;
  f.target_type();
};

template <class T>
concept LooksLikeTimePoint = requires(const T& t) {
  t.time_since_epoch();
};
template <class T>
concept LooksLikeDuration = !LooksLikeTimePoint<T> && requires {
  typename T::rep;
  typename T::period;
};
template <class T>
concept LooksLikePath = requires(const T& p) {
  p.generic_string();
  p.root_directory();
};
template <class T>
concept LooksLikeComplex = requires(const T& c) {
  c.real();
  c.imag();
};
template <class T>
concept LooksLikeAny = !requires {
  typename T::value_type;
}
&&requires(T& a) {
  a.has_value();
  a.reset();
};

/// True for a std::unique_ptr to a polymorphic class that is neither final nor declared with
/// REVCTL_POLYMORPHIC.
template <class T>
inline constexpr bool kIsPolymorphicOwner = false;
template <class T>
inline constexpr bool kIsPolymorphicOwner<std::unique_ptr<T>> =
    std::is_polymorphic_v<T> && !std::is_final_v<T> && !Polymorphic<T>;

/// Stops the compilation with a message that says what to use instead of T.
template <class T>
consteval void Refuse() {
  if constexpr (std::is_volatile_v<T>) {
    static_assert(kNever<T>,
                  "revctl: volatile members cannot be serialized; copy to and from a plain member");
  } else if constexpr (std::is_const_v<T>) {
    static_assert(
        kNever<T>,
        "revctl: const members cannot be read into; remove the const, or leave the member out");
  } else if constexpr (std::is_reference_v<T>) {
    static_assert(
        kNever<T>,
        "revctl: references cannot be serialized: store the value, or an id (see objects.h)");
  } else if constexpr (std::is_pointer_v<T>) {
    static_assert(kNever<T>,
                  "revctl: raw pointers cannot be serialized; use std::unique_ptr for an owned "
                  "object, or objects.h for a graph of objects");
  } else if constexpr (std::is_null_pointer_v<T>) {
    static_assert(
        kNever<T>,
        "revctl: a nullptr_t has only one value: exclude the member with SERIALIZE_IGNORE");
  } else if constexpr (std::is_same_v<T, long double>) {
    static_assert(kNever<T>, "revctl: long double differs between machines; use double");
  } else if constexpr (std::is_same_v<T, wchar_t> || std::is_same_v<T, char16_t> ||
                       std::is_same_v<T, char32_t>) {
    static_assert(
        kNever<T>,
        "revctl: wide characters differ between machines; use uint16_t, uint32_t, or UTF-8 text");
  } else if constexpr (std::is_integral_v<T>) {
    static_assert(
        kNever<T>,
        "revctl: this integer's width differs between machines; use int32_t, int64_t, uint32_t...");
  } else if constexpr (std::is_enum_v<T>) {
    static_assert(
        kNever<T>,
        "revctl: the enum's underlying type differs between machines; write `enum E : int32_t`");
  } else if constexpr (kIsPolymorphicOwner<T>) {
    static_assert(kNever<T>,
                  "revctl: this unique_ptr may hold a derived class, which would be sliced: "
                  "declare REVCTL_POLYMORPHIC(Base), or make the class final");
  } else if constexpr (kIsShared<T>) {
    static_assert(kNever<T>,
                  "revctl: a body cannot save which owners share an object: use std::unique_ptr "
                  "for a single owner, or ADD_REF from objects.h for shared objects");
  } else if constexpr (kIsTextView<T>) {
    static_assert(kNever<T>,
                  "revctl: cannot read into a string_view, because it does not own its characters; "
                  "use std::string, or revctl::TextView to refer to the file's bytes");
  } else if constexpr (kIsSpan<T>) {
    static_assert(kNever<T>,
                  "revctl: cannot read into a span, because it does not own its elements; use "
                  "std::vector or std::array, or revctl::View to refer to the file's bytes");
  } else if constexpr (kIsOwnedArray<T>) {
    static_assert(kNever<T>,
                  "revctl: a unique_ptr to an array does not store its length; use std::vector");
  } else if constexpr (kHasDeleter<T>) {
    static_assert(kNever<T>,
                  "revctl: cannot read into a unique_ptr with a custom deleter; "
                  "use std::unique_ptr<T>, or give the type a revctl::WireAs");
  } else if constexpr (kIsUtf8String<T>) {
    static_assert(kNever<T>,
                  "revctl: std::u8string is not supported: use std::string, whose bytes may be "
                  "UTF-8, or std::vector<char8_t>");
  } else if constexpr (kIsWideString<T>) {
    static_assert(kNever<T>,
                  "revctl: wide strings differ between machines; use std::string with UTF-8, or "
                  "std::vector<uint16_t>");
  } else if constexpr (LooksLikeFunction<T>) {
    static_assert(
        kNever<T>,
        "revctl: a function cannot be saved: save an enum or a string instead, and look up "
        "the function after reading");
  } else if constexpr (LooksLikeDuration<T>) {
    static_assert(kNever<T>,
                  "revctl: a save does not contain the unit of a duration: give the type a "
                  "revctl::WireAs that counts in std::int64_t (see docs/guide/serialize.md)");
  } else if constexpr (LooksLikeTimePoint<T>) {
    static_assert(kNever<T>,
                  "revctl: the epoch of a clock differs between machines: give the type a "
                  "revctl::WireAs, such as milliseconds since 1970 in a std::int64_t");
  } else if constexpr (LooksLikePath<T>) {
    static_assert(kNever<T>,
                  "revctl: the syntax of paths differs between systems: use std::string and "
                  "path.generic_string(), or give the type a revctl::WireAs");
  } else if constexpr (LooksLikeComplex<T>) {
    static_assert(kNever<T>,
                  "revctl: complex numbers are not supported: give the type a revctl::WireAs of "
                  "std::array<double, 2>");
  } else if constexpr (LooksLikeAny<T>) {
    static_assert(kNever<T>,
                  "revctl: cannot read into a std::any, whose content can have any type: use "
                  "std::variant, or std::unique_ptr with REVCTL_POLYMORPHIC");
  } else if constexpr (LooksLikeMultimap<T>) {
    static_assert(kNever<T>,
                  "revctl: elements with equal keys have no defined order on the wire; use "
                  "std::map<K, std::vector<V>> or a std::vector of pairs");
  } else if constexpr (LooksLikeContainer<T>) {
    static_assert(kNever<T>,
                  "revctl: this container is not supported: use std::vector, or specialize "
                  "revctl::SequenceOf for the template");
  } else if constexpr (std::is_union_v<T>) {
    static_assert(kNever<T>, "revctl: unions cannot be serialized; use std::variant");
  } else {
    static_assert(kNever<T>,
                  "revctl: no Serialize for this type: write SERIALIZE_TYPE(T) {...} SERIALIZE_END "
                  "in T's namespace. A derived class needs its own body, with ADD_BASE. A class "
                  "local to a function cannot have a body");
  }
}

}  // namespace revctl::detail
