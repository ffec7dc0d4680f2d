#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/serialize.h>

#include <cstdlib>
#include <string_view>

#include "include/fuzz/fuzz.h"
#include "include/tests/everything.h"

// Reads any text with JsonReader. Writing an accepted object as JSON and reading it back must
// preserve its bytes on the wire.

using everything::Everything;

namespace {

std::vector<std::byte> Payload(const Everything& object) {
  revctl::Writer w(everything::SR_LATEST);
  Serialize(w, object);
  return {w.Bytes().begin(), w.Bytes().end()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  revctl::JsonReader json(text, everything::SR_LATEST);
  Everything object;
  Serialize(json, object);
  if (!json.Ok()) {
    if (json.error().path.empty() || json.error().reason.empty() || json.error().offset > size)
      std::abort();
    return 0;
  }
  const std::string again = revctl::ToJson(object, everything::SR_LATEST, 0);
  revctl::JsonReader back(again, everything::SR_LATEST);
  Everything same;
  Serialize(back, same);
  if (!back.Ok() || Payload(object) != Payload(same)) std::abort();
  return 0;
}

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> seeds;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::string text = revctl::ToJson(revctl::Filled<Everything>(everything::SR_LATEST, seed),
                                            everything::SR_LATEST, 0);
    seeds.emplace_back(text.begin(), text.end());
  }
  return seeds;
}
