#include "revctl/list/writing/codegen.h"

#include <fmt/core.h>
#include <algorithm>
#include <limits>

#include "revctl/list/reading/source.h"

namespace revctl::list {
namespace {

std::string NumberText(std::int64_t number) {
  if (number == std::numeric_limits<std::int64_t>::min())
    return "-9223372036854775807 - 1";  // C++ has no literal for INT64_MIN
  return std::to_string(number);
}

/// True if the file's code contains the name, for example as a macro, constant or enumerator.
bool HasName(const RevisionList& list, const std::string& name) {
  detail::Problem ignored;
  const auto file = detail::Lex(list.text, ignored);
  return file &&
         std::any_of(file->tokens.begin(), file->tokens.end(), [&name](const detail::Token& token) {
           return token.IsName() && token.text == name;
         });
}

/// Returns `::game::Revision`, or the `decltype` of an entry if the enum is anonymous.
std::string EnumType(const RevisionList& list, const std::string& entry) {
  if (!list.qualified_enum.empty()) return "::" + list.qualified_enum;
  return fmt::format("decltype(::{}{})", list.scope.empty() ? "" : list.scope + "::", entry);
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// Returns a name such as `::game::Revision::SR_FOULS`. Omits the enum's name if the enum is
/// anonymous.
std::string QualifiedEntry(const RevisionList& list, const std::string& entry) {
  if (!list.enum_name.empty()) return fmt::format("::{}::{}", list.qualified_enum, entry);
  return fmt::format("::{}{}", list.scope.empty() ? "" : list.scope + "::", entry);
}

/// Returns static assertions that the compiler computes the same numbers as revctl. The assertions
/// fail if the table or an include file of pending revisions is older than the list, or if the list
/// depends on a macro that the build sets and revctl does not.
std::string Assertions(const RevisionList& list) {
  std::string out = "\n";
  for (const Entry* entry : list.Revisions())
    out += fmt::format(
        "static_assert(static_cast<long long>({}) == {}, \"{} has a different number in this "
        "build: the table is out of date (run revctl sync and build again), or numbers in the list "
        "depend on a build option (-D), which is not supported\");\n",
        QualifiedEntry(list, entry->name), NumberText(entry->number), entry->name);
  return out;
}

/// Returns the definition of a constant for the newest revision, in the enum's namespace. Returns
/// "" if the enum is in a class, because a class cannot be reopened, or if the constant's name is
/// already used.
std::string LatestDefinition(const RevisionList& list, const ListConfig& config,
                             const Entry& latest) {
  const std::string name = config.prefix + "LATEST";
  if (list.in_class || HasName(list, name)) return {};
  const std::string definition =
      fmt::format("inline constexpr {} {} = {};\n", EnumType(list, latest.name), name,
                  QualifiedEntry(list, latest.name));
  if (list.scope.empty()) return "\n" + definition;
  return fmt::format("\nnamespace {} {{\n{}}}  // namespace {}\n", list.scope, definition,
                     list.scope);
}

}  // namespace

base::Result<std::string> GenerateTable(const RevisionList& list, const ListConfig& config,
                                        const std::vector<Lineage>& lineages,
                                        std::string_view include_path) {
  const Entry* const latest = list.Latest();
  if (latest == nullptr || lineages.empty()) {
    return base::Error{base::Exit::Usage, list.path + ": this list has no revisions yet",
                       fmt::format("revctl reserve {}INITIAL", config.prefix)};
  }
  if (include_path.find_first_of("\"\n\r<>") != include_path.npos) {
    return base::Error{base::Exit::Usage,
                       "the list's path contains characters that are not allowed in an #include",
                       {}};
  }
  std::int64_t oldest = lineages.front().number;
  if (!config.oldest.empty()) {
    const Entry* const entry = list.Find(config.oldest);
    if (entry == nullptr) {
      return base::Error{base::Exit::Usage,
                         fmt::format("{}: `oldest` names {}, which is not an entry of this list",
                                     list.path, config.oldest),
                         "correct `oldest` in .revctl.yaml"};
    }
    oldest = entry->number;
  }
  std::string out = fmt::format(
      "// Written by `revctl codegen` from the revision list; do not edit.\n"
      "#pragma once\n"
      "#include <revctl/list_table.h>\n"
      "\n"
      "#include \"{}\"\n"
      "{}\n"
      "namespace revctl {{\n"
      "template <>\n"
      "struct ListOf<{}> {{\n"
      "  static constexpr ListEntry entries[] = {{\n",
      include_path, LatestDefinition(list, config, *latest), EnumType(list, latest->name));
  for (const Lineage& lineage : lineages) {
    out += fmt::format("      {{\"{}\", {}, 0x{}u}},\n", Escaped(lineage.name),
                       NumberText(lineage.number), LineageText(lineage.hash));
  }
  out += fmt::format(
      "  }};\n"
      "  static constexpr ListTable table{{\"{}\", entries, {}}};\n"
      "  static inline const bool registered = RegisterList(table);\n"
      "}};\n"
      "namespace detail {{\n"
      "void TableIsIncluded(const ListAnchor&);  // never defined: lets Load(bytes, value) "
      "compile\n"
      "}}\n"
      "}}  // namespace revctl\n"
      "{}",
      Escaped(config.name), NumberText(oldest), Assertions(list));
  return out;
}

}  // namespace revctl::list
