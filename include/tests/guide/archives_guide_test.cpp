#include <catch2/catch.hpp>

#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

namespace archives_guide {
#include "archives.md.inc"
}

TEST_CASE("guide: archives", "[guide]") {
  using namespace archives_guide;
  Door door, other;
  other.hp = 7;
  CHECK(FromText(Text(other), door));
  CHECK(door.hp == 7);
  CHECK(Changes(Door{}, door) == "Door.hp: 10 -> 7\n");
  revctl::Writer w(2);
  Serialize(w, door);
  CHECK(Tree(w.Bytes()) == "0 Door.name = \"gate\"\n8 Door.hp = 7\n12 Door.open = false\n");
  CHECK(Layouts(1)[0].fields.size() == 2);
  CHECK(Layouts(2)[0].fields.size() == 3);
  CHECK(SomeDoor(0).name != SomeDoor(4).name);
  std::byte packet[32];
  CHECK(Put(door, packet) == 4 + 4 + 4 + 1);
  CHECK(Put(door, std::span(packet).first(12)) == 0);
  CameWith second(2);
  Serialize(second, door);
  CHECK(second.fields == std::vector<std::string>{"Door.open"});
}
