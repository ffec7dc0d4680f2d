#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <revctl/detail/base/checksum.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/binary/file_header.h>

// What a file consists of, whatever stands around it: for tools that meet files which Load() alone
// does not read, since they are packed, have a header of the program's own, or none.

namespace revctl {

/// A file taken apart. Its revision and lineage are what it says of itself: they have not been
/// judged yet.
struct FileParts {
  std::int64_t revision = 0;                ///< what the payload was written at
  std::uint64_t lineage = 0;                ///< 0 where the file says none
  std::span<const std::byte> payload = {};  ///< lies in the file, or in `unpacked`
  std::vector<std::byte> unpacked =
      {};  ///< of packed files; moving it leaves `payload` valid, copying does not
};

/// Takes a file apart that begins with the header of 16 bytes, and checks its magic and checksum;
/// `format.list` matters for negative revisions alone. `parts.unpacked` is left as it is, since
/// `file` may be that.
inline Status OpenFile(std::span<const std::byte> file, const FileFormat& format,
                       FileParts& parts) {
  FileHeader header;
  if (!ReadFileHeader(file, header)) {
    return {Status::Kind::NotThisFormat,
            "a file begins with a header of 16 bytes; this one has " + std::to_string(file.size())};
  }
  if (header.magic != format.magic) {
    return {Status::Kind::NotThisFormat,
            "not a file of this program: it does not begin with the magic bytes"};
  }
  parts.revision = detail::HeaderRevision(header, format.list);
  parts.lineage = header.lineage;
  const Status status = CheckChecksum(file, format);
  if (status) parts.payload = file.subspan(kFileHeaderSize);
  return status;
}

/// The other way round: header, payload, and a checksum where the format has one.
inline Status MakeFile(const FileParts& parts, const FileFormat& format,
                       std::vector<std::byte>& file) {
  if (parts.revision < INT32_MIN || parts.revision > UINT32_MAX) {
    return {Status::Kind::Refused, "revision " + std::to_string(parts.revision) +
                                       " does not fit the file header's 32 bits"};
  }
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
