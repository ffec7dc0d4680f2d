#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "revctl/config/config.h"
#include "revctl/config/edit_config.h"

/// libFuzzer entry point: parses arbitrary bytes as a `.revctl.yaml` and edits the result as
/// `purge` does. Every value of a config that parses must be safe to pass to git.
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace revctl::config;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto config = ParseConfig(text, "c.yaml");
  if (!config.ok()) {
    Require(ErrorText(config.error()).starts_with("c.yaml:"));
    return 0;
  }
  Require(!config->lists.empty());
  Require(IsSafeRef(config->remote) && IsSafeRef(config->target) && IsSafeRef(config->ledger));
  for (const auto& list : config->lists) {
    Require(IsSafePath(list.path) && config->ListNamed(list.name) == &list);
    Require(list.golden.empty() || IsSafePath(list.golden));
    Require(!list.prefix.empty() || !list.enum_name.empty());
  }
  Require(PolicyChanges(*config, *config).empty());
  static_cast<void>(config->IsRelease("release/1"));
  const std::string& name = config->lists.front().name;
  if (const auto edited = SetListKey(text, name, "oldest", "SR_FUZZ")) {
    const auto again = ParseConfig(*edited, "c.yaml");
    Require(again.ok() && again->lists.size() == config->lists.size());
    Require(again->ListNamed(name) != nullptr && again->ListNamed(name)->oldest == "SR_FUZZ");
    Require(again->ListNamed(name)->path == config->lists.front().path &&
            again->allow.size() == config->allow.size());
  }
  if (const auto edited = SetPurged(text, name, {"SR_GONE", "SR_OLD"})) {
    const auto again = ParseConfig(*edited, "c.yaml");
    Require(again.ok() && again->ListNamed(name) != nullptr &&
            again->ListNamed(name)->purged.size() == 2);
  }
  return 0;
}
