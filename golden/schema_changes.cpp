#include "golden/schema_changes.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "golden/text/scalar_text.h"

namespace revctl::golden {

using revctl::EnumLayout;
using revctl::LayoutField;

std::string FieldText(const LayoutField& field) {
  std::string text = "{";
  if (!field.name.empty()) text += fmt::format("name: {}, ", golden::PlainOrQuoted(field.name));
  text += "type: " + golden::PlainOrQuoted(field.type);
  if (field.size != 0) text += fmt::format(", size: {}", field.size);
  if (!field.since.empty()) text += ", since: " + golden::PlainOrQuoted(field.since);
  if (!field.until.empty()) text += ", until: " + golden::PlainOrQuoted(field.until);
  if (!field.condition.empty()) text += ", condition: " + golden::Quote(field.condition);
  return text + "}";
}

namespace {

bool SameName(const LayoutField& a, const LayoutField& b) {
  return a.name == b.name && (!a.name.empty() || (a.form == b.form && a.since == b.since));
}

const LayoutField* Find(const std::vector<LayoutField>& fields, const LayoutField& wanted) {
  const LayoutField* by_name = nullptr;
  for (const LayoutField& field : fields) {
    if (!SameName(field, wanted)) continue;
    // Several fields may have the same name, with different first revisions.
    if (field.since == wanted.since) return &field;
    if (by_name == nullptr) by_name = &field;
  }
  return by_name;
}

std::string NameOf(const LayoutField& field) {
  return field.name.empty() ? field.type : field.name;
}

/// Returns the names of fields that are in both lists, in the order of `fields`.
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
      out.push_back(
          {SchemaChange::Kind::Removed, type, NameOf(field), FieldText(field), "", field.type, ""});
  }
  for (const LayoutField& field : to) {
    const LayoutField* then = Find(from, field);
    if (!then) {
      out.push_back(
          {SchemaChange::Kind::Added, type, NameOf(field), "", FieldText(field), "", field.type});
    } else if (then->type != field.type || then->size != field.size ||
               then->condition != field.condition) {
      out.push_back({SchemaChange::Kind::Changed, type, NameOf(field), FieldText(*then),
                     FieldText(field), then->type, field.type});
    }
  }
  const std::string before = Order(from, to), after = Order(to, from);
  if (before != after) out.push_back({SchemaChange::Kind::Changed, type, "(order)", before, after});
}

std::string EnumeratorText(const std::pair<std::string, std::int64_t>& value) {
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
      out.push_back({SchemaChange::Kind::Removed, type, value.first, EnumeratorText(value), ""});
  }
  for (const auto& value : to.enumerators) {
    if (!has(from, value))
      out.push_back({SchemaChange::Kind::Added, type, value.first, "", EnumeratorText(value)});
  }
}

/// Formats a name as Markdown code. Type names may contain any character except a backtick.
std::string Code(std::string_view text) { return fmt::format("`{}`", text); }

std::string InWords(const SchemaChange& change) {
  const std::string what =
      Code(change.field.empty() ? change.type : change.type + "." + change.field);
  if (change.field.empty())
    return what + (change.kind == SchemaChange::Kind::Added ? ": new type" : ": type removed");
  const bool is_field = !change.before_type.empty() || !change.after_type.empty();
  switch (change.kind) {
    case SchemaChange::Kind::Added:
      return what + " added" + (is_field ? ": " + Code(change.after_type) : "");
    case SchemaChange::Kind::Removed:
      return what + " removed" + (is_field ? ", was " + Code(change.before_type) : "");
    case SchemaChange::Kind::Changed:
      break;
  }
  const bool retyped = change.before_type != change.after_type;
  return fmt::format("{}: {} → {}", what, Code(retyped ? change.before_type : change.before),
                     Code(retyped ? change.after_type : change.after));
}

}  // namespace

std::vector<SchemaChange> ChangesBetween(const Layouts& from, const Layouts& to) {
  std::vector<SchemaChange> out;
  for (const auto& [name, layout] : to.types) {
    const auto before = from.types.find(name);
    if (before == from.types.end()) out.push_back({SchemaChange::Kind::Added, name, "", "", ""});
    CompareFields(name,
                  before == from.types.end() ? std::vector<LayoutField>() : before->second.fields,
                  layout.fields, out);
  }
  for (const auto& [name, layout] : from.types) {
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

std::string DescribeChanges(const std::vector<SchemaChange>& changes, std::string_view revision) {
  std::string out;
  std::set<std::string> new_types;
  for (const SchemaChange& change : changes) {
    // The fields of a new type do not count as changes.
    if (change.field.empty() && change.kind == SchemaChange::Kind::Added)
      new_types.insert(change.type);
    else if (new_types.contains(change.type)) continue;
    out += fmt::format("- {} at {}\n", InWords(change), Code(revision));
  }
  return out;
}

std::vector<SchemaChange> ApplyRecord(const RevisionRecord& record, Layouts& layouts) {
  Layouts before, after;
  for (const RecordedType& type : record.types) {
    after.types[type.layout.type] = type.layout;
    const auto then = layouts.types.find(type.layout.type);
    if (then != layouts.types.end()) before.types.insert(*then);
    layouts.types[type.layout.type] = type.layout;
  }
  for (const EnumLayout& layout : record.enums) {
    after.enums[layout.type] = layout;
    const auto then = layouts.enums.find(layout.type);
    if (then != layouts.enums.end()) before.enums.insert(*then);
    layouts.enums[layout.type] = layout;
  }
  return ChangesBetween(before, after);
}

}  // namespace revctl::golden
