#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "harness/check/check.h"
#include "harness/recording/recording.h"

namespace revctl::harness::test {

/// True if the address sanitizer is active. It reserves its own address space, and ends a process
/// that exceeds its memory limit in its own way.
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

/// A new golden folder, removed after the test.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  ~Folder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The result of a shell command.
struct Ran {
  int exit = -1;  ///< -1 if a signal ended it
  std::string out, err;
};

/// Runs a shell command in the folder, without variables of the machine's environment.
Ran Run(const Folder& folder, const std::string& command);

/// Runs a program in a pseudo-terminal, 60 columns wide, and types the answers. Its whole output is
/// in `out`. `ci`: sets CI.
Ran RunAtTerminal(const Folder& folder, std::vector<std::string> words, const std::string& typed,
                  bool ci = false);

/// `git` with a configured name and mail address.
inline const std::string kGit =
    "git -c user.name=n -c user.email=n@example.org -c init.defaultBranch=main ";

/// A program of testdata/ for this test: its path, and the path quoted for the shell.
std::string AdopterPath(const std::string& name);
std::string Adopter(const std::string& name);
/// Variants of the program that most tests run: with three revisions, with four, with more kinds of
/// types, with other names, with a field of another meaning, with a body that crashes.
inline const std::string kThree = Adopter("r3"), kFour = Adopter("r4"), kMore = Adopter("more"),
                         kRenamed = Adopter("renamed"), kMeant = Adopter("meant"),
                         kCrash = Adopter("crash");
/// revctl, quoted for the shell.
std::string Tool();
/// A library to preload, which kills a process at one of its writes.
std::string KillAt();
/// The folder of the sources.
std::string Sources();

/// Returns the names of the files in the folder's `golden`, sorted.
std::vector<std::string> Listing(const Folder& folder);
/// Returns the content of a file; empty if there is no such file.
std::string Bytes(const std::string& path);

/// A program at some point in time: its list and its registered types, without main() and without a
/// process.
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
  /// Records the newest revision into `folder`; fails the test if that does not work.
  void Record(const Folder& folder) const;
  CheckResult Check(const Folder& folder) const;
};

/// Returns every error as `GH001 Score.p1Score`, in order.
std::vector<std::string> Errors(const CheckResult& result);
/// Returns all findings, for messages of failing tests.
std::string Text(const CheckResult& result);
/// Returns the first finding of `rule` about `type`.`field`; fails the test if there is none.
Finding Find(const CheckResult& result, const std::string& rule, const std::string& type,
             const std::string& field);

/// Returns the line of the source that a finding points at; empty if there is none.
std::string SourceLine(const Finding& finding);

/// Returns the row of a mutation in the output of `selftest --json`; fails the test if there is
/// none.
std::string MutationRow(const std::string& json, const std::string& mutation);

}  // namespace revctl::harness::test
