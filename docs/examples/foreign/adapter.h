// All that revctl needs from this program: lets Sync functions use a revctl archive as a stream.
#pragma once
#include <revctl/harness.h>
#include <revctl/named_field.h>

#include "sync.h"

namespace realm {
using Outcome = revctl::harness::BinaryOutcome;
/// Passes everything to the archive `r`. The macros pass no names, so fields are named by position
/// and line.
template <class R>
class RevctlStream {
 public:
  constexpr explicit RevctlStream(R& r) : version(r.revision), saving(r.IsWriting()), r_(r) {}
  decltype(R::revision)& version;
  const bool saving;
  constexpr void Do(auto& x, revctl::CallSite at = revctl::CallSite::Current()) {
    revctl::SerializeNamed(r_, revctl::PlaceName(place_++), x, at);
  }
  constexpr void Mark(revctl::CallSite at = revctl::CallSite::Current()) {
    revctl::SerializeConstant(r_, revctl::PlaceName(place_++), kMark, "no mark here", at);
  }

 private:
  R& r_;
  std::size_t place_ = 0;
};
/// Gives every type that has a Sync function a body for revctl.
template <class T>
requires requires(T& d, SaveStream& s) { d.Sync(s); }
constexpr auto RevctlBody(revctl::Tag<T>) {
  return [](auto& r, auto& d, auto*) {
    RevctlStream<std::remove_reference_t<decltype(r)>> stream(r);
    d.Sync(stream);
  };
}

/// Lets the harness use the program's own streams to write and read bytes.
struct Streams {
  static Outcome Write(std::int64_t version, auto& object, std::vector<std::byte>& bytes) {
    SaveStream s{static_cast<Version>(version), {}};
    object.Sync(s);
    bytes = s.bytes;
    return {};
  }
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t version, auto& object) {
    LoadStream s(bytes, static_cast<Version>(version));
    object.Sync(s);
    return {s.ok, s.bytes.empty(), bytes.size() - s.bytes.size(), "", s.ok ? "" : "not a save"};
  }
};
template <class E>
void OfRealm(E);  // ADL finds it for the enums of this namespace
template <class E>
concept RealmEnum = std::is_enum_v<E> && std::is_void_v<decltype(OfRealm(std::declval<E>()))>;
}  // namespace realm

template <realm::RealmEnum E>
struct revctl::WireAs<E> : revctl::EnumWireAs<E, std::int32_t> {};
