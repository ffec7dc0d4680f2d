#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <revctl/detail/base/error_text.h>
#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/types/any_archive.h>
#include <revctl/detail/types/leaf_text.h>
#include <revctl/detail/visit/macros.h>

// Binary archives that also report the path and offset of every leaf. They read and write the same
// bytes as Reader and Writer, but more slowly, because each leaf takes a virtual call and a path.
// They are used by dumps, error messages and the harness.

namespace revctl {

/// A leaf in the binary format: a value, a string with its count, or an item that the format
/// itself adds (a count, a flag, an integrity number).
struct TraceLeaf {
  /// `Level.things[3].mesh`; if the format adds the leaf: `Level.things#count`,
  /// `Level.boss#present`, `Level.part#index`, `Level#integrity`.
  std::string path;
  std::string type;  ///< canonical wire type; `u32` for counts, `u8` for flags and indices
  std::string text;  ///< `-5`, `"Zo\u00eb"`, `Red`, `true`, `0.5`, `NaN`
  std::size_t offset = 0, size = 0;  ///< in bytes
};

namespace detail {

/// Copies numbers between memory and the wire, swapping bytes on big-endian machines.
inline void CopyNumbers(void* to, const void* from, std::size_t size, std::size_t count) {
  switch (size) {
    case 1:
      CopyValues<std::uint8_t>(to, from, count);
      break;
    case 2:
      CopyValues<std::uint16_t>(to, from, count);
      break;
    case 4:
      CopyValues<std::uint32_t>(to, from, count);
      break;
    default:
      CopyValues<std::uint64_t>(to, from, count);
      break;
  }
}

/// Describes the count that precedes a container on the wire: its size in bytes, its suffix in
/// paths, and its type.
struct CountForm {
  std::size_t size;
  const char* name;
  const char* type;
};
inline CountForm CountFormOf(Kind kind) {
  switch (kind) {
    case Kind::Sequence:
    case Kind::Map:
    case Kind::Set:
      return {4, "#count", "u32"};
    case Kind::Optional:
    case Kind::Pointer:
      return {1, "#present", "u8"};
    case Kind::Variant:
      return {1, "#index", "u8"};
    default:
      return {0, "", ""};
  }
}

/// The common base of TraceReader and TraceWriter, which handles leaves and integrity numbers.
class TraceArchive : public AnyArchive {
 public:
  /// Returns the leaves in wire order, up to the first error. Leaves are collected by default.
  const std::vector<TraceLeaf>& Leaves() const { return leaves_; }
  std::vector<TraceLeaf> TakeLeaves() { return std::move(leaves_); }
  void CollectLeaves(bool collect) { collect_ = collect; }
  /// Selects whether to report the zeros before aligned values as leaves (the default), although
  /// they belong to no value.
  void CollectPadding(bool collect) { collect_padding_ = collect; }
  /// A container with more numbers than this is reported as a single leaf, called a block.
  static constexpr std::size_t kMostOneByOne = 1024;
  bool TakesBlock(const TypeInfo&, std::size_t count) override { return count > kMostOneByOne; }
  /// The number that the next CHECK_INTEGRITY expects or writes.
  std::uint32_t counter = 0;

  PartStart BeginPart() override {
    return {std::exchange(counter, 0), std::exchange(part_, ByteOffset())};
  }
  void EndPart(const PartStart& outer) override {
    counter = outer.counter;
    part_ = outer.offset;
  }

  void BeginElement(const TypeInfo&, std::size_t, bool) override {}
  void EndElement() override {}
  void EndContainer(const TypeInfo&) override {}

 protected:
  using AnyArchive::AnyArchive;
  bool Collecting() const { return collect_ && Ok(); }
  /// Returns the number of zero bytes needed before an aligned value at the current offset.
  std::size_t Padding(std::size_t alignment, std::size_t before) const {
    return PaddingAt(ByteOffset() - part_, alignment, before);
  }
  void NotePadding(std::size_t size) {
    if (size != 0 && collect_padding_ && Collecting())
      Note("#padding", "padding", "0", ByteOffset() - size, size);
  }
  void Note(const char* suffix, std::string type, std::string text, std::size_t offset,
            std::size_t size) {
    leaves_.push_back({Path() + suffix, std::move(type), std::move(text), offset, size});
  }

 private:
  bool collect_ = true;
  bool collect_padding_ = true;
  std::size_t part_ = 0;  ///< start of the current part
  std::vector<TraceLeaf> leaves_;
};

}  // namespace detail

/// Reads binary bytes like Reader, and records every leaf.
class TraceReader : public detail::TraceArchive {
 public:
  /// Starts reading at offset `start`. All offsets are relative to the beginning of `bytes`, which
  /// must outlive the archive.
  TraceReader(std::span<const std::byte> bytes, Revision at, std::size_t start = 0)
      : TraceArchive(/*reading=*/true), bytes_(bytes), at_(start) {
    revision = at;
  }

  /// True if all bytes were read without an error.
  bool AtEnd() const { return Ok() && at_ == bytes_.size(); }
  std::size_t offset() const { return at_; }
  std::size_t ByteOffset() const override { return at_; }
  /// Returns the first error; its path is empty while Ok().
  ArchiveError error() const { return {error_path(), error_offset_, error_reason(), refused()}; }

  bool PayFor(std::size_t count, std::size_t size) override {
    if (budget_left_ == kUnset)
      budget_left_ = limits.budget != 0 ? limits.budget : Limits::DefaultBudget(bytes_.size());
    if (size != 0 && count > budget_left_ / size) {
      FailHere(detail::OverBudgetText(count));
      return false;
    }
    budget_left_ -= size * count;
    return true;
  }

  void Scalar(const TypeInfo& type, void* value) override {
    std::size_t size = detail::ScalarSize(type.underlying);
    const std::byte* from = Take(size, detail::NumberName(type.underlying));
    if (from == nullptr) return;
    if (type.underlying == Kind::Bool && static_cast<unsigned char>(*from) > 1) {
      at_ -= size;
      FailHere(detail::NoBoolText(*from));
      return;
    }
    detail::CopyNumbers(value, from, size, 1);
    if (Collecting()) Note("", type.name(), LeafText(type, value), at_ - size, size);
  }

  void Bytes(const TypeInfo& type, std::string& bytes) override {
    std::size_t begin = at_;
    std::size_t count = bytes.size();
    if (type.kind == Kind::String) {
      const std::byte* from = Take(4, "the count");
      if (from == nullptr) return;
      std::uint32_t n;
      detail::CopyValue<std::uint32_t>(&n, from);
      count = n;
    }
    if (count > Left()) {
      at_ = begin;
      FailHere(type.kind == Kind::String ? detail::WrongCountText(count, Left() - 4)
                                         : detail::TruncatedText(nullptr, count, Left()));
      return;
    }
    bytes.assign(reinterpret_cast<const char*>(bytes_.data()) + at_, count);
    at_ += count;
    if (Collecting()) Note("", type.name(), BytesText(type, bytes), begin, at_ - begin);
  }

  void Block(const TypeInfo& type, void* numbers, std::size_t count) override {
    const std::size_t size = detail::ScalarSize(type.part(0).kind);
    if (count > Left() / size) {
      FailHere(detail::TruncatedText(nullptr, count * size, Left()));
      return;
    }
    const std::byte* from = Take(size * count, nullptr);
    if (from == nullptr) return;
    detail::CopyNumbers(numbers, from, size, count);
    if (Collecting())
      Note("", type.name(), BlockText({from, size * count}), at_ - size * count, size * count);
  }

  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    detail::CountForm form = detail::CountFormOf(type.kind);
    if (form.size == 0) return count;
    const std::byte* from = Take(form.size, form.size == 1 ? "u8" : "the count");
    if (from == nullptr) return 0;
    std::uint32_t n = 0;
    if (form.size == 1) {
      n = static_cast<unsigned char>(*from);
    } else {
      detail::CopyValue<std::uint32_t>(&n, from);
    }
    at_ -= form.size;  // the position of the count, where an error is reported
    if (!Acceptable(type, n)) return 0;
    at_ += form.size;
    if (Collecting()) Note(form.name, form.type, std::to_string(n), at_ - form.size, form.size);
    return n;
  }

  void Align(std::size_t alignment, std::size_t before) override {
    const std::size_t size = Padding(alignment, before);
    static constexpr std::byte zeros[16] = {};
    if (Left() < size) return FailHere(detail::kTruncated);
    if (std::memcmp(bytes_.data() + at_, zeros, size) != 0) return FailHere(detail::kNotZeros);
    at_ += size;
    NotePadding(size);
  }

  void Integrity(const FieldVisit& field) override {
    if (!field.live) return;
    const std::byte* from = Take(4, "u32");
    if (from == nullptr) return;
    std::uint32_t n;
    detail::CopyValue<std::uint32_t>(&n, from);
    if (n != counter) {
      at_ -= 4;
      FailHere(detail::IntegrityText(n, counter));
      return;
    }
    ++counter;
    if (Collecting()) Note("#integrity", "u32", std::to_string(n), at_ - 4, 4);
  }

 protected:
  void OnError() override { error_offset_ = at_; }

 private:
  std::size_t Left() const { return bytes_.size() - at_; }
  const std::byte* Take(std::size_t size, const char* what) {
    if (!Ok()) return nullptr;
    if (Left() < size) {
      FailHere(detail::TruncatedText(what, size, Left()));
      return nullptr;
    }
    at_ += size;
    return bytes_.data() + at_ - size;
  }
  bool Acceptable(const TypeInfo& type, std::uint32_t n) {
    if (type.kind == Kind::Optional || type.kind == Kind::Pointer) {
      if (n > 1) {
        FailHere(detail::NoFlagText(n, 2));
        return false;
      }
      if (type.kind == Kind::Optional) return true;
    }
    if (type.kind == Kind::Variant) {
      if (n < type.count) return true;
      FailHere(detail::NoAlternativeText(n, static_cast<unsigned>(type.count)));
      return false;
    }
    if (type.kind == Kind::Sequence && type.part(0).underlying <= Kind::F64 &&
        type.part(0).underlying != Kind::Bool) {
      // Numbers have a fixed size, so a wrong count can be detected before any element is read.
      const std::size_t each = detail::ScalarSize(type.part(0).underlying);
      if (n > (Left() - 4) / each) {
        FailHere(detail::WrongCountText(n, Left() - 4));
        return false;
      }
    }
    return PayFor(n, type.cost);
  }

  static constexpr std::size_t kUnset = static_cast<std::size_t>(-1);
  std::span<const std::byte> bytes_;
  std::size_t at_;
  std::size_t error_offset_ = 0;
  std::size_t budget_left_ = kUnset;
};

/// Writes the same bytes as Writer, and records every leaf.
class TraceWriter : public detail::TraceArchive {
 public:
  explicit TraceWriter(Revision at) : TraceArchive(/*reading=*/false) { revision = at; }

  std::span<const std::byte> Bytes() const { return bytes_; }
  std::size_t ByteOffset() const override { return bytes_.size(); }
  ArchiveError error() const { return {error_path(), bytes_.size(), error_reason(), refused()}; }

  void Scalar(const TypeInfo& type, void* value) override {
    std::size_t size = detail::ScalarSize(type.underlying);
    detail::CopyNumbers(Put(size), value, size, 1);
    if (Collecting()) Note("", type.name(), LeafText(type, value), bytes_.size() - size, size);
  }

  void Bytes(const TypeInfo& type, std::string& bytes) override {
    std::size_t begin = bytes_.size();
    if (type.kind == Kind::String && !PutCount(bytes.size())) return;
    detail::CopyValues<char>(Put(bytes.size()), bytes.data(), bytes.size());
    if (Collecting()) Note("", type.name(), BytesText(type, bytes), begin, bytes_.size() - begin);
  }

  void Block(const TypeInfo& type, void* numbers, std::size_t count) override {
    if (!Ok()) return;
    const std::size_t bytes = detail::ScalarSize(type.part(0).kind) * count;
    std::byte* const to = Put(bytes);
    detail::CopyNumbers(to, numbers, bytes / count, count);
    if (Collecting()) Note("", type.name(), BlockText({to, bytes}), bytes_.size() - bytes, bytes);
  }

  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    detail::CountForm form = detail::CountFormOf(type.kind);
    if (form.size == 0) return count;
    if (form.size == 4) {
      if (!PutCount(count)) return 0;
    } else {
      if (type.kind == Kind::Variant && count >= type.count) {
        FailHere("the variant has no value");
        return count;
      }
      *Put(1) = static_cast<std::byte>(count);
    }
    if (Collecting())
      Note(form.name, form.type, std::to_string(count), bytes_.size() - form.size, form.size);
    return count;
  }

  void Align(std::size_t alignment, std::size_t before) override {
    const std::size_t size = Padding(alignment, before);
    Put(size);
    NotePadding(size);
  }

  void Integrity(const FieldVisit& field) override {
    if (!field.live || !Ok()) return;
    detail::CopyValue<std::uint32_t>(Put(4), &counter);
    if (Collecting()) Note("#integrity", "u32", std::to_string(counter), bytes_.size() - 4, 4);
    ++counter;
  }

 private:
  std::byte* Put(std::size_t size) {
    bytes_.resize(bytes_.size() + size);
    return bytes_.data() + bytes_.size() - size;
  }
  bool PutCount(std::size_t count) {
    if (count > UINT32_MAX) {
      FailHere("more elements than a 32-bit count can hold");
      return false;
    }
    std::uint32_t n = static_cast<std::uint32_t>(count);
    detail::CopyValue<std::uint32_t>(Put(4), &n);
    return true;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace revctl
