#include <catch2/catch.hpp>

#include <revctl/fill.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "everything.h"

// What an input may cost: counted in operator new, over hostile inputs.

namespace {
std::atomic<std::size_t> asked{0};
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  asked += size;
  if (void* p = std::malloc(size)) return p;
  std::abort();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return ::operator new(size); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

/// Bytes asked for while reading a T from this input. Paths are asked for after the fact and not counted: the trace that
/// finds them costs about the same once more.
template <class T>
std::size_t Cost(const std::vector<std::byte>& bytes) {
  T value{};
  revctl::Reader r(bytes, 1);
  const std::size_t before = asked;
  r.Value(value);
  return asked - before;
}

std::vector<std::byte> Lying(std::uint32_t count, std::size_t size) {
  std::vector<std::byte> bytes(size, std::byte{1});
  std::memcpy(bytes.data(), &count, 4);
  return bytes;
}

struct Fat {
  std::int64_t words[128] = {};
  std::string text;
};
SERIALIZE_TYPE(Fat) { ADD(1, text); } SERIALIZE_END

}  // namespace

TEST_CASE("memory: a count that lies takes no more than the bytes pay for", "[memory]") {
  for (const std::uint32_t count : {1000u, 1000000u, 0xFFFFFFFFu}) {
    CHECK(Cost<std::string>(Lying(count, 100)) == 0);
    CHECK(Cost<std::vector<std::uint64_t>>(Lying(count, 100)) == 0);
    CHECK(Cost<std::vector<everything::Vec3>>(Lying(count, 100)) == 0);
    // Elements whose size is not known: one for every four bytes, and sixteen.
    CHECK(Cost<std::vector<std::string>>(Lying(count, 100)) <= (100 / 4 + 16) * sizeof(std::string));
    CHECK(Cost<std::vector<Fat>>(Lying(count, 100)) <= (100 / 4 + 16) * sizeof(Fat));
    CHECK(Cost<std::map<std::string, std::string>>(Lying(count, 100)) <= 1000);
  }
}

TEST_CASE("memory: mutated inputs stay within sizeof(T) for each element that bytes can pay for", "[memory]") {
  std::uint64_t state = 5;
  auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33; };
  revctl::Writer w(1);
  Serialize(w, revctl::Filled<everything::Everything>(1, 0));
  const std::vector<std::byte> valid(w.Bytes().begin(), w.Bytes().end());
  double worst = 0;
  for (int round = 0; round < 3000; ++round) {
    auto bytes = valid;
    for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
      bytes[random() % bytes.size()] = random() % 2 == 0 ? std::byte{0xFF} : static_cast<std::byte>(random());
    }
    const double cost = static_cast<double>(Cost<everything::Everything>(bytes));
    worst = std::max(worst, cost / static_cast<double>(bytes.size()));
  }
  // The largest element is a Named of 48 bytes in at least 4: with the doubling of vectors and the nodes of maps.
  CHECK(worst < 48);
}
