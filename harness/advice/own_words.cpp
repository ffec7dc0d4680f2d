#include "harness/advice/own_words.h"

#include <fmt/core.h>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "harness/advice/code_lines.h"
#include "harness/layout/fields.h"

namespace revctl::harness {
namespace {

using WordValues = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Replaces each `{name}` with its value. Keeps braces that contain no known name.
std::string Filled(std::string_view words, WordValues values) {
  std::string line;
  while (!words.empty()) {
    bool replaced = false;
    for (const auto& [name, value] : values) {
      if (words.substr(0, name.size()) != name) continue;
      line += value;
      words.remove_prefix(name.size());
      replaced = true;
      break;
    }
    if (replaced) continue;
    line += words.front();
    words.remove_prefix(1);
  }
  return line;
}

}  // namespace

std::string LastField(const std::string& path) {
  std::string name = path.substr(path.rfind('.') + 1);
  return name.substr(0, name.find_first_of("[#~"));
}

std::string AddFieldLine(const OwnWords& words, const std::string& field,
                         const std::string& revision, const std::string& fallback) {
  if (words.add_field == nullptr)
    return fmt::format(
        "save and load {} only in {} and later, and set it to a default when reading older "
        "files",
        field, revision);
  return Filled(words.add_field,
                {{"{field}", field}, {"{revision}", revision}, {"{default}", fallback}});
}

std::string RemoveFieldLine(const OwnWords& words, const std::string& field,
                            const std::string& revision, const std::string& type) {
  if (words.remove_field == nullptr)
    return fmt::format("load {} at its old position, but only from files older than {}", field,
                       revision);
  return Filled(words.remove_field,
                {{"{field}", field}, {"{revision}", revision}, {"{type}", type}});
}

std::string UpgradeLineOf(const OwnWords& words, const std::string& field,
                          const std::string& revision, const std::string& value) {
  if (words.upgrade == nullptr)
    return fmt::format("set {} to {} in files older than {}", field, value, revision);
  return Filled(words.upgrade, {{"{field}", field}, {"{revision}", revision}, {"{value}", value}});
}

std::string RefuseWords(const OwnWords& words, bool own_streams) {
  if (words.refuse != nullptr) return words.refuse;
  return own_streams ? "an error from your reader" : "r.Fail(reason)";
}

namespace {

/// Returns the line that adds a member to the list of values.
std::string ListedLine(const ChangePlace& place, const revctl::LayoutField& now,
                       const std::string& since) {
  return place.state_list ? fmt::format("X({}, {}, VARIABLE)", since, now.name)
                          : AddLine(now, since);
}

/// Returns the line that replaces a member's line in the list of values.
std::string RemovedLine(const ChangePlace& place, const revctl::LayoutField& recorded,
                        const std::string& until) {
  return place.state_list ? fmt::format("X(({}, {}), {}, {}{{}})", Since(recorded), until,
                                        recorded.name, CppType(recorded.type))
                          : RemLine(recorded, until);
}

}  // namespace

void SayInOwnWords(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const OwnWords& words = *place.words;
  const std::string field = LastField(change.field);
  switch (change.cause) {
    case Cause::AddedWithoutRevision: {
      if (change.now == nullptr || IsRem(*change.now)) return;
      const NewRevision next = Reserve(place.prefix, place.pending, UpperSnake(field));
      advice.after = fmt::format("{}{}\nin the list of values, write: {}", next.command,
                                 AddFieldLine(words, field, next.symbol, "0"),
                                 ListedLine(place, *change.now, next.symbol));
      return;
    }
    case Cause::RemovedWithoutRem: {
      const NewRevision next = Reserve(place.prefix, place.pending, UpperSnake(field), "REMOVED");
      advice.before = fmt::format("save and load {} as recorded", field);
      advice.after =
          fmt::format("{}{}\nin the list of values, write: {}", next.command,
                      RemoveFieldLine(words, field, next.symbol, CppType(change.recorded->type)),
                      RemovedLine(place, *change.recorded, next.symbol));
      return;
    }
    case Cause::Retyped:
    case Cause::RetypedSameSize:
    case Cause::ContainerChanged:
    case Cause::Resized: {
      if (change.now == nullptr || IsRem(*change.now) || change.recorded->name.empty()) return;
      const NewRevision next = Reserve(place.prefix, place.pending, UpperSnake(field), "CHANGED");
      advice.before = fmt::format("restore the type: {} {}", CppType(change.recorded->type), field);
      advice.after =
          fmt::format("{}{}\n{}\nin the list of values, write: {}\n{}", next.command,
                      RemoveFieldLine(words, field, next.symbol, CppType(change.recorded->type)),
                      AddFieldLine(words, field, next.symbol, field),
                      RemovedLine(place, *change.recorded, next.symbol),
                      ListedLine(place, *change.now, next.symbol));
      return;
    }
    default:
      return;  // all other causes affect only the list of values
  }
}

}  // namespace revctl::harness
