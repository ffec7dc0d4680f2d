#include "golden/kept_values.h"

#include <fmt/core.h>
#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "golden/revision_record.h"
#include "golden/text/scalar_text.h"

namespace revctl::golden {
namespace {

/// Returns the parts of a field's layout that determine its value. All other parts only describe
/// its history.
std::string Meaning(const revctl::LayoutField& field) {
  std::string out;
  for (const std::string& part : {field.type, field.form, field.condition, field.until}) {
    out += part;
    out += '\n';
  }
  return out + (field.always ? "always" : "");
}

/// True if `path` contains `name` as one or more whole components: `things[3].pos.x` contains `pos`
/// and `pos.x`.
bool IsPart(std::string_view path, std::string_view name) {
  constexpr std::string_view kSteps = ".[]#~";
  const auto is_step = [&](std::size_t at) {
    return at == path.size() || kSteps.find(path[at]) != std::string_view::npos;
  };
  for (std::size_t at = path.find(name); at != std::string_view::npos;
       at = path.find(name, at + 1)) {
    if ((at == 0 || is_step(at - 1)) && is_step(at + name.size())) return true;
  }
  return false;
}

using Values = std::unordered_map<std::string_view, const std::string*>;

void CompareValues(const Case& before, const Case& after, const OthersChanges& others,
                   std::vector<NotKept>& out) {
  Values now;
  now.reserve(after.values.size());
  for (const Leaf& leaf : after.values) now.emplace(leaf.path, &leaf.text);
  for (const Leaf& leaf : before.values) {
    const auto found = now.find(leaf.path);
    if (found != now.end() && *found->second == leaf.text) continue;
    Change change{leaf.path, leaf.text, std::nullopt};
    if (found != now.end()) change.after = *found->second;
    const bool explained = others.MayChange(change);
    out.push_back({before.type + "/" + before.name, false, std::move(change), false, explained});
  }
}

}  // namespace

void OthersChanges::Add(const RevisionRecord& record, bool unknown) {
  for (const RecordedType& type : record.types) {
    Fields now;
    for (const revctl::LayoutField& field : type.layout.fields)
      now[field.name].push_back(Meaning(field));
    Fields& before = layouts_[type.layout.type];
    if (unknown) {
      for (const auto& [name, meaning] : before) {
        const auto found = now.find(name);
        if (!name.empty() && (found == now.end() || found->second != meaning)) fields_.insert(name);
      }
    }
    before = std::move(now);
  }
  for (const revctl::EnumLayout& layout : record.enums) {
    std::set<std::string> now;
    for (const auto& [name, value] : layout.enumerators) now.insert(name);
    std::set<std::string>& before = enums_[layout.type];
    if (unknown)
      std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                          std::inserter(words_, words_.end()));
    before = std::move(now);
  }
  if (!unknown) return;
  for (const Upgrade& upgrade : record.upgrades) {
    if (std::any_of(upgrade.changes.begin(), upgrade.changes.end(),
                    [](const Change& change) { return change.before && change.after; }))
      for (const std::string& id : upgrade.cases) upgraded_.emplace(upgrade.type, id);
  }
}

void OthersChanges::Add(const Approval& approval) {
  if (approval.kind != Approval::Kind::Rename) return;
  fields_.insert(approval.from);
  words_.insert(approval.from);
}

bool OthersChanges::MayChange(const Change& change) const {
  if (change.path.find("#integrity") != std::string::npos) return true;
  if (change.before && words_.contains(std::string(WordOf(*change.before)))) return true;
  return std::any_of(fields_.begin(), fields_.end(),
                     [&](const std::string& name) { return IsPart(change.path, name); });
}

MadeOfOlder MadeBy(const RevisionRecord& record) {
  MadeOfOlder made;
  for (const Upgrade& upgrade : record.upgrades) {
    for (const std::string& id : upgrade.cases) {
      auto& values = made[{upgrade.type, id}];
      for (const Change& change : upgrade.changes)
        values.insert_or_assign(change.path, change.after);
    }
  }
  return made;
}

std::string NotKept::Text() const {
  constexpr std::size_t kLongest = 80;
  const auto shown = [](const std::optional<std::string>& text) {
    return !text                      ? std::string("gone")
           : text->size() <= kLongest ? *text
                                      : text->substr(0, kLongest) + "..";
  };
  if (!change) return fmt::format("the golden {} is missing", golden);
  return fmt::format("{}: {} {} {}, {}", golden, change->path.substr(0, kLongest),
                     upgrade ? "became" : "was", shown(change->before),
                     dropped ? "and is no longer upgraded" : "now " + shown(change->after));
}

std::vector<NotKept> FindNotKept(const RevisionRecord& before, const RevisionRecord& after,
                                 const OthersChanges& others) {
  std::vector<NotKept> out;
  using Name = std::pair<std::string_view, std::string_view>;
  std::map<Name, const Case*> now;
  for (const Case& item : after.cases) now.emplace(Name(item.type, item.name), &item);
  for (const Case& item : before.cases) {
    const auto found = now.find(Name(item.type, item.name));
    if (found == now.end())
      out.push_back({item.type + "/" + item.name, false, std::nullopt, false, false});
    else CompareValues(item, *found->second, others, out);
  }
  for (const LargeCase& large : before.large) {
    const bool kept =
        std::any_of(after.large.begin(), after.large.end(), [&](const LargeCase& other) {
          return other.item.type == large.item.type && other.item.name == large.item.name;
        });
    if (!kept) out.push_back({large.item.type + "/" + large.item.name, false, {}, false, false});
  }
  const auto made = MadeBy(after);
  for (const auto& [place, values] : MadeBy(before)) {
    const auto& [type, golden] = place;
    // Do not report goldens from additions to a revision (`SR_X+HASH`) as lost, because the
    // revision's own record may now contain them.
    if (golden.find('+') != std::string::npos) continue;
    const auto there = made.find(place);
    for (const auto& [path, value] : values) {
      Change change{path, value, std::nullopt};
      bool dropped = true;
      if (there != made.end()) {
        const auto found = there->second.find(path);
        dropped = found == there->second.end();
        if (!dropped && found->second == value) continue;
        if (!dropped) change.after = found->second;
      }
      const bool explained = others.MayUpgrade(type, golden) || others.MayChange(change);
      out.push_back({golden, true, std::move(change), dropped, explained});
    }
  }
  return out;
}

}  // namespace revctl::golden
