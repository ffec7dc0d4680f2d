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
  const revctl::ListTable* list = nullptr;  ///< never null: main refuses to start without one
  std::string path;                         ///< path by which this harness was started
  std::string program;      ///< command line that starts it again with the same store and seed
  std::string golden;       ///< folder of goldens
  std::string source_root;  ///< repository of the sources; may be empty
  revctl::findings::Format format = revctl::findings::Format::Text;
  bool quiet = false;
  bool colour = false;
  std::uint64_t seed = 1;
};

CheckOptions OptionsOf(const Session& session);

/// Prints findings on stdout, with a status line that names what was `checked`, and writes them to
/// the `--output` files. The status line goes to stderr if stdout has no text. `facts` returns
/// Markdown about what was checked; it is called at most once. Returns Fine, or the status of a
/// failure.
Exit PrintFindings(const Session& session, const std::vector<std::string>& outputs,
                   const std::vector<Finding>& findings, const std::string& checked,
                   const std::function<std::string()>& facts = {});

void PrintJson(const base::Json& json);

/// Prints `error: message` and the fix on stderr. Returns `exit`.
Exit Refuse(Exit exit, const std::string& message, const std::string& fix = "");
Exit Refuse(Exit exit, const base::Error& error);

using base::Counted;

/// Returns `1 type, 8 revisions, 74 goldens`.
std::string CheckedCounts(const CheckResult& result);

/// Warns about unreadable source files in errors, because suggested lines were printed without
/// reading them.
void NameUnreadSources(const Session& session, const std::vector<Finding>& findings);

/// Returns the revision called `name`, with or without the list's prefix, or with that number; null
/// if there is none.
const revctl::ListEntry* FindRevision(const Session& session, const std::string& name);

/// Returns the error for an unknown revision, which suggests the most similar name.
std::string NoSuchRevision(const Session& session, const std::string& name);

/// A progress line on stderr, updated every second; only at a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  /// Shows the number of inputs in a sweep that takes `seconds`.
  void ShowInputs(std::uint64_t inputs, double seconds, const std::string& type);
  void ShowGoldens(std::size_t done, std::size_t all, const std::string& type);
  void ShowFiles(std::size_t done, std::size_t all, const std::string& file);
  /// Returns the text of ShowGoldens' line, `spent` seconds after the start.
  static std::string Goldens(std::size_t done, std::size_t all, double spent,
                             const std::string& type);

 private:
  using Clock = std::chrono::steady_clock;
  /// Returns the seconds since the start, or 0 if nothing should be drawn now.
  double Due();
  void Draw(std::string line);
  void Wipe();

  const std::size_t width_;  ///< 0: draw nothing
  const Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_ = began_;
  std::size_t shown_ = 0;
};

/// Runs CheckIsolated with a progress line.
CheckResult CheckShown(const Session& session, const golden::Store& store, CheckOptions options);

}  // namespace revctl::harness
