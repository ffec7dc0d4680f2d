// How this game keeps a world on disk: the file that everybody knows, packed or as it is, since worlds are mostly zeros.
#pragma once
#include <string>
#include <vector>

#include <revctl/save_file.h>

#include "master_version_list.revctl.h"
#include "world.h"
#include "zero_runs.h"

namespace voxel {

/// What unpacking may take: a few times what a world of any revision has.
inline constexpr std::size_t kLargestFile = 4 * (sizeof(World) + revctl::kFileHeaderSize);

enum class OnDisk { Packed, AsItIs };

inline revctl::Status SaveWorld(const std::string& path, const World& world, OnDisk how = OnDisk::Packed) {
  if (how == OnDisk::AsItIs) return revctl::SaveFile(path, SR_LATEST, world);
  std::vector<std::byte> file;
  const revctl::Status status = revctl::Save(SR_LATEST, world, file);
  return status ? revctl::ReplaceFile(path, PackZeros(file)) : status;
}

/// Takes files that are not packed as well, as all were once. Those begin with the magic; a packed one begins with a count of
/// the zeros before it, of which there are none.
inline revctl::Status LoadWorld(const std::string& path, World& world) {
  // Asked before the first file is touched: does the list of fields say what the compiler made of the struct?
  if (const revctl::Status fits = revctl::CheckPlain<World>(); !fits) return fits;
  std::vector<std::byte> file, unpacked;
  if (const revctl::Status read = revctl::ReadFile(path, file); !read) return read;
  if (file.empty() || file[0] != std::byte{0}) return revctl::Load(file, world);
  if (!UnpackZeros(file, kLargestFile, unpacked)) {
    return {revctl::Status::Kind::Corrupt, path + ": cannot be unpacked: it is damaged"};
  }
  return revctl::Load(unpacked, world);
}

}  // namespace voxel
