#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "revctl/archive.h"
#include "revctl/archive_error.h"
#include "revctl/flat_iterator.h"
#include "revctl/limits.h"
#include "revctl/little_endian.h"
#include "revctl/raw_buffer.h"
#include "revctl/revision.h"
#include "revctl/short_bytes.h"
#include "revctl/trace.h"

namespace revctl {

/// Writes a payload into memory.
///
///   revctl::Writer w(SR_LATEST);
///   Serialize(w, score);              // score may be const: writing never changes it
///   Store(w.Bytes());
///
/// Writing fails only where a value has no form on the wire: a count above 32 bits, a variant
/// without a value, nesting deeper than readers accept, a fixed buffer that is full, a body that
/// calls r.Fail().
class Writer {
 public:
  using RevctlBinaryArchive = void;

  /// Grows its own memory. `at` may be an older revision: older builds can then read the bytes.
  explicit Writer(Revision at) : revision(at) {}
  /// Writes into `buffer`, which the caller owns; what does not fit is an error.
  Writer(Revision at, std::span<std::byte> buffer)
      : revision(at),
        p_(buffer.data()),
        end_(buffer.data() + buffer.size()),
        begin_(buffer.data()),
        fixed_(buffer) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  const Revision revision;
  static constexpr bool IsReading() { return false; }
  static constexpr bool IsWriting() { return true; }

  /// What was written; valid until the next write, Clear, or the end of the writer. Empty after an
  /// error.
  std::span<const std::byte> Bytes() const {
    return failed_ ? std::span<const std::byte>() : std::span<const std::byte>(begin_, p_);
  }
  bool Ok() const { return !failed_; }
  const ArchiveError& error() const { return error_; }

  /// Begins anew and keeps the memory: the way to write many objects.
  void Clear() {
    p_ = begin_;
    end_ = fixed_ ? fixed_->data() + fixed_->size() : memory_.data() + memory_.capacity();
    failed_ = false;
    counter_ = 0;
    payload_ = 0;
    error_ = {};
  }
  void SetLimits(const Limits& limits) { limits_ = limits; }
  /// Counts levels of nesting, for visitors that go deeper without a container; false, and an
  /// error, beyond Limits::depth.
  bool Descend(int levels) {
    depth_ += levels;
    if (depth_ <= limits_.depth) return true;
    FailHere(detail::kTooDeep);
    return false;
  }
  void Ascend(int levels) { depth_ -= levels; }
  int DepthLeft() const { return limits_.depth - depth_; }
  /// Copies bytes as they are: headers, embedded blobs.
  /// Those before the first value belong to no payload: alignments are counted behind them.
  void Append(std::span<const std::byte> bytes) {
    const bool heads = static_cast<std::size_t>(p_ - begin_) == payload_;
    Put(bytes.data(), bytes.size());
    if (heads) payload_ += bytes.size();
  }

  [[gnu::cold, gnu::noinline]] void Fail(std::string_view reason) { Stop(reason, true); }
  /// An error of the library's own: the value has no form on the wire. The first error wins.
  [[gnu::cold, gnu::noinline]] void FailHere(std::string_view reason) { Stop(reason, false); }

  // ---- called by macros and by Serialize()
  // -------------------------------------------------------------------------

  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    if (inside_) {
      Value(value);
      return;
    }
    inside_ = true;
    const bool failed_before = failed_;
    Value(value);
    inside_ = false;
    if (failed_ && !failed_before) [[unlikely]]
      Explain(TypeOf<T>(), std::addressof(value));
  }

  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    constexpr Kind kind = detail::KindOf<T>();
    if constexpr (detail::kIsView<T>) {
      detail::VisitView(*this, value);
    } else if constexpr (detail::kIsAligned<T>) {
      detail::ValueAligned<detail::kAlignment<T>>(*this, value.value);
    } else if constexpr (detail::HasWireAs<T>) {
      typename WireAs<T>::Type wire = WireAs<T>::ToWire(value);
      Value(wire);
    } else if constexpr (detail::kIsScalar<T>) {
      Scalar(value);
    } else if constexpr (kind == Kind::Record) {
      if constexpr (detail::kFlatHere<T, false>) {
        WriteFlat(value);
      } else {
        detail::RunBody(*this, value);
      }
    } else {
      Write<kind>(value);
    }
  }

  /// Elements of a declared type that is flat, in the file that has its body; their count is
  /// written.
  template <class T>
  void FlatElements(T& value) {
    WriteFlatElements(value);
  }

  /// Zeros before an aligned value.
  void Align(std::size_t alignment, std::size_t before) {
    const std::size_t offset = static_cast<std::size_t>(p_ - begin_) - payload_;
    static constexpr std::byte zeros[16] = {};
    Put(zeros, detail::PaddingAt(offset, alignment, before));
  }

  void Integrity() {
    Scalar(counter_);
    ++counter_;
  }

 private:
  struct Cursor {
    std::byte* p;
    std::byte* end;
  };
  /// More room. Takes and gives the cursor by value, so that the writer's own address never
  /// escapes.
  [[gnu::cold, gnu::noinline]] static Cursor Grow(detail::RawBuffer* memory, std::byte* p,
                                                  std::size_t bytes) {
    const std::size_t used =
        memory->data() == nullptr ? 0 : static_cast<std::size_t>(p - memory->data());
    memory->Reserve((used + bytes) * 2 < 4096 ? 4096 : (used + bytes) * 2);
    return {memory->data() + used, memory->data() + memory->capacity()};
  }
  [[gnu::always_inline]] bool Need(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - p_) >= bytes) [[likely]]
      return true;
    if (fixed_ || failed_) {
      Stop("the buffer is full", false);
      return false;
    }
    const Cursor grown = Grow(&memory_, p_, bytes);
    p_ = grown.p;
    end_ = grown.end;
    begin_ = memory_.data();
    return true;
  }
  [[gnu::cold, gnu::noinline]] void Stop(std::string_view reason, bool refused) {
    if (failed_) return;
    failed_ = true;
    error_.offset = static_cast<std::size_t>(p_ - begin_);
    error_.reason = reason;
    error_.refused = refused;
    end_ = p_;
  }

  [[gnu::always_inline]] void Put(const void* bytes, std::size_t size) {
    if (size == 0 || !Need(size)) return;
    std::memcpy(p_, bytes, size);
    p_ += size;
  }
  template <class T>
  [[gnu::always_inline]] void Scalar(const T& value) {
    if constexpr (detail::kIsUnfixedEnum<T>) {
      if (!detail::IsOfEnum(value)) [[unlikely]]
        return Stop(detail::kNotOfEnum, false);
    }
    if (!Need(sizeof(T))) [[unlikely]]
      return;
    std::byte* const p = p_;  // not looked at again behind the store, which could be anything's
    detail::CopyValue<T>(p, std::addressof(value));
    p_ = p + sizeof(T);
  }
  template <class T>
  [[gnu::always_inline]] void Numbers(const T* values, std::size_t count) {
    if (!Need(count * sizeof(T))) [[unlikely]]
      return;
    std::byte* const p = p_;
    detail::CopyValues<T>(p, values, count);
    p_ = p + count * sizeof(T);
  }
  /// A count and its values, behind one check. Mostly there are few.
  template <class T>
  [[gnu::always_inline]] void Counted(const T* values, std::size_t count) {
    if (count > UINT32_MAX) [[unlikely]]
      return FailOfCount();
    if (!Need(4 + count * sizeof(T))) [[unlikely]]
      return;
    std::byte* const p = p_;
    const std::uint32_t number = static_cast<std::uint32_t>(count);
    detail::CopyValue<std::uint32_t>(p, &number);
    if constexpr (detail::kSwapBytes && sizeof(T) > 1) {
      detail::CopyValues<T>(p + 4, values, count);
    } else {
      detail::CopyShort(p + 4, values, count * sizeof(T));
    }
    p_ = p + 4 + count * sizeof(T);
  }
  [[gnu::cold, gnu::noinline]] void FailOfCount() {
    Stop("more elements than a count of 32 bits can say", false);
  }
  /// False where the count does not fit 32 bits.
  [[gnu::always_inline]] bool Count(std::size_t count) {
    if (count > UINT32_MAX) [[unlikely]] {
      FailOfCount();
      return false;
    }
    Scalar(static_cast<std::uint32_t>(count));
    return true;
  }

  template <Kind kind, class T>
  void Write(T& value) {
    if constexpr (detail::kDescends<T>) {
      if (++depth_ <= limits_.depth) [[likely]] {
        WriteNested<kind>(value);
      } else {
        Stop(detail::kTooDeep, false);
      }
      --depth_;
    } else {
      WriteNested<kind>(value);
    }
  }

  template <Kind kind, class T>
  [[gnu::always_inline]] void WriteNested(T& value) {
    using Shape = detail::Shape<T>;
    if constexpr (kind == Kind::String) {
      Counted(value.data(), value.size());
    } else if constexpr (kind == Kind::Array) {
      using Element = typename Shape::Element;
      if constexpr (detail::kIsScalar<Element> && !detail::kIsUnfixedEnum<Element>) {
        if constexpr (Shape::count != 0) Numbers(std::addressof(value[0]), Shape::count);
      } else {
        for (auto& element : value) Value(element);
      }
    } else if constexpr (kind == Kind::Sequence) {
      WriteSequence(value);
    } else if constexpr (kind == Kind::Optional || kind == Kind::Pointer) {
      Scalar(static_cast<std::uint8_t>(value ? 1 : 0));
      if constexpr (detail::kIsPolymorphicContent<typename Shape::Element>) {
        if (value) WritePolymorphic(*value);
      } else {
        if (value) Value(*value);
      }
    } else if constexpr (kind == Kind::Map) {
      if (!Count(value.size())) return;
      detail::ForEachInOrder(value, [this](auto& entry) {
        Value(const_cast<typename Shape::Key&>(entry.first));
        Value(entry.second);
      });
    } else if constexpr (kind == Kind::Set) {
      if (!Count(value.size())) return;
      detail::ForEachInOrder(value,
                             [this](auto& key) { Value(const_cast<typename Shape::Key&>(key)); });
    } else if constexpr (kind == Kind::Tuple) {
      std::apply([&](auto&... member) { (Value(member), ...); }, value);
    } else if constexpr (kind == Kind::Variant) {
      WriteVariant(value, std::make_index_sequence<Shape::count>());
    } else {
      static_assert(kind == Kind::Bitset);
      const auto bytes = detail::PackBits(value);
      Put(bytes.data(), bytes.size());
    }
  }

  template <class Base>
  void WritePolymorphic(Base& object) {
    const detail::PolymorphicClass<Base>* known = detail::ClassOf<Base>(object);
    if (const std::string& trouble = detail::RegistrationTrouble<Base>(); !trouble.empty())
      return Stop(trouble, false);
    if (known == nullptr) return Stop(detail::kUnregisteredClass, false);
    if (Count(known->name.size())) Put(known->name.data(), known->name.size());
    known->write(*this, object);
  }

  template <class T>
  [[gnu::always_inline]] void WriteSequence(T& value) {
    using Element = typename detail::Shape<T>::Element;
    if constexpr (detail::kIsScalar<Element> && !detail::kIsUnfixedEnum<Element> &&
                  !detail::kIsBitVector<T> && requires { value.data(); }) {
      Counted(value.data(), value.size());
    } else if (!Count(value.size())) {
      // more elements than a count can say
    } else if constexpr (detail::kIsBitVector<T>) {
      for (const bool bit : value) Scalar(bit);
    } else if constexpr (detail::StatedFlat<Element> && std::is_same_v<T, std::vector<Element>>) {
      RevctlVisitMany(*this, value, Tag<Element>{});
    } else if constexpr (detail::kFlatHere<Element, false>) {
      WriteFlatElements(value);
    } else {
      for (auto& element : value) Value(element);
    }
  }

  /// A flat object by itself: at the newest revision one check covers all its leaves, and its gates
  /// fold away.
  template <class T>
  [[gnu::always_inline]] void WriteFlat(T& value) {
    constexpr const detail::FlatSizes& sizes = detail::kFlatSizes<T, false>;
    if (!revision.AtLeast(sizes.Newest())) [[unlikely]] {
      detail::RunBody(*this, value);
      return;
    }
    constexpr std::size_t wire = sizes.NewestSize();
    if (!Need(wire)) return;
    WriteFlatAt(detail::NewestRevision(), p_, value);
    p_ += wire;
  }
  template <class Rev, class T>
  [[gnu::always_inline]] static void WriteFlatAt(Rev at, std::byte* to, T& value) {
    if constexpr (std::is_same_v<Rev, detail::NewestRevision> && detail::kImage<T, false>) {
      std::memcpy(to, static_cast<const void*>(std::addressof(value)), sizeof(T));
    } else {
      detail::FlatWriter<Rev> writer(at, to);
      writer.Value(value);
    }
  }

  /// One check for all elements, whose sizes are the same.
  template <class T>
  [[gnu::flatten]] void WriteFlatElements(T& value) {
    using Element = typename detail::Shape<T>::Element;
    constexpr const detail::FlatSizes& sizes = detail::kFlatSizes<Element, false>;
    const std::size_t wire = sizes.At(revision.number());
    if (!Need(value.size() * wire)) return;
    std::byte* p = p_;
    const std::uintptr_t ahead = detail::FetchAhead<Element>(value.size());
    const auto write = [&p, ahead](auto at, Element& element, std::size_t size) {
      detail::FetchToRead(std::addressof(element), ahead);
      detail::FetchToWrite(p, ahead);
      WriteFlatAt(at, p, element);
      p += size;
    };
    if (!revision.AtLeast(sizes.Newest())) {
      for (auto& element : value) write(revision, element, wire);
    } else if constexpr (detail::kImage<Element, false> && requires { value.data(); }) {
      detail::CopyValues<unsigned char>(p, value.data(), value.size() * sizeof(Element));
      p += value.size() * sizeof(Element);
    } else {
      constexpr std::size_t newest = sizes.NewestSize();
      for (auto& element : value) write(detail::NewestRevision(), element, newest);
    }
    p_ = p;
  }

  template <class T, std::size_t... i>
  void WriteVariant(T& value, std::index_sequence<i...>) {
    const std::size_t index = value.index();
    if (index >= sizeof...(i)) [[unlikely]] {
      Stop("the variant has no value", false);
      return;
    }
    Scalar(static_cast<std::uint8_t>(index));
    (void)((index == i ? (Value(*std::get_if<i>(&value)), true) : false) || ...);
  }

  /// Names the path, by writing once more with an archive that knows paths.
  [[gnu::cold, gnu::noinline]] void Explain(const TypeInfo& type, void* object) {
    TraceWriter trace(revision);
    trace.CollectLeaves(false);
    trace.limits = limits_;
    trace.VisitRoot(type, object);
    error_.path = trace.Ok() ? type.name() : trace.error_path();
  }

  std::byte* p_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* begin_ = nullptr;
  bool failed_ = false;
  bool inside_ = false;
  int depth_ = 0;
  std::uint32_t counter_ = 0;
  std::size_t payload_ = 0;                    ///< bytes of headers before it
  std::optional<std::span<std::byte>> fixed_;  ///< the caller's buffer, instead of `memory_`
  detail::RawBuffer memory_;
  Limits limits_;
  ArchiveError error_;
};

}  // namespace revctl
