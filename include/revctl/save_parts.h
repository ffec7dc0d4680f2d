#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <revctl/detail/base/refused_load.h>
#include <revctl/save_file.h>

// Files that consist of several parts, each with its own revision list, for example for a framework
// and its plug-ins.
//
//   using namespace revctl;
//   SaveParts(bytes, {}, PartAt(SR_LATEST, world), PartAt(Mod::Latest, mod));
//   LoadParts(bytes, {}, PartOf<Rev>(world, SR_LATEST), PartOf<Mod>(mod, Mod::Latest));
//
// The header consists of the magic (u32) and the revision (u32) and lineage (u64) of each part. The
// payloads follow in the same order. A file with one part has the same header as a file written by
// Save(). Each part is checked against its own list.

namespace revctl {

template <class N, class T>
struct WrittenPart {
  N revision;
  const T& value;
};
/// Returns a part to write at `revision`. The revision's enum selects the list. `value` must
/// outlive the call to SaveParts().
template <RevisionNumber N, class T>
WrittenPart<N, T> PartAt(N revision, const T& value) {
  return {revision, value};
}

template <class Enum, class T>
struct ReadPart {
  T& value;
  const ListTable* list;
  bool has_latest = false;
  std::int64_t latest = 0;
};
/// Returns a part to read. `Enum` is the enum of the part's list. The calling source file must
/// include the generated table of that list, which states the newest revision.
template <class Enum, class T>
ReadPart<Enum, T> PartOf(T& value) {
  static_assert(
      ListedEnum<Enum>,
      "revctl: the latest revision of this list is unknown here, so a part from a "
      "newer program would be read as if it were current: pass the latest revision, as in "
      "PartOf<Revision>(value, SR_LATEST), or include the table that `revctl codegen` "
      "writes");
  return {value, ListFor<Enum>()};
}
/// Returns a part to read, which was written with the revision list `list`.
template <class Enum, class T>
ReadPart<Enum, T> PartOf(T& value, const ListTable& list) {
  return {value, &list};
}
/// Returns a part to read, for programs without a generated table. `latest` is the newest revision
/// that this program knows.
template <class Enum, class T, RevisionNumber N>
ReadPart<Enum, T> PartOf(T& value, N latest) {
  return {value, ListFor<Enum>(), true, NumberOf(latest)};
}

namespace detail {

inline constexpr std::size_t kPartHeaderSize = 12;

/// Copies one part's entry from the header of a file with several parts into `header`, in the form
/// of a single-part file's header.
inline void PartHeader(std::span<const std::byte> bytes, std::size_t part,
                       std::byte (&header)[kFileHeaderSize]) {
  std::memcpy(header, bytes.data(), 4);
  std::memcpy(header + 4, bytes.data() + 4 + part * kPartHeaderSize, kPartHeaderSize);
}

template <class N, class T>
Status AppendPartHeader(Writer& writer, const WrittenPart<N, T>& part, FileFormat format) {
  if (format.list == nullptr) format.list = ListFor<N>();
  FileHeader header;
  Status status = MakeFileHeader(part.revision, format, header);
  if (!status) return status;
  std::byte head[kFileHeaderSize];
  WriteFileHeader(header, head);
  const std::span<const std::byte> all(head);
  writer.Append(writer.Bytes().empty() ? all : all.subspan(4));
  return status;
}

template <class N, class T>
Status AppendPart(Writer& writer, const WrittenPart<N, T>& part, const Limits& limits) {
  Writer own(part.revision);
  own.SetLimits(limits);
  Serialize(own, part.value);
  if (!own.Ok()) return ToStatus(own.error(), 0, "writing");
  writer.Append(own.Bytes());
  return {};
}

/// Reads a part at `offset` into `fresh`, and advances `offset` to the end of the part.
template <class T>
Status ReadOnePart(std::span<const std::byte> bytes, std::size_t& offset, Revision revision,
                   const FileFormat& format, T& fresh) {
  Reader reader(bytes.subspan(offset), revision, {format.resource, format.borrow});
  reader.SetLimits(format.limits);
  Serialize(reader, fresh);
  if (!reader.Ok()) return ToStatus(reader.error(), offset, "reading");
  offset += reader.offset();
  return {};
}

}  // namespace detail

/// Writes all parts into `bytes`, which changes only on success.
template <ByteBuffer B, class... N, class... T>
Status SaveParts(B& bytes, const FileFormat& format, const WrittenPart<N, T>&... parts) {
  Writer writer(0);
  Status status;
  ((status = status ? detail::AppendPartHeader(writer, parts, format) : status), ...);
  ((status = status ? detail::AppendPart(writer, parts, format.limits) : status), ...);
  if (!status) return status;
  detail::AppendChecksum(writer, format);
  using Byte = std::ranges::range_value_t<B>;
  auto* first = reinterpret_cast<const Byte*>(writer.Bytes().data());
  bytes.assign(first, first + writer.Bytes().size());
  return status;
}

/// Reads the parts that SaveParts wrote. Pass the same parts in the same order. Assigns all values
/// or, on failure, none.
template <ByteRange B, class... Enum, class... T>
Status LoadParts(const B& bytes, const FileFormat& format, ReadPart<Enum, T>... parts) {
  (detail::RequireAssignable<T>(), ...);
  std::span<const std::byte> all = AsBytes(bytes);
  const std::size_t head = 4 + sizeof...(parts) * detail::kPartHeaderSize;
  if (all.size() < head) {
    return {Status::Kind::NotThisFormat, "a file with " + std::to_string(sizeof...(parts)) +
                                             " parts begins with a " + std::to_string(head) +
                                             "-byte header, but this file has only " +
                                             std::to_string(all.size()) + " bytes"};
  }
  Status status = detail::OnlyByLoad(format);
  ((status = status ? detail::CheckReplaceable<T>(format.resource) : status), ...);
  std::int64_t revisions[sizeof...(parts)];
  std::size_t part = 0;
  const auto check = [&](const auto& one) {
    std::byte header[kFileHeaderSize];
    detail::PartHeader(all, part, header);
    FileFormat own = format;
    if (own.list == nullptr) own.list = one.list;
    if (one.has_latest) own.has_latest = true, own.latest = one.latest;
    status = CheckFileHeader(header, own, revisions[part++]);
  };
  ((status ? check(parts) : void()), ...);
  if (status) status = CheckChecksum(all, format);
  // Check the size only now that the checksum has been removed. Its 8 bytes could otherwise pass as
  // part of the header.
  if (status && all.size() < head) {
    status = {Status::Kind::Corrupt, "the " + std::to_string(head) +
                                         "-byte header ends at offset " +
                                         std::to_string(all.size())};
  }
  if (!status) return status;

  detail::RefusedLoad load;
  // On the heap, because the values may be too large for the stack.
  const auto fresh = std::make_unique<std::tuple<T...>>();
  std::size_t offset = head;
  part = 0;
  std::apply(
      [&](auto&... each) {
        ((status =
              status ? detail::ReadOnePart(all, offset, revisions[part++], format, each) : status),
         ...);
      },
      *fresh);
  if (!status) return status;
  if (offset != all.size()) {
    return {Status::Kind::Corrupt, "the last part ends at offset " + std::to_string(offset) +
                                       ", but " + std::to_string(all.size() - offset) +
                                       " bytes follow"};
  }
  std::apply([&](auto&... each) { (detail::Settle(parts.value, each, format.resource), ...); },
             *fresh);
  load.Accepted();
  return status;
}

/// Saves parts to a file, replacing the file atomically.
template <class... N, class... T>
Status SavePartsFile(const std::string& path, const FileFormat& format,
                     const WrittenPart<N, T>&... parts) {
  return detail::IntoFile(path, [&](auto& bytes) { return SaveParts(bytes, format, parts...); });
}

/// Loads parts from a file. On failure, all values are unchanged, and the message begins with the
/// path.
template <class... Enum, class... T>
Status LoadPartsFile(const std::string& path, const FileFormat& format,
                     ReadPart<Enum, T>... parts) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return LoadParts(bytes, owning, parts...);
  });
}

}  // namespace revctl
