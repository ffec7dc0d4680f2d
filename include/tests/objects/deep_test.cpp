#include <revctl/fill.h>
#include <revctl/json_writer.h>
#include <revctl/size_counter.h>
#include <catch2/catch.hpp>
#include <cstring>

#include "boxes.h"

// Tests deeply nested objects, such as streams within streams and owners of owners. Limits::depth
// counts every kind of nesting, because reading, writing and destroying are recursive.

namespace {

using namespace boxes;

/// Returns a box with `levels` levels of nesting, where each box is in the nested stream of the
/// next outer box.
std::unique_ptr<Box> Nested(int levels) {
  auto box = std::make_unique<Box>();
  for (int i = 1; i < levels; ++i) {
    auto outer = std::make_unique<Box>();
    outer->number = i;
    outer->inside.push_back(std::move(box));
    box = std::move(outer);
  }
  return box;
}

int NestedLevels(const Box& box) {
  int levels = 1;
  for (const Box* at = &box; !at->inside.empty(); at = at->inside[0].get()) ++levels;
  return levels;
}

/// Returns the bytes of `levels` nested boxes, the innermost of which is empty. The nesting may be
/// deeper than a writer allows.
std::vector<std::byte> NestedBytes(std::uint32_t levels) {
  const std::vector<std::byte> one = Forged{{0}, {}, {1}, {{}}}.Bytes();
  // Find the bytes before and after the nested stream of a box. The size of the box's record is
  // stored 8 bytes before that stream.
  const std::size_t tail = 3 * 4, head = one.size() - tail - Forged::kEmptyStream;
  std::vector<std::byte> bytes;
  for (std::uint32_t level = levels; level > 0; --level) {
    bytes.insert(bytes.end(), one.begin(), one.begin() + static_cast<std::ptrdiff_t>(head));
    const std::size_t inner = Forged::kEmptyStream + (level - 1) * (head + tail);
    const auto size = static_cast<std::uint32_t>(4 + inner + tail);
    revctl::detail::CopyValue<std::uint32_t>(bytes.data() + bytes.size() - 8, &size);
  }
  bytes.resize(bytes.size() + Forged::kEmptyStream + levels * tail);
  return bytes;
}

/// Returns the error with which Reader rejects these bytes, or "fine". TraceReader must agree.
template <class Roots = Boxes>
std::string Outcome(std::span<const std::byte> bytes) {
  std::string outcome;
  {
    revctl::Reader r(bytes, 1);
    Shelf<Roots> shelf;
    Serialize(r, shelf);
    outcome = r.Ok() ? "fine" : r.error().reason;
    if (r.Ok()) {
      revctl::Writer w(1);
      Serialize(w, shelf);
      CHECK(w.Ok());  // whatever can be read can also be written
    }
  }
  revctl::TraceReader trace(bytes, 1);
  trace.CollectLeaves(false);
  Shelf<Roots> shelf;
  Serialize(trace, shelf);
  CHECK((trace.Ok() ? "fine" : trace.error().reason) == outcome);
  return outcome;
}

/// Returns how many bytes of stack `run` uses down to the innermost call of a body.
template <class F>
std::size_t StackOf(F run) {
  volatile char here = 0;
  Box::lowest = UINTPTR_MAX;
  run();
  return reinterpret_cast<std::uintptr_t>(&here) - Box::lowest;
}

}  // namespace

TEST_CASE("deep: nested streams survive, and each level is written once", "[objects][deep]") {
  revctl::Writer w(1);
  Shelf<Boxes> shelf;
  shelf.boxes.push_back(Nested(50));  // with two visits per level, this would take 2^50 steps
  Serialize(w, shelf);
  INFO(w.error().path << ": " << w.error().reason);
  REQUIRE(w.Ok());
  CHECK(revctl::WireSize(shelf, 1) == w.Bytes().size());
  revctl::TraceWriter trace(1);
  Serialize(trace, shelf);
  CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), trace.Bytes().begin(), trace.Bytes().end()));
  revctl::Reader r(w.Bytes(), 1);
  Shelf<Boxes> back;
  Serialize(r, back);
  REQUIRE(r.AtEnd());
  CHECK(NestedLevels(*back.boxes[0]) == 50);
  CHECK(back.boxes[0]->number == 49);
}

TEST_CASE("deep: reading and writing reject nested streams beyond the limit", "[objects][deep]") {
  for (std::uint32_t levels : {1u, 40u, 60u}) CHECK(Outcome(NestedBytes(levels)) == "fine");
  for (std::uint32_t levels : {70u, 1000u, 200000u})
    CHECK(Outcome(NestedBytes(levels)) == "nested deeper than the limit");
  Shelf<Boxes> shelf;
  shelf.boxes.push_back(Nested(100));
  revctl::Writer w(1);
  Serialize(w, shelf);
  CHECK_FALSE(w.Ok());
  CHECK(w.error().reason.find("nested deeper than the limit") != std::string::npos);
  revctl::SizeCounter size(1);
  Serialize(size, shelf);
  CHECK_FALSE(size.Ok());
  CHECK(revctl::ToJson(shelf, 1).empty());
}

TEST_CASE("deep: a stream takes no more stack than it is charged for", "[objects][deep]") {
  // Each level uses a few hundred bytes of stack (see Limits::depth), and more with sanitizers or
  // in unoptimized builds.
  constexpr std::size_t allowed = 500 * 4096;
  const std::vector<std::byte> bytes = NestedBytes(60);
  Shelf<Boxes> shelf;
  CHECK(StackOf([&] {
          revctl::Reader r(bytes, 1);
          Serialize(r, shelf);
          CHECK(r.Ok());
        }) < allowed);
  CHECK(StackOf([&] {
          revctl::Writer w(1);
          Serialize(w, shelf);
        }) < allowed);
  CHECK(StackOf([&] {
          revctl::TraceReader trace(bytes, 1);
          Shelf<Boxes> traced;
          Serialize(trace, traced);
        }) < allowed);
}

TEST_CASE("deep: a chain of owners beyond the limit is rejected", "[objects][deep]") {
  const auto chain = [](std::uint32_t length) {
    Forged f;
    f.roots = {1};
    for (std::uint32_t i = 0; i < length; ++i) {
      f.parents.push_back(i);
      f.boxes.push_back({i + 1 < length ? i + 2 : 0, 0, 0});
    }
    return Outcome(f.Bytes());
  };
  CHECK(chain(400) == "fine");
  CHECK_THAT(chain(600), Catch::Contains("owners, which exceeds the limit"));
  CHECK_THAT(chain(100000), Catch::Contains("owners, which exceeds the limit"));
  CHECK(Box::alive == 0);

  Boxes boxes;
  boxes.push_back(std::make_unique<Box>());
  Box* last = boxes[0].get();
  for (int i = 0; i < 600; ++i, last = last->next.get()) last->next = std::make_unique<Box>();
  std::vector<std::byte> bytes;
  CHECK_THAT(revctl::SaveObjects(1, Classes(), boxes, bytes).message(),
             Catch::Contains("which exceeds the limit"));
}

TEST_CASE("deep: a chain of shared objects beyond the limit is rejected, with or without rings",
          "[objects][deep]") {
  using Shared = std::vector<std::shared_ptr<Box>>;
  // Box 1 shares box 2, box 2 shares box 3, and so on. The first `ring` boxes form a ring.
  const auto chain = [](std::uint32_t length, std::uint32_t ring, bool all_are_roots) {
    Forged f;
    for (std::uint32_t i = 1; i <= length; ++i) {
      f.parents.push_back(0);
      if (all_are_roots || i == 1) f.roots.push_back(i);
      const std::uint32_t peer = i < length ? i + 1 : 0;
      f.boxes.push_back({0, peer, 0});
      if (peer != 0) f.shared.emplace_back(i, peer);
    }
    if (ring > 0) f.shared.emplace_back(ring, 1);
    // Reverse the roots, so that the root that owns the whole chain is destroyed last.
    std::reverse(f.roots.begin(), f.roots.end());
    return f.Bytes();
  };
  CHECK(Outcome<Shared>(chain(400, 0, false)) == "fine");
  CHECK(Outcome<Shared>(chain(400, 0, true)) == "fine");
  for (const std::uint32_t ring : {0u, 2u}) {
    for (const bool all : {false, true}) {
      CHECK_THAT(Outcome<Shared>(chain(600, ring, all)),
                 Catch::Contains("which exceeds the limit"));
    }
  }
  CHECK_THAT(Outcome<Shared>(chain(100000, 0, true)), Catch::Contains("which exceeds the limit"));
  CHECK(Box::alive == 0);
}

TEST_CASE("deep: depths of owners", "[objects][deep]") {
  using Ids = std::vector<std::uint32_t>;
  const auto depths = [](Ids parents, std::vector<std::pair<std::uint32_t, std::uint32_t>> shared) {
    return revctl::detail::OwnershipDepths(parents, shared).Depths();
  };
  CHECK(depths({}, {}).empty());
  CHECK(depths({0, 1, 2, 0}, {}) == Ids{0, 1, 2, 0});
  CHECK(depths({3, 1, 0}, {}) == Ids{1, 2, 0});  // an owner may have a higher id than its object
  CHECK(depths({0, 0, 0}, {{1, 2}, {1, 3}, {2, 3}}) == Ids{0, 1, 2});  // the longest path counts
  CHECK(depths({0, 0, 0}, {{1, 2}, {2, 1}, {2, 3}}) == Ids{0, 0, 1});  // a ring counts as one level
  CHECK(depths({0, 1, 0, 0}, {{2, 1}, {1, 3}, {3, 4}}) ==
        Ids{0, 1, 2, 3});  // unique owners within the ring add levels
}

TEST_CASE("deep: rings of any size are saved and loaded", "[objects][deep]") {
  using Shared = std::vector<std::shared_ptr<Box>>;
  Shared ring;
  for (int i = 0; i < 2000; ++i) ring.push_back(std::make_shared<Box>());
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i]->peer = ring[(i + 1) % ring.size()];
  std::vector<std::byte> bytes;
  REQUIRE(revctl::SaveObjects(1, Classes(), ring, bytes).message() == "");
  Shared back;
  REQUIRE(revctl::LoadObjects(bytes, Classes(), back, 1).message() == "");
  CHECK(back.size() == ring.size());
  for (const Shared& each : {ring, back}) {
    for (const auto& box : each) box->peer.reset();
  }
}

TEST_CASE("deep: a filler terminates if a class contains streams of itself", "[objects][deep]") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Shelf<Boxes> shelf;
    revctl::Filler filler(1, seed);
    Serialize(filler, shelf);
    INFO(filler.error_path() << ": " << filler.error_reason());
    REQUIRE(filler.Ok());
    REQUIRE(shelf.boxes.size() == 1);
    REQUIRE(shelf.boxes[0] != nullptr);
    CHECK(NestedLevels(*shelf.boxes[0]) == 2);
  }
  CHECK(Box::alive == 0);
}
