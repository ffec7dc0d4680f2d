#pragma once
#include <memory>
#include <vector>

#include <revctl/detail/binary/flat_proof.h>
#include <revctl/reader.h>
#include <revctl/size_counter.h>
#include <revctl/writer.h>

// The body of a type that a header declares with SERIALIZE_DECLARE. Include this in the one source
// file that has it.

/// Opens the body of T: `SERIALIZE_DEFINE(T) {...} SERIALIZE_END`, in T's namespace.
#define REVCTL_SERIALIZE_DEFINE(...)                                                           \
  constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>);                                       \
  void RevctlVisit(::revctl::Reader& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {      \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisit(::revctl::Writer& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {      \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisit(::revctl::SizeCounter& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) { \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisit(::revctl::AnyArchive& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {  \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisitMany(::revctl::Reader& r, ::std::vector<__VA_ARGS__>& d,                     \
                       ::revctl::Tag<__VA_ARGS__>) {                                           \
    ::revctl::detail::RunSplitElements<true>(r, d);                                            \
  }                                                                                            \
  void RevctlVisitMany(::revctl::Writer& r, ::std::vector<__VA_ARGS__>& d,                     \
                       ::revctl::Tag<__VA_ARGS__>) {                                           \
    ::revctl::detail::RunSplitElements<false>(r, d);                                           \
  }                                                                                            \
  constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>) {                                      \
    return []([[maybe_unused]] auto& r, [[maybe_unused]] auto& d, [[maybe_unused]] auto* t) -> void

#ifndef REVCTL_NO_SHORT_MACROS
#define SERIALIZE_DEFINE(...) REVCTL_SERIALIZE_DEFINE(__VA_ARGS__)
#endif

namespace revctl::detail {

/// A template, so that the body, which stands below the functions that run it, is looked up at the
/// end of the file.
template <class R, class T>
void RunSplitBody(R& r, T& object, Tag<T> tag) {
  if constexpr (requires { typename BodyArchive<R>::Type; }) {
    typename BodyArchive<R>::Type body(r);
    RevctlBody(tag)(body, object, std::addressof(object));
  } else {
    RevctlBody(tag)(r, object, std::addressof(object));
  }
}

/// Only called for types of SERIALIZE_DECLARE_FLAT, and only compiled further for them.
template <bool is_reading, class R, class T>
void RunSplitElements([[maybe_unused]] R& r, [[maybe_unused]] std::vector<T>& elements) {
  if constexpr (StatedFlat<T>) {
    ProveStated<T, is_reading>();
    r.FlatElements(elements);
  }
}

}  // namespace revctl::detail
