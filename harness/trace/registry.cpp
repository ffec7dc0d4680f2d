#include "harness/trace/registry.h"

#include <algorithm>

#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

struct Registered {
  std::vector<TypeEntry> types;
  std::vector<SampleEntry> samples;
  std::vector<RetiredEntry> retired;
  std::vector<BudgetEntry> budgets;
  std::vector<FormatEntry> formats;
  std::vector<FilesEntry> files;
  Settings settings;
};

/// Function-local, so that it exists whenever the first initialiser of another file asks for it.
Registered& All() {
  static Registered all;
  return all;
}

std::string Place(const char* file, int line) {
  return std::string(file) + ":" + std::to_string(line);
}

}  // namespace

Registry TakeRegistry() {
  const Registered& all = All();
  Registry registry;
  registry.retired = all.retired;
  registry.settings = all.settings;
  for (const TypeEntry& entry : all.types) {
    std::string name = entry.type().name();
    if (const RootType* twice = registry.Find(name)) {
      // The same line in two programs' sources is a header that registers; its types are the same.
      if (std::string_view(twice->entry.file) != entry.file || twice->entry.line != entry.line) {
        registry.mistakes.push_back(Place(entry.file, entry.line) + ": " + name +
                                    " is registered already, at " +
                                    Place(twice->entry.file, twice->entry.line));
      }
      continue;
    }
    if (registry.FindRetired(name)) {
      registry.mistakes.push_back(Place(entry.file, entry.line) + ": " + name +
                                  " is registered and retired");
    }
    if (entry.opaque) TraceByStreams(entry);
    RootType root;
    root.name = std::move(name);
    root.entry = entry;
    registry.types.push_back(std::move(root));
  }
  std::sort(registry.types.begin(), registry.types.end(),
            [](const RootType& a, const RootType& b) { return a.name < b.name; });
  const auto find = [&](const std::string& name) {
    return std::find_if(registry.types.begin(), registry.types.end(),
                        [&](const RootType& type) { return type.name == name; });
  };
  for (const BudgetEntry& budget : all.budgets) {
    const std::string name = budget.type().name();
    const auto root = find(name);
    if (root == registry.types.end()) {
      registry.mistakes.push_back(Place(budget.file, budget.line) + ": a budget of " + name +
                                  ", which no HARNESS_TYPE registers");
    } else {
      root->budget = budget.bytes;
    }
  }
  for (const FormatEntry& format : all.formats) {
    const std::string name = format.type().name();
    const auto root = find(name);
    if (root == registry.types.end()) {
      registry.mistakes.push_back(Place(format.file, format.line) + ": a file format of " + name +
                                  ", which no HARNESS_TYPE registers");
      continue;
    }
    root->format = format.format();
    root->format.list = root->format.written_with = nullptr;
    root->format_file = format.file;
    root->format_line = format.line;
  }
  for (const FilesEntry& files : all.files) {
    const std::string name = files.type().name();
    const auto root = find(name);
    if (root == registry.types.end()) {
      registry.mistakes.push_back(Place(files.file, files.line) + ": files of " + name +
                                  ", which no HARNESS_TYPE registers");
      continue;
    }
    const auto format =
        std::find_if(all.formats.begin(), all.formats.end(),
                     [&](const FormatEntry& other) { return other.type().name() == name; });
    if (format != all.formats.end()) {
      registry.mistakes.push_back(Place(files.file, files.line) + ": files of " + name +
                                  " have a HARNESS_FORMAT already, at " +
                                  Place(format->file, format->line) +
                                  ": HARNESS_FILES stands for it");
    }
    root->files = files;
  }
  for (const SampleEntry& sample : all.samples) {
    const std::string name = sample.type().name();
    const auto root = find(name);
    if (root == registry.types.end()) {
      registry.mistakes.push_back(Place(sample.file, sample.line) + ": a sample of " + name +
                                  ", which no HARNESS_TYPE registers");
      continue;
    }
    const bool twice = std::any_of(
        root->samples.begin(), root->samples.end(),
        [&](const SampleEntry& other) { return std::string_view(other.name) == sample.name; });
    if (twice) {
      registry.mistakes.push_back(Place(sample.file, sample.line) + ": a second sample of " + name +
                                  " named " + sample.name);
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

}  // namespace revctl::harness
