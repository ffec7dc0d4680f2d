#pragma once
#include <cstdint>

#include "harness/layout_notes.h"
#include "revctl/fill.h"

namespace harness {

/// lib's filler, over whose shoulder LayoutNotes look. What gives way to other values derives from it.
class NotingFiller : public revctl::Filler {
 public:
  NotingFiller(std::int64_t number, std::uint64_t seed, LayoutNotes* notes)
      : Filler(revctl::Revision(number), seed), notes_(notes) {}

  void BeginRecord(const revctl::TypeInfo& type, void* object) override {
    if (notes_) notes_->BeginRecord(type, object, revision);
    Filler::BeginRecord(type, object);
  }
  void EndRecord(const revctl::TypeInfo& type, void* object) override {
    Filler::EndRecord(type, object);
    if (notes_) notes_->EndRecord(revision);
  }
  void Field(const revctl::FieldVisit& field) override {
    if (notes_) notes_->Field(field, revision);
    Filler::Field(field);
  }
  void Integrity(const revctl::FieldVisit& field) override {
    if (notes_) notes_->Integrity(field, revision);
    Filler::Integrity(field);
  }

 private:
  LayoutNotes* notes_;
};

}  // namespace harness
