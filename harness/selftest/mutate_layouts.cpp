// Mutates recorded layouts, as if other code had recorded them, and compares them with the layouts
// of the current code.
#include <fmt/core.h>
#include <algorithm>
#include <functional>
#include <string_view>

#include <revctl/detail/base/parse_number.h>

#include "harness/history/harmless_changes.h"
#include "harness/layout/enum_diff.h"
#include "harness/layout/fields.h"
#include "harness/layout/layout_diff.h"
#include "harness/samples/type_run.h"
#include "harness/selftest/selftest.h"

namespace revctl::harness {
namespace {

using golden::RecordedType;
using revctl::LayoutField;

/// Returns a different type of the same size, or "" if the type is not a number.
std::string SameSize(const std::string& type) {
  static const std::map<std::string, std::string> kOther = {
      {"i8", "u8"},   {"u8", "i8"},   {"i16", "u16"}, {"u16", "i16"},
      {"i32", "u32"}, {"u32", "f32"}, {"i64", "u64"}, {"u64", "f64"},
      {"f32", "i32"}, {"f64", "i64"}, {"bool", "u8"}};
  const auto found = kOther.find(type);
  return found == kOther.end() ? "" : found->second;
}

std::string OtherSize(const std::string& type) {
  return type == "i64" || type == "u64" || type == "f64" ? "i32" : "i64";
}

/// Returns an array type with one more element (`array<u8,5>` for `array<u8,4>`), or "" for other
/// types.
std::string Longer(const std::string& type) {
  if (Outermost(type) != "array") return "";
  const std::size_t count = type.rfind(',') + 1;
  std::uint32_t number = 0;  // array sizes in records fit in 32 bits
  if (count == 0 || !revctl::detail::ParseNumber(
                        std::string_view(type).substr(count, type.size() - 1 - count), number))
    return "";
  return fmt::format("{}{}>", type.substr(0, count), std::uint64_t{number} + 1);
}

/// Returns a wire type with a different container: a set instead of a vector, and a vector instead
/// of any other container. Returns "" if the type is not a container.
std::string OtherContainer(const std::string& type) {
  const std::string outer(Outermost(type));
  if (type == "string") return "vector<u8>";
  if (!IsContainer(type) || type.find('<') == std::string::npos) return "";
  return (outer == "vector" ? "set<" : "vector<") + type.substr(outer.size() + 1);
}

class Mutator {
 public:
  Mutator(const RecordedType& recorded, const TypeTrace& now, const Revision& revision,
          const RecordedType* newest, const History& history, const Renames& renames,
          SelfTestTable& table)
      : recorded_(recorded),
        now_(now),
        revision_(revision),
        newest_(newest),
        history_(history),
        renames_(renames),
        table_(table) {}

  void Run() {
    const std::size_t count = recorded_.layout.fields.size();
    for (std::size_t i = 0; i < count; ++i) {
      const LayoutField& field = recorded_.layout.fields[i];
      if (field.form == "integrity") {
        Try("counter moved", i, [&](RecordedType& type) { Erase(type, i); });
        continue;
      }
      if (field.name.empty()) continue;
      Try("add a field", i, [&](RecordedType& type) { Erase(type, i); });
      Try("remove a field", i, [&](RecordedType& type) { InsertGone(type, i); });
      if (count > 2) Try("reorder", i, [&](RecordedType& type) { MoveAway(type, i); });
      SwapWithNext(i);
      Retype("retype, same size", i, SameSize(field.type), field.size);
      if (field.size != 0 && !SameSize(field.type).empty())
        Retype("retype, other size", i, OtherSize(field.type), field.size == 8 ? 4 : 8);
      Retype("resize an array", i, Longer(field.type), field.size + 1);
      Retype("change a container", i, OtherContainer(field.type), 0);
      MoveGate(i);
      if (!field.condition.empty())
        Try("condition", i, [&](RecordedType& type) {
          type.layout.fields[i].condition = fmt::format("!({})", field.condition);
        });
    }
    for (std::size_t i = 0; i < recorded_.removed.size(); ++i) MutateRem(i);
  }

 private:
  std::string PlaceName(const std::string& field) const {
    return recorded_.layout.type + "." + field;
  }

  void Try(const std::string& mutation, const std::string& field, const RecordedType& mutated) {
    const auto changes =
        CompareLayouts(mutated, now_, revision_.number, history_.oldest(), newest_, renames_);
    table_.Note(mutation, PlaceName(field), Seen::Layout, !changes.empty());
  }
  void Try(const std::string& mutation, std::size_t i,
           const std::function<void(RecordedType&)>& mutate) {
    RecordedType mutated = recorded_;
    mutate(mutated);
    const LayoutField& field = recorded_.layout.fields[i];
    Try(mutation, field.form == "integrity" ? "CHECK_INTEGRITY" : field.name, mutated);
  }
  void Retype(const std::string& mutation, std::size_t i, const std::string& type,
              std::uint32_t size) {
    if (type.empty()) return;
    Try(mutation, i, [&](RecordedType& mutated) {
      mutated.layout.fields[i].type = type;
      mutated.layout.fields[i].size = size;
    });
  }
  static void Erase(RecordedType& type, std::size_t i) {
    type.layout.fields.erase(type.layout.fields.begin() + static_cast<std::ptrdiff_t>(i));
  }
  static void InsertGone(RecordedType& type, std::size_t i) {
    LayoutField gone = type.layout.fields[i];
    gone.name += "_gone";
    type.layout.fields.insert(type.layout.fields.begin() + static_cast<std::ptrdiff_t>(i), gone);
  }
  static void MoveAway(RecordedType& type, std::size_t i) {
    auto& fields = type.layout.fields;
    const auto at = fields.begin() + static_cast<std::ptrdiff_t>(i);
    if (i + 1 == fields.size()) {
      std::rotate(fields.begin(), at, fields.end());
    } else {
      std::rotate(at, at + 1, fields.end());
    }
  }
  void SwapWithNext(std::size_t i) {
    const auto& fields = recorded_.layout.fields;
    for (std::size_t k = i + 1; k < fields.size(); ++k) {
      if (fields[k].type != fields[i].type || fields[k].name.empty() ||
          fields[k].form == "integrity")
        continue;
      Try("swap, same type", i, [&](RecordedType& type) {
        LayoutField &one = type.layout.fields[i], &other = type.layout.fields[k];
        std::swap(one, other);
        // Placeholder names are positions, so do not swap them.
        if (IsPlace(one.name) && IsPlace(other.name)) std::swap(one.name, other.name);
      });
      return;
    }
  }
  /// Moves the field's gate to a different revision.
  void MoveGate(std::size_t i) {
    const LayoutField& field = recorded_.layout.fields[i];
    if (field.since.empty()) return;
    for (const Revision& other : history_.revisions()) {
      if (other.number == std::max(field.since_number, history_.oldest())) continue;
      Try("gate moved", i, [&](RecordedType& type) {
        type.layout.fields[i].since = other.name;
        type.layout.fields[i].since_number = other.number;
      });
      return;
    }
  }
  void MutateRem(std::size_t i) {
    const LayoutField& field = recorded_.removed[i];
    RecordedType mutated = recorded_;
    LayoutField& other = mutated.removed[i];
    if (history_.revisions().size() > 1) {
      other.until_number = field.since_number;
      other.until = field.since;
      Try("REM range", field.name, mutated);
    }
    other = field;
    other.type = SameSize(field.type).empty() ? "u8" : SameSize(field.type);
    Try("REM type", field.name, mutated);
    if (field.fallback.empty()) return;
    other = field;
    other.fallback += "1";
    Try("REM default", field.name, mutated);
  }

  const RecordedType& recorded_;
  const TypeTrace& now_;
  const Revision& revision_;
  const RecordedType* newest_;
  const History& history_;
  const Renames& renames_;
  SelfTestTable& table_;
};

void MutateEnum(const revctl::EnumLayout& recorded, const revctl::EnumLayout& now,
                SelfTestTable& table) {
  revctl::EnumLayout mutated = recorded;
  mutated.underlying = recorded.underlying == "i64" ? "i32" : "i64";
  table.Note("enum width", recorded.type, Seen::Layout, CompareEnums(mutated, now).Breaks());
  for (std::size_t i = 0; i + 1 < recorded.enumerators.size(); ++i) {
    mutated = recorded;
    std::swap(mutated.enumerators[i].second, mutated.enumerators[i + 1].second);
    table.Note("enum order", recorded.type + "." + recorded.enumerators[i].first, Seen::Layout,
               CompareEnums(mutated, now).Breaks());
  }
}

}  // namespace

void MutateLayouts(const RootType& root, const History& history, const SelfTestOptions& options,
                   SelfTestTable& table) {
  if (history.newest_recorded() == History::none()) return;
  TypeRun run(root, history, options.seed);
  Renames renames = options.renames;
  AddNamesOfLocals(history, run.At(history.latest().number, {}).layouts, renames);
  for (std::size_t i = 0; i <= history.newest_recorded(); ++i) {
    const Revision& revision = history.revisions()[i];
    if (revision.number < root.entry.since || history.TypeAt(root.name, i) == nullptr) continue;
    std::vector<const Golden*> goldens;
    for (const Golden& golden : history.Goldens(root.name)) {
      if (golden.revision == i) goldens.push_back(&golden);
    }
    const RevisionRun now = run.At(revision.number, goldens);
    for (const auto& [name, trace] : now.layouts) {
      // Mutate an inherited layout only at the revision that recorded it.
      if (history.TypeRecordedAt(name, i) != i || history.TypeAt(name, i) == nullptr) continue;
      Mutator(*history.TypeAt(name, i), trace, revision,
              history.TypeAt(name, history.newest_recorded()), history, renames, table)
          .Run();
    }
    for (const auto& [name, layout] : now.enums) {
      if (const auto* recorded = history.EnumAt(name, i)) MutateEnum(*recorded, layout, table);
    }
  }
}

}  // namespace revctl::harness
