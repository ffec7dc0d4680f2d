// The program's own code writes and loads its saves of every version, and the harness shows their
// values.
#include <iterator>

#include "example_test.h"

#include "modules.h"
#include "system.h"

namespace {

std::vector<u8> Committed(const std::string& name) {
  const std::vector<std::byte> bytes = example::Bytes(example::File("saves/" + name + ".save"));
  std::vector<u8> out;
  for (const std::byte one : bytes) out.push_back(std::to_integer<u8>(one));
  return out;
}

/// Writes the current state in an old version. This works because the serializer still contains the
/// code of each version.
std::vector<u8> SavedAt(u32 version) {
  console::Reset();
  console::Run(20);
  return console::Save(version);
}

constexpr std::pair<const char*, u32> kSaves[] = {
    {"v12", 12}, {"v22", 22}, {"v33", 33}, {"v34", 34}, {"v40", 40}, {"today", SAVE_VERSION}};

}  // namespace

TEST_CASE("saves of every version load", "[console]") {
  for (const auto& [name, version] : kSaves) {
    INFO(name);
    if (std::getenv("CONSOLE_WRITES_SAVES") != nullptr) {
      const std::vector<u8> save = SavedAt(version);
      std::ofstream(example::File(std::string("saves/") + name + ".save"), std::ios::binary)
          .write(reinterpret_cast<const char*>(save.data()),
                 static_cast<std::streamsize>(save.size()));
    }
    std::vector<u8> save = Committed(name);
    CHECK(save == SavedAt(version));
    CHECK(console::Load(save));
    CHECK(console::Load(console::Save(SAVE_VERSION)));
    save.push_back(0);
    CHECK_FALSE(console::Load(save));
  }
  std::vector<u8> future = Committed("today");
  ++future[4];
  CHECK_FALSE(console::Load(future));
}

TEST_CASE("the harness names the values of saves of every version", "[console]") {
  for (const auto& [name, version] : kSaves) {
    const std::string dump = example::Output(
        "console_harness", "dump '" + example::File(std::string("saves/") + name + ".save") + "'");
    INFO(dump);
    CHECK_THAT(dump, Catch::Contains("\"buttons\": 65515"));
  }
}

TEST_CASE("the adapter takes at most 20 lines a module", "[console]") {
  int lines = 0;
  for (const char* file : {"adapter.h", "src/save_types.cpp"}) {
    std::ifstream in(example::File(file));
    for (std::string line; std::getline(in, line);)
      lines += !line.empty() && !line.starts_with("//");
  }
  CHECK(lines > 80);
  CHECK(lines <= 9 * 20);  // five modules, three structs and the root, with at most 20 lines each
}
