#include <yaml-cpp/yaml.h>

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/config/config.h"
#include "revctl/config/settings.h"
#include "revctl/config/yaml_text.h"

namespace revctl::config {
namespace {

/// Returns a YAML scalar. Quotes it unless every YAML parser would read the plain text as a string.
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
  return QuotedScalar(text);
}

std::string Sequence(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? ", " : "") + Value(item);
  return out + "]";
}

std::string Commented(std::string line, std::string_view comment) {
  line.resize(std::max<std::size_t>(line.size() + 2, 30), ' ');
  return fmt::format("{}# {}\n", line, comment);
}

/// Collects settings, each with its default value.
class Collector {
 public:
  void Enter(std::string section, std::size_t item = 0) {
    section_ = std::move(section);
    item_ = item;
  }
  void Text(const char* key, const std::string& value, const std::string& usual) {
    out_.push_back({section_, item_, key, Value(value), value == usual});
  }
  void Raw(const char* key, const std::string& value) {
    out_.push_back({section_, item_, key, value, false});
  }
  void Texts(const char* key, const std::vector<std::string>& values) {
    out_.push_back({section_, item_, key, Sequence(values), values.empty()});
  }
  std::vector<Setting> Take() { return std::move(out_); }

 private:
  std::vector<Setting> out_;
  std::string section_;
  std::size_t item_ = 0;
};

void AddList(const list::ListConfig& list, Collector& out) {
  const list::ListConfig usual;
  out.Text("path", list.path, "");
  out.Text("golden", list.golden, usual.golden);
  out.Text("name", list.name, usual.name);
  out.Text("prefix", list.prefix, usual.prefix);
  out.Text("enum", list.enum_name, usual.enum_name);
  out.Texts("aliases", list.aliases);
  out.Text("sentinel", list.sentinel, usual.sentinel);
  out.Text("current", list.current, usual.current);
  out.Text("oldest", list.oldest, usual.oldest);
  out.Texts("getters", list.getters);
  out.Text("numbers", list.numbers == list::Numbers::AtLanding ? "at-landing" : "at-reserve",
           "at-reserve");
  out.Text("floor", list.floor ? std::to_string(*list.floor) : "", "");
  out.Text("lineage_root", list.lineage_root, usual.lineage_root);
  out.Texts("purged", {list.purged.begin(), list.purged.end()});
}

void AddKeys(const YAML::Node& map, const std::string& before, std::map<std::string, int>& out) {
  if (!map || !map.IsMap()) return;
  for (const auto& entry : map)
    out.emplace(before + entry.first.Scalar(), entry.first.Mark().line + 1);
}

}  // namespace

std::string Setting::Path() const {
  if (section.empty()) return key;
  return section == "land" ? "land." + key : fmt::format("{}.{}.{}", section, item, key);
}

std::vector<Setting> SettingsOf(const Config& config) {
  const Config usual;
  Collector out;
  out.Raw("version", "1");
  for (std::size_t i = 0; i < config.lists.size(); ++i) {
    out.Enter("lists", i);
    AddList(config.lists[i], out);
  }
  out.Enter("");
  out.Text("target", config.target, usual.target);
  out.Texts("releases", config.releases);
  out.Text("remote", config.remote, usual.remote);
  out.Text("reservation", config.reservation_required ? "required" : "optional", "required");
  out.Text("ledger", config.ledger, usual.ledger);
  out.Text("ledger_id", config.ledger_id, usual.ledger_id);
  out.Text("min_revctl", config.min_revctl, usual.min_revctl);
  out.Enter("land");
  out.Text("by", config.land.by == LandPolicy::By::Rebase ? "rebase" : "merge", "merge");
  out.Text("push", config.land.push == LandPolicy::Push::Branch ? "branch" : "target", "target");
  out.Text("goldens", config.land.goldens, "");
  out.Text("verify", config.land.verify, "");
  for (std::size_t i = 0; i < config.allow.size(); ++i) {
    out.Enter("allow", i);
    out.Text("rule", config.allow[i].rule, "");
    out.Text("name", config.allow[i].name, "");
    out.Text("reason", config.allow[i].reason, "");
    out.Text("until", config.allow[i].until, "");
  }
  return out.Take();
}

std::string FormatSettings(const std::vector<Setting>& settings,
                           const std::function<std::string(const Setting&)>& comment) {
  std::string out;
  const Setting* last = nullptr;
  for (const Setting& setting : settings) {
    const bool entered = last == nullptr || last->section != setting.section;
    if (entered && !setting.section.empty()) out += setting.section + ":\n";
    const bool item = setting.section == "lists" || setting.section == "allow";
    const bool first = entered || last->item != setting.item;
    const std::string_view indent = setting.section.empty() ? ""
                                    : !item                 ? "  "
                                    : first                 ? "  - "
                                                            : "    ";
    const std::string line = fmt::format("{}{}: {}", indent, setting.key, setting.value);
    const std::string text = comment(setting);
    out += text.empty() ? line + "\n" : Commented(line, text);
    last = &setting;
  }
  return out;
}

base::Result<std::map<std::string, int>> LinesOfKeys(std::string_view text, std::string_view path) {
  return ReadYaml<std::map<std::string, int>>(text, path, "", [](const YAML::Node& root) {
    std::map<std::string, int> out;
    AddKeys(root, "", out);
    AddKeys(root["land"], "land.", out);
    for (const char* section : {"lists", "allow"}) {
      const YAML::Node items = root[section];
      for (std::size_t i = 0; items && items.IsSequence() && i < items.size(); ++i)
        AddKeys(items[i], fmt::format("{}.{}.", section, i), out);
    }
    return out;
  });
}

std::string FormatConfig(const Config& config) {
  std::vector<Setting> settings = SettingsOf(config);
  std::erase_if(settings, [](const Setting& setting) { return setting.is_default; });
  return "# revctl settings for this repository's revision lists. To print all keys and "
         "values: revctl init --show-config\n" +
         FormatSettings(settings, [](const Setting& setting) -> std::string {
           return setting.key == "ledger_id" ? "identifies the ledger of this project" : "";
         });
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
    const list::ListConfig* const now = after.ListNamed(old.name);
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
    // A purge only adds names. If a name were removed, a new revision could use it again.
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
