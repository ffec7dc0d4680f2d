// The input is a byte that selects the known classes and the handling of unknown classes, a byte
// that selects the format, and a payload or file. Covers graphs with new, renamed, retired and
// unknown classes, streams within objects, maps whose keys have a body, and plain images.
#include <revctl/fill.h>
#include <revctl/objects.h>
#include <revctl/plain_serialize.h>
#include <revctl/trace.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "include/fuzz/fuzz.h"
#include "include/tests/plain/history.h"

namespace strays {

enum Rev : std::int32_t { SR_INITIAL = 1, SR_POTIONS = 2, SR_NAMES = 3, SR_LATEST = SR_NAMES };

/// A user-defined key type with a hash and an ordering. Thing::seen orders its keys by row instead,
/// and Thing::marks is a hash table.
struct Spot {
  std::int16_t x = 0, y = 0;
  auto operator<=>(const Spot&) const = default;
};
SERIALIZE_TYPE(Spot) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
}
SERIALIZE_END
struct SpotHash {
  std::size_t operator()(const Spot& spot) const {
    return static_cast<std::size_t>(spot.x * 31 + spot.y);
  }
};
struct ByRow {
  bool operator()(const Spot& a, const Spot& b) const { return a.y < b.y; }
};

struct Thing;
const revctl::ObjectClasses& Known();

struct Thing {
  std::string name;
  Thing* target = nullptr;
  std::unique_ptr<Thing> pet;
  std::vector<std::unique_ptr<Thing>> bag;  ///< a nested stream
  std::map<Spot, Thing*, ByRow> seen;
  std::unordered_map<Spot, std::uint16_t, SpotHash> marks;
  voxel::Door door{};
  static inline int alive = 0;
  Thing() { ++alive; }
  Thing(const Thing&) = delete;
  Thing& operator=(const Thing&) = delete;
  virtual ~Thing() { --alive; }
};
struct Charm {
  std::int32_t power = 0;
  std::weak_ptr<Charm> twin;
};
struct Wizard : Thing {
  std::shared_ptr<Charm> charm;
};
struct Potion : Thing {
  bool sweet = false;
};
SERIALIZE_TYPE(Thing) {
  ADD(SR_INITIAL, name);
  ADD_REF(SR_INITIAL, target);
  ADD_REF(SR_INITIAL, pet);
  ADD_OBJECTS(SR_INITIAL, Known(), bag);
  ADD_REF(SR_POTIONS, seen);
  ADD(SR_NAMES, marks);
  ADD(SR_INITIAL, door);
}
SERIALIZE_END
SERIALIZE_TYPE(Charm) {
  ADD(SR_INITIAL, power);
  ADD_REF(SR_INITIAL, twin);
}
SERIALIZE_END
SERIALIZE_TYPE(Wizard) {
  ADD_BASE(SR_INITIAL, Thing);
  ADD_REF(SR_INITIAL, charm);
}
SERIALIZE_END
SERIALIZE_TYPE(Potion) {
  ADD_BASE(SR_POTIONS, Thing);
  ADD(SR_POTIONS, sweet);
}
SERIALIZE_END

/// Number of simulated programs, which differ in the classes that they know and in how they handle
/// unknown classes.
constexpr int kPrograms = 2 * 3 * 3;
revctl::ObjectClasses MakeClasses(int which) {
  const auto stray = [](int n) { return static_cast<revctl::Stray>(n % 3); };
  auto classes = revctl::ObjectClasses()
                     .Add<Thing>("Thing")
                     .Add<Wizard, Thing>("Wizard")
                     .Add<Charm>("Charm")
                     .Renamed("Conjurer", "Wizard", SR_NAMES)
                     .Retired("Spirit")
                     .OnUnknown(stray(which / 2))
                     .OnDangling(stray(which / 6));
  if (which % 2 != 0) return classes;
  return std::move(classes).Add<Potion, Thing>("Potion", SR_POTIONS);
}
int program = 0;
const revctl::ObjectClasses& Known() {
  static const std::vector<revctl::ObjectClasses>& all = *[] {
    auto* made = new std::vector<revctl::ObjectClasses>;
    for (int n = 0; n < kPrograms; ++n) made->push_back(MakeClasses(n));
    return made;
  }();
  return all[static_cast<std::size_t>(program)];
}

using Things = std::vector<std::unique_ptr<Thing>>;
struct Realm {
  voxel::World world;
  Things things;
  std::vector<revctl::KeptObject> kept;
  std::vector<voxel::Box> boxes;
};
SERIALIZE_TYPE(Realm) {
  ADD(SR_INITIAL, world);
  ADD_OBJECTS(SR_INITIAL, Known(), things, kept);
  ADD(SR_POTIONS, boxes);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

void Require(bool condition, int line = __builtin_LINE()) {
  if (condition) return;
  std::fprintf(stderr, "strays_fuzz.cpp:%d: requirement failed\n", line);
  std::abort();
}

Things SomeThings() {
  Things things;
  things.push_back(std::make_unique<Wizard>());
  things.push_back(std::make_unique<Thing>());
  things.push_back(nullptr);
  auto& wizard = static_cast<Wizard&>(*things[0]);
  auto& thing = *things[1];
  wizard.name = "ann";
  wizard.target = &thing;
  wizard.pet = std::make_unique<Thing>();
  wizard.pet->target = wizard.pet.get();
  auto potion = std::make_unique<Potion>();
  potion->sweet = true;
  thing.pet = std::move(potion);
  thing.bag.push_back(std::make_unique<Wizard>());
  thing.bag.push_back(std::make_unique<Thing>());
  thing.bag[0]->target = thing.bag[1].get();
  wizard.charm = std::make_shared<Charm>();
  wizard.charm->twin = wizard.charm;
  wizard.seen = {{{1, 2}, &thing}, {{3, 4}, nullptr}, {{0, 9}, wizard.pet.get()}};
  thing.marks = {{{5, 6}, 7}, {{-5, 6}, 8}};
  thing.door.flags = voxel::Flag::Lit;
  return things;
}

template <class T>
std::vector<std::byte> Payload(const T& value, std::int64_t at, bool& fine) {
  revctl::Writer w(at);
  Serialize(w, value);
  fine = w.Ok();
  return {w.Bytes().begin(), w.Bytes().end()};
}

}  // namespace strays

using namespace strays;

namespace {

/// Reads a payload with both readers, which must agree. Then writes the result for the newest build
/// and for older builds, and reads it back.
void TryPayload(std::span<const std::byte> bytes, std::int64_t at) {
  Realm realm, traced;
  revctl::Reader r(bytes, at);
  Serialize(r, realm);
  revctl::TraceReader trace(bytes, at);
  trace.CollectLeaves(false);
  Serialize(trace, traced);
  Require(r.Ok() == trace.Ok());
  Require(r.Ok() || (!r.error().path.empty() && !r.error().reason.empty() &&
                     r.error().offset <= bytes.size()));
  if (r.Ok()) {
    Require(realm.kept.size() == traced.kept.size());
    for (const std::int64_t to : {3, 2, 1}) {
      bool fine = false;
      const auto first = Payload(realm, to, fine);
      Require(fine);
      Realm again;
      revctl::Reader back(first, to);
      Serialize(back, again);
      // Pointers to objects omitted for an older build become null. Everything else must survive.
      Require(back.AtEnd() && again.kept.empty());
      Require(Payload(again, to, fine).size() == first.size() && fine);
    }
  }
}

/// Loads a file into nonempty lists. Success must replace them, and failure must leave them
/// unchanged.
void TryFile(std::span<const std::byte> bytes) {
  Things things;
  things.push_back(std::make_unique<Potion>());
  const Thing* const before = things[0].get();
  std::vector<revctl::KeptObject> kept{{"old", 1, {}, 0}};
  const revctl::Status status = revctl::LoadObjects(bytes, Known(), things, SR_LATEST, &kept);
  Require(status.Ok() == status.message().empty());
  if (!status) {
    Require(things.size() == 1 && things[0].get() == before && kept.size() == 1 &&
            kept[0].class_name == "old");
    return;
  }
  Require(things.empty() || things[0].get() != before);
  Require(kept.empty() || kept[0].class_name != "old");
  std::vector<std::byte> again;
  Require(revctl::SaveObjects(SR_LATEST, Known(), things, again).Ok());
  Require(revctl::LoadObjects(again, Known(), things, SR_LATEST, &kept).Ok() && kept.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  program = data[0] % kPrograms;
  const auto bytes = std::as_bytes(std::span(data + 2, size - 2));
  if (data[1] % 4 == 0) {
    TryFile(bytes);
  } else {
    TryPayload(bytes, data[1] % 4);
  }
  Require(Thing::alive == 0);
  return 0;
}

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  const auto add = [&](std::uint8_t which, std::uint8_t how, std::span<const std::byte> bytes) {
    std::vector<std::uint8_t> seed{which, how};
    for (const std::byte b : bytes) seed.push_back(static_cast<std::uint8_t>(b));
    seeds.push_back(seed);
    // Add seeds in which the wizards' class is renamed to a retired or unknown class, as if a
    // different program had written the file.
    for (const std::string_view name : {"Spirit", "Nobody"}) {
      auto other = seed;
      const std::string_view wizard = "Wizard";
      const auto at = std::search(other.begin(), other.end(), wizard.begin(), wizard.end());
      if (at == other.end()) continue;
      std::copy(name.begin(), name.end(), at);
      seeds.push_back(std::move(other));
    }
  };
  program = 0;
  Realm realm;
  realm.things = SomeThings();
  realm.boxes.resize(2);
  std::vector<std::byte> files[3];
  for (const std::int64_t at : {1, 2, 3}) {
    bool fine = false;
    const auto payload = Payload(realm, at, fine);
    Require(fine && revctl::SaveObjects(at, Known(), realm.things, files[at - 1]).Ok());
    for (const std::uint8_t which : std::initializer_list<std::uint8_t>{0, 1, 2, 5, 11, 17}) {
      add(which, static_cast<std::uint8_t>(at), payload);
      add(which, 0, files[at - 1]);
    }
  }
  return seeds;
}
