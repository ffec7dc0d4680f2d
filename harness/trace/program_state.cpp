#include "harness/trace/program_state.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include <revctl/harness.h>

namespace revctl::harness {
namespace {

std::vector<ResetEntry>& Resets() {
  static std::vector<ResetEntry> resets;
  return resets;
}

}  // namespace

bool Register(const ResetEntry& entry) {
  // Sort by source position, because the order of static initializers is arbitrary.
  const auto key = [](const ResetEntry& reset) {
    return std::make_tuple(std::string_view(reset.file), reset.line);
  };
  std::vector<ResetEntry>& resets = Resets();
  const auto after = std::find_if(resets.begin(), resets.end(),
                                  [&](const ResetEntry& other) { return key(entry) < key(other); });
  resets.insert(after, entry);
  return true;
}

void ResetProgram() {
  for (const ResetEntry& entry : Resets()) entry.reset();
}

}  // namespace revctl::harness
