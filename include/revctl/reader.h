#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <revctl/detail/base/archive_error.h>
#include <revctl/detail/base/hash_flood.h>
#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/refused_load.h>
#include <revctl/detail/base/resource.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/base/short_bytes.h>
#include <revctl/detail/binary/flat_iterator.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/trace.h>

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
/// Any bytes give a value or an error, never undefined behaviour; the first error stays, and
/// everything read after it is zero and empty. The object may then be half read: read into a fresh
/// one, or use Load(), which does. The bytes must outlive the reader. Not thread-safe; make one for
/// each thread.
class Reader {
 public:
  using RevctlBinaryArchive = void;

  /// `bytes` is a payload (what follows a file's header), written at `at`.
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

  /// What the input may cost; call before reading.
  void SetLimits(const Limits& limits) {
    limits_ = limits;
    if (limits_.budget == 0) limits_.budget = Limits::DefaultBudget(Left());
    budget_left_ = limits_.budget;
  }

  bool Ok() const { return !failed_; }
  /// Every byte was read. What a whole payload must give, besides Ok().
  bool AtEnd() const { return !failed_ && p_ == end_; }
  /// Bytes read so far.
  std::size_t offset() const {
    return static_cast<std::size_t>((failed_ ? failed_at_ : p_) - begin_);
  }
  /// The first error. Its path is known once the outermost Serialize() has returned.
  const ArchiveError& error() const { return error_; }

  /// Refuses the value; for bodies: `r.Fail("hp is negative")`. The first error wins.
  [[gnu::cold, gnu::noinline]] void Fail(std::string_view reason) {
    if (failed_) return;
    Stop();
    error_.reason = reason;
    error_.refused = true;
  }

  /// An error of the library's own: the bytes are no value of the type. The first error wins.
  [[gnu::cold, gnu::noinline]] void FailHere(std::string_view reason) {
    if (failed_) return;
    Stop();
    error_.reason = reason;
  }

  /// The next `size` bytes as they are, read past; empty and an error where there are fewer. Valid
  /// as long as the input.
  std::span<const std::byte> Take(std::size_t size) {
    if (!Need(size)) return {};
    p_ += size;
    return {p_ - size, size};
  }

  /// The bytes that were not read yet.
  std::span<const std::byte> Rest() const { return {p_, end_}; }
  /// Views may refer to the bytes (ReadOptions::borrow).
  bool Borrows() const { return options_.borrow; }

  /// Charges memory that a visitor makes on the word of the input against Limits::budget. False,
  /// and an error, beyond it.
  bool PayFor(std::size_t count, std::size_t size) { return size == 0 || Pay(count, size); }

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

  /// A part begins whose bytes are the same wherever it stands: numbers of CHECK_INTEGRITY and
  /// alignments are counted from here. Gives what EndPart() takes.
  PartStart BeginPart() {
    return {std::exchange(counter_, 0),
            std::exchange(part_, static_cast<std::size_t>(p_ - begin_))};
  }
  void EndPart(const PartStart& outer) {
    counter_ = outer.counter;
    part_ = outer.offset;
  }

  // ---- called by macros and by Serialize()
  // -------------------------------------------------------------------------

  /// A whole object, or, inside a body, a part without a gate.
  template <class T>
  [[gnu::always_inline]] void Root(T& value) {
    if (inside_) {
      Value(value);
      return;
    }
    inside_ = true;
    const std::byte* start = p_;
    const std::uint32_t counter = counter_;
    const bool failed_before = failed_;
    Value(value);
    inside_ = false;
    if (failed_ && !failed_before) [[unlikely]]
      Explain(TypeOf<T>(), start, counter);
  }

  template <class T>
  void Value(T& value);
  /// Elements of a declared type that is flat, in the file that has its body.
  template <class T>
  void FlatElements(T& value);

 private:
  friend class detail::BodyReader;

  std::size_t Left() const { return static_cast<std::size_t>(end_ - p_); }
  /// Sticky: nothing is left to read from now on.
  [[gnu::cold, gnu::noinline]] void StopAt(const std::byte* p) {
    if (!failed_) failed_at_ = p;
    failed_ = true;
    p_ = end_;
  }
  void Stop() { StopAt(p_); }
  bool Need(std::size_t bytes) {
    if (Left() >= bytes) return true;
    Stop();
    return false;
  }
  /// Pays for `count` elements of `size` bytes of memory.
  [[gnu::always_inline]] bool Pay(std::size_t count, std::size_t size) {
    if (count <= budget_left_ / size) [[likely]] {
      budget_left_ -= count * size;
      return true;
    }
    Stop();
    return false;
  }

  template <Kind kind, class T>
  void Read(T& value);

  /// Finds out where and why, by reading the same bytes once more with an archive that knows paths.
  /// Costs nothing until something fails. Bodies are deterministic; for one that is not, the offset
  /// and the type's name remain.
  [[gnu::cold, gnu::noinline]] void Explain(const TypeInfo& type, const std::byte* start,
                                            std::uint32_t counter) {
    TraceReader trace({begin_, end_}, revision, static_cast<std::size_t>(start - begin_));
    trace.CollectLeaves(false);
    trace.GiveUpAfter(static_cast<std::size_t>(end_ - begin_) + (std::size_t{1} << 20));
    trace.limits = limits_;
    trace.resource = options_.resource;
    trace.counter = counter;
    if (type.construct != nullptr) {
      detail::RefusedLoad again;
      detail::FreshObject fresh(type);
      trace.VisitRoot(type, fresh.get());
    }
    ArchiveError found = trace.error();
    if (trace.Ok()) {
      found = {type.name(), static_cast<std::size_t>(failed_at_ - begin_),
               error_.reason.empty() ? "the bytes are no value of this type" : error_.reason,
               false};
    }
    if (error_.refused) {
      found.refused = true;
      found.reason = error_.reason;
    }
    error_ = std::move(found);
  }

  // First what every read touches.
  const std::byte* p_;
  const std::byte* end_;
  bool failed_ = false;
  bool inside_ = false;
  int depth_ = 0;
  std::uint32_t counter_ = 0;
  std::size_t budget_left_ = 0;
  const std::byte* begin_;
  std::size_t part_ = 0;  ///< where the part at hand begins
  const std::byte* failed_at_ = nullptr;
  ReadOptions options_;
  Limits limits_;
  detail::FloodWatch flood_;
  ArchiveError error_;
};

}  // namespace revctl

#include <revctl/detail/binary/body_reader.h>  // the members declared above
