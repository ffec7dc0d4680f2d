// Lets revctl save and load with this program's own serializer. No other new code is needed.
#pragma once
#include <algorithm>

#include <revctl/own_serializer.h>

#include "system.h"

namespace console {
using Outcome = revctl::harness::BinaryOutcome;

/// Static variables keep the values of earlier samples, so both functions begin with Reset().
struct Streams {
  /// The code that findings suggest as a fix.
  static constexpr const char* AddField = "sw.DoEx(&{field}, {revision}, {default});";
  template <class Values>
  static Outcome Write(std::int64_t version, Values& values, std::vector<std::byte>& bytes) {
    Reset();
    values.Put();
    StateWrapper sw(static_cast<u32>(version));
    if (!Values::DoState(sw))
      return {.ok = false, .path = "", .reason = "the state cannot be saved"};
    const auto all = std::as_bytes(std::span(sw.GetBytes()));
    bytes.assign(all.begin(), all.end());
    // Older versions had members that the lists of values no longer contain.
    if (version < SR_LATEST) return {};
    Values saved;  // the part of a made-up value that the variables can hold
    saved.Get();
    return revctl::CountedOutcome(saved, version, bytes.size());
  }
  template <class Values>
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t version, Values& values) {
    Reset();
    StateWrapper sw(reinterpret_cast<const u8*>(bytes.data()), bytes.size(),
                    static_cast<u32>(version));
    const bool ok = Values::DoState(sw);
    values.Get();
    return {.ok = ok,
            .at_end = sw.IsAtEnd(),
            .offset = sw.GetPosition(),
            .path = "",
            .reason = ok ? "" : "the state cannot be loaded"};
  }
};

/// A save is a header followed by the payload. SPU memory contains copyrighted samples of the
/// running game, so it is blanked before a file becomes a golden. save_types.cpp does not list it,
/// because blanked memory has no values to compare.
struct Saves {
  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) {
    SaveHeader header{};
    if (file.size() < sizeof(header))
      return {revctl::Status::Kind::NotThisFormat, "not a save: it ends within its header"};
    std::memcpy(&header, file.data(), sizeof(header));
    if (header.magic != kSaveMagic)
      return {revctl::Status::Kind::NotThisFormat,
              "not a save: it begins with a different magic number"};
    parts.revision = header.version;
    parts.unpacked.assign(file.begin() + sizeof(header), file.end());
    Blank(parts.unpacked);
    parts.payload = parts.unpacked;
    return {};
  }
  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& file) {
    const SaveHeader header{kSaveMagic, static_cast<u32>(parts.revision)};
    const auto first = std::as_bytes(std::span(&header, 1));
    file.assign(first.begin(), first.end());
    file.insert(file.end(), parts.payload.begin(), parts.payload.end());
    return {};
  }

 private:
  static void Blank(std::vector<std::byte>& payload) {
    constexpr std::array marker{std::byte{'R'}, std::byte{'A'}, std::byte{'M'}};
    const auto found = std::search(payload.begin(), payload.end(), marker.begin(), marker.end());
    const auto left = static_cast<std::size_t>(payload.end() - found);
    if (left < marker.size()) return;
    const std::size_t size = std::min(left - marker.size(), spu::kRamSize);
    std::fill_n(found + marker.size(), size, std::byte{0});
  }
};

}  // namespace console
