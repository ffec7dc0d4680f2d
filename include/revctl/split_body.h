#pragma once
#include "revctl/reader.h"
#include "revctl/size_counter.h"
#include "revctl/writer.h"

// The body of a type that a header declares with SERIALIZE_DECLARE. Include this in the one source file that has it.

/// Opens the body of T: `SERIALIZE_DEFINE(T) {...} SERIALIZE_END`, in T's namespace.
#define REVCTL_SERIALIZE_DEFINE(...)                                                                             \
  static auto RevctlSplitBody(::revctl::Tag<__VA_ARGS__>);                                                       \
  void RevctlVisit(::revctl::Reader& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {                        \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                                   \
  }                                                                                                              \
  void RevctlVisit(::revctl::Writer& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {                        \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                                   \
  }                                                                                                              \
  void RevctlVisit(::revctl::SizeCounter& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {                   \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                                   \
  }                                                                                                              \
  void RevctlVisit(::revctl::AnyArchive& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {                    \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                                   \
  }                                                                                                              \
  static auto RevctlSplitBody(::revctl::Tag<__VA_ARGS__>) {                                                      \
    return []([[maybe_unused]] auto& r, [[maybe_unused]] auto& d, [[maybe_unused]] auto* t) -> void

#ifndef REVCTL_NO_SHORT_MACROS
#define SERIALIZE_DEFINE(...) REVCTL_SERIALIZE_DEFINE(__VA_ARGS__)
#endif

namespace revctl::detail {

/// A template, so that the body, which stands below the functions that run it, is looked up at the end of the file.
template <class R, class T>
void RunSplitBody(R& r, T& object, Tag<T> tag) {
  RevctlSplitBody(tag)(r, object, std::addressof(object));
}

}  // namespace revctl::detail
