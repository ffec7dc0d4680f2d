// SHA-256 as FIPS 180-4 defines it.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "golden/large_payload.h"
#include "revctl/base/ascii.h"

namespace revctl::golden {
namespace {

constexpr std::size_t kBlock = 64;
using State = std::array<std::uint32_t, 8>;

/// Returns the first 32 bits of the fractional part of the `root`-th root of `prime`, using integer
/// arithmetic.
constexpr std::uint32_t Fraction(std::uint64_t prime, int root) {
  // Finds the largest x with x^root <= prime * 2^(32 * root), bit by bit.
  std::uint64_t x = 0;
  for (int bit = 36; bit-- > 0;) {
    const std::uint64_t next = x | std::uint64_t{1} << bit;
    __extension__ using Wide = unsigned __int128;
    bool fits = false;
    if (root == 2) {
      fits = Wide{next} * next <= Wide{prime} << 64;
    } else {
      // next^3 has up to 108 bits, and prime * 2^96 has up to 105.
      fits = next < std::uint64_t{1} << 36 && Wide{next} * next * next <= Wide{prime} << 96;
    }
    if (fits) x = next;
  }
  return static_cast<std::uint32_t>(x);
}

constexpr std::array<std::uint32_t, 64> Primes() {
  std::array<std::uint32_t, 64> primes{};
  std::size_t found = 0;
  for (std::uint32_t n = 2; found < primes.size(); ++n) {
    bool prime = true;
    for (std::size_t i = 0; i < found && prime; ++i) prime = n % primes[i] != 0;
    if (prime) primes[found++] = n;
  }
  return primes;
}

constexpr std::array<std::uint32_t, 64> Rounds() {
  std::array<std::uint32_t, 64> rounds{};
  const auto primes = Primes();
  for (std::size_t i = 0; i < rounds.size(); ++i) rounds[i] = Fraction(primes[i], 3);
  return rounds;
}

constexpr State Begin() {
  State state{};
  const auto primes = Primes();
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = Fraction(primes[i], 2);
  return state;
}

constexpr std::array<std::uint32_t, 64> kRounds = Rounds();
constexpr State kBegin = Begin();

void Add(State& state, const unsigned char* block) {
  std::uint32_t w[64];
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = 0;
    for (std::size_t byte = 0; byte < 4; ++byte) w[i] = w[i] << 8 | block[4 * i + byte];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  State s = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t e = s[4], a = s[0];
    const std::uint32_t one = s[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & s[5]) ^ (~e & s[6])) + kRounds[i] + w[i];
    const std::uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                              ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += s[i];
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  State state = kBegin;
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / kBlock * kBlock;
  for (std::size_t at = 0; at < whole; at += kBlock) Add(state, data + at);
  std::string rest(bytes.substr(whole));
  rest += '\x80';
  while (rest.size() % kBlock != kBlock - 8) rest += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int byte = 7; byte >= 0; --byte) rest += static_cast<char>(bits >> (8 * byte));
  for (std::size_t at = 0; at < rest.size(); at += kBlock)
    Add(state, reinterpret_cast<const unsigned char*>(rest.data()) + at);
  std::string text;
  for (const std::uint32_t word : state) text += base::Hex(word, 8);
  return text;
}

}  // namespace revctl::golden
