#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/samples/noting_filler.h"
#include "harness/trace/object.h"

namespace revctl::harness {

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

}  // namespace revctl::harness
