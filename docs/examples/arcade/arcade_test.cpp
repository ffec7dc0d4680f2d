// The program's own code loads its states of every version, and the harness shows their values.
#include "example_test.h"

#include "known_machine.h"

std::vector<unsigned char> SavedByProgram();

namespace {

Machine Loaded(const std::string& name) {
  std::vector<std::byte> file = example::Bytes(example::File("saves/" + name + ".save"));
  StateWrap p(reinterpret_cast<unsigned char*>(file.data()), file.size(), StateWrap::kLoad);
  Machine machine;
  machine.DoState(p);
  INFO(name << ": " << p.section);
  REQUIRE_FALSE(p.failed);
  REQUIRE(p.Left() == 0);
  return machine;
}

}  // namespace

TEST_CASE("states of every version load", "[arcade]") {
  for (const std::string name : {"v1", "v2", "today"}) {
    const Machine machine = Loaded(name);
    CHECK(machine.rom == "blocks");
    CHECK(machine.frame == 600);
    CHECK(machine.cpu.halted);
    // Since STATE_CREDITS, the machine counts the coins; in older states, the game's ROM did.
    CHECK(int{machine.credits} == 2);
    CHECK(machine.sprites.at(0).x == -8);
  }
}

TEST_CASE("the program is C++17, and saves what is committed", "[arcade]") {
  const std::vector<std::byte> file = example::Bytes(example::File("saves/today.save"));
  const std::vector<unsigned char> saved = SavedByProgram();
  REQUIRE(saved.size() == file.size());
  CHECK(std::memcmp(saved.data(), file.data(), file.size()) == 0);
}

TEST_CASE("the harness shows value names in files of every version", "[arcade]") {
  for (const std::string name : {"v1", "v2", "today"}) {
    const std::string dump = example::Output(
        "arcade_harness", "dump --tree '" + example::File("saves/" + name + ".save") + "'");
    INFO(dump);
    CHECK_THAT(dump, Catch::Contains("\nframe: 600\n") && Catch::Contains("\ncpu.pc: 498\n"));
    CHECK_THAT(dump, Catch::Contains("\nsprites[0].x: -8\n"));
  }
  CHECK_THAT(example::Output("arcade_harness", "schema --at STATE_LONG_FRAMES"),
             Catch::Contains("{name: frame, type: u64, size: 8"));
}

TEST_CASE("what is no state is refused with the file's name", "[arcade]") {
  const std::vector<std::byte> state = example::Bytes(example::File("saves/today.save"));
  for (std::size_t cut = 0; cut < state.size(); cut += 3) {
    const std::string path = example::Written("cut.state", {state.data(), state.data() + cut});
    CHECK_THAT(example::Refusal("arcade_harness", "dump '" + path + "'"),
               Catch::StartsWith("error: " + path + ": "));
  }
}

TEST_CASE("the adapter and the list of members are at most 90 lines", "[arcade]") {
  int lines = 0;
  for (const char* file : {"adapter.h", "src/values.h"}) {
    std::ifstream in(example::File(file));
    for (std::string line; std::getline(in, line); ++lines) CHECK(line.size() <= 120);
  }
  CHECK(lines > 40);
  CHECK(lines <= 90);
}
