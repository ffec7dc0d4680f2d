#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "golden/store.h"
#include "harness/check/check.h"
#include "harness/trace/registry.h"
#include "revctl/base/counted.h"
#include "revctl/base/json.h"
#include "revctl/base/result.h"
#include "revctl/findings/finding.h"

namespace revctl::harness {

/// The input of every command. Commands print results on stdout and messages on stderr.
struct Session {
  Registry registry;
  /// null only in commands with Needs::Nothing
  const revctl::ListTable* list = nullptr;
  std::string path;  ///< path that was used to start this harness
  /// command line that starts this harness with the same golden folder and seed
  std::string program;
  std::string golden;       ///< the folder of goldens
  std::string source_root;  ///< repository of the sources; may be empty
  revctl::findings::Format format = revctl::findings::Format::Text;
  bool quiet = false;
  bool colour = false;
  std::uint64_t seed = 1;
};

CheckOptions OptionsOf(const Session& session);

/// Prints findings on stdout, with a status line that contains `checked`, and writes them to the
/// `--output` files. The status line goes to stderr unless the findings on stdout are text.
/// `facts`, which is called at most once, returns Markdown with details of the check. Returns Fine
/// if everything was written, otherwise the status for the failure.
Exit PrintFindings(const Session& session, const std::vector<std::string>& outputs,
                   const std::vector<Finding>& findings, const std::string& checked,
                   const std::function<std::string()>& facts = {});

void PrintJson(const base::Json& json);

/// Prints `error: message` and the fix on stderr, and returns `exit`.
Exit Refuse(Exit exit, const std::string& message, const std::string& fix = "");
Exit Refuse(Exit exit, const base::Error& error);
/// Prints the error and its fix on stderr, and returns the error's exit code.
Exit Refuse(const base::Error& error);

using base::Counted;

/// Returns a string such as `1 type, 8 revisions, 74 goldens`.
std::string CheckedCounts(const CheckResult& result);

/// Warns if a source file named in an error cannot be read, because then the suggested lines may
/// not fit the file.
void NameUnreadSources(const Session& session, const std::vector<Finding>& findings);

/// Returns the revision with this name (with or without the list's prefix) or number, or null.
const revctl::ListEntry* FindRevision(const Session& session, const std::string& name);

/// Returns the error for an unknown revision, which suggests the most similar name.
std::string NoSuchRevision(const Session& session, const std::string& name);

/// A progress line on stderr, which is updated every second. It appears only on a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  /// Shows the number of inputs tested so far, in a sweep of `seconds` seconds.
  void ShowInputs(std::uint64_t inputs, double seconds, const std::string& type);
  void ShowGoldens(std::size_t done, std::size_t all, const std::string& type);
  void ShowFiles(std::size_t done, std::size_t all, const std::string& file);
  /// Returns the line that ShowGoldens draws `spent` seconds after the start.
  static std::string Goldens(std::size_t done, std::size_t all, double spent,
                             const std::string& type);

 private:
  using Clock = std::chrono::steady_clock;
  /// Returns the seconds since the start, or 0 if nothing should be drawn now.
  double Due();
  void Draw(std::string line);
  void Wipe();

  const std::size_t width_;  ///< 0 means that nothing is drawn
  const Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_ = began_;
  std::size_t shown_ = 0;
};

/// Runs CheckIsolated and shows a progress line.
CheckResult CheckShown(const Session& session, const golden::Store& store, CheckOptions options);

}  // namespace revctl::harness
