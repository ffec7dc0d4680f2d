// A program with custom framing: one byte for the revision, followed by the reversed payload. Two
// of its types make typical mistakes.
#include <algorithm>
#include <cstdlib>

#include <revctl/harness.h>

#include "harness/testdata/adopter_list.h"

using revctl::FileParts;
using revctl::Status;
using File = std::vector<std::byte>;

struct Badge {
  std::uint16_t number = 3;
  std::string owner;
};
SERIALIZE_TYPE(Badge) {
  ADD(SR_INITIAL, number);
  ADD(SR_FOULS, owner);
}
SERIALIZE_END

struct BadgeFiles {
  static Status Open(std::span<const std::byte> file, FileParts& parts) {
    if (file.empty()) return {Status::Kind::NotThisFormat, "a badge has at least one byte"};
    parts.revision = static_cast<std::int8_t>(file[0]);
    parts.unpacked.assign(file.rbegin(), file.rend() - 1);
    parts.payload = parts.unpacked;
    return {};
  }
  static Status Make(const FileParts& parts, File& file) {
    file.assign(parts.payload.rbegin(), parts.payload.rend());
    file.insert(file.begin(), static_cast<std::byte>(parts.revision));
    return {};
  }
};
HARNESS_TYPE(Badge, SR_INITIAL);
HARNESS_FILES(Badge, BadgeFiles);

/// The example from docs/guide/harness.md.
struct Level {
  std::uint8_t width = 1;
};
SERIALIZE_TYPE(Level) { ADD(SR_INITIAL, width); }
SERIALIZE_END
HARNESS_TYPE(Level, SR_INITIAL);
#include "harness.md.inc"
Status LevelFiles::Open(std::span<const std::byte> file, FileParts& parts) {
  return BadgeFiles::Open(file, parts);
}
Status LevelFiles::Make(const FileParts& parts, File& file) {
  return BadgeFiles::Make(parts, file);
}

/// A type whose Open returns a payload outside the given file.
struct Stray {
  std::uint8_t x = 1;
};
SERIALIZE_TYPE(Stray) { ADD(SR_INITIAL, x); }
SERIALIZE_END
struct StrayFiles {
  static Status Open(std::span<const std::byte> file, FileParts& parts) {
    static File elsewhere;
    elsewhere.assign(file.begin(), file.end());
    parts.revision = SR_INITIAL;
    parts.payload = elsewhere;
    return {};
  }
  static Status Make(const FileParts& parts, File& file) {
    file.assign(parts.payload.begin(), parts.payload.end());
    return {};
  }
};
HARNESS_TYPE(Stray, SR_INITIAL);
HARNESS_FILES(Stray, StrayFiles);

/// A type whose Open expects a revision in the file, although Make does not write one.
struct Forgetful {
  std::uint8_t x = 1;
};
SERIALIZE_TYPE(Forgetful) { ADD(SR_INITIAL, x); }
SERIALIZE_END
struct ForgetfulFiles {
  static Status Open(std::span<const std::byte> file, FileParts& parts) {
    return BadgeFiles::Open(file, parts);
  }
  static Status Make(const FileParts& parts, File& file) {
    BadgeFiles::Make(parts, file).Ok();
    file[0] = std::byte{SR_INITIAL};
    return {};
  }
};
HARNESS_TYPE(Forgetful, SR_INITIAL);
HARNESS_FILES(Forgetful, ForgetfulFiles);

namespace {
const bool both = std::getenv("BADGES_HAVE_BOTH") != nullptr && [] {
  HARNESS_FORMAT(Badge, {.magic = 0x45474442});
  return true;
}();
}  // namespace
