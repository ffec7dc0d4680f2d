#include "harness/schema/schema_changes.h"

#include <fmt/core.h>
#include <algorithm>

#include "golden/scalar_text.h"

namespace revctl::harness {
namespace {

using base::Json;
using revctl::EnumLayout;
using revctl::LayoutField;

bool SameName(const LayoutField& a, const LayoutField& b) {
  return a.name == b.name && (!a.name.empty() || (a.form == b.form && a.since == b.since));
}

const LayoutField* Find(const std::vector<LayoutField>& fields, const LayoutField& wanted) {
  const LayoutField* by_name = nullptr;
  for (const LayoutField& field : fields) {
    if (!SameName(field, wanted)) continue;
    if (field.since == wanted.since) return &field;  // a name may live twice
    if (by_name == nullptr) by_name = &field;
  }
  return by_name;
}

std::string NameOf(const LayoutField& field) {
  return field.name.empty() ? field.type : field.name;
}

/// Names of the fields that both have, in the order of `fields`.
std::string Order(const std::vector<LayoutField>& fields, const std::vector<LayoutField>& other) {
  std::string names;
  for (const LayoutField& field : fields) {
    if (Find(other, field)) names += (names.empty() ? "" : ", ") + NameOf(field);
  }
  return names;
}

void CompareFields(const std::string& type, const std::vector<LayoutField>& from,
                   const std::vector<LayoutField>& to, std::vector<SchemaChange>& out) {
  for (const LayoutField& field : from) {
    if (!Find(to, field))
      out.push_back({SchemaChange::Kind::Removed, type, NameOf(field), FieldText(field), ""});
  }
  for (const LayoutField& field : to) {
    const LayoutField* then = Find(from, field);
    if (!then) {
      out.push_back({SchemaChange::Kind::Added, type, NameOf(field), "", FieldText(field)});
    } else if (then->type != field.type || then->size != field.size ||
               then->condition != field.condition) {
      out.push_back(
          {SchemaChange::Kind::Changed, type, NameOf(field), FieldText(*then), FieldText(field)});
    }
  }
  const std::string before = Order(from, to), after = Order(to, from);
  if (before != after) out.push_back({SchemaChange::Kind::Changed, type, "(order)", before, after});
}

std::string ValueText(const std::pair<std::string, std::int64_t>& value) {
  return fmt::format("{} = {}", value.first, value.second);
}

void CompareEnumerators(const std::string& type, const EnumLayout& from, const EnumLayout& to,
                        std::vector<SchemaChange>& out) {
  const auto has = [](const EnumLayout& layout, const auto& value) {
    return std::find(layout.enumerators.begin(), layout.enumerators.end(), value) !=
           layout.enumerators.end();
  };
  if (from.underlying != to.underlying)
    out.push_back(
        {SchemaChange::Kind::Changed, type, "(underlying)", from.underlying, to.underlying});
  for (const auto& value : from.enumerators) {
    if (!has(to, value))
      out.push_back({SchemaChange::Kind::Removed, type, value.first, ValueText(value), ""});
  }
  for (const auto& value : to.enumerators) {
    if (!has(from, value))
      out.push_back({SchemaChange::Kind::Added, type, value.first, "", ValueText(value)});
  }
}

}  // namespace

std::vector<SchemaChange> CompareSchemas(const Schema& from, const Schema& to) {
  std::vector<SchemaChange> out;
  for (const auto& [name, type] : to.types) {
    const auto before = from.types.find(name);
    if (before == from.types.end()) out.push_back({SchemaChange::Kind::Added, name, "", "", ""});
    CompareFields(
        name,
        before == from.types.end() ? std::vector<LayoutField>() : before->second.layout.fields,
        type.layout.fields, out);
  }
  for (const auto& [name, type] : from.types) {
    if (!to.types.contains(name)) out.push_back({SchemaChange::Kind::Removed, name, "", "", ""});
  }
  for (const auto& [name, layout] : to.enums) {
    const auto before = from.enums.find(name);
    if (before == from.enums.end()) out.push_back({SchemaChange::Kind::Added, name, "", "", ""});
    CompareEnumerators(
        name, before == from.enums.end() ? EnumLayout{name, layout.underlying, {}} : before->second,
        layout, out);
  }
  for (const auto& [name, layout] : from.enums) {
    if (!to.enums.contains(name)) out.push_back({SchemaChange::Kind::Removed, name, "", "", ""});
  }
  return out;
}

std::string ChangesText(const std::vector<SchemaChange>& changes) {
  std::string out;
  for (const SchemaChange& change : changes) {
    const std::string dot = change.field.empty() ? "" : ".";
    if (change.kind != SchemaChange::Kind::Added)
      out += fmt::format("- {}{}{}\n", change.type, dot, change.before);
    if (change.kind != SchemaChange::Kind::Removed)
      out += fmt::format("+ {}{}{}\n", change.type, dot, change.after);
  }
  return out;
}

Json::List ChangesJson(const std::vector<SchemaChange>& changes) {
  Json::List out;
  for (const SchemaChange& change : changes) {
    const char* kind = change.kind == SchemaChange::Kind::Added     ? "added"
                       : change.kind == SchemaChange::Kind::Removed ? "removed"
                                                                    : "changed";
    out.push_back(Json::Object()
                      .Set("change", kind)
                      .Set("type", change.type)
                      .Set("field", change.field)
                      .Set("before", change.before)
                      .Set("after", change.after));
  }
  return out;
}

}  // namespace revctl::harness
