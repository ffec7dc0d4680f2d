#include "harness/history/upgraded_values.h"

#include <algorithm>

#include "harness/layout/fields.h"
#include "harness/trace/object.h"
#include "harness/trace/source_place.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

/// Returns a path component without its index or suffix: `players` for `players[1]` and
/// `players#count`.
std::string ComponentName(const std::string& component) {
  return component.substr(0, component.find_first_of("[#~"));
}

const revctl::LayoutField* RecordedField(const golden::RecordedType* type,
                                         const std::string& name) {
  return type == nullptr ? nullptr : FindField(type->layout.fields, name);
}

/// Returns the name of a record type that `field` contains and that has a field called `next`.
/// Returns "" if `field` contains no such type.
std::string TypeInside(const History& history, std::size_t revision,
                       const revctl::LayoutField& field, const std::string& next) {
  for (const std::string& type : history.RecordedTypes()) {
    if (Mentions(field.type, type) &&
        RecordedField(history.TypeAt(type, revision), next) != nullptr)
      return type;
  }
  return "";
}

}  // namespace

RecordedPath PathTo(const History& history, std::size_t index, const std::string& root,
                    const std::string& path) {
  RecordedPath way;
  std::string type = root;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = path.find('.', begin);
    const std::string name = ComponentName(path.substr(begin, dot - begin));
    way.steps.push_back({type, name, begin});
    if (name.empty() || dot == std::string::npos) return way;
    const revctl::LayoutField* field = RecordedField(history.TypeAt(type, index), name);
    const std::string next = ComponentName(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1));
    type = field ? TypeInside(history, index, *field, next) : "";
    if (type.empty()) {
      way.whole = false;
      return way;
    }
    begin = dot + 1;
  }
}

UpgradedValues::Seen UpgradedValues::Look(const std::string& type, std::int64_t from,
                                          std::int64_t to) {
  Seen seen;
  for (const RootType& root : registry_.types) {
    for (const Golden& golden : history_.Goldens(root.name)) {
      const std::int64_t number = history_.revisions()[golden.revision].number;
      if (number < from || number >= to) continue;
      seen.goldens = seen.goldens || Holds(golden, type);
      const auto& changes = ChangesOf(golden);
      seen.changed =
          seen.changed || std::any_of(changes.begin(), changes.end(), [&](const Changed& changed) {
            return IsDoing(changed, golden, type);
          });
      if (seen.goldens && seen.changed) return seen;
    }
  }
  return seen;
}

const std::vector<UpgradedValues::Changed>& UpgradedValues::ChangesOf(const Golden& golden) {
  const auto [at, first] = changes_.try_emplace(&golden);
  if (!first) return at->second;
  for (golden::Change& change :
       renames_.Compare(golden.item->values, history_.ExpectedUpgrade(golden))) {
    if (change.after)
      at->second.push_back({std::move(change.path), std::move(*change.after), !change.before});
  }
  return at->second;
}

/// Returns the values of a newly constructed object of the type, or null if the type cannot be
/// constructed or saved.
const std::vector<golden::Leaf>* UpgradedValues::FreshValues(const std::string& type) {
  const auto known = fresh_.find(type);
  if (known != fresh_.end()) return &known->second;
  const auto record = records_.find(type);
  if (record == records_.end() || !CanMake(*record->second)) return nullptr;
  const Object object(*record->second);
  Traced written = TraceWrite(*record->second, object.get(),
                              history_.revisions()[history_.newest_recorded()].number);
  return written.ok ? &fresh_.emplace(type, std::move(written.leaves)).first->second : nullptr;
}

bool UpgradedValues::Holds(const Golden& golden, const std::string& type) const {
  if (golden.item->type == type) return true;
  return std::any_of(
      golden.item->values.begin(), golden.item->values.end(), [&](const golden::Leaf& leaf) {
        const auto steps = PathTo(history_, golden.revision, golden.item->type, leaf.path).steps;
        return std::any_of(steps.begin(), steps.end(),
                           [&](const PathStep& step) { return step.type == type; });
      });
}

/// True if upgrade code of `type` may have caused the change. This is the case if the value is in
/// an object of the type and, if the golden lacks the value, differs from a fresh object's value.
bool UpgradedValues::IsDoing(const Changed& changed, const Golden& golden,
                             const std::string& type) {
  const RecordedPath way =
      PathTo(history_, history_.newest_recorded(), golden.item->type, changed.path);
  const auto object = std::find_if(way.steps.begin(), way.steps.end(),
                                   [&](const PathStep& step) { return step.type == type; });
  if (!way.whole) return true;
  if (object == way.steps.end()) return false;
  if (!changed.fresh) return true;
  // If fresh objects lack the value, the value is in a new element, which the container's count
  // reveals.
  bool known = false;
  for (auto step = object; step != way.steps.end(); ++step) {
    const auto* fresh = FreshValues(step->type);
    if (fresh == nullptr) return true;
    const golden::Leaf* const leaf =
        FindLeaf(*fresh, PathNow(renames_, changed.path.substr(step->begin), *fresh));
    if (leaf == nullptr) continue;
    if (leaf->text == changed.text) return false;
    known = true;
  }
  return known;
}

}  // namespace revctl::harness
