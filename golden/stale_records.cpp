#include "golden/stale_records.h"

#include <fmt/core.h>
#include <algorithm>
#include <optional>
#include <utility>

#include "golden/revision_record.h"

namespace revctl::golden {
namespace {

/// Adds every part of a wire type that could be a type name to `names`. Returns false if angle
/// brackets are nested too deeply.
bool AddNames(std::string_view wire, std::vector<std::string>& names) {
  std::vector<std::size_t> outer;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::string_view name = wire.substr(begin, end - begin);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
  };
  for (std::size_t i = 0; i < wire.size(); ++i) {
    if (wire[i] == '<') {
      if (outer.size() == kDeepestWireType) return false;
      add(i);
      outer.push_back(begin);
      begin = i + 1;
    } else if (wire[i] == ',') {
      add(i);
      begin = i + 1;
    } else if (wire[i] == '>' && !outer.empty()) {
      add(i);
      begin = outer.back();  // continue the enclosing type, which ends after this `>`
      outer.pop_back();
    }
  }
  add(wire.size());
  return true;
}

void Sort(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

/// Copies the types of `record` to `out`. Returns the name of a type with a field whose wire type
/// is nested too deeply, or "".
std::string Take(const RevisionRecord& record, RecordTypes& out) {
  std::string deep;
  out.revision = record.revision;
  out.number = record.number;
  out.previous = record.previous;
  out.behind = record.behind;
  for (const RecordedType& type : record.types) {
    RecordTypes::Parts& parts = out.layouts.emplace_back();
    parts.type = type.layout.type;
    for (const auto* fields : {&type.layout.fields, &type.removed}) {
      for (const revctl::LayoutField& field : *fields) {
        if (!AddNames(field.type, parts.names)) deep = parts.type;
      }
    }
    Sort(parts.names);
  }
  for (const revctl::EnumLayout& layout : record.enums) out.enums.push_back(layout.type);
  const auto add = [&out](const Case& item) {
    if (out.roots.empty() || out.roots.back() != item.type) out.roots.push_back(item.type);
    out.cases.push_back(item.type + "/" + item.name);
  };
  for (const Case& item : record.cases) add(item);
  for (const LargeCase& large : record.large) add(large.item);
  for (const Upgrade& upgrade : record.upgrades) out.roots.push_back(upgrade.type);
  Sort(out.roots);
  Sort(out.cases);
  return deep;
}

}  // namespace

RecordTypes TypesOf(const RevisionRecord& record) {
  RecordTypes out;
  Take(record, out);
  return out;
}

Result<RecordTypes> ReadRecordTypes(std::string_view text, std::string_view file) {
  TRY(const auto record, ParseRecord(text, file));
  RecordTypes out;
  if (const std::string deep = Take(record, out); !deep.empty())
    return FileError(std::string(file), 0,
                     fmt::format("a field of {} that nests types more than {} levels deep",
                                 deep.substr(0, 80), kDeepestWireType));
  return out;
}

namespace {

/// Formats at most five names, shortened: "Item, Hero and 3 more".
std::string Names(const std::vector<std::string>& types) {
  constexpr std::size_t kMost = 5, kLongest = 80;
  std::string text;
  for (std::size_t i = 0; i < std::min(types.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + types[i].substr(0, kLongest);
  if (types.size() > kMost) text += fmt::format(" and {} more", types.size() - kMost);
  return text;
}

}  // namespace

RecordOrder::RecordOrder(std::vector<ListedRecord> list) : list_(std::move(list)) {
  for (std::size_t i = 0; i < list_.size(); ++i) by_name_.emplace(list_[i].name, i);
}

RecordOrder::Way RecordOrder::Follow(std::size_t index) const {
  Way way{std::vector<bool>(list_.size()), std::nullopt, {}};
  way.known[index] = true;
  for (std::size_t at = index; !list_[at].previous.empty();) {
    const auto found = by_name_.find(list_[at].previous);
    if (found == by_name_.end()) {
      if (!way.landed) way.gone = list_[at].previous;
      break;
    }
    at = found->second;
    if (way.known[at]) break;  // malicious records can form a cycle
    way.known[at] = true;
    if (!way.landed && !list_[at].pending) way.landed = at;
  }
  return way;
}

RecordOrder::Way RecordOrder::Said(std::size_t index) const {
  Way way{std::vector<bool>(list_.size()), std::nullopt, {}};
  const std::vector<std::string>& behind = list_[index].behind;
  way.known[index] = true;
  for (const std::string& name : behind) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) {
      way.known[found->second] = true;
      if (&name == &behind.front() && found->second < index) way.landed = found->second;
    } else if (way.gone.empty()) {
      way.gone = name;
    }
  }
  if (way.gone.empty()) return way;
  way.known.assign(list_.size(), false);
  way.known[index] = true;
  way.landed.reset();
  return way;
}

std::vector<std::size_t> RecordOrder::MadeWithout(std::size_t index) const {
  const Way way = Before(index);
  std::vector<std::size_t> without;
  for (std::size_t i = way.landed.value_or(0); i < list_.size(); ++i) {
    if (list_[i].recorded && i != index && way.known[i] == (i > index)) without.push_back(i);
  }
  return without;
}

RecordGraph::Id RecordGraph::IdOf(const std::string& name) {
  const auto [found, added] = ids_.emplace(name, nodes_.size());
  if (added) {
    const std::string_view outermost = std::string_view(name).substr(0, name.find('<'));
    nodes_.push_back({name, {}, outermost == "object" || outermost == "polymorphic"});
  }
  return found->second;
}

void RecordGraph::Add(std::size_t index, const RecordTypes& record) {
  Touched& touched = touched_[index];
  for (const RecordTypes::Parts& layout : record.layouts) {
    const Id type = IdOf(layout.type);
    std::vector<Id> parts;
    parts.reserve(layout.names.size());
    for (const std::string& name : layout.names) parts.push_back(IdOf(name));
    touched.changed.push_back(type);
    nodes_[type].layouts.push_back({index, std::move(parts)});
  }
  for (const std::string& name : record.enums) touched.changed.push_back(IdOf(name));
  for (const std::string& name : record.roots) touched.roots.push_back(IdOf(name));
}

const RecordGraph::Touched& RecordGraph::At(std::size_t index) const {
  static const Touched kNothing;
  const auto found = touched_.find(index);
  return found == touched_.end() ? kNothing : found->second;
}

const std::vector<RecordGraph::Id>& RecordGraph::PartsAt(Id type, std::size_t index) const {
  static const std::vector<Id> kNone;
  const auto& layouts = nodes_[type].layouts;
  const auto behind =
      std::upper_bound(layouts.begin(), layouts.end(), index,
                       [](std::size_t at, const Layout& layout) { return at < layout.index; });
  return behind == layouts.begin() ? kNone : std::prev(behind)->parts;
}

std::vector<bool> RecordGraph::Reached(const Touched& from, std::size_t index) const {
  std::vector<bool> reached(nodes_.size());
  std::vector<Id> waiting;
  const auto reach = [&](Id type) {
    if (reached[type]) return;
    reached[type] = true;
    waiting.push_back(type);
  };
  for (const Id type : from.changed) reach(type);
  for (const Id type : from.roots) reach(type);
  while (!waiting.empty()) {
    const Id type = waiting.back();
    waiting.pop_back();
    // A layout does not show which classes an object can have, so assume that every type is used.
    if (nodes_[type].any) return std::vector<bool>(nodes_.size(), true);
    for (const Id part : PartsAt(type, index)) reach(part);
  }
  return reached;
}

std::vector<bool> RecordGraph::Above(const std::vector<Id>& changed, std::size_t index) const {
  std::vector<bool> above(nodes_.size());
  if (changed.empty()) return above;
  std::vector<std::vector<Id>> holders(nodes_.size());
  for (Id type = 0; type < nodes_.size(); ++type) {
    for (const Id part : PartsAt(type, index)) holders[part].push_back(type);
  }
  std::vector<Id> waiting;
  const auto reach = [&](Id type) {
    if (above[type]) return;
    above[type] = true;
    waiting.push_back(type);
  };
  for (const Id type : changed) reach(type);
  for (Id type = 0; type < nodes_.size(); ++type) {
    if (nodes_[type].any) reach(type);
  }
  while (!waiting.empty()) {
    const Id type = waiting.back();
    waiting.pop_back();
    for (const Id holder : holders[type]) reach(holder);
  }
  return above;
}

SharedTypes RecordGraph::Compare(std::size_t index, std::span<const std::size_t> others) const {
  SharedTypes shared;
  if (others.empty()) return shared;
  const Touched& own = At(index);
  const std::vector<bool> reached = Reached(own, index), above = Above(own.changed, index);
  const auto any = [](const std::vector<Id>& types, const std::vector<bool>& of) {
    return std::any_of(types.begin(), types.end(), [&](Id type) { return of[type]; });
  };
  const auto take = [&](const std::vector<Id>& types, const std::vector<bool>& of) {
    for (const Id type : types) {
      if (of[type]) shared.types.push_back(nodes_[type].name);
    }
    std::sort(shared.types.begin(), shared.types.end());
    shared.types.erase(std::unique(shared.types.begin(), shared.types.end()), shared.types.end());
  };
  for (const std::size_t other : others) {
    const Touched& theirs = At(other);
    const bool changes = any(theirs.changed, reached);
    if (!changes && !any(theirs.changed, above) && !any(theirs.roots, above)) continue;
    if (!shared.types.empty()) {
      ++shared.others_more;
      continue;
    }
    shared.other = other;
    shared.other_changes = changes;
    if (changes) {
      take(theirs.changed, reached);
    } else {
      take(own.changed, Reached(theirs, index));
    }
  }
  return shared;
}

std::string StaleText(const RecordOrder& order, std::size_t index, const SharedTypes& shared) {
  return fmt::format("the goldens of {} are stale: {}", order.list()[index].name,
                     WhyStale(order, index, shared));
}

std::string WhyStale(const RecordOrder& order, std::size_t index, const SharedTypes& shared) {
  const ListedRecord &own = order.list()[index], &other = order.list()[shared.other];
  std::string text;
  if (const std::string_view gone = order.Gone(index); !gone.empty())
    return fmt::format("they were recorded on top of {}, which is no longer in the list",
                       gone.substr(0, 80));
  if (shared.other > index) {
    text += fmt::format("they were recorded on top of {}, which now comes after {} and ",
                        other.name, own.name);
  } else if (own.previous.empty()) {
    text += fmt::format("their record does not say whether they were recorded on top of {}, which ",
                        other.name);
  } else if (other.pending) {
    text += fmt::format("they were recorded without {}, which ", other.name);
  } else {
    text += other.name + " has landed since they were recorded and ";
  }
  const std::string types = Names(shared.types);
  text += shared.other_changes
              ? fmt::format("changes {}, which they contain", types)
              : fmt::format("has goldens that contain {}, which {} changes", types, own.name);
  if (shared.others_more > 0)
    text += fmt::format("; the same applies to {} more revision{}", shared.others_more,
                        shared.others_more == 1 ? "" : "s");
  return text;
}

}  // namespace revctl::golden
