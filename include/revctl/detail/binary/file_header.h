#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include <revctl/detail/base/checksum.h>
#include <revctl/detail/base/error_text.h>
#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/resource.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/base/status.h>
#include <revctl/list_table.h>

// The 16 bytes before a payload: magic u32, revision u32, lineage u64, little-endian
// (docs/formats/save-file.md).

namespace revctl {

inline constexpr std::size_t kFileHeaderSize = 16;

/// The default magic: the bytes `RVCT`.
inline constexpr std::uint32_t kFileMagic = 0x54435652;

/// Describes a program's file format and sets limits for reading it.
struct FileFormat {
  /// The program's list. If null, Save() and Load() use the list of the revision's enum, or the
  /// program's only list. Without any list, revisions are not checked, and the written lineage is
  /// 0.
  const ListTable* list = nullptr;
  /// True if `latest` is set. Otherwise the newest entry of the list is the latest revision.
  bool has_latest = false;
  /// Newest revision that this program knows; meaningless unless `has_latest`.
  std::int64_t latest = 0;
  std::uint32_t magic = kFileMagic;  ///< first four bytes of the file
  /// Adds an 8-byte Checksum() of all preceding bytes after the payload. The checksum is part of
  /// the format: files with and without a checksum cannot be mixed, so a program that adds one
  /// later needs a different magic.
  bool checksum = false;
  /// The list with which the file was written, if it is not `list` (for example, for files from a
  /// branch's playtest build); otherwise null. Load() then checks the header against this list and
  /// opens gates by name (gates_by_name.h). This is slower, because it needs an AnyArchive.
  /// Requires `list`.
  const ListTable* written_with = nullptr;
  /// Limits on the cost of reading. The depth limit also applies to writing, so that every written
  /// file can be read.
  Limits limits = {};
  /// A std::pmr::memory_resource from which loading allocates: `{.resource = &arena}`. Each visited
  /// std::pmr container uses it, and the caller's value is reconstructed instead of assigned.
  Resource resource = {};
  /// Makes views refer to the bytes given to Load() (view.h), which must outlive the value.
  /// LoadFile() ignores this option, because it frees the bytes.
  bool borrow = false;
};

/// The fields of the 16-byte header (docs/formats/save-file.md). ReadFileHeader() extracts them
/// without checks, which is enough for a server that sorts saves by revision, for example. Save and
/// Load use MakeFileHeader() and CheckFileHeader().
struct FileHeader {
  std::uint32_t magic = kFileMagic;
  std::uint32_t revision_bits = 0;  ///< the revision, modulo 2^32
  std::uint64_t lineage = 0;        ///< 0 if the program that wrote the file had no list table
};

/// Returns a lineage as 16 lowercase hex digits.
inline std::string LineageText(std::uint64_t lineage) {
  char digits[16];
  auto end = std::to_chars(digits, digits + 16, lineage, 16).ptr;
  std::string text(digits, end);
  return std::string(16 - text.size(), '0') + text;
}

/// Reads the first 16 bytes as a header. Returns false if there are fewer.
inline bool ReadFileHeader(std::span<const std::byte> bytes, FileHeader& header) {
  if (bytes.size() < kFileHeaderSize) return false;
  detail::CopyValue<std::uint32_t>(&header.magic, bytes.data());
  detail::CopyValue<std::uint32_t>(&header.revision_bits, bytes.data() + 4);
  detail::CopyValue<std::uint64_t>(&header.lineage, bytes.data() + 8);
  return true;
}

/// Writes a header as little-endian bytes without checks. Call MakeFileHeader() first to obtain a
/// valid header.
inline void WriteFileHeader(const FileHeader& header, std::byte (&to)[kFileHeaderSize]) {
  detail::CopyValue<std::uint32_t>(to, &header.magic);
  detail::CopyValue<std::uint32_t>(to + 4, &header.revision_bits);
  detail::CopyValue<std::uint64_t>(to + 8, &header.lineage);
}

namespace detail {

/// Returns the revision in the header. It is negative only if the list has negative numbers.
inline std::int64_t HeaderRevision(const FileHeader& header, const ListTable* list) {
  if (list != nullptr && !list->entries.empty() && list->entries.front().number < 0) {
    return static_cast<std::int32_t>(header.revision_bits);
  }
  return header.revision_bits;
}

inline std::string Describe(const ListTable& list, std::int64_t number) {
  const ListEntry* entry = list.Find(number);
  return entry != nullptr ? Joined({entry->name, " = ", number}) : std::to_string(number);
}

}  // namespace detail

/// If the format has a checksum, verifies the checksum at the end of `bytes` and removes it from
/// `bytes`. Fails with Corrupt if the checksum does not match.
inline Status CheckChecksum(std::span<const std::byte>& bytes, const FileFormat& format) {
  if (!format.checksum) return {};
  if (bytes.size() < kFileHeaderSize + 8) {
    return {
        Status::Kind::Corrupt,
        detail::Joined({"a save file has a 16-byte header and an 8-byte checksum, but this file "
                        "has only ",
                        bytes.size(), " bytes"})};
  }
  std::uint64_t stored;
  detail::CopyValue<std::uint64_t>(&stored, bytes.data() + bytes.size() - 8);
  bytes = bytes.first(bytes.size() - 8);
  const std::uint64_t actual = Checksum(bytes);
  if (stored == actual) return {};
  return {Status::Kind::Corrupt,
          detail::Joined({"the checksum at offset ", bytes.size(), " is ", LineageText(stored),
                          ", but should be ", LineageText(actual), ": the file is damaged"})};
}

namespace detail {

/// Fails if the format sets `written_with`. Only Load() opens gates by name; other readers would
/// mix up the numbers of the two lists.
inline Status OnlyByLoad(const FileFormat& format) {
  if (format.written_with == nullptr) return {};
  return {Status::Kind::Refused,
          "FileFormat::written_with works only with Load(): parts and object streams cannot match "
          "revisions by name"};
}

/// Fails with Refused if the revision does not fit in the header.
inline Status CheckHeaderRevision(std::int64_t number) {
  if (number >= INT32_MIN && number <= UINT32_MAX) return {};
  return {Status::Kind::Refused,
          Joined({"revision ", number, " does not fit in the 32-bit field of the header"})};
}

/// Reads the header of a file. Fails with NotThisFormat if the file is too short or begins with a
/// different magic.
inline Status ReadOwnHeader(std::span<const std::byte> bytes, const FileFormat& format,
                            FileHeader& header) {
  if (!ReadFileHeader(bytes, header)) {
    return {Status::Kind::NotThisFormat,
            Joined({"a save file begins with a 16-byte header, but this file has only ",
                    bytes.size(), " bytes"})};
  }
  if (header.magic == format.magic) return {};
  return {Status::Kind::NotThisFormat,
          "not written by this program: the file does not begin with the magic bytes"};
}

}  // namespace detail

/// Sets the header of a file written at `revision`. Fails with Refused if the revision does not fit
/// in 32 bits or is not in the list.
inline Status MakeFileHeader(Revision revision, const FileFormat& format, FileHeader& header) {
  const std::int64_t number = revision.number();
  if (Status status = detail::CheckHeaderRevision(number); !status) return status;
  header.magic = format.magic;
  header.revision_bits = static_cast<std::uint32_t>(number);
  header.lineage = 0;
  if (detail::HeaderRevision(header, format.list) != number) {
    return {Status::Kind::Refused,
            detail::Joined({"revision ", number, " would be read as ",
                            detail::HeaderRevision(header, format.list),
                            ": negative revisions require FileFormat::list to be the table of a "
                            "list with negative numbers"})};
  }
  if (format.list == nullptr) return {};
  const ListEntry* entry = format.list->Find(number);
  if (entry == nullptr) {
    return {Status::Kind::Refused,
            detail::Joined({"revision ", number, " is not in the list `", format.list->name,
                            "`, so no file can be written at this revision"})};
  }
  header.lineage = entry->lineage;
  return {};
}

/// Checks whether a file with this header can be read, and sets its revision. Fails, with a helpful
/// message, if the magic differs (NotThisFormat), the revision is too new (Future) or too old
/// (TooOld), or the file was written with a different list (ForeignLineage).
inline Status CheckFileHeader(std::span<const std::byte> bytes, const FileFormat& format,
                              std::int64_t& revision) {
  FileHeader header;
  if (Status status = detail::ReadOwnHeader(bytes, format, header); !status) return status;
  const ListTable* list = format.written_with != nullptr ? format.written_with : format.list;
  revision = detail::HeaderRevision(header, list);
  const ListEntry* newest = list != nullptr ? list->Latest() : nullptr;
  const bool has_latest = format.has_latest && format.written_with == nullptr;
  if (has_latest || newest != nullptr) {
    const std::int64_t latest = has_latest ? format.latest : newest->number;
    if (revision > latest) {
      return {Status::Kind::Future,
              detail::Joined(
                  {"written at revision ", revision,
                   ", which is newer than this program's latest revision, ",
                   list != nullptr ? detail::Describe(*list, latest) : std::to_string(latest),
                   "; update the program"})};
    }
  }
  if (list == nullptr) return {};
  if (revision < list->oldest) {
    return {Status::Kind::TooOld,
            detail::Joined({"written at revision ", revision, "; the oldest supported revision is ",
                            detail::Describe(*list, list->oldest)})};
  }
  const ListEntry* entry = list->Find(revision);
  if (entry == nullptr) {
    // Without a lineage, `revctl show` can search only by number, which several branches may have
    // used.
    const std::string asked =
        header.lineage != 0 ? LineageText(header.lineage) : std::to_string(revision);
    return {
        Status::Kind::ForeignLineage,
        detail::Joined(
            {"written at revision ", revision,
             ", which this list does not contain: the file comes from a branch that has not landed "
             "or was renumbered; `revctl show ",
             asked, "` searches for it",
             header.lineage != 0
                 ? ""
                 : ", but only by number, because the file has no lineage: the program that wrote "
                   "it did not include the table of its list (`revctl codegen`)"})};
  }
  if (header.lineage != 0 && entry->lineage != 0 && header.lineage != entry->lineage) {
    return {Status::Kind::ForeignLineage,
            detail::Joined({"written at revision ", revision, " with lineage ",
                            LineageText(header.lineage), ", but in this program ",
                            detail::Describe(*list, revision), " has lineage ",
                            LineageText(entry->lineage),
                            ": the file comes from a branch that has not landed or was renumbered, "
                            "on which this number had a different meaning"})};
  }
  return {};
}

}  // namespace revctl
