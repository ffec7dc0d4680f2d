#include <catch2/catch.hpp>
#include <cctype>
#include <map>
#include <string>
#include <unordered_map>

#include "boxes.h"

// Tests that each object has exactly one owner, no matter what the file claims, and that rejected
// files leak nothing.

namespace {

using namespace boxes;

template <class Roots>
std::vector<std::byte> Saved(const Roots& roots) {
  std::vector<std::byte> bytes;
  const revctl::Status status = revctl::SaveObjects(1, Classes(), roots, bytes);
  INFO(status.message());
  REQUIRE(status.Ok());
  return bytes;
}

/// Returns a complete file, a header and a payload, with a handmade stream.
std::vector<std::byte> File(const Forged& forged) {
  std::vector<std::byte> bytes(revctl::kFileHeaderSize), payload = forged.Bytes();
  std::byte head[revctl::kFileHeaderSize];
  revctl::WriteFileHeader({.revision_bits = 1}, head);
  std::copy(std::begin(head), std::end(head), bytes.begin());
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

/// Returns a stream with two boxes that share each other, and a third box that both point to
/// without owning it.
Forged Pair() {
  Forged f;
  f.parents = {0, 0, 0};
  f.roots = {1, 2, 3};
  f.shared = {{1, 2}, {2, 1}};
  f.boxes = {{0, 2, 3}, {0, 1, 3}, {}};
  return f;
}

struct AnyCase {
  static std::string Lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }
  bool operator()(const std::string& a, const std::string& b) const { return Lower(a) < Lower(b); }
};
struct SameInAnyCase {
  bool operator()(const std::string& a, const std::string& b) const {
    return AnyCase::Lower(a) == AnyCase::Lower(b);
  }
};
struct HashAnyCase {
  std::size_t operator()(const std::string& text) const {
    return std::hash<std::string>()(AnyCase::Lower(text));
  }
};

/// A key whose `<` compares only one member. The map's comparator compares both members.
struct Slot {
  std::int32_t shelf = 0, place = 0;
  bool operator<(const Slot& other) const { return shelf < other.shelf; }
};
SERIALIZE_TYPE(Slot) {
  ADD(1, shelf);
  ADD(1, place);
}
SERIALIZE_END
struct ByBoth {
  bool operator()(const Slot& a, const Slot& b) const {
    return a.shelf != b.shelf ? a.shelf < b.shelf : a.place < b.place;
  }
};

/// A key that has neither `<` nor `==`.
struct Tag {
  std::int32_t number = 0;
};
SERIALIZE_TYPE(Tag) { ADD(1, number); }
SERIALIZE_END
struct ByNumber {
  bool operator()(const Tag& a, const Tag& b) const { return a.number < b.number; }
};
struct Tagged {
  std::map<Tag, Box*, ByNumber> boxes;
};
SERIALIZE_TYPE(Tagged) { ADD_REF(1, boxes); }
SERIALIZE_END

}  // namespace

TEST_CASE("owners: a raw root owns its object and occurs only once", "[objects][owners]") {
  using Raw = std::vector<Box*>;
  Box a, b;
  std::vector<std::byte> bytes;
  CHECK(revctl::SaveObjects(1, Classes(), Raw{&a, nullptr, &b}, bytes).Ok());
  const auto fine = bytes;
  Raw back;
  REQUIRE(revctl::LoadObjects(fine, Classes(), back, 1).Ok());
  CHECK((back.size() == 3 && back[1] == nullptr));
  delete back[0];
  delete back[2];

  const auto refused = [&](const Raw& roots) {
    const revctl::Status status = revctl::SaveObjects(1, Classes(), roots, bytes);
    CHECK(bytes == fine);
    return status.message();
  };
  CHECK_THAT(refused({&a, &b, &a}),
             Catch::Contains("object 1 is owned by a raw root pointer, but also has another"));
  a.next = std::make_unique<Box>();
  CHECK_THAT(refused({&a, a.next.get()}),
             Catch::Contains("object 2 is owned by a raw root pointer"));
  CHECK_THAT(refused({a.next.get(), &a}),
             Catch::Contains("object 1 is owned by a raw root pointer"));
  a.next.reset();
  b.peer = std::make_shared<Box>();
  CHECK_THAT(refused({b.peer.get(), &b}),
             Catch::Contains("object 1 is owned by a raw root pointer"));
}

TEST_CASE("owners: a raw root with two owners is rejected and freed", "[objects][owners]") {
  const int before = Box::alive;
  const auto load = [&](const Forged& forged) {
    std::vector<Box*> roots;
    const revctl::Status status = revctl::LoadObjects(File(forged), Classes(), roots, 1);
    CHECK(roots.empty());
    CHECK(Box::alive == before);
    return status.message();
  };
  CHECK_THAT(load({{0, 0}, {}, {1, 2, 1}, {{}, {}}}),
             Catch::Contains("object 1 is owned by a raw root pointer"));
  CHECK_THAT(load({{0, 1}, {}, {1, 2}, {{2, 0, 0}, {}}}),
             Catch::Contains("object 2 is owned by a raw root pointer"));
  CHECK_THAT(load({{0, 0}, {{1, 2}}, {2, 1}, {{0, 2, 0}, {}}}),
             Catch::Contains("object 2 is owned by a raw root pointer"));

  // The error path names the member that holds the roots.
  const Forged twice{{0}, {}, {1, 1}, {{}}};
  const auto bytes = twice.Bytes();
  revctl::Reader r(bytes, 1);
  Shelf<std::vector<Box*>> shelf;
  Serialize(r, shelf);
  CHECK_THAT(r.error().path, Catch::EndsWith(".boxes"));
  CHECK(shelf.boxes.empty());
  CHECK(Box::alive == before);
}

TEST_CASE("owners: a rejected file with a ring of objects leaks nothing", "[objects][owners]") {
  using Shared = std::vector<std::shared_ptr<Box>>;
  const int before = Box::alive;
  const auto load = [&](std::vector<std::byte> file) {
    Shared roots;
    const revctl::Status status = revctl::LoadObjects(file, Classes(), roots, 1);
    CHECK(roots.empty());
    CHECK(Box::alive == before);
    return status.message();
  };
  Forged f = Pair();
  f.boxes[2].looks = 9;  // an invalid id in the last record, after the other objects were linked
  CHECK_THAT(load(File(f)), Catch::Contains("id 9, but there are 3 objects"));

  f = Pair();
  f.roots = {1, 1, 3, 4};  // an invalid root, which is detected after all bodies have run
  CHECK_THAT(load(File(f)), Catch::Contains("id 4, but there are 3 objects"));

  auto file = File(Pair());
  file.push_back({});  // an extra byte at the end of the file
  CHECK_THAT(load(file), Catch::Contains("at offset " + std::to_string(file.size() - 1)) &&
                             Catch::Contains("the objects end here, but more bytes follow"));
  // Repeat this with raw root pointers, whose objects nothing else owns.
  std::vector<Box*> raw;
  auto plain = File({{0}, {}, {1}, {{}}});
  plain.push_back({});
  CHECK_FALSE(revctl::LoadObjects(plain, Classes(), raw, 1).Ok());
  CHECK(Box::alive == before);

  // Read a stream inside a body, followed by an extra byte.
  file = File(Pair());
  file.push_back({});
  Shelf<Shared> shelf;
  CHECK_THAT(revctl::Load(file, shelf, 1).message(), Catch::Contains("1 bytes follow"));
  CHECK(Box::alive == before);

  Shared fine;
  REQUIRE(revctl::LoadObjects(File(Pair()), Classes(), fine, 1).Ok());
  CHECK(fine[0]->peer == fine[1]);
  fine[0]->peer.reset();
}

TEST_CASE("owners: a map of pointers compares keys like the user's map", "[objects][owners]") {
  // The build that wrote the file distinguished "Door" from "door". This program treats them as the
  // same key, so one owner would overwrite the other.
  std::map<std::string, std::unique_ptr<Box>> both;
  both["Door"] = std::make_unique<Box>();
  both["door"] = std::make_unique<Box>();
  both["Door"]->looks = both["door"].get();
  both["door"]->looks = both["Door"].get();
  const auto bytes = Saved(both);
  std::map<std::string, std::unique_ptr<Box>, AnyCase> ordered;
  CHECK_THAT(revctl::LoadObjects(bytes, Classes(), ordered, 1).message(), Catch::Contains("roots"));
  CHECK(ordered.empty());
  std::unordered_map<std::string, std::unique_ptr<Box>, HashAnyCase, SameInAnyCase> hashed;
  CHECK_THAT(revctl::LoadObjects(bytes, Classes(), hashed, 1).message(), Catch::Contains("roots"));
  CHECK(hashed.empty());
  hashed["A"] = std::make_unique<Box>();
  hashed["b"] = std::make_unique<Box>();
  ordered["x"] = nullptr;
  REQUIRE(revctl::LoadObjects(Saved(hashed), Classes(), ordered, 1).Ok());
  CHECK((ordered.size() == 2 && ordered["a"] != nullptr && ordered["B"] != nullptr));
}

TEST_CASE("owners: the map decides which keys are equal, not `<`", "[objects][owners]") {
  std::map<Slot, std::unique_ptr<Box>, ByBoth> shelf, back;
  shelf[{1, 1}] = std::make_unique<Box>();
  shelf[{1, 2}] = std::make_unique<Box>();
  shelf[{1, 2}]->number = 7;
  REQUIRE(revctl::LoadObjects(Saved(shelf), Classes(), back, 1).message() == "");
  REQUIRE(back.size() == 2);
  CHECK(back[{1, 2}]->number == 7);
}

TEST_CASE("owners: keys need no order except the map's", "[objects][owners]") {
  std::map<Tag, std::unique_ptr<Box>, ByNumber> boxes, back;
  boxes[{4}] = std::make_unique<Box>();
  REQUIRE(revctl::LoadObjects(Saved(boxes), Classes(), back, 1).message() == "");
  CHECK(back.count({4}) == 1);

  // Outside a stream, the keys need no order at all.
  revctl::Writer w(1);
  Serialize(w, Tagged{});
  CHECK(w.Ok());
  const std::vector<std::byte> none(4);
  revctl::Reader r(none, 1);
  Tagged tagged;
  Serialize(r, tagged);
  CHECK(r.AtEnd());
}
