// YAML to Config. The only file that knows yaml-cpp, whose exceptions end here.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "revctl/config/config.h"
#include "revctl/config/glob.h"
#include "revctl/config/keys.h"

namespace revctl::config {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

/// Thrown inside this file alone, so that each accessor can give up at the place it read.
struct BadConfig {
  YAML::Mark mark;
  std::string message;
  std::string fix;
};

constexpr int kMaxDepth = 8;
constexpr std::string_view kBranches = "refs/heads/";

/// A first pass over the events, before a tree is built: an alias bomb or a deep nest ends here, in
/// constant memory.
class Guard : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { Plain(mark, anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw BadConfig{mark, "aliases (*name) are not read here", "write the value out"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string&) override {
    Plain(mark, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Plain(mark, anchor);
    Enter(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Plain(mark, anchor);
    Enter(mark);
  }
  void OnMapEnd() override { --depth_; }

 private:
  static void Plain(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor)
      throw BadConfig{mark, "anchors (&name) are not read here", "write the value out"};
  }
  void Enter(const YAML::Mark& mark) {
    if (++depth_ > kMaxDepth)
      throw BadConfig{mark, "nested deeper than this file ever is",
                      "docs/formats/list.md shows what it may hold"};
  }
  int depth_ = 0;
};

std::string Quoted(std::string_view text) {
  std::string shown;
  for (char c : text.substr(0, 60)) shown += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return "'" + shown + (text.size() > 60 ? "...'" : "'");
}

std::string Scalar(const YAML::Node& node, std::string_view key) {
  if (!node.IsScalar())
    throw BadConfig{node.Mark(), std::string(key) + " must be one plain value",
                    std::string(key) + ": value"};
  return node.Scalar();
}

std::vector<std::string> Strings(const YAML::Node& node, std::string_view key) {
  if (node.IsNull()) return {};
  if (!node.IsSequence()) {
    throw BadConfig{node.Mark(), std::string(key) + " must be a list",
                    std::string(key) + ": [\"...\"]"};
  }
  std::vector<std::string> out;
  for (const auto& item : node) out.push_back(Scalar(item, key));
  return out;
}

/// Every key once, and only known ones: a misspelt `reservaton` must not silently mean the default.
void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section) {
  std::vector<std::string_view> known;
  for (const Key& key : Keys()) {
    if (key.section == section) known.push_back(key.name);
  }
  if (!map.IsMap())
    throw BadConfig{map.Mark(), std::string(what) + " must be keys and values (key: value)",
                    "docs/formats/list.md shows one"};
  std::set<std::string> seen;
  for (const auto& pair : map) {
    const std::string key = Scalar(pair.first, "a key");
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      std::string all;
      for (std::string_view k : known) all += (all.empty() ? "" : ", ") + std::string(k);
      throw BadConfig{pair.first.Mark(), "unknown key " + Quoted(key) + " in " + std::string(what),
                      "known keys: " + all};
    }
    if (!seen.insert(key).second)
      throw BadConfig{pair.first.Mark(), "key " + Quoted(key) + " is given twice",
                      "take one of the two out"};
  }
}

list::ListConfig ParseList(const YAML::Node& node) {
  CheckKeys(node, "an entry of lists", "lists");
  list::ListConfig out;
  if (!node["path"])
    throw BadConfig{node.Mark(), "a list without a path", "path: src/master_version_list.h"};
  auto text = [&](const char* key, std::string& into) {
    if (node[key]) into = Scalar(node[key], key);
  };
  text("path", out.path);
  if (!IsSafePath(out.path)) {
    throw BadConfig{
        node["path"].Mark(),
        "path " + Quoted(out.path) + " must lie inside the repository, written with '/'",
        "path: src/master_version_list.h, from the folder of " + std::string(kFileName)};
  }
  text("name", out.name);
  if (!IsListName(out.name)) {
    throw BadConfig{node["name"].Mark(), "name " + Quoted(out.name) + " must be a plain word",
                    "name: main"};
  }
  text("prefix", out.prefix);
  if (!out.prefix.empty() && !IsIdentifier(out.prefix)) {
    throw BadConfig{node["prefix"].Mark(),
                    "prefix " + Quoted(out.prefix) + " cannot begin a C++ name", "prefix: SR_"};
  }
  text("enum", out.enum_name);
  if (out.prefix.empty() && out.enum_name.empty()) {
    throw BadConfig{node["prefix"].Mark(),
                    "an empty prefix needs `enum`, or nothing says which names are revisions",
                    "enum: Revision"};
  }
  if (node["aliases"]) out.aliases = Strings(node["aliases"], "aliases");
  text("sentinel", out.sentinel);
  text("current", out.current);
  text("oldest", out.oldest);
  text("lineage_root", out.lineage_root);
  const bool hex = out.lineage_root.size() == 16 &&
                   out.lineage_root.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (out.lineage_root != "0" && !hex) {
    throw BadConfig{
        node["lineage_root"].Mark(),
        "lineage_root " + Quoted(out.lineage_root) + " must be 0 or 16 hex digits",
        "git checkout -- " + std::string(kFileName) + ", since only `revctl purge` writes it"};
  }
  if (node["purged"]) {
    for (std::string& name : Strings(node["purged"], "purged")) out.purged.insert(std::move(name));
  }
  text("golden", out.golden);
  if (!out.golden.empty() && !IsSafePath(out.golden)) {
    throw BadConfig{
        node["golden"].Mark(),
        "golden " + Quoted(out.golden) + " must lie inside the repository, written with '/'",
        "golden: golden"};
  }
  // Goldens of landed revisions are frozen, the list beside them is not.
  if (!out.golden.empty() && (out.path + "/").starts_with(out.golden + "/")) {
    throw BadConfig{node["golden"].Mark(),
                    "golden " + Quoted(out.golden) +
                        " must be a folder of its own, without the list " + Quoted(out.path),
                    "golden: golden"};
  }
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
  CheckKeys(node, "an entry of allow", "allow");
  Allowance out;
  out.line = node.Mark().line + 1;
  if (!node["rule"]) throw BadConfig{node.Mark(), "an allowance without a rule", "rule: RV006"};
  out.rule = Scalar(node["rule"], "rule");
  if (out.rule.size() != 5 || !out.rule.starts_with("RV") ||
      out.rule.find_first_not_of("0123456789", 2) != std::string::npos) {
    throw BadConfig{node["rule"].Mark(), "rule " + Quoted(out.rule) + " is none", "rule: RV006"};
  }
  if (node["name"]) out.name = Scalar(node["name"], "name");
  if (node["reason"]) out.reason = Scalar(node["reason"], "reason");
  if (out.reason.empty())
    throw BadConfig{node.Mark(), "an allowance without a reason",
                    "reason: \"why this is fine here\""};
  if (node["until"]) out.until = Scalar(node["until"], "until");
  if (!out.until.empty() && !IsDate(out.until)) {
    throw BadConfig{node["until"].Mark(), "until " + Quoted(out.until) + " is no date",
                    "until: 2027-01-31"};
  }
  return out;
}

/// A line for `sh -c`. It is printed before it runs, so that nothing in it may steer a terminal.
std::string Command(const YAML::Node& node, const std::string& key) {
  std::string text = Scalar(node, key);
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
  });
  if (text.find_first_not_of(' ') == std::string::npos)
    throw BadConfig{node.Mark(), key + " is empty", "take the key out, or give the command"};
  if (!printable || text.size() > 4096)
    throw BadConfig{node.Mark(),
                    key + " must be one line of at most 4096 letters, without control characters",
                    "put longer commands into a script, and name that"};
  return text;
}

LandPolicy ParseLand(const YAML::Node& node) {
  CheckKeys(node, "land", "land");
  LandPolicy out;
  auto choice = [&](const char* key, std::string_view usual, std::string_view other) {
    if (!node[key]) return false;
    const std::string value = Scalar(node[key], key);
    if (value != usual && value != other)
      throw BadConfig{
          node[key].Mark(), std::string(key) + " is " + Quoted(value),
          std::string(key) + ": " + std::string(usual) + " (or " + std::string(other) + ")"};
    return value == other;
  };
  if (choice("by", "merge", "rebase")) out.by = LandPolicy::By::Rebase;
  if (choice("push", "target", "branch")) out.push = LandPolicy::Push::Branch;
  if (node["goldens"]) out.goldens = Command(node["goldens"], "goldens");
  if (node["verify"]) out.verify = Command(node["verify"], "verify");
  return out;
}

/// `min_revctl`, empty where the file names none.
std::string NeededVersion(const YAML::Node& root) {
  if (!root.IsMap() || !root["min_revctl"]) return "";
  const std::string out = Scalar(root["min_revctl"], "min_revctl");
  if (out.find_first_not_of("0123456789.") != std::string::npos || out.size() > 20) {
    throw BadConfig{root["min_revctl"].Mark(), "min_revctl " + Quoted(out) + " is no version",
                    "min_revctl: \"0.1\""};
  }
  return out;
}

Config ParseRoot(const YAML::Node& root) {
  if (root.IsNull())
    throw BadConfig{
        root.Mark(), "the file is empty",
        "git checkout -- " + std::string(kFileName) + ", or remove it and run revctl init"};
  CheckKeys(root, kFileName, "");
  Config out;
  if (!root["version"]) throw BadConfig{root.Mark(), "version is missing", "version: 1"};
  if (Scalar(root["version"], "version") != "1") {
    throw BadConfig{root["version"].Mark(),
                    "version " + Quoted(root["version"].Scalar()) + " is unknown to this revctl",
                    "install a newer revctl"};
  }
  const YAML::Node lists = root["lists"];
  if (!lists || !lists.IsSequence() || lists.size() == 0) {
    throw BadConfig{lists ? lists.Mark() : root.Mark(), "lists must name at least one list",
                    "lists: [{path: src/master_version_list.h}]"};
  }
  std::set<std::string> names;
  std::set<std::pair<std::string, std::string>> places;
  for (const auto& node : lists) {
    out.lists.push_back(ParseList(node));
    const auto& added = out.lists.back();
    if (!names.insert(added.name).second) {
      throw BadConfig{node.Mark(), "two lists are named " + Quoted(added.name),
                      "give each its own `name`"};
    }
    if (!places.insert({added.path, added.enum_name}).second) {
      throw BadConfig{node.Mark(), "two lists are the same enum of " + Quoted(added.path),
                      "give each its own `enum`"};
    }
  }
  if (root["target"]) out.target = Scalar(root["target"], "target");
  if (!IsSafeRef(out.target))
    throw BadConfig{root["target"].Mark(), "target " + Quoted(out.target) + " is no branch name",
                    "target: main"};
  if (root["releases"]) out.releases = Strings(root["releases"], "releases");
  for (const std::string& glob : out.releases) {
    if (glob.empty() || glob.size() > 250 || glob.front() == '-') {
      throw BadConfig{root["releases"].Mark(), "releases " + Quoted(glob) + " is no branch pattern",
                      "releases: [\"release/*\"]"};
    }
  }
  out.remote_named = static_cast<bool>(root["remote"]);
  if (out.remote_named) out.remote = Scalar(root["remote"], "remote");
  if (!IsSafeRemote(out.remote))
    throw BadConfig{root["remote"].Mark(), "remote " + Quoted(out.remote) + " is no remote's name",
                    "remote: origin"};
  if (root["reservation"]) {
    const std::string value = Scalar(root["reservation"], "reservation");
    if (value != "required" && value != "optional") {
      throw BadConfig{root["reservation"].Mark(), "reservation is " + Quoted(value),
                      "reservation: required (or optional)"};
    }
    out.reservation_required = value == "required";
  }
  if (root["ledger"]) out.ledger = Scalar(root["ledger"], "ledger");
  if (!IsSafeRef(out.ledger) || !out.ledger.starts_with("refs/")) {
    throw BadConfig{root["ledger"].Mark(), "ledger " + Quoted(out.ledger) + " is no full ref name",
                    "ledger: " + std::string(kDefaultLedger)};
  }
  // A ledger is moved and repaired by whoever reserves; no branch that holds people's work may ever
  // be taken for one.
  for (const std::string_view kept : {"refs/tags/", "refs/remotes/"}) {
    if (out.ledger.starts_with(kept))
      throw BadConfig{root["ledger"].Mark(),
                      "ledger " + Quoted(out.ledger) + " lies under " + std::string(kept),
                      "ledger: " + std::string(kDefaultLedger)};
  }
  if (out.ledger.starts_with(kBranches)) {
    const std::string branch = out.ledger.substr(kBranches.size());
    const bool release =
        std::any_of(out.releases.begin(), out.releases.end(),
                    [&](const std::string& glob) { return GlobMatches(glob, branch); });
    if (branch == out.target || release) {
      throw BadConfig{root["ledger"].Mark(),
                      "ledger " + Quoted(out.ledger) + " is the branch where revisions land",
                      "ledger: " + std::string(kBranchLedger)};
    }
  }
  if (root["ledger_id"]) out.ledger_id = Scalar(root["ledger_id"], "ledger_id");
  if (!out.ledger_id.empty() &&
      (out.ledger_id.size() > 64 ||
       out.ledger_id.find_first_not_of("0123456789abcdef") != std::string::npos)) {
    throw BadConfig{
        root["ledger_id"].Mark(), "ledger_id " + Quoted(out.ledger_id) + " must be hex digits",
        "git checkout -- " + std::string(kFileName) + ", since `revctl init` writes it"};
  }
  out.min_revctl = NeededVersion(root);
  if (root["land"]) out.land = ParseLand(root["land"]);
  if (root["allow"]) {
    if (!root["allow"].IsSequence() && !root["allow"].IsNull())
      throw BadConfig{root["allow"].Mark(), "allow must be a list",
                      "allow: [{rule: RV006, name: SR_X, reason: \"...\"}]"};
    for (const auto& node : root["allow"]) out.allow.push_back(ParseAllowance(node));
  }
  return out;
}

Error At(std::string_view path, const YAML::Mark& mark, const std::string& message,
         std::string fix) {
  std::string place(path);
  if (!mark.is_null())
    place += ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
  return {Exit::Usage, place + ": " + message, std::move(fix)};
}

/// -1, 0, 1 as `a` is older than, equal to, newer than `b`; missing parts are 0.
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
  if (text.find('\0') != std::string_view::npos)
    return Error{
        Exit::Usage, std::string(path) + ": is binary, not YAML",
        "git checkout -- " + std::string(kFileName) + ", or remove it and run revctl init"};
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Guard guard;
    int documents = 0;
    while (parser.HandleNextDocument(guard)) {
      if (++documents > 1)
        return Error{Exit::Usage, std::string(path) + ": holds more than one YAML document",
                     "take out the lines `---` and what belongs to another file"};
    }
    const YAML::Node root = YAML::Load(std::string(text));
    // Before anything else is judged: a newer file may hold what this revctl does not know.
    if (const std::string needed = NeededVersion(root);
        CompareVersions(REVCTL_VERSION, needed) < 0) {
      return Error{Exit::Usage,
                   std::string(path) + ": this project needs revctl " + needed +
                       " or newer; this is " REVCTL_VERSION,
                   "install a newer revctl"};
    }
    return ParseRoot(root);
  } catch (const BadConfig& bad) {
    return At(path, bad.mark, bad.message, bad.fix);
  } catch (const YAML::Exception& bad) {
    return At(path, bad.mark,
              "is no YAML: " + bad.msg + "; expected `key: value`, indented by blanks",
              "mend that line, or git checkout -- " + std::string(kFileName));
  } catch (const std::exception& bad) {
    return Error{Exit::Usage, std::string(path) + ": " + bad.what(),
                 "git checkout -- " + std::string(kFileName)};
  }
}

bool Config::IsRelease(std::string_view branch) const {
  return std::any_of(releases.begin(), releases.end(),
                     [&](const std::string& glob) { return GlobMatches(glob, branch); });
}

const list::ListConfig* Config::ListNamed(std::string_view name) const {
  const auto found = std::find_if(lists.begin(), lists.end(),
                                  [&](const list::ListConfig& list) { return list.name == name; });
  return found == lists.end() ? nullptr : &*found;
}

}  // namespace revctl::config
