#pragma once
#include "tests/scenarios/team.h"

namespace revctl::testing {

/// A team in which Ann is an attacker. She pushes without hooks, and creates commits that revctl
/// would not create.
struct Attacked : Team {
  explicit Attacked(bool guarded = true) {
    if (guarded) GuardServer();
  }

  /// Returns the server's message, or "" if the server accepted the push.
  std::string Push(const std::vector<std::string>& what) const {
    std::vector<std::string> arguments = {"push", "--no-verify", "origin"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    const auto result = sandbox.TryGit("ann", arguments);
    return result.status == 0 ? "" : result.err;
  }
  std::string PushCommit(const std::string& message, const std::string& to = "main") const {
    sandbox.CommitAll("ann", message);
    return Push({"HEAD:" + to});
  }
  /// Creates a ledger commit with git alone, as any client can, and returns the commit's id.
  std::string Event(const std::string& parent, const std::string& list,
                    const std::string& message) const {
    sandbox.Write("forged", "revctl-ledger-list 1\n" + list);
    const std::string blob = sandbox.Git("ann", {"hash-object", "-w", "../forged"});
    const std::string head = sandbox.Git("ann", {"rev-parse", std::string(kCopy) + ":ledger"});
    const auto tree =
        sandbox.Run("ann", {"git", "mktree"}, {},
                    "100644 blob " + head + "\tledger\n100644 blob " + blob + "\tlist.main\n");
    return sandbox.Git("ann", {"commit-tree", tree.out.substr(0, 40), "-p", parent, "-m", message});
  }
  void Policy(const std::string& lines) const {
    sandbox.Write("ann/.revctl.yaml", std::string(kConfig) + lines);
  }
  void EditLanded() const {
    std::string list = List("ann");
    list.replace(list.find("SR_FOULS=2"), 10, "SR_FOULS=7");
    sandbox.Write(std::string("ann/") + kList, list);
  }
  std::string Blob(const std::string& text) const {
    sandbox.Write("blob", text);
    return sandbox.Git("ann", {"hash-object", "-w", "../blob"});
  }
  static constexpr const char* kCopy = "refs/revctl/remotes/origin/ledger";
};

}  // namespace revctl::testing
