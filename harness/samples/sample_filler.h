#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/fill.h>

#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/layout_notes.h"
#include "harness/trace/object.h"

namespace revctl::harness {

/// lib's filler, over whose shoulder LayoutNotes look. What gives way to other values derives from
/// it.
class NotingFiller : public revctl::Filler {
 public:
  NotingFiller(std::int64_t number, std::uint64_t seed, LayoutNotes* notes)
      : Filler(revctl::Revision(number), seed), notes_(notes) {}

  void BeginRecord(const revctl::TypeInfo& type, void* object) override {
    if (notes_) notes_->BeginRecord(type, object, revision);
    visited_.emplace_back();
    Filler::BeginRecord(type, object);
  }
  void EndRecord(const revctl::TypeInfo& type, void* object) override {
    Filler::EndRecord(type, object);
    if (notes_) notes_->EndRecord(revision, Ok());
    visited_.pop_back();
    if (!visited_.empty()) CrashBreadcrumb::Note(visited_.back());
  }
  void Field(const revctl::FieldVisit& field) override {
    if (notes_) notes_->Field(field, revision);
    Note(field.site);
    Filler::Field(field);
  }
  void Integrity(const revctl::FieldVisit& field) override {
    if (notes_) notes_->Integrity(field, revision);
    Note(field.site);
    Filler::Integrity(field);
  }

 private:
  /// Of the body that is run, so that one who ends the process here is told where, with notes or
  /// without.
  void Note(const revctl::Site& site) {
    if (!visited_.empty()) visited_.back() = site;
    CrashBreadcrumb::Note(site);
  }

  LayoutNotes* notes_;
  std::vector<revctl::Site> visited_;  ///< the last one of each record that is open
};

/// Where a leaf stands that is being filled.
struct LeafPlace {
  const TypeInfo* record = nullptr;  ///< whose body visits the field; null outside of all
  const char* field = "";            ///< its name, a literal of which each field has one
  std::size_t elements = 0;          ///< that are open within the field
  std::size_t containers = 0;        ///< that are open in all, those of other fields included
  bool in_key = false;
  bool in_first_key = false;  ///< of the outermost container that has keys
};

/// What the leaves of a sample are. Each holds what lib's filler made up when the policy is asked,
/// which may put something else in its place. The base leaves all as they are.
class LeafPolicy {
 public:
  virtual ~LeafPolicy() = default;
  /// An object is begun; the one before it, if any, was refused.
  virtual void Begin() {}
  virtual void BeginField(const FieldVisit&, const LeafPlace&) {}
  virtual void EndField() {}
  virtual void Scalar(const TypeInfo&, void* /*value*/, const LeafPlace&) {}
  virtual void Bytes(const TypeInfo&, std::string& /*bytes*/, const LeafPlace&) {}
  /// How many elements a container has; of a variant the index. `filled`: as lib's filler has it.
  virtual std::size_t Count(const TypeInfo&, std::size_t filled, const LeafPlace&) {
    return filled;
  }
  /// The number for a bit-field, whose width nothing here knows.
  virtual void Bits(const TypeInfo&, void* /*value*/, const LeafPlace&) {}
};

/// An object that a body filled.
struct FilledObject {
  Object object;
  LayoutNotes notes;
  bool ok = false;        ///< the body took all of it
  bool saw_bits = false;  ///< it visited a bit-field
};

/// Fills an object at revision `number`. Where a bit-field is too narrow for its number, the body
/// refuses it: then narrower ones are tried, down to zero. `notes`, where not null, gets what the
/// visits note.
FilledObject FillObject(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                        LeafPolicy& policy, LayoutNotes* notes);

/// The object of seed `seed` as lib's filler makes it.
Object FillSample(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  LayoutNotes* notes);

}  // namespace revctl::harness
