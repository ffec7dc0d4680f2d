#include "harness/pending_effect.h"

#include <algorithm>
#include <string_view>

#include "harness/object.h"
#include "harness/progress.h"
#include "revctl/trace.h"

namespace harness {
namespace {

using revctl::FieldVisit;
using revctl::Form;
using revctl::TypeInfo;

/// Reads a payload as it was written, while every comparison with a pending revision is answered as in a
/// file of today. Gates are answered so as well; this opens and closes them by the payload's own revision.
class Pretending : public revctl::TraceReader {
 public:
  Pretending(std::span<const std::byte> bytes, std::int64_t number, std::int64_t first_pending,
             std::int64_t latest, const TypeInfo& root)
      : TraceReader(bytes, revctl::Revision(number)),
        number_(number),
        first_pending_(first_pending),
        root_(root) {
    revision.Pretend(first_pending, latest);
  }

  std::set<std::string> gated, derived, objects;
  bool blind = false;

  void BeginRecord(const TypeInfo& type, void* object) override {
    TakeNotes();
    records_.push_back({static_cast<const char*>(object), type.size, Here(), false, false});
    TraceReader::BeginRecord(type, object);
  }
  void EndRecord(const TypeInfo& type, void* object) override {
    TraceReader::EndRecord(type, object);
    TakeNotes();
    // What a PLAIN struct's hops do is not behind comparisons: they may change all of it.
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
    // Whether a condition holds was not asked where the gate seemed to be closed.
    blind = blind || (live && !field.live && field.site.form == Form::RemConditional);
    FieldVisit as_written{.site = field.site,
                          .since = field.since,
                          .until = field.until,
                          .live = live,
                          .condition = live && (field.condition || !field.live),
                          .type = field.type,
                          .value = field.value};
    if (!live || !ends || field.type.construct == nullptr)
      return TraceReader::Field(as_written);
    const Object elsewhere(field.type);  // the local keeps its default, the member what it has
    as_written.value = elsewhere.get();
    TraceReader::Field(as_written);
  }
  void Integrity(const FieldVisit& field) override {
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
    bool plain;     ///< its fields are visited elsewhere than in the object
    bool compares;  ///< with a pending revision
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
    if (records_.empty() || field.site.form != Form::Add || field.site.since[0] == '\0') return;
    const auto* value = static_cast<const char*>(field.value);
    Record& record = records_.back();
    record.plain |= value < record.object || value >= record.object + record.size;
  }
  /// Fields that stand in no body are the library's: what an object stream says about its objects.
  void NoteObjects(const FieldVisit& field) {
    const bool own = field.site.form == Form::Plain && field.site.name[0] != '\0' &&
                     field.site.file[0] == '\0';
    if (!own) return;
    const bool records =
        field.type.parts > 0 && field.type.part(0).kind == revctl::Kind::Record;
    (records ? objects : derived).insert(Place(field));
  }

  std::int64_t number_, first_pending_;
  const TypeInfo& root_;
  std::vector<Record> records_;
};

/// `things[].look#count` is `things[].look`, or stands below it.
bool Below(const std::string& place, const std::string& above) {
  if (above.empty()) return true;
  return place.starts_with(above) &&
         (place.size() == above.size() || std::string_view(".[#~").find(place[above.size()]) != std::string_view::npos);
}

}  // namespace

std::optional<std::vector<golden::Leaf>> WithoutUpgrades(const TypeInfo& type, std::span<const std::byte> payload,
                                                         std::int64_t number, std::int64_t from, std::int64_t latest) {
  const Object object(type);
  Pretending reader(payload, number, from, latest, type);
  reader.CollectLeaves(false);
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
  const History& history = context_.history;
  const std::int64_t first_pending = history.revisions()[history.newest_recorded()].number + 1;
  const std::int64_t latest = history.latest().number;
  for (const Decoded& decoded : goldens_) {
    if (!decoded.saved) continue;
    if (!Progress::Enter(root_.name, "golden " + decoded.golden->id)) continue;
    const Object object(root_.type());
    Pretending reader(decoded.golden->payload(),
                      history.revisions()[decoded.golden->revision].number, first_pending, latest,
                      root_.type());
    reader.VisitRoot(root_.type(), object.get());
    for (const std::string& place : reader.gated) gated_.insert(context_.renames.CanonicalPath(place));
    for (const std::string& place : reader.derived) derived_.insert(context_.renames.CanonicalPath(place));
    for (const std::string& place : reader.objects) objects_.insert(context_.renames.CanonicalPath(place));
    blind_ = blind_ || reader.blind || !reader.Ok() || !reader.AtEnd() ||
             reader.Leaves().size() != decoded.read.leaves.size();
    if (blind_) return;
    const Traced without = TraceWrite(root_.type(), object.get(), latest);
    blind_ = !without.ok;
    for (const golden::Change& change :
         context_.renames.Compare(without.leaves, decoded.resaved.leaves))
      touched_.insert(PlaceOf(context_.renames.CanonicalPath(change.path)));
  }
}

bool PendingEffect::Explains(const std::string& place, bool dropped) const {
  const auto covers = [&](const std::string& above) { return Below(place, above); };
  return touched_.contains(place) || std::any_of(gated_.begin(), gated_.end(), covers) ||
         std::any_of(derived_.begin(), derived_.end(), covers) ||
         (dropped && std::any_of(objects_.begin(), objects_.end(), covers));
}

std::vector<golden::Change> PendingEffect::Unexplained(const Decoded& golden,
                                                       const std::vector<golden::Change>& changes) {
  Learn();
  std::vector<golden::Change> unexplained;
  if (blind_) return unexplained;
  const bool dropped =
      std::any_of(golden.read.leaves.begin(), golden.read.leaves.end(),
                  [](const golden::Leaf& leaf) { return leaf.path.ends_with("].dropped"); });
  for (const golden::Change& change : changes) {
    if (!Explains(PlaceOf(context_.renames.CanonicalPath(change.path)), dropped)) unexplained.push_back(change);
  }
  return unexplained;
}

}  // namespace harness
