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

#include <revctl/detail/base/archive_error.h>
#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/raw_buffer.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/base/short_bytes.h>
#include <revctl/detail/binary/flat_iterator.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/trace.h>

namespace revctl {

namespace detail {
class BodyWriter;
}  // namespace detail

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
  void Value(T& value);
  /// Elements of a declared type that is flat, in the file that has its body; their count is
  /// written.
  template <class T>
  void FlatElements(T& value);

 private:
  friend class detail::BodyWriter;
  struct Cursor {
    std::byte* p;
    std::byte* end;
  };
  /// More room behind `p`, where there can be; else an error. Takes and gives the cursor by value,
  /// so that a body's own copy of it needs no address.
  [[gnu::cold, gnu::noinline]] Cursor Room(std::byte* p, std::size_t bytes) {
    p_ = p;
    if (fixed_ || failed_) {
      Stop("the buffer is full", false);
    } else {
      const std::size_t used =
          memory_.data() == nullptr ? 0 : static_cast<std::size_t>(p - memory_.data());
      memory_.Reserve((used + bytes) * 2 < 4096 ? 4096 : (used + bytes) * 2);
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

  void Put(const void* bytes, std::size_t size) {
    if (size == 0) return;
    if (static_cast<std::size_t>(end_ - p_) < size) Room(p_, size);
    if (static_cast<std::size_t>(end_ - p_) < size) return;
    std::memcpy(p_, bytes, size);
    p_ += size;
  }

  template <Kind kind, class T>
  void Write(T& value);

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

#include <revctl/detail/binary/body_writer.h>  // the members declared above
