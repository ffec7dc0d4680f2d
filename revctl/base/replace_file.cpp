#include "revctl/base/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/base/temporary_file.h"

namespace revctl::base {
namespace {

std::string TemporaryPrefix(std::string_view name) { return "." + std::string(name) + ".tmp-"; }

/// Removes temporary files that killed processes left while writing the same file. The caller holds
/// the folder's lock, so no running process owns such a file.
void RemoveLeftovers(const std::string& folder, const std::string& prefix, const std::string& own) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name != own) std::filesystem::remove(entry.path(), ignored);
  }
}

/// Returns the file type of `path` (after links) if it is a pipe, device or socket. Returns 0 for a
/// regular file, a folder or a missing file.
mode_t KindOfStream(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return 0;
  return S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) ? 0 : about.st_mode & S_IFMT;
}

/// Writes into a pipe or character device, such as /dev/null or /dev/stdout. Fails for other file
/// types. Fails instead of waiting if nobody reads from the pipe.
Result<Done> WriteInto(const std::string& path, mode_t kind, std::string_view bytes) {
  if (kind != S_IFIFO && kind != S_IFCHR) return FileError(path, 0, "is not a regular file");
  const Descriptor stream(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (stream.get() < 0) return SystemError(path, "cannot be opened");
  if (::fcntl(stream.get(), F_SETFL, 0) != 0 || !WriteAll(stream.get(), bytes))
    return SystemError(path, "cannot be written");
  return Done{};
}

}  // namespace

bool WriteSynced(int file, std::string_view bytes) {
  return WriteAll(file, bytes) && ::fsync(file) == 0;
}

bool SyncFolderOf(const std::string& path) {
  const Descriptor folder(::open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder.get() >= 0 && ::fsync(folder.get()) == 0;
}

bool PreparedFile::IsTemporaryOf(std::string_view name, std::string_view of) {
  return name.starts_with(TemporaryPrefix(of));
}

Result<PreparedFile> PreparedFile::Write(const std::string& path, std::string_view bytes) {
  if (KindOfStream(path) != 0) return FileError(path, 0, "is not a regular file");
  const std::filesystem::path target(path);
  const std::string prefix = TemporaryPrefix(target.filename().string());
  const std::string own = prefix + std::to_string(::getpid());
  PreparedFile prepared(path, (target.parent_path() / own).string());
  const Descriptor file(
      ::open(prepared.temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) return SystemError(prepared.temporary_, "cannot be created");
  if (!WriteSynced(file.get(), bytes)) return SystemError(prepared.temporary_, "cannot be written");
  // Remove old temporary files only after writing ours, so that at least one exists at any time: a
  // temporary file indicates that the payloads next to it come from a killed process.
  RemoveLeftovers(FolderOf(path), prefix, own);
  return prepared;
}

Result<Done> PreparedFile::Commit() {
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return SystemError(path_, "cannot be replaced");
  temporary_.clear();
  if (!SyncFolderOf(path_)) return SystemError(path_, "its folder cannot be synced");
  return Done{};
}

PreparedFile::~PreparedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<Done> WriteFileAtomically(const std::string& path, std::string_view bytes) {
  if (const mode_t kind = KindOfStream(path); kind != 0) return WriteInto(path, kind, bytes);
  TRY(auto prepared, PreparedFile::Write(path, bytes));
  return prepared.Commit();
}

Result<Done> ReplaceFile(const std::string& path, std::string_view bytes, unsigned mode) {
  if (const mode_t kind = KindOfStream(path); kind != 0) return WriteInto(path, kind, bytes);
  std::string real = ResolvedPath(path);
  if (real.empty()) real = path;
  struct stat about {};
  if (::stat(real.c_str(), &about) == 0) mode = about.st_mode & 07777;
  // Renaming from the .git folder may fail even on the same disk, if .git is a separate mount. In
  // that case, try again with a temporary file next to the target.
  for (const auto make : {TemporaryFile::For, TemporaryFile::Beside}) {
    TRY(auto temporary, make(real));
    if (!WriteAll(temporary.fd(), bytes)) return SystemError(real, "cannot be written");
    if (::fchmod(temporary.fd(), mode) != 0) return SystemError(real, "its mode cannot be set");
    if (::fsync(temporary.fd()) != 0) return SystemError(real, "cannot be flushed to disk");
    if (temporary.TakePlaceOf(real)) break;
    if (make == TemporaryFile::Beside) return SystemError(real, "cannot be replaced");
  }
  (void)SyncFolderOf(real);
  return Done{};
}

Result<Done> ProbeReplace(const std::string& path) {
  std::string real = ResolvedPath(path);
  if (real.empty()) real = path;
  TRY(auto temporary, TemporaryFile::Beside(real));
  // On a full disk, a file can still be created, so also reserve space for its content.
  if (::posix_fallocate(temporary.fd(), 0, 4096) == ENOSPC)
    return Error{Exit::Environment, real + ": no space is left there", SystemMend(ENOSPC, real)};
  return Done{};
}

}  // namespace revctl::base
