// The program's file format: four bytes with the version, followed by a game. Used by `dump`,
// `convert` and `import`.
#pragma once
#include <revctl/file_parts.h>

#include "sync.h"

namespace realm {

struct GameFiles {
  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) {
    LoadStream head(file, Version::CURRENT);
    std::int32_t version = 0;
    head.Do(version);
    if (!head.ok)
      return {revctl::Status::Kind::NotThisFormat, "not a game: it ends within its version"};
    parts.revision = version;
    parts.payload = head.bytes;
    return {};
  }
  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& file) {
    SaveStream head;
    auto version = static_cast<std::int32_t>(parts.revision);
    head.Do(version);
    file = head.bytes;
    file.insert(file.end(), parts.payload.begin(), parts.payload.end());
    return {};
  }
};

}  // namespace realm
