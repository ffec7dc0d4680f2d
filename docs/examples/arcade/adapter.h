// Lets revctl save and load with this program's own archive. No other new code is needed.
#pragma once
#include <revctl/file_parts.h>
#include <revctl/harness.h>

#include "machine.h"

namespace arcade {
using Outcome = revctl::harness::BinaryOutcome;

/// StateWrap takes a mutable pointer in every mode, although loading does not write to it.
inline StateWrap Loading(std::span<const std::byte> bytes) {
  auto* at = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(bytes.data()));
  return StateWrap(at, bytes.size(), StateWrap::kLoad);
}

struct Streams {
  static Outcome Write(std::int64_t version, Machine& machine, std::vector<std::byte>& bytes) {
    const std::vector<unsigned char> state = SaveState(machine, static_cast<int>(version));
    const auto all = std::as_bytes(std::span(state));
    bytes.assign(all.begin(), all.end());
    return {};
  }
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t, Machine& machine) {
    StateWrap p = Loading(bytes);
    machine.DoState(p);
    return {!p.failed, p.Left() == 0, p.Offset(), "", p.failed ? "not a " + p.section : ""};
  }
};

/// A file contains nothing but a state. The version follows the name of the first section.
struct StateFiles {
  static revctl::Status Open(std::span<const std::byte> file, revctl::FileParts& parts) {
    StateWrap p = Loading(file);
    parts.revision = p.Section("Machine", STATE_FIRST, STATE_CURRENT);
    if (p.failed) return {revctl::Status::Kind::NotThisFormat, "not a state of this program"};
    parts.payload = file;
    return {};
  }
  static revctl::Status Make(const revctl::FileParts& parts, std::vector<std::byte>& file) {
    file.assign(parts.payload.begin(), parts.payload.end());
    return {};
  }
};

}  // namespace arcade
