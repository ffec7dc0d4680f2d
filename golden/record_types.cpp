#include "golden/record_types.h"

#include <fmt/core.h>
#include <algorithm>

#include "golden/revision_text.h"

namespace revctl::golden {
namespace {

/// Adds every part of a wire type that can be a type's name. False where it is nested too deep.
bool AddNames(std::string_view wire, std::vector<std::string>& names) {
  std::vector<std::size_t> outer;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::string_view name = wire.substr(begin, end - begin);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
  };
  for (std::size_t i = 0; i < wire.size(); ++i) {
    if (wire[i] == '<') {
      if (outer.size() == kDeepestWireType) return false;
      add(i);
      outer.push_back(begin);
      begin = i + 1;
    } else if (wire[i] == ',') {
      add(i);
      begin = i + 1;
    } else if (wire[i] == '>' && !outer.empty()) {
      add(i);
      begin = outer.back();  // the whole of it ends at what follows
      outer.pop_back();
    }
  }
  add(wire.size());
  return true;
}

void Sort(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

/// The name of a type one of whose fields is nested too deep; empty where none is.
std::string Take(const RevisionRecord& record, RecordTypes& out) {
  std::string deep;
  out.revision = record.revision;
  out.number = record.number;
  out.previous = record.previous;
  out.behind = record.behind;
  for (const RecordedType& type : record.types) {
    RecordTypes::Parts& parts = out.layouts.emplace_back();
    parts.type = type.layout.type;
    for (const auto* fields : {&type.layout.fields, &type.removed}) {
      for (const revctl::LayoutField& field : *fields) {
        if (!AddNames(field.type, parts.names)) deep = parts.type;
      }
    }
    Sort(parts.names);
  }
  for (const revctl::EnumLayout& layout : record.enums) out.enums.push_back(layout.type);
  for (const Case& item : record.cases) {
    if (out.roots.empty() || out.roots.back() != item.type) out.roots.push_back(item.type);
    out.cases.push_back(item.type + "/" + item.name);
  }
  for (const Upgrade& upgrade : record.upgrades) out.roots.push_back(upgrade.type);
  Sort(out.roots);
  Sort(out.cases);
  return deep;
}

}  // namespace

RecordTypes TypesOf(const RevisionRecord& record) {
  RecordTypes out;
  Take(record, out);
  return out;
}

Result<RecordTypes> ReadRecordTypes(std::string_view text, std::string_view file) {
  TRY(const auto record, ParseRecord(text, file));
  RecordTypes out;
  if (const std::string deep = Take(record, out); !deep.empty())
    return FileError(std::string(file), 0,
                     fmt::format("a field of {} has more than {} types within each other",
                                 deep.substr(0, 80), kDeepestWireType));
  return out;
}

}  // namespace revctl::golden
