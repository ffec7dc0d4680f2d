#include "harness/schema/schema.h"

#include <fmt/core.h>
#include <algorithm>

#include <revctl/detail/binary/file_header.h>

#include "golden/text/scalar_text.h"
#include "harness/samples/type_run.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

using base::Json;
using revctl::LayoutField;

namespace {

/// Formats all properties of a field on one line, in the form that records use.
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

/// Replaces enums of the current code with the recorded enums, because the current code does not
/// know which enumerators an older revision had. Does nothing for revisions after the newest
/// recorded one.
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

golden::Layouts LayoutsOf(const Schema& schema) {
  golden::Layouts out{{}, schema.enums};
  for (const auto& [name, type] : schema.types) out.types[name] = type.layout;
  return out;
}

}  // namespace

std::vector<SchemaChange> CompareSchemas(const Schema& from, const Schema& to) {
  return golden::ChangesBetween(LayoutsOf(from), LayoutsOf(to));
}

std::vector<SchemaChange> RecordedChanges(const History& history, std::size_t index) {
  const golden::StoredRecord* stored = history.revisions()[index].record;
  if (stored == nullptr) return {};
  golden::Layouts before;
  if (index > 0) {
    for (const auto& type : stored->record.types) {
      if (const auto* then = history.TypeAt(type.layout.type, index - 1))
        before.types[type.layout.type] = then->layout;
    }
    for (const auto& layout : stored->record.enums) {
      if (const auto* then = history.EnumAt(layout.type, index - 1))
        before.enums[layout.type] = *then;
    }
  }
  return golden::ApplyRecord(stored->record, before);
}

std::string UnlandedChanges(const History& history, const Landed& landed) {
  std::string out;
  if (!landed.known()) return out;
  for (std::size_t i = 0; i < history.revisions().size(); ++i) {
    const Revision& revision = history.revisions()[i];
    if (!landed.Has(revision.name))
      out += golden::DescribeChanges(RecordedChanges(history, i), revision.name);
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
