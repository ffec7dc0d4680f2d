#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <revctl/file_parts.h>

#include "golden/revision_record.h"
#include "harness/history/history.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// What the program says of a file of a root type: its own code (HARNESS_FILES), or the format of
/// its files. Nothing is judged yet.
revctl::Status OpenFrame(const RootType& root, const revctl::ListTable& list,
                         std::span<const std::byte> file, revctl::FileParts& parts);
/// A file with these parts.
revctl::Status MakeFrame(const RootType& root, const revctl::FileParts& parts,
                         std::vector<std::byte>& file);

/// Whether the program says how its files are framed.
bool SaysFrame(const RootType& root);

/// A file as today's program makes it of a payload, to be recorded. Nothing where that is not
/// possible, or too large to stand in a text.
std::optional<golden::RecordedFile> RecordFile(const RootType& root, std::int64_t number,
                                               std::uint64_t lineage,
                                               std::span<const std::byte> payload);

}  // namespace revctl::harness
