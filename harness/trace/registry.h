#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/harness.h>

#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {

using revctl::TypeInfo;

/// Calls the functions registered with HARNESS_RESET, so that results do not depend on earlier
/// samples and goldens. Must be called before each step, each sample and each read.
void ResetProgram();

struct RootType {
  std::string name;  ///< name of the type (TypeInfo::name)
  TypeEntry entry;
  std::vector<SampleEntry> samples;  ///< samples in order of registration
  /// limit in bytes for the type's goldens of one revision
  std::uint64_t budget = kDefaultBudget;
  static constexpr std::uint64_t kDefaultBudget = 4U << 20;
  /// limit in bytes for the total file size of the type's large goldens
  std::uint64_t large_budget = kDefaultLargeBudget;
  static constexpr std::uint64_t kDefaultLargeBudget = 512U << 20;
  revctl::FileFormat format;     ///< format of the type's files, without `list`
  const char* format_file = "";  ///< source file of the type's HARNESS_FORMAT; "" if there is none
  int format_line = 0;           ///< line of the type's HARNESS_FORMAT; 0 if there is none
  /// used instead of `format` if the program frames its files itself; null otherwise
  FilesEntry files;
  const TypeInfo& type() const { return entry.type(); }

  // Read and Write run the program's own code. Tracers do not see that code, so these functions
  // first clear the crash breadcrumb.
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
  /// Sets `hash` to the XXH64 of the bytes that Write would write. Uses `scratch` if the bytes fit.
  Outcome WriteHash(std::int64_t revision, const void* object, std::uint64_t& hash,
                    std::span<std::byte> scratch = {}) const {
    CrashBreadcrumb::Forget();
    if (entry.checksum != nullptr) return entry.checksum(revision, object, hash, scratch);
    std::vector<std::byte> bytes;
    const Outcome outcome = entry.write(revision, object, bytes);
    hash = revctl::Checksum(bytes);
    return outcome;
  }
};

/// Everything that the program registered. Types are sorted by name, because the order of static
/// initializers is arbitrary.
struct Registry {
  std::vector<RootType> types;
  std::vector<RetiredEntry> retired;
  /// limit in bytes for the total file size of all large goldens
  std::uint64_t store_budget = std::uint64_t{2} << 30;
  Settings settings;
  /// messages about mistakes such as duplicate names or samples of unregistered types
  std::vector<std::string> mistakes;

  const RootType* Find(std::string_view name) const;
  const RetiredEntry* FindRetired(std::string_view name) const;
};

Registry TakeRegistry();

}  // namespace revctl::harness
