#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "revctl/base/result.h"

// Files of the operating system. An error here names its file apart from the message.
namespace revctl::base {

/// Owns an open file; none where `get()` is below zero.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int get() const { return number_; }

 private:
  int number_;
};

/// Opens /dev/null in the place of stdin, stdout and stderr where the program was started without
/// them: no file of ours gets their numbers. To read that stdin, or to write to that stdout, fails.
void FillStandardDescriptors();

/// What helps where the system has refused something at `path` with `error` (an errno); empty where
/// no command is known to.
std::string SystemMend(int error, const std::string& path);
/// Of a call that has just failed at `path`, by errno: Exit::Environment, "cannot be read: why".
Error SystemError(const std::string& path, std::string_view cannot);

/// The same error, its file within the message: "src/list.h: cannot be read: why".
Error InMessage(Error error);

/// False, with errno, where not all of them could be written.
bool WriteAll(int file, std::string_view bytes);

/// The whole file; nothing where there is none, which is an ordinary answer. An error: it has more
/// than `limit` bytes, is a folder or a device, or the system refuses to read it.
Result<std::optional<std::string>> ReadFile(const std::string& path, std::size_t limit);

/// Gives a file another name on its disk, in one step.
Result<Done> MoveFile(const std::string& from, const std::string& to);

/// Removes a file; one that is not there is fine.
Result<Done> RemoveFile(const std::string& path);

/// Makes `folder` for this user alone. One that is there already must be this user's, and closed to
/// others: where all may write, another user's could lie there.
Result<Done> MakePrivateFolder(const std::string& folder);

/// The user's number, as names of files have it.
unsigned long UserNumber();

/// Whether this user may run the file.
bool IsExecutable(const std::string& path);

/// What stands under one name of a folder.
struct FolderEntry {
  std::string name;
  /// What it is where it is no regular file of this very folder: "a folder", "a symbolic link"...
  std::string other;
};
/// All entries of `folder`, sorted by name; empty where there is no such folder.
Result<std::vector<FolderEntry>> ListEntries(const std::string& folder);
/// Names of the regular files in `folder`, sorted; empty where there is no such folder.
Result<std::vector<std::string>> ListFiles(const std::string& folder);

/// `path` with links resolved, as far as it exists; the rest is kept as it is. Empty where that is
/// impossible.
std::string ResolvedPath(const std::string& path);

/// The folder that a path lies in; "." where it names none.
std::string FolderOf(const std::string& path);

/// The name of a file without its folders.
constexpr std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace revctl::base
