#pragma once
#include "harness/layout/layout_diff.h"

namespace revctl::harness {

/// A recorded layout in the words of today's code: what a field is called since, a condition that
/// only calls others so, and a REM where the field is one since. A line that is to be put back
/// compiles.
class CurrentSpelling {
 public:
  /// All must outlive this.
  CurrentSpelling(const golden::RecordedType& recorded, const TypeTrace& now,
                  const Renames& renames);

  const golden::RecordedType& recorded() const { return recorded_; }
  const golden::RecordedType& type() const { return said_; }
  /// A field of `recorded`, or of another record of the type.
  revctl::LayoutField Of(const revctl::LayoutField& field) const;

 private:
  revctl::LayoutField Say(revctl::LayoutField field) const;

  const golden::RecordedType& recorded_;
  const TypeTrace& now_;
  const Renames& renames_;
  golden::RecordedType said_;
};

}  // namespace revctl::harness
