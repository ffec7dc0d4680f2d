#pragma once
#include <cstdint>
#include <vector>

#include <revctl/fill.h>

#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/layout_notes.h"

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

}  // namespace revctl::harness
