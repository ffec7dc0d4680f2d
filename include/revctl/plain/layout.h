#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <revctl/plain/table.h>

// Computes the layout that the compiler gave a struct at any old revision. Live fields are in
// declaration order, each at the next multiple of its alignment, and the struct's size is a
// multiple of its largest alignment.
namespace revctl::detail {

/// Size and alignment in bytes. A struct without live fields has size 0.
struct PlainExtent {
  std::size_t size = 0;
  std::size_t align = 1;
};

constexpr std::size_t PlainAlignUp(std::size_t offset, std::size_t align) {
  return (offset + align - 1) / align * align;
}

constexpr PlainExtent PlainExtentAt(const PlainTable& table, std::int64_t revision);

/// Returns the size of one leaf of `field` at `revision`, and the alignment of the whole field.
constexpr PlainExtent PlainLeafAt(const PlainField& field, std::int64_t revision) {
  if (field.shape.Record()) return PlainExtentAt(*field.shape.nested, revision);
  return {field.shape.unit, field.shape.align};
}

/// Returns the offset of field `index`, which must be live at `revision`. If `index` is
/// `table.count`, returns the end of the last field.
constexpr std::size_t PlainOffsetAt(const PlainTable& table, int index, std::int64_t revision) {
  std::size_t end = 0;
  for (int i = 0; i <= index && i < table.count; ++i) {
    const PlainField& field = table.fields[i];
    if (!field.LiveAt(revision)) continue;
    const PlainExtent leaf = PlainLeafAt(field, revision);
    const std::size_t offset = PlainAlignUp(end, leaf.align);
    if (i == index) return offset;
    end = offset + leaf.size * field.shape.count;
  }
  return end;
}

constexpr PlainExtent PlainExtentAt(const PlainTable& table, std::int64_t revision) {
  PlainExtent all;
  for (int i = 0; i < table.count; ++i) {
    if (table.fields[i].LiveAt(revision)) {
      all.align = (std::max)(all.align, PlainLeafAt(table.fields[i], revision).align);
    }
  }
  all.size = PlainAlignUp(PlainOffsetAt(table, table.count, revision), all.align);
  return all;
}

/// Calls `see(number)` for every revision at which `table` or a nested struct changes its layout or
/// has a handler. The numbers are unordered and may repeat.
template <class See>
constexpr void ForEachPlainBreak(const PlainTable& table, See&& see) {
  for (int i = 0; i < table.count; ++i) {
    const PlainField& field = table.fields[i];
    see(field.since);
    if (!field.Lives()) see(field.until);
    if (field.shape.Record()) ForEachPlainBreak(*field.shape.nested, see);
  }
  const PlainRuntime& runtime = table.runtime();
  for (int i = 0; i < runtime.hop_count; ++i) see(runtime.hops[i].number);
}

inline constexpr std::int64_t kPlainNever = (std::numeric_limits<std::int64_t>::min)();

/// Returns the last revision up to `revision` that changed the layout or has a handler, which is
/// called the epoch of `revision`. Revisions with the same epoch have the same layout and no
/// handler between them.
constexpr std::int64_t PlainEpoch(const PlainTable& table, std::int64_t revision) {
  std::int64_t epoch = kPlainNever;
  ForEachPlainBreak(table, [&](std::int64_t number) {
    if (number <= revision) epoch = (std::max)(epoch, number);
  });
  return epoch;
}

struct PlainLayout;

struct PlainPlace {
  int field;                  ///< index into PlainTable::fields
  std::size_t offset;         ///< bytes from the start of the record
  std::size_t stride;         ///< bytes of one leaf
  const PlainLayout* nested;  ///< null unless the field is a record
  bool checked;               ///< true if the field contains bools or enums, whose bytes may be
                              ///< invalid
  int successor;              ///< for a dead field: index of the field that continues it, or -1
};

/// The layout of one record at one epoch.
struct PlainLayout {
  const PlainTable* table;
  std::int64_t epoch;
  std::size_t size = 0, align = 1;
  bool checked = false;
  std::vector<PlainPlace> places;

  const PlainField& FieldOf(const PlainPlace& place) const { return table->fields[place.field]; }
  const PlainPlace* Find(int field) const {
    for (const PlainPlace& place : places) {
      if (place.field == field) return &place;
    }
    return nullptr;
  }
};

/// Computes layouts on first use and caches them. Not thread-safe; each read uses a separate
/// object.
class PlainLayouts {
 public:
  /// Returns a layout, which is valid as long as this object exists. All revisions of an epoch
  /// share the same layout object.
  const PlainLayout& At(const PlainTable& table, std::int64_t revision) {
    const std::int64_t epoch = PlainEpoch(table, revision);
    for (const auto& known : all_) {
      if (known->table == &table && known->epoch == epoch) return *known;
    }
    auto layout = std::make_unique<PlainLayout>();
    layout->table = &table;
    layout->epoch = epoch;
    std::size_t end = 0;
    for (int i = 0; i < table.count; ++i) {
      const PlainField& field = table.fields[i];
      if (!field.LiveAt(revision)) continue;
      PlainPlace place{i, 0, field.shape.unit, nullptr, field.shape.Checked(), -1};
      if (!field.Lives()) place.successor = PlainSuccessor(table, i);
      std::size_t align = field.shape.align;
      if (field.shape.Record()) {
        place.nested = &At(*field.shape.nested, revision);
        place.stride = place.nested->size;
        place.checked = place.nested->checked;
        align = place.nested->align;
      }
      place.offset = PlainAlignUp(end, align);
      end = place.offset + place.stride * field.shape.count;
      layout->align = (std::max)(layout->align, align);
      layout->checked |= place.checked;
      layout->places.push_back(place);
    }
    layout->size = PlainAlignUp(end, layout->align);
    all_.push_back(std::move(layout));
    return *all_.back();
  }

  const PlainLayout& Today(const PlainTable& table) { return At(table, kPlainLives - 1); }

 private:
  std::vector<std::unique_ptr<PlainLayout>> all_;
};

}  // namespace revctl::detail
