#include <yaml-cpp/yaml.h>

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/glob.h"
#include "revctl/config/config.h"
#include "revctl/config/files.h"
#include "revctl/config/keys.h"
#include "revctl/config/yaml_text.h"
#include "revctl/findings/rule_table.h"

namespace revctl::config {
namespace {

constexpr std::string_view kBranches = "refs/heads/";

/// Limits that no real project reaches. They bound the run time, because each pattern is matched
/// against each entry, and revctl reads a file for each list.
constexpr std::size_t kMostLists = 100, kMostPatterns = 500;

std::vector<std::string> Few(const YAML::Node& node, std::string_view key) {
  if (node.size() > kMostPatterns)
    throw BadYaml{node.Mark(),
                  fmt::format("{} has {} values, but at most {} are allowed", key, node.size(),
                              kMostPatterns),
                  "remove some, or combine them with *"};
  return Strings(node, key);
}

/// True if `key` has the value `other`, and false if it has the value `usual` or is missing. Throws
/// BadYaml for any other value.
bool IsOther(const YAML::Node& map, const char* key, std::string_view usual,
             std::string_view other) {
  if (!map[key]) return false;
  const std::string value = Scalar(map[key], key);
  if (value != usual && value != other)
    throw BadYaml{map[key].Mark(), fmt::format("{} cannot be {}", key, Quoted(value)),
                  fmt::format("{}: {} (or {})", key, usual, other)};
  return value == other;
}

void ParseNumbers(const YAML::Node& node, list::ListConfig& out) {
  if (IsOther(node, "numbers", "at-reserve", "at-landing")) out.numbers = list::Numbers::AtLanding;
  if (!node["floor"]) return;
  const std::string value = Scalar(node["floor"], "floor");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size())
    throw BadYaml{
        node["floor"].Mark(), fmt::format("floor {} must be a number", Quoted(value)),
        fmt::format("git checkout -- {}   # `revctl init --numbers` writes it", kFileName)};
  out.floor = number;
}

void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section) {
  config::CheckKeys(map, what, NamesIn(Keys(), section));
}

std::vector<std::string> ParseGetters(const YAML::Node& node) {
  std::vector<std::string> out = Few(node, "getters");
  for (const std::string& getter : out) {
    const std::size_t mark = std::min(getter.find('#'), getter.size());
    const std::string_view argument = std::string_view(getter).substr(mark);
    const bool counted =
        argument.empty() || (argument.size() == 2 && argument[1] >= '1' && argument[1] <= '9');
    if (!IsIdentifier(getter.substr(0, mark)) || !counted)
      throw BadYaml{node.Mark(),
                    fmt::format("getter {} must be a C++ name without `()`, optionally followed by "
                                "# and an argument number from 1 to 9, such as DoEx#2",
                                Quoted(getter)),
                    "getters: [getMinorVersion, \"DoEx#2\"]"};
  }
  return out;
}

list::ListConfig ParseList(const YAML::Node& node) {
  CheckKeys(node, "an entry of `lists`", "lists");
  list::ListConfig out;
  if (!node["path"])
    throw BadYaml{node.Mark(), "this list has no `path`", "path: src/master_version_list.h"};
  auto text = [&](const char* key, std::string& into) {
    if (node[key]) into = Scalar(node[key], key);
  };
  text("path", out.path);
  if (!IsSafePath(out.path)) {
    throw BadYaml{
        node["path"].Mark(),
        fmt::format("path {} must be inside the repository and use '/' as the separator",
                    Quoted(out.path)),
        "path: src/master_version_list.h, relative to the folder of " + std::string(kFileName)};
  }
  text("name", out.name);
  if (!IsListName(out.name)) {
    throw BadYaml{
        node["name"].Mark(),
        fmt::format("name {} must be one word without '/' or special characters", Quoted(out.name)),
        "name: main"};
  }
  text("prefix", out.prefix);
  if (!out.prefix.empty() && !IsIdentifier(out.prefix)) {
    throw BadYaml{node["prefix"].Mark(),
                  fmt::format("prefix {} cannot begin a C++ name", Quoted(out.prefix)),
                  "prefix: SR_"};
  }
  text("enum", out.enum_name);
  if (out.prefix.empty() && out.enum_name.empty()) {
    throw BadYaml{node["prefix"].Mark(),
                  "an empty prefix needs `enum`, because otherwise any name could be a revision",
                  "enum: Revision"};
  }
  if (node["aliases"]) out.aliases = Few(node["aliases"], "aliases");
  text("sentinel", out.sentinel);
  text("current", out.current);
  text("oldest", out.oldest);
  if (node["getters"]) out.getters = ParseGetters(node["getters"]);
  text("lineage_root", out.lineage_root);
  const bool hex = out.lineage_root.size() == 16 && base::IsHex(out.lineage_root);
  if (out.lineage_root != "0" && !hex) {
    throw BadYaml{
        node["lineage_root"].Mark(),
        fmt::format("lineage_root {} must be 0 or 16 hex digits", Quoted(out.lineage_root)),
        fmt::format("git checkout -- {}   # only `revctl purge` writes it", kFileName)};
  }
  if (node["purged"]) {
    for (std::string& name : Strings(node["purged"], "purged")) out.purged.insert(std::move(name));
  }
  text("golden", out.golden);
  if (!out.golden.empty() && !IsSafePath(out.golden)) {
    throw BadYaml{
        node["golden"].Mark(),
        fmt::format("golden {} must be inside the repository and use '/' as the separator",
                    Quoted(out.golden)),
        "golden: golden"};
  }
  // The list must not be in the golden folder, because goldens of landed revisions are frozen but
  // the list is not.
  if (!out.golden.empty() && (out.path + "/").starts_with(out.golden + "/")) {
    throw BadYaml{
        node["golden"].Mark(),
        fmt::format("golden {} must be a separate folder that does not contain the list {}",
                    Quoted(out.golden), Quoted(out.path)),
        "golden: golden"};
  }
  ParseNumbers(node, out);
  return out;
}

bool IsDate(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i != 4 && i != 7 && (text[i] < '0' || text[i] > '9')) return false;
  }
  const int month = std::stoi(text.substr(5, 2)), day = std::stoi(text.substr(8, 2));
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

Allowance ParseAllowance(const YAML::Node& node) {
  CheckKeys(node, "an entry of `allow`", "allow");
  Allowance out;
  out.line = node.Mark().line + 1;
  const std::string example = "rule: " + std::string(findings::NameOf(findings::RuleId::LandsLate));
  if (!node["rule"]) throw BadYaml{node.Mark(), "this `allow` has no rule", example};
  out.rule = Scalar(node["rule"], "rule");
  if (out.rule.size() != 5 || !out.rule.starts_with("RV") ||
      !base::IsNumber(std::string_view(out.rule).substr(2))) {
    throw BadYaml{node["rule"].Mark(), fmt::format("there is no rule {}", Quoted(out.rule)),
                  example};
  }
  if (node["name"]) out.name = Scalar(node["name"], "name");
  if (node["reason"]) out.reason = Scalar(node["reason"], "reason");
  if (out.reason.empty())
    throw BadYaml{node.Mark(), "this `allow` has no reason", "reason: \"why this is fine here\""};
  if (node["until"]) out.until = Scalar(node["until"], "until");
  if (!out.until.empty() && !IsDate(out.until)) {
    throw BadYaml{node["until"].Mark(), fmt::format("`until: {}` is not a date", Quoted(out.until)),
                  "until: 2027-01-31"};
  }
  return out;
}

/// Reads a command for `sh -c`. Rejects control characters, because the command is also printed.
std::string Command(const YAML::Node& node, const std::string& key) {
  std::string text = Scalar(node, key);
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  });
  if (text.find_first_not_of(' ') == std::string::npos)
    throw BadYaml{node.Mark(), key + " is empty", "remove the key, or set it to a command"};
  if (!printable || text.size() > 4096)
    throw BadYaml{node.Mark(),
                  key + " must be one line of at most 4096 bytes, without control characters",
                  "put longer commands into a script"};
  return text;
}

LandPolicy ParseLand(const YAML::Node& node) {
  CheckKeys(node, "land", "land");
  LandPolicy out;
  if (IsOther(node, "by", "merge", "rebase")) out.by = LandPolicy::By::Rebase;
  if (IsOther(node, "push", "target", "branch")) out.push = LandPolicy::Push::Branch;
  if (node["goldens"]) out.goldens = Command(node["goldens"], "goldens");
  if (node["verify"]) out.verify = Command(node["verify"], "verify");
  return out;
}

/// Returns `min_revctl`, or "" if the file does not set it.
std::string NeededVersion(const YAML::Node& root) {
  if (!root.IsMap() || !root["min_revctl"]) return "";
  const std::string out = Scalar(root["min_revctl"], "min_revctl");
  if (out.find_first_not_of("0123456789.") != std::string::npos || out.size() > 20) {
    throw BadYaml{root["min_revctl"].Mark(),
                  fmt::format("min_revctl {} is not a version", Quoted(out)),
                  "min_revctl: \"0.1\""};
  }
  return out;
}

void CheckVersion(const YAML::Node& root) {
  if (!root["version"]) throw BadYaml{root.Mark(), "version is missing", "version: 1"};
  if (Scalar(root["version"], "version") != "1") {
    throw BadYaml{
        root["version"].Mark(),
        fmt::format("this revctl does not support version {}", Quoted(root["version"].Scalar())),
        "install a newer revctl"};
  }
}

std::vector<list::ListConfig> ParseLists(const YAML::Node& root) {
  const YAML::Node lists = root["lists"];
  if (!lists || !lists.IsSequence() || lists.size() == 0) {
    throw BadYaml{lists ? lists.Mark() : root.Mark(), "`lists` must have at least one entry",
                  "lists: [{path: src/master_version_list.h}]"};
  }
  if (lists.size() > kMostLists)
    throw BadYaml{
        lists.Mark(),
        fmt::format("lists has {} entries, but at most {} are allowed", lists.size(), kMostLists),
        "remove some"};
  std::vector<list::ListConfig> out;
  std::set<std::string> names;
  std::set<std::pair<std::string, std::string>> places;
  std::map<std::string, std::string>
      pending;  // used to find lists that would share pending files, such as `a.h` and `a.hpp`
  for (const auto& node : lists) {
    out.push_back(ParseList(node));
    const auto& added = out.back();
    if (!names.insert(added.name).second) {
      throw BadYaml{node.Mark(), "two lists are named " + Quoted(added.name),
                    "give each list its own `name`"};
    }
    if (!places.insert({added.path, added.enum_name}).second) {
      throw BadYaml{node.Mark(), "two lists use the same enum in " + Quoted(added.path),
                    "give each list its own `enum`"};
    }
    if (added.numbers != list::Numbers::AtLanding) continue;
    const std::string stem = added.path.substr(0, added.path.find_last_of('.'));
    const auto [other, fresh] = pending.emplace(stem, added.name);
    if (!fresh)
      throw BadYaml{node.Mark(),
                    fmt::format("lists {} and {} would share the pending files in {}.pending",
                                Quoted(other->second), Quoted(added.name), stem),
                    "give each list its own file, or set `numbers: at-reserve`"};
  }
  return out;
}

void ParseBranches(const YAML::Node& root, Config& out) {
  if (root["target"]) out.target = Scalar(root["target"], "target");
  if (!IsSafeRef(out.target))
    throw BadYaml{root["target"].Mark(),
                  fmt::format("target {} is not a branch name", Quoted(out.target)),
                  "target: main"};
  if (root["releases"]) out.releases = Few(root["releases"], "releases");
  for (const std::string& glob : out.releases) {
    if (glob.empty() || glob.size() > 250 || glob.front() == '-') {
      throw BadYaml{root["releases"].Mark(),
                    fmt::format("releases {} is not a branch pattern", Quoted(glob)),
                    "releases: [\"release/*\"]"};
    }
  }
  out.remote_named = static_cast<bool>(root["remote"]);
  if (out.remote_named) out.remote = Scalar(root["remote"], "remote");
  if (!IsSafeRef(out.remote))
    throw BadYaml{root["remote"].Mark(),
                  fmt::format("remote {} is not the name of a remote", Quoted(out.remote)),
                  "remote: origin"};
}

/// Parses the ledger settings. Call ParseBranches first, because the ledger must be neither the
/// target nor a release branch.
void ParseLedger(const YAML::Node& root, Config& out) {
  if (root["ledger"]) out.ledger = Scalar(root["ledger"], "ledger");
  if (!IsSafeRef(out.ledger) || !out.ledger.starts_with("refs/")) {
    throw BadYaml{root["ledger"].Mark(),
                  fmt::format("ledger {} is not a full ref name", Quoted(out.ledger)),
                  "ledger: " + std::string(kDefaultLedger)};
  }
  // `reserve` moves the ledger's ref, so the ref must not be a tag or a remote-tracking branch.
  for (const std::string_view kept : {"refs/tags/", "refs/remotes/"}) {
    if (out.ledger.starts_with(kept))
      throw BadYaml{root["ledger"].Mark(),
                    fmt::format("ledger {} must not begin with {}", Quoted(out.ledger), kept),
                    "ledger: " + std::string(kDefaultLedger)};
  }
  if (out.ledger.starts_with(kBranches)) {
    const std::string branch = out.ledger.substr(kBranches.size());
    if (branch == out.target || out.IsRelease(branch)) {
      throw BadYaml{root["ledger"].Mark(),
                    fmt::format("ledger {} must not be the target branch", Quoted(out.ledger)),
                    "ledger: " + std::string(kBranchLedger)};
    }
  }
  if (root["ledger_id"]) out.ledger_id = Scalar(root["ledger_id"], "ledger_id");
  if (!out.ledger_id.empty() && (out.ledger_id.size() > 64 || !base::IsHex(out.ledger_id))) {
    throw BadYaml{root["ledger_id"].Mark(),
                  fmt::format("ledger_id {} must be hex digits", Quoted(out.ledger_id)),
                  fmt::format("git checkout -- {}   # `revctl init` writes it", kFileName)};
  }
}

std::vector<Allowance> ParseAllowances(const YAML::Node& root) {
  std::vector<Allowance> out;
  const YAML::Node allow = root["allow"];
  if (!allow) return out;
  if (!allow.IsSequence() && !allow.IsNull())
    throw BadYaml{allow.Mark(), "allow must be a list",
                  fmt::format("allow: [{{rule: {}, name: NAME, reason: \"...\"}}]",
                              findings::NameOf(findings::RuleId::LandsLate))};
  for (const auto& node : allow) out.push_back(ParseAllowance(node));
  return out;
}

Config ParseRoot(const YAML::Node& root) {
  if (root.IsNull())
    throw BadYaml{root.Mark(), "the file is empty",
                  fmt::format("git checkout -- {}, or remove it and run revctl init", kFileName)};
  CheckKeys(root, kFileName, "");
  CheckVersion(root);
  Config out;
  out.lists = ParseLists(root);
  ParseBranches(root, out);
  out.reservation_required = !IsOther(root, "reservation", "required", "optional");
  ParseLedger(root, out);
  out.min_revctl = NeededVersion(root);
  if (root["land"]) out.land = ParseLand(root["land"]);
  out.allow = ParseAllowances(root);
  return out;
}

/// Returns -1, 0 or 1 if version `a` is older than, equal to or newer than `b`.
int CompareVersions(std::string_view a, std::string_view b) {
  auto next = [](std::string_view& text) {
    unsigned long value = 0;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != '.'; ++i)
      value = std::min(value * 10 + static_cast<unsigned long>(text[i] - '0'), 1000000000UL);
    text.remove_prefix(std::min(i + 1, text.size()));
    return value;
  };
  while (!a.empty() || !b.empty()) {
    const unsigned long left = next(a), right = next(b);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

}  // namespace

Result<Config> ParseConfig(std::string_view text, std::string_view path) {
  if (text.size() > kMaxConfigBytes)
    return Error{Exit::Usage,
                 fmt::format("{}: has {} bytes, but at most {} are allowed", path, text.size(),
                             kMaxConfigBytes),
                 "git checkout -- " + std::string(kFileName)};
  // Check `min_revctl` first, because a newer file may contain keys that this revctl does not know.
  std::string too_new;
  auto config = ReadYaml<Config>(text, path, "git checkout -- " + std::string(kFileName),
                                 [&](const YAML::Node& root) {
                                   const std::string needed = NeededVersion(root);
                                   if (CompareVersions(REVCTL_VERSION, needed) >= 0)
                                     return ParseRoot(root);
                                   too_new = needed;
                                   return Config{};
                                 });
  if (!too_new.empty()) {
    return Error{Exit::Usage,
                 fmt::format("{}: this project needs revctl {}{}", path, too_new,
                             " or newer; this is " REVCTL_VERSION),
                 "install a newer revctl"};
  }
  return config;
}

bool Config::IsRelease(std::string_view branch) const {
  return branch != target &&
         std::any_of(releases.begin(), releases.end(),
                     [&](const std::string& glob) { return base::GlobMatches(glob, branch); });
}

const list::ListConfig* Config::ListNamed(std::string_view name) const {
  const auto found = std::find_if(lists.begin(), lists.end(),
                                  [&](const list::ListConfig& list) { return list.name == name; });
  return found == lists.end() ? nullptr : &*found;
}

}  // namespace revctl::config
