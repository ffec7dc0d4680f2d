#include "harness/schema/schema.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>

#include <revctl/detail/binary/file_header.h>

#include "golden/scalar_text.h"
#include "harness/samples/type_run.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

using base::Json;
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

/// Formats all properties of a field on one line, as in records.
std::string WholeFieldText(const LayoutField& field) {
  std::string text = "{";
  if (!field.name.empty()) text += fmt::format("name: {}, ", golden::PlainOrQuoted(field.name));
  text += "type: " + golden::PlainOrQuoted(field.type);
  if (field.size != 0) text += fmt::format(", size: {}", field.size);
  text += ", form: " + golden::PlainOrQuoted(field.form);
  if (!field.since.empty())
    text += fmt::format(", since: {}, from: {}", golden::PlainOrQuoted(field.since),
                        field.since_number);
  if (!field.until.empty())
    text +=
        fmt::format(", until: {}, to: {}", golden::PlainOrQuoted(field.until), field.until_number);
  if (!field.condition.empty()) text += ", condition: " + golden::Quote(field.condition);
  if (!field.always) text += ", always: false";
  return text + "}";
}

}  // namespace

std::string SchemaText(const Schema& schema, const revctl::ListEntry& at) {
  std::string out = fmt::format("version: 1\nrevision: {}\nnumber: {}\nlineage: {}\ntypes:\n",
                                golden::PlainOrQuoted(at.name), at.number,
                                golden::Quote(revctl::LineageText(at.lineage)));
  for (const auto& [name, type] : schema.types) {
    out += fmt::format("  {}:{}\n", golden::KeyText(name), type.layout.fields.empty() ? " []" : "");
    for (const LayoutField& field : type.layout.fields)
      out += fmt::format("    - {}\n", WholeFieldText(field));
  }
  if (schema.enums.empty()) return out;
  out += "enums:\n";
  for (const auto& [name, layout] : schema.enums) {
    out += fmt::format("  {}:\n    underlying: {}\n    values: {{", golden::KeyText(name),
                       layout.underlying);
    for (std::size_t i = 0; i < layout.enumerators.size(); ++i) {
      const auto& [enumerator, value] = layout.enumerators[i];
      out += fmt::format("{}{}: {}", i ? ", " : "", golden::PlainOrQuoted(enumerator), value);
    }
    out += "}\n";
  }
  return out;
}

Json SchemaJson(const Schema& schema, const revctl::ListEntry& at) {
  Json::List types, enums;
  for (const auto& [name, type] : schema.types) {
    Json::List fields;
    for (const LayoutField& field : type.layout.fields) {
      Json one =
          Json::Object().Set("name", field.name).Set("type", field.type).Set("form", field.form);
      if (field.size != 0) one.Set("size", field.size);
      if (!field.since.empty()) one.Set("since", field.since).Set("from", field.since_number);
      if (!field.until.empty()) one.Set("until", field.until).Set("to", field.until_number);
      if (!field.condition.empty()) one.Set("condition", field.condition);
      if (!field.always) one.Set("always", false);
      fields.push_back(std::move(one));
    }
    types.push_back(Json::Object().Set("type", name).Set("fields", std::move(fields)));
  }
  for (const auto& [name, layout] : schema.enums) {
    Json::List values;
    for (const auto& [enumerator, value] : layout.enumerators)
      values.push_back(Json::Object().Set("name", enumerator).Set("value", value));
    enums.push_back(Json::Object()
                        .Set("type", name)
                        .Set("underlying", layout.underlying)
                        .Set("values", std::move(values)));
  }
  return Json::Object()
      .Set("version", 1)
      .Set("revision", at.name)
      .Set("number", at.number)
      .Set("lineage", revctl::LineageText(at.lineage))
      .Set("types", std::move(types))
      .Set("enums", std::move(enums));
}

namespace {

bool HasFieldsOf(const Schema& schema, const std::string& name) {
  return std::any_of(schema.types.begin(), schema.types.end(), [&](const auto& entry) {
    const auto& fields = entry.second.layout.fields;
    return std::any_of(fields.begin(), fields.end(), [&](const revctl::LayoutField& field) {
      return Mentions(field.type, name);
    });
  });
}

/// Replaces today's enums with recorded ones, because today's code does not know which enumerators
/// an older revision had. Revisions after the newest recorded one keep today's.
void TakeRecordedEnums(const History& history, std::int64_t number, Schema& schema) {
  std::erase_if(schema.enums, [&](const auto& entry) { return !HasFieldsOf(schema, entry.first); });
  const std::size_t newest = history.newest_recorded();
  for (std::size_t i = 0; newest != History::none() && i <= newest; ++i) {
    if (history.revisions()[i].number != number) continue;
    for (auto& [name, layout] : schema.enums) {
      if (const revctl::EnumLayout* recorded = history.EnumAt(name, i)) layout = *recorded;
    }
  }
}

}  // namespace

Schema SchemaAt(const Registry& registry, const History& history, const std::string& type,
                std::int64_t number, std::uint64_t seed) {
  const std::int64_t latest = history.latest().number;
  Schema schema;
  for (const RootType& root : registry.types) {
    if ((!type.empty() && root.name != type) || root.entry.since > number) continue;
    LayoutNotes notes;
    for (const Sample& sample : MakeSamples(root, latest, seed)) {
      const Object object = sample.make(number, &notes);
      notes.Merge(TraceWrite(root.type(), object.get(), number).notes);
    }
    schema.types.merge(notes.Layouts(number));
    schema.enums.merge(notes.Enums());
  }
  TakeRecordedEnums(history, number, schema);
  return schema;
}

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
    if (field.since == wanted.since) return &field;  // a name may occur at several gates
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

Schema RecordedSchema(const History& history, std::size_t index) {
  Schema out;
  for (const std::string& name : history.RecordedTypes()) {
    if (const golden::RecordedType* type = history.TypeAt(name, index))
      out.types[name].layout = type->layout;
  }
  for (const auto& [name, recorded] : history.enums()) {
    if (const EnumLayout* layout = history.EnumAt(name, index)) out.enums[name] = *layout;
  }
  return out;
}

namespace {

/// Returns a name as code. Names of types may contain any character but a backtick.
std::string Code(const std::string& text) { return "`" + text + "`"; }

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

std::string UnlandedChanges(const History& history, const Landed& landed) {
  std::string out;
  if (!landed.known()) return out;
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    const Revision& revision = history.revisions()[i];
    // The layouts of a revision without a record are unknown.
    if (landed.Has(revision.name) || revision.record == nullptr) continue;
    const Schema before = i == 0 ? Schema() : RecordedSchema(history, i - 1);
    std::set<std::string> new_types;
    for (const SchemaChange& change : CompareSchemas(before, RecordedSchema(history, i))) {
      // A new type's fields are not changes of a layout.
      if (change.field.empty() && change.kind == SchemaChange::Kind::Added)
        new_types.insert(change.type);
      else if (new_types.contains(change.type)) continue;
      out += fmt::format("- {} at {}\n", InWords(change), Code(revision.name));
    }
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
