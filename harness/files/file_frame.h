#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <revctl/file_parts.h>

#include "golden/revision_record.h"
#include "harness/history/history.h"
#include "harness/trace/registry.h"

namespace revctl::harness {

/// Splits a file of a root type into its parts with the user's code (HARNESS_FILES) or the type's
/// FileFormat. Does not check the revision.
revctl::Status OpenFrame(const RootType& root, const revctl::ListTable& list,
                         std::span<const std::byte> file, revctl::FileParts& parts);
revctl::Status MakeFrame(const RootType& root, const revctl::FileParts& parts,
                         std::vector<std::byte>& file);

/// True if the program declares a HARNESS_FILES or HARNESS_FORMAT for the type.
bool SaysFrame(const RootType& root);

/// Returns the file that the current program creates from a payload, to be stored in a record.
/// Returns nullopt if the program cannot create the file, or if the file is too large for a record.
std::optional<golden::RecordedFile> RecordFile(const RootType& root, std::int64_t number,
                                               std::uint64_t lineage,
                                               std::span<const std::byte> payload);

}  // namespace revctl::harness
