#include "revctl/base/replace_file.h"

#include <cerrno>
#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/base/system/files.h"
#include "revctl/base/temporary_file.h"

namespace revctl::base {
namespace {

std::string TemporaryPrefix(std::string_view name) { return "." + std::string(name) + ".tmp-"; }

/// Removes temporary files of processes that were killed while writing the same file. The caller
/// holds the folder's lock, so no running process owns any of these files.
void RemoveLeftovers(const std::string& folder, const std::string& prefix, const std::string& own) {
  const auto listed = ListFolder(folder);
  if (!listed) return;
  for (const ListedEntry& entry : *listed) {
    if (entry.name.starts_with(prefix) && entry.name != own)
      (void)Remove(folder + "/" + entry.name);
  }
}

/// Writes to a stream such as /dev/null or /dev/stdout.
Result<Done> WriteInto(const std::string& path, FileStream kind, std::string_view bytes) {
  if (kind == FileStream::Other) return FileError(path, 0, "is not a regular file");
  const Descriptor stream = OpenStream(path);
  if (!stream.IsOpen()) return SystemError(path, "cannot be opened");
  if (!WriteAll(stream.get(), bytes)) return SystemError(path, "cannot be written");
  return Done{};
}

}  // namespace

bool PreparedFile::IsTemporaryOf(std::string_view name, std::string_view of) {
  return name.starts_with(TemporaryPrefix(of));
}

Result<PreparedFile> PreparedFile::Write(const std::string& path, std::string_view bytes) {
  if (FileStreamAt(path) != FileStream::None) return FileError(path, 0, "is not a regular file");
  const std::filesystem::path target(path);
  const std::string prefix = TemporaryPrefix(target.filename().generic_string());
  const std::string own = prefix + std::to_string(ProcessNumber());
  PreparedFile prepared(path, (target.parent_path() / own).generic_string());
  const Descriptor file = OpenEmpty(prepared.temporary_);
  if (!file.IsOpen()) return SystemError(prepared.temporary_, "cannot be created");
  if (!WriteAll(file.get(), bytes) || !SyncFile(file.get()))
    return SystemError(prepared.temporary_, "cannot be written");
  // Remove old temporary files only after writing the new one, so that at least one exists at any
  // time. A temporary file shows that the payloads next to it come from a killed process.
  RemoveLeftovers(FolderOf(path), prefix, own);
  return prepared;
}

Result<Done> PreparedFile::Commit() {
  if (!MoveOver(temporary_, path_)) return SystemError(path_, "cannot be replaced");
  temporary_.clear();
  if (!SyncFolder(FolderOf(path_))) return SystemError(path_, "cannot sync its folder");
  return Done{};
}

PreparedFile::~PreparedFile() {
  if (!temporary_.empty()) (void)Remove(temporary_);
}

Result<Done> WriteFileAtomically(const std::string& path, std::string_view bytes) {
  if (const FileStream kind = FileStreamAt(path); kind != FileStream::None)
    return WriteInto(path, kind, bytes);
  TRY(auto prepared, PreparedFile::Write(path, bytes));
  return prepared.Commit();
}

Result<Done> ReplaceFile(const std::string& path, std::string_view bytes, unsigned mode) {
  if (const FileStream kind = FileStreamAt(path); kind != FileStream::None)
    return WriteInto(path, kind, bytes);
  std::string real = ResolvedPath(path);
  if (real.empty()) real = path;
  // Renaming from the .git folder may fail even on the same disk, if .git is a separate mount. In
  // that case, try again with a temporary file next to the target.
  for (const auto make : {TemporaryFile::For, TemporaryFile::Beside}) {
    TRY(auto temporary, make(real));
    if (!WriteAll(temporary.fd(), bytes)) return SystemError(real, "cannot be written");
    if (!CopyMode(temporary.fd(), real, mode)) return SystemError(real, "cannot set its mode");
    if (!SyncFile(temporary.fd())) return SystemError(real, "cannot be flushed to disk");
    if (temporary.TakePlaceOf(real)) break;
    if (make == TemporaryFile::Beside) return SystemError(real, "cannot be replaced");
  }
  (void)SyncFolder(FolderOf(real));
  return Done{};
}

Result<Done> ProbeReplace(const std::string& path) {
  std::string real = ResolvedPath(path);
  if (real.empty()) real = path;
  TRY(auto temporary, TemporaryFile::Beside(real));
  // Even on a full disk, a file can be created, so also reserve space for its content.
  if (!HasRoom(temporary.fd(), 4096))
    return Error{Exit::Environment, real + ": no space left on that disk", SystemFix(ENOSPC, real)};
  return Done{};
}

}  // namespace revctl::base
