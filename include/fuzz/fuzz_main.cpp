#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "include/fuzz/fuzz.h"

// Runs a fuzz target without libFuzzer.
//
//   TARGET [SECONDS [GOLDEN]] runs the seeds, then mutations of them for SECONDS (default 2), in
//                             the same order every time. GOLDEN is a folder of additional seeds
//   TARGET --replay FILE...   runs each file once
//   TARGET --write-seeds DIR  writes the seeds as an initial corpus for libFuzzer

namespace {

std::uint64_t state = 88172645463325252u;
std::uint64_t Random() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/// Runs an input from a heap block that ends where the input ends, so that sanitizers detect any
/// access past the end.
void Run(const std::vector<std::uint8_t>& input) {
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[input.size() + 1]);
  std::uint8_t* const data = exact.get() + 1;  // unaligned on purpose
  if (!input.empty()) std::memcpy(data, input.data(), input.size());
  LLVMFuzzerTestOneInput(data, input.size());
}

std::vector<std::uint8_t> Mutated(const std::vector<std::vector<std::uint8_t>>& seeds) {
  std::vector<std::uint8_t> input = seeds[Random() % seeds.size()];
  for (std::uint64_t n = 1 + Random() % 4; n > 0 && !input.empty(); --n) {
    const std::size_t at = Random() % input.size();
    switch (Random() % 6) {
      case 0:
        input.resize(at);
        break;
      case 1:
        input[at] = 0xFF;
        break;
      case 2:
        input[at] ^= static_cast<std::uint8_t>(1u << Random() % 8);
        break;
      case 3:
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(at),
                     static_cast<std::uint8_t>(Random()));
        break;
      case 4:
        input.erase(input.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      default:
        input[at] = static_cast<std::uint8_t>(Random());
    }
  }
  return input;
}

bool Read(const std::string& path, std::vector<std::uint8_t>& input) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    std::perror(path.c_str());
    return false;
  }
  for (int c; (c = std::fgetc(file)) != EOF;) input.push_back(static_cast<std::uint8_t>(c));
  std::fclose(file);
  return true;
}

bool Replay(const char* path) {
  std::vector<std::uint8_t> input;
  if (!Read(path, input)) return false;
  Run(input);
  return true;
}

/// Adds the files of a folder as seeds, sorted by name, so that runs are reproducible. Returns
/// false if the folder contains no files.
bool AddFolder(const char* folder, std::vector<std::vector<std::uint8_t>>& seeds) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    paths.push_back(at->path().string());
  }
  if (paths.empty()) {
    std::fprintf(stderr, "%s: contains no files\n", folder);
    return false;
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    if (!Read(path, seeds.emplace_back())) return false;
  }
  return true;
}

/// Runs each seed, smallest first: with one extra byte, with up to eight bytes removed, and with
/// each byte set to values that break bools, flags and counts. Random mutations would take a long
/// time to hit the right byte.
std::size_t ByteByByte(std::vector<std::vector<std::uint8_t>> seeds,
                       std::chrono::steady_clock::time_point end) {
  std::sort(seeds.begin(), seeds.end(),
            [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::size_t runs = 0;
  for (std::vector<std::uint8_t>& seed : seeds) {
    std::vector<std::uint8_t> other = seed;
    other.push_back(0);
    for (int n = 0; n < 10; ++n, ++runs) {
      Run(other);
      if (!other.empty()) other.pop_back();
    }
    for (std::uint8_t& byte : seed) {
      for (const std::uint8_t value : {std::uint8_t{2}, std::uint8_t{0xFF}}) {
        if (std::chrono::steady_clock::now() >= end) return runs;
        const std::uint8_t before = std::exchange(byte, value);
        Run(seed);
        byte = before;
        ++runs;
      }
    }
  }
  return runs;
}

bool WriteSeeds(const std::string& folder) {
  ::mkdir(folder.c_str(), 0777);
  std::size_t n = 0;
  for (const auto& seed : FuzzSeeds()) {
    const std::string path = folder + "/seed" + std::to_string(n++);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr || std::fwrite(seed.data(), 1, seed.size(), file) != seed.size() ||
        std::fclose(file) != 0) {
      std::perror(path.c_str());
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--write-seeds") == 0) return WriteSeeds(argv[2]) ? 0 : 3;
  if (argc > 1 && std::strcmp(argv[1], "--replay") == 0) {
    for (int i = 2; i < argc; ++i) {
      if (!Replay(argv[i])) return 3;
    }
    return 0;
  }
  std::vector<std::vector<std::uint8_t>> seeds = FuzzSeeds();
  if (argc > 2 && !AddFolder(argv[2], seeds)) return 3;
  for (const auto& seed : seeds) Run(seed);
  const auto time = std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 2);
  const auto end = std::chrono::steady_clock::now() + time;
  std::size_t runs = ByteByByte(seeds, end - time / 2);
  for (; std::chrono::steady_clock::now() < end; ++runs) Run(Mutated(seeds));
  std::printf("%zu seeds, %zu mutations\n", seeds.size(), runs);
}
