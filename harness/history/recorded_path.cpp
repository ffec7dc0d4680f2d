#include "harness/history/recorded_path.h"

#include "harness/trace/source_place.h"

namespace revctl::harness {
namespace {

/// `players[1]` and `players#count` as `players`.
std::string ComponentName(const std::string& component) {
  return component.substr(0, component.find_first_of("[#~"));
}

const revctl::LayoutField* RecordedField(const golden::RecordedType* type,
                                         const std::string& name) {
  if (type == nullptr) return nullptr;
  for (const revctl::LayoutField& field : type->layout.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

/// The record type that a field holds and that has a field called `next`.
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

}  // namespace revctl::harness
