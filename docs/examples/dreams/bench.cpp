// `ci/bench scene`: compares loading a scene of a few megabytes with copying the same scene in
// memory, and with copying the bytes of its file. No loader can be faster than these copies.
//
//   dreams_bench [--json] [--rounds N] [--things N]
//
// Each round runs all three in a rotating order. A ratio is the median over the rounds of (the
// copy's time) / (the load's time), so 1.0 means equally fast. Exit: 0, 1 if the loaded scene
// differs from the saved one, 2 usage error.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "large_scene.h"
#include "master_version_list.revctl.h"

namespace {

using dreams::Scene;

/// Returns the CPU seconds of this thread, which other programs disturb less than wall-clock time.
double Now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The caller destroys the result of each function, outside the measured time.
double Load(const std::vector<std::byte>& file, Scene& scene) {
  const double begin = Now();
  const revctl::Status status = revctl::Load(file, scene);
  const double took = Now() - begin;
  if (!status) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status ? took : -1;
}
double Copy(const Scene& scene) {
  const double begin = Now();
  const Scene other = scene;
  asm volatile("" ::"r"(&other) : "memory");
  return Now() - begin;
}
double CopyBytes(const std::vector<std::byte>& file, std::vector<std::byte>& to) {
  const double begin = Now();
  std::memcpy(to.data(), file.data(), file.size());
  asm volatile("" ::"r"(to.data()) : "memory");
  return Now() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 31;
  unsigned long things = 40000;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--json") {
      json = true;
    } else if (i + 1 < argc && name == "--rounds") {
      rounds = std::atoi(argv[++i]);
    } else if (i + 1 < argc && name == "--things") {
      things = std::strtoul(argv[++i], nullptr, 10);
    } else {
      rounds = 0;
    }
  }
  if (rounds <= 0 || things == 0 || things > 10000000) {
    std::fprintf(stderr, "usage: dreams_bench [--json] [--rounds N] [--things N]\n");
    return 2;
  }
  const Scene scene = dreams::LargeScene(static_cast<std::uint32_t>(things));
  std::vector<std::byte> file;
  if (!revctl::Save(SR_LATEST, scene, file)) return 1;
  {
    Scene back;
    std::vector<std::byte> again;
    if (Load(file, back) < 0 || !revctl::Save(SR_LATEST, back, again) || again != file) {
      std::fprintf(stderr, "the loaded data differs from the saved data\n");
      return 1;
    }
  }
  std::vector<std::byte> bytes(file.size());
  std::vector<double> load, to_copy, to_bytes;
  for (int round = 0; round <= rounds; ++round) {
    double took[3];
    for (int k = 0; k < 3; ++k) {
      const int which = (round + k) % 3;
      Scene fresh;
      took[which] = which == 0   ? Load(file, fresh)
                    : which == 1 ? Copy(scene)
                                 : CopyBytes(file, bytes);
    }
    if (took[0] < 0) return 1;
    if (round == 0) continue;  // the first round is a warm-up that allocates memory
    load.push_back(took[0]);
    to_copy.push_back(took[1] / took[0]);
    to_bytes.push_back(took[2] / took[0]);
  }
  // The minimum acceptable ratio for a file with varied things (docs/internals/performance.md).
  constexpr double kOfDeepCopy = 0.60;
  const double speed = static_cast<double>(file.size()) / Median(load) / 1e9;
  if (!json) {
    std::printf(
        "%lu things, %.1f MB: load %.2f ms, %.2f GB/s; %.2f of a deep copy (%s: %.2f), %.2f of "
        "memcpy\n",
        things, static_cast<double>(file.size()) / 1e6, Median(load) * 1e3, speed, Median(to_copy),
        Median(to_copy) >= kOfDeepCopy ? "met" : "MISSED", kOfDeepCopy, Median(to_bytes));
    return 0;
  }
  const auto row = [&](double ratio, const char* against) {
    std::printf(
        "{\"bench\":\"scene\",\"case\":\"%lu "
        "things\",\"contender\":\"revctl\",\"op\":\"load\",\"value\":%.4f,"
        "\"unit\":\"GB/s\",\"ratio\":%.4f,\"against\":\"%s\"}",
        things, speed, ratio, against);
  };
  std::printf("{\"version\":1,\"rows\":[\n  ");
  row(Median(to_copy), "deep copy");
  std::printf(",\n  ");
  row(Median(to_bytes), "memcpy");
  std::printf("\n]}\n");
  return 0;
}
