#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/harness.h>

#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/program_state.h"

namespace revctl::harness {

using revctl::TypeInfo;

struct RootType {
  std::string name;  ///< TypeInfo::name
  TypeEntry entry;
  std::vector<SampleEntry> samples;       ///< in order of registration
  std::uint64_t budget = kDefaultBudget;  ///< limit in bytes for the type's goldens of one revision
  static constexpr std::uint64_t kDefaultBudget = 4U << 20;
  /// limit in bytes for the files of the type's large goldens
  std::uint64_t large_budget = kDefaultLargeBudget;
  static constexpr std::uint64_t kDefaultLargeBudget = 512U << 20;
  revctl::FileFormat format;     ///< format of the type's files; `list` is not set
  const char* format_file = "";  ///< source file of the type's HARNESS_FORMAT
  int format_line = 0;           ///< 0 without a HARNESS_FORMAT
  FilesEntry files;  ///< replaces `format` if the program frames its files itself; else null
  const TypeInfo& type() const { return entry.type(); }

  // Read and Write run the program's own code. The tracers do not see its position, so the
  // breadcrumb is cleared first.
  using Outcome = BinaryOutcome;
  Outcome Read(std::span<const std::byte> bytes, std::int64_t revision, void* object) const {
    CrashBreadcrumb::Forget();
    ResetProgram();
    return entry.read(bytes, revision, object);
  }
  Outcome Write(std::int64_t revision, const void* object, std::vector<std::byte>& bytes) const {
    CrashBreadcrumb::Forget();
    return entry.write(revision, object, bytes);
  }
  /// Returns the XXH64 of the bytes that Write would write, in `hash`.
  Outcome WriteHash(std::int64_t revision, const void* object, std::uint64_t& hash) const {
    CrashBreadcrumb::Forget();
    if (entry.checksum != nullptr) return entry.checksum(revision, object, hash);
    std::vector<std::byte> bytes;
    const Outcome outcome = entry.write(revision, object, bytes);
    hash = revctl::Checksum(bytes);
    return outcome;
  }
};

/// The program's registrations, sorted by name because the order of static initializers is
/// arbitrary.
struct Registry {
  std::vector<RootType> types;
  std::vector<RetiredEntry> retired;
  std::uint64_t store_budget = std::uint64_t{2} << 30;  ///< limit for all files of large goldens
  Settings settings;
  std::vector<std::string> mistakes;  ///< such as duplicate names and samples of unregistered types

  const RootType* Find(std::string_view name) const;
  const RetiredEntry* FindRetired(std::string_view name) const;
};

Registry TakeRegistry();

}  // namespace revctl::harness
