#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/detail/base/bytes.h>
#include <revctl/plain.h>
#include <revctl/serialize.h>

// Lets plain structs appear in bodies, files and the harness. Each plain struct gets a body, as if
// it had a SERIALIZE_TYPE, so that `ADD(SR_WORLD, world)`, Save() and Load() accept it. On the
// wire, a plain struct is its memory image. Archives that report individual fields visit all
// declared fields, including removed ones, and visit padding as unnamed bytes.
namespace revctl {
namespace detail {

/// The body of a plain struct visits every member, because CheckPlain compares layouts and thus
/// detects members without a FIELD.
template <PlainType T>
inline constexpr bool kVisitsWhole<T> = true;

/// The type that non-binary archives see for a field that is not a PLAIN struct. Fixed arrays,
/// including PlainValues, appear as std::array.
template <class F>
struct PlainWireOf {
  using Type = F;
};
template <class F>
requires(PlainArray<F>::extent > 0) struct PlainWireOf<F> {
  using Type = std::array<typename PlainWireOf<typename PlainArray<F>::Element>::Type,
                          PlainArray<F>::extent>;
};

/// Redirects accesses to nested records of an old revision to the bytes of the outer image.
///
/// At an old revision, the layout of a nested record differs from its C++ type, so the record
/// exists only as bytes in the image of the outer record. Archives visit a fresh object instead,
/// and the visit of that object calls For() to find the bytes. While a field is visited, it has a
/// PlainStandIn on the stack. The PlainStandIns form a chain, innermost first.
class PlainStandIn {
 public:
  struct Bytes {
    const PlainLayout* layout;
    std::byte* image;
  };

  /// Maps `count` objects of `size` bytes each, starting at `objects`, to the elements of `place`
  /// in `image`.
  PlainStandIn(const void* objects, std::size_t size, std::size_t count, const PlainPlace& place,
               std::byte* image)
      : objects_(static_cast<const std::byte*>(objects)),
        size_(size),
        count_(count),
        place_(place),
        image_(image),
        outer_(std::exchange(Innermost(), this)) {}
  ~PlainStandIn() { Innermost() = outer_; }
  PlainStandIn(const PlainStandIn&) = delete;
  PlainStandIn& operator=(const PlainStandIn&) = delete;

  /// Returns the bytes for `object`. In the result, `layout` is null for an ordinary object.
  static Bytes For(const void* object) {
    for (const PlainStandIn* in = Innermost(); in != nullptr; in = in->outer_) {
      const auto distance =
          reinterpret_cast<std::uintptr_t>(object) - reinterpret_cast<std::uintptr_t>(in->objects_);
      if (distance >= in->size_ * in->count_) continue;
      return {in->place_.nested,
              in->image_ + in->place_.offset + distance / in->size_ * in->place_.stride};
    }
    return {nullptr, nullptr};
  }

 private:
  static PlainStandIn*& Innermost() {
    static thread_local PlainStandIn* innermost = nullptr;
    return innermost;
  }
  const std::byte* objects_;
  std::size_t size_, count_;
  const PlainPlace& place_;
  std::byte* image_;
  PlainStandIn* outer_;
};

/// Visits padding as unnamed bytes, because it is on the wire.
template <std::size_t Size = 16>
void VisitPlainPadding(AnyArchive& archive, std::byte* at, std::size_t size) {
  static constexpr Site site{Form::Plain, "", "", "", "", "", "", 0};
  for (; size >= Size && archive.Ok(); size -= Size, at += Size) {
    archive.Field({.site = site, .type = TypeOf<std::array<std::uint8_t, Size>>(), .value = at});
  }
  if constexpr (Size > 1) {
    if (size > 0) VisitPlainPadding<Size - 1>(archive, at, size);
  }
}

/// Visits a FIELD or DEAD. On entry, `end` is the offset at which the previous field ends; on
/// return, it is the offset at which this field ends.
template <PlainType T, int I>
void VisitPlainMember(AnyArchive& archive, const PlainLayout& layout, std::byte* image,
                      std::size_t& end) {
  using M = PlainMemberAt<T, I>;
  using F = typename M::Type;
  using Leaf = PlainLeaf<F>;
  if (!archive.Ok()) return;
  static constexpr PlainTexts texts = T::RevctlPlainTexts(PlainIndex<I>{});
  static constexpr Site site{M::lives ? Form::Add : Form::Rem,
                             M::name,
                             texts.since,
                             texts.until,
                             "",
                             texts.fallback,
                             texts.file,
                             texts.line};
  // This comparison makes the archive note the gates.
  (void)(archive.revision >= M::since && (M::lives || archive.revision < M::until));
  const PlainPlace* place = layout.Find(I);
  const bool live = place != nullptr;
  const auto announce = [&](const TypeInfo& type, void* value) {
    archive.Field({.site = site,
                   .since = M::since,
                   .until = M::lives ? 0 : M::until,
                   .live = live,
                   .type = type,
                   .value = value});
  };
  if (live) {
    VisitPlainPadding(archive, image + end, place->offset - end);
    end = place->offset + place->stride * plain_leaves<F>;
  }
  if constexpr (PlainType<Leaf>) {
    FreshObject objects(TypeOf<F>(), kMaking<F>);
    if (live) {
      PlainStandIn scope(objects.get(), sizeof(Leaf), plain_leaves<F>, *place, image);
      announce(TypeOf<F>(), objects.get());
    } else {
      announce(TypeOf<F>(), objects.get());
    }
  } else {
    using Wire = typename PlainWireOf<F>::Type;
    const TypeInfo& type = TypeOf<Wire>();
    if (live) {
      announce(type, image + place->offset);
    } else {
      FreshObject fallback(type, kMaking<Wire>);
      if (auto write = plain_table<T>.runtime().dead_defaults[I]; write != nullptr)
        write(fallback.get());
      announce(type, fallback.get());
    }
  }
  if constexpr (PlainShapeOf<Leaf>().Checked()) {
    if (!live || !archive.IsReading() || !archive.Ok()) return;
    const PlainField& field = plain_table<T>.fields[I];
    const std::byte* leaves = image + place->offset;
    const std::size_t bad = field.shape.first_bad(leaves, field.shape.count);
    if (bad == field.shape.count) return;
    PlainTrouble trouble;
    PlainRefuseLeaf(field, bad, leaves + bad * place->stride, 0, trouble);
    archive.FailHere(trouble.path() + ": " + trouble.reason());
  }
}

/// Visits the fields of a plain struct's image, which is in host byte order.
template <PlainType T>
void VisitPlainImage(AnyArchive& archive, const PlainLayout& layout, std::byte* image) {
  std::size_t end = 0;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (VisitPlainMember<T, I>(archive, layout, image, end), ...);
  }
  (std::make_integer_sequence<int, plain_members<T>>{});
  VisitPlainPadding(archive, image + end, layout.size - end);
  const PlainRuntime& runtime = plain_table<T>.runtime();
  for (int i = 0; i < runtime.hop_count; ++i)
    (void)(archive.revision >= runtime.hops[i].number);  // lets the archive note the revision
}

inline void TellPlainTrouble(AnyArchive& archive, const PlainTrouble& trouble) {
  const std::string text = (trouble.path().empty() ? "" : trouble.path() + ": ") + trouble.reason();
  if (trouble.kind() == Status::Kind::Refused) {
    archive.Fail(text);
  } else {
    archive.FailHere(text);
  }
}

/// Sets `revision` to the revision whose layout matches the archive's gates. Fails if gates open by
/// name (gates_by_name.h) and match no revision, because layouts exist only for whole revisions.
inline bool PlainRevisionOf(AnyArchive& archive, const PlainTable& table, std::int64_t& revision) {
  revision = archive.revision.number();
  if (archive.revision.by_name() == nullptr) return true;
  std::int64_t newest_open = kPlainNever, oldest_closed = kPlainLives;
  ForEachPlainBreak(table, [&](std::int64_t number) {
    if (archive.revision >= number) {
      newest_open = (std::max)(newest_open, number);
    } else {
      oldest_closed = (std::min)(oldest_closed, number);
    }
  });
  revision = newest_open;
  if (newest_open < oldest_closed) return true;
  archive.FailHere(std::string(table.name) + " has layout changes at revisions " +
                   std::to_string(oldest_closed) + " (not in the file's list) and " +
                   std::to_string(newest_open) +
                   " (in the file's list): no layout of this program matches the file");
  return false;
}

template <PlainType T>
void SerializePlainErased(AnyArchive& archive, T& value) {
  if (const auto bytes = PlainStandIn::For(std::addressof(value)); bytes.layout != nullptr) {
    return VisitPlainImage<T>(archive, *bytes.layout, bytes.image);
  }
  std::int64_t revision = 0;
  if (!PlainRevisionOf(archive, plain_table<T>, revision)) return;
  if (const Status ready = PlainReady<T>(revision); !ready.Ok())
    return archive.FailHere(ready.message());
  const PlainPastOf<T> past(revision);
  const PlainLayout& layout = past->layout();
  PlainStorage image(layout.size, layout.align);
  PlainTrouble trouble;
  auto* today = reinterpret_cast<std::byte*>(&value);
  if (archive.IsWriting()) {
    if (CheckPlainToday<T>(today, 0, trouble)) {
      past->Downgrade(today, image.at());
      VisitPlainImage<T>(archive, layout, image.at());
    }
  } else {
    const std::vector<std::byte> fresh = past->Fresh();
    std::memcpy(image.at(), fresh.data(), layout.size);
    VisitPlainImage<T>(archive, layout, image.at());
    if (!archive.Ok()) return;
    const std::byte* const upgraded = past->Upgrade(image.at(), trouble);
    if (upgraded != nullptr && CheckPlainToday<T>(upgraded, 0, trouble)) {
      std::memcpy(static_cast<void*>(&value), upgraded, sizeof(T));
    }
  }
  if (trouble.Any()) TellPlainTrouble(archive, trouble);
}

/// Reports `trouble`, found in the last `size` bytes that the archive has read.
template <class R>
void TellPlainTrouble(R& r, const PlainTrouble& trouble, std::size_t size) {
  if constexpr (requires { r.FailBefore(size, trouble.reason()); }) {
    const std::size_t back = trouble.offset() < size ? size - trouble.offset() : 0;
    if (!r.Ok()) return;
    if (trouble.kind() == Status::Kind::Refused) {
      r.Fail(trouble.reason());
    } else {
      r.FailBefore(back, trouble.reason());
    }
    r.FailedInField(trouble.path().c_str());
  } else {
    r.Fail(trouble.reason());
  }
}

/// Size in bytes of the largest image that is built on the stack.
inline constexpr std::size_t kPlainOnStack = 1024;

template <PlainType T, class R>
void SerializePlainToday(R& r, T& value, PlainTrouble& trouble) {
  // View the memory as a byte array of constant size, so that the archive copies it in one step.
  auto& memory = reinterpret_cast<unsigned char(&)[sizeof(T)]>(value);
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  if (!r.IsWriting()) {
    r.Value(memory);
    // Zero the object on error, so that no bool in it keeps an invalid byte.
    if (!r.Ok() || !CheckPlainToday<T>(bytes, 0, trouble))
      std::memset(static_cast<void*>(&value), 0, sizeof(T));
  } else if (!CheckPlainToday<T>(bytes, 0, trouble)) {
    return;
  } else if constexpr (PlainValueBytes<T>() == sizeof(T)) {
    r.Value(memory);
  } else if constexpr (sizeof(T) <= kPlainOnStack) {
    unsigned char image[sizeof(T)];
    std::memcpy(image, &value, sizeof(T));
    ZeroPlainPadding<T>(reinterpret_cast<std::byte*>(image));
    r.Value(image);
  } else {
    std::vector<std::byte> image(bytes, bytes + sizeof(T));
    ZeroPlainPadding<T>(image.data());
    r.Value(*reinterpret_cast<unsigned char(*)[sizeof(T)]>(image.data()));
  }
}

template <PlainType T, class R>
void SerializePlainOld(R& r, T& value, PlainPast& past, PlainTrouble& trouble) {
  const std::size_t size = past.layout().size;
  std::byte small[kPlainOnStack];
  std::vector<std::byte> large(size <= kPlainOnStack ? 0 : size);
  std::byte* const image = large.empty() ? small : large.data();
  if (r.IsWriting()) {
    if (WritePlainOld(past, value, image, trouble)) VisitBytes(r, image, size);
  } else {
    VisitBytes(r, image, size);
    if (r.Ok()) ReadPlainOld(past, image, value, trouble);
  }
}

template <PlainType T, class R>
void SerializePlainBinary(R& r, T& value) {
  if (!r.Ok()) return;
  const std::int64_t revision = r.revision.number();
  PlainTrouble trouble;
  std::size_t size = 0;
  if (plain_fits<T> && PlainAsItIs<T>(revision)) {
    size = sizeof(T);
    SerializePlainToday<T>(r, value, trouble);
  } else if (const PlainPastOf<T> past(revision); plain_fits<T> && past->layout().size > 0) {
    size = past->layout().size;
    SerializePlainOld<T>(r, value, *past, trouble);
  } else {
    trouble.Fail(Status::Kind::Corrupt, 0, PlainReady<T>(revision).message());
  }
  if (trouble.Any()) TellPlainTrouble(r, trouble, size);
}

/// Registers how to create values of each field's type (detail/visit/type_making.h).
template <PlainType T>
void LearnPlainMembers() {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((void)kLearned<typename PlainWireOf<typename PlainMemberAt<T, I>::Type>::Type>, ...);
  }
  (std::make_integer_sequence<int, plain_members<T>>{});
}

}  // namespace detail

/// The body of every PLAIN struct. To replace it for a particular struct, define a SERIALIZE_TYPE
/// for that struct.
template <PlainStruct T>
constexpr auto RevctlBody(Tag<T>) {
  return [](auto& r, auto& d, auto*) -> void {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(r)>, detail::TypeLister>) {
      detail::LearnPlainMembers<T>();
    } else if constexpr (detail::kErased<decltype(r)>) {
      detail::SerializePlainErased<T>(r, d);
    } else {
      detail::SerializePlainBinary<T>(r, d);
    }
  };
}

}  // namespace revctl
