// All that revctl asks of this program: its archives as one more stream for the program's own Sync functions.
#pragma once
#include <revctl/harness.h>
#include <revctl/named_field.h>

#include "sync.h"

namespace realm {

/// A stream that hands everything to the archive `r`. The macros know no names, so fields are called by their place.
template <class R>
class RevctlStream {
 public:
  constexpr explicit RevctlStream(R& r) : version(r.revision), saving(r.IsWriting()), r_(r) {}
  decltype(R::revision)& version;
  const bool saving;

  constexpr void Do(auto& x) { revctl::SerializeNamed(r_, revctl::PlaceName(place_++), x); }
  constexpr void Mark() {
    std::uint32_t mark = kMark;
    Do(mark);
    if (mark != kMark) r_.Fail("no mark where one should be");
  }

 private:
  R& r_;
  std::size_t place_ = 0;
};

/// Every type with a Sync function has a body.
template <class T>
  requires requires(T& d, SaveStream& s) { d.Sync(s); }
constexpr auto RevctlBody(revctl::Tag<T>) {
  return [](auto& r, auto& d, auto*) {
    RevctlStream<std::remove_reference_t<decltype(r)>> stream(r);
    d.Sync(stream);
  };
}

/// The bytes that the harness judges come from the program's own streams, and go into them.
struct Streams {
  static revctl::harness::BinaryOutcome Write(std::int64_t version, auto& object, std::vector<std::byte>& bytes) {
    SaveStream s{static_cast<Version>(version), {}};
    object.Sync(s);
    bytes = s.bytes;
    return {};
  }
  static revctl::harness::BinaryOutcome Read(std::span<const std::byte> bytes, std::int64_t version, auto& object) {
    LoadStream s(bytes, static_cast<Version>(version));
    object.Sync(s);
    return {s.ok, s.bytes.empty(), bytes.size() - s.bytes.size(), "", s.ok ? "" : "LoadStream says no"};
  }
};
template <class T> void OfRealm(T);  // found for every enum of this namespace
}  // namespace realm

/// Enums travel as four bytes.
template <class E>
  requires(std::is_enum_v<E> && requires(E e) { OfRealm(e); })
struct revctl::WireAs<E> : revctl::EnumWireAs<E, std::int32_t> {};
