#include <catch2/catch.hpp>

#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/map_file.h>
#include <revctl/save_file.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>
#include <revctl/view.h>

#include <cstdlib>
#include <filesystem>
#include <new>

// Tests views that refer to the bytes of a file, and fields that are aligned for such views.

namespace views {

enum Revision { SR_INITIAL = 1, SR_MORE = 2, SR_LATEST = SR_MORE };
enum class Tone : std::uint16_t { Low, High };
enum Suit { Clubs, Diamonds, Hearts };
enum class Yes : bool { No, Yes };

struct Vertex {
  float x = 0, y = 0, z = 0;
  std::uint32_t color = 0;
  bool operator==(const Vertex&) const = default;
};
SERIALIZE_TYPE(Vertex) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
  ADD(SR_INITIAL, z);
  ADD(SR_MORE, color);
}
SERIALIZE_END

struct Tile {
  std::uint32_t kind = 0;
  bool solid = false, wet = false;
  std::uint16_t height = 0;
  bool operator==(const Tile&) const = default;
};
SERIALIZE_TYPE(Tile) {
  ADD(SR_INITIAL, kind);
  ADD(SR_INITIAL, solid);
  ADD(SR_INITIAL, wet);
  ADD(SR_INITIAL, height);
}
SERIALIZE_END

struct Padded {
  std::uint8_t a = 0;
  std::uint32_t b = 0;
  bool operator==(const Padded&) const = default;
};
SERIALIZE_TYPE(Padded) {
  ADD(SR_INITIAL, a);
  ADD(SR_INITIAL, b);
}
SERIALIZE_END

struct Scene {
  revctl::TextView name;
  revctl::View<Vertex> verts;
  revctl::View<Tile> tiles;
  revctl::View<bool> bits;
  revctl::View<Suit> suits;
  revctl::View<Tone> tones;
  revctl::View<Padded> padded;
  revctl::View<double> numbers;
  std::vector<revctl::View<std::uint8_t>> blobs;
  revctl::Aligned<8, std::vector<std::uint16_t>> indices;
  std::array<float, 4> matrix{};
  bool operator==(const Scene&) const = default;
};
SERIALIZE_TYPE(Scene) {
  ADD(SR_INITIAL, name);
  ADD_ALIGNED(SR_INITIAL, 16, verts);
  ADD_ALIGNED(SR_INITIAL, 4, tiles);
  ADD(SR_INITIAL, bits);
  ADD_ALIGNED(SR_INITIAL, 4, suits);
  ADD_ALIGNED(SR_INITIAL, 2, tones);
  ADD(SR_INITIAL, padded);
  ADD_ALIGNED(SR_MORE, 8, numbers);
  ADD(SR_INITIAL, blobs);
  ADD(SR_INITIAL, indices);
  ADD_ALIGNED(SR_INITIAL, 16, matrix);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

/// The same type with containers instead of views, as in an older version or a different program.
struct Vectors {
  std::string name;
  std::vector<Vertex> verts;
};
SERIALIZE_TYPE(Vectors) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, verts);
}
SERIALIZE_END
struct Views {
  revctl::TextView name;
  revctl::View<Vertex> verts;
};
SERIALIZE_TYPE(Views) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, verts);
}
SERIALIZE_END

}  // namespace views

namespace {

using namespace views;

/// Holds bytes at a chosen alignment. The bytes end where their allocation ends, so that sanitizers
/// detect reads beyond the end.
class Bytes {
 public:
  Bytes(std::span<const std::byte> from, std::size_t offset = 0)
      : offset_(offset), memory_(from.size() + offset) {
    std::copy(from.begin(), from.end(), memory_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  std::span<std::byte> get() { return std::span(memory_).subspan(offset_); }
  template <class T>
  bool Holds(const revctl::View<T>& view) const {
    const auto* at = reinterpret_cast<const std::byte*>(view.data());
    return !view.Owns() && at >= memory_.data() && at < memory_.data() + memory_.size();
  }

 private:
  std::size_t offset_;
  std::vector<std::byte> memory_;
};

Scene SomeScene() {
  Scene scene = revctl::Filled<Scene>(SR_LATEST, 4);
  REQUIRE(scene.verts.size() > 1);
  REQUIRE(scene.numbers.size() > 1);
  return scene;
}
template <class T>
std::vector<std::byte> PayloadOf(const T& value, std::int64_t at = SR_LATEST) {
  revctl::Writer w(at);
  Serialize(w, value);
  REQUIRE(w.error().reason == "");
  CHECK(revctl::WireSize(value, at) == w.Bytes().size());
  revctl::TraceWriter trace(at);
  Serialize(trace, value);
  CHECK(std::ranges::equal(trace.Bytes(), w.Bytes()));
  return {w.Bytes().begin(), w.Bytes().end()};
}
constexpr revctl::ReadOptions kBorrow{.borrow = true};

std::string ErrorOf(std::span<const std::byte> bytes, std::int64_t at = SR_LATEST) {
  std::string errors[2];
  for (const bool borrow : {false, true}) {
    Scene scene;
    revctl::Reader r(bytes, at, {.borrow = borrow});
    Serialize(r, scene);
    errors[borrow] = r.AtEnd() ? "" : r.error().path + ": " + r.error().reason;
  }
  CHECK(errors[0] == errors[1]);
  return errors[1];
}

}  // namespace

TEST_CASE("view: refers to bytes or owns its elements", "[view]") {
  const Scene scene = SomeScene();
  Bytes bytes(PayloadOf(scene));
  Scene back;
  revctl::Reader r(bytes.get(), SR_LATEST, kBorrow);
  Serialize(r, back);
  REQUIRE(r.AtEnd());
  CHECK(back == scene);
  constexpr bool here = !revctl::detail::kSwapBytes;
  CHECK(bytes.Holds(back.name));
  CHECK(bytes.Holds(back.verts) == here);
  CHECK(bytes.Holds(back.tiles) == here);
  CHECK(bytes.Holds(back.bits));
  CHECK(bytes.Holds(back.suits) == here);
  CHECK(bytes.Holds(back.tones) == here);
  CHECK(bytes.Holds(back.numbers) == here);
  CHECK(bytes.Holds(back.blobs.at(0)));
  CHECK(back.padded.Owns());
  CHECK(reinterpret_cast<std::uintptr_t>(back.verts.data()) % 16 == 0);
  CHECK(PayloadOf(back) == PayloadOf(scene));
  CHECK(back.name == scene.name.Text());

  Scene owning;
  revctl::Reader plain(bytes.get(), SR_LATEST);
  Serialize(plain, owning);
  REQUIRE(plain.AtEnd());
  std::fill(bytes.get().begin(), bytes.get().end(), std::byte{0});
  CHECK(owning == scene);
}

TEST_CASE("view: the body sees no difference at old revisions and odd addresses", "[view]") {
  const Scene scene = SomeScene();
  for (const std::int64_t at : {SR_INITIAL, SR_LATEST}) {
    const auto payload = PayloadOf(scene, at);
    for (std::size_t offset = 0; offset < 17; ++offset) {
      Bytes bytes(payload, offset);
      Scene back;
      revctl::Reader r(bytes.get(), at, kBorrow);
      Serialize(r, back);
      REQUIRE(r.AtEnd());
      CHECK(PayloadOf(back, at) == payload);
      if (at == SR_INITIAL) CHECK(back.verts.Owns());
      // A view either refers to aligned bytes or owns a copy of its elements.
      CHECK((back.verts.Owns() || reinterpret_cast<std::uintptr_t>(back.verts.data()) % 16 == 0));
      CHECK(reinterpret_cast<std::uintptr_t>(back.numbers.data()) % alignof(double) == 0);
    }
  }
}

TEST_CASE("view: copies share the elements, and moves transfer them", "[view]") {
  revctl::View<std::int32_t> a(std::vector<std::int32_t>{1, 2, 3});
  revctl::View<std::int32_t> b = a, c = std::move(a);
  CHECK(a.empty());
  CHECK(b.data() == c.data());
  a = b;
  b = {};
  c = revctl::View<std::int32_t>::Of(a.Elements());
  CHECK((a.Owns() && !c.Owns() && b.Owns()));
  CHECK((c[2] == 3 && c == a && c != b));
  revctl::View<bool> bits(std::vector<bool>{true, false});
  CHECK((bits[0] && !bits[1]));
  revctl::TextView text = "Zo\xC3\xAB";
  CHECK(std::string_view(text) == "Zo\xC3\xAB");
}

TEST_CASE("view: all other archives see a vector or a string", "[view]") {
  CHECK(revctl::TypeName<revctl::View<Vertex>>() == "vector<views::Vertex>");
  CHECK(revctl::TypeName<revctl::TextView>() == "string");
  CHECK(revctl::TypeName<revctl::Aligned<16, revctl::View<float>>>() == "aligned<16,vector<f32>>");
  const Vectors vectors = revctl::Filled<Vectors>(SR_LATEST, 8);
  const auto payload = PayloadOf(vectors);
  Views views;
  revctl::Reader r(payload, SR_LATEST, kBorrow);
  Serialize(r, views);
  REQUIRE(r.AtEnd());
  CHECK(PayloadOf(views) == payload);
  CHECK(revctl::ToJson(views, SR_LATEST) == revctl::ToJson(vectors, SR_LATEST));

  const Scene scene = SomeScene();
  const std::string text_of_scene = revctl::ToJson(scene, SR_LATEST);
  revctl::JsonReader json(text_of_scene, SR_LATEST);
  Scene back;
  Serialize(json, back);
  CHECK(json.error_reason() == "");
  CHECK(back == scene);
  CHECK(revctl::Differences(scene, back, SR_LATEST).empty());
  back.tones = std::vector{Tone::Low};
  CHECK(!revctl::Differences(scene, back, SR_LATEST).empty());

  revctl::LayoutArchive layouts(SR_LATEST);
  Serialize(layouts, scene);
  const auto types = layouts.Types();
  std::string text;
  for (const auto& field : types.at(0).fields)
    text += field.name + " " + field.type + " " + std::to_string(field.size) + "\n";
  CHECK(text ==
        "name string 0\nverts aligned<16,vector<views::Vertex>> 0\n"
        "tiles aligned<4,vector<views::Tile>> 0\nbits vector<bool> 0\n"
        "suits aligned<4,vector<views::Suit>> 0\ntones aligned<2,vector<views::Tone>> 0\n"
        "padded vector<views::Padded> 0\nnumbers aligned<8,vector<f64>> 0\n"
        "blobs vector<vector<u8>> 0\nindices aligned<8,vector<u16>> 0\n"
        "matrix aligned<16,array<f32,4>> 0\n u32 4\n");
}

TEST_CASE("view: the bytes of an aligned field", "[view]") {
  revctl::TraceWriter trace(SR_LATEST);
  Scene scene;
  scene.name = "abc";
  scene.verts = std::vector<Vertex>(1);
  Serialize(trace, scene);
  std::string text;
  for (const auto& leaf : trace.Leaves()) {
    if (leaf.offset < 40)
      text += std::to_string(leaf.offset) + "+" + std::to_string(leaf.size) + leaf.path.substr(5) +
              "\n";
  }
  CHECK(text ==
        "0+7.name\n7+5.verts#padding\n12+4.verts#count\n16+4.verts[0].x\n20+4.verts[0].y\n"
        "24+4.verts[0].z\n28+4.verts[0].color\n32+4.tiles#count\n36+4.bits#count\n");
}

TEST_CASE("view: hostile bytes are rejected", "[view]") {
  const Scene scene = SomeScene();
  const auto payload = PayloadOf(scene);
  revctl::TraceReader trace(payload, SR_LATEST);
  Scene traced;
  Serialize(trace, traced);
  REQUIRE(trace.AtEnd());
  CHECK(ErrorOf(payload) == "");
  for (std::size_t size = 0; size < payload.size(); ++size) {
    Bytes bytes(std::span<const std::byte>(payload).first(size));
    CHECK(ErrorOf(bytes.get()) != "");
  }
  std::size_t paddings = 0;
  for (const revctl::TraceLeaf& leaf : trace.Leaves()) {
    Bytes bytes(payload);
    std::byte* const at = bytes.get().data() + leaf.offset;
    if (leaf.path.ends_with("#padding")) {
      ++paddings;
      for (std::size_t i = 0; i < leaf.size; ++i) {
        at[i] = std::byte{1};
        CHECK_THAT(ErrorOf(bytes.get()), Catch::Contains("not zero"));
        at[i] = std::byte{0};
      }
    } else if (leaf.path.ends_with("#count")) {
      for (const std::uint32_t count : {0xFFFFFFFFu, 0x80000000u, 0x10000000u, 100000u}) {
        revctl::detail::CopyValue<std::uint32_t>(at, &count);
        CHECK(ErrorOf(bytes.get()) != "");
      }
    } else if (leaf.type == "bool") {
      *at = std::byte{2};
      CHECK_THAT(ErrorOf(bytes.get()), Catch::Contains("a bool must be 0 or 1"));
    } else if (leaf.type == "views::Suit") {
      const std::uint32_t none = 9;
      revctl::detail::CopyValue<std::uint32_t>(at, &none);
      CHECK_THAT(ErrorOf(bytes.get()), Catch::Contains("does not belong to this enum"));
    }
  }
  CHECK(paddings >= 4);
}

TEST_CASE("view: views of mapped files and of read files", "[view]") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("revctl_views_" + std::to_string(::getpid())))
          .string();
  const Scene scene = SomeScene();
  REQUIRE(revctl::SaveFile(path, SR_LATEST, scene).Ok());
  Scene read;
  REQUIRE(revctl::LoadFile(path, read, SR_LATEST, {.borrow = true}).message() == "");
  CHECK((read.name.Owns() && read.verts.Owns() && read.blobs.at(0).Owns()));
  CHECK(read == scene);
  revctl::MappedFile file;
  REQUIRE(revctl::MapFile(path, file).Ok());
  Scene mapped;
  REQUIRE(revctl::Load(file.Bytes(), mapped, SR_LATEST, {.borrow = true}).message() == "");
  CHECK(mapped.verts.Owns() == revctl::detail::kSwapBytes);
  CHECK(mapped == scene);
  std::filesystem::remove(path);
}

TEST_CASE("view: a header before the payload does not change the padding", "[view]") {
  const Scene scene = SomeScene();
  const auto payload = PayloadOf(scene);
  revctl::Writer w(SR_LATEST);
  w.Append(std::vector<std::byte>(3));
  w.Append(std::vector<std::byte>(4));
  Serialize(w, scene);
  CHECK(std::ranges::equal(w.Bytes().subspan(7), payload));
  w.Clear();
  Serialize(w, scene);
  CHECK(std::ranges::equal(w.Bytes(), payload));
}
