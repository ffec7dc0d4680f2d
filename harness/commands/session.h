#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "golden/store.h"
#include "harness/check/check.h"
#include "harness/trace/registry.h"
#include "revctl/base/json.h"
#include "revctl/base/result.h"
#include "revctl/findings/finding.h"

namespace revctl::harness {

/// What every command is given. Where a command prints: results on stdout, talk on stderr.
struct Session {
  Registry registry;
  const revctl::ListTable* list = nullptr;  ///< never null: main refuses to start without one
  std::string path;                         ///< by which this harness was called
  std::string program;      ///< how a person calls it for the same store and seed, in a shell
  std::string golden;       ///< folder of the goldens
  std::string source_root;  ///< the repository that holds the sources; may be empty
  revctl::findings::Format format = revctl::findings::Format::Text;
  bool quiet = false;
  bool colour = false;
  std::uint64_t seed = 1;
};

/// What Check needs to know of the session.
CheckOptions OptionsOf(const Session& session);

/// Prints findings on stdout and writes those of `--output`. Fine, or why that cannot be done.
Exit PrintFindings(const Session& session, const std::vector<std::string>& outputs,
                   const std::vector<Finding>& findings);

/// Prints the value and a line end on stdout.
void PrintJson(const base::Json& json);

/// Prints `error: message` and its fix on stderr; gives `exit`.
Exit Refuse(Exit exit, const std::string& message, const std::string& fix = "");
Exit Refuse(Exit exit, const base::Error& error);

/// `1 type`, `2 types`.
std::string Counted(std::size_t count, const std::string& noun);

/// `1 type, 8 revisions, 74 goldens`.
std::string CheckedCounts(const CheckResult& result);

/// Says on stderr which sources cannot be read, of those that errors name: the lines that mend
/// were printed without them.
void NameUnreadSources(const Session& session, const std::vector<Finding>& findings);

/// The revision of the list called `name`, with or without the list's prefix, or by number; null
/// where there is none.
const revctl::ListEntry* FindRevision(const Session& session, const std::string& name);

/// The error where there is none; names the nearest revision.
std::string NoSuchRevision(const Session& session, const std::string& name);

/// How far a long command is: one line on stderr, at a terminal alone, written anew each second.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  /// A sweep that tries inputs for so many seconds.
  void ShowInputs(std::uint64_t inputs, double seconds, const std::string& type);
  /// A check of so many goldens.
  void ShowGoldens(std::size_t done, std::size_t all, const std::string& type);
  /// That line, `spent` seconds after the begin.
  static std::string Goldens(std::size_t done, std::size_t all, double spent,
                             const std::string& type);

 private:
  using Clock = std::chrono::steady_clock;
  /// The seconds since it began; 0: nothing is to be drawn now.
  double Due();
  void Draw(std::string line);
  void Wipe();

  const std::size_t width_;  ///< 0: nothing is drawn
  const Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_ = began_;
  std::size_t shown_ = 0;
};

/// CheckIsolated, with a line of progress meanwhile.
CheckResult CheckShown(const Session& session, const golden::Store& store, CheckOptions options);

}  // namespace revctl::harness
