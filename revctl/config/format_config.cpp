#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/config/config.h"

namespace revctl::config {
namespace {

/// Returns a YAML scalar, double-quoted unless it is certain to be read as text.
std::string Value(std::string_view text) {
  bool plain = !text.empty() && text.size() < 200;
  for (char c : text) {
    plain = plain && (base::IsWord(c) || c == '/' || c == '.' || c == '-');
  }
  const std::string_view first = text.substr(0, 1);
  if (plain && first.find_first_of("-.0123456789") == std::string_view::npos && text != "true" &&
      text != "false" && text != "null" && text != "yes" && text != "no" && text != "on" &&
      text != "off") {
    return std::string(text);
  }
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string Sequence(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? ", " : "") + Value(item);
  return out + "]";
}

std::string LandText(const LandPolicy& land) {
  std::string out = fmt::format("land: {{by: {}, push: {}",
                                land.by == LandPolicy::By::Rebase ? "rebase" : "merge",
                                land.push == LandPolicy::Push::Branch ? "branch" : "target");
  if (!land.goldens.empty()) out += ", goldens: " + Value(land.goldens);
  if (!land.verify.empty()) out += ", verify: " + Value(land.verify);
  return out + "}\n";
}

std::string Commented(std::string line, std::string_view comment) {
  line.resize(std::max<std::size_t>(line.size() + 2, 30), ' ');
  return fmt::format("{}# {}\n", line, comment);
}

}  // namespace

std::string FormatConfig(const Config& config) {
  std::string out =
      "# How revctl keeps this repository's revision lists. Unknown keys are errors.\nversion: "
      "1\nlists:\n";
  for (const auto& list : config.lists) {
    out += fmt::format("  - path: {}\n", Value(list.path));
    out += Commented("    name: " + Value(list.name),
                     "identity in the ledger; survives a renamed file");
    out += Commented("    prefix: " + Value(list.prefix), "enumerators with it are revisions");
    auto optional = [&](const char* key, const std::string& value) {
      if (!value.empty()) out += fmt::format("    {}: {}\n", key, Value(value));
    };
    optional("enum", list.enum_name);
    if (!list.aliases.empty()) out += fmt::format("    aliases: {}\n", Sequence(list.aliases));
    optional("sentinel", list.sentinel);
    optional("current", list.current);
    optional("oldest", list.oldest);
    if (!list.getters.empty()) out += fmt::format("    getters: {}\n", Sequence(list.getters));
    if (list.lineage_root != "0") optional("lineage_root", list.lineage_root);
    if (!list.purged.empty())
      out += fmt::format("    purged: {}\n", Sequence({list.purged.begin(), list.purged.end()}));
    optional("golden", list.golden);
    if (list.numbers == list::Numbers::AtLanding)
      out +=
          Commented("    numbers: at-landing", "pending revisions are files; `fold` numbers them");
    if (list.floor) out += fmt::format("    floor: \"{}\"\n", *list.floor);
  }
  out += Commented("target: " + Value(config.target), "branch where revisions land");
  if (!config.releases.empty()) out += fmt::format("releases: {}\n", Sequence(config.releases));
  if (config.remote_named) {
    out += fmt::format("remote: {}\n", Value(config.remote));
  } else {
    out += fmt::format(
        "# remote: {}   (there was none; once there is: git remote add, this line, revctl doctor "
        "--repair-ledger)\n",
        config.remote);
  }
  out += Commented(config.reservation_required ? "reservation: required" : "reservation: optional",
                   "optional: for contributors who cannot push to the remote");
  out += fmt::format("ledger: {}\n", Value(config.ledger));
  if (!config.ledger_id.empty()) {
    out += Commented("ledger_id: " + Value(config.ledger_id),
                     "a missing or strange ledger is noticed by it");
  }
  if (!config.min_revctl.empty()) out += fmt::format("min_revctl: \"{}\"\n", config.min_revctl);
  if (!(config.land == LandPolicy{})) out += LandText(config.land);
  for (std::size_t i = 0; i < config.allow.size(); ++i) {
    const Allowance& allowance = config.allow[i];
    if (i == 0) out += "allow:\n";
    out += fmt::format("  - {{rule: {}{}, reason: {}{}}}\n", allowance.rule,
                       allowance.name.empty() ? "" : ", name: " + Value(allowance.name),
                       Value(allowance.reason),
                       allowance.until.empty() ? "" : ", until: " + allowance.until);
  }
  return out;
}

std::vector<std::string> PolicyChanges(const Config& before, const Config& after) {
  std::vector<std::string> changed;
  auto compare = [&](const char* key, const auto& a, const auto& b) {
    if (a != b) changed.emplace_back(key);
  };
  compare("target", before.target, after.target);
  compare("releases", before.releases, after.releases);
  compare("remote", before.remote, after.remote);
  compare("reservation", before.reservation_required, after.reservation_required);
  compare("ledger", before.ledger, after.ledger);
  compare("ledger_id", before.ledger_id, after.ledger_id);
  compare("min_revctl", before.min_revctl, after.min_revctl);
  compare("land", before.land, after.land);
  auto allowances = [](const Config& config) {
    std::vector<std::string> lines;
    for (const auto& a : config.allow) lines.push_back(a.rule + '\n' + a.name + '\n' + a.until);
    return lines;
  };
  compare("allow", allowances(before), allowances(after));
  for (const auto& old : before.lists) {
    const list::ListConfig* now = nullptr;
    for (const auto& candidate : after.lists) {
      if (candidate.name == old.name) now = &candidate;
    }
    const std::string where = "lists." + old.name;
    if (now == nullptr) {
      changed.push_back(where);
      continue;
    }
    auto part = [&](const char* key, const auto& a, const auto& b) {
      if (a != b) changed.push_back(fmt::format("{}.{}", where, key));
    };
    part("path", old.path, now->path);
    part("prefix", old.prefix, now->prefix);
    part("enum", old.enum_name, now->enum_name);
    part("aliases", old.aliases, now->aliases);
    part("sentinel", old.sentinel, now->sentinel);
    part("current", old.current, now->current);
    part("oldest", old.oldest, now->oldest);
    part("getters", old.getters, now->getters);
    part("lineage_root", old.lineage_root, now->lineage_root);
    // A purge adds names. Removing one would allow the name to be used again.
    if (!std::includes(now->purged.begin(), now->purged.end(), old.purged.begin(),
                       old.purged.end())) {
      changed.push_back(where + ".purged");
    }
    part("golden", old.golden, now->golden);
    part("numbers", old.numbers, now->numbers);
    part("floor", old.floor, now->floor);
  }
  return changed;
}

}  // namespace revctl::config
