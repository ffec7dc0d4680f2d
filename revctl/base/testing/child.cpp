// A program that the tests of process.h run. Its first argument selects what it does.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "revctl/base/file.h"
#include "revctl/base/system/process.h"

namespace base = revctl::base;

namespace {

void Write(std::FILE* file, const std::string& text) {
  (void)!std::fwrite(text.data(), 1, text.size(), file);
}

void Echo() {
  for (int c = 0; (c = std::getchar()) != EOF;) std::putchar(c);
}

void Flood() {
  while (std::puts("more") >= 0) continue;
}

/// Uses a tenth of a second of processor time. If `limit` is not 0, limits the processor time and
/// loops forever.
void Spin(unsigned limit) {
  base::LimitProcessorTime(limit);
  const auto begin = std::chrono::steady_clock::now();
  while (limit != 0 || std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(100))
    continue;
}

void Variables() {
  for (const char* name : {"BASE_TEST_A", "BASE_TEST_B", "BASE_TEST_C"}) {
    const char* const value = std::getenv(name);
    Write(stdout, std::string(value == nullptr ? "" : value) + ",");
  }
  Write(stderr, "no\n");
  Write(stdout, std::filesystem::current_path().generic_string() + "\n");
}

/// Runs `program`, which prints its environment. Variables that begin with `without` are not
/// inherited.
int Start(const std::string& folder, const std::string& without, const std::string& program) {
  base::ProcessOptions options;
  options.directory = folder;
  options.environment = {"BASE_TEST_A", "BASE_TEST_C=3"};
  options.without = without;
  const auto run = base::Run({program, "variables"}, options);
  if (!run.ok()) {
    Write(stderr, run.error().message);
    return 1;
  }
  Write(stdout, run->out);
  Write(stderr, run->err);
  return run->status;
}

}  // namespace

int main(int argc, char** argv) {
  base::PrepareProcess();
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string what = words.empty() ? "" : words[0];
  if (what == "echo") Echo();
  else if (what == "flood") Flood();
  else if (what == "exit") return std::atoi(words[1].c_str());
  else if (what == "spin") Spin(static_cast<unsigned>(std::atoi(words[1].c_str())));
  else if (what == "variables") Variables();
  else if (what == "start") return Start(words[1], words[2], words[3]);
  else if (what == "own") Write(stdout, base::OwnProgram());
  else if (what == "find") Write(stdout, base::FindProgram(words[1]));
  else if (what == "arguments") {
    for (std::size_t i = 1; i < words.size(); ++i) Write(stdout, words[i] + '\0');
  } else return 99;
  return 0;
}
