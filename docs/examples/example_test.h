// Helpers for the tests of the examples: files and programs of an example.
#pragma once
#include <sys/wait.h>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace example {

/// Returns the path of a file of the example, such as `saves/r5.save`.
inline std::string File(const std::string& name) { return EXAMPLE_FOLDER "/" + name; }

inline std::vector<std::byte> Bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  INFO(path);
  REQUIRE(in);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// Writes a temporary file into the test's build folder and returns its path.
inline std::string Written(const std::string& name, const std::vector<std::byte>& bytes) {
  const std::string path = EXAMPLE_PROGRAMS "/" + name;
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  REQUIRE(out);
  return path;
}

/// Returns the stdout of a command line, which must exit with `status`.
inline std::string Ran(const std::string& command, int status) {
  INFO(command);
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  INFO(text);
  const int ended = pclose(pipe);
  REQUIRE(WIFEXITED(ended));
  REQUIRE(WEXITSTATUS(ended) == status);
  return text;
}

/// Returns the stdout of one of the example's programs, for example `Output("dreams_r5_harness",
/// "dump 'x.save'")`. The program must succeed.
inline std::string Output(const std::string& program, const std::string& arguments) {
  return Ran("'" EXAMPLE_PROGRAMS "/" + program + "' " + arguments, 0);
}

/// Returns the stderr of a program that must exit with status 1.
inline std::string Refusal(const std::string& program, const std::string& arguments) {
  return Ran("'" EXAMPLE_PROGRAMS "/" + program + "' " + arguments + " 2>&1 >/dev/null", 1);
}

}  // namespace example
