#pragma once
#include <revctl/objects.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

// A class whose objects can be nested in every way: in a nested stream, as owned boxes, and as
// shared boxes.
namespace boxes {

struct Box {
  std::int32_t number = 0;
  std::vector<std::unique_ptr<Box>> inside;  ///< saved as a nested stream
  std::unique_ptr<Box> next;
  std::shared_ptr<Box> peer;
  Box* looks = nullptr;
  static inline int alive = 0;
  /// The lowest stack address of any body that has run so far.
  static inline std::uintptr_t lowest = UINTPTR_MAX;
  Box() { ++alive; }
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
  ~Box() { --alive; }
};

const revctl::ObjectClasses& Classes();

SERIALIZE_TYPE(Box) {
  volatile char here = 0;
  Box::lowest = std::min(Box::lowest, reinterpret_cast<std::uintptr_t>(&here));
  ADD(1, number);
  ADD_OBJECTS(1, Classes(), inside);
  ADD_REF(1, next);
  ADD_REF(1, peer);
  ADD_REF(1, looks);
}
SERIALIZE_END

inline const revctl::ObjectClasses& Classes() {
  static const auto classes = revctl::ObjectClasses().Add<Box>("Box");
  return classes;
}

/// A struct with an object stream whose roots have any type.
template <class Roots>
struct Shelf {
  Roots boxes;
};
SERIALIZE_TEMPLATE((class Roots), Shelf<Roots>) { ADD_OBJECTS(1, Classes(), boxes); }
SERIALIZE_END

using Boxes = std::vector<std::unique_ptr<Box>>;

/// The pointer ids of one box in a handmade stream.
struct ForgedBox {
  std::uint32_t next = 0, peer = 0, looks = 0;
};
struct Forged {
  std::vector<std::uint32_t> parents;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared;
  std::vector<std::uint32_t> roots;
  std::vector<ForgedBox> boxes;

  static constexpr std::uint32_t kEmptyStream = 6 * 4;

  std::vector<std::byte> Bytes() const {
    auto copy = *this;
    revctl::Writer w(1);
    std::vector<std::string> classes = {"Box"};
    std::vector<std::uint16_t> kinds(boxes.size(), 0);
    w.Value(classes);
    w.Value(kinds);
    w.Value(copy.parents);
    w.Value(copy.shared);
    w.Value(copy.roots);
    auto count = static_cast<std::uint32_t>(boxes.size());
    w.Value(count);
    for (ForgedBox& box : copy.boxes) {
      std::uint32_t size = 4 + kEmptyStream + 3 * 4, none = 0;
      w.Value(size);
      for (int i = 0; i < 7; ++i) w.Value(none);  // the box's number (0) and an empty nested stream
      w.Value(box.next);
      w.Value(box.peer);
      w.Value(box.looks);
    }
    return {w.Bytes().begin(), w.Bytes().end()};
  }
};

}  // namespace boxes
