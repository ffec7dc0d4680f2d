#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/detail/base/bytes.h>
#include <revctl/detail/base/error_text.h>
#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/binary/flat_iterator.h>
#include <revctl/detail/types/type_name.h>
#include <revctl/detail/visit/archive.h>

namespace revctl {

namespace detail {
class BodyWriter;

inline constexpr char kTooMany[] = "more elements than a 32-bit count can hold";
}  // namespace detail

/// Writes a payload into memory.
///
///   revctl::Writer w(SR_LATEST);
///   Serialize(w, score);              // score may be const: writing never changes it
///   Store(w.Bytes());
///
/// Writing fails only if a value cannot be encoded (a count that does not fit in 32 bits, a variant
/// without a value, nesting deeper than readers accept), if a fixed buffer is full, or if a body
/// calls r.Fail().
class Writer {
 public:
  using RevctlBinaryArchive = void;

  /// Writes into memory that it owns. `at` may be an older revision, so that older builds can read
  /// the bytes.
  explicit Writer(Revision at) : revision(at) {}
  /// Writes into `buffer`, which the caller owns. Fails if the bytes do not fit.
  Writer(Revision at, std::span<std::byte> buffer)
      : revision(at),
        p_(buffer.data()),
        end_(buffer.data() + buffer.size()),
        begin_(buffer.data()),
        fixed_(buffer) {}
  /// A buffer that the caller owns. The writer allocates memory only once this buffer is full.
  struct Scratch {
    std::span<std::byte> buffer;
  };
  Writer(Revision at, Scratch scratch)
      : revision(at),
        p_(scratch.buffer.data()),
        end_(scratch.buffer.data() + scratch.buffer.size()),
        begin_(scratch.buffer.data()) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  const Revision revision;
  static constexpr bool IsReading() { return false; }
  static constexpr bool IsWriting() { return true; }

  /// Returns the bytes written so far; empty after an error. The bytes are valid until the next
  /// write or Clear(), and only while the writer exists.
  std::span<const std::byte> Bytes() const {
    return failed_ ? std::span<const std::byte>() : std::span<const std::byte>(begin_, p_);
  }
  bool Ok() const { return !failed_; }
  const ArchiveError& error() const { return error_; }

  /// Starts over, but keeps the memory, so that many objects can be written with few allocations.
  void Clear() {
    if (!fixed_) {
      begin_ = memory_.data();
      end_ = begin_ + memory_.capacity();
    } else {
      end_ = fixed_->data() + fixed_->size();
    }
    p_ = begin_;
    failed_ = false;
    counter_ = 0;
    payload_ = 0;
    path_ = {};
    error_ = {};
  }
  void SetLimits(const Limits& limits) { limits_ = limits; }
  /// Adds levels to the nesting depth, for visitors that nest without a container. Fails and
  /// returns false beyond Limits::depth.
  bool Descend(int levels) {
    depth_ += levels;
    if (depth_ <= limits_.depth) return true;
    FailHere(detail::kTooDeep);
    return false;
  }
  void Ascend(int levels) { depth_ -= levels; }
  int DepthLeft() const { return limits_.depth - depth_; }
  /// Appends bytes unchanged, such as headers or embedded blobs. Bytes appended before the first
  /// value are not part of the payload, so alignment is relative to their end.
  void Append(std::span<const std::byte> bytes) {
    const bool heads = static_cast<std::size_t>(p_ - begin_) == payload_;
    Put(bytes.data(), bytes.size());
    if (heads) payload_ += bytes.size();
  }

  [[gnu::cold, gnu::noinline]] void Fail(std::string_view reason) { Stop(reason, true); }
  /// Reports that the value cannot be encoded; called by the library. The first error wins.
  [[gnu::cold, gnu::noinline]] void FailHere(std::string_view reason) { Stop(reason, false); }

  // ---- called by macros and by Serialize()

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
      Explain(&TypeName<T>);
  }

  /// Writes a value. `name` identifies it in error paths and must have static storage.
  template <class T>
  void Field(T& value, const char* name);

  template <class T>
  void Value(T& value);
  /// Writes the elements of a type with SERIALIZE_DECLARE_FLAT, in the file that contains its body.
  /// The count has already been written.
  template <class T>
  void FlatElements(T& value);

 private:
  friend class detail::BodyWriter;
  struct Cursor {
    std::byte* p;
    std::byte* end;
  };
  /// Makes room for `bytes` more bytes after `p`, or fails if the buffer has a fixed size. Takes
  /// and returns the cursor by value, so that the address of a body's own copy of the cursor does
  /// not escape.
  [[gnu::cold, gnu::noinline]] Cursor Room(std::byte* p, std::size_t bytes) {
    p_ = p;
    if (fixed_ || failed_) {
      Stop("the buffer is full", false);
    } else {
      const std::size_t used = static_cast<std::size_t>(p - begin_);
      const bool in_scratch = memory_.data() == nullptr && used != 0;
      memory_.Reserve((used + bytes) * 2 < 4096 ? 4096 : (used + bytes) * 2);
      if (in_scratch) std::memcpy(memory_.data(), begin_, used);
      begin_ = memory_.data();
      p_ = begin_ + used;
      end_ = begin_ + memory_.capacity();
    }
    return {p_, end_};
  }
  [[gnu::cold, gnu::noinline]] void Stop(std::string_view reason, bool refused) {
    if (failed_) return;
    failed_ = true;
    error_.offset = static_cast<std::size_t>(p_ - begin_);
    error_.reason = reason;
    error_.refused = refused;
    end_ = p_;
  }

  [[gnu::cold, gnu::noinline]] Cursor FailOfCount(const char* name) {
    if (!failed_) path_.Add(name);
    FailHere(detail::kTooMany);
    return {p_, end_};
  }

  void Put(const void* bytes, std::size_t size) {
    if (size == 0) return;
    if (static_cast<std::size_t>(end_ - p_) < size) Room(p_, size);
    if (static_cast<std::size_t>(end_ - p_) < size) return;
    std::memcpy(p_, bytes, size);
    p_ += size;
  }

  template <Kind kind, class T>
  void Write(T& value, const char* name);

  // When the buffer is full, these functions are called before and after each value that takes more
  // than one write.
  [[gnu::cold, gnu::noinline]] void BeginAtEnd() { path_.Begin(failed_); }
  [[gnu::cold, gnu::noinline]] void EndAtEnd(const char* name) {
    if (path_.End(failed_)) path_.Add(name);
  }
  [[gnu::cold, gnu::noinline]] void EndElementAtEnd(std::size_t index) {
    if (path_.End(failed_)) path_.AddElement(index);
  }
  [[gnu::cold, gnu::noinline]] void EndKeyAtEnd(std::size_t index) {
    if (path_.End(failed_)) path_.AddKey(index);
  }
  [[gnu::cold, gnu::noinline]] void FailedInField(const char* name) { path_.Add(name); }
  [[gnu::cold, gnu::noinline]] void Explain(std::string (*type)()) {
    error_.path = path_.Text(type());
  }

  std::byte* p_ = nullptr;
  std::byte* end_ = nullptr;
  std::byte* begin_ = nullptr;
  bool failed_ = false;
  bool inside_ = false;
  int depth_ = 0;
  std::uint32_t counter_ = 0;
  std::size_t payload_ = 0;                    ///< size of the headers before the payload
  std::optional<std::span<std::byte>> fixed_;  ///< the caller's buffer, used instead of `memory_`
  detail::RawBuffer memory_;
  Limits limits_;
  detail::ErrorPath path_;
  ArchiveError error_;
};

}  // namespace revctl

// The archive that a Writer passes to bodies. It writes each kind of value.

namespace revctl::detail {

/// True for values that are written with a single copy: strings, and arrays and vectors of numbers.
template <class T>
inline constexpr bool kIsWrittenAtOnce = false;
template <class T>
requires(kIsString<T> && !HasWireAs<T>) inline constexpr bool kIsWrittenAtOnce<T> = true;
template <class T>
requires(requires { typename Shape<T>::Element; } && !HasWireAs<T> && !kIsView<T> &&
         !kIsBitVector<T> &&
         (Shape<T>::kind == Kind::Array ||
          (Shape<T>::kind == Kind::Sequence &&
           requires(T & value) { value.data(); }))) inline constexpr bool kIsWrittenAtOnce<T> =
    kIsScalar<typename Shape<T>::Element> && !kIsUnfixedEnum<typename Shape<T>::Element>;

/// True for numbers and flat records, whose only possible error is a full buffer.
template <class T>
inline constexpr bool kIsFlatWrite = kIsRaw<T> || kIsBool<T>;
template <class T>
requires(!kIsView<T> && !kIsAligned<T> && !HasWireAs<T> &&
         KindOf<T>() == Kind::Record) inline constexpr bool kIsFlatWrite<T> = kFlatHere<T, false>;

/// True for values with parts (such as containers), which are written by a separate function
/// instead of inline.
template <class T>
inline constexpr bool kIsWrittenByCall =
    !kIsWrittenAtOnce<T> && !kIsView<T> && !kIsAligned<T> && !HasWireAs<T> && !kIsScalar<T> &&
    KindOf<T>() != Kind::Record && KindOf<T>() != Kind::Tuple;

/// The archive that a Writer passes to bodies. It is a local copy of the Writer's cursor, which the
/// compiler can keep in registers. Without the copy, every field would load and store members of
/// Writer. The address of the copy must not escape, so functions that are not inlined get the
/// Writer itself. Leave() and Enter(), before and after such a call, copy the cursor back and
/// forth.
class BodyWriter {
 public:
  using RevctlBinaryArchive = void;
  using RevctlChecksMembers = void;

  explicit BodyWriter(Writer& w) : revision(w.revision), w_(w), p_(w.p_), end_(w.end_) {}
  ~BodyWriter() { Leave(); }
  BodyWriter(const BodyWriter&) = delete;
  BodyWriter& operator=(const BodyWriter&) = delete;

  const Revision revision;
  static constexpr bool IsReading() { return false; }
  static constexpr bool IsWriting() { return true; }
  bool Ok() const { return w_.Ok(); }

  [[gnu::always_inline]] void Fail(std::string_view reason) {
    Leave();
    w_.Fail(reason);
    Enter();
  }
  [[gnu::always_inline]] void FailHere(std::string_view reason) {
    Leave();
    w_.FailHere(reason);
    Enter();
  }
  [[gnu::always_inline]] bool Descend(int levels) {
    Leave();
    const bool fine = w_.Descend(levels);
    Enter();
    return fine;
  }
  [[gnu::always_inline]] void Ascend(int levels) { w_.Ascend(levels); }
  [[gnu::always_inline]] int DepthLeft() const { return w_.DepthLeft(); }

  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    Value(value);
  }

  /// Writes a value. `name` identifies it in error paths. Numbers and flat records do not need the
  /// name, because their only possible error is a full buffer.
  template <class T>
  [[gnu::always_inline]] void Field(T& value, const char* name) {
    if constexpr (kIsFlatWrite<T>) {
      Value(value);
    } else if constexpr (kIsWrittenAtOnce<T>) {
      WriteAtOnce(value, name);
    } else if constexpr (kIsWrittenByCall<T>) {
      WriteByCall(value, name);
    } else {
      Begin();
      Value(value);
      End(name);
    }
  }
  /// Writes the element with this index of a container.
  template <class T>
  [[gnu::always_inline]] void Part(T& value, std::size_t index) {
    if constexpr (kIsFlatWrite<T>) {
      Value(value);
    } else {
      Begin();
      Value(value);
      EndElement(index);
    }
  }
  [[gnu::always_inline]] void Begin() {
    if (p_ == end_) [[unlikely]]
      w_.BeginAtEnd();
  }
  [[gnu::always_inline]] void End(const char* name) {
    if (p_ == end_) [[unlikely]]
      w_.EndAtEnd(name);
  }
  [[gnu::always_inline]] void EndElement(std::size_t index) {
    if (p_ == end_) [[unlikely]]
      w_.EndElementAtEnd(index);
  }
  [[gnu::always_inline]] void EndKey(std::size_t index) {
    if (p_ == end_) [[unlikely]]
      w_.EndKeyAtEnd(index);
  }

  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    constexpr Kind kind = KindOf<T>();
    if constexpr (kIsView<T>) {
      VisitView(*this, value);
    } else if constexpr (kIsAligned<T>) {
      ValueAligned<kAlignment<T>>(*this, value.value);
    } else if constexpr (HasWireAs<T>) {
      typename WireAs<T>::Type wire = WireAs<T>::ToWire(value);
      Value(wire);
    } else if constexpr (kIsScalar<T>) {
      Scalar(value);
    } else if constexpr (kind == Kind::Record) {
      if constexpr (kFlatHere<T, false>) {
        WriteFlat(value);
      } else if constexpr (kTakesArchive<T>) {
        Leave();
        RunBody(w_, value);
        Enter();
      } else {
        RunBody(*this, value);
      }
    } else if constexpr (kIsWrittenAtOnce<T>) {
      WriteAtOnce(value, nullptr);
    } else if constexpr (kind == Kind::Tuple) {
      Nested<kind>(value);
    } else {
      WriteByCall(value, nullptr);
    }
  }

  [[gnu::always_inline]] void Align(std::size_t alignment, std::size_t before) {
    const std::size_t offset = static_cast<std::size_t>(p_ - w_.begin_) - w_.payload_;
    const std::size_t size = PaddingAt(offset, alignment, before);
    if (!Need(size)) return;
    std::memset(p_, 0, size);
    p_ += size;
  }

  [[gnu::always_inline]] void Integrity() { Scalar(w_.counter_++); }

 private:
  friend class revctl::Writer;

  [[gnu::always_inline]] void Leave() { w_.p_ = p_; }
  [[gnu::always_inline]] void Enter() {
    p_ = w_.p_;
    end_ = w_.end_;
  }
  [[gnu::always_inline]] bool Need(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - p_) >= bytes) [[likely]]
      return true;
    const Writer::Cursor cursor = w_.Room(p_, bytes);
    p_ = cursor.p;
    end_ = cursor.end;
    return static_cast<std::size_t>(end_ - p_) >= bytes;
  }

  template <class T>
  [[gnu::always_inline]] void WriteAtOnce(T& value, const char* name) {
    if constexpr (KindOf<T>() == Kind::Array) {
      if constexpr (Shape<T>::count != 0) Numbers(std::addressof(value[0]), Shape<T>::count);
    } else {
      Counted(value.data(), value.size(), name);
    }
  }
  template <class T>
  [[gnu::always_inline]] void WriteByCall(T& value, const char* name) {
    Leave();
    w_.Write<KindOf<T>()>(value, name);
    Enter();
  }

  template <class T>
  [[gnu::always_inline]] void Scalar(const T& value) {
    if constexpr (kIsUnfixedEnum<T>) {
      if (!IsOfEnum(value)) [[unlikely]]
        return FailHere(kNotOfEnum);
    }
    if (!Need(sizeof(T))) [[unlikely]]
      return;
    std::byte* const p = p_;  // a copy, so that p_ is not reloaded after the store
    CopyValue<T>(p, std::addressof(value));
    p_ = p + sizeof(T);
  }
  template <class T>
  [[gnu::always_inline]] void Numbers(const T* values, std::size_t count) {
    if (!Need(count * sizeof(T))) [[unlikely]]
      return;
    std::byte* const p = p_;
    CopyValues<T>(p, values, count);
    p_ = p + count * sizeof(T);
  }
  template <class T>
  [[gnu::always_inline]] void Counted(const T* values, std::size_t count,
                                      const char* name = nullptr) {
    if constexpr (kSwapBytes && sizeof(T) > 1) {
      if (Count(count)) Numbers(values, count);
    } else {
      const Writer::Cursor cursor = WriteCounted(w_, p_, values, count, sizeof(T), name);
      p_ = cursor.p;
      end_ = cursor.end;
    }
  }
  /// Writes a count and that many values with a single size check. Takes and returns the cursor by
  /// value. Not inlined, because all types share this function and the call takes no longer than
  /// the work itself.
  [[gnu::noinline]] static Writer::Cursor WriteCounted(Writer& w, std::byte* p, const void* values,
                                                       std::size_t count, std::size_t size,
                                                       const char* name) {
    std::byte* end = w.end_;
    const std::uint32_t number = static_cast<std::uint32_t>(count);
    const std::size_t bytes = count * size;
    w.p_ = p;
    if (count > UINT32_MAX) [[unlikely]]
      return w.FailOfCount(name);
    if (static_cast<std::size_t>(end - p) < sizeof number + bytes) [[unlikely]] {
      const Writer::Cursor cursor = w.Room(p, sizeof number + bytes);
      p = cursor.p;
      end = cursor.end;
      if (static_cast<std::size_t>(end - p) < sizeof number + bytes) return cursor;
    }
    CopyValue<std::uint32_t>(p, &number);
    CopyShort(p + sizeof number, values, bytes);
    return {p + sizeof number + bytes, end};
  }
  /// Writes the count of a container. Fails and returns false if the count does not fit in 32 bits.
  [[gnu::always_inline]] bool Count(std::size_t count) {
    if (count > UINT32_MAX) [[unlikely]] {
      FailHere(kTooMany);
      return false;
    }
    Scalar(static_cast<std::uint32_t>(count));
    return true;
  }

  template <Kind kind, class T>
  [[gnu::always_inline]] void Nested(T& value) {
    using Shape = detail::Shape<T>;
    if constexpr (kind == Kind::Array) {
      for (std::size_t i = 0; i < Shape::count; ++i) Part(value[i], i);
    } else if constexpr (kind == Kind::Sequence) {
      WriteSequence(value);
    } else if constexpr (kind == Kind::Optional || kind == Kind::Pointer) {
      Scalar(static_cast<std::uint8_t>(value ? 1 : 0));
      if constexpr (kIsPolymorphicContent<typename Shape::Element>) {
        if (value) WritePolymorphic(*value);
      } else {
        if (value) Value(*value);
      }
    } else if constexpr (kind == Kind::Map) {
      if (!Count(value.size())) return;
      std::size_t i = 0;
      ForEachInOrder(value, [this, &i](auto& entry) {
        Begin();
        Value(const_cast<typename Shape::Key&>(entry.first));
        EndKey(i);
        Part(entry.second, i++);
      });
    } else if constexpr (kind == Kind::Set) {
      if (!Count(value.size())) return;
      std::size_t i = 0;
      ForEachInOrder(value,
                     [this, &i](auto& key) { Part(const_cast<typename Shape::Key&>(key), i++); });
    } else if constexpr (kind == Kind::Tuple) {
      std::size_t i = 0;
      std::apply([&](auto&... member) { (Part(member, i++), ...); }, value);
    } else if constexpr (kind == Kind::Variant) {
      WriteVariant(value, std::make_index_sequence<Shape::count>());
    } else {
      static_assert(kind == Kind::Bitset);
      const auto bytes = PackBits(value);
      Numbers(bytes.data(), bytes.size());
    }
  }

  template <class Base>
  void WritePolymorphic(Base& object) {
    const PolymorphicClass<Base>* known = ClassOf<Base>(object);
    if (const std::string& trouble = RegistrationTrouble<Base>(); !trouble.empty())
      return FailHere(trouble);
    if (known == nullptr) return FailHere(kUnregisteredClass);
    Counted(known->name.data(), known->name.size());
    Begin();
    Leave();
    known->write(w_, object);
    Enter();
    End("value");
  }

  template <class T>
  [[gnu::always_inline]] void WriteSequence(T& value) {
    using Element = typename Shape<T>::Element;
    if (!Count(value.size()) || !w_.Ok()) {
      // Do not enter the loops below, because they would attribute an error that has already been
      // reported to one of the elements.
    } else if constexpr (kIsBitVector<T>) {
      for (const bool bit : value) Scalar(bit);
    } else if constexpr (StatedFlat<Element> && std::is_same_v<T, std::vector<Element>>) {
      Leave();
      RevctlVisitMany(w_, value, Tag<Element>{});
      Enter();
    } else if constexpr (kFlatHere<Element, false>) {
      WriteFlatElements(value);
    } else if constexpr (kIsVariant<Element> && !kDescends<Element>) {
      for (auto& element : value) {
        Nested<Kind::Variant>(element);
        if (p_ == end_ && FailedInElement(w_, value, std::addressof(element))) [[unlikely]]
          return;
      }
    } else if constexpr (kRunsInLoop<Element>) {
      for (auto& element : value) {
        RunBodyInLoop(*this, element);
        if (p_ == end_ && FailedInElement(w_, value, std::addressof(element))) [[unlikely]]
          return;
      }
    } else {
      for (auto& element : value) {
        Value(element);
        if (p_ == end_ && FailedInElement(w_, value, std::addressof(element))) [[unlikely]]
          return;
      }
    }
  }

  /// If the writer has failed, adds the failed element to the error path and returns true. Searches
  /// for the element's index, so that the loops that write elements need no counter.
  template <class T>
  [[gnu::cold, gnu::noinline]] static bool FailedInElement(Writer& w, T& value,
                                                           const void* element) {
    if (w.Ok()) return false;
    std::size_t index = 0;
    for (auto& each : value) {
      if (std::addressof(each) == element) break;
      ++index;
    }
    w.path_.AddElement(index);
    return true;
  }

  /// Writes a single flat object. At the newest revision, one size check covers all of the object's
  /// leaves, and the compiler folds away its gates.
  template <class T>
  [[gnu::always_inline]] void WriteFlat(T& value) {
    constexpr const FlatSizes& sizes = kFlatSizes<T, false>;
    if (!revision.AtLeast(sizes.Newest())) [[unlikely]] {
      RunBody(*this, value);
      return;
    }
    constexpr std::size_t wire = sizes.NewestSize();
    if (!Need(wire)) return;
    WriteFlatAt(NewestRevision(), p_, value);
    p_ += wire;
  }
  template <class Rev, class T>
  [[gnu::always_inline]] static void WriteFlatAt(Rev at, std::byte* to, T& value) {
    if constexpr (std::is_same_v<Rev, NewestRevision> && kImage<T, false>) {
      std::memcpy(to, static_cast<const void*>(std::addressof(value)), sizeof(T));
    } else {
      FlatWriter<Rev> writer(at, to);
      writer.Value(value);
    }
  }

  /// Writes a vector of flat elements. A single size check suffices, because all elements have the
  /// same size.
  template <class T>
  [[gnu::flatten]] void WriteFlatElements(T& value) {
    using Element = typename Shape<T>::Element;
    constexpr const FlatSizes& sizes = kFlatSizes<Element, false>;
    const std::size_t wire = sizes.At(revision.number());
    if (!Need(value.size() * wire)) return;
    std::byte* p = p_;
    const std::uintptr_t ahead = FetchAhead<Element>(value.size());
    const auto write = [&p, ahead](auto at, Element& element, std::size_t size) {
      FetchToRead(std::addressof(element), ahead);
      FetchToWrite(p, ahead);
      WriteFlatAt(at, p, element);
      p += size;
    };
    if (!revision.AtLeast(sizes.Newest())) {
      for (auto& element : value) write(revision, element, wire);
    } else if constexpr (kImage<Element, false> && requires { value.data(); }) {
      CopyValues<unsigned char>(p, value.data(), value.size() * sizeof(Element));
      p += value.size() * sizeof(Element);
    } else {
      constexpr std::size_t newest = sizes.NewestSize();
      for (auto& element : value) write(NewestRevision(), element, newest);
    }
    p_ = p;
  }

  template <class T, std::size_t... i>
  [[gnu::always_inline]] void WriteVariant(T& value, std::index_sequence<i...>) {
    const std::size_t index = value.index();
    if (index >= sizeof...(i)) [[unlikely]] {
      FailHere("the variant has no value");
      return;
    }
    Scalar(static_cast<std::uint8_t>(index));
    (void)((index == i ? (Value(*std::get_if<i>(&value)), true) : false) || ...);
  }

  Writer& w_;
  std::byte* p_;
  std::byte* end_;
};

template <>
struct BodyArchive<Writer> {
  using Type = BodyWriter;
};

}  // namespace revctl::detail

namespace revctl {

template <class T>
[[gnu::always_inline]] inline void Writer::Value(T& value) {
  detail::BodyWriter body(*this);
  body.Value(value);
}

template <class T>
[[gnu::always_inline]] inline void Writer::Field(T& value, const char* name) {
  detail::BodyWriter body(*this);
  body.Field(value, name);
}

template <class T>
void Writer::FlatElements(T& value) {
  detail::BodyWriter body(*this);
  body.WriteFlatElements(value);
}

/// Writes a value that has parts. Adds a level of nesting if its type can contain itself.
template <Kind kind, class T>
void Writer::Write(T& value, const char* name) {
  const bool failed_before = failed_;
  if constexpr (detail::kDescends<T>) {
    if (++depth_ <= limits_.depth) [[likely]] {
      detail::BodyWriter body(*this);
      body.template Nested<kind>(value);
    } else {
      Stop(detail::kTooDeep, false);
    }
    --depth_;
  } else {
    detail::BodyWriter body(*this);
    body.template Nested<kind>(value);
  }
  if (failed_ && !failed_before) [[unlikely]]
    FailedInField(name);
}

}  // namespace revctl
