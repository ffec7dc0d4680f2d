#pragma once
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

#include "revctl/base/system/process.h"
#include "tests/support/servers.h"

namespace revctl::testing {

/// A bare repository on a real server (git daemon or another transport), and a clone for each user.
/// The list has two landed revisions.
struct Team {
  static constexpr const char* kList = "src/master_version_list.h";
  static constexpr const char* kServer = "srv/game.git";
  static constexpr const char* kListText =
      "#pragma once\nenum Revision {\n    SR_INITIAL=1,// ae: the beginning\n    SR_FOULS=2,// ae: "
      "fouls\n};\n";
  static constexpr const char* kConfig = "version: 1\nlists: [{path: src/master_version_list.h}]\n";

  Sandbox sandbox;
  std::unique_ptr<GitServer> server;

  explicit Team(const std::vector<std::string>& people = {"ann", "bob"},
                Transport transport = Transport::Git)
      : server(StartServer(transport, sandbox, "srv")) {
    const Sandbox& scene = SceneOf(people);
    sandbox.CopyFolder(scene, "srv/game.git");
    for (const std::string& person : people) {
      sandbox.CopyFolder(scene, person);
      sandbox.MoveOrigin(person, scene.Path("srv/game.git"), Url());
    }
  }

  std::string Url() const { return server->Url("game.git"); }
  /// Installs the gate on the server.
  void GuardServer() const {
    sandbox.WriteExecutable("srv/game.git/hooks/pre-receive",
                            "#!/bin/sh\nexec '" + ProgramPath() + "' pre-receive\n");
  }

  base::ProcessResult Revctl(const std::string& person, std::vector<std::string> arguments,
                             std::vector<std::string> environment = {}) const {
    return sandbox.Revctl(person, std::move(arguments), environment);
  }
  std::string List(const std::string& person) const { return sandbox.Read(person + "/" + kList); }
  /// Returns the list's revisions with their values, ordered by number, such as "SR_INITIAL=1
  /// SR_FOULS=2".
  std::string Numbers(const std::string& person) const {
    std::istringstream lines(Revctl(person, {"list"}).out);
    std::string line, out;
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      std::string number, name;
      words >> number >> name;
      out += (out.empty() ? "" : " ") + name + "=" + number;
    }
    return out;
  }
  /// Commits everything and pushes it to the server's main.
  void Land(const std::string& person) const {
    sandbox.CommitAll(person, "work of " + person);
    sandbox.Git(person, {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  }
  void InstallDriver(const std::string& person) const { Revctl(person, {"install"}); }

  /// Returns the initial repositories for a team of these people. Creates them only once per
  /// program, because that takes about twenty git processes.
  static const Sandbox& SceneOf(const std::vector<std::string>& people) {
    static std::map<std::vector<std::string>, Sandbox> scenes;
    const bool made = scenes.contains(people);
    const Sandbox& scene = scenes[people];
    if (made) return scene;
    std::filesystem::create_directories(scene.Path("srv"));
    scene.Git("srv", {"init", "-q", "--bare", "-b", "main", "game.git"});
    const std::string url = scene.Path("srv/game.git"), first = people[0];
    scene.Clone(url, first, first);
    scene.Write(first + "/" + kList, kListText);
    scene.Write(first + "/.revctl.yaml", kConfig);
    scene.Write(first + "/.gitattributes", std::string("/") + kList + " merge=revctl\n");
    scene.CommitAll(first, "first");
    scene.Git(first, {"push", "-q", "origin", "HEAD:main"});
    scene.Git(first, {"branch", "-q", "--set-upstream-to=origin/main"});
    for (std::size_t i = 1; i < people.size(); ++i) scene.Clone(url, people[i], people[i]);
    return scene;
  }

  std::vector<int> ReserveAtOnce(const std::vector<std::string>& people) const {
    std::vector<std::string> outputs(people.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < people.size(); ++i) {
      threads.emplace_back([this, &people, &outputs, i] {
        try {
          auto run = Revctl(people[i], {"reserve", "SR_OF_" + people[i]});
          outputs[i] =
              run.status == 0 ? run.out : "exit " + std::to_string(run.status) + ": " + run.err;
        } catch (const std::exception& error) {
          outputs[i] = error.what();  // is not the output expected below
        }
      });
    }
    for (auto& thread : threads) thread.join();
    std::vector<int> numbers;
    for (const std::string& line : outputs) {
      const std::size_t at = line.find("= ");
      const bool given = line.starts_with("SR_") && at != std::string::npos;
      if (!given) std::cerr << line << "\n";
      numbers.push_back(given ? std::atoi(line.c_str() + at + 2) : -1);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
};

inline bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs the squash command that a rejected push prints in `said`. Returns false if there is no such
/// command or if it fails.
inline bool SquashAsTold(const Team& team, const std::string& person, const std::string& said) {
  const std::size_t at = said.find("fix: git reset --soft ");
  if (at == std::string::npos) return false;
  // git pads the server's lines with trailing spaces, which the shell ignores.
  return team.sandbox.Run(person, {"sh", "-c", said.substr(at + 5, said.find('\n', at) - at - 5)})
             .status == 0;
}

/// Returns the contents of `SR_X.golden` for a record whose only payload is empty (size 0, hash
/// ef46db3751d8e999).
inline std::string NoBytes() {
  return std::string("rvgold\1\n\1\0\0\0", 12) + "\x99\xe9\xd8\x51\x37\xdb\x46\xef" +
         std::string(4, '\0');
}

inline void AddByHand(const Team& team, const std::string& person, const std::string& line) {
  std::string text = team.List(person);
  text.insert(text.rfind("};"), "    " + line + "\n");
  team.sandbox.Write(person + "/" + Team::kList, text);
}

}  // namespace revctl::testing
