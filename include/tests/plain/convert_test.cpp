#include <revctl/plain.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace {

enum class Mode : std::uint8_t { Walk, Run, Swim };

template <class From, class To>
struct Changed {
  PLAIN(Changed);
  DEAD(From, value, 1, 2);
  FIELD(To, value, 2){};
};

template <class To, class From>
To Convert(From from) {
  std::vector<std::byte> bytes(sizeof(From));
  std::memcpy(bytes.data(), &from, sizeof from);
  Changed<From, To> out;
  const revctl::Status status = revctl::ReadPlain(bytes, 1, out);
  INFO(status.message());
  REQUIRE(status.Ok());
  return out.value;
}

template <class From, class To>
constexpr bool ready = revctl::plain_fits<Changed<From, To>>;

}  // namespace

TEST_CASE("plain: integers widen and keep their value", "[plain][convert]") {
  CHECK(Convert<std::int64_t>(std::int8_t{-7}) == -7);
  CHECK(Convert<std::int32_t>(std::uint16_t{65535}) == 65535);
  CHECK(Convert<std::uint64_t>(std::numeric_limits<std::uint32_t>::max()) == 4294967295u);
  CHECK(Convert<std::uint8_t>(true) == 1);
  CHECK(Convert<std::uint32_t>(Mode::Swim) == 2);
  CHECK(Convert<Mode>(std::uint8_t{1}) == Mode::Run);
}

TEST_CASE("plain: integers become floats, floats become doubles", "[plain][convert]") {
  CHECK(Convert<float>(std::int32_t{-123456}) == -123456.0F);
  CHECK(Convert<double>(std::numeric_limits<std::int64_t>::min()) == -9223372036854775808.0);
  CHECK(Convert<float>(std::int32_t{16777217}) ==
        16777216.0F);  // rounded to the nearest number, as stated in docs/guide/plain.md
  CHECK(Convert<double>(std::int64_t{9007199254740993}) == 9007199254740992.0);
  CHECK(Convert<double>(0.1F) == static_cast<double>(0.1F));
  CHECK(std::isnan(Convert<double>(std::numeric_limits<float>::quiet_NaN())));
  CHECK(Convert<double>(std::numeric_limits<float>::infinity()) ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("plain: conversions that could lose a value need a handler", "[plain][convert]") {
  CHECK(ready<std::int16_t, std::int32_t>);
  CHECK_FALSE(ready<std::int32_t, std::int16_t>);
  CHECK_FALSE(ready<std::int32_t, std::uint32_t>);
  CHECK_FALSE(ready<std::int32_t, std::uint64_t>);
  CHECK_FALSE(ready<std::uint32_t, std::int32_t>);
  CHECK_FALSE(ready<float, std::int32_t>);
  CHECK_FALSE(ready<double, float>);
  CHECK_FALSE(ready<std::uint8_t, bool>);
  CHECK_FALSE(ready<bool, float>);
  CHECK_FALSE(ready<int[2], int>);
  CHECK(ready<int[2], int[7]>);
  CHECK(ready<int[7], int[2]>);
  CHECK(ready<std::array<int, 3>, std::int64_t[4]>);
  CHECK(revctl::CheckPlain<Changed<float, std::int32_t>>().message() ==
        "Changed.value changes its type at revision 2, and there is no built-in conversion: "
        "write HOP(2) in Changed");
}

TEST_CASE("plain: upgrading to a value without an enumerator is an error", "[plain][convert]") {
  Changed<std::uint8_t, Mode> out{};
  const std::byte seven[1] = {std::byte{7}};
  CHECK(revctl::ReadPlain(seven, 1, out).message() ==
        "Changed.value: 7 has no enumerator in the upgrade to revision 2");
}

TEST_CASE("plain: converting back to an older kind only works if the value fits",
          "[plain][convert]") {
  using revctl::Kind;
  using revctl::detail::PlainNumberValue;
  using revctl::detail::PlainWriteNumber;
  std::byte out[8];
  const auto real = [](double d) {
    return PlainNumberValue{PlainNumberValue::Class::Real, 0, 0, d};
  };
  CHECK(PlainWriteNumber(Kind::I8, real(-128), out));
  CHECK_FALSE(PlainWriteNumber(Kind::I8, real(-129), out));
  CHECK_FALSE(PlainWriteNumber(Kind::I8, real(1.5), out));
  CHECK_FALSE(PlainWriteNumber(Kind::I64, real(9223372036854775808.0), out));
  CHECK(PlainWriteNumber(Kind::I64, real(-9223372036854775808.0), out));
  CHECK_FALSE(PlainWriteNumber(Kind::U64, real(18446744073709551616.0), out));
  CHECK_FALSE(PlainWriteNumber(Kind::U32, real(std::nan("")), out));
  CHECK_FALSE(PlainWriteNumber(Kind::Bool, real(2), out));
  CHECK(PlainWriteNumber(Kind::F32, real(-3.4028234663852886e38), out));
  CHECK(revctl::detail::LoadAs<float>(out) == -std::numeric_limits<float>::max());
  CHECK_FALSE(PlainWriteNumber(Kind::F32, real(1e300), out));
  CHECK(PlainWriteNumber(Kind::F32, real(-std::numeric_limits<double>::infinity()), out));
  CHECK(revctl::detail::LoadAs<float>(out) == -std::numeric_limits<float>::infinity());
  CHECK(PlainWriteNumber(Kind::F32, real(std::nan("")), out));
  CHECK(std::isnan(revctl::detail::LoadAs<float>(out)));
}

TEST_CASE("plain: a double that is too large for an old float becomes zero", "[plain][convert]") {
  const auto as_float = [](double value) {
    std::vector<std::byte> bytes;
    REQUIRE(revctl::WritePlain(Changed<float, double>{value}, bytes, 1).message() == "");
    REQUIRE(bytes.size() == sizeof(float));
    return revctl::detail::LoadAs<float>(bytes.data());
  };
  CHECK(as_float(2.5) == 2.5F);
  CHECK(as_float(1e300) == 0.0F);
  CHECK(as_float(-1e300) == 0.0F);
  CHECK(std::isinf(as_float(std::numeric_limits<double>::infinity())));
  CHECK(std::isnan(as_float(std::nan(""))));
}

TEST_CASE("plain: bytes are swapped leaf by leaf", "[plain]") {
  struct Small {
    PLAIN(Small);
    FIELD(std::uint16_t, a, 1) = 0x1122;
    FIELD(std::uint32_t[2], b, 1) = {0x33445566, 0x778899AA};
    FIELD(bool, c, 1) = true;
  };
  std::vector<std::byte> bytes;
  REQUIRE(revctl::WritePlain(Small{}, bytes).Ok());
  revctl::detail::PlainLayouts layouts;
  auto swapped = bytes;
  revctl::detail::SwapPlainImage(layouts.Today(revctl::detail::plain_table<Small>), swapped.data());
  const unsigned char expected[] = {0x11, 0x22, 0,    0,    0x33, 0x44, 0x55, 0x66,
                                    0x77, 0x88, 0x99, 0xAA, 1,    0,    0,    0};
  CHECK(std::memcmp(swapped.data(), expected, sizeof expected) == 0);
  revctl::detail::SwapPlainImage(layouts.Today(revctl::detail::plain_table<Small>), swapped.data());
  CHECK(swapped == bytes);
}
