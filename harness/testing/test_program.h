#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "harness/check/check.h"
#include "harness/recording/recording.h"
#include "harness/testing/started_program.h"

namespace revctl::harness::test {

/// True in a build with an address sanitizer. Such a build needs more address space, and reports
/// running out of memory in a different way.
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

/// A golden folder that exists only during the test.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  ~Folder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The result of a shell command line.
struct Ran {
  int exit = -1;  ///< -1 if a signal ended the command
  std::string out, err;
};

/// Runs a shell command line in the folder, with CI unset and colors off.
Ran Run(const Folder& folder, const std::string& command);

/// Runs a program at a 60-column terminal and types `typed`. Stores all of the program's output in
/// `out`. If `ci` is true, sets the environment variable CI.
Ran RunAtTerminal(const Folder& folder, std::vector<std::string> words, const std::string& typed,
                  bool ci = false);

/// A `git` command with a user name and an email address, for commits.
inline const std::string kGit =
    "git -c user.name=n -c user.email=n@example.org -c init.defaultBranch=main ";

/// Return the path of a program built from testdata/; Adopter() quotes it for the shell.
std::string AdopterPath(const std::string& name);
std::string Adopter(const std::string& name);
/// Variants of the program that most tests use: three revisions, four revisions, more kinds of
/// types, renamed fields, intended changes, and a body that crashes.
inline const std::string kThree = Adopter("r3"), kFour = Adopter("r4"), kMore = Adopter("more"),
                         kRenamed = Adopter("renamed"), kMeant = Adopter("meant"),
                         kCrash = Adopter("crash");
/// Returns the path of revctl, quoted for the shell.
std::string Tool();
/// Returns the path of the library built from kill_at.cpp, which kills a process before one of its
/// writes.
std::string KillAt();
/// Returns the folder of the sources.
std::string Sources();

/// Returns the sorted names of the files in the folder's `golden` subfolder.
std::vector<std::string> Listing(const Folder& folder);
/// Returns the content of a file, or "" if it does not exist.
std::string Bytes(const std::string& path);

/// One version of a program: its list and its registered types. Runs in the test's process.
struct Program {
  std::vector<revctl::ListEntry> entries;
  Registry registry;

  /// Uses the first `count` revisions of the game's list.
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

  /// Returns the list, and makes this program's types available to all children started from now
  /// on.
  revctl::ListTable List() const;
  /// Records the newest revision into `folder`. If this fails, the test fails.
  void Record(const Folder& folder) const;
  CheckResult Check(const Folder& folder) const;
};

/// Returns a string such as `GH001 Score.p1Score` for each error, in order.
std::vector<std::string> Errors(const CheckResult& result);
/// Returns all findings as text, for the messages of failing tests.
std::string Text(const CheckResult& result);
/// Returns the first finding of `rule` about `type`.`field`. The test fails if there is none.
Finding Find(const CheckResult& result, const std::string& rule, const std::string& type,
             const std::string& field);

/// Returns the source line that a finding points to, or "".
std::string SourceLine(const Finding& finding);

/// Returns a mutation's row in the output of `selftest --json`. The test fails if there is none.
std::string MutationRow(const std::string& json, const std::string& mutation);

}  // namespace revctl::harness::test
