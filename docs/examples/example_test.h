// What the tests of the examples share: files and programs of an example.
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

/// A file of the example, `saves/r5.save`.
inline std::string File(const std::string& name) { return EXAMPLE_FOLDER "/" + name; }

inline std::vector<std::byte> Bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  INFO(path);
  REQUIRE(in);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// Writes a file of the test's own, beside its program, and gives its path.
inline std::string Written(const std::string& name, const std::vector<std::byte>& bytes) {
  const std::string path = EXAMPLE_PROGRAMS "/" + name;
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  REQUIRE(out);
  return path;
}

/// What a command line prints on stdout; it must end with that status.
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

/// What one of the example's programs prints, `Output("dreams_r5_harness", "dump 'x.save'")`; it
/// must succeed.
inline std::string Output(const std::string& program, const std::string& arguments) {
  return Ran("'" EXAMPLE_PROGRAMS "/" + program + "' " + arguments, 0);
}

/// What it says on stderr where it refuses: exit status 1.
inline std::string Refusal(const std::string& program, const std::string& arguments) {
  return Ran("'" EXAMPLE_PROGRAMS "/" + program + "' " + arguments + " 2>&1 >/dev/null", 1);
}

}  // namespace example
