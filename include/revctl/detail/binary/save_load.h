#pragma once
#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <revctl/detail/base/refused_load.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/binary/file_header.h>
#include <revctl/gates_by_name.h>
#include <revctl/reader.h>
#include <revctl/trace.h>
#include <revctl/writer.h>

// Whole files in memory: header and payload. For files on disk, see save_file.h.

namespace revctl {

/// Contiguous bytes of any type: std::byte, unsigned char, char.
template <class B>
concept ByteRange = std::ranges::contiguous_range<B> && std::ranges::sized_range<B> &&
                        sizeof(std::ranges::range_value_t<B>) == 1 &&
                    std::is_trivially_copyable_v<std::ranges::range_value_t<B>>;

/// A byte container that Save() can fill: std::vector<std::byte>, std::vector<uint8_t>,
/// std::string.
template <class B>
concept ByteBuffer = ByteRange<B> && requires(B& b, const std::ranges::range_value_t<B>* p) {
  b.assign(p, p);
};

/// Returns the bytes of a container without copying them. Those of a string literal include its
/// terminating zero.
template <ByteRange B>
std::span<const std::byte> AsBytes(const B& bytes) {
  return std::as_bytes(std::span(std::ranges::data(bytes), std::ranges::size(bytes)));
}

/// Stands for the program's only list, if the caller names no enum.
struct TheOnlyList {};

/// Returns the table of the list whose enum is `Enum` if its generated header is included, else the
/// program's only list (or null).
template <class Enum>
const ListTable* ListFor() {
  if constexpr (ListedEnum<Enum>) {
    return &ListOf<Enum>::table;
  } else {
    return DefaultList();
  }
}

namespace detail {

inline Status ToStatus(const ArchiveError& error, std::size_t base, const char* doing) {
  return {error.refused ? Status::Kind::Refused : Status::Kind::Corrupt,
          std::string(doing) + " " + error.path + " at offset " +
              std::to_string(base + error.offset) + ": " + error.reason};
}

inline void AppendChecksum(Writer& writer, const FileFormat& format) {
  if (!format.checksum) return;
  const std::uint64_t sum = Checksum(writer.Bytes());
  std::byte bytes[8];
  CopyValue<std::uint64_t>(bytes, &sum);
  writer.Append(bytes);
}

template <class T>
constexpr void RequireAssignable() {
  static_assert(!std::is_const_v<T>, "revctl: reading into a const object");
  static_assert(!std::is_array_v<T>,
                "revctl: Load() cannot assign to a C array: use std::array, or a struct around it");
  static_assert(
      std::is_const_v<T> || std::is_array_v<T> || std::is_move_assignable_v<T>,
      "revctl: Load() cannot move a fresh object into yours: give the type a move assignment, "
      "or read into the object itself with revctl::Reader");
}

/// Fails if T cannot be read with a resource. Such a value replaces the old one by destruction and
/// construction in place, and nothing may fail in between.
template <class T>
Status CheckReplaceable(Resource resource) {
  if (!resource || kReplaceable<T>) return {};
  return {Status::Kind::Refused,
          TypeName<T>() +
              " cannot be read with a resource: the value is replaced, for which its "
              "move constructor must be noexcept, and a class with virtual functions "
              "final"};
}

/// A T{} to decode into; on the heap if it is large, because a world may have many megabytes.
template <class T>
class FreshValue {
  static constexpr bool kOnHeap = sizeof(T) > 16384;

 public:
  T& get() {
    if constexpr (kOnHeap) {
      return *value_;
    } else {
      return value_;
    }
  }

 private:
  static auto Make() {
    if constexpr (kOnHeap) {
      return std::make_unique<T>();
    } else {
      return T{};
    }
  }
  std::conditional_t<kOnHeap, std::unique_ptr<T>, T> value_ = Make();
};

/// Reads a whole payload with `reader` (Reader or TraceReader). `base` is the payload's offset in
/// the file.
template <class R, class T>
Status ReadPayload(R& reader, std::size_t size, std::size_t base, T& value, Resource resource) {
  RequireAssignable<T>();
  RequireFresh<T>();
  if (Status status = CheckReplaceable<T>(resource); !status) return status;
  RefusedLoad load;
  FreshValue<T> fresh;
  Serialize(reader, fresh.get());
  if (!reader.Ok()) return ToStatus(reader.error(), base, "reading");
  if (!reader.AtEnd()) {
    return {Status::Kind::Corrupt, "reading " + TypeName<T>() + ": the value ends at offset " +
                                       std::to_string(base + reader.offset()) + ", but " +
                                       std::to_string(size - reader.offset()) + " bytes follow"};
  }
  Settle(value, fresh.get(), resource);
  load.Accepted();
  return {};
}

/// Reads a payload written under another list, with gates by name.
template <class T>
Status ReadForeignPayload(std::span<const std::byte> payload, const FileFormat& format,
                          std::int64_t revision, T& value) {
  if (format.list == nullptr) {
    return {Status::Kind::ForeignLineage,
            "a file of another list is read by names, and this program has no table of its own "
            "list: include what `revctl codegen` writes"};
  }
  GatesByName gates(*format.list, *format.written_with, revision);
  if (!gates.Unknown().empty()) {
    return {Status::Kind::ForeignLineage,
            "written at " + Describe(*format.written_with, revision) + " of the list `" +
                std::string(format.written_with->name) + "`, which has " + gates.Unknown().front() +
                "; this program does not know what that added"};
  }
  TraceReader reader(payload, revision);
  reader.CollectLeaves(false);
  reader.revision = std::move(gates);
  reader.limits = format.limits;
  reader.resource = format.resource;
  return ReadPayload(reader, payload.size(), kFileHeaderSize, value, format.resource);
}

}  // namespace detail

/// Writes header and payload into `bytes` at `revision`: the latest, or an older one that older
/// builds can read. `bytes` changes only on success. If the program has several lists, the type of
/// `revision` selects one.
///
/// Fails with Refused if a body rejects the value or the revision is not in the list, and with
/// Corrupt if the value has no wire form, for example because it is nested too deeply.
template <RevisionNumber N, class T, ByteBuffer B>
Status Save(N revision, const T& value, B& bytes, FileFormat format = {}) {
  if (format.list == nullptr) format.list = ListFor<N>();
  FileHeader header;
  Status status = MakeFileHeader(revision, format, header);
  if (!status) return status;
  std::byte head[kFileHeaderSize];
  WriteFileHeader(header, head);
  Writer writer(revision);
  writer.SetLimits(format.limits);
  writer.Append(head);
  Serialize(writer, value);
  if (!writer.Ok()) return detail::ToStatus(writer.error(), 0, "writing");
  detail::AppendChecksum(writer, format);
  using Byte = std::ranges::range_value_t<B>;
  auto* first = reinterpret_cast<const Byte*>(writer.Bytes().data());
  bytes.assign(first, first + writer.Bytes().size());
  return {};
}

namespace detail {

/// Load() without the check that this source knows the newest revision.
template <class Enum, ByteRange B, class T>
Status LoadKnown(const B& bytes, T& value, FileFormat format) {
  if (format.list == nullptr) format.list = ListFor<Enum>();
  std::int64_t revision = 0;
  std::span<const std::byte> all = AsBytes(bytes);
  Status status = CheckFileHeader(all, format, revision);
  if (status) status = CheckChecksum(all, format);
  if (!status) return status;
  const std::span<const std::byte> payload = all.subspan(kFileHeaderSize);
  if (format.written_with != nullptr) return ReadForeignPayload(payload, format, revision, value);
  Reader reader(payload, revision, {format.resource, format.borrow});
  reader.SetLimits(format.limits);
  return ReadPayload(reader, payload.size(), kFileHeaderSize, value, format.resource);
}

/// Gives a compile error if nothing in this source knows the newest revision.
template <class Enum>
constexpr void RequireLatest() {
  static_assert(
      KnowsLatest<Enum>,
      "revctl: nothing here knows the newest revision, so a file from the future would be read as "
      "if it were of today: pass the latest revision, as in Load(bytes, value, SR_LATEST), or "
      "include the table that `revctl codegen` writes");
}

/// A table that the caller passes. A template, so that `{}` is always a FileFormat.
template <class L>
concept AnyListTable = std::same_as<L, ListTable>;

inline FileFormat With(const ListTable& list, FileFormat format) {
  format.list = &list;
  return format;
}

/// Returns the format with the newest revision that the caller knows.
template <RevisionNumber N>
FileFormat UpTo(N latest, FileFormat format) {
  if (format.list == nullptr) format.list = ListFor<N>();
  format.has_latest = true;
  format.latest = NumberOf(latest);
  return format;
}

}  // namespace detail

/// Reads bytes that Save wrote, at this or any older revision. Decodes into a fresh T{} and moves
/// it to `value` on success; on failure `value` is unchanged. If the program has several lists,
/// name the enum: `Load<game::Revision>(bytes, level)`.
///
/// This source must include the generated table of the list, whatever `format` has; otherwise
/// nothing here proves that files from newer revisions are rejected. Other programs pass the latest
/// revision or a table to one of the Load() below.
template <class Enum = TheOnlyList, ByteRange B, class T>
Status Load(const B& bytes, T& value, FileFormat format = {}) {
  detail::RequireLatest<Enum>();
  return detail::LoadKnown<Enum>(bytes, value, std::move(format));
}

/// Reads a file in a program without a generated table. `latest` is the newest revision that it
/// knows.
template <ByteRange B, class T, RevisionNumber N>
Status Load(const B& bytes, T& value, N latest, FileFormat format = {}) {
  return detail::LoadKnown<N>(bytes, value, detail::UpTo(latest, std::move(format)));
}

/// Reads a file of the list with this table, for example one that a tool has built.
template <ByteRange B, class T, detail::AnyListTable L>
Status Load(const B& bytes, T& value, const L& list, FileFormat format = {}) {
  return detail::LoadKnown<TheOnlyList>(bytes, value, detail::With(list, std::move(format)));
}

}  // namespace revctl
