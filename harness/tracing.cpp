#include "harness/tracing.h"

#include <unordered_map>
#include <utility>

#include "golden/revision_text.h"
#include "harness/wire_type.h"

namespace harness {
namespace {

using revctl::FieldVisit;
using revctl::TypeInfo;

/// A binary tracer over whose shoulder LayoutNotes look.
template <class Tracer>
class Noting : public Tracer {
 public:
  using Tracer::Tracer;

  void BeginRecord(const TypeInfo& type, void* object) override {
    notes.BeginRecord(type, object, this->revision);
    Tracer::BeginRecord(type, object);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    Tracer::EndRecord(type, object);
    notes.EndRecord(this->revision);
  }
  void Field(const FieldVisit& field) override {
    notes.Field(field, this->revision);
    Tracer::Field(field);
  }
  void Integrity(const FieldVisit& field) override {
    notes.Integrity(field, this->revision);
    Tracer::Integrity(field);
  }

  LayoutNotes notes;
};

bool IsDigits(const std::string& text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

void TakeLeaves(std::vector<revctl::TraceLeaf> leaves, const TypeInfo& root, Traced& traced) {
  const std::string name = RootName(root);
  std::unordered_map<std::string, int> seen;
  traced.leaves.reserve(leaves.size());
  traced.offsets.reserve(leaves.size());
  for (revctl::TraceLeaf& leaf : leaves) {
    std::string path = leaf.path.substr(leaf.path.starts_with(name) ? name.size() : 0);
    if (path.starts_with('.')) path.erase(0, 1);
    if (path.empty()) path = "value";
    // A body may visit one place twice; a record of values has each path once.
    const int again = ++seen[path];
    if (again > 1) path += "~" + std::to_string(again);
    if (!IsNumber(leaf.type) && IsDigits(leaf.text)) traced.nameless.emplace_back(path, leaf.type);
    traced.leaves.push_back({std::move(path), golden::CanonicalText(leaf.text)});
    traced.offsets.push_back(leaf.offset);
  }
}

template <class Tracer>
void TakeOutcome(Noting<Tracer>& tracer, const TypeInfo& root, Traced& traced) {
  traced.ok = tracer.Ok();
  if (!traced.ok) {
    const revctl::ArchiveError error = tracer.error();
    traced.path = BelowRoot(error.path, root);
    traced.reason = error.reason;
    traced.offset = error.offset;
    traced.refused = error.refused;
  }
  TakeLeaves(tracer.TakeLeaves(), root, traced);
  traced.notes = std::move(tracer.notes);
}

}  // namespace

std::string RootName(const TypeInfo& type) {
  std::string name = type.name();
  const auto colon = name.substr(0, name.find('<')).rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

std::string BelowRoot(const std::string& path, const TypeInfo& root) {
  const std::string name = RootName(root);
  std::string below = path.starts_with(name) ? path.substr(name.size()) : path;
  if (below.starts_with('.')) below.erase(0, 1);
  return below;
}

std::string PlaceOf(const std::string& path) {
  std::string place;
  for (std::size_t i = 0; i < path.size(); ++i) {
    place += path[i];
    if (path[i] != '[') continue;
    while (i + 1 < path.size() && path[i + 1] != ']') ++i;
  }
  return place;
}

Traced TraceWrite(const TypeInfo& type, void* object, std::int64_t number) {
  Noting<revctl::TraceWriter> tracer{revctl::Revision(number)};
  tracer.VisitRoot(type, object);
  Traced traced;
  traced.bytes.assign(tracer.Bytes().begin(), tracer.Bytes().end());
  TakeOutcome(tracer, type, traced);
  return traced;
}

Traced TraceRead(const TypeInfo& type, std::span<const std::byte> bytes, std::int64_t number,
                 void* object) {
  Noting<revctl::TraceReader> tracer(bytes, revctl::Revision(number));
  tracer.VisitRoot(type, object);
  Traced traced;
  traced.at_end = tracer.AtEnd();
  TakeOutcome(tracer, type, traced);
  return traced;
}

LayoutNotes NotesOfReading(const TypeInfo& type, std::span<const std::byte> bytes,
                           std::int64_t number, void* object) {
  Noting<revctl::TraceReader> tracer(bytes, revctl::Revision(number));
  tracer.CollectLeaves(false);
  tracer.VisitRoot(type, object);
  return std::move(tracer.notes);
}

std::vector<revctl::LayoutField> TraceDefaults(const TypeInfo& record, void* object,
                                               std::int64_t number) {
  Noting<revctl::TraceWriter> tracer{revctl::Revision(number)};
  tracer.notes = LayoutNotes(/*defaults=*/true);
  tracer.CollectLeaves(false);
  tracer.VisitRoot(record, object);
  auto layouts = tracer.notes.Layouts(number);
  const auto own = layouts.find(record.name());
  return own == layouts.end() ? std::vector<revctl::LayoutField>() : std::move(own->second.removed);
}

}  // namespace harness
