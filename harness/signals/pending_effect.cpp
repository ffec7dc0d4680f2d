#include "harness/signals/pending_effect.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <revctl/trace.h>

#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::FieldVisit;
using revctl::Form;
using revctl::TypeInfo;
using ClassName = PendingEffect::ClassName;

constexpr std::string_view kCounter = "#integrity";

/// Reads a payload at its own revision, but evaluates every comparison with a pending revision as
/// for a new file. Since gates make such comparisons, too, this class determines itself which gates
/// are open at the payload's revision.
class PendingAsLatestReader : public revctl::TraceReader {
 public:
  PendingAsLatestReader(std::span<const std::byte> bytes, std::int64_t number,
                        std::int64_t first_pending, std::int64_t latest, const TypeInfo& root)
      : TraceReader(bytes, revctl::Revision(number)),
        number_(number),
        first_pending_(first_pending),
        root_(root) {
    revision.Pretend(first_pending, latest);
  }

  std::set<std::string> gated, derived, objects;
  bool blind = false;
  bool counts = false;

  void BeginRecord(const TypeInfo& type, void* object) override {
    TakeNotes();
    records_.push_back({static_cast<const char*>(object), type.size, Here(), false, false});
    TraceReader::BeginRecord(type, object);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    TraceReader::EndRecord(type, object);
    TakeNotes();
    // A hop may change any member of a PLAIN struct, so treat every value in the struct as
    // affected.
    const Record& record = records_.back();
    if (record.plain && record.compares) gated.insert(record.place);
    records_.pop_back();
  }
  void Field(const FieldVisit& field) override {
    NoteOwner(field);
    const bool opens = field.site.since[0] != '\0' && field.since >= first_pending_;
    const bool ends = field.site.until[0] != '\0' && field.until >= first_pending_;
    if (opens || ends) gated.insert(Place(field));
    NoteObjects(field);
    const bool live = Live(field);
    // The body considered the gate closed, so it did not evaluate the condition.
    blind = blind || (live && !field.live && field.site.form == Form::RemConditional);
    FieldVisit as_written{.site = field.site,
                          .since = field.since,
                          .until = field.until,
                          .live = live,
                          .condition = live && (field.condition || !field.live),
                          .type = field.type,
                          .value = field.value};
    if (!live || !ends || !CanMake(field.type)) return TraceReader::Field(as_written);
    // Read the value into a separate object, so that the field itself keeps its default.
    const Object elsewhere(field.type);
    as_written.value = elsewhere.get();
    TraceReader::Field(as_written);
  }
  void Integrity(const FieldVisit& field) override {
    if (field.since >= first_pending_) {
      gated.insert(Here() + std::string(kCounter));
      counts = true;
    }
    FieldVisit as_written{.site = field.site,
                          .since = field.since,
                          .live = number_ >= field.since,
                          .type = field.type,
                          .value = field.value};
    TraceReader::Integrity(as_written);
  }

 private:
  struct Record {
    const char* object;
    std::size_t size;
    std::string place;
    bool plain;     ///< true if the fields are visited in a copy instead of the object itself
    bool compares;  ///< true if the body compares with a pending revision
  };

  std::string Here() const { return PlaceOf(BelowRoot(Path(), root_)); }
  std::string Place(const FieldVisit& field) const {
    const std::string here = Here();
    return here.empty() || field.site.name[0] == '\0' ? here + field.site.name
                                                      : here + "." + field.site.name;
  }
  bool Live(const FieldVisit& field) const {
    if (field.site.since[0] == '\0') return field.live;
    return number_ >= field.since && (field.site.until[0] == '\0' || number_ < field.until);
  }
  void TakeNotes() {
    if (!records_.empty() && !revision.Notes().empty() && revision.Notes().back() >= first_pending_)
      records_.back().compares = true;
    revision.ClearNotes();
  }
  void NoteOwner(const FieldVisit& field) {
    TakeNotes();
    const bool added = field.site.form == Form::Add || field.site.form == Form::AddRef;
    if (records_.empty() || !added || field.site.since[0] == '\0') return;
    const auto* value = static_cast<const char*>(field.value);
    Record& record = records_.back();
    record.plain |= value < record.object || value >= record.object + record.size;
  }
  /// Records the places of object stream headers, whose fields have no source file because the
  /// library visits them.
  void NoteObjects(const FieldVisit& field) {
    const bool own =
        field.site.form == Form::Plain && field.site.name[0] != '\0' && field.site.file[0] == '\0';
    if (!own) return;
    const bool records = field.type.parts > 0 && field.type.part(0).kind == revctl::Kind::Record;
    (records ? objects : derived).insert(Place(field));
  }

  std::int64_t number_, first_pending_;
  const TypeInfo& root_;
  std::vector<Record> records_;
};

/// True if `place` is `above` or inside it. For example, `things[].look#count` is inside
/// `things[].look`.
bool Below(const std::string& place, const std::string& above) {
  if (above.empty()) return true;
  return place.starts_with(above) &&
         (place.size() == above.size() ||
          std::string_view(".[#~").find(place[above.size()]) != std::string_view::npos);
}

/// Returns the leaves that are class names in object streams, such as `level.classes[2]`.
std::vector<golden::Leaf> ClassLeaves(const std::vector<golden::Leaf>& leaves) {
  std::vector<golden::Leaf> classes;
  for (const golden::Leaf& leaf : leaves) {
    const std::string place = PlaceOf(leaf.path);
    if (place == "classes[]" || place.ends_with(".classes[]")) classes.push_back(leaf);
  }
  return classes;
}

/// Returns the classes whose names differ when one object is saved at two revisions.
std::vector<ClassName> RenamedClasses(const std::vector<golden::Leaf>& then,
                                      const std::vector<golden::Leaf>& now) {
  const std::vector<golden::Leaf> before = ClassLeaves(then), after = ClassLeaves(now);
  std::vector<ClassName> renamed;
  // One of the revisions added a class, so the other one cannot contain its objects.
  if (before.size() != after.size()) return renamed;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i].text == after[i].text) continue;
    const std::string place = PlaceOf(after[i].path);
    const std::string above = place.substr(0, place.size() - std::string_view("classes[]").size());
    const auto word = [](const std::string& text) {
      return text.size() < 2 ? text : text.substr(1, text.size() - 2);
    };
    renamed.push_back({above + "objects[].", word(before[i].text), word(after[i].text)});
  }
  return renamed;
}

/// Replaces class names in a path or place with their new names.
std::string Called(std::string path, const std::vector<ClassName>& classes) {
  std::set<std::size_t> done;  // replace each name only once, because names may form a cycle
  for (const ClassName& name : classes) {
    const std::string old = "]." + name.before;
    for (auto at = path.find(old); at != std::string::npos; at = path.find(old, at + 1)) {
      const std::size_t end = at + old.size();
      if (end < path.size() && std::string_view(".[#~").find(path[end]) == std::string_view::npos)
        continue;
      if (done.contains(at) || PlaceOf(path.substr(0, at + 2)) != name.records) continue;
      path.replace(at + 2, name.before.size(), name.after);
      done.insert(at);
    }
  }
  return path;
}

}  // namespace

std::optional<std::vector<golden::Leaf>> WithoutUpgrades(const TypeInfo& type,
                                                         std::span<const std::byte> payload,
                                                         std::int64_t number, std::int64_t from,
                                                         std::int64_t latest,
                                                         std::optional<std::int64_t> strict) {
  if (IsOpaque(type)) return std::nullopt;
  const Object object(type);
  PendingAsLatestReader reader(payload, number, from, latest, type);
  reader.CollectLeaves(false);
  if (strict) reader.revision.AnswerAsLess(*strict);
  ResetProgram();
  reader.VisitRoot(type, object.get());
  if (reader.blind || !reader.Ok() || !reader.AtEnd()) return std::nullopt;
  Traced resaved = TraceWrite(type, object.get(), latest);
  if (!resaved.ok) return std::nullopt;
  return std::move(resaved.leaves);
}

PendingEffect::PendingEffect(const CheckContext& context, const RootType& root,
                             const std::vector<Decoded>& goldens)
    : context_(context), root_(root), goldens_(goldens) {}

void PendingEffect::Learn() {
  if (std::exchange(learned_, true)) return;
  blind_ = IsOpaque(root_.type());
  if (blind_) return;
  const History& history = context_.history;
  const std::int64_t first_pending = history.revisions()[history.newest_recorded()].number + 1;
  const std::int64_t latest = history.latest().number;
  for (const Decoded& decoded : goldens_) {
    if (!decoded.saved) continue;
    if (!Progress::Enter(root_.name, "golden " + decoded.golden->id)) continue;
    const Object object(root_.type());
    PendingAsLatestReader reader(decoded.golden->payload(),
                                 history.revisions()[decoded.golden->revision].number,
                                 first_pending, latest, root_.type());
    ResetProgram();
    reader.VisitRoot(root_.type(), object.get());
    blind_ = blind_ || reader.blind || !reader.Ok() || !reader.AtEnd() ||
             reader.Leaves().size() != decoded.read.leaves.size();
    if (blind_) return;
    const Traced without = TraceWrite(root_.type(), object.get(), latest);
    blind_ = !without.ok;
    std::vector<ClassName> since_then;
    if (!reader.objects.empty()) {
      const auto saved_at = [&](std::size_t index) {
        return TraceWrite(root_.type(), object.get(), history.revisions()[index].number).leaves;
      };
      since_then = RenamedClasses(saved_at(decoded.golden->revision), without.leaves);
      for (ClassName& name : RenamedClasses(saved_at(history.newest_recorded()), without.leaves)) {
        if (std::find(classes_.begin(), classes_.end(), name) == classes_.end())
          classes_.push_back(std::move(name));
      }
    }
    const auto now = [&](const std::string& place) {
      return context_.renames.CanonicalPath(Called(place, since_then));
    };
    for (const std::string& place : reader.gated) gated_.insert(now(place));
    for (const std::string& place : reader.derived) derived_.insert(now(place));
    for (const std::string& place : reader.objects) objects_.insert(now(place));
    counts_ = counts_ || reader.counts;
    for (const golden::Change& change :
         context_.renames.Compare(without.leaves, decoded.resaved.leaves))
      touched_.insert(PlaceOf(context_.renames.CanonicalPath(change.path)));
  }
}

std::string PendingEffect::PathOfToday(const golden::Change& change) const {
  return context_.renames.CanonicalPath(change.after ? change.path : Called(change.path, classes_));
}

bool PendingEffect::Explains(const golden::Change& change, bool dropped) const {
  const std::string place = PlaceOf(PathOfToday(change));
  const auto covers = [&](const std::string& above) { return Below(place, above); };
  const bool renumbered =
      counts_ && change.before && change.after && place.find(kCounter) != std::string::npos;
  return renumbered || touched_.contains(place) ||
         std::any_of(gated_.begin(), gated_.end(), covers) ||
         std::any_of(derived_.begin(), derived_.end(), covers) ||
         (dropped && std::any_of(objects_.begin(), objects_.end(), covers));
}

std::set<std::string> PendingEffect::OnlyCalledOtherwise(
    const std::vector<golden::Change>& changes) const {
  std::map<std::string, std::string> gone;
  std::set<std::string> same;
  if (classes_.empty()) return same;
  for (const golden::Change& change : changes) {
    if (change.before && !change.after) gone.emplace(PathOfToday(change), *change.before);
  }
  for (const golden::Change& change : changes) {
    if (change.before || !change.after) continue;
    const auto before = gone.find(PathOfToday(change));
    if (before != gone.end() && before->second == *change.after) same.insert(before->first);
  }
  return same;
}

std::vector<golden::Change> PendingEffect::Unexplained(const Decoded& golden,
                                                       const std::vector<golden::Change>& changes) {
  Learn();
  std::vector<golden::Change> unexplained;
  if (blind_) return unexplained;
  const bool dropped =
      std::any_of(golden.read.leaves.begin(), golden.read.leaves.end(),
                  [](const golden::Leaf& leaf) { return leaf.path.ends_with("].dropped"); });
  const std::set<std::string> renamed = OnlyCalledOtherwise(changes);
  for (const golden::Change& change : changes) {
    const bool same = !(change.before && change.after) && renamed.contains(PathOfToday(change));
    if (!same && !Explains(change, dropped)) unexplained.push_back(change);
  }
  return unexplained;
}

}  // namespace revctl::harness
