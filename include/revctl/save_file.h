#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <revctl/detail/binary/save_load.h>
#include <revctl/detail/disk/system.h>

// Files on disk. Paths are UTF-8 on every system.

// <windows.h> defines ReplaceFile as a macro. The names of this header's functions must not depend
// on whether <windows.h> was included first.
#pragma push_macro("ReplaceFile")
#undef ReplaceFile

namespace revctl {
namespace detail {

/// Rejects paths that contain a zero byte, because the system would truncate the path there and
/// open a different file.
inline Status CheckPath(const char* doing, const std::string& path) {
  if (path.find('\0') == path.npos) return {};
  return {Status::Kind::Io,
          std::string(doing) + " " + path.c_str() + ": the path contains a zero byte"};
}

}  // namespace detail

/// Replaces the file at `path` atomically: writes a new file next to it, syncs it and renames it.
/// Even if the process is killed, either the complete old file or the complete new file is there. A
/// killed process leaves no temporary file if the file system supports unnamed files (the usual
/// ones on Linux do); otherwise it may leave a file `PATH.PID-...`.
///
/// An existing file keeps its permissions; a new file gets the default permissions (reduced by the
/// umask on POSIX). If `path` is a symbolic link, the link stays and its target is replaced. Fails
/// with Io on system errors and for anything but a regular file (folder, pipe, device). On Windows,
/// it also fails for read-only files, and if another program keeps the file open without sharing it
/// for more than a second.
inline Status ReplaceFile(const std::string& path, std::span<const std::byte> bytes) {
  Status status = detail::CheckPath("writing", path);
  return status ? detail::ReplaceOnDisk(path, bytes) : status;
}

/// The contents of a file, in memory that is not zeroed before reading. To map the file instead,
/// see map_file.h.
class FileBytes {
 public:
  std::span<const std::byte> Bytes() const { return {memory_.data(), size_}; }

 private:
  friend Status ReadFile(const std::string& path, FileBytes& bytes, const std::uint32_t* magic);
  detail::RawBuffer memory_;
  std::size_t size_ = 0;
};

namespace detail {

/// Number of bytes to read from a file that does not begin with the expected magic. This is enough
/// for the header of a file with several parts.
inline constexpr std::size_t kForeignHead = 4096;

}  // namespace detail

/// Reads the whole file. Returns an Io status if it is missing or does not fit in memory. If
/// `magic` is given and the file begins with different bytes, reads only its beginning, because the
/// caller will reject it.
inline Status ReadFile(const std::string& path, FileBytes& bytes,
                       const std::uint32_t* magic = nullptr) {
  if (Status status = detail::CheckPath("opening", path); !status) return status;
  detail::InputFile file;
  if (Status status = file.Open(path); !status) return status;
  const auto failed = [&] { return detail::IoError("reading", path, detail::LastError()); };
  bytes.size_ = 0;
  std::byte first[sizeof *magic];
  std::size_t known = 0;
  if (magic != nullptr && !file.Read(first, known)) return failed();
  std::uint32_t actual = 0;
  if (known == sizeof actual) detail::CopyValue<std::uint32_t>(&actual, first);
  const bool head_only = magic != nullptr && known == sizeof actual && actual != *magic;
  std::uint64_t size = file.size();
  if (head_only && size > detail::kForeignHead) size = detail::kForeignHead;
  // The spare byte lets the loop detect the end of the file without growing the buffer, and lets it
  // notice if the file has grown in the meantime.
  if (!detail::FitsMemory(size) ||
      !bytes.memory_.TryReserve(size > 0 ? static_cast<std::size_t>(size) + 1 : 4096)) {
    return {Status::Kind::Io,
            "reading " + path + ": " + std::to_string(size) + " bytes do not fit in memory"};
  }
  std::copy_n(first, known, bytes.memory_.data());
  bytes.size_ = known;
  for (;;) {
    if (bytes.size_ == bytes.memory_.capacity() &&
        !bytes.memory_.TryReserve(bytes.size_ + bytes.size_ / 2)) {
      return detail::IoError("reading", path, detail::kOutOfMemory);
    }
    std::size_t read = 0;
    if (!file.Read({bytes.memory_.data() + bytes.size_, bytes.memory_.capacity() - bytes.size_},
                   read))
      return failed();
    bytes.size_ += read;
    if (read == 0 || (head_only && bytes.size_ >= detail::kForeignHead)) return {};
  }
}

/// Reads the whole file into a vector, which changes only on success.
inline Status ReadFile(const std::string& path, std::vector<std::byte>& bytes) {
  FileBytes file;
  Status status = ReadFile(path, file);
  if (status) bytes.assign(file.Bytes().begin(), file.Bytes().end());
  return status;
}

namespace detail {

/// Replaces a file with the bytes that `make(bytes)` produces.
template <class Make>
Status IntoFile(const std::string& path, Make make) {
  std::vector<std::byte> bytes;
  const Status status = make(bytes);
  return status ? ReplaceFile(path, bytes) : Status(status.kind(), path + ": " + status.message());
}

/// Passes a file's bytes to `take(bytes, format)`, which must reject bytes without the format's
/// magic. Turns off `format.borrow`, because the bytes are freed afterwards.
template <class Take>
Status FromFile(const std::string& path, FileFormat format, Take take) {
  FileBytes bytes;
  Status status = ReadFile(path, bytes, &format.magic);
  if (!status) return status;
  format.borrow = false;
  status = take(bytes.Bytes(), format);
  return status ? status : Status(status.kind(), path + ": " + status.message());
}

}  // namespace detail

/// Saves `value` to a file at `revision`, replacing the file atomically. See SavePartsFile()
/// (save_parts.h) for several lists, and SaveObjectsFile() (objects.h) for graphs of objects.
template <RevisionNumber N, class T>
Status SaveFile(const std::string& path, N revision, const T& value,
                const FileFormat& format = {}) {
  return detail::IntoFile(path, [&](auto& bytes) { return Save(revision, value, bytes, format); });
}

/// Loads `value` from a file. On failure, `value` is unchanged, and the message begins with the
/// path. For a file with a different magic, only the beginning is read, no matter how large the
/// file is.
///
/// The calling source file must include the generated table of the list. Programs without a
/// generated table pass the latest revision or a table to one of the overloads below.
template <class Enum = TheOnlyList, class T>
Status LoadFile(const std::string& path, T& value, const FileFormat& format = {}) {
  detail::RequireLatest<Enum>();
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return detail::LoadKnown<Enum>(bytes, value, owning);
  });
}

/// Loads a file in a program without a generated table. `latest` is the newest revision that it
/// knows.
template <class T, RevisionNumber N>
Status LoadFile(const std::string& path, T& value, N latest, const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return Load(bytes, value, latest, owning);
  });
}

/// Loads a file that was written with the revision list `list`, for example a table that a tool has
/// built.
template <class T, detail::AnyListTable L>
Status LoadFile(const std::string& path, T& value, const L& list, const FileFormat& format = {}) {
  return detail::FromFile(path, format, [&](auto bytes, const FileFormat& owning) {
    return Load(bytes, value, list, owning);
  });
}

}  // namespace revctl

#pragma pop_macro("ReplaceFile")
