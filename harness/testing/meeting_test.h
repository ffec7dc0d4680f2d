#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {

inline const std::string kProgram = Tool();
inline const std::string kParty = Adopter("party");

/// A server and two clones, ann's and bob's. SR_INITIAL and SR_LUCK are recorded and have landed.
struct Meeting {
  Folder folder;

  Meeting() { Shell("cp -r '" + Landed().folder.path() + "'/. ."); }

  /// Selects the constructor that makes the initial state, which takes about twenty processes. All
  /// other Meetings copy this state.
  enum class First { Made };
  static const Meeting& Landed() {
    static const Meeting landed(First::Made);
    return landed;
  }
  explicit Meeting(First) {
    Shell(kGit + "init -q --bare server && printf '#!/bin/sh\nexec " + kProgram +
          " pre-receive\n' >server/hooks/pre-receive && chmod +x server/hooks/pre-receive && " +
          kGit + "init -q ann && cd ann && git remote add origin ../server && mkdir src && " +
          "printf 'enum Revision {\n    SR_INITIAL = 1,\n};\n' >src/master_version_list.h && " +
          "printf 'version: 1\nreservation: optional\nlists: [{path: src/master_version_list.h, "
          "golden: golden}]\n' >.revctl.yaml && " +
          "printf '/src/master_version_list.h merge=revctl\n' >.gitattributes && " +
          "git config user.name n && git config user.email n@example.org && " +
          "git config merge.revctl.driver '" + kProgram + " merge-driver %O %A %B %L %P'");
    Record("ann");
    Add("ann", "SR_LUCK", 2);
    Record("ann");
    Commit("ann", "first");
    REQUIRE(Push("ann").exit == 0);
    Shell("cd ann && git fetch -q && cd .. && cp -r ann bob");
  }

  Ran Shell(const std::string& command, bool fine = true) const {
    Ran ran = Run(folder, "( " + command + " )");
    INFO(command << "\n" << ran.out << ran.err);
    if (fine) REQUIRE(ran.exit == 0);
    return ran;
  }
  void Add(const std::string& who, const std::string& name, int number) const {
    Shell("cd " + who + " && sed -i 's/^};/    " + name + " = " + std::to_string(number) +
          ",\\n};/' src/master_version_list.h");
  }
  Ran Harness(const std::string& who, const std::string& words, const std::string& set = "") const {
    return Shell("cd " + who + " && " + set + " " + kParty + " " + words + " --golden golden",
                 false);
  }
  void Record(const std::string& who, const std::string& words = "") const {
    const Ran ran = Harness(who, "record" + words);
    INFO(ran.out << ran.err);
    REQUIRE(ran.exit == 0);
  }
  void Commit(const std::string& who, const std::string& what) const {
    Shell("cd " + who + " && git add -A && " + kGit + "commit -qm '" + what + "'");
  }
  Ran Push(const std::string& who) const {
    return Shell("cd " + who + " && git push -q origin HEAD:main", false);
  }
  Ran Revctl(const std::string& who, const std::string& words) const {
    return Shell("cd " + who + " && " + kProgram + " " + words, false);
  }
  /// Does the usual work on a branch: adds a revision, records its goldens, checks them, and
  /// commits.
  void Work(const std::string& who, const std::string& revision, int number) const {
    Add(who, revision, number);
    Record(who);
    const Ran check = Harness(who, "check");
    INFO(check.out << check.err);
    REQUIRE(check.exit == 0);
    Commit(who, revision);
  }
  /// Lands ann's revision, adds one on bob's branch, and merges main into that branch. There, bob's
  /// revision gets the next number.
  void Meet(const std::string& anns, const std::string& bobs) const {
    Work("ann", anns, 3);
    const Ran landed = Push("ann");
    INFO(landed.err);
    REQUIRE(landed.exit == 0);
    Work("bob", bobs, 3);
    Shell("cd bob && git fetch -q && git merge -q -m merge origin/main");
    const Ran renumbered = Revctl("bob", "fix");
    INFO(renumbered.out << renumbered.err);
    REQUIRE(renumbered.exit <= 1);  // exit 1 reports stale goldens
    renumber_said = renumbered.out;
    Shell("cd bob && { git diff --quiet || " + kGit + "commit -qam numbers; }");
  }
  mutable std::string renumber_said;
};

inline std::size_t Count(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace revctl::harness::test
