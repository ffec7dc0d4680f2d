#include <revctl/plain.h>
#include <catch2/catch.hpp>

// Tests that mistakes in field lists are reported at startup and by static_assert.
namespace {

struct Forgotten {
  PLAIN(Forgotten);
  FIELD(std::uint8_t, a, 1) = 0;
  std::uint32_t nobody = 0;
  FIELD(std::uint32_t, b, 1) = 0;
};
struct ForgottenLast {
  PLAIN(ForgottenLast);
  FIELD(std::uint32_t, a, 1) = 0;
  std::uint32_t nobody = 0;
};
struct Inner {
  PLAIN(Inner);
  FIELD(ForgottenLast, inside, 1);
};
struct alignas(32) Aligned {
  PLAIN(Aligned);
  FIELD(std::uint32_t, a, 1) = 0;
};
#pragma pack(push, 1)
struct Packed {
  PLAIN(Packed);
  FIELD(std::uint8_t, a, 1) = 0;
  FIELD(std::uint32_t, b, 1) = 0;
};
#pragma pack(pop)
struct Backwards {
  PLAIN(Backwards);
  DEAD(int, old, 5, 3);
  FIELD(int, a, 1) = 0;
};
struct Twice {
  PLAIN(Twice);
  DEAD(float, a, 1, 4);
  FIELD(int, a, 3) = 0;
};
struct Late {
  PLAIN(Late);
  FIELD(int, x, 4) = 0;
};
struct Early {
  PLAIN(Early);
  FIELD(Late, late, 2);
};
struct Moved {
  PLAIN(Moved);
  FIELD(int, b, 1) = 0;
  DEAD(float, a, 1, 3);
  FIELD(float, c, 1) = 0;
  FIELD(double, a, 3) = 0;  // replaces the dead field above
};
struct ByHand {
  PLAIN(ByHand);
  DEAD(float, a, 1, 3);
  FIELD(int, a, 3) = 0;
  HOP(3) { to.Set<"a">(static_cast<int>(from.Get<"a">())); }
};

template <class T>
std::string Fault() {
  CHECK(revctl::plain_fits<T> == revctl::CheckPlain<T>().Ok());
  return revctl::CheckPlain<T>().message();
}

}  // namespace

TEST_CASE("plain check: the list does not match the struct", "[plain][check]") {
  CHECK(Fault<Forgotten>().find("Forgotten.b should be at offset 4, but the compiler says 8: look "
                                "for a member without FIELD") == 0);
  CHECK(Fault<ForgottenLast>().find("ForgottenLast should have size 4, but the compiler says 8") ==
        0);
  CHECK(Fault<Inner>().find("ForgottenLast should have size 4") == 0);
  CHECK(Fault<Aligned>().find(
            "Aligned should have alignment 4, but the compiler says 32: alignas") == 0);
  CHECK(Fault<Packed>().find("Packed.b should be at offset 4, but the compiler says 1") == 0);
}

TEST_CASE("plain check: live ranges", "[plain][check]") {
  CHECK(Fault<Backwards>() == "Backwards.old ends at revision 3 but begins at 5");
  CHECK(Fault<Twice>().find("Twice.a has two live declarations at revision 3") == 0);
  CHECK(Fault<Early>() == "Early.late begins at revision 2, before the first field of Late");
  CHECK(Fault<Moved>() == "");
  CHECK(Fault<ByHand>() == "");
}

TEST_CASE("plain check: a struct with a fault is neither written nor read", "[plain][check]") {
  Forgotten value;
  std::vector<std::byte> bytes(sizeof value);
  CHECK(revctl::ReadPlain(bytes, 1, value).message() == Fault<Forgotten>());
  CHECK(revctl::WritePlain(value, bytes).message() == Fault<Forgotten>());
  CHECK(bytes.size() == sizeof value);
}

TEST_CASE("plain check: a field can move if it ends and begins again", "[plain][check]") {
  struct Old {
    int b;
    float a, c;
  } const old{3, 1.5F, 2.5F};
  std::vector<std::byte> bytes(sizeof old);
  std::memcpy(bytes.data(), &old, sizeof old);
  Moved value;
  REQUIRE(revctl::ReadPlain(bytes, 2, value).Ok());
  CHECK(value.b == 3);
  CHECK(value.c == 2.5F);
  CHECK(value.a == 1.5);
}
