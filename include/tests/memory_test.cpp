#include <catch2/catch.hpp>

#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>

#include <malloc.h>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <list>
#include <new>

#include "everything.h"
#include "include/tests/objects/boxes.h"

// Tests how much memory hostile inputs can make readers allocate. The test counts allocations in
// operator new.

namespace {
std::atomic<std::size_t> asked{0};
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  asked += size;
  if (void* p = std::malloc(size)) return p;
  std::abort();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return ::operator new(size);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

/// Returns the number of bytes that reading a T from this input allocates, including the text of an
/// error.
template <class T>
std::size_t Cost(const std::vector<std::byte>& bytes, const revctl::Limits& limits = {}) {
  T value{};
  revctl::Reader r(bytes, 1);
  r.SetLimits(limits);
  const std::size_t before = asked;
  r.Value(value);
  return asked - before;
}

std::vector<std::byte> Lying(std::uint32_t count, std::size_t size) {
  std::vector<std::byte> bytes(size, std::byte{1});
  revctl::detail::CopyValues<std::uint32_t>(bytes.data(), &count, 1);
  return bytes;
}

struct Nothing {};
SERIALIZE_TYPE(Nothing) {}
SERIALIZE_END

struct Fat {
  std::int64_t words[128] = {};
  std::string text;
};
SERIALIZE_TYPE(Fat) { ADD(1, text); }
SERIALIZE_END

/// Returns the number of bytes in use after archive `R` has read a T, and whether the read
/// succeeded. With sanitizers, the allocator reports 0 bytes.
template <class R, class T>
std::pair<std::size_t, bool> Footprint(const std::vector<std::byte>& bytes, std::size_t budget) {
  const std::size_t before = ::mallinfo2().uordblks;
  R r(bytes, 1);
  if constexpr (requires { r.SetLimits({}); }) {
    r.SetLimits({.budget = budget});
  } else {
    r.limits.budget = budget;
    r.CollectLeaves(false);
  }
  T value{};
  Serialize(r, value);
  return {::mallinfo2().uordblks - before, r.Ok()};
}

/// True if the JSON text can be parsed within the budget.
bool TreeIsRead(const std::string& text, std::size_t budget) {
  return revctl::JsonTree(text, budget).Ok();
}
template <class T>
bool JsonIsRead(const std::string& text, std::size_t budget) {
  revctl::JsonReader json(text, 1);
  json.limits.budget = budget;
  T value{};
  Serialize(json, value);
  return json.Ok();
}

template <class F>
std::size_t Smallest(F is_read) {
  std::size_t refused = 0, read = std::size_t{1} << 24;
  while (read - refused > 1) {
    const std::size_t middle = refused + (read - refused) / 2;
    (is_read(middle) ? read : refused) = middle;
  }
  return read;
}

}  // namespace

template <class T>
struct revctl::SequenceOf<std::list<T>> {
  using Element = T;
};

TEST_CASE("memory: a false count allocates no more than the input justifies", "[memory]") {
  for (const std::uint32_t count : {1000u, 1000000u, 0xFFFFFFFFu}) {
    constexpr std::size_t error = 512;  // room for an error's reason and path
    CHECK(Cost<std::string>(Lying(count, 100)) <= error);
    CHECK(Cost<std::vector<std::uint64_t>>(Lying(count, 100)) <= error);
    CHECK(Cost<std::vector<everything::Vec3>>(Lying(count, 100)) <= error);
    // For elements of variable size, the count cannot be checked in advance, so the reader reserves
    // memory for one element per four bytes of input, plus sixteen.
    CHECK(Cost<std::vector<std::string>>(Lying(count, 100)) <=
          (100 / 4 + 16) * sizeof(std::string) + error);
    CHECK(Cost<std::vector<Fat>>(Lying(count, 100)) <= (100 / 4 + 16) * sizeof(Fat) + error);
    CHECK(Cost<std::map<std::string, std::string>>(Lying(count, 100)) <= 1000 + error);
  }
}

TEST_CASE("memory: mutated inputs allocate no more than their size justifies", "[memory]") {
  std::uint64_t state = 5;
  auto random = [&] {
    return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33;
  };
  revctl::Writer w(1);
  Serialize(w, revctl::Filled<everything::Everything>(1, 0));
  const std::vector<std::byte> valid(w.Bytes().begin(), w.Bytes().end());
  double worst = 0;
  for (int round = 0; round < 3000; ++round) {
    auto bytes = valid;
    for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
      bytes[random() % bytes.size()] =
          random() % 2 == 0 ? std::byte{0xFF} : static_cast<std::byte>(random());
    }
    const double cost = static_cast<double>(Cost<everything::Everything>(bytes));
    worst = std::max(worst, cost / static_cast<double>(bytes.size()));
  }
  // The most expensive element is a Named, which takes 48 bytes in memory and at least 4 bytes in
  // the file. In addition, vectors double their capacity, and maps allocate nodes.
  CHECK(worst < 48);
}

TEST_CASE("memory: nodes of separate elements are charged to the budget", "[memory]") {
  constexpr std::size_t budget = 1 << 20;
  // Each input is twenty bytes long and claims to contain up to four billion elements, which take
  // no bytes on the wire.
  for (const std::uint32_t count : {50000u, 1000000u, 0xFFFFFFFFu}) {
    CHECK(Cost<std::list<Nothing>>(Lying(count, 20), {.budget = budget}) <= budget);
    CHECK(Cost<std::vector<std::list<Nothing>>>(Lying(count, 20), {.budget = budget}) <= budget);
  }
}

TEST_CASE("memory: budget, allocator and trace agree", "[memory]") {
  const auto check = [](auto type, const std::vector<std::byte>& bytes, std::size_t enough) {
    using T = typename decltype(type)::type;
    T value{};
    revctl::Reader r(bytes, 1);
    Serialize(r, value);
    const std::string text = revctl::ToJson(value, 1);
    for (const std::size_t budget : {enough, enough - 1, enough / 3}) {
      const auto [used, read] = Footprint<revctl::Reader, T>(bytes, budget);
      CHECK(used <= budget + 4096);
      CHECK(read == (budget == enough));
      CHECK((Footprint<revctl::TraceReader, T>(bytes, budget).second) == read);
      CHECK(JsonIsRead<T>(text, budget) == (read && TreeIsRead(text, budget)));
    }
  };
  constexpr std::size_t count = 1000, node = 48;
  std::list<std::uint8_t> list(count, std::uint8_t{1});
  std::map<std::uint16_t, std::uint8_t> map;
  std::set<std::uint16_t> set;
  std::unordered_map<std::uint16_t, std::uint8_t> hashed;
  std::vector<std::unique_ptr<std::uint8_t>> pointers;
  for (std::uint16_t i = 0; i < count; ++i) {
    map[i] = hashed[i] = 1;
    set.insert(i);
    pointers.push_back(std::make_unique<std::uint8_t>(std::uint8_t{1}));
  }
  const auto payload = [](const auto& value) {
    revctl::Writer w(1);
    Serialize(w, value);
    return std::vector<std::byte>(w.Bytes().begin(), w.Bytes().end());
  };
  check(std::type_identity<decltype(list)>(), payload(list), count * (1 + node));
  check(std::type_identity<decltype(map)>(), payload(map), count * (3 + node));
  check(std::type_identity<decltype(set)>(), payload(set), count * (2 + node));
  check(std::type_identity<decltype(hashed)>(), payload(hashed), count * (3 + node));
  check(std::type_identity<decltype(pointers)>(), payload(pointers),
        count * (sizeof(void*) + 1 + node));
}

namespace {

/// A list of boxes. The file stores them under a long class name, which the program knows only if
/// `knows` is true.
struct Attic {
  boxes::Boxes boxes;
  std::vector<revctl::KeptObject> kept;
  static inline bool knows = true;
  static const revctl::ObjectClasses& Classes() {
    static const auto with = revctl::ObjectClasses().Add<boxes::Box>(std::string(1000, 'B'));
    static const auto without =
        revctl::ObjectClasses().Add<boxes::Box>("Box").OnUnknown(revctl::Stray::Keep);
    return knows ? with : without;
  }
};
SERIALIZE_TYPE(Attic) { ADD_OBJECTS(1, Attic::Classes(), boxes, kept); }
SERIALIZE_END

}  // namespace

TEST_CASE("memory: kept records are charged including their class names", "[memory][objects]") {
  constexpr std::size_t count = 300;
  Attic attic;
  for (std::size_t i = 0; i < count; ++i) attic.boxes.push_back(std::make_unique<boxes::Box>());
  revctl::Writer w(1);
  Serialize(w, attic);
  REQUIRE(w.Ok());
  const std::vector<std::byte> bytes(w.Bytes().begin(), w.Bytes().end());
  attic.boxes.clear();
  Attic::knows = false;
  const std::size_t enough = Smallest(
      [&](std::size_t budget) { return Footprint<revctl::Reader, Attic>(bytes, budget).second; });
  CHECK(enough >= count * 1000);
  CHECK(enough <= count * 2000);
  CHECK(Smallest([&](std::size_t budget) {
          return Footprint<revctl::TraceReader, Attic>(bytes, budget).second;
        }) == enough);
  CHECK(Footprint<revctl::Reader, Attic>(bytes, enough).first <= enough + 4096);
  // A file that is rejected at the very end leaves the list unchanged.
  revctl::Reader r(std::span<const std::byte>(bytes).first(bytes.size() - 1), 1);
  Serialize(r, attic);
  CHECK_FALSE(r.Ok());
  CHECK(attic.kept.empty());
  Attic::knows = true;
}

TEST_CASE("memory: all readers charge objects exactly and equally", "[memory][objects]") {
  using Shelf = boxes::Shelf<boxes::Boxes>;
  constexpr std::size_t count = 300;
  Shelf shelf;
  for (std::size_t i = 0; i < count; ++i) shelf.boxes.push_back(std::make_unique<boxes::Box>());
  revctl::Writer w(1);
  Serialize(w, shelf);
  REQUIRE(w.Ok());
  const std::vector<std::byte> bytes(w.Bytes().begin(), w.Bytes().end());
  const std::string text = revctl::ToJson(shelf, 1);
  shelf.boxes.clear();

  const std::size_t enough = Smallest(
      [&](std::size_t budget) { return Footprint<revctl::Reader, Shelf>(bytes, budget).second; });
  INFO("budget " << enough);
  CHECK(enough >= count * (sizeof(boxes::Box) + 48));
  CHECK(enough <= count * (sizeof(boxes::Box) + 48 + 3 * sizeof(std::uint64_t) + 256));
  CHECK(Smallest([&](std::size_t budget) {
          return Footprint<revctl::TraceReader, Shelf>(bytes, budget).second;
        }) == enough);
  const std::size_t tree = Smallest([&](std::size_t budget) { return TreeIsRead(text, budget); });
  CHECK(Smallest([&](std::size_t budget) { return JsonIsRead<Shelf>(text, budget); }) ==
        std::max(enough, tree));
  CHECK(Footprint<revctl::Reader, Shelf>(bytes, enough).first <= enough + 4096);
  CHECK(Footprint<revctl::Reader, Shelf>(bytes, enough - 1).first <= enough + 4096);
  CHECK(boxes::Box::alive == 0);
}
