#pragma once
#include <concepts>
#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <revctl/detail/base/error_text.h>
#include <revctl/detail/base/refused_load.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/binary/file_header.h>
#include <revctl/gates_by_name.h>
#include <revctl/reader.h>
#include <revctl/trace.h>
#include <revctl/writer.h>

// Whole files in memory: header and payload. For files on disk, see save_file.h.

namespace revctl {

/// A contiguous range of std::byte, unsigned char or char.
template <class B>
concept ByteRange = std::ranges::contiguous_range<B> && std::ranges::sized_range<B> &&
                        sizeof(std::ranges::range_value_t<B>) == 1 &&
                    std::is_trivially_copyable_v<std::ranges::range_value_t<B>>;

/// A byte container that Save() can fill, such as std::vector<std::byte>, std::vector<uint8_t> or
/// std::string.
template <class B>
concept ByteBuffer = ByteRange<B> && requires(B& b, const std::ranges::range_value_t<B>* p) {
  b.assign(p, p);
};

/// Returns the bytes of a container without copying them. For a string literal, they include the
/// terminating zero.
template <ByteRange B>
std::span<const std::byte> AsBytes(const B& bytes) {
  return std::as_bytes(std::span(std::ranges::data(bytes), std::ranges::size(bytes)));
}

/// Represents the program's only list if the caller does not name an enum.
struct TheOnlyList {};

/// Returns the table of the list whose enum is `Enum` if its generated header is included.
/// Otherwise returns the program's only list, or null.
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
          Joined({doing, " ", error.path, " at offset ", base + error.offset, ": ", error.reason})};
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
  static_assert(!std::is_const_v<T>, "revctl: cannot read into a const object");
  static_assert(
      !std::is_array_v<T>,
      "revctl: Load() cannot assign to a C array: use std::array, or wrap the array in a struct");
  static_assert(std::is_const_v<T> || std::is_array_v<T> || std::is_move_assignable_v<T>,
                "revctl: Load() cannot move a fresh object into yours: give the type a move "
                "assignment operator, or read into the object itself with revctl::Reader");
}

/// The operations that loading needs from a type. All other code of a load is compiled only once
/// for all types.
struct LoadedType {
  std::size_t size, alignment;
  std::string (*name)();
  Making making;
  void (*read)(Reader& reader, void* object);
  /// Moves the fresh object into the caller's object.
  void (*assign)(void* value, void* fresh);
  /// Replaces the caller's object. This is needed with a memory resource, because assignment would
  /// copy every element into the old object's memory. Null if this load has no resource or T cannot
  /// be replaced. Replacing destroys the old object and constructs a new one in place, so
  /// construction must not fail.
  void (*replace)(void* value, void* fresh);
  /// Reads a payload written with a different list. Null if this load cannot encounter such a
  /// payload.
  Status (*read_foreign)(std::span<const std::byte> payload, const FileFormat& format,
                         std::int64_t revision, void* object);
};

template <class T>
void ReadRoot(Reader& reader, void* object) {
  Serialize(reader, *static_cast<T*>(object));
}
template <class T>
void AssignRoot(void* value, void* fresh) {
  *static_cast<T*>(value) = std::move(*static_cast<T*>(fresh));
}
template <class T>
void ReplaceRoot(void* value, void* fresh) {
  Replace(*static_cast<T*>(value), *static_cast<T*>(fresh));
}
/// Whether the caller passes a FileFormat, which may name a memory resource or a different list.
/// Without a FileFormat, a load instantiates neither T's move constructor nor its body for
/// AnyArchive, which take longer to compile than the reader.
enum class Options { None, Some };
template <class T, Options options>
consteval auto ReplaceFunction() -> void (*)(void*, void*) {
  if constexpr (options == Options::Some && kReplaceable<T>) {
    return &ReplaceRoot<T>;
  } else {
    return nullptr;
  }
}

inline Status NotReplaceable(const std::string& type) {
  return {Status::Kind::Refused,
          type +
              " cannot be read with a memory resource: reading replaces the value, so the type "
              "needs a noexcept move constructor, and must be final if it has virtual functions"};
}
template <class T>
Status CheckReplaceable(Resource resource) {
  if (!resource || kReplaceable<T>) return {};
  return NotReplaceable(TypeName<T>());
}

/// Returns the status after `reader` (a Reader or TraceReader) has read a whole payload. `base` is
/// the payload's offset in the file.
template <class R>
Status AfterPayload(const R& reader, std::string (*type)(), std::size_t size, std::size_t base) {
  if (!reader.Ok()) return ToStatus(reader.error(), base, "reading");
  if (!reader.AtEnd()) {
    return {Status::Kind::Corrupt,
            Joined({"reading ", type(), ": the value ends at offset ", base + reader.offset(),
                    ", but ", size - reader.offset(), " bytes follow"})};
  }
  return {};
}

/// Reads a payload written with a different list into `*object`, using gates by name.
inline Status ReadForeign(std::span<const std::byte> payload, const FileFormat& format,
                          std::int64_t revision, const TypeInfo& type, void* object) {
  if (format.list == nullptr) {
    return {
        Status::Kind::ForeignLineage,
        "the revisions of a file written with another list are matched by name, but this program "
        "has no table of its own list: include the header that `revctl codegen` writes"};
  }
  GatesByName gates(*format.list, *format.written_with, revision);
  if (!gates.Unknown().empty()) {
    return {Status::Kind::ForeignLineage,
            "written at " + Describe(*format.written_with, revision) + " of the list `" +
                std::string(format.written_with->name) + "`, which has " + gates.Unknown().front() +
                "; this program does not have that revision, so it cannot locate its fields"};
  }
  TraceReader reader(payload, revision);
  reader.CollectLeaves(false);
  reader.revision = std::move(gates);
  reader.limits = format.limits;
  reader.resource = format.resource;
  reader.VisitRoot(type, object);
  return AfterPayload(reader, type.name, payload.size(), kFileHeaderSize);
}
template <class T>
Status ReadForeignRoot(std::span<const std::byte> payload, const FileFormat& format,
                       std::int64_t revision, void* object) {
  return ReadForeign(payload, format, revision, TypeOf<T>(), object);
}
template <class T, Options options>
consteval auto ForeignFunction() -> decltype(&ReadForeignRoot<T>) {
  if constexpr (options == Options::Some) {
    return &ReadForeignRoot<T>;
  } else {
    return nullptr;
  }
}

template <class T, Options options>
inline constexpr LoadedType kLoadedType{sizeof(T),
                                        alignof(T),
                                        &TypeName<T>,
                                        kMaking<T>,
                                        &ReadRoot<T>,
                                        &AssignRoot<T>,
                                        ReplaceFunction<T, options>(),
                                        ForeignFunction<T, options>()};

/// Reads a file into `*value`, which changes only on success. `storage` is memory for the fresh
/// object; if null, the memory is allocated.
inline Status LoadInto(std::span<const std::byte> all, const LoadedType& root, void* value,
                       void* storage, const FileFormat& format) {
  std::int64_t revision = 0;
  Status status = CheckFileHeader(all, format, revision);
  if (status) status = CheckChecksum(all, format);
  if (!status) return status;
  const std::span<const std::byte> payload = all.subspan(kFileHeaderSize);
  if (format.resource && root.replace == nullptr) return NotReplaceable(root.name());
  RefusedLoad load;
  const FreshObject fresh(root.size, root.alignment, root.making, storage);
  if (format.written_with != nullptr) {
    status = root.read_foreign(payload, format, revision, fresh.get());
  } else {
    Reader reader(payload, revision, {format.resource, format.borrow});
    reader.SetLimits(format.limits);
    root.read(reader, fresh.get());
    status = AfterPayload(reader, root.name, payload.size(), kFileHeaderSize);
  }
  if (!status) return status;
  if (format.resource) {
    root.replace(value, fresh.get());
  } else {
    root.assign(value, fresh.get());
  }
  load.Accepted();
  return status;
}

/// Objects larger than this are decoded on the heap, because a value can take many megabytes.
inline constexpr std::size_t kLargestOnStack = 16384;

template <Options options, class T>
Status LoadValue(std::span<const std::byte> all, T& value, const FileFormat& format) {
  RequireAssignable<T>();
  RequireFresh<T>();
  if constexpr (std::is_const_v<T> || !std::is_move_assignable_v<T>) {
    return {};  // RequireAssignable() already gives the compile error
  } else if constexpr (sizeof(T) > kLargestOnStack) {
    return LoadInto(all, kLoadedType<T, options>, std::addressof(value), nullptr, format);
  } else {
    alignas(T) std::byte storage[sizeof(T)];
    return LoadInto(all, kLoadedType<T, options>, std::addressof(value), storage, format);
  }
}

/// Writes the header of a file, before its payload.
inline Status BeginFile(Writer& writer, const FileFormat& format) {
  FileHeader header;
  Status status = MakeFileHeader(writer.revision, format, header);
  if (!status) return status;
  std::byte head[kFileHeaderSize];
  WriteFileHeader(header, head);
  writer.SetLimits(format.limits);
  writer.Append(head);
  return status;
}
/// Writes the end of a file, after its payload.
inline Status EndFile(Writer& writer, const FileFormat& format) {
  if (!writer.Ok()) return ToStatus(writer.error(), 0, "writing");
  AppendChecksum(writer, format);
  return {};
}

}  // namespace detail

/// Writes header and payload into `bytes` at `revision`, which is the latest revision or an older
/// one that older builds can read. `bytes` changes only on success. If the program has several
/// lists, the type of `revision` selects one.
///
/// Fails with Refused if a body rejects the value or the revision is not in the list, and with
/// Corrupt if the value cannot be encoded, for example because it is nested too deeply.
template <RevisionNumber N, class T, ByteBuffer B>
Status Save(N revision, const T& value, B& bytes, FileFormat format = {}) {
  if (format.list == nullptr) format.list = ListFor<N>();
  Writer writer(revision);
  if (Status status = detail::BeginFile(writer, format); !status) return status;
  Serialize(writer, value);
  if (Status status = detail::EndFile(writer, format); !status) return status;
  using Byte = std::ranges::range_value_t<B>;
  auto* first = reinterpret_cast<const Byte*>(writer.Bytes().data());
  bytes.assign(first, first + writer.Bytes().size());
  return {};
}

namespace detail {

/// Loads a value without checking that this source file knows the newest revision.
template <class Enum, ByteRange B, class T>
Status LoadKnown(const B& bytes, T& value, FileFormat format) {
  if (format.list == nullptr) format.list = ListFor<Enum>();
  return LoadValue<Options::Some>(AsBytes(bytes), value, format);
}

/// Gives a compile error if this source file does not know the newest revision.
template <class Enum>
constexpr void RequireLatest() {
  static_assert(
      KnowsLatest<Enum>,
      "revctl: the latest revision is unknown here, so a file from the future would be read as if "
      "it were current: pass the latest revision, as in Load(bytes, value, SR_LATEST), or include "
      "the table that `revctl codegen` writes");
}

/// A list table that the caller passes. It is a template parameter, so that `{}` always means a
/// FileFormat.
template <class L>
concept AnyListTable = std::same_as<L, ListTable>;

inline FileFormat With(const ListTable& list, FileFormat format) {
  format.list = &list;
  return format;
}

/// Returns the format with `latest` as the newest revision that the program knows.
template <RevisionNumber N>
FileFormat UpTo(N latest, FileFormat format) {
  if (format.list == nullptr) format.list = ListFor<N>();
  format.has_latest = true;
  format.latest = NumberOf(latest);
  return format;
}

}  // namespace detail

/// Reads bytes that Save wrote at this or any older revision. Decodes into a fresh T{} and moves it
/// to `value` on success; on failure `value` is unchanged. If the program has several lists, name
/// the enum: `Load<game::Revision>(bytes, level)`.
///
/// The calling source file must include the generated table of the list, even if `format` names a
/// list; otherwise there is no guarantee that files from newer revisions are rejected. Programs
/// without a generated table pass the latest revision or a table to one of the overloads below.
template <class Enum = TheOnlyList, ByteRange B, class T>
Status Load(const B& bytes, T& value) {
  detail::RequireLatest<Enum>();
  FileFormat format;
  format.list = ListFor<Enum>();
  return detail::LoadValue<detail::Options::None>(AsBytes(bytes), value, format);
}
template <class Enum = TheOnlyList, ByteRange B, class T>
Status Load(const B& bytes, T& value, FileFormat format) {
  detail::RequireLatest<Enum>();
  return detail::LoadKnown<Enum>(bytes, value, std::move(format));
}

/// Reads a file in a program without a generated table. `latest` is the newest revision that it
/// knows.
template <ByteRange B, class T, RevisionNumber N>
Status Load(const B& bytes, T& value, N latest) {
  const FileFormat format = detail::UpTo(latest, {});
  return detail::LoadValue<detail::Options::None>(AsBytes(bytes), value, format);
}
template <ByteRange B, class T, RevisionNumber N>
Status Load(const B& bytes, T& value, N latest, FileFormat format) {
  return detail::LoadKnown<N>(bytes, value, detail::UpTo(latest, std::move(format)));
}

/// Reads a file written with the revision list `list`, for example a table that a tool has built.
template <ByteRange B, class T, detail::AnyListTable L>
Status Load(const B& bytes, T& value, const L& list, FileFormat format = {}) {
  return detail::LoadKnown<TheOnlyList>(bytes, value, detail::With(list, std::move(format)));
}

}  // namespace revctl
