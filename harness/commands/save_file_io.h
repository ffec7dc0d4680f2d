#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "harness/commands/session.h"
#include "harness/trace/object.h"
#include "revctl/base/result.h"

namespace revctl::harness {

/// A file that the program saved, as read from disk or unpacked.
struct SavedFile {
  std::vector<std::byte> bytes;
  std::int64_t number = 0;  ///< revision number, in the foreign list if there is one
  std::size_t header = 0;   ///< bytes before the payload; 0 for a bare payload
  std::size_t trailer = 0;  ///< bytes after the payload, such as a checksum
  bool unpacked = false;    ///< true if offsets refer to the unpacked file
  std::span<const std::byte> payload() const {
    return std::span(bytes).first(bytes.size() - trailer).subspan(header);
  }
  /// Moves the payload out of the file without copying it.
  std::vector<std::byte> TakePayload() {
    bytes.resize(bytes.size() - trailer);
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header));
    return std::move(bytes);
  }
};

/// Reads a file with the root type `root` and locates its payload. If `revision` is not empty, the
/// file is a bare payload of that revision. `written_with` is the list of the program that wrote
/// the file, or null for this program's list.
Result<SavedFile> ReadSavedFile(const Session& session, const RootType& root,
                                const std::string& path, const std::string& revision,
                                const revctl::ListTable* written_with = nullptr);

/// Returns the root type `name`, or the only root type if `name` is empty. Fails if no type has
/// this name, or if `name` is empty and there are several types. In the second case, if
/// the file `path` does not exist, the error reports the missing file instead.
Result<const RootType*> PickType(const Session& session, const std::string& name,
                                 const std::string& path);

/// Returns a file that contains `object` at revision `number`.
Result<std::vector<std::byte>> SaveBytes(const Session& session, const RootType& root, void* object,
                                         std::int64_t number);

}  // namespace revctl::harness
