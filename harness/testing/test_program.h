#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "harness/check/check.h"
#include "harness/recording/recording.h"

namespace revctl::harness::test {

/// Whether an address sanitizer is at work: it has address space of its own, and ends a process
/// that wants more its own way.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// A golden folder of its own, gone with the test.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  ~Folder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What a command line of the shell did.
struct Ran {
  int exit = -1;  ///< -1 where a signal ended it
  std::string out, err;
};

/// Runs a command line of the shell in the folder, without what the machine's own environment might
/// add.
Ran Run(const Folder& folder, const std::string& command);

/// Runs a program at a terminal of its own, 60 columns wide, and types the answers. All that it
/// printed is in `out`. `ci`: with CI set.
Ran RunAtTerminal(const Folder& folder, std::vector<std::string> words, const std::string& typed,
                  bool ci = false);

/// `git` of a user who has set name and address.
inline const std::string kGit =
    "git -c user.name=n -c user.email=n@example.org -c init.defaultBranch=main ";

/// A program of testdata/ for this test: where it lies, and quoted for the shell.
std::string AdopterPath(const std::string& name);
std::string Adopter(const std::string& name);
/// The one that most tests run: at three revisions, at four, with types of more kinds, with other
/// names, with a field that means another thing, with a body that crashes.
inline const std::string kThree = Adopter("r3"), kFour = Adopter("r4"), kMore = Adopter("more"),
                         kRenamed = Adopter("renamed"), kMeant = Adopter("meant"),
                         kCrash = Adopter("crash");
/// revctl, quoted for the shell.
std::string Tool();
/// What ends a process at one of its writes, to be preloaded.
std::string KillAt();
/// The folder of the sources.
std::string Sources();

/// Names of what is in the folder's `golden`, sorted.
std::vector<std::string> Listing(const Folder& folder);
/// A whole file; empty where there is none.
std::string Bytes(const std::string& path);

/// A program as it was at some time: its list and its registered types. No main(), no process.
struct Program {
  std::vector<revctl::ListEntry> entries;
  Registry registry;

  /// The first `count` revisions of the game's list.
  explicit Program(std::size_t count);

  template <class T>
  Program& Type(std::int64_t since = 1) {
    RootType root;
    root.entry = revctl::harness::detail::EntryOf<T>(since, "SR_INITIAL", "game.cpp", 7);
    root.name = root.entry.type().name();
    registry.types.push_back(std::move(root));
    return *this;
  }
  Program& Sample(const char* name, void (*make)(void*)) {
    registry.types.back().samples.push_back(
        {registry.types.back().entry.type, name, make, "game.cpp", 9});
    return *this;
  }

  revctl::ListTable List() const { return {"main", entries, 1}; }
  /// Records the newest revision into `folder`; fails the test where that does not work.
  void Record(const Folder& folder) const;
  CheckResult Check(const Folder& folder) const;
};

/// `GH001 Score.p1Score` of every error, in order.
std::vector<std::string> Errors(const CheckResult& result);
/// Everything, for messages of failing tests.
std::string Text(const CheckResult& result);
/// The first finding of `rule` about `type`.`field`; fails the test where there is none.
Finding Find(const CheckResult& result, const std::string& rule, const std::string& type,
             const std::string& field);

/// The line of the source that a finding points at; empty where there is none.
std::string SourceLine(const Finding& finding);

/// The row of a mutation in what `selftest --json` prints; fails the test where there is none.
std::string MutationRow(const std::string& json, const std::string& mutation);

}  // namespace revctl::harness::test
