#include "harness/selftest/selftest.h"

#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <revctl/serialize.h>

#include "harness/history/upgraded_values.h"
#include "harness/isolation/child_process.h"
#include "harness/samples/samples.h"

namespace revctl::harness {

const std::vector<std::string> kTaxonomy = {
    "add a field",       "remove a field",     "reorder",         "swap, same type",
    "retype, same size", "retype, other size", "resize an array", "change a container",
    "enum width",        "enum order",         "gate moved",      "REM range",
    "REM type",          "REM default",        "condition",       "default value",
    "upgrade lost",      "counter moved",      "endianness",      "renumbered revision"};

const char* Name(Seen signal) {
  switch (signal) {
    case Seen::Layout:
      return "layout";
    case Seen::Bytes:
      return "bytes";
    case Seen::Value:
      return "value";
    case Seen::Upgrade:
      return "upgrade";
  }
  return "";
}

void SelfTestTable::Note(const std::string& mutation, const std::string& place, Seen signal,
                         bool caught) {
  bool& known = places_[mutation][place][signal];
  known = known || caught;
}

std::vector<SelfTestTable::Row> SelfTestTable::Rows() const {
  std::vector<Row> rows;
  for (const std::string& mutation : kTaxonomy) {
    Row row;
    row.mutation = mutation;
    const auto found = places_.find(mutation);
    if (found != places_.end()) {
      for (const auto& [place, signals] : found->second) {
        bool any = false;
        for (const auto& [signal, caught] : signals) {
          ++row.signals[signal].places;
          row.signals[signal].caught += caught;
          any = any || caught;
        }
        ++row.any.places;
        row.any.caught += any;
        if (!any) row.missed.push_back(place);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string PlaceOf(const RootType& root, const History& history, std::size_t revision,
                    const std::string& path) {
  const PathStep step = PathTo(history, revision, root.name, path).steps.back();
  return step.type + "." + (step.field.empty() ? "CHECK_INTEGRITY" : step.field);
}

namespace {

void SelfTestType(const RootType& root, const History& history, const SelfTestOptions& options,
                  SelfTestTable& table) {
  MutateLayouts(root, history, options, table);
  std::map<std::size_t, std::size_t> taken;  // number of goldens used so far, by revision
  for (const Golden& golden : history.Goldens(root.name)) {
    if (taken[golden.revision]++ >= options.most_goldens) continue;
    MutatePayload(root, history, golden, table);
    MutateUpgrades(root, history, golden, table);
  }
  // Use one large golden of each revision. Prefer goldens that are not automatic samples, because
  // automatic samples have shorter lists.
  const auto cost = [](const Golden& golden) {
    return std::pair(golden.item->name.starts_with(kAutomatic), golden.item->size);
  };
  std::map<std::size_t, const Golden*> large;
  for (const Golden& golden : history.Large(root.name)) {
    const Golden*& one = large[golden.revision];
    if (one == nullptr || cost(golden) < cost(*one)) one = &golden;
  }
  for (const auto& [unused, golden] : large)
    MutateLarge(root, history, *golden, options.renames, table);
}

}  // namespace

std::string SelfTestTable::Pack() const {
  revctl::Writer writer(0);
  revctl::Serialize(writer, places_);
  revctl::Serialize(writer, by_chunk_);
  const auto bytes = writer.Bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool SelfTestTable::Join(const std::string& packed) {
  SelfTestTable other;
  revctl::Reader reader(std::as_bytes(std::span(packed.data(), packed.size())), 0);
  revctl::Serialize(reader, other.places_);
  revctl::Serialize(reader, other.by_chunk_);
  if (!reader.Ok() || !reader.AtEnd()) return false;
  by_chunk_.merge(other.by_chunk_);
  for (const auto& [mutation, places] : other.places_) {
    for (const auto& [place, signals] : places) {
      for (const auto& [signal, caught] : signals) Note(mutation, place, signal, caught);
    }
  }
  return true;
}

SelfTestResult SelfTest(const Registry& registry, const History& history,
                        const SelfTestOptions& options) {
  SelfTestResult result;
  for (const RootType& root : registry.types) {
    if (!options.type.empty() && root.name != options.type) continue;
    std::set<std::string> left_out;
    bool automatic_told = false;
    while (left_out.size() <= ChildProcess::kMostCrashes) {
      ChildProcess child;
      const bool started = child.ok() && child.Start(left_out, [&] {
        SelfTestTable table;
        SelfTestType(root, history, options, table);
        return table.Pack();
      });
      if (!started) {
        result.crashes.push_back(root.name + ": no child process could be started");
        break;
      }
      const auto packed = child.Finish();
      if (packed && result.table.Join(*packed)) break;
      const std::string last = child.last();
      const auto line = last.find('\n');
      const std::string what = line == std::string::npos ? "selftest" : last.substr(line + 1);
      // Many automatic samples may crash for the same reason, so report only the first crash.
      const bool automatic = what.starts_with("automatic sample");
      if (!automatic || !std::exchange(automatic_told, true))
        result.crashes.push_back(fmt::format("{}: {} ({})", root.name, what, child.ending()));
      // Give up on the type if it hangs, or if a step that should be skipped crashes again.
      if (!left_out.insert(last).second || child.ending() == ChildProcess::kHangs) break;
    }
  }
  return result;
}

}  // namespace revctl::harness
