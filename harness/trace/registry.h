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

/// A root type with its name and its samples.
struct RootType {
  std::string name;  ///< TypeInfo::name
  TypeEntry entry;
  std::vector<SampleEntry> samples;       ///< in order of registration
  std::uint64_t budget = kDefaultBudget;  ///< bytes that its goldens may take in the store
  static constexpr std::uint64_t kDefaultBudget = 4U << 20;
  revctl::FileFormat format;     ///< of its files; names no list
  const char* format_file = "";  ///< where HARNESS_FORMAT stands
  int format_line = 0;           ///< 0 where there is none
  FilesEntry files;  ///< instead of `format`, where the program frames its files in a way of its
                     ///< own; else null
  const TypeInfo& type() const { return entry.type(); }

  // The program's own reader and writer, where no tracer sees which field they are at.
  using Outcome = BinaryOutcome;
  Outcome Read(std::span<const std::byte> bytes, std::int64_t revision, void* object) const {
    CrashBreadcrumb::Forget();
    return entry.read(bytes, revision, object);
  }
  Outcome Write(std::int64_t revision, const void* object, std::vector<std::byte>& bytes) const {
    CrashBreadcrumb::Forget();
    return entry.write(revision, object, bytes);
  }
};

/// What the program registered, sorted by name: the order of static initialisers is no order to
/// depend on.
struct Registry {
  std::vector<RootType> types;
  std::vector<RetiredEntry> retired;
  Settings settings;
  std::vector<std::string> mistakes;  ///< one name twice, a sample of a type that is none, ...

  const RootType* Find(std::string_view name) const;
  const RetiredEntry* FindRetired(std::string_view name) const;
};

/// Everything registered by this program so far.
Registry TakeRegistry();

}  // namespace revctl::harness
