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

  template <class T>
  constexpr void Do(T& x) {
    revctl::SerializeNamed(r_, revctl::PlaceName(place_++), x);
  }
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

/// The bytes that the harness judges come from the program's own streams.
template <class T>
revctl::harness::TypeEntry EntryOf(Version since, const char* since_text, const char* file, int line) {
  auto entry = revctl::harness::detail::EntryOf<T>(revctl::NumberOf(since), since_text, file, line);
  entry.write = [](std::int64_t revision, const void* object, std::vector<std::byte>& bytes) {
    SaveStream s{static_cast<Version>(revision), {}};
    const_cast<T*>(static_cast<const T*>(object))->Sync(s);
    bytes = s.bytes;
    return revctl::harness::BinaryOutcome{};
  };
  entry.read = [](std::span<const std::byte> bytes, std::int64_t revision, void* object) {
    LoadStream s(bytes, static_cast<Version>(revision));
    static_cast<T*>(object)->Sync(s);
    return revctl::harness::BinaryOutcome{s.ok, s.bytes.empty(), bytes.size() - s.bytes.size(), "", s.ok ? "" : "LoadStream says no"};
  };
  return entry;
}

template <class T> void OfRealm(T);  // found for every enum of this namespace
}  // namespace realm

/// Enums travel as four bytes.
template <class E>
  requires(std::is_enum_v<E> && requires(E e) { OfRealm(e); })
struct revctl::WireAs<E> {
  using Type = std::int32_t;
  static Type ToWire(E e) { return static_cast<Type>(e); }
  static bool FromWire(Type wire, E& e) { return static_cast<Type>(e = static_cast<E>(wire)) == wire; }
};

#define HARNESS_SYNCED(T, since) \
  [[maybe_unused]] static const bool harness_##T = ::revctl::harness::Register(::realm::EntryOf<T>(since, #since, __FILE__, __LINE__))
