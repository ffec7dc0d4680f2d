// The game's files on disk: standard save files, unpacked, or packed (worlds are mostly zeros).
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

/// Limit for unpacking: a few times the size of a world of any revision.
inline constexpr std::size_t kLargestFile = 4 * (sizeof(World) + revctl::kFileHeaderSize);

enum class OnDisk { Packed, AsItIs };

/// True for a packed file. It begins with the number of zeros before the magic, which is 0.
/// Unpacked files, including all files of early builds, begin with the magic.
inline bool IsPacked(std::span<const std::byte> file) {
  return !file.empty() && file[0] == std::byte{0};
}

/// Unpacks a file. Accepts unpacked files, too.
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
  // Check the list of fields against the struct before any file is read.
  if (const revctl::Status fits = revctl::CheckPlain<World>(); !fits) return fits;
  std::vector<std::byte> file, unpacked;
  if (const revctl::Status read = revctl::ReadFile(path, file); !read) return read;
  const revctl::Status status = Unpacked(std::move(file), unpacked);
  return status ? revctl::Load(unpacked, world)
                : revctl::Status(status.kind(), path + ": " + status.message());
}

/// Lets the harness's commands `dump`, `convert` and `import` pack and unpack.
struct WorldFiles {
  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) {
    if (!IsPacked(file)) return revctl::OpenFile(file, {}, parts);
    const revctl::Status status = Unpacked({file.begin(), file.end()}, parts.unpacked);
    return status ? revctl::OpenFile(parts.unpacked, {}, parts) : status;
  }
  /// Packs only for the latest revision, because early builds cannot unpack files, and all builds
  /// can read unpacked ones.
  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& file) {
    const revctl::Status status = revctl::MakeFile(parts, {}, file);
    if (status && parts.revision == SR_LATEST) file = PackZeros(file);
    return status;
  }
};

}  // namespace voxel
