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

#include <revctl/detail/base/bytes.h>
#include <revctl/detail/base/error_text.h>
#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/resource.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/binary/flat_iterator.h>
#include <revctl/detail/types/type_name.h>
#include <revctl/detail/visit/archive.h>

namespace revctl {

namespace detail {
class BodyReader;
}  // namespace detail

/// Reads a payload from memory.
///
///   revctl::Reader r(bytes, SR_INITIAL);
///   Serialize(r, score);
///   if (!r.Ok()) Show(r.error().path, r.error().offset, r.error().reason);
///
/// Any bytes yield a value or an error, never undefined behavior. The first error is kept;
/// everything read after it is zero or empty. After an error, the object may be only partly read,
/// so read into a fresh object, or use Load(), which does so. The bytes must outlive the reader.
/// Not thread-safe; use one reader per thread.
class Reader {
 public:
  using RevctlBinaryArchive = void;

  /// `bytes` is a payload (without the file's header), written at revision `at`.
  ///
  ///   revctl::Reader r(bytes, SR_INITIAL, {.resource = &arena});
  Reader(std::span<const std::byte> bytes, Revision at, ReadOptions options = {})
      : revision(at),
        p_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        begin_(bytes.data()),
        options_(options) {
    SetLimits({});
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  const Revision revision;
  static constexpr bool IsReading() { return true; }
  static constexpr bool IsWriting() { return false; }

  /// Limits the memory and the nesting depth that the input may use. Call this before reading.
  void SetLimits(const Limits& limits) {
    limits_ = limits;
    if (limits_.budget == 0) limits_.budget = Limits::DefaultBudget(Left());
    budget_left_ = limits_.budget;
  }

  bool Ok() const { return !failed_; }
  /// True if the whole input was read without an error.
  bool AtEnd() const { return !failed_ && p_ == end_; }
  /// Returns the number of bytes read, or the offset of the first error.
  std::size_t offset() const {
    return static_cast<std::size_t>((failed_ ? failed_at_ : p_) - begin_);
  }
  /// Returns the first error. Its path is set when the outermost Serialize() returns.
  const ArchiveError& error() const { return error_; }

  /// Rejects the value; called by bodies: `r.Fail("hp is negative")`. The first error wins.
  [[gnu::cold, gnu::noinline]] void Fail(std::string_view reason) {
    if (failed_) return;
    StopAt(p_, reason);
    error_.refused = true;
  }

  /// Reports that the bytes are not a valid value of the type; called by the library. The first
  /// error wins.
  [[gnu::cold, gnu::noinline]] void FailHere(std::string_view reason) { StopAt(p_, reason); }

  /// Like FailHere(), but for bytes that have already been read: the error is at `back` bytes
  /// before the current position.
  [[gnu::cold, gnu::noinline]] void FailBefore(std::size_t back, std::string_view reason) {
    StopAt(failed_ ? p_ : p_ - back, reason);
  }

  /// Returns the next `size` bytes and advances past them. The span is valid as long as the input.
  /// If fewer bytes are left, fails and returns an empty span.
  std::span<const std::byte> Take(std::size_t size) {
    if (Left() < size) {
      StopAtBytes(p_, size);
      return {};
    }
    p_ += size;
    return {p_ - size, size};
  }

  /// Returns the unread bytes.
  std::span<const std::byte> Rest() const { return {p_, end_}; }
  /// True if views may refer to the input instead of copying it (ReadOptions::borrow).
  bool Borrows() const { return options_.borrow; }

  /// Charges memory that the input requests to Limits::budget. Fails and returns false if that
  /// exceeds the budget.
  bool PayFor(std::size_t count, std::size_t size) { return size == 0 || Pay(count, size, 0); }

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

  /// Begins a part whose bytes do not depend on its position: CHECK_INTEGRITY numbers and
  /// alignments are relative to its start. Returns the state that EndPart() restores.
  PartStart BeginPart() {
    return {std::exchange(counter_, 0),
            std::exchange(part_, static_cast<std::size_t>(p_ - begin_))};
  }
  void EndPart(const PartStart& outer) {
    counter_ = outer.counter;
    part_ = outer.offset;
  }

  // When an error occurs inside a value, visitors call these functions to add the field or element
  // to the error path.
  [[gnu::cold, gnu::noinline]] void FailedInField(const char* name) { path_.Add(name); }
  [[gnu::cold, gnu::noinline]] void FailedInElement(std::size_t index) { path_.AddElement(index); }

  // ---- called by macros and by Serialize()

  /// Reads a whole object or, inside a body, a value without a gate.
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

  /// Reads a value. `name` identifies it in error paths and must have static storage.
  template <class T>
  void Field(T& value, const char* name);
  template <class T>
  void Value(T& value);
  /// Reads the elements of a type with SERIALIZE_DECLARE_FLAT, in the file that contains its body.
  template <class T>
  void FlatElements(T& value);

 private:
  friend class detail::BodyReader;

  std::size_t Left() const { return static_cast<std::size_t>(end_ - p_); }
  /// Records the error if there is none yet, and skips the rest of the input.
  [[gnu::cold, gnu::noinline]] void StopAt(const std::byte* p, std::string_view reason) {
    if (!failed_) {
      failed_at_ = p;
      error_.reason = reason;
    }
    failed_ = true;
    p_ = end_;
  }
  // The functions below report common errors and return end_. They are not inlined, so that the
  // code for reading a value contains only a call. `name` is the name of the field, or null.

  [[gnu::cold, gnu::noinline]] const std::byte* StopAtNumber(const std::byte* p, Kind kind,
                                                             const char* name) {
    const std::size_t size = detail::ScalarSize(kind);
    if (!failed_) {
      if (static_cast<std::size_t>(end_ - p) < size) {
        StopAt(p, detail::TruncatedText(detail::NumberName(kind), size,
                                        static_cast<std::size_t>(end_ - p)));
      } else if (kind == Kind::Bool) {
        StopAt(p, detail::NoBoolText(*p));
      } else {
        StopAt(p, detail::kNotOfEnum);
      }
      path_.Add(name);
    }
    return end_;
  }
  /// Reports that the array of numbers at `p` is incomplete.
  [[gnu::cold, gnu::noinline]] const std::byte* StopInArray(const std::byte* p, Kind kind,
                                                            const char* name) {
    if (!failed_) {
      const std::size_t whole = static_cast<std::size_t>(end_ - p) / detail::ScalarSize(kind);
      StopAtNumber(p + whole * detail::ScalarSize(kind), kind, nullptr);
      path_.AddElement(whole);
      path_.Add(name);
    }
    return end_;
  }
  [[gnu::cold, gnu::noinline]] const std::byte* StopAtBytes(const std::byte* p, std::size_t size) {
    StopAt(p, detail::TruncatedText(nullptr, size, static_cast<std::size_t>(end_ - p)));
    return end_;
  }
  /// Reports that the container count at `p` is wrong or incomplete. `each` is the size of an
  /// element on the wire.
  [[gnu::cold, gnu::noinline]] const std::byte* StopAtCount(const std::byte* p, std::size_t each,
                                                            const char* name) {
    if (!failed_) {
      const std::size_t left = static_cast<std::size_t>(end_ - p);
      std::uint32_t count = 0;
      if (left < sizeof count) {
        StopAt(p, detail::TruncatedText("the count", sizeof count, left));
      } else {
        detail::LoadValue(count, p);
        if (count > (left - sizeof count) / each) {
          StopAt(p, detail::WrongCountText(count, left - sizeof count));
        } else {
          StopAt(p, detail::OverBudgetText(count));
        }
      }
      path_.Add(name);
    }
    return end_;
  }
  [[gnu::cold, gnu::noinline]] void StopOverBudget(std::size_t count, std::size_t back) {
    FailBefore(back, detail::OverBudgetText(count));
  }

  /// Charges `count` elements of `size` bytes of memory to the budget. If the budget is exceeded,
  /// reports the error at the count, which is `back` bytes before the current position.
  [[gnu::always_inline]] bool Pay(std::size_t count, std::size_t size, std::size_t back) {
    if (count <= budget_left_ / size) [[likely]] {
      budget_left_ -= count * size;
      return true;
    }
    StopOverBudget(count, back);
    return false;
  }

  // When the cursor is at the end of the input, these functions are called before and after each
  // value that takes more than one read.
  [[gnu::cold, gnu::noinline]] void BeginAtEnd() { path_.Begin(failed_); }
  [[gnu::cold, gnu::noinline]] void EndAtEnd(const char* name) {
    if (path_.End(failed_)) path_.Add(name);
  }
  [[gnu::cold, gnu::noinline]] void EndElementAtEnd(std::size_t index) {
    if (path_.End(failed_)) path_.AddElement(index);
  }
  [[gnu::cold, gnu::noinline]] void FailedInKey(std::size_t index) { path_.AddKey(index); }

  [[gnu::cold, gnu::noinline]] void Explain(std::string (*type)()) {
    error_.path = path_.Text(type());
    error_.offset = static_cast<std::size_t>(failed_at_ - begin_);
  }

  template <Kind kind, class T>
  void Read(T& value, const char* name);

  // Keep the members that every read uses at the beginning of the object.
  const std::byte* p_;
  const std::byte* end_;
  bool failed_ = false;
  bool inside_ = false;
  int depth_ = 0;
  std::uint32_t counter_ = 0;
  std::size_t budget_left_ = 0;
  const std::byte* begin_;
  std::size_t part_ = 0;  ///< start of the current part
  const std::byte* failed_at_ = nullptr;
  ReadOptions options_;
  Limits limits_;
  detail::FloodWatch flood_;
  detail::ErrorPath path_;
  ArchiveError error_;
};

}  // namespace revctl

// The archive that a Reader passes to bodies. It reads each kind of value.

namespace revctl::detail {

/// Returns the kind of number that represents a scalar on the wire.
template <class T>
consteval Kind WireNumber() {
  if constexpr (std::is_enum_v<T>) {
    return Number<std::underlying_type_t<T>>::kind;
  } else {
    return Number<T>::kind;
  }
}

/// True for values that can be read with a few instructions or a single call: numbers, strings, and
/// arrays and vectors of numbers.
template <class T>
inline constexpr bool kIsReadAtOnce = kIsScalar<T>;
template <class T>
requires(kIsString<T> && !HasWireAs<T>) inline constexpr bool kIsReadAtOnce<T> = true;
template <class T>
requires(requires { typename Shape<T>::Element; } && !HasWireAs<T> && !kIsView<T> &&
         (Shape<T>::kind == Kind::Array || (Shape<T>::kind == Kind::Sequence &&
                                            Resizable<T>))) inline constexpr bool kIsReadAtOnce<T> =
    kIsRaw<typename Shape<T>::Element>;

/// True for flat records, whose bytes are all read with a single size check.
template <class T>
inline constexpr bool kIsFlatRead = false;
template <class T>
requires(!kIsView<T> && !kIsAligned<T> && !HasWireAs<T> &&
         KindOf<T>() == Kind::Record) inline constexpr bool kIsFlatRead<T> = kFlatHere<T, true>;

/// True for values with parts (such as containers), which are read by a separate function instead
/// of inline.
template <class T>
inline constexpr bool kIsReadByCall =
    !kIsReadAtOnce<T> && !kIsView<T> && !kIsAligned<T> && !HasWireAs<T> &&
    KindOf<T>() != Kind::Record && KindOf<T>() != Kind::Tuple;

/// The archive that a Reader passes to bodies. It is a local copy of the Reader's cursor, which the
/// compiler can keep in registers. Without the copy, every field would load and store members of
/// Reader. The address of the copy must not escape, so functions that are not inlined get the
/// Reader itself. Leave() and Enter(), before and after such a call, copy the cursor back and
/// forth.
class BodyReader {
 public:
  using RevctlBinaryArchive = void;
  using RevctlChecksMembers = void;

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
  [[gnu::always_inline]] void FailBefore(std::size_t back, std::string_view reason) {
    Leave();
    r_.FailBefore(back, reason);
    Enter();
  }
  void FailedInField(const char* name) { r_.FailedInField(name); }
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
    return size == 0 || Pay(count, size, 0);
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

  /// Reads a value. `name` identifies the value in error paths. The function that reads the value
  /// or reports its error gets the name; for a value that is read inline, End() adds it.
  template <class T>
  [[gnu::always_inline]] void Field(T& value, const char* name) {
    if constexpr (kIsReadAtOnce<T>) {
      ReadAtOnce(value, name);
    } else if constexpr (kIsReadByCall<T>) {
      ReadByCall(value, name);
    } else if constexpr (kIsFlatRead<T>) {
      ReadFlat(value, name);
    } else {
      Begin();
      Value(value);
      End(name);
    }
  }
  [[gnu::always_inline]] void Begin() {
    if (p_ == end_) [[unlikely]]
      r_.BeginAtEnd();
  }
  [[gnu::always_inline]] void End(const char* name) {
    if (p_ == end_) [[unlikely]]
      r_.EndAtEnd(name);
  }
  [[gnu::always_inline]] void EndElement(std::size_t index) {
    if (p_ == end_) [[unlikely]]
      r_.EndElementAtEnd(index);
  }

  template <class T>
  [[gnu::always_inline]] void Value(T& value) {
    constexpr Kind kind = KindOf<T>();
    if constexpr (kIsReadAtOnce<T>) {
      ReadAtOnce(value, nullptr);
    } else if constexpr (kIsView<T>) {
      VisitView(*this, value);
    } else if constexpr (kIsAligned<T>) {
      ValueAligned<kAlignment<T>>(*this, value.value);
    } else if constexpr (HasWireAs<T>) {
      typename WireAs<T>::Type wire{};
      Value(wire);
      if (!r_.failed_ && !WireAs<T>::FromWire(std::move(wire), value)) [[unlikely]]
        Fail(kNotAsWire);
    } else if constexpr (kind == Kind::Record) {
      if constexpr (kFlatHere<T, true>) {
        ReadFlat(value, nullptr);
      } else if constexpr (kTakesArchive<T>) {
        Leave();
        RunBody(r_, value);
        Enter();
      } else {
        RunBody(*this, value);
      }
    } else if constexpr (kind == Kind::Tuple) {
      UseResourceFor(value);
      Nested<kind>(value);
    } else {
      ReadByCall(value, nullptr);
    }
  }

  template <class T>
  void FlatElements(T& value) {
    if constexpr (kMadeInPlace<T>) {
      ReadFlatElements(value);
    } else {
      ReadElements(value);
    }
  }

  [[gnu::always_inline]] void Align(std::size_t alignment, std::size_t before) {
    const std::size_t offset = static_cast<std::size_t>(p_ - r_.begin_) - r_.part_;
    const std::size_t zeros = PaddingAt(offset, alignment, before);
    if (!Need(zeros)) return;
    for (std::size_t i = 0; i < zeros; ++i) {
      if (p_[i] != std::byte{0}) [[unlikely]]
        return Stop(kNotZeros);
    }
    p_ += zeros;
  }

  [[gnu::always_inline]] void Integrity() {
    std::uint32_t found = 0;
    Scalar(found, nullptr);
    if (found != r_.counter_) [[unlikely]] {
      FailBefore(sizeof found, IntegrityText(found, r_.counter_));
    } else {
      ++r_.counter_;
    }
  }

 private:
  friend class revctl::Reader;

  [[gnu::always_inline]] void Leave() { r_.p_ = p_; }
  [[gnu::always_inline]] void Enter() { p_ = r_.p_; }
  [[gnu::always_inline]] std::size_t Left() const { return static_cast<std::size_t>(end_ - p_); }
  [[gnu::always_inline]] void Stop(std::string_view reason) {
    r_.StopAt(p_, reason);
    p_ = end_;
  }
  [[gnu::always_inline]] bool Need(std::size_t bytes) {
    if (Left() >= bytes) [[likely]]
      return true;
    p_ = r_.StopAtBytes(p_, bytes);
    return false;
  }
  [[gnu::always_inline]] bool Pay(std::size_t count, std::size_t size, std::size_t back) {
    Leave();
    const bool paid = r_.Pay(count, size, back);
    Enter();
    return paid;
  }
  template <class T>
  [[gnu::always_inline]] void UseResourceFor([[maybe_unused]] T& value) {
    if constexpr (PmrContainer<T>) {
      if (r_.options_.resource) UseResource(value, r_.options_.resource);
    }
  }

  /// Reads a value that takes only a few instructions or a single call.
  template <class T>
  [[gnu::always_inline]] void ReadAtOnce(T& value, const char* name) {
    if constexpr (kIsScalar<T>) {
      Scalar(value, name);
    } else {
      UseResourceFor(value);
      if constexpr (kIsString<T>) {
        p_ = ReadText(r_, p_, value, name);
      } else if constexpr (KindOf<T>() == Kind::Sequence) {
        RequireGrowable<T>();
        p_ = ReadNumbers(r_, p_, value, name);
      } else {
        NumberArray(value, name);
      }
    }
  }

  template <class T>
  [[gnu::always_inline]] void Scalar(T& value, const char* name) {
    constexpr Kind kind = WireNumber<T>();
    const std::byte* const p = p_;  // a copy, so that p_ is not reloaded after the store
    if (Left() < sizeof(T)) [[unlikely]] {
      p_ = r_.StopAtNumber(p, kind, name);
      value = T{};
      return;
    }
    if constexpr (kIsBool<T>) {
      const unsigned char byte = static_cast<unsigned char>(*p);
      value = static_cast<T>(byte != 0);
      if (byte > 1) [[unlikely]] {
        p_ = r_.StopAtNumber(p, kind, name);
        return;
      }
    } else if constexpr (kIsUnfixedEnum<T>) {
      std::underlying_type_t<T> number;
      LoadValue(number, p);
      if (!IsNumberOfEnum<T>(number)) [[unlikely]] {
        value = T{};
        p_ = r_.StopAtNumber(p, kind, name);
        return;
      }
      value = static_cast<T>(number);
    } else {
      LoadValue(value, p);
    }
    p_ = p + sizeof(T);
  }

  /// Reads the count of a container.
  [[gnu::always_inline]] std::uint32_t Count() {
    const std::byte* const p = p_;
    if (Left() < sizeof(std::uint32_t)) [[unlikely]] {
      p_ = r_.StopAtCount(p, 1, nullptr);
      return 0;
    }
    std::uint32_t count;
    LoadValue(count, p);
    p_ = p + sizeof count;
    return count;
  }
  /// Reads a flag or the index of a variant's alternative, which must be less than `limit`. `wrong`
  /// returns the error message for any other number.
  [[gnu::always_inline]] unsigned Flag(unsigned limit, std::string (*wrong)(unsigned, unsigned)) {
    std::uint8_t flag = 0;
    Scalar(flag, nullptr);
    if (flag >= limit) [[unlikely]] {
      FailBefore(1, wrong(flag, limit));
      return 0;
    }
    return flag;
  }

  /// Reads a string. Takes and returns the cursor by value. Not inlined, because the call takes no
  /// longer than the read itself, and inlining would add a hundred instructions to each call site.
  template <class T>
  [[gnu::noinline]] static const std::byte* ReadText(Reader& r, const std::byte* p, T& value,
                                                     const char* name) {
    const std::byte* const end = r.end_;
    std::uint32_t size = 0;
    if (static_cast<std::size_t>(end - p) >= sizeof size) [[likely]] {
      LoadValue(size, p);
      const std::size_t left = static_cast<std::size_t>(end - p) - sizeof size;
      const char* const bytes = reinterpret_cast<const char*>(p + sizeof size);
      if (size <= left) [[likely]] {
        // Constructing a new string is faster than assigning to an existing one.
        if (value.empty()) [[likely]] {
          MakeText(value, bytes, size, left);
        } else {
          value.assign(bytes, size);
        }
        return p + sizeof size + size;
      }
    }
    value.clear();
    return r.StopAtCount(p, 1, name);
  }

  template <Kind kind, class T>
  [[gnu::always_inline]] void Nested(T& value) {
    using Shape = detail::Shape<T>;
    if constexpr (kind == Kind::Array) {
      for (std::size_t i = 0; i < Shape::count; ++i) {
        Begin();
        Value(value[i]);
        EndElement(i);
      }
    } else if constexpr (kind == Kind::Sequence) {
      using Element = typename Shape::Element;
      RequireGrowable<T>();
      if constexpr (StatedFlat<Element> && std::is_same_v<T, std::vector<Element>>) {
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
      std::size_t i = 0;
      std::apply([&](auto&... member) { ((Begin(), Value(member), EndElement(i++)), ...); }, value);
    } else if constexpr (kind == Kind::Variant) {
      ReadVariant(value, std::make_index_sequence<Shape::count>());
    } else {
      static_assert(kind == Kind::Bitset);
      constexpr std::size_t size = (Shape::count + 7) / 8;
      value.reset();
      if (!Need(size)) [[unlikely]]
        return;
      const bool unpacked = UnpackBits(reinterpret_cast<const char*>(p_), value);
      p_ += size;
      if (!unpacked) [[unlikely]]
        Stop(kBitBeyond);
    }
  }

  template <class T>
  [[gnu::always_inline]] void ReadByCall(T& value, const char* name) {
    Leave();
    r_.Read<KindOf<T>()>(value, name);
    Enter();
  }

  template <class T>
  [[gnu::always_inline]] void NumberArray(T& value, const char* name) {
    using Element = typename Shape<T>::Element;
    constexpr std::size_t count = Shape<T>::count;
    if constexpr (count != 0) {
      if (Left() < count * sizeof(Element)) [[unlikely]] {
        p_ = r_.StopInArray(p_, WireNumber<Element>(), name);
        for (auto& element : value) element = Element{};
        return;
      }
      CopyValues<Element>(std::addressof(value[0]), p_, count);
      p_ += count * sizeof(Element);
    }
  }

  /// Vectors up to this size are constructed from an iterator, which is faster than resizing and
  /// copying.
  static constexpr std::size_t kFewNumbers = 32;
  /// Reads a vector of numbers. Takes and returns the cursor by value, like ReadText().
  template <class T>
  [[gnu::noinline]] static const std::byte* ReadNumbers(Reader& r, const std::byte* p, T& value,
                                                        const char* name);
  /// Reads a single flat object. At the newest revision, one size check covers all of the object's
  /// leaves, and the compiler folds away its gates.
  template <class T>
  [[gnu::always_inline]] void ReadFlat(T& value, const char* name) {
    constexpr const FlatSizes& sizes = kFlatSizes<T, true>;
    if (revision.AtLeast(sizes.Newest())) [[likely]] {
      constexpr std::size_t wire = sizes.NewestSize();
      if (Left() >= wire) [[likely]] {
        FlatReader<NewestRevision> reader({}, p_);
        RunBody(reader, value);
        if (reader.bad <= 1) [[likely]] {
          p_ += wire;
          return;
        }
      }
    }
    Begin();
    RunBody(*this, value);  // reads an older revision, or finds the error
    End(name);
  }

  template <class T>
  void ReadFlatElements(T& value);
  template <class T>
  void ReadElements(T& value);
  template <class T>
  void ReadCounted(T& value, std::size_t count);
  /// Finds and reports the error in invalid flat elements, without allocating memory for them.
  template <class T>
  [[gnu::always_inline]] void FindError(std::size_t count) {
    Leave();
    FindErrorWith<T>(r_, count);
    Enter();
  }
  template <class T>
  [[gnu::cold, gnu::noinline]] static void FindErrorWith(Reader& r, std::size_t count);
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
[[gnu::always_inline]] inline void Reader::Field(T& value, const char* name) {
  detail::BodyReader body(*this);
  body.Field(value, name);
}

template <class T>
void Reader::FlatElements(T& value) {
  detail::BodyReader body(*this);
  body.FlatElements(value);
}

/// Reads a value that has parts. Adds a level of nesting if its type can contain itself.
template <Kind kind, class T>
void Reader::Read(T& value, const char* name) {
  const bool failed_before = failed_;
  if constexpr (detail::kDescends<T>) {
    if (++depth_ > limits_.depth) [[unlikely]]
      FailHere(detail::kTooDeep);
  }
  {
    detail::BodyReader body(*this);
    body.UseResourceFor(value);
    body.template Nested<kind>(value);
  }
  if constexpr (detail::kDescends<T>) --depth_;
  if (failed_ && !failed_before) [[unlikely]]
    FailedInField(name);
}

}  // namespace revctl

// Members of BodyReader that fill containers.

namespace revctl::detail {

/// Converts to a T{} that is constructed in place. For objects larger than 96 bytes, g++ 12 zeroes
/// the memory with `rep stos`, which takes longer than the rest of the construction. When g++ tunes
/// for a different core, it generates faster code, so the conversion is a separate function with a
/// target attribute.
template <class T>
struct FreshElement {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__)
  [[gnu::noinline, gnu::target("tune=skylake")]]
#endif
  operator T() const {  // NOLINT(google-explicit-constructor): conversion is its purpose
    return T{};
  }
};
/// True for vectors whose elements are large enough to benefit from FreshElement and whose
/// emplace_back() accepts it.
template <class C>
inline constexpr bool kMadeByFresh = false;
template <class T, class A>
inline constexpr bool kMadeByFresh<std::vector<T, A>> =
    std::is_class_v<T> && sizeof(T) > 96 && std::is_move_constructible_v<T> &&
    (std::is_same_v<A, std::allocator<T>> || (kIsPmr<A> && !std::uses_allocator_v<T, A>)) &&
    !std::is_constructible_v<T, TakenByNobody>;

/// Reads a vector of numbers with a single size check. Copies in blocks that fit in the L1 cache,
/// so that the zeros written by resize() cause no memory traffic.
template <class T>
const std::byte* BodyReader::ReadNumbers(Reader& r, const std::byte* p, T& value,
                                         const char* name) {
  using Element = typename detail::Shape<T>::Element;
  const std::byte* const start = p;
  std::size_t left = static_cast<std::size_t>(r.end_ - p);
  std::uint32_t count = 0;
  value.clear();
  if (left < sizeof count) [[unlikely]]
    return r.StopAtCount(start, sizeof(Element), name);
  LoadValue(count, p);
  p += sizeof count;
  left -= sizeof count;
  if (count > left / sizeof(Element)) [[unlikely]]
    return r.StopAtCount(start, sizeof(Element), name);
  if (count == 0) return p;
  if (count > r.budget_left_ / sizeof(Element)) [[unlikely]]
    return r.StopAtCount(start, sizeof(Element), name);
  r.budget_left_ -= count * sizeof(Element);
  const std::byte* const behind = p + count * sizeof(Element);
  if constexpr (AssignableFrom<T, Element>) {
    if (const Element* first = InPlace<Element>(p)) {
      value.assign(first, first + count);
      return behind;
    }
  }
  if constexpr (kIsVector<T> && !kSwapBytes) {
    if (count <= kFewNumbers) {
      const auto* first = reinterpret_cast<const PackedValue<Element>*>(p);
      value.assign(first, first + count);
      return behind;
    }
  }
  if constexpr (Reservable<T>) value.reserve(count);
  constexpr std::size_t block = 16384 / sizeof(Element);
  for (std::size_t i = 0; i < count;) {
    const std::size_t n = count - i < block ? count - i : block;
    value.resize(i + n);
    CopyValues<Element>(value.data() + i, p, n);
    p += n * sizeof(Element);
    i += n;
  }
  return behind;
}

/// Reads a vector of flat elements with a single size check. Then constructs each element in place,
/// from unchecked leaves or by copying its image.
template <class T>
void BodyReader::ReadFlatElements(T& value) {
  using Element = typename detail::Shape<T>::Element;
  constexpr const FlatSizes& sizes = kFlatSizes<Element, true>;
  const std::size_t wire = sizes.At(revision.number());
  const std::size_t count = Count();
  value.clear();
  if (wire == 0) [[unlikely]] {
    ReadCounted(value, count);
    return;
  }
  if (count > Left() / wire || count > r_.budget_left_ / sizeof(Element)) [[unlikely]]
    return FindError<T>(count);
  unsigned bad = 0;
  if (revision.AtLeast(sizes.Newest())) {
    constexpr std::size_t newest = sizes.NewestSize();
    if constexpr (kImage<Element, true> && ImageIsTestable<Element>()) {
      const Element* first = kBoolWindows<Element>.count == 0 ? InPlace<Element>(p_) : nullptr;
      if (first != nullptr) {
        value.assign(first, first + count);
      } else {
        MakeInPlace(value, p_, count, newest, ImageDecoder{&bad});
      }
    } else {
      // The wire size is a constant here, so the compiler folds away every gate.
      MakeInPlace(value, p_, count, newest, LeafDecoder<NewestRevision>{{}, &bad});
    }
  } else if constexpr (sizes.thresholds.count != 0) {
    MakeOld(value, p_, count, wire, revision, &bad);
  }
  if (bad > 1) [[unlikely]] {
    value.clear();
    return FindError<T>(count);
  }
  r_.budget_left_ -= count * sizeof(Element);
  p_ += count * wire;
}

template <class T>
void BodyReader::FindErrorWith(Reader& r, std::size_t count) {
  using Element = typename detail::Shape<T>::Element;
  if (!r.Pay(count, sizeof(Element), sizeof(std::uint32_t))) return;
  const auto element = std::make_unique<Element>();  // may be too large for the stack
  BodyReader body(r);
  for (std::size_t i = 0; i < count && !r.failed_; ++i) {
    body.Value(*element);
    if (r.failed_) r.FailedInElement(i);
  }
}

template <class T>
[[gnu::always_inline]] inline void BodyReader::ReadElements(T& value) {
  const std::size_t count = Count();
  value.clear();
  ReadCounted(value, count);
}
template <class T>
[[gnu::always_inline]] inline void BodyReader::ReadCounted(T& value, std::size_t count) {
  using Element = typename detail::Shape<T>::Element;
  if (count == 0 || !Pay(count, kElementCost<T>, sizeof(std::uint32_t))) return;
  // A wrong count must not reserve more than a small multiple of the input size. With a correct
  // count, the container grows as needed.
  if constexpr (Reservable<T>) value.reserve(count < Left() / 4 + 16 ? count : Left() / 4 + 16);
  std::size_t i = 0;
  for (; i < count && !r_.failed_; ++i) {
    if constexpr (kIsBitVector<T>) {
      bool bit = false;
      Scalar(bit, nullptr);
      value.push_back(bit);
    } else if constexpr (kIsVector<T> && kIsVariant<Element>) {
      AppendVariant(value, std::make_index_sequence<Shape<Element>::count>());
    } else {
      RequireFresh<Element>();
      if constexpr (kMadeByFresh<T>) {
        value.emplace_back(FreshElement<Element>());
      } else {
        value.emplace_back();
      }
      if constexpr (kRunsInLoop<Element> && !kFlatHere<Element, true>) {
        RunBodyInLoop(*this, value.back());
      } else {
        Value(value.back());
      }
    }
  }
  if (r_.failed_) [[unlikely]]
    r_.FailedInElement(i - 1);
}

template <class T>
void BodyReader::ReadHolder(T& value) {
  using Element = typename detail::Shape<T>::Element;
  value.reset();
  if (Flag(2, &NoFlagText) == 0) return;
  if constexpr (kIsPolymorphicContent<Element>) {
    ReadPolymorphic(value);
  } else {
    RequireFresh<Element>();
    if constexpr (Shape<T>::kind == Kind::Pointer) {
      if (!Pay(1, kElementCost<T>, 1)) return;
      value = std::make_unique<Element>();
    } else {
      value.emplace();
    }
    Value(*value);
  }
}

template <class Base>
void BodyReader::ReadPolymorphic(std::unique_ptr<Base>& value) {
  if (const std::string& trouble = RegistrationTrouble<Base>(); !trouble.empty())
    return Stop(trouble);
  std::string name;
  Field(name, "class");
  if (r_.failed_) return;
  const PolymorphicClass<Base>* known = FindClass<Base>(name);
  if (known == nullptr) return Stop(UnknownClassText(name));
  if (!Pay(1, known->size + kNode, 0)) return;
  value = known->make();
  Leave();
  known->read(r_, *value);
  Enter();
  if (r_.failed_) [[unlikely]]
    r_.path_.Add("value");
}

/// Reads a map. Reads each mapped value directly into the map, because the value may be too large
/// for the stack.
template <class T>
void BodyReader::ReadMap(T& value) {
  using Key = typename Shape<T>::Key;
  using Mapped = typename Shape<T>::Mapped;
  RequireFresh<Key>();
  RequireFresh<Mapped>();
  const std::size_t count = Count();
  value.clear();
  if (!Pay(count, kElementCost<T>, sizeof(std::uint32_t))) return;
  std::size_t i = 0;
  for (; i < count && !r_.failed_; ++i) {
    Key key{};
    Value(key);
    if (r_.failed_) [[unlikely]]
      return r_.FailedInKey(i);
    const std::size_t before = value.size();
    const auto entry = value.try_emplace(value.end(), std::move(key));
    if (value.size() == before) [[unlikely]]
      return Stop(kDuplicateKey);
    if (!r_.flood_.Holds(value, entry->first)) [[unlikely]]
      return FailHere(kFlooded);
    Value(entry->second);
  }
  if (r_.failed_ && i > 0) [[unlikely]]
    r_.FailedInElement(i - 1);
}

template <class T>
void BodyReader::ReadSet(T& value) {
  using Key = typename Shape<T>::Key;
  RequireFresh<Key>();
  const std::size_t count = Count();
  value.clear();
  if (!Pay(count, kElementCost<T>, sizeof(std::uint32_t))) return;
  for (std::size_t i = 0; i < count; ++i) {
    Key key{};
    Value(key);
    if (r_.failed_) [[unlikely]]
      return r_.FailedInElement(i);
    const std::size_t before = value.size();
    const auto entry = value.emplace_hint(value.end(), std::move(key));
    if (value.size() == before) [[unlikely]]
      return Stop(kDuplicateKey);
    if (!r_.flood_.Holds(value, *entry)) [[unlikely]]
      return FailHere(kFlooded);
  }
}

/// Appends a variant to a container and constructs its alternative in place, without constructing
/// the default alternative first. If the input ends here, the variant holds its first alternative,
/// just as when elements are read one by one.
template <class T, std::size_t... i>
[[gnu::always_inline]] inline void BodyReader::AppendVariant(T& value, std::index_sequence<i...>) {
  using Element = typename T::value_type;
  (RequireFresh<std::variant_alternative_t<i, Element>>(), ...);
  const unsigned index = Flag(sizeof...(i), &NoAlternativeText);
  (void)((index == i ? (Value(*std::get_if<i>(&value.emplace_back(std::in_place_index<i>))), true)
                     : false) ||
         ...);
}

template <class T, std::size_t... i>
void BodyReader::ReadVariant(T& value, std::index_sequence<i...>) {
  const unsigned index = Flag(sizeof...(i), &NoAlternativeText);
  (RequireFresh<std::variant_alternative_t<i, T>>(), ...);
  (void)((index == i ? (Value(value.template emplace<i>()), true) : false) || ...);
}

}  // namespace revctl::detail
