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

/// The library's filler with layout notes and crash breadcrumbs. It is the base of fillers with
/// other values.
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
  /// Notes the body's position, so that a crash can be located. Works without layout notes, too.
  void Note(const revctl::Site& site) {
    if (!visited_.empty()) visited_.back() = site;
    CrashBreadcrumb::Note(site);
  }

  LayoutNotes* notes_;
  std::vector<revctl::Site> visited_;  ///< the last visit in each open record
};

struct LeafPlace {
  /// the record whose body visits the field; null outside of records
  const TypeInfo* record = nullptr;
  const char* field = "";      ///< its name; each field's literal has its own address
  std::size_t elements = 0;    ///< open elements within the field
  std::size_t containers = 0;  ///< all open containers, including those of other fields
  bool in_key = false;
  bool in_first_key = false;  ///< in the outermost container with keys
};

/// Chooses the values of a sample. Each function is called with the value of the library's filler,
/// which it may replace. The base class keeps all values.
class LeafPolicy {
 public:
  virtual ~LeafPolicy() = default;
  /// An object begins; the previous attempt, if any, was rejected.
  virtual void Begin() {}
  virtual void BeginField(const FieldVisit&, const LeafPlace&) {}
  virtual void EndField() {}
  virtual void Scalar(const TypeInfo&, void* /*value*/, const LeafPlace&) {}
  virtual void Bytes(const TypeInfo&, std::string& /*bytes*/, const LeafPlace&) {}
  /// Returns the size of a container, or the index of a variant. `filled`: the filler's choice.
  virtual std::size_t Count(const TypeInfo&, std::size_t filled, const LeafPlace&) {
    return filled;
  }
  /// Sets the number for a bit-field. Its width is unknown here.
  virtual void Bits(const TypeInfo&, void* /*value*/, const LeafPlace&) {}
};

struct FilledObject {
  Object object;
  LayoutNotes notes;
  bool ok = false;        ///< the body accepted all values
  bool saw_bits = false;  ///< it visited a bit-field
};

/// Fills an object at revision `number`. If the body rejects a number that does not fit into a
/// bit-field, retries with narrower numbers, down to zero. `notes` receives the notes of the
/// visits, unless null.
FilledObject FillObject(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                        LeafPolicy& policy, LayoutNotes* notes);

/// Returns the object that the library's filler makes from `seed`.
Object FillSample(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  LayoutNotes* notes);

}  // namespace revctl::harness
