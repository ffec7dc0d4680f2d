// The input is a byte that selects the type and the revision, followed by the JSON of an object
// stream or a plain struct.
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/plain_serialize.h>

#include <cstdlib>
#include <string_view>

#include "include/fuzz/fuzz.h"
#include "include/tests/objects/actors.h"
#include "include/tests/plain/model.h"

namespace {

template <class T>
bool Read(std::string_view text, int revision, T& object) {
  revctl::JsonReader json(text, revision);
  Serialize(json, object);
  if (!json.Ok() && (json.error().reason.empty() || json.error().offset > text.size()))
    std::abort();
  return json.Ok();
}

/// Checks that an accepted object can be written as JSON and read back unchanged.
template <class T>
void Try(std::string_view text, int revision) {
  T object{};
  if (!Read(text, revision, object)) return;
  revctl::JsonWriter writer(revision);
  Serialize(writer, object);
  if (!writer.Ok()) std::abort();
  T same{};
  if (!Read(writer.Text(), revision, same) ||
      revctl::ToJson(same, revision) != revctl::ToJson(object, revision))
    std::abort();
}

constexpr int kLevels = 4, kWorlds = 10;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const int which = data[0] % (kLevels + kWorlds);
  if (which < kLevels) {
    Try<game::Level>(text, which);
    if (game::Actor::alive != 0) std::abort();
  } else {
    Try<voxel::World>(text, which - kLevels);
  }
  return 0;
}

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  const auto add = [&](int which, const std::string& text) {
    seeds.emplace_back(text.begin(), text.end());
    seeds.back().insert(seeds.back().begin(), static_cast<std::uint8_t>(which));
  };
  for (int revision = 1; revision < kLevels; ++revision) {
    add(revision,
        revctl::ToJson(game::Level{"cave", game::SomeActors(), nullptr, 77}, revision, 0));
  }
  for (const int revision : {1, 2, 3, 4, 5, 6, 9})
    add(kLevels + revision, revctl::ToJson(voxel::World{}, revision, 0));
  return seeds;
}
