// How this game keeps a world on disk: the file that everybody knows, packed or as it is. Worlds
// are mostly zeros.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <revctl/file_parts.h>
#include <revctl/save_file.h>

#include "master_version_list.revctl.h"
#include "world.h"
#include "zero_runs.h"

namespace voxel {

/// What unpacking may take: a few times what a world of any revision has.
inline constexpr std::size_t kLargestFile = 4 * (sizeof(World) + revctl::kFileHeaderSize);

enum class OnDisk { Packed, AsItIs };

/// Files that are not packed, as all were once, begin with the magic; a packed one begins with a
/// count of the zeros before it, of which there are none.
inline bool IsPacked(std::span<const std::byte> file) {
  return !file.empty() && file[0] == std::byte{0};
}

/// A file without its packing. Takes files that are not packed as well.
inline revctl::Status Unpacked(std::vector<std::byte> file, std::vector<std::byte>& unpacked) {
  if (!IsPacked(file)) {
    unpacked = std::move(file);
    return {};
  }
  if (UnpackZeros(file, kLargestFile, unpacked)) return {};
  return {revctl::Status::Kind::Corrupt, "cannot be unpacked: it is damaged"};
}

inline revctl::Status SaveWorld(const std::string& path, const World& world,
                                OnDisk how = OnDisk::Packed) {
  if (how == OnDisk::AsItIs) return revctl::SaveFile(path, SR_LATEST, world);
  std::vector<std::byte> file;
  const revctl::Status status = revctl::Save(SR_LATEST, world, file);
  return status ? revctl::ReplaceFile(path, PackZeros(file)) : status;
}

inline revctl::Status LoadWorld(const std::string& path, World& world) {
  // Asked before the first file is touched: does the list of fields say what the compiler made of
  // the struct?
  if (const revctl::Status fits = revctl::CheckPlain<World>(); !fits) return fits;
  std::vector<std::byte> file, unpacked;
  if (const revctl::Status read = revctl::ReadFile(path, file); !read) return read;
  const revctl::Status status = Unpacked(std::move(file), unpacked);
  return status ? revctl::Load(unpacked, world)
                : revctl::Status(status.kind(), path + ": " + status.message());
}

/// The same for the harness's `dump`, `convert` and `import`.
struct WorldFiles {
  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) {
    if (!IsPacked(file)) return revctl::OpenFile(file, {}, parts);
    const revctl::Status status = Unpacked({file.begin(), file.end()}, parts.unpacked);
    return status ? revctl::OpenFile(parts.unpacked, {}, parts) : status;
  }
  /// Builds of long ago know of no packing, and every build takes what is not packed.
  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& file) {
    const revctl::Status status = revctl::MakeFile(parts, {}, file);
    if (status && parts.revision == SR_LATEST) file = PackZeros(file);
    return status;
  }
};

}  // namespace voxel
