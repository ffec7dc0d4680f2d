// Built with -fno-exceptions -fno-rtti. Tests plain structs, and objects that have a function that
// returns their class name.
#include <revctl/objects.h>
#include <revctl/plain_serialize.h>

#include <cstdio>

namespace lean {

struct Spot {
  PLAIN(Spot);
  DEAD(std::int16_t, x, 1, 2);
  FIELD(std::int32_t, x, 2) = 0;
  FIELD(bool, seen, 1) = false;
};

struct Thing {
  virtual ~Thing() = default;
  virtual const char* Kind() const { return "Thing"; }
  Thing* next = nullptr;
  Spot spot;
};
struct Lamp : Thing {
  const char* Kind() const override { return "Lamp"; }
  float light = 0;
};
std::string_view ClassNameOf(const Thing& thing) { return thing.Kind(); }

SERIALIZE_TYPE(Thing) {
  ADD_REF(1, next);
  ADD(1, spot);
}
SERIALIZE_END
SERIALIZE_TYPE(Lamp) {
  ADD_BASE(1, Thing);
  ADD(1, light);
}
SERIALIZE_END

}  // namespace lean

int main() {
  const auto classes =
      revctl::ObjectClasses().Add<lean::Thing>("Thing").Add<lean::Lamp, lean::Thing>("Lamp");
  std::vector<std::unique_ptr<lean::Thing>> things, back;
  things.push_back(std::make_unique<lean::Thing>());
  auto lamp = std::make_unique<lean::Lamp>();
  lamp->light = 0.5F;
  lamp->next = things[0].get();
  things[0]->next = lamp.get();
  things[0]->spot.x = -300;
  things.push_back(std::move(lamp));
  for (const int revision : {1, 2}) {
    std::vector<std::byte> bytes;
    if (!revctl::SaveObjects(revision, classes, things, bytes)) return 1;
    if (!revctl::LoadObjects(bytes, classes, back, 2)) return 2;
    if (back.size() != 2 || back[1]->Kind() != std::string_view("Lamp") ||
        back[1]->next != back[0].get())
      return 3;
    if (back[0]->next != back[1].get() || back[0]->spot.x != -300) return 4;
    bytes.back() = std::byte{9};
    bytes.pop_back();
    if (revctl::LoadObjects(bytes, classes, back, 2)) return 5;
  }
  std::puts("fine");
}
