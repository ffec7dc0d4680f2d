#include <revctl/objects.h>
#include <catch2/catch.hpp>

// Tests reading files with unknown classes and dangling ids, with Stray::Drop and Stray::Keep.
namespace stray {

struct Gem {
  std::int32_t carats = 0;
  static inline int alive = 0;
  Gem() { ++alive; }
  ~Gem() { --alive; }
};
SERIALIZE_TYPE(Gem) { ADD(1, carats); }
SERIALIZE_END

struct Chest {
  std::unique_ptr<Gem> gem;
  Chest* beside = nullptr;
  Gem* wanted = nullptr;
};
SERIALIZE_TYPE(Chest) {
  ADD_REF(1, gem);
  ADD_REF(1, beside);
  ADD_REF(1, wanted);
}
SERIALIZE_END

using Chests = std::vector<std::unique_ptr<Chest>>;

revctl::ObjectClasses ChestsOnly() { return revctl::ObjectClasses().Add<Chest>("Chest"); }
revctl::ObjectClasses All() { return ChestsOnly().Add<Gem>("Gem"); }

/// Returns a file with two chests, whose ids are 1 and 2. The first chest owns the gem with id 3,
/// and the second chest points to the gem with `wanted`.
std::vector<std::byte> File() {
  Chests chests;
  for (int i = 0; i < 2; ++i) chests.push_back(std::make_unique<Chest>());
  chests[0]->gem = std::make_unique<Gem>();
  chests[0]->gem->carats = 5;
  chests[0]->beside = chests[1].get();
  chests[1]->beside = chests[0].get();
  chests[1]->wanted = chests[0]->gem.get();
  std::vector<std::byte> bytes;
  REQUIRE(revctl::SaveObjects(1, All(), chests, bytes).Ok());
  return bytes;
}

/// Returns File() with one pointer changed to `id`: the pointer number `field` (0 gem, 1 beside, 2
/// wanted) of the chest whose pointers are `ids`.
std::vector<std::byte> Patched(const std::uint32_t (&ids)[3], int field, std::uint32_t id) {
  auto bytes = File();
  const std::uint32_t numbers[] = {12, ids[0], ids[1], ids[2]};
  std::byte record[sizeof numbers];
  revctl::detail::CopyValues<std::uint32_t>(record, numbers, std::size(numbers));
  for (std::size_t at = 0; at + sizeof record <= bytes.size(); ++at) {
    if (std::memcmp(bytes.data() + at, record, sizeof record) != 0) continue;
    revctl::detail::CopyValue<std::uint32_t>(bytes.data() + at + 4 + 4 * field, &id);
    return bytes;
  }
  FAIL("no such record");
  return {};
}

}  // namespace stray

using namespace stray;

TEST_CASE("stray: objects of unknown classes are dropped, and pointers to them become null",
          "[objects][stray]") {
  const auto file = File();
  Chests chests;
  revctl::Status status = revctl::LoadObjects(file, ChestsOnly(), chests, 1);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK_THAT(status.message(), Catch::Contains("class `Gem` is unknown"));

  std::vector<revctl::KeptObject> kept;
  REQUIRE(revctl::LoadObjects(file, ChestsOnly().OnUnknown(revctl::Stray::Drop), chests, 1, &kept)
              .Ok());
  REQUIRE(chests.size() == 2);
  CHECK(chests[0]->gem == nullptr);
  CHECK(chests[1]->wanted == nullptr);
  CHECK(chests[0]->beside == chests[1].get());
  CHECK(kept.empty());  // Stray::Drop keeps no records

  // A root of an unknown class becomes null, and the objects that it owned are dropped.
  REQUIRE(
      revctl::LoadObjects(
          file, revctl::ObjectClasses().Add<Gem>("Gem").OnUnknown(revctl::Stray::Drop), chests, 1)
          .Ok());
  CHECK(chests.size() == 2);
  CHECK(chests[0] == nullptr);
  chests.clear();
  CHECK(Gem::alive == 0);
}

TEST_CASE("stray: ids without an object or with an unsuitable one become null",
          "[objects][stray]") {
  const auto lenient = All().OnDangling(revctl::Stray::Drop);
  struct Case {
    std::vector<std::byte> file;
    const char* refusal;
  };
  const Case cases[] = {{Patched({0, 1, 3}, 2, 77), "id 77, but there are 3 objects"},
                        {Patched({0, 1, 3}, 2, 1), "object 1 is a `Chest`, not a stray::Gem"}};
  for (const Case& lie : cases) {
    Chests chests;
    const revctl::Status status = revctl::LoadObjects(lie.file, All(), chests, 1);
    CHECK(status.kind() == revctl::Status::Kind::Corrupt);
    CHECK_THAT(status.message(), Catch::Contains(lie.refusal));
    CHECK(chests.empty());
    REQUIRE(revctl::LoadObjects(lie.file, lenient, chests, 1).message() == "");
    REQUIRE(chests.size() == 2);
    CHECK(chests[1]->wanted == nullptr);
    CHECK(chests[1]->beside == chests[0].get());
    CHECK(chests[0]->gem->carats == 5);
  }
  // If an owning pointer cannot own its object, reading fails even so, because the object would
  // have no owner.
  Chests chests;
  CHECK_FALSE(revctl::LoadObjects(Patched({3, 2, 0}, 0, 0), lenient, chests, 1).Ok());
  CHECK(Gem::alive == 0);
}

TEST_CASE("stray: dangling ids are kept with their holders", "[objects][stray]") {
  const auto keeping = [] { return All().OnDangling(revctl::Stray::Keep); };
  for (const std::uint32_t id : {77u, 1u}) {  // id 77 belongs to no object, and id 1 to a chest
    const auto file = Patched({0, 1, 3}, 2, id);
    Chests chests;
    std::vector<revctl::KeptObject> kept;
    REQUIRE(revctl::LoadObjects(file, keeping(), chests, 1, &kept).message() == "");
    CHECK(chests[1]->wanted == nullptr);
    REQUIRE(kept.size() == 1);
    CHECK(kept[0].class_name.empty());
    CHECK(kept[0].id == id);
    CHECK(kept[0].holder == 2);
    // Stray::Drop leaves the list empty, and Stray::Keep works without a list.
    kept.clear();
    REQUIRE(
        revctl::LoadObjects(file, All().OnDangling(revctl::Stray::Drop), chests, 1, &kept).Ok());
    CHECK(kept.empty());
    CHECK(revctl::LoadObjects(file, keeping(), chests, 1).Ok());
    // The list of kept ids counts against the memory limit, so a limit that is just sufficient
    // without the list is too small with it.
    std::size_t enough = 1;
    const auto dropping = All().OnDangling(revctl::Stray::Drop);
    while (!revctl::LoadObjects(file, dropping, chests, 1, nullptr, {.limits = {.budget = enough}})
                .Ok())
      ++enough;
    const revctl::Status status =
        revctl::LoadObjects(file, keeping(), chests, 1, &kept, {.limits = {.budget = enough}});
    CHECK_THAT(status.message(), Catch::Contains("budget"));
    CHECK(kept.empty());
  }
}

namespace stray {

/// A type whose member receives the records of unknown classes and the dangling ids.
struct Cellar {
  Chests chests;
  std::vector<revctl::KeptObject> kept;
};
const revctl::ObjectClasses& Keepers() {
  static const auto classes =
      ChestsOnly().OnUnknown(revctl::Stray::Keep).OnDangling(revctl::Stray::Keep);
  return classes;
}
SERIALIZE_TYPE(Cellar) { ADD_OBJECTS(1, Keepers(), chests, kept); }
SERIALIZE_END

}  // namespace stray

TEST_CASE("stray: ADD_OBJECTS keeps records and ids in a member", "[objects][stray]") {
  const auto file = Patched({0, 1, 3}, 1, 9);
  const auto payload = std::span<const std::byte>(file).subspan(16);
  Cellar cellar;
  revctl::Reader r(payload, 1);
  Serialize(r, cellar);
  REQUIRE(r.AtEnd());
  Cellar traced;
  revctl::TraceReader trace(payload, 1);
  Serialize(trace, traced);
  REQUIRE(trace.Ok());
  for (const Cellar* one : {&cellar, &traced}) {
    REQUIRE(one->kept.size() == 2);
    CHECK(one->kept[0].class_name == "Gem");
    CHECK(one->kept[0].id == 3);
    CHECK(one->kept[0].bytes == std::vector<std::byte>{std::byte{5}, {}, {}, {}});
    CHECK(one->kept[1].class_name.empty());
    CHECK(one->kept[1].id == 9);
    CHECK(one->kept[1].holder == 2);
  }
}
