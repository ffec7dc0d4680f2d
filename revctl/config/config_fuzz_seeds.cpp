// Seeds for config_fuzz: configs with every key, in both YAML styles.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/config/config.h"

std::vector<std::vector<std::uint8_t>> FuzzSeeds();

std::vector<std::vector<std::uint8_t>> FuzzSeeds() {
  std::vector<std::vector<std::uint8_t>> out;
  revctl::config::Config config;
  config.lists.emplace_back();
  config.lists.back().path = "src/list.h";
  const std::string fresh = revctl::config::FormatConfig(config);
  for (const std::string_view seed :
       {std::string_view(fresh), std::string_view("version: 1\nlists: [{path: a.h}]\n"),
        std::string_view(
            "version: 1\nlists:\n  - path: src/l.h\n    name: main\n    prefix: SR_\n    enum: "
            "Revision\n    aliases: [\"RELEASE_*\", MINIMAL]\n"
            "    sentinel: SR_END\n    current: CURRENT\n    oldest: SR_A  # kept\n    "
            "lineage_root: 00112233445566ff\n    golden: golden\n    purged: [SR_X]\n"
            "  - {path: net.h, name: net, prefix: \"\", enum: Net}\ntarget: main\nreleases: "
            "[\"release/*\"]\nremote: origin\nreservation: optional\n"
            "ledger: refs/heads/revctl-ledger\nledger_id: 6f1c\nmin_revctl: \"0.1\"\n"
            "allow: [{rule: RV006, name: SR_X, reason: \"agreed\", until: 2027-01-31}]\n")}) {
    out.emplace_back(seed.begin(), seed.end());
  }
  return out;
}
