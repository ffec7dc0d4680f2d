#include "revctl/generate/check_revisions.h"

#include "revctl/generate/cpp_text.h"

#include <fmt/core.h>

namespace revctl::generate {
namespace {

class Checker {
 public:
  Checker(std::string_view path, const Revisions& list) : path_(path), list_(list) {}

  std::optional<base::Error> Run(const Definition& definition) {
    for (const Struct& each : definition.structs) {
      OfStruct(each);
      for (const Version& version : each.versions) {
        for (const Field& field : version.fields)
          OfHeld(definition, each, version, field, field.type);
      }
    }
    for (const File& each : definition.files) {
      if (each.without_header.empty()) continue;
      const Struct& root = *definition.FindStruct(each.type);
      const std::int64_t* number = Number(each.without_header, each.without_header_place);
      const std::int64_t* first =
          Number(root.versions.front().since, root.versions.front().since_place);
      if (number != nullptr && first != nullptr && *number < *first) {
        Fail(each.without_header_place,
             fmt::format("{} did not exist yet at {}", root.name, each.without_header),
             root.versions.front().since + " or later");
      }
    }
    return error_;
  }

 private:
  void Fail(const Position& place, const std::string& message, std::string fix) {
    if (error_) return;
    error_ = base::Error{base::Exit::Usage, fmt::format("{}: {}", TextOf(path_, place), message),
                         std::move(fix)};
  }

  /// Returns the number of `SR_X` or `Enum::SR_X`. If the name is not in the list, reports an error
  /// and returns null.
  const std::int64_t* Number(std::string_view name, const Position& place) {
    const std::size_t colon = name.rfind(':');
    const std::string_view last = name.substr(colon == std::string_view::npos ? 0 : colon + 1);
    const auto found = list_.numbers.find(last);
    if (found != list_.numbers.end()) return &found->second;
    Fail(place, fmt::format("{} has no {}", list_.path, last),
         "correct the name, or run revctl reserve " + std::string(last));
    return nullptr;
  }

  void OfStruct(const Struct& of) {
    const std::int64_t* before = nullptr;
    for (const Version& version : of.versions) {
      const std::int64_t* number = Number(version.since, version.since_place);
      if (number != nullptr && before != nullptr && *number <= *before) {
        Fail(version.since_place,
             fmt::format("{} = {} must be greater than the number of the previous version, {}",
                         version.since, *number, *before),
             "sort the versions from oldest to newest");
      }
      before = number;
      for (const Field& field : version.fields) {
        for (const auto* code : {&field.fallback, &field.from, &field.older}) {
          if (*code) OfExpression(**code);
        }
      }
    }
  }

  /// Checks that no version of a struct contains another struct before that struct's first version.
  /// Such a field would write nothing, so the reader would read the next field in its place.
  void OfHeld(const Definition& definition, const Struct& by, const Version& version,
              const Field& field, const Type& type) {
    for (const Type& arg : type.args) OfHeld(definition, by, version, field, arg);
    const Struct* held = definition.FindStruct(type.name);
    if (held == nullptr) return;
    const std::int64_t* number = Number(version.since, version.since_place);
    const std::string& begins = held->versions.front().since;
    const std::int64_t* first = Number(begins, held->versions.front().since_place);
    if (number == nullptr || first == nullptr || *first <= *number) return;
    Fail(field.type_place,
         fmt::format("{} as of {} contains {}, which does not exist before {}", by.name,
                     version.since, held->name, begins),
         fmt::format("add a version of {} with `since: {}`, or a version of {} with `since: {}` "
                     "that adds field {}",
                     held->name, version.since, by.name, begins, field.name));
  }

  void OfExpression(const Code& code) {
    if (list_.prefix.empty()) return;
    for (const Word& word : WordsOf(code.text)) {
      if (word.text.starts_with(list_.prefix))
        Number(word.text, {code.place.line, code.place.column + static_cast<int>(word.at)});
    }
  }

  std::string_view path_;
  const Revisions& list_;
  std::optional<base::Error> error_;
};

}  // namespace

std::optional<base::Error> CheckRevisions(const Definition& definition, std::string_view path,
                                          const Revisions& list) {
  return Checker(path, list).Run(definition);
}

}  // namespace revctl::generate
