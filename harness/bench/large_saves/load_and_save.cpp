// `ci/bench sweep --only-large` compares `check` with this program, which creates the saves, or
// loads and saves each of them once.
//
//   load_and_save make FOLDER N
//   load_and_save once FOLDER
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <revctl/save_file.h>

#include "world.h"

namespace {

constexpr std::size_t kUnits = 300'000, kHeights = 2'480'000;

bool Make(const std::string& folder, int count) {
  std::uint64_t random = 7;
  const auto next = [&] {
    return (random = random * 6364136223846793005U + 1442695040888963407U) >> 33;
  };
  for (int i = 0; i < count; ++i) {
    const auto world = std::make_unique<World>();
    for (std::uint8_t& byte : world->ram) byte = static_cast<std::uint8_t>(next());
    world->units.resize(kUnits);
    for (std::size_t n = 0; n < kUnits; ++n) {
      Unit& unit = world->units[n];
      unit.hp = static_cast<std::int32_t>(next());
      unit.x = static_cast<std::uint16_t>(next());
      unit.y = static_cast<std::uint16_t>(next());
      unit.kind = static_cast<std::uint8_t>(next());
      unit.name = std::to_string(n % 1000);
    }
    world->terrain.resize(kHeights);
    for (float& height : world->terrain) height = static_cast<float>(next()) / 1000;
    if (!revctl::SaveFile(folder + "/" + std::to_string(i) + ".save", SR_INITIAL, *world))
      return false;
  }
  return true;
}

bool Once(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto world = std::make_unique<World>();
    if (!revctl::LoadFile(entry.path().string(), *world)) return false;
    std::vector<std::byte> bytes;
    if (!revctl::Save(SR_INITIAL, *world, bytes)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  const bool good = what == "make" && argc == 4 ? Make(argv[2], std::atoi(argv[3]))
                                                : what == "once" && Once(argv[2]);
  if (!good)
    std::fputs(
        "load_and_save: cannot read or write the files; usage: make FOLDER COUNT, or once FOLDER\n",
        stderr);
  return good ? 0 : 1;
}
