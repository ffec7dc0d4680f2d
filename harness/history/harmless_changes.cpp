#include "harness/history/harmless_changes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/layout/fields.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

/// The recorded layouts of a type, oldest first. Each has the number of its revision.
using Layouts = std::vector<std::pair<std::int64_t, const golden::RecordedType*>>;

bool IsVisitedAt(const LayoutField& field, std::int64_t number) {
  return field.since_number <= number && (field.until.empty() || number < field.until_number);
}

class LocalsOf {
 public:
  LocalsOf(const std::string& type, const TypeTrace& today, const Layouts& layouts,
           Renames& renames)
      : type_(type), today_(today), layouts_(layouts), renames_(renames) {}

  void Run() {
    // A removed field of a PLAIN struct is not a local variable, and HOPs refer to it by name.
    if (today_.plain) return;
    for (const auto* fields : {&today_.removed, &today_.layout.fields}) {
      for (const LayoutField& field : *fields) {
        if (IsRem(field)) Name(field);
      }
    }
  }

 private:
  /// Finds the first layout recorded in a REM's range, and adds a rename between the REM's local
  /// variable and the field in this layout.
  void Name(const LayoutField& rem) {
    const auto at = std::find_if(layouts_.begin(), layouts_.end(), [&](const auto& layout) {
      return IsVisitedAt(rem, layout.first);
    });
    if (at == layouts_.end()) return;
    const std::int64_t number = at->first;
    const auto& fields = at->second->layout.fields;
    if (std::any_of(fields.begin(), fields.end(),
                    [&](const LayoutField& field) { return HasName(field, rem.name); }))
      return;
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const LayoutField& then) {
      return IsLike(then, rem) && !taken_.contains(then.name) && !IsVisitedToday(then.name, number);
    });
    if (field == fields.end()) return;
    taken_.insert(field->name);
    renames_.Add(type_, field->name, rem.name);
  }

  bool HasName(const LayoutField& field, const std::string& name) const {
    return !field.name.empty() && renames_.Same(type_, field.name, name);
  }

  bool IsLike(const LayoutField& then, const LayoutField& rem) const {
    return !then.name.empty() && !IsCounter(then) && then.type == rem.type &&
           then.size == rem.size &&
           SameGate(then.since, then.since_number, rem.since, rem.since_number) &&
           SameCondition(then.condition, rem.condition, renames_);
  }

  bool IsVisitedToday(const std::string& name, std::int64_t number) const {
    const auto fields = today_.AllFields();
    return std::any_of(fields.begin(), fields.end(), [&](const LayoutField* field) {
      return HasName(*field, name) && IsVisitedAt(*field, number);
    });
  }

  const std::string& type_;
  const TypeTrace& today_;
  const Layouts& layouts_;
  Renames& renames_;
  std::set<std::string> taken_;
};

}  // namespace

void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames) {
  for (const auto& [type, trace] : today) {
    Layouts layouts;
    for (std::size_t i = 0; i < history.revisions().size(); ++i) {
      if (const auto* recorded = history.TypeAt(type, i))
        layouts.emplace_back(history.revisions()[i].number, recorded);
    }
    LocalsOf(type, trace, layouts, renames).Run();
  }
}

void AddNamesOfLocals(const golden::RevisionRecord& record, std::int64_t number,
                      const std::map<std::string, TypeTrace>& today, Renames& renames) {
  for (const golden::RecordedType& recorded : record.types) {
    const auto trace = today.find(recorded.layout.type);
    const Layouts layouts(1, {number, &recorded});
    if (trace != today.end()) LocalsOf(trace->first, trace->second, layouts, renames).Run();
  }
}

namespace {

using LeafList = std::vector<golden::Leaf>;

struct InEntry {
  std::size_t index = 0;
  std::string_view rest;  ///< the rest of the path; begins with `#key` inside a key
  bool is_key = false;
};

/// Returns the position of a leaf inside the container at `path`, such as `path#key[3].x` or
/// `path[3].x`. Returns nullopt if the leaf is not in this container.
std::optional<InEntry> EntryOf(std::string_view leaf, std::string_view path) {
  if (!leaf.starts_with(path)) return std::nullopt;
  leaf.remove_prefix(path.size());
  InEntry entry;
  entry.is_key = leaf.starts_with("#key[");
  if (!entry.is_key && !leaf.starts_with('[')) return std::nullopt;
  leaf.remove_prefix(entry.is_key ? 5 : 1);
  const auto read = std::from_chars(leaf.data(), leaf.data() + leaf.size(), entry.index);
  if (read.ec != std::errc() || read.ptr == leaf.data() + leaf.size() || *read.ptr != ']')
    return std::nullopt;
  entry.rest = leaf.substr(static_cast<std::size_t>(read.ptr - leaf.data()) + 1);
  return entry;
}

/// Sorts the entries of a container by their content. Returns true if an entry moved.
bool Sort(const std::string& path, LeafList& leaves) {
  std::map<std::size_t, std::vector<std::pair<std::string, std::string>>> entries;
  std::map<std::size_t, std::vector<golden::Leaf*>> places;
  for (golden::Leaf& leaf : leaves) {
    const auto entry = EntryOf(leaf.path, path);
    if (!entry) continue;
    entries[entry->index].emplace_back((entry->is_key ? "#key" : "") + std::string(entry->rest),
                                       leaf.text);
    places[entry->index].push_back(&leaf);
  }
  std::vector<std::size_t> order;
  for (const auto& [index, parts] : entries) order.push_back(index);
  const auto before = order;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return entries[a] < entries[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string at = "[" + std::to_string(before[i]) + "]";
    const auto& parts = entries[order[i]];
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const bool is_key = parts[k].first.starts_with("#key");
      places[order[i]][k]->path =
          path + (is_key ? "#key" : "") + at + parts[k].first.substr(is_key ? 4 : 0);
    }
  }
  return order != before;
}

}  // namespace

std::vector<std::string> OnlyReordered(const LeafList& expected, const Traced& now,
                                       const Renames& renames) {
  std::vector<std::string> containers;
  for (const std::string& path : now.keyed) containers.push_back(renames.CanonicalPath(path));
  // Sort inner containers first, because the position of an entry depends on its content.
  std::stable_sort(containers.begin(), containers.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  const auto canonical = [&](LeafList leaves) {
    for (golden::Leaf& leaf : leaves) leaf.path = renames.CanonicalPath(leaf.path);
    return leaves;
  };
  LeafList was = canonical(expected), is = canonical(now.leaves);
  std::vector<std::string> reordered;
  for (const std::string& path : containers) {
    // The orders differ if sorting moves entries on only one side.
    const bool one = Sort(path, was), other = Sort(path, is);
    if (one != other) reordered.push_back(path);
  }
  if (!renames.Compare(was, is).empty()) return {};
  if (reordered.empty()) reordered.push_back(containers.empty() ? "" : containers.back());
  return reordered;
}

}  // namespace revctl::harness
