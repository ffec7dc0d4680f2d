#include "harness/trace/tracing.h"

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>

#include "golden/revision_record.h"
#include "harness/layout/fields.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/registry.h"

namespace revctl::harness {
namespace {

using revctl::FieldVisit;
using revctl::TypeInfo;

/// A TraceReader or TraceWriter that reports each call to its LayoutNotes, and records the steps of
/// the visit.
template <class Tracer>
class Noting : public Tracer {
 public:
  using Tracer::Bytes;
  template <class... Arguments>
  explicit Noting(Arguments&&... arguments) : Tracer(std::forward<Arguments>(arguments)...) {
    this->CollectPadding(false);  // padding contains no values
  }
  void CountSteps(bool count) { counts_steps_ = count; }

  void BeginRecord(const TypeInfo& type, void* object) override {
    notes.BeginRecord(type, object, this->revision);
    open_.push_back(last_);
    Tracer::BeginRecord(type, object);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    Tracer::EndRecord(type, object);
    notes.EndRecord(this->revision, this->Ok());
    NoteError();
    last_ = open_.back();
    open_.pop_back();
  }
  void Field(const FieldVisit& field) override {
    notes.Field(field, this->revision);
    See(field.site);
    if (!field.live || !field.condition) return Tracer::Field(field);
    // Identify the name by the address of its string literal. If a name has two addresses, the
    // steps differ, and callers compare the leaves instead.
    Step(Event::Field, reinterpret_cast<std::uintptr_t>(field.site.name));
    Tracer::Field(field);
    Step(Event::End, 0);
  }
  void Integrity(const FieldVisit& field) override {
    notes.Integrity(field, this->revision);
    See(field.site);
    Tracer::Integrity(field);
    if (field.live) Step(Event::Leaf, Offset());
  }
  void Scalar(const TypeInfo& type, void* value) override {
    Tracer::Scalar(type, value);
    Leaf(type);
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    const std::size_t leaves = this->Leaves().size();
    Tracer::Bytes(type, bytes);
    if (type.kind == revctl::Kind::String) NoteCount(leaves);
    Leaf(type);
  }
  void Block(const TypeInfo& type, void* numbers, std::size_t count) override {
    Tracer::Block(type, numbers, count);
    Leaf(type);
  }
  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    Leaf(type);
    const std::size_t leaves = this->Leaves().size();
    const std::size_t taken = Tracer::BeginContainer(type, count);
    if (revctl::detail::CountFormOf(type.kind).size == 4) NoteCount(leaves);
    if (this->Leaves().size() > leaves &&
        (type.kind == revctl::Kind::Map || type.kind == revctl::Kind::Set))
      keyed.push_back(this->Path());
    Step(Event::Container, taken);
    return taken;
  }
  void EndContainer(const TypeInfo& type) override {
    Step(Event::End, 0);
    Tracer::EndContainer(type);
  }
  void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) override {
    Step(is_key ? Event::Key : Event::Element, index);
    Tracer::BeginElement(element, index, is_key);
  }
  void EndElement() override {
    Tracer::EndElement();
    Step(Event::End, 0);
  }

  bool ComparesKeys() const override { return true; }
  bool AsksForMemory() const override { return asks_for_memory_; }
  void InMemory(std::string text, bool may_round) override {
    memory.push_back({this->Path(), std::move(text)});
    memory_may_round.push_back(may_round);
  }
  void CopiedByBytes() override {
    notes.CopiedByBytes();
    if (asks_for_memory_) copied.insert(PlaceOf(this->Path()));
  }
  std::set<std::string> copied;
  void AskForMemory(bool ask) { asks_for_memory_ = ask; }
  std::vector<golden::Leaf> memory;
  std::vector<bool> memory_may_round;
  std::vector<std::string> keyed;  ///< paths of maps and sets

  LayoutNotes notes{/*defaults=*/false, /*reads=*/std::is_same_v<Tracer, revctl::TraceReader>};
  std::vector<std::uint64_t> steps;
  std::vector<std::size_t> counts;

  struct Macro {
    const char* file = "";
    int line = 0;
  };
  /// Returns the last macro before the first error.
  Macro Failed() {
    NoteError();
    return failed_;
  }

 private:
  void NoteError() {
    if (fine_ && !this->Ok()) {
      fine_ = false;
      failed_ = last_;
    }
  }
  void See(const revctl::Site& site) {
    NoteError();
    if (site.line != 0) last_ = {site.file, site.line};
  }
  Macro last_, failed_;
  std::vector<Macro> open_;  ///< for each open record, the macro of its current field
  bool fine_ = true;

  enum class Event : std::uint64_t { Field, Element, Key, Container, Type, Leaf, End };
  void Step(Event event, std::uint64_t what) {
    if (counts_steps_) steps.push_back(what << 3 | static_cast<std::uint64_t>(event));
  }
  std::size_t Offset() const {
    if constexpr (requires { this->offset(); }) return this->offset();
    else return this->Bytes().size();
  }
  /// If the visit collects leaves, notes that this leaf begins with a count.
  void NoteCount(std::size_t leaf) {
    if (this->Leaves().size() > leaf) counts.push_back(leaf);
  }
  void Leaf(const TypeInfo& type) {
    Step(Event::Type, reinterpret_cast<std::uintptr_t>(&type));
    Step(Event::Leaf, Offset());
  }
  bool counts_steps_ = true, asks_for_memory_ = false;
};

bool IsDigits(const std::string& text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

void TakeLeaves(std::vector<revctl::TraceLeaf> leaves, const TypeInfo& root, Traced& traced) {
  const std::string name = RootName(root);
  // The keys point into the leaves' paths, which are not moved.
  std::unordered_map<std::string_view, int> seen;
  seen.reserve(leaves.size());
  traced.leaves.reserve(leaves.size());
  traced.offsets.reserve(leaves.size());
  for (revctl::TraceLeaf& leaf : leaves) {
    std::string path = LeafPath(leaf.path, name, seen);
    if (!IsNumber(leaf.type) && IsDigits(leaf.text)) traced.nameless.emplace_back(path, leaf.type);
    traced.leaves.push_back({std::move(path), golden::CanonicalText(leaf.text)});
    traced.offsets.push_back(leaf.offset);
  }
}

void TakeMemory(const std::vector<golden::Leaf>& memory, const TypeInfo& root, Traced& traced) {
  const std::string name = RootName(root);
  std::unordered_map<std::string_view, int> seen;
  for (const golden::Leaf& leaf : memory)
    traced.memory.push_back({LeafPath(leaf.path, name, seen) + std::string(kInMemory),
                             golden::CanonicalText(leaf.text)});
}

template <class Tracer>
void TakeOutcome(Noting<Tracer>& tracer, const TypeInfo& root, Traced& traced) {
  traced.steps = std::move(tracer.steps);
  traced.counts = std::move(tracer.counts);
  traced.ok = tracer.Ok();
  if (!traced.ok) {
    const revctl::ArchiveError error = tracer.error();
    traced.path = BelowRoot(error.path, root);
    traced.reason = error.reason;
    traced.offset = error.offset;
    traced.refused = error.refused;
    const auto macro = tracer.Failed();
    traced.error_file = macro.file;
    traced.error_line = macro.line;
  }
  TakeLeaves(tracer.TakeLeaves(), root, traced);
  TakeMemory(tracer.memory, root, traced);
  traced.memory_may_round = std::move(tracer.memory_may_round);
  for (const std::string& path : tracer.copied) traced.copied.insert(BelowRoot(path, root));
  for (const std::string& path : tracer.keyed) traced.keyed.push_back(BelowRoot(path, root));
  traced.notes = std::move(tracer.notes);
}

using revctl::harness::BinaryOutcome;
using revctl::harness::TypeEntry;

std::map<const TypeInfo*, TypeEntry>& ByStreams() {
  static std::map<const TypeInfo*, TypeEntry> entries;
  return entries;
}

void TakeOutcome(const BinaryOutcome& outcome, const TypeInfo& root, Traced& traced) {
  traced.ok = outcome.ok;
  traced.at_end = outcome.at_end;
  traced.offset = outcome.offset;
  traced.path = BelowRoot(outcome.path, root);
  traced.reason = outcome.reason.empty() && !outcome.ok ? "refused" : outcome.reason;
  // The program's streams do not report whether a body caused the error, so treat every error as a
  // rejection.
  traced.refused = !outcome.ok;
}

/// Visits an object of an opaque type to get its values.
Traced Visited(const TypeInfo& type, void* object, std::int64_t number, Leaves leaves) {
  Noting<revctl::TraceWriter> tracer{revctl::Revision(number)};
  tracer.CollectLeaves(leaves == Leaves::Told || leaves == Leaves::AndMemory);
  tracer.AskForMemory(leaves == Leaves::AndMemory || leaves == Leaves::OnlyMemory);
  tracer.VisitRoot(type, object);
  Traced traced;
  traced.bytes.assign(tracer.Bytes().begin(), tracer.Bytes().end());
  TakeOutcome(tracer, type, traced);
  return traced;
}

Traced ReadByStreams(const TypeEntry& entry, const TypeInfo& type, std::span<const std::byte> bytes,
                     std::int64_t number, void* object, Leaves leaves) {
  Traced read;
  CrashBreadcrumb::Forget();
  ResetProgram();
  TakeOutcome(entry.read(bytes, number, object), type, read);
  if (!read.ok) return read;
  const bool at_end = read.at_end;
  read = Visited(type, object, number, leaves);
  read.at_end = at_end;
  read.bytes.clear();
  read.offsets.clear();
  read.counts.clear();
  return read;
}

}  // namespace

void TraceByStreams(const TypeEntry& entry) { ByStreams()[&entry.type()] = entry; }

const TypeEntry* StreamsOf(const TypeInfo& type) {
  const auto found = ByStreams().find(&type);
  return found == ByStreams().end() ? nullptr : &found->second;
}

bool IsOpaque(const TypeInfo& type) { return StreamsOf(type) != nullptr; }

std::string RootName(const TypeInfo& type) {
  std::string name = type.name();
  const auto colon = name.substr(0, name.find('<')).rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

std::string LeafPath(std::string_view path, std::string_view root,
                     std::unordered_map<std::string_view, int>& seen) {
  if (path.starts_with(root)) path.remove_prefix(root.size());
  if (path.starts_with('.')) path.remove_prefix(1);
  if (path.empty()) path = "value";
  std::string below(path);
  const int again = ++seen[path];
  if (again > 1) below += "~" + std::to_string(again);
  return below;
}

std::string BelowRoot(const std::string& path, const TypeInfo& root) {
  const std::string name = RootName(root);
  std::string below = path.starts_with(name) ? path.substr(name.size()) : path;
  if (below.starts_with('.')) below.erase(0, 1);
  return below;
}

std::string FromRoot(const std::string& root, const std::string& path) {
  const bool joined = path.empty() || path.starts_with('[');
  return root + (joined ? "" : ".") + path;
}

const golden::Leaf* FindLeaf(const std::vector<golden::Leaf>& leaves, std::string_view path) {
  const auto found = std::find_if(leaves.begin(), leaves.end(),
                                  [&](const golden::Leaf& leaf) { return leaf.path == path; });
  return found == leaves.end() ? nullptr : &*found;
}

std::string PathNow(const Renames& renames, const std::string& path,
                    const std::vector<golden::Leaf>& now) {
  if (FindLeaf(now, path) != nullptr) return path;
  const std::string known = renames.CanonicalPath(path);
  const auto renamed = std::find_if(now.begin(), now.end(), [&](const golden::Leaf& leaf) {
    return renames.CanonicalPath(leaf.path) == known;
  });
  return renamed == now.end() ? path : renamed->path;
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

Traced TraceWrite(const TypeInfo& type, void* object, std::int64_t number, Leaves leaves) {
  Traced traced = Visited(type, object, number, leaves);
  const TypeEntry* streams = StreamsOf(type);
  if (streams == nullptr || !traced.ok) return traced;
  traced.offsets.clear();
  traced.counts.clear();
  TakeOutcome(streams->write(number, object, traced.bytes), type, traced);
  return traced;
}

Traced TraceValues(const TypeInfo& type, void* object, std::int64_t number) {
  return Visited(type, object, number, Leaves::Told);
}

Traced TraceRead(const TypeInfo& type, std::span<const std::byte> bytes, std::int64_t number,
                 void* object, Leaves leaves) {
  if (const TypeEntry* streams = StreamsOf(type))
    return ReadByStreams(*streams, type, bytes, number, object, leaves);
  ResetProgram();
  Noting<revctl::TraceReader> tracer(bytes, revctl::Revision(number));
  tracer.CollectLeaves(leaves == Leaves::Told);
  tracer.VisitRoot(type, object);
  Traced traced;
  traced.at_end = tracer.AtEnd();
  TakeOutcome(tracer, type, traced);
  return traced;
}

std::optional<std::vector<std::byte>> TracedBytes(const TypeInfo& type, void* object,
                                                  std::int64_t number) {
  CrashBreadcrumb::Forget();  // clear notes that an earlier visit may have left
  if (const TypeEntry* streams = StreamsOf(type)) {
    std::vector<std::byte> bytes;
    if (!streams->write(number, object, bytes).ok) return std::nullopt;
    return bytes;
  }
  revctl::TraceWriter tracer{revctl::Revision(number)};
  tracer.CollectLeaves(false);
  tracer.VisitRoot(type, object);
  if (!tracer.Ok()) return std::nullopt;
  return std::vector(tracer.Bytes().begin(), tracer.Bytes().end());
}

LayoutNotes NotesOfReading(const TypeInfo& type, std::span<const std::byte> bytes,
                           std::int64_t number, void* object) {
  if (const TypeEntry* streams = StreamsOf(type))
    return ReadByStreams(*streams, type, bytes, number, object, Leaves::Untold).notes;
  ResetProgram();
  Noting<revctl::TraceReader> tracer(bytes, revctl::Revision(number));
  tracer.CollectLeaves(false);
  tracer.CountSteps(false);
  tracer.VisitRoot(type, object);
  return std::move(tracer.notes);
}

std::vector<revctl::LayoutField> TraceDefaults(const TypeInfo& record, void* object,
                                               std::int64_t number) {
  Noting<revctl::TraceWriter> tracer{revctl::Revision(number)};
  tracer.notes = LayoutNotes(/*defaults=*/true);
  tracer.CollectLeaves(false);
  tracer.CountSteps(false);
  tracer.VisitRoot(record, object);
  auto layouts = tracer.notes.Layouts(number);
  const auto own = layouts.find(record.name());
  return own == layouts.end() ? std::vector<revctl::LayoutField>() : std::move(own->second.removed);
}

}  // namespace revctl::harness
