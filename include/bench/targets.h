#pragma once
// Compares the results of a run with the project's targets for each workload. Missed targets are
// reported but do not fail the run, because machines differ and measurements on a busy machine are
// meaningless.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "include/bench/model.h"

/// Median results of one contender on one workload: [0] for writing, [1] for reading.
struct Measured {
  const char* name;
  double time[2];   // seconds
  double ratio[2];  // time that memcpy takes for the charged bytes, divided by `time`
};

struct Target {
  std::string workload, op, against;
  double reached = 0, wanted = 0;
  bool met = false;
};

namespace targets {

constexpr const char* kOps[] = {"write", "read"};

struct Wanted {
  WorkloadId id;
  int op;
  double ratio;
};
constexpr Wanted kOfMemcpy[] = {{W_LEVEL, 0, 0.62}, {W_THINGS, 0, 0.37}, {W_TINY, 0, 0.68},
                                {W_TINY, 1, 0.68},  {W_DENSE, 0, 0.98},  {W_DENSE, 1, 1.05},
                                {W_BULK, 0, 0.98},  {W_BULK, 1, 0.98}};
constexpr Wanted kOfDeepCopy[] = {{W_THINGS, 1, 0.85}, {W_LEVEL, 1, 0.95}};
/// Minimum speed of reading into an arena, as a multiple of the speed of an ordinary deep copy.
constexpr double kArena = 1.5;
/// Minimum speed at the old revision, in objects per second, as a fraction of the speed at the
/// newest revision.
constexpr double kOld = 0.90;

inline const Measured* Find(const std::vector<Measured>& rows, const char* name) {
  for (const Measured& row : rows) {
    if (std::strcmp(row.name, name) == 0) return &row;
  }
  return nullptr;
}

/// True if the contender is a peer library that creates objects, as opposed to an upper bound
/// (`~`), this library, or a view.
inline bool IsPeer(const char* name) {
  return name[0] != '~' && std::strncmp(name, "revctl", 6) != 0 &&
         std::strncmp(name, "before", 6) != 0 && std::strcmp(name, "flatbuf-view") != 0;
}

}  // namespace targets

/// Appends the targets of a workload. Skips targets whose contenders are not part of this run.
inline void AddTargets(WorkloadId id, const std::vector<Measured>& rows, std::vector<Target>& out) {
  using namespace targets;
  const Measured* ours = Find(rows, "revctl");
  if (ours == nullptr) return;
  const auto add = [&](int op, std::string against, double reached, double wanted,
                       bool also = false) {
    out.push_back({kWorkloadName[id], kOps[op], std::move(against), reached, wanted,
                   reached >= wanted || also});
  };
  for (const Wanted& w : kOfMemcpy) {
    if (w.id == id) add(w.op, "memcpy", ours->ratio[w.op], w.ratio);
  }
  if (const Measured* copy = Find(rows, "~deepcopy")) {
    for (const Wanted& w : kOfDeepCopy) {
      if (w.id == id) add(w.op, "deep copy", copy->time[w.op] / ours->time[w.op], w.ratio);
    }
  }
  const Measured* arena = Find(rows, "revctl, arena");
  if (const Measured* copy = Find(rows, "~deepcopy"); arena != nullptr && copy != nullptr)
    add(1, "deep copy, of arena", copy->time[1] / arena->time[1], kArena);
  const Measured* view = Find(rows, "revctl, view");
  if (const Measured* other = Find(rows, "flatbuf-view"); view != nullptr && other != nullptr)
    add(1, "flatbuf-view, of view", other->time[1] / view->time[1], 1.0);
  for (int op = 0; op < 2; ++op) {
    if (const Measured* before = Find(rows, "before"))
      add(op, "the commit before", before->time[op] / ours->time[op], 0.95);
    if (const Measured* old = Find(rows, "revctl@old"))
      add(op, "newest (objects/s)", ours->time[op] / old->time[op], kOld);
    const Measured* best = nullptr;
    for (const Measured& row : rows) {
      if (IsPeer(row.name) && (best == nullptr || row.time[op] < best->time[op])) best = &row;
    }
    if (best == nullptr) continue;
    // The target is met if this library is faster than the best peer. It is also met if this
    // library is within 5 % of the best peer and both are within 10 % of memcpy, because then no
    // codec can be far ahead.
    const double ahead = best->time[op] / ours->time[op];
    const bool at_the_ceiling = std::min(ours->ratio[op], best->ratio[op]) >= 0.9;
    add(op, std::string("best peer, ") + best->name, ahead, 1.0, at_the_ceiling && ahead >= 0.95);
  }
}

inline void PrintTargets(const std::vector<Target>& targets) {
  if (targets.empty()) return;
  std::printf("\ntargets\n%-8s %-6s %-28s %8s %8s\n", "workload", "op", "against", "reached",
              "wanted");
  for (const Target& t : targets) {
    std::printf("%-8s %-6s %-28s %8.2f %8.2f  %s\n", t.workload.c_str(), t.op.c_str(),
                t.against.c_str(), t.reached, t.wanted, t.met ? "met" : "MISSED");
  }
}

inline void PrintTargetsJson(const std::vector<Target>& targets, bool& first) {
  for (const Target& t : targets) {
    std::printf(
        "%s\n  "
        "{\"bench\":\"serialize\",\"case\":\"%s\",\"contender\":\"revctl\",\"op\":\"%s\",\"value\":"
        "%.4f,"
        "\"unit\":\"ratio\",\"ratio\":%.4f,\"against\":\"%s\",\"target\":%.2f,\"met\":%s}",
        first ? "" : ",", t.workload.c_str(), t.op.c_str(), t.reached, t.reached, t.against.c_str(),
        t.wanted, t.met ? "true" : "false");
    first = false;
  }
}
