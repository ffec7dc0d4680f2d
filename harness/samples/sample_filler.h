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

/// The library's filler with layout notes and crash breadcrumbs. Derived classes choose different
/// values.
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
  /// Records the body's position for crash reports, even without layout notes.
  void Note(const revctl::Site& site) {
    if (!visited_.empty()) visited_.back() = site;
    CrashBreadcrumb::Note(site);
  }

  LayoutNotes* notes_;
  std::vector<revctl::Site> visited_;  ///< the last visit of each open record
};

struct LeafPlace {
  /// type of the record whose body visits the field; null outside a record
  const TypeInfo* record = nullptr;
  /// field name, a string literal; compare fields by the address of this literal
  const char* field = "";
  std::size_t elements = 0;    ///< number of open elements inside the field
  std::size_t containers = 0;  ///< number of all open containers, inside and outside the field
  bool in_key = false;
  /// true inside the first key of the outermost map or set
  bool in_first_key = false;
};

/// Chooses the values of a sample. Each function may replace the value that the library's filler
/// chose. The base class keeps all values.
class LeafPolicy {
 public:
  virtual ~LeafPolicy() = default;
  /// Called before each attempt to fill the object. A second call means that the body rejected the
  /// values of the first attempt.
  virtual void Begin() {}
  virtual void BeginField(const FieldVisit&, const LeafPlace&) {}
  virtual void EndField() {}
  virtual void Scalar(const TypeInfo&, void* /*value*/, const LeafPlace&) {}
  virtual void Bytes(const TypeInfo&, std::string& /*bytes*/, const LeafPlace&) {}
  /// Returns the size of a container or the index of a variant's alternative. `filled` is the
  /// library filler's choice.
  virtual std::size_t Count(const TypeInfo&, std::size_t filled, const LeafPlace&) {
    return filled;
  }
  /// Chooses the value of a bit-field. The field's width is unknown here, so the value may not fit.
  virtual void Bits(const TypeInfo&, void* /*value*/, const LeafPlace&) {}
};

struct FilledObject {
  Object object;
  bool ok = false;  ///< true if the body accepted all values
};

/// Fills an object at revision `number`. If a value does not fit in its bit-field, retries with
/// fewer bits, down to zero. If `notes` is not null, it receives the layout notes of the visited
/// fields.
FilledObject FillObject(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                        LeafPolicy& policy, LayoutNotes* notes);

/// Returns the object that the library's filler makes from `seed`.
Object FillSample(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                  LayoutNotes* notes);

}  // namespace revctl::harness
