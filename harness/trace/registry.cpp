#include "harness/trace/registry.h"

#include <fmt/core.h>
#include <algorithm>
#include <utility>

#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

struct Registered {
  std::vector<TypeEntry> types;
  std::vector<SampleEntry> samples;
  std::vector<RetiredEntry> retired;
  std::vector<BudgetEntry> budgets;
  std::vector<LargeBudgetEntry> large_budgets;
  std::vector<FormatEntry> formats;
  std::vector<FilesEntry> files;
  std::vector<ResetEntry> resets;  ///< sorted by source position
  Settings settings;
};

/// Returns a function-local static variable, because static initializers may call All() before a
/// namespace-scope variable is initialized.
Registered& All() {
  static Registered all;
  return all;
}

std::string Place(const char* file, int line) { return fmt::format("{}:{}", file, line); }

}  // namespace

Registry TakeRegistry() {
  const Registered& all = All();
  Registry registry;
  registry.retired = all.retired;
  registry.settings = all.settings;
  for (const TypeEntry& entry : all.types) {
    std::string name = entry.type().name();
    if (const RootType* twice = registry.Find(name)) {
      // A registration in a header may run twice, which is not a mistake.
      if (std::string_view(twice->entry.file) != entry.file || twice->entry.line != entry.line) {
        registry.mistakes.push_back(fmt::format("{}: {} is already registered, at {}",
                                                Place(entry.file, entry.line), name,
                                                Place(twice->entry.file, twice->entry.line)));
      }
      continue;
    }
    if (registry.FindRetired(name))
      registry.mistakes.push_back(fmt::format("{}: {} is both registered and retired",
                                              Place(entry.file, entry.line), name));
    if (entry.opaque) TraceByStreams(entry);
    RootType root;
    root.name = std::move(name);
    root.entry = entry;
    registry.types.push_back(std::move(root));
  }
  std::sort(registry.types.begin(), registry.types.end(),
            [](const RootType& a, const RootType& b) { return a.name < b.name; });
  // Returns the type of `entry`, or reports a mistake and returns null if it is not registered.
  const auto root_of = [&](const auto& entry, const char* what) -> RootType* {
    const std::string name = entry.type().name();
    for (RootType& type : registry.types)
      if (type.name == name) return &type;
    registry.mistakes.push_back(
        fmt::format("{}: declares {} of {}, but no HARNESS_TYPE registers this type",
                    Place(entry.file, entry.line), what, name));
    return nullptr;
  };
  for (const BudgetEntry& budget : all.budgets)
    if (RootType* root = root_of(budget, "a budget")) root->budget = budget.bytes;
  for (const LargeBudgetEntry& budget : all.large_budgets) {
    if (budget.type == nullptr) {
      registry.store_budget = budget.bytes;
    } else if (RootType* root = root_of(budget, "a size budget for large goldens")) {
      root->large_budget = budget.bytes;
    }
  }
  for (const FormatEntry& format : all.formats) {
    RootType* root = root_of(format, "a file format");
    if (root == nullptr) continue;
    root->format = format.format();
    root->format.list = root->format.written_with = nullptr;
    root->format_file = format.file;
    root->format_line = format.line;
  }
  for (const FilesEntry& files : all.files) {
    RootType* root = root_of(files, "files");
    if (root == nullptr) continue;
    const auto format =
        std::find_if(all.formats.begin(), all.formats.end(),
                     [&](const FormatEntry& other) { return other.type().name() == root->name; });
    if (format != all.formats.end())
      registry.mistakes.push_back(fmt::format(
          "{}: files of {} already have a HARNESS_FORMAT, at {}; use either HARNESS_FORMAT or "
          "HARNESS_FILES, not both",
          Place(files.file, files.line), root->name, Place(format->file, format->line)));
    root->files = files;
  }
  for (const SampleEntry& sample : all.samples) {
    RootType* root = root_of(sample, "a sample");
    if (root == nullptr) continue;
    const bool twice = std::any_of(
        root->samples.begin(), root->samples.end(),
        [&](const SampleEntry& other) { return std::string_view(other.name) == sample.name; });
    if (twice) {
      registry.mistakes.push_back(fmt::format("{}: {} already has a sample named {}",
                                              Place(sample.file, sample.line), root->name,
                                              sample.name));
    } else {
      root->samples.push_back(sample);
    }
  }
  return registry;
}

const RootType* Registry::Find(std::string_view name) const {
  for (const RootType& type : types) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

const RetiredEntry* Registry::FindRetired(std::string_view name) const {
  for (const RetiredEntry& entry : retired) {
    if (name == entry.type) return &entry;
  }
  return nullptr;
}

bool Register(const TypeEntry& entry) {
  All().types.push_back(entry);
  return true;
}
bool Register(const SampleEntry& entry) {
  All().samples.push_back(entry);
  return true;
}
bool Register(const RetiredEntry& entry) {
  All().retired.push_back(entry);
  return true;
}
bool Register(const BudgetEntry& entry) {
  All().budgets.push_back(entry);
  return true;
}
bool Register(const LargeBudgetEntry& entry) {
  All().large_budgets.push_back(entry);
  return true;
}
bool Register(const FormatEntry& entry) {
  All().formats.push_back(entry);
  return true;
}
bool Register(const FilesEntry& entry) {
  All().files.push_back(entry);
  return true;
}
bool Register(const Settings& settings) {
  All().settings = settings;
  return true;
}
bool Register(const ResetEntry& entry) {
  // Sort by source position, because the order of static initializers is arbitrary.
  const auto key = [](const ResetEntry& reset) {
    return std::pair(std::string_view(reset.file), reset.line);
  };
  std::vector<ResetEntry>& resets = All().resets;
  const auto after = std::find_if(resets.begin(), resets.end(),
                                  [&](const ResetEntry& other) { return key(entry) < key(other); });
  resets.insert(after, entry);
  return true;
}

void ResetProgram() {
  for (const ResetEntry& entry : All().resets) entry.reset();
}

}  // namespace revctl::harness
