// Tests the building blocks of adapters for code bases with their own serialization macros.
#include <revctl/named_field.h>

#include <revctl/fill.h>
#include <revctl/layout_archive.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <catch2/catch.hpp>

#include <cstring>

#if defined(__has_include) && __has_include(<source_location>)
#include <source_location>
#endif

namespace adapted {

enum class Section : std::uint16_t { Map = 0x4D41 };
/// Number types that are typical of old code.
struct Clock {
  long long ticks = -2;
  unsigned long long frames = 3;
};
SERIALIZE_TYPE(Clock) {
  ADD(1, ticks);
  ADD(1, frames);
}
SERIALIZE_END

struct Vec3 {
  float x = 0, y = 0, z = 0;
  bool operator==(const Vec3&) const = default;
};
template <class T>
concept CopiedByBytes = std::is_same_v<T, Vec3>;

struct Map {
  std::uint8_t tiles[3] = {1, 2, 3};
  std::vector<std::int16_t> heights;
  Vec3 start;
};

/// Lets a function written for the program's own archive class run with the library's archives.
template <class R>
class Adapter {
 public:
  explicit Adapter(R& r) : r_(r) {}
  template <class T>
  void Do(T& x, revctl::CallSite at = revctl::CallSite::Current()) {
    revctl::SerializeNamed(r_, revctl::PlaceName(place_++), x, at);
  }
  template <class T>
  void DoArray(T* first, std::size_t n, revctl::CallSite at = revctl::CallSite::Current()) {
    revctl::SerializeArray(r_, revctl::PlaceName(place_++), first, n, at);
  }
  template <class T>
  void Constant(T value, revctl::CallSite at = revctl::CallSite::Current()) {
    revctl::SerializeConstant(r_, revctl::PlaceName(place_++), value, "a different section", at);
  }

 private:
  R& r_;
  std::size_t place_ = 0;
};

SERIALIZE_TYPE(Map) {
  Adapter<std::remove_reference_t<decltype(r)>> p(r);
  p.Constant(Section::Map);
  p.Constant(std::string("MAP"));
  p.DoArray(d.tiles, 3);
  p.Do(d.start);
  p.Do(d.heights);  // LINE
}
SERIALIZE_END
constexpr int kLineOfHeights = __LINE__ - 3;

}  // namespace adapted

template <adapted::CopiedByBytes T>
struct revctl::WireAs<T> : revctl::BytesWireAs<T> {};

namespace adapted {
namespace {

template <class T>
std::string Written(T& value) {
  revctl::Writer writer(1);
  Serialize(writer, value);
  CHECK(writer.Ok());
  return {reinterpret_cast<const char*>(writer.Bytes().data()), writer.Bytes().size()};
}

template <class T>
revctl::ArchiveError ErrorOf(std::string bytes, T& value) {
  revctl::Reader reader(std::as_bytes(std::span(bytes)), 1);
  Serialize(reader, value);
  return reader.error();
}

}  // namespace

TEST_CASE("adapters: long long is 64 bits, like int64_t", "[adapters]") {
  Clock clock, back;
  const std::string bytes = Written(clock);
  CHECK(bytes == std::string("\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x03\0\0\0\0\0\0\0", 16));
  back.ticks = 0;
  CHECK(ErrorOf(bytes, back).reason.empty());
  CHECK(back.ticks == -2);
  CHECK(back.frames == 3);
  CHECK(revctl::TypeName<long long>() == "i64");
  CHECK(revctl::TypeName<std::vector<unsigned long long>>() == "vector<u64>");
  CHECK(revctl::Filled<Clock>(1, 4).ticks != 0);
}

TEST_CASE("adapters: constants, arrays by pointer, structs as bytes", "[adapters]") {
  Map map;
  map.start.x = 1;
  const std::string bytes = Written(map);
  // The bytes of the struct in memory are saved unchanged, in this machine's byte order.
  const std::string start(reinterpret_cast<const char*>(&map.start), 12);
  CHECK(bytes == std::string("AM\x03\0\0\0MAP\x01\x02\x03", 12) + start + std::string(4, '\0'));
  Map back;
  std::memset(back.tiles, 0, sizeof back.tiles);
  CHECK(ErrorOf(bytes, back).reason.empty());
  CHECK(back.start == map.start);
  CHECK(int{back.tiles[2]} == 3);

  for (const std::size_t at : {0U, 6U}) {
    std::string other = bytes;
    other[at] = 'X';
    const revctl::ArchiveError error = ErrorOf(other, back);
    CHECK(error.reason == "a different section");
    CHECK(error.refused);
  }
}

TEST_CASE("adapters: the location of a field is the line of its macro", "[adapters]") {
  Map map;
  revctl::LayoutArchive layout(1);
  Serialize(layout, map);
  const auto layouts = layout.Types();
  REQUIRE(layouts.size() == 1);
  const auto& fields = layouts[0].fields;
  REQUIRE(fields.size() >= 5);
  CHECK(fields[0].type == "adapted::Section");
  CHECK(fields[2].name == "2");
  CHECK(fields[2].type == "u8");
  CHECK(fields.back().type == "vector<i16>");
  CHECK(fields.back().line == kLineOfHeights);
  CHECK_THAT(fields.back().file, Catch::EndsWith("named_field_test.cpp"));
#ifdef __cpp_lib_source_location
  static_assert(revctl::detail::IsCallSite<std::source_location>);
#endif
}

TEST_CASE("adapters: archives that make up values keep constants", "[adapters]") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Map map;
    revctl::Filler filler(1, seed);
    CHECK(revctl::MakesValues(static_cast<revctl::AnyArchive&>(filler)));
    Serialize(filler, map);
    CHECK(filler.Ok());
    if (seed % 4 == 0) CHECK_FALSE(map.heights.empty());
    revctl::TraceWriter writer(1);
    CHECK_FALSE(revctl::MakesValues(writer));
    Serialize(writer, map);
    CHECK(writer.Ok());
    CHECK(writer.Leaves().at(1).text == "\"MAP\"");
  }
  const revctl::Writer writer(1);
  CHECK_FALSE(revctl::MakesValues(writer));
}

}  // namespace adapted
