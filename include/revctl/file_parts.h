#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <revctl/detail/base/checksum.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/binary/file_header.h>

// Splits and assembles files, for tools that handle files that Load() cannot read directly:
// compressed files, and files with a custom header or no header.

namespace revctl {

/// The parts of a file. The revision and the lineage are as stored in the file and have not been
/// checked.
struct FileParts {
  std::int64_t revision = 0;                ///< revision of the payload
  std::uint64_t lineage = 0;                ///< 0 if the file contains no lineage
  std::span<const std::byte> payload = {};  ///< refers to the file or to `unpacked`
  /// Owns the payload if the file was compressed; otherwise empty. `payload` stays valid when the
  /// FileParts is moved, but not when it is copied.
  std::vector<std::byte> unpacked = {};
};

/// Splits a file with the 16-byte header into header and payload, and verifies magic and checksum.
/// `format.list` is used only to interpret negative revisions. `parts.payload` refers to `file`;
/// `parts.unpacked` is not touched, so `file` may refer to it.
///
/// Fails with NotThisFormat if the file is too short or has a different magic number.
inline Status OpenFile(std::span<const std::byte> file, const FileFormat& format,
                       FileParts& parts) {
  FileHeader header;
  Status status = detail::ReadOwnHeader(file, format, header);
  if (!status) return status;
  parts.revision = detail::HeaderRevision(header, format.list);
  parts.lineage = header.lineage;
  status = CheckChecksum(file, format);
  if (status) parts.payload = file.subspan(kFileHeaderSize);
  return status;
}

/// Assembles a file from `parts`: header, payload, and a checksum if the format has one. Fails with
/// Refused if the revision does not fit in 32 bits.
inline Status MakeFile(const FileParts& parts, const FileFormat& format,
                       std::vector<std::byte>& file) {
  if (Status status = detail::CheckHeaderRevision(parts.revision); !status) return status;
  std::byte head[kFileHeaderSize];
  WriteFileHeader({format.magic, static_cast<std::uint32_t>(parts.revision), parts.lineage}, head);
  file.assign(head, head + kFileHeaderSize);
  file.insert(file.end(), parts.payload.begin(), parts.payload.end());
  if (format.checksum) {
    const std::uint64_t sum = Checksum(file);
    file.resize(file.size() + sizeof sum);
    detail::CopyValue<std::uint64_t>(file.data() + file.size() - sizeof sum, &sum);
  }
  return {};
}

}  // namespace revctl
