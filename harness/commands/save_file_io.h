#pragma once
#include <optional>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "harness/commands/session.h"
#include "harness/trace/object.h"

namespace revctl::harness {

/// A file that the program saved, as it came from the disk, or unpacked.
struct SavedFile {
  std::vector<std::byte> bytes;
  std::int64_t number =
      0;  ///< revision it was written at; the foreign list's number where it has one
  std::size_t header = 0;   ///< bytes before the payload; 0 for a bare one
  std::size_t trailer = 0;  ///< bytes behind it: a checksum
  bool unpacked = false;    ///< offsets are those of what it unpacks to
  std::span<const std::byte> payload() const {
    return std::span(bytes).first(bytes.size() - trailer).subspan(header);
  }
};

/// Reads a file of `root`, and what stands around its payload unless `revision` says that nothing
/// does. On failure says why and gives the exit status. `written_with`: the list of the program
/// that wrote it, where that is another; may be null.
std::optional<SavedFile> ReadSavedFile(const Session& session, const RootType& root,
                                       const std::string& path, const std::string& revision,
                                       const revctl::ListTable* written_with, Exit& exit);

/// A pack of payloads as text that `git diff` can compare: each payload under its hash, as a tree
/// where the golden folder's records say what it is, else as hex. Git gives a file of any name.
Exit RunTextconv(const Session& session, const std::string& file);

/// The root type called `name`, or the only one; null, and `why`, where there is none or several,
/// or where `path`, which is to hold it, is no file at all.
const RootType* PickType(const Session& session, const std::string& name, const std::string& path,
                         std::string& why);

/// The file of `object` at `number`. On failure says why and gives the exit status.
std::optional<std::vector<std::byte>> SaveBytes(const Session& session, const RootType& root,
                                                void* object, std::int64_t number, Exit& exit);

}  // namespace revctl::harness
