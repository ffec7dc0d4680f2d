#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/scenarios/team.h"

namespace revctl::testing {

/// A team with `land` as the `land:` settings in its config.
struct Landers : Team {
  explicit Landers(const std::string& land) {
    sandbox.Write("ann/.revctl.yaml", std::string(kConfig) + "land: {" + land + "}\n");
    sandbox.Git("ann", {"commit", "-q", "-a", "-m", "how we land"});
    sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
    sandbox.Git("bob", {"pull", "-q"});
  }
  /// Creates a branch with one commit per revision, which reserves the revision and adds code that
  /// uses it.
  void Branch(const std::string& person, const std::string& branch,
              const std::vector<std::string>& revisions) const {
    sandbox.Git(person, {"checkout", "-q", "-b", branch});
    for (const std::string& name : revisions) {
      const auto reserved = Revctl(person, {"reserve", name});
      if (reserved.status != 0) throw std::runtime_error(reserved.err);
      sandbox.Write(person + "/src/" + name + ".cpp", "ADD(" + name + ", x);\n");
      sandbox.CommitAll(person, name);
    }
  }
  std::string Main(const std::string& what = "main") const {
    return sandbox.Git("srv/game.git", {"rev-parse", what});
  }
  std::string Subjects(const std::string& range, bool first_parent = false) const {
    std::vector<std::string> log = {"log", "--format=%s", "--reverse"};
    if (first_parent) log.push_back("--first-parent");
    log.push_back(range);
    return sandbox.Git("srv/game.git", log);
  }
  std::string HeadOf(const std::string& person) const {
    return sandbox.Git(person, {"rev-parse", "HEAD"});
  }
  bool Clean(const std::string& person) const {
    return sandbox.Git(person, {"status", "--porcelain"}).empty();
  }
};

}  // namespace revctl::testing
