#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/scenarios/team.h"  // Has
#include "tests/support/sandbox.h"

namespace revctl::testing {

/// A folder without a repository, and a PATH without git, as in a Perforce, Plastic or SVN
/// workspace.
struct Depot {
  static constexpr const char* kList = "src/master_version_list.h";
  Sandbox sandbox;

  Depot() {
    namespace fs = std::filesystem;
    // PATH contains only the tools that the scripts in docs/guide/perforce.md use.
    fs::create_directories(sandbox.Path("bin"));
    for (const char* const tool : {"sh", "mktemp", "rm", "cp", "cat", "mkdir", "ls"}) {
      for (const char* const folder : {"/usr/bin/", "/bin/"}) {
        std::error_code error;
        if (fs::exists(std::string(folder) + tool, error))
          fs::create_symlink(std::string(folder) + tool, sandbox.Path("bin/") + tool, error);
      }
    }
    fs::create_symlink(ProgramPath(), sandbox.Path("bin/revctl"));
    for (fs::path at = sandbox.root(); at.has_relative_path(); at = at.parent_path()) {
      if (fs::exists(at / ".git")) throw std::runtime_error("the sandbox is in a repository");
    }
    sandbox.Write("ws/.revctl.yaml", "version: 1\nlists: [{path: " + std::string(kList) + "}]\n");
    sandbox.Write(std::string("ws/") + kList, List({{"SR_INITIAL", 1}, {"SR_FOULS", 2}}));
  }

  using Entries = std::vector<std::pair<std::string, int>>;
  /// Returns the text of a list. `more` contains further lines after the entries.
  static std::string List(const Entries& entries, const std::string& more = "") {
    std::string text = "#pragma once\nenum Revision {\n";
    for (const auto& [name, number] : entries)
      text += "    " + name + " = " + std::to_string(number) + ",\n";
    return text + more + "};\n";
  }

  std::vector<std::string> Environment() const { return {"PATH=" + sandbox.Path("bin")}; }
  base::ProcessResult Revctl(std::vector<std::string> arguments) const {
    return sandbox.Revctl("ws", std::move(arguments), Environment());
  }
  base::ProcessResult Shell(const std::string& line) const {
    return sandbox.Run("ws", {"/bin/sh", "-c", line}, Environment());
  }
};

}  // namespace revctl::testing
