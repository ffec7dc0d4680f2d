#include "harness/selftest/selftest.h"

#include <fmt/core.h>
#include <map>
#include <set>
#include <utility>

#include <revctl/serialize.h>

#include "harness/history/upgraded_values.h"
#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/samples/samples.h"

namespace revctl::harness {

namespace {

/// Names of the mutations. Each mutation is a change that people make to a body without adding a
/// revision. docs/guide/harness.md describes how each one affects the record.
constexpr const char* kTaxonomy[] = {
    "add a field",       "remove a field",     "reorder",         "swap, same type",
    "retype, same size", "retype, other size", "resize an array", "change a container",
    "enum width",        "enum order",         "gate moved",      "REM range",
    "REM type",          "REM default",        "condition",       "default value",
    "upgrade lost",      "counter moved",      "endianness",      "renumbered revision"};

}  // namespace

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
  for (const char* const mutation : kTaxonomy) {
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

/// Tells a self-test child process which root type to test, with which options.
struct SelfTestMessage {
  std::string type;
  std::uint64_t seed = 1, most_goldens = 0;
};
SERIALIZE_TYPE(SelfTestMessage) {
  ADD(0, type);
  ADD(0, seed);
  ADD(0, most_goldens);
}
SERIALIZE_END

const JobKind kSelfTest("selftest", [](const JobInput& input) -> std::string {
  SelfTestMessage message;
  if (!Unpack(input.arguments, message)) return "";
  const RootType* const root = input.registry.Find(message.type);
  if (root == nullptr) return "";
  const History& history = *input.history;
  SelfTestTable table;
  SelfTestType(*root, history,
               {message.seed, message.type, static_cast<std::size_t>(message.most_goldens),
                Renames(history.store().approvals())},
               table);
  return table.Packed();
});

}  // namespace

std::string SelfTestTable::Packed() const { return Pack(std::pair(places_, by_chunk_)); }

bool SelfTestTable::Join(const std::string& packed) {
  std::pair<decltype(places_), decltype(by_chunk_)> both;
  if (!Unpack(packed, both)) return false;
  SelfTestTable other;
  other.places_ = std::move(both.first);
  other.by_chunk_ = std::move(both.second);
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
      const SelfTestMessage message{root.name, options.seed, options.most_goldens};
      if (!child.Start(
              {kSelfTest, {registry, nullptr, nullptr, &history}, Pack(message), left_out})) {
        result.crashes.push_back(root.name + ": could not start a child process");
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
