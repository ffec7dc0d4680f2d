#include <catch2/catch.hpp>

#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/save_parts.h>

#include <cstdlib>
#include <memory_resource>

// Tests reading into a std::pmr::memory_resource, with pmr members nested in every possible way.

namespace arenas {

enum Revision { SR_INITIAL = 1, SR_MORE = 2, SR_LATEST = SR_MORE };

struct Joint {
  std::int32_t x = 0, y = 0;
  bool operator==(const Joint&) const = default;
};
SERIALIZE_TYPE(Joint) {
  ADD(SR_INITIAL, x);
  ADD(SR_MORE, y);
}
SERIALIZE_END

struct Limb {
  std::pmr::string name;
  std::pmr::vector<Joint> joints;
};
SERIALIZE_TYPE(Limb) {
  ADD(SR_INITIAL, name);
  REM(SR_INITIAL, SR_MORE, std::pmr::string, old_name, "short");
  ADD(SR_INITIAL, joints);
}
SERIALIZE_END

struct Seeded {
  std::size_t seed = 77;
  std::size_t operator()(std::int32_t key) const { return seed + static_cast<std::size_t>(key); }
};
struct Backwards {
  bool operator()(const std::pmr::string& a, const std::pmr::string& b) const { return b < a; }
};

struct Beast {
  std::pmr::string name;
  std::pmr::vector<std::pmr::string> tags;
  std::pmr::vector<Limb> limbs;
  std::vector<Limb> spare;
  Limb head, pair_of[2];
  std::array<std::pmr::string, 2> eyes;
  std::optional<Limb> tail;
  std::optional<std::pmr::string> nick;
  std::variant<std::int32_t, Limb, std::pmr::string> part;
  std::pmr::map<std::pmr::string, Limb> by_name;
  std::map<std::pmr::string, std::pmr::vector<std::uint8_t>, Backwards> backwards;
  std::pmr::unordered_map<std::int32_t, std::pmr::string, Seeded> by_number;
  std::pmr::set<std::pmr::string> names;
  std::pmr::unordered_set<std::int32_t> numbers;
  std::pair<std::pmr::string, Limb> both;
  std::tuple<bool, std::pmr::string> three;
  std::unique_ptr<Limb> owned;
  std::pmr::vector<std::pmr::vector<std::pmr::string>> deep;
  std::pmr::vector<bool> bits;
  std::pmr::vector<double> plain;
};
SERIALIZE_TYPE(Beast) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, tags);
  ADD(SR_INITIAL, limbs);
  ADD(SR_INITIAL, spare);
  ADD(SR_INITIAL, head);
  ADD(SR_INITIAL, pair_of);
  ADD(SR_INITIAL, eyes);
  ADD(SR_INITIAL, tail);
  ADD(SR_INITIAL, nick);
  ADD(SR_INITIAL, part);
  ADD(SR_INITIAL, by_name);
  ADD(SR_INITIAL, backwards);
  ADD(SR_INITIAL, by_number);
  ADD(SR_INITIAL, names);
  ADD(SR_INITIAL, numbers);
  ADD(SR_INITIAL, both);
  ADD(SR_INITIAL, three);
  ADD(SR_INITIAL, owned);
  ADD(SR_INITIAL, deep);
  ADD(SR_INITIAL, bits);
  ADD(SR_INITIAL, plain);
}
SERIALIZE_END

}  // namespace arenas

namespace {

using namespace arenas;

/// A memory resource that counts the bytes currently allocated from it.
class Counting : public std::pmr::memory_resource {
 public:
  std::size_t taken = 0, live = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    ++taken;
    live += size;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* p, std::size_t size, std::size_t alignment) override {
    live -= size;
    std::pmr::new_delete_resource()->deallocate(p, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// While an object of this class exists, any allocation from the default resource fails.
class NoDefault : public std::pmr::memory_resource {
 public:
  NoDefault() : before_(std::pmr::set_default_resource(this)) {}
  ~NoDefault() override { std::pmr::set_default_resource(before_); }

 private:
  void* do_allocate(std::size_t, std::size_t) override { std::abort(); }
  void do_deallocate(void*, std::size_t, std::size_t) override { std::abort(); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  std::pmr::memory_resource* before_;
};

std::vector<std::byte> Saved(const Beast& beast, std::int64_t at = SR_LATEST) {
  std::vector<std::byte> bytes;
  REQUIRE(revctl::Save(at, beast, bytes).message() == "");
  return bytes;
}
Beast SomeBeast(std::uint64_t seed) { return revctl::Filled<Beast>(SR_LATEST, seed); }

void CheckIsIn(const Beast& b, const std::pmr::memory_resource& arena) {
  const auto in = [&](const auto& container) {
    return container.get_allocator().resource() == &arena;
  };
  bool all = in(b.name) && in(b.tags) && in(b.limbs) && in(b.head.name) && in(b.head.joints) &&
             in(b.pair_of[1].joints) && in(b.eyes[1]) && in(b.by_name) && in(b.by_number) &&
             in(b.names) && in(b.numbers) && in(b.both.first) && in(b.both.second.joints) &&
             in(std::get<1>(b.three)) && in(b.deep) && in(b.bits) && in(b.plain);
  for (const auto& tag : b.tags) all = all && in(tag);
  for (const auto* limbs : {b.limbs.data(), b.spare.data()})
    all = all && (limbs == nullptr || (in(limbs->name) && in(limbs->joints)));
  if (b.tail) all = all && in(b.tail->name) && in(b.tail->joints);
  if (b.nick) all = all && in(*b.nick);
  if (const auto* text = std::get_if<std::pmr::string>(&b.part)) all = all && in(*text);
  if (const auto* limb = std::get_if<Limb>(&b.part)) all = all && in(limb->joints);
  for (const auto& [key, limb] : b.by_name) all = all && in(key) && in(limb.joints);
  for (const auto& [key, bytes] : b.backwards) all = all && in(key) && in(bytes);
  for (const auto& [key, text] : b.by_number) all = all && in(text);
  if (b.owned) all = all && in(b.owned->name) && in(b.owned->joints);
  for (const auto& texts : b.deep) {
    all = all && in(texts);
    for (const auto& text : texts) all = all && in(text);
  }
  CHECK(all);
}

}  // namespace

TEST_CASE("arena: every nested pmr member is constructed with the resource", "[arena]") {
  std::vector<std::vector<std::byte>> files;
  for (std::uint64_t seed = 0; seed < 12; ++seed) files.push_back(Saved(SomeBeast(seed)));
  Counting arena;
  {
    const NoDefault none;
    for (const auto& file : files) {
      Beast beast;
      REQUIRE(revctl::Load(file, beast, SR_LATEST, {.resource = &arena}).message() == "");
      CheckIsIn(beast, arena);
      CHECK(Saved(beast) == file);
      CHECK(beast.by_number.hash_function().seed == 77);
    }
    CHECK(arena.taken > 100);
    CHECK(arena.live == 0);
  }
}

TEST_CASE("arena: Reader, JSON, parts and gates by name also accept a resource", "[arena]") {
  const Beast beast = SomeBeast(4);
  const auto file = Saved(beast);
  const std::string json = revctl::ToJson(beast, SR_LATEST);
  std::vector<std::byte> parts;
  REQUIRE(revctl::SaveParts(parts, {}, revctl::PartAt(SR_LATEST, beast),
                            revctl::PartAt(SR_LATEST, beast))
              .Ok());
  static constexpr revctl::ListEntry entries[] = {{"SR_INITIAL", 1, 11}, {"SR_MORE", 2, 22}};
  static constexpr revctl::ListTable ours{.name = "ours", .entries = entries, .oldest = 1};
  Counting arena;
  const NoDefault none;
  const auto with = [&](const char* what, auto read) {
    INFO(what);
    Beast back;
    const std::size_t before = arena.taken;
    read(back);
    CheckIsIn(back, arena);
    CHECK(Saved(back) == file);
    CHECK(arena.taken > before);
  };
  with("Reader", [&](Beast& back) {
    revctl::Reader r(std::span<const std::byte>(file).subspan(16), SR_LATEST, {.resource = &arena});
    Serialize(r, back);
    CHECK(r.AtEnd());
  });
  with("JsonReader", [&](Beast& back) {
    revctl::JsonReader r(json, SR_LATEST);
    r.resource = &arena;
    Serialize(r, back);
    CHECK(r.error_reason() == "");
  });
  with("LoadParts", [&](Beast& back) {
    Beast other;
    CHECK(revctl::LoadParts(parts, {.resource = &arena}, revctl::PartOf<Revision>(other, SR_LATEST),
                            revctl::PartOf<Revision>(back, SR_LATEST))
              .message() == "");
  });
  with("by name", [&](Beast& back) {
    CHECK(revctl::Load(file, back, ours, {.written_with = &ours, .resource = &arena}).message() ==
          "");
  });
}

TEST_CASE("arena: an error has a path and leaves the value unchanged", "[arena]") {
  auto file = Saved(SomeBeast(0));
  Counting arena;
  const NoDefault none;
  Beast beast;
  for (const std::size_t size : {std::size_t{17}, file.size() / 2, file.size() - 1}) {
    const auto status = revctl::Load(std::span<const std::byte>(file).first(size), beast, SR_LATEST,
                                     {.resource = &arena});
    CHECK_THAT(status.message(), Catch::StartsWith("reading Beast."));
    CHECK(beast.name.get_allocator().resource() == &none);
  }
  CHECK(arena.live == 0);
}

TEST_CASE("arena: an old revision with removed fields", "[arena]") {
  const auto file = Saved(SomeBeast(8), SR_INITIAL);
  std::pmr::monotonic_buffer_resource arena(std::pmr::new_delete_resource());
  Beast beast;
  REQUIRE(revctl::Load(file, beast, SR_LATEST, {.resource = &arena}).message() == "");
  CheckIsIn(beast, arena);
  CHECK(Saved(beast, SR_INITIAL).size() == file.size());
}

namespace {
struct Throwing {
  std::pmr::string name;
  Throwing() = default;
  Throwing(const Throwing&) = default;
  Throwing& operator=(const Throwing&) = default;
};
SERIALIZE_TYPE(Throwing) { ADD(1, name); }
SERIALIZE_END
}  // namespace

TEST_CASE("arena: types that cannot be replaced are rejected before reading", "[arena]") {
  std::vector<std::byte> file;
  Throwing value;
  value.name = "old";
  REQUIRE(revctl::Save(1, value, file).Ok());
  Counting arena;
  const auto status = revctl::Load(file, value, SR_LATEST, {.resource = &arena});
  CHECK(status.kind() == revctl::Status::Kind::Refused);
  CHECK_THAT(status.message(), Catch::Contains("noexcept"));
  CHECK(value.name == "old");
  CHECK(revctl::Load(file, value, SR_LATEST).Ok());
}
