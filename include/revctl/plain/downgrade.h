#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <revctl/plain/convert.h>
#include <revctl/plain/layout.h>

// From today's struct back to the layout of an old revision: what older builds are written, and
// what a field that begins at an old revision begins with.
namespace revctl::detail {

/// Storage for one object at its alignment.
class PlainStorage {
 public:
  PlainStorage(std::size_t size, std::size_t align)
      : align_(align),
        at_(static_cast<std::byte*>(::operator new (size, std::align_val_t{align}))) {
    std::memset(at_, 0, size);
  }
  PlainStorage(const PlainStorage&) = delete;
  PlainStorage& operator=(const PlainStorage&) = delete;
  ~PlainStorage() { ::operator delete (at_, std::align_val_t{align_}); }
  std::byte* at() { return at_; }

 private:
  std::size_t align_;
  std::byte* at_;
};

/// The bytes of a fresh `T{}`, in today's layout.
inline std::unique_ptr<PlainStorage> FreshPlain(const PlainTable& table) {
  auto storage = std::make_unique<PlainStorage>(table.size, table.align);
  table.runtime().fresh(storage->at());
  return storage;
}

void PlainDowngrade(PlainLayouts& layouts, const PlainTable& table, const std::byte* today,
                    const PlainLayout& old, std::byte* image);

/// A field of today at an old revision. The array is the same; a nested record may have had another
/// layout.
inline void PlainDowngradeField(PlainLayouts& layouts, const PlainField& field,
                                const std::byte* today, const PlainPlace& place, std::byte* image) {
  if (!field.shape.Record()) {
    std::memcpy(image, today, place.stride * field.shape.count);
    return;
  }
  for (std::size_t i = 0; i < field.shape.count; ++i) {
    PlainDowngrade(layouts, *field.shape.nested, today + i * field.shape.nested->size,
                   *place.nested, image + i * place.stride);
  }
}

/// A dead field: what DEAD_WITH says; else, as far as it converts, the field that continued it;
/// else zero, and for a record a fresh one.
inline void PlainDowngradeDead(PlainLayouts& layouts, const PlainTable& table,
                               const std::byte* today, const PlainPlace& place, std::byte* image) {
  const PlainField& field = table.fields[place.field];
  const PlainRuntime& runtime = table.runtime();
  if (runtime.dead_defaults[place.field] != nullptr) {
    runtime.dead_defaults[place.field](image);
    return;
  }
  if (field.shape.Record()) {
    const auto fresh = FreshPlain(*field.shape.nested);
    for (std::size_t i = 0; i < field.shape.count; ++i) {
      PlainDowngrade(layouts, *field.shape.nested, fresh->at(), *place.nested,
                     image + i * place.stride);
    }
  }
  if (place.successor < 0) return;
  const PlainField& next = table.fields[place.successor];
  if (!next.Lives() || next.shape.rank != field.shape.rank ||
      next.shape.nested != field.shape.nested)
    return;
  const std::byte* source = today + runtime.offsets[place.successor];
  std::string ignored;
  ForEachPlainCommon(next.shape, field.shape, [&](std::size_t from, std::size_t to) {
    if (field.shape.Record()) {
      PlainDowngrade(layouts, *field.shape.nested, source + from * field.shape.nested->size,
                     *place.nested, image + to * place.stride);
    } else {
      PlainConvertLeaf(next.shape, source + from * next.shape.unit, field.shape,
                       image + to * place.stride, ignored);
    }
    return true;
  });
}

/// Writes `today`, a struct in memory, in layout `old`. `image` has `old.size` bytes, all zero:
/// padding stays so.
inline void PlainDowngrade(PlainLayouts& layouts, const PlainTable& table, const std::byte* today,
                           const PlainLayout& old, std::byte* image) {
  for (const PlainPlace& place : old.places) {
    const PlainField& field = old.FieldOf(place);
    if (field.Lives()) {
      PlainDowngradeField(layouts, field, today + table.runtime().offsets[place.field], place,
                          image + place.offset);
    } else {
      PlainDowngradeDead(layouts, table, today, place, image + place.offset);
    }
  }
}

/// What a new record is at an old revision: a fresh `T{}` in layout `old`.
inline std::vector<std::byte> PlainDefaultImage(PlainLayouts& layouts, const PlainLayout& old) {
  std::vector<std::byte> image(old.size);
  const auto fresh = FreshPlain(*old.table);
  PlainDowngrade(layouts, *old.table, fresh->at(), old, image.data());
  return image;
}

}  // namespace revctl::detail
