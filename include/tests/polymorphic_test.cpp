#include <catch2/catch.hpp>

#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

// Tests unique_ptrs to classes with virtual functions: how the class of an object is found, and the
// error if two classes have the same name.

/// Represents a third-party library that the program cannot edit, so its classes have no functions
/// for revctl.
namespace engine {

struct Node {
  virtual ~Node() = default;
  virtual std::string_view Kind() const = 0;
};
struct Light : Node {
  float power = 1;
  bool is_lamp = false;
  std::string_view Kind() const override { return is_lamp ? "lamp" : "light"; }
};
/// A single C++ class that represents any number of classes defined by scripts.
struct Scripted : Node {
  std::string script = "door";
  std::string_view Kind() const override { return script == "door" ? "scripted" : "nobody"; }
};

}  // namespace engine

// Functions that the program adds to the library's namespace.
namespace engine {

REVCTL_POLYMORPHIC(Node);
inline std::string_view ClassNameOf(const Node& node) { return node.Kind(); }
SERIALIZE_TYPE(Light) { ADD(1, power); }
SERIALIZE_END
SERIALIZE_TYPE(Scripted) { ADD(1, script); }
SERIALIZE_END
REVCTL_REGISTER_CLASS(Node, Light, "light");
REVCTL_REGISTER_CLASS(Node, Scripted, "scripted");
REVCTL_REGISTER_CLASS(Node, Light, "lamp");  // the name of the class in old files

}  // namespace engine

namespace pets {

struct Pet {
  virtual ~Pet() = default;
};
REVCTL_POLYMORPHIC(Pet);
struct Cat : Pet {
  std::int32_t lives = 9;
};
struct Dog : Pet {
  std::int32_t bones = 0;
};
struct Bird : Pet {};
SERIALIZE_TYPE(Cat) { ADD(1, lives); }
SERIALIZE_END
SERIALIZE_TYPE(Dog) { ADD(1, bones); }
SERIALIZE_END
SERIALIZE_TYPE(Bird) { (void)r; }
SERIALIZE_END
REVCTL_REGISTER_CLASS(Pet, Cat, "pet");
REVCTL_REGISTER_CLASS(Pet, Bird, "bird");
REVCTL_REGISTER_CLASS(Pet, Dog, "pet");  // a mistake: this name is already taken

constexpr char kTwice[] =
    "the class name \"pet\" is registered twice (REVCTL_REGISTER_CLASS): for pets::Cat and for "
    "pets::Dog";

}  // namespace pets

namespace {

using Nodes = std::vector<std::unique_ptr<engine::Node>>;

}  // namespace

TEST_CASE("polymorphic: a free function returns an object's class", "[polymorphic]") {
  Nodes nodes;
  nodes.push_back(std::make_unique<engine::Light>());
  nodes.push_back(std::make_unique<engine::Scripted>());
  revctl::Writer w(1);
  Serialize(w, nodes);
  REQUIRE(w.Ok());
  CHECK(w.Bytes().size() == 4 + (1 + 4 + 5 + 4) + (1 + 4 + 8 + 4 + 4));
  CHECK(revctl::WireSize(nodes, 1) == w.Bytes().size());
  revctl::Reader r(w.Bytes(), 1);
  Nodes back;
  Serialize(r, back);
  REQUIRE(r.AtEnd());
  CHECK(dynamic_cast<engine::Light*>(back[0].get()) != nullptr);
  CHECK(dynamic_cast<engine::Scripted*>(back[1].get())->script == "door");
  CHECK_THAT(revctl::ToJson(nodes, 1, 0), Catch::Contains(R"("class": "scripted")"));

  // The function that returns an object's class name has priority over typeid.
  static_cast<engine::Light&>(*nodes[0]).is_lamp = true;
  CHECK_THAT(revctl::ToJson(nodes, 1, 0), Catch::Contains(R"("class": "lamp")"));
  // If that function returns a name that only object streams know, typeid is used.
  static_cast<engine::Scripted&>(*nodes[1]).script = "lift";
  CHECK_THAT(revctl::ToJson(nodes, 1, 0), Catch::Contains(R"("class": "scripted")"));
}

TEST_CASE("polymorphic: a class can be registered under several names", "[polymorphic]") {
  const std::string_view text = R"([{"class": "lamp", "value": {"power": 4}}])";
  revctl::JsonReader json(text, 1);
  Nodes nodes;
  Serialize(json, nodes);
  REQUIRE(json.Ok());
  CHECK(dynamic_cast<engine::Light&>(*nodes[0]).power == 4);
  CHECK_THAT(revctl::ToJson(nodes, 1, 0), Catch::Contains(R"("class": "light")"));
}

TEST_CASE("polymorphic: two plug-ins can register the same class", "[polymorphic]") {
  CHECK_FALSE(revctl::RegisterClass<engine::Node, engine::Light>("light"));
  CHECK(revctl::detail::RegistrationTrouble<engine::Node>().empty());
}

TEST_CASE("polymorphic: two classes with the same name are an error", "[polymorphic]") {
  using pets::kTwice;
  for (int which = 0; which < 3; ++which) {
    std::unique_ptr<pets::Pet> pet;
    if (which == 0) pet = std::make_unique<pets::Cat>();
    if (which == 1) pet = std::make_unique<pets::Dog>();
    if (which == 2)
      pet = std::make_unique<pets::Bird>();  // this name is unique, but the registration of Pet is
                                             // broken
    std::vector<std::byte> bytes{std::byte{42}};
    const revctl::Status saved = revctl::Save(1, pet, bytes);
    CHECK(saved.kind() == revctl::Status::Kind::Corrupt);
    CHECK_THAT(saved.message(), Catch::EndsWith(kTwice));
    CHECK(bytes.size() == 1);
    CHECK_FALSE(revctl::WireSize(pet, 1).has_value());
    CHECK(revctl::ToJson(pet, 1).empty());
  }
  // A file written by a program in which only one class has the name "pet".
  const unsigned char file[] = {1, 3, 0, 0, 0, 'p', 'e', 't', 9, 0, 0, 0};
  revctl::Reader r(std::as_bytes(std::span(file)), 1);
  std::unique_ptr<pets::Pet> pet;
  Serialize(r, pet);
  CHECK(r.error().reason == kTwice);
  CHECK(pet == nullptr);
  revctl::TraceReader trace(std::as_bytes(std::span(file)), 1);
  Serialize(trace, pet);
  CHECK(trace.error().reason == kTwice);
  const std::string_view text = R"({"class": "bird", "value": {}})";
  revctl::JsonReader json(text, 1);
  Serialize(json, pet);
  CHECK_THAT(json.error().reason, Catch::Contains(kTwice));
  std::unique_ptr<pets::Pet> nobody;
  std::vector<std::byte> bytes;
  CHECK(revctl::Save(1, nobody, bytes).Ok());
}
