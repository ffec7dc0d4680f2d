#include "revctl/base/file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "revctl/base/shell_word.h"
#include "revctl/base/system/files.h"

namespace revctl::base {

namespace fs = std::filesystem;

std::string SystemFix(int error, const std::string& path) {
  // Name the nearest existing parent folder in the command.
  fs::path folder = fs::path(path).parent_path();
  std::error_code ignored;
  while (!folder.empty() && folder != folder.root_path() && !fs::is_directory(folder, ignored))
    folder = folder.parent_path();
  const std::string there = ShellPath(folder.empty() ? "." : folder.generic_string());
  return SystemFixIn(error, there);
}

Error SystemError(const std::string& path, std::string_view cannot) {
  const int error = errno;
  return {Exit::Environment, fmt::format("{}: {}", cannot, ErrorWords(error)),
          SystemFix(error, path), path};
}

Error InMessage(Error error) {
  if (!error.file.empty()) error.message = error.file + ": " + error.message;
  error.file.clear();
  return error;
}

Result<std::optional<FileReader>> FileReader::Open(const std::string& path, std::size_t limit) {
  Descriptor file = OpenToRead(path);
  if (!file.IsOpen()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<FileReader>();
    return SystemError(path, "cannot be opened");
  }
  const auto size = RegularSize(file.get());
  if (!size && errno != 0) return SystemError(path, "cannot be read");
  if (!size) return FileError(path, 0, "is not a regular file");
  if (*size > limit)
    return FileError(path, 0,
                     fmt::format("has {} bytes, but at most {} are supported", *size, limit));
  return std::optional<FileReader>(
      FileReader(path, std::move(file), static_cast<std::size_t>(*size)));
}

Result<std::size_t> FileReader::Read(std::span<char> buffer) {
  const auto have = ReadInto(file_.get(), buffer);
  if (!have) return SystemError(path_, "cannot be read");
  return *have;
}

Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit) {
  TRY(auto file, FileReader::Open(path, limit));
  if (!file) return std::optional<std::string>();
  std::string bytes(file->size(), '\0');
  TRY(const std::size_t have, file->Read(bytes));
  bytes.resize(have);
  return std::optional<std::string>(std::move(bytes));
}

Result<Done> MoveFile(const std::string& from, const std::string& to) {
  if (!MoveOver(from, to)) return SystemError(from, "cannot be moved");
  return Done{};
}

Result<Done> RemoveFile(const std::string& path) {
  if (!Remove(path) && errno != ENOENT) return SystemError(path, "cannot be removed");
  return Done{};
}

Result<Done> CopyOver(const std::string& from, const std::string& to) {
  std::error_code error;
  const bool copies_folder = fs::is_directory(from, error);
  const std::string folder = copies_folder ? to : FolderOf(to);
  fs::create_directories(folder, error);
  if (error) return Error{Exit::Environment, "cannot be created: " + error.message(), "", folder};
  if (copies_folder) {
    TRY(const auto entries, ListEntries(from));
    for (const FolderEntry& entry : entries)
      TRY(CopyOver(from + "/" + entry.name, to + "/" + entry.name));
    return Done{};
  }
  if (!fs::exists(from, error)) return FileError(from, 0, "does not exist");
  // In MinGW's libstdc++ 12, fs::copy_options::overwrite_existing fails if the file exists.
  TRY(RemoveFile(to));
  fs::copy_file(from, to, error);
  if (error) return Error{Exit::Environment, "cannot be copied: " + error.message(), "", from};
  return Done{};
}

Result<std::vector<FolderEntry>> ListEntries(const std::string& folder) {
  std::vector<FolderEntry> entries;
  auto listed = ListFolder(folder);
  if (!listed && errno == ENOENT) return entries;
  if (!listed) {
    return FileError(
        folder, 0, "cannot be listed: " + ErrorWords(errno),
        fmt::format("ls -ld {}   # must be a folder that you can read", ShellPath(folder)));
  }
  for (ListedEntry& entry : *listed) {
    std::string other;
    switch (entry.kind) {
      case PathKind::File:
        break;
      case PathKind::Folder:
        other = kFolder;
        break;
      case PathKind::Link:
        other = "a symbolic link";
        break;
      default:
        other = "a pipe or a device";
    }
    entries.push_back({std::move(entry.name), std::move(other)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

Result<std::vector<std::string>> ListFiles(const std::string& folder) {
  TRY(const auto entries, ListEntries(folder));
  std::vector<std::string> names;
  for (const FolderEntry& entry : entries) {
    if (entry.other.empty()) names.push_back(entry.name);
  }
  return names;
}

std::string FolderOf(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().generic_string();
  return folder.empty() ? "." : folder;
}

}  // namespace revctl::base
