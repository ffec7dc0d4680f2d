#pragma once
#include <optional>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "harness/commands/session.h"
#include "harness/trace/object.h"

namespace revctl::harness {

/// A file saved by the program, as read from disk or unpacked.
struct SavedFile {
  std::vector<std::byte> bytes;
  std::int64_t number = 0;  ///< the number of its revision, in the list that it was written with
  std::size_t header = 0;   ///< bytes before the payload; 0 for a bare payload
  std::size_t trailer = 0;  ///< bytes after the payload, such as a checksum
  bool unpacked = false;    ///< offsets refer to the unpacked file
  std::span<const std::byte> payload() const {
    return std::span(bytes).first(bytes.size() - trailer).subspan(header);
  }
};

/// Reads a file of `root` with its header. A non-empty `revision` means that it is a bare payload.
/// On failure, reports the reason, sets `exit` and returns nullopt. `written_with`: the list of the
/// program that wrote the file, or null for ours.
std::optional<SavedFile> ReadSavedFile(const Session& session, const RootType& root,
                                       const std::string& path, const std::string& revision,
                                       const revctl::ListTable* written_with, Exit& exit);

/// Why a file cannot be used, for Refuse().
struct NotUsable {
  Exit exit = Exit::Findings;
  std::string message, fix;
};
/// Like ReadSavedFile, but returns the reason in `why`.
std::optional<SavedFile> OpenSavedFile(const Session& session, const RootType& root,
                                       const std::string& path, const std::string& revision,
                                       const revctl::ListTable* written_with, NotUsable& why);

/// Prints a pack of payloads as text for `git diff`: each payload under its hash, as a tree if a
/// record of the golden folder describes it, else in hex. The file may have any name.
Exit RunTextconv(const Session& session, const std::string& file);

/// Returns the root type called `name`, or the only one if `name` is empty. Returns null and sets
/// `why` if there is none or more than one, or if `path` is not a file.
const RootType* PickType(const Session& session, const std::string& name, const std::string& path,
                         std::string& why);

/// Returns a file of `object` at `number`. On failure, reports the reason, sets `exit` and returns
/// nullopt.
std::optional<std::vector<std::byte>> SaveBytes(const Session& session, const RootType& root,
                                                void* object, std::int64_t number, Exit& exit);

}  // namespace revctl::harness
