// ci/bench serialize: compares this library with its peers on five workloads, interleaved in one
// run.
//
//   include_bench [--rounds N] [--only a,b] [--workloads tiny,dense] [--scale 0.1] [--json]
//
// Each round runs every contender once, in rotating order: first writing, then reading, each next
// to a memcpy of the same bytes. A contender's ratio is the median over all rounds of memcpy's time
// divided by the contender's time, so memcpy itself has the ratio 1.0. memcpy copies in chunks of 1
// MB, because for 20 MB or more C libraries bypass the caches, which is 1.5 times as fast but not
// comparable to filling objects. The speed of peers is computed from the size in our format,
// because the objects are the same. The end of the report compares this run with the project's
// targets (targets.h). Exit: 0 success, 1 if a contender returns wrong data, 2 usage error.
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "include/bench/contender.h"
#include "include/bench/generate.h"
#include "include/bench/targets.h"

namespace {

/// Returns this thread's CPU time in seconds. Other programs affect it less than wall-clock time.
double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Options {
  int rounds = 15;
  double scale = 1;
  bool json = false;
  std::set<std::string> only, workloads;
};

std::set<std::string> Split(const char* text) {
  std::set<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.insert(part);
  return parts;
}

bool Parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--json") {
      options.json = true;
      continue;
    }
    if (i + 1 == argc) return false;
    const char* value = argv[++i];
    if (name == "--rounds") options.rounds = std::atoi(value);
    else if (name == "--scale") options.scale = std::atof(value);
    // The names of some contenders contain a comma.
    else if (name == "--only") (options.only = Split(value)).insert(value);
    else if (name == "--workloads") options.workloads = Split(value);
    else return false;
  }
  return options.rounds > 0 && options.scale > 0;
}

struct Row {
  Contender* contender;
  std::size_t bytes = 0;
  std::vector<double> write_time, read_time, write_ratio, read_ratio, copy_time;
};

/// Returns the medians to compare with the targets.
Measured Summary(const Row& row) {
  return {row.contender->name(),
          {Median(row.write_time), Median(row.read_time)},
          {Median(row.write_ratio), Median(row.read_ratio)}};
}

/// Returns the time that memcpy takes in chunks of `piece` bytes.
double CopyTime(std::vector<u8>& to, const std::vector<u8>& from, std::size_t size,
                std::size_t piece = std::size_t{1} << 20) {
  const double begin = Now();
  for (std::size_t at = 0; at < size; at += piece)
    std::memcpy(to.data() + at, from.data() + at, std::min(piece, size - at));
  asm volatile("" ::"r"(to.data()) : "memory");
  return Now() - begin;
}

/// Returns the speed in GB/s of a single memcpy of all bytes.
double WholeCopy(std::size_t size) {
  std::vector<u8> from(size, 1), to(size, 2);
  std::vector<double> times;
  for (int round = 0; round < 5; ++round) times.push_back(CopyTime(to, from, size, size));
  return static_cast<double>(size) / Median(times) / 1e9;
}

void PrintTable(const char* workload, const std::vector<Row>& rows, std::size_t own) {
  std::printf("\n%s: own format %.1f MB, memcpy %.2f GB/s (in one piece %.2f)\n", workload,
              static_cast<double>(own) / 1e6,
              static_cast<double>(own) / Median(rows[0].copy_time) / 1e9, WholeCopy(own));
  std::printf("%-16s %8s %11s %10s %9s %9s\n", "contender", "MB", "write GB/s", "read GB/s",
              "w/memcpy", "r/memcpy");
  for (const Row& row : rows) {
    const double bytes = static_cast<double>(row.contender->charged(own, row.bytes));
    std::printf("%-16s %8.1f %11.2f %10.2f %9.3f %9.3f\n", row.contender->name(),
                static_cast<double>(row.bytes) / 1e6, bytes / Median(row.write_time) / 1e9,
                bytes / Median(row.read_time) / 1e9, Median(row.write_ratio),
                Median(row.read_ratio));
  }
  std::fflush(stdout);
}

void PrintJson(const char* workload, const std::vector<Row>& rows, std::size_t own, bool& first) {
  for (const Row& row : rows) {
    const double bytes = static_cast<double>(row.contender->charged(own, row.bytes));
    auto print = [&](const char* op, double time, double ratio) {
      std::printf(
          "%s\n  "
          "{\"bench\":\"serialize\",\"case\":\"%s\",\"contender\":\"%s\",\"op\":\"%s\",\"value\":%."
          "4f,"
          "\"unit\":\"GB/s\",\"ratio\":%.4f,\"against\":\"memcpy\"}",
          first ? "" : ",", workload, row.contender->name(), op, bytes / time / 1e9, ratio);
      first = false;
    };
    print("write", Median(row.write_time), Median(row.write_ratio));
    print("read", Median(row.read_time), Median(row.read_ratio));
  }
}

/// Prepares the contenders for a workload. Returns false if reading does not restore what a
/// contender wrote.
bool Prepare(const Options& options, WorkloadId id, Worlds& worlds, std::vector<Row>& rows) {
  bool fine = true;
  for (auto& contender : Registry::all()) {
    if ((!options.only.empty() && options.only.count(contender->name()) == 0) ||
        !contender->supports(id))
      continue;
    contender->prepare(id, worlds);
    std::size_t bytes = 0;
    for (int warm = 0; warm < 2; ++warm) bytes = contender->write(id, worlds);
    contender->reset(id, true);
    contender->read(id);
    if (!contender->verify(id, worlds)) {
      std::fprintf(stderr, "%s/%s: the value read differs from the value written\n",
                   kWorkloadName[id], contender->name());
      fine = false;
    }
    rows.push_back({contender.get(), bytes, {}, {}, {}, {}, {}});
  }
  return fine;
}

void Measure(const Options& options, WorkloadId id, Worlds& worlds, std::vector<Row>& rows,
             std::size_t own) {
  std::size_t biggest = own;
  for (const Row& row : rows) biggest = std::max(biggest, row.bytes);
  std::vector<u8> from(biggest, 1), to(biggest, 2);
  CopyTime(to, from, biggest);
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Row& row = rows[(k + static_cast<std::size_t>(round)) % rows.size()];
      const std::size_t bytes = row.contender->charged(own, row.bytes);
      const double copy_before = CopyTime(to, from, bytes);
      const double t0 = Now();
      row.contender->write(id, worlds);
      const double write = Now() - t0;
      row.contender->reset(id, true);
      const double copy_after = CopyTime(to, from, bytes);
      const double t1 = Now();
      row.contender->read(id);
      const double read = Now() - t1;
      row.copy_time.push_back(copy_before);
      row.write_time.push_back(write);
      row.read_time.push_back(read);
      row.write_ratio.push_back((copy_before + copy_after) / 2 / write);
      row.read_ratio.push_back((copy_before + copy_after) / 2 / read);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Keep freed memory in the process to keep page faults out of the measurements.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
  mallopt(M_TOP_PAD, 256 << 20);

  Options options;
  if (!Parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: %s [--rounds N] [--only a,b] [--workloads level,things,tiny,dense,bulk] "
                 "[--scale X] [--json]\n",
                 argv[0]);
    return 2;
  }
  Worlds worlds = gen_worlds(options.scale);
  auto& all = Registry::all();
  std::sort(all.begin(), all.end(),
            [](auto& a, auto& b) { return std::strcmp(a->name(), b->name()) < 0; });

  bool fine = true, first = true;
  std::vector<Target> targets;
  if (options.json) std::printf("{\"version\":1,\"rows\":[");
  for (int k = 0; k < W_COUNT; ++k) {
    const WorkloadId id = static_cast<WorkloadId>(k);
    if (!options.workloads.empty() && options.workloads.count(kWorkloadName[id]) == 0) continue;
    std::vector<Row> rows;
    fine &= Prepare(options, id, worlds, rows);
    if (rows.empty()) continue;
    std::size_t own = rows[0].bytes;
    for (const Row& row : rows) {
      if (std::strcmp(row.contender->name(), "revctl") == 0) own = row.bytes;
    }
    Measure(options, id, worlds, rows, own);
    if (options.json) {
      PrintJson(kWorkloadName[id], rows, own, first);
    } else {
      PrintTable(kWorkloadName[id], rows, own);
    }
    std::vector<Measured> measured;
    for (const Row& row : rows) measured.push_back(Summary(row));
    AddTargets(id, measured, targets);
    for (Row& row : rows) row.contender->drop(id);
  }
  if (options.json) {
    PrintTargetsJson(targets, first);
  } else {
    PrintTargets(targets);
  }
  if (options.json) std::printf("\n]}\n");
  return fine ? 0 : 1;
}
