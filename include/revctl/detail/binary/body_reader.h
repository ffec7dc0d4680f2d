#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/short_bytes.h>
#include <revctl/detail/binary/flat_iterator.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/reader.h>

// The reader as bodies have it: how each kind of value is read. What grows: reader_elements.h.

namespace revctl::detail {

/// What bodies get of a Reader: a copy of its cursor, in a local variable. A compiler keeps that in
/// registers; the reader's own would be loaded and stored for each field. Its address goes nowhere.
/// Functions that are not inlined take the Reader itself, between Leave() and Enter(), which carry
/// the cursor over and back.
class BodyReader {
 public:
  using RevctlBinaryArchive = void;

  explicit BodyReader(Reader& r) : revision(r.revision), r_(r), p_(r.p_), end_(r.end_) {}
  ~BodyReader() { Leave(); }
  BodyReader(const BodyReader&) = delete;
  BodyReader& operator=(const BodyReader&) = delete;

  const Revision revision;
  static constexpr bool IsReading() { return true; }
  static constexpr bool IsWriting() { return false; }
  bool Ok() const { return r_.Ok(); }
  bool AtEnd() const { return !r_.failed_ && p_ == end_; }
  const ArchiveError& error() const { return r_.error(); }

  [[gnu::always_inline]] void Fail(std::string_view reason) {
    Leave();
    r_.Fail(reason);
    Enter();
  }
  [[gnu::always_inline]] void FailHere(std::string_view reason) {
    Leave();
    r_.FailHere(reason);
    Enter();
  }
  [[gnu::always_inline]] std::span<const std::byte> Take(std::size_t size) {
    if (!Need(size)) return {};
    p_ += size;
    return {p_ - size, size};
  }
  [[gnu::always_inline]] std::span<const std::byte> Rest() const { return {p_, end_}; }
  [[gnu::always_inline]] std::size_t offset() const {
    return static_cast<std::size_t>((r_.failed_ ? r_.failed_at_ : p_) - r_.begin_);
  }
  bool Borrows() const { return r_.Borrows(); }
  [[gnu::always_inline]] bool PayFor(std::size_t count, std::size_t size) {
    return size == 0 || Pay(count, size);
  }
  [[gnu::always_inline]] bool Descend(int levels) {
    Leave();
    const bool fine = r_.Descend(levels);
    Enter();
    return fine;
  }
  [[gnu::always_inline]] void Ascend(int levels) { r_.Ascend(levels); }
  [[gnu::always_inline]] int DepthLeft() const { return r_.DepthLeft(); }

  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    Value(value);
  }

  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    constexpr Kind kind = KindOf<T>();
    if constexpr (kIsView<T>) {
      VisitView(*this, value);
    } else if constexpr (kIsAligned<T>) {
      ValueAligned<kAlignment<T>>(*this, value.value);
    } else if constexpr (HasWireAs<T>) {
      typename WireAs<T>::Type wire{};
      Value(wire);
      if (!r_.failed_ && !WireAs<T>::FromWire(std::move(wire), value)) [[unlikely]]
        Fail(kNotAsWire);
    } else if constexpr (kIsScalar<T>) {
      Scalar(value);
    } else if constexpr (kind == Kind::Record) {
      if constexpr (kFlatHere<T, true>) {
        ReadFlat(value);
      } else if constexpr (kTakesArchive<T>) {
        Leave();
        RunBody(r_, value);
        Enter();
      } else {
        RunBody(*this, value);
      }
    } else if constexpr (IsShort<T>()) {
      UseResourceFor(value);
      Nested<kind>(value);
    } else {
      Leave();
      r_.Read<kind>(value);
      Enter();
    }
  }

  /// Elements of a declared type that is flat, in the file that has its body.
  template <class T>
  void FlatElements(T& value) {
    if constexpr (kMadeInPlace<T>) {
      ReadFlatElements(value);
    } else {
      ReadElements(value);
    }
  }

  /// Reads the zeros before an aligned value.
  [[gnu::always_inline]] void Align(std::size_t alignment, std::size_t before) {
    const std::size_t offset = static_cast<std::size_t>(p_ - r_.begin_) - r_.part_;
    std::size_t zeros = PaddingAt(offset, alignment, before);
    if (!Need(zeros)) return;
    for (; zeros > 0; --zeros) {
      if (*p_ != std::byte{0}) [[unlikely]]
        return Stop();
      ++p_;
    }
  }

  [[gnu::always_inline]] void Integrity() {
    std::uint32_t found = 0;
    Scalar(found);
    if (found != r_.counter_) [[unlikely]] {
      Stop();
    } else {
      ++r_.counter_;
    }
  }

 private:
  friend class revctl::Reader;

  [[gnu::always_inline]] void Leave() { r_.p_ = p_; }
  [[gnu::always_inline]] void Enter() { p_ = r_.p_; }
  [[gnu::always_inline]] std::size_t Left() const { return static_cast<std::size_t>(end_ - p_); }
  /// Sticky: nothing is left to read from now on.
  [[gnu::always_inline]] void Stop() {
    r_.StopAt(p_);
    p_ = end_;
  }
  [[gnu::always_inline]] bool Need(std::size_t bytes) {
    if (Left() >= bytes) [[likely]]
      return true;
    Stop();
    return false;
  }
  /// Pays for `count` elements of `size` bytes of memory.
  [[gnu::always_inline]] bool Pay(std::size_t count, std::size_t size) {
    Leave();
    const bool paid = r_.Pay(count, size);
    Enter();
    return paid;
  }
  template <class T>
  [[gnu::always_inline]] void UseResourceFor([[maybe_unused]] T& value) {
    if constexpr (PmrContainer<T>) {
      if (r_.options_.resource) UseResource(value, r_.options_.resource);
    }
  }

  /// What is read in a few instructions, where it is visited.
  template <class T>
  static consteval bool IsShort() {
    if constexpr (kDescends<T>) {
      return false;
    } else if constexpr (kIsString<T>) {
      return true;
    } else if constexpr (KindOf<T>() == Kind::Array) {
      return kIsRaw<typename Shape<T>::Element>;
    } else if constexpr (KindOf<T>() == Kind::Sequence) {
      return kIsRaw<typename Shape<T>::Element> && Resizable<T>;
    } else {
      return KindOf<T>() == Kind::Tuple;
    }
  }

  template <class T>
  [[gnu::always_inline]] void Scalar(T& value) {
    const std::byte* const p = p_;  // not looked at again behind the store
    if (!Need(sizeof(T))) [[unlikely]] {
      value = T{};
      return;
    }
    if constexpr (kIsBool<T>) {
      const unsigned char byte = static_cast<unsigned char>(*p);
      value = static_cast<T>(byte != 0);
      if (byte > 1) [[unlikely]]
        return Stop();
    } else if constexpr (kIsUnfixedEnum<T>) {
      std::underlying_type_t<T> number;
      LoadValue(number, p);
      if (!IsNumberOfEnum<T>(number)) [[unlikely]] {
        value = T{};
        return Stop();
      }
      value = static_cast<T>(number);
    } else {
      LoadValue(value, p);
    }
    p_ = p + sizeof(T);
  }

  [[gnu::always_inline]] std::uint32_t Count() {
    std::uint32_t count = 0;
    Scalar(count);
    return count;
  }
  [[gnu::always_inline]] unsigned Flag(unsigned limit) {
    std::uint8_t flag = 0;
    Scalar(flag);
    if (flag >= limit) [[unlikely]] {
      Stop();
      return 0;
    }
    return flag;
  }

  /// Takes and gives the cursor by value. Not inlined: a text takes as long as the call, and each
  /// place that visits one would be a hundred instructions longer.
  template <class T>
  [[gnu::noinline]] static const std::byte* ReadText(Reader& r, const std::byte* p, T& value) {
    const std::byte* const end = r.end_;
    std::uint32_t size = 0;
    if (static_cast<std::size_t>(end - p) >= sizeof size) [[likely]] {
      LoadValue(size, p);
      const std::size_t left = static_cast<std::size_t>(end - p) - sizeof size;
      const char* const bytes = reinterpret_cast<const char*>(p + sizeof size);
      if (size <= left) [[likely]] {
        // A new string is quicker made than assigned to.
        if (value.empty()) [[likely]] {
          MakeText(value, bytes, size, left);
        } else {
          value.assign(bytes, size);
        }
        return p + sizeof size + size;
      }
      p += sizeof size;
    }
    r.StopAt(p);
    value.clear();
    return end;
  }

  template <Kind kind, class T>
  [[gnu::always_inline]] void Nested(T& value) {
    using Shape = detail::Shape<T>;
    if constexpr (kind == Kind::String) {
      p_ = ReadText(r_, p_, value);
    } else if constexpr (kind == Kind::Array) {
      ReadArray(value);
    } else if constexpr (kind == Kind::Sequence) {
      using Element = typename Shape::Element;
      RequireGrowable<T>();
      if constexpr (kIsRaw<Element> && Resizable<T>) {
        p_ = ReadNumbers(r_, p_, value);
      } else if constexpr (StatedFlat<Element> && std::is_same_v<T, std::vector<Element>>) {
        Leave();
        RevctlVisitMany(r_, value, Tag<Element>{});
        Enter();
      } else if constexpr (kMadeInPlace<T> && kFlatHere<Element, true>) {
        ReadFlatElements(value);
      } else {
        ReadElements(value);
      }
    } else if constexpr (kind == Kind::Optional || kind == Kind::Pointer) {
      ReadHolder(value);
    } else if constexpr (kind == Kind::Map) {
      ReadMap(value);
    } else if constexpr (kind == Kind::Set) {
      ReadSet(value);
    } else if constexpr (kind == Kind::Tuple) {
      std::apply([&](auto&... member) { (Value(member), ...); }, value);
    } else if constexpr (kind == Kind::Variant) {
      ReadVariant(value, std::make_index_sequence<Shape::count>());
    } else {
      static_assert(kind == Kind::Bitset);
      constexpr std::size_t size = (Shape::count + 7) / 8;
      value.reset();
      if (!Need(size)) [[unlikely]]
        return;
      if (!UnpackBits(reinterpret_cast<const char*>(p_), value)) [[unlikely]] {
        Stop();
        return;
      }
      p_ += size;
    }
  }

  template <class T>
  [[gnu::always_inline]] void ReadArray(T& value) {
    using Element = typename Shape<T>::Element;
    if constexpr (kIsRaw<Element>) {
      constexpr std::size_t count = Shape<T>::count;
      if constexpr (count != 0) {
        if (!Need(count * sizeof(Element))) [[unlikely]] {
          for (auto& element : value) element = Element{};
          return;
        }
        CopyValues<Element>(std::addressof(value[0]), p_, count);
        p_ += count * sizeof(Element);
      }
    } else {
      for (auto& element : value) Value(element);
    }
  }

  /// Vectors up to this size are made from their bytes one by one: faster than a fill and a copy.
  static constexpr std::size_t kFewNumbers = 32;
  /// Takes and gives the cursor by value, as ReadText does.
  template <class T>
  [[gnu::noinline]] static const std::byte* ReadNumbers(Reader& r, const std::byte* p, T& value);
  /// A flat object by itself: at the newest revision one check covers all its leaves, and its gates
  /// fold away.
  template <class T>
  [[gnu::always_inline]] void ReadFlat(T& value) {
    constexpr const FlatSizes& sizes = kFlatSizes<T, true>;
    if (revision.AtLeast(sizes.Newest())) [[likely]] {
      constexpr std::size_t wire = sizes.NewestSize();
      if (Left() >= wire) [[likely]] {
        FlatReader<NewestRevision> reader({}, p_);
        RunBody(reader, value);
        if (reader.bad > 1) [[unlikely]] {
          Stop();
        } else {
          p_ += wire;
        }
        return;
      }
    }
    RunBody(*this, value);
  }

  template <class T>
  void ReadFlatElements(T& value);
  template <class T>
  void ReadElements(T& value);
  template <class T>
  void ReadCounted(T& value, std::size_t count);
  template <class T, std::size_t... i>
  void AppendVariant(T& value, std::index_sequence<i...>);
  template <class T>
  void ReadHolder(T& value);
  template <class Base>
  void ReadPolymorphic(std::unique_ptr<Base>& value);
  template <class T>
  void ReadMap(T& value);
  template <class T>
  void ReadSet(T& value);
  template <class T, std::size_t... i>
  void ReadVariant(T& value, std::index_sequence<i...>);

  Reader& r_;
  const std::byte* p_;
  const std::byte* end_;
};

template <>
struct BodyArchive<Reader> {
  using Type = BodyReader;
};

}  // namespace revctl::detail

namespace revctl {

template <class T>
[[gnu::always_inline]] inline void Reader::Value(T& value) {
  detail::BodyReader body(*this);
  body.Value(value);
}

template <class T>
void Reader::FlatElements(T& value) {
  detail::BodyReader body(*this);
  body.FlatElements(value);
}

/// What has parts of its own, one level deeper where it can hold itself.
template <Kind kind, class T>
void Reader::Read(T& value) {
  if constexpr (detail::kDescends<T>) {
    if (++depth_ > limits_.depth) [[unlikely]]
      Stop();
  }
  {
    detail::BodyReader body(*this);
    body.UseResourceFor(value);
    body.template Nested<kind>(value);
  }
  if constexpr (detail::kDescends<T>) --depth_;
}

}  // namespace revctl

#include <revctl/detail/binary/reader_elements.h>  // the members declared above
