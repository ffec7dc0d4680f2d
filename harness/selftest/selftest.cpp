#include "harness/selftest/selftest.h"

#include <algorithm>

#include "harness/source_place.h"

namespace harness {

const std::vector<std::string> kTaxonomy = {
    "add a field",       "remove a field",     "reorder",         "swap of the same type",
    "retype, same size", "retype, other size", "resize an array", "change a container",
    "enum width",        "enum order",         "gate moved",      "REM range",
    "REM type",          "REM default",        "condition",       "default value",
    "upgrade lost",      "counter moved",      "endianness",      "renumbered revision"};

const char* Name(Seen signal) {
  switch (signal) {
    case Seen::Layout:
      return "layout";
    case Seen::Bytes:
      return "bytes";
    case Seen::Value:
      return "value";
    case Seen::Upgrade:
      return "upgrade";
  }
  return "";
}

void SelfTestTable::Note(const std::string& mutation, const std::string& place, Seen signal,
                         bool caught) {
  bool& known = places_[mutation][place][signal];
  known = known || caught;
}

std::vector<SelfTestTable::Row> SelfTestTable::Rows() const {
  std::vector<Row> rows;
  for (const std::string& mutation : kTaxonomy) {
    Row row;
    row.mutation = mutation;
    const auto found = places_.find(mutation);
    if (found != places_.end()) {
      for (const auto& [place, signals] : found->second) {
        bool any = false;
        for (const auto& [signal, caught] : signals) {
          ++row.signals[signal].places;
          row.signals[signal].caught += caught;
          any = any || caught;
        }
        ++row.any.places;
        row.any.caught += any;
        if (!any) row.missed.push_back(place);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

/// `players[1]` and `players#count` as `players`.
std::string FieldOf(const std::string& component) {
  return component.substr(0, component.find_first_of("[#~"));
}

const revctl::LayoutField* FieldIn(const golden::RecordedType* type, const std::string& name) {
  if (type == nullptr) return nullptr;
  for (const revctl::LayoutField& field : type->layout.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

/// The record type that a field holds and that has a field called `next`.
std::string Inside(const History& history, std::size_t revision, const revctl::LayoutField& field,
                   const std::string& next) {
  for (const std::string& type : history.RecordedTypes()) {
    if (Mentions(field.type, type) && FieldIn(history.TypeAt(type, revision), next) != nullptr)
      return type;
  }
  return "";
}

}  // namespace

std::string PlaceOf(const RootType& root, const History& history, std::size_t revision,
                    const std::string& path) {
  std::string type = root.name;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = path.find('.', begin);
    const std::string name = FieldOf(path.substr(begin, dot - begin));
    if (name.empty()) return type + ".CHECK_INTEGRITY";
    if (dot == std::string::npos) return type + "." + name;
    const revctl::LayoutField* field = FieldIn(history.TypeAt(type, revision), name);
    const std::string next = FieldOf(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1));
    const std::string inside = field ? Inside(history, revision, *field, next) : "";
    if (inside.empty()) return type + "." + name;
    type = inside;
    begin = dot + 1;
  }
}

SelfTestTable SelfTest(const Registry& registry, const History& history,
                       const SelfTestOptions& options) {
  SelfTestTable table;
  for (const RootType& root : registry.types) {
    if (!options.type.empty() && root.name != options.type) continue;
    MutateLayouts(root, history, options.seed, table);
    std::map<std::size_t, std::size_t> taken;  // by revision
    for (const Golden& golden : history.Goldens(root.name)) {
      if (taken[golden.revision]++ < options.most_goldens)
        MutatePayload(root, history, golden, table);
    }
  }
  return table;
}

}  // namespace harness
