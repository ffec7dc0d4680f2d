#pragma once
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/scenarios/team.h"

// Helpers for tests that write records or kill revctl, such as the storm tests.
namespace revctl::testing {

inline int FromEnvironment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

inline std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Runs revctl, and kills it and its child processes with SIGKILL after `delay` seconds, such as
/// "0.3". Then removes the lock files that a killed git leaves for the index, HEAD, ORIG_HEAD and
/// branches, as git advises. Returns true if the program was killed.
inline bool RunAndKill(const Team& team, const std::string& person, const std::string& delay,
                       const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {"timeout", "-s", "KILL", delay, ProgramPath()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  const bool killed = team.sandbox.Run(person, argv).status >= 124;
  const std::filesystem::path git = team.sandbox.Path(person + "/.git");
  const auto remove_locks = [](auto files) {
    std::error_code error;
    for (const auto& entry : files) {
      // keep land's own lock, which blocks nothing
      if (entry.path().extension() == ".lock" &&
          !entry.path().filename().string().starts_with("revctl"))
        std::filesystem::remove(entry.path(), error);
    }
  };
  remove_locks(std::filesystem::directory_iterator(git));
  remove_locks(std::filesystem::recursive_directory_iterator(git / "refs"));
  return killed;
}

/// Returns a golden record as `record` would write it. Tests use it because compiling a harness for
/// each user would take minutes. `type` is the type that the revision changes. `before` lists the
/// newest landed revision and the pending revisions after it.
inline std::string Record(const std::string& revision, int number,
                          const std::vector<std::string>& before, const std::string& type) {
  std::string behind;
  for (const std::string& name : before) behind += (behind.empty() ? "" : ", ") + name;
  return "version: 1\nrevision: " + revision + "\nnumber: " + std::to_string(number) +
         "\nlineage: \"0123456789abcdef\"\n" +
         (before.empty() ? "" : "previous: " + before.back() + "\n") +
         (before.size() < 2 ? "" : "behind: [" + behind + "]\n") +
         "recorded:\n  by: record\n  code: " + revision +
         "\n  compiler: \"g++\"\n  revctl: 0.1.0\n  seed: 1\ntypes:\n  - type: " + type +
         "\n    compared: [" + std::to_string(number) +
         "]\n    fields:\n      - {name: x, type: i32, size: 4, form: add, since: " + revision +
         ", from: " + std::to_string(number) + "}\nenums: []\ncases: []\nupgrades: []\n";
}

}  // namespace revctl::testing
