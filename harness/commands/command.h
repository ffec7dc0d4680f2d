#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/commands/session.h"

namespace revctl::harness {

// The commands and their arguments.

struct RecordArguments {
  std::vector<std::string> refresh;  ///< pending revisions to record again
  bool refresh_pending = false;      ///< refresh all recorded pending revisions
  bool backfill = false;             ///< also record older revisions that have no goldens
  bool allow_ci = false;
  bool baseline = false;  ///< accept every place that no golden covers yet
  std::string reason;     ///< reason for the baseline
};
Exit RunRecord(const Session& session, const RecordArguments& arguments);

struct RecordHistoryArguments {
  std::string build;    ///< shell command that builds the project
  std::string program;  ///< path of the harness that `build` creates, relative to the work tree
  std::vector<std::string> with;  ///< current files that replace the commit's files
  bool go_on = false;             ///< resume a run that was stopped
  bool allow_ci = false;
};
Exit RunRecordHistory(const Session& session, const RecordHistoryArguments& arguments);

struct ApproveArguments {
  // Exactly one of the following is set:
  std::string rename;      ///< `Type.field=new_name`
  std::string upgraded;    ///< root type whose goldens may be upgraded to new values
  std::string enumerator;  ///< `Enum.name`
  std::string condition;   ///< `Type.field`
  std::string pending;     ///< id from `review --list`
  std::string reason;
};
Exit RunApprove(const Session& session, const ApproveArguments& arguments);

struct ReviewArguments {
  bool list = false;  ///< print the pending changes instead of asking about each
};
Exit RunReview(const Session& session, const ReviewArguments& arguments);

struct CheckArguments {
  bool thorough = false;    ///< also read inputs that are truncated at every byte, as `sweep` does
  bool in_process = false;  ///< run bodies in this process, so that a debugger sees crashes
  std::string replay;       ///< `golden SR_A/auto-1`: run only this step of `type`, in this process
  std::string type;         ///< check only this type; empty means all types
  std::vector<std::string> outputs;  ///< files for findings: `FILE` or `FORMAT=FILE`
};
Exit RunCheck(const Session& session, const CheckArguments& arguments);

struct SweepArguments {
  double fuzz_seconds = 5;
  std::string shard;   ///< a shard such as `2/5`; empty means all types
  std::string report;  ///< folder for index.html and report.json; empty means no report
  /// report.json of an earlier sweep, whose costs determine how the types are split into shards
  std::string costs;
  std::vector<std::string> outputs;  ///< files for findings: `FILE` or `FORMAT=FILE`
};
Exit RunSweep(const Session& session, const SweepArguments& arguments);

struct MergeReportsArguments {
  /// Folders with the shards' reports, or their report.json files.
  std::vector<std::string> folders;
  std::string output;  ///< folder for the merged report
};
Exit RunMergeReports(const Session& session, const MergeReportsArguments& arguments);

struct DumpArguments {
  std::string file, type, revision;
  bool tree = false;
  bool textconv = false;  ///< set by `git diff`: the file may have any name and be in any folder
  bool html = false;      ///< write a page for people who do not have the program
};
Exit RunDump(const Session& session, const DumpArguments& arguments);

/// Prints a pack of payloads as text for `git diff`. Each payload is printed below its hash: as a
/// tree if a record in the golden folder describes the payload, and in hex otherwise. The file's
/// name does not matter, because git passes temporary files.
Exit RunTextconv(const Session& session, const std::string& file);

/// Lets `git diff` show payloads as text. Writes a .gitattributes if the golden folder is in a git
/// work tree and has none. This file overrides attributes of outer folders, such as `*.golden
/// binary`, which would hide all differences. Also prints the configuration that each clone needs
/// once, because git does not run commands that files in a repository define.
Exit OfferTextconv(const Session& session);

struct ConvertArguments {
  std::string file, type;
  std::string revision;      ///< revision of a payload without a header
  std::string written_with;  ///< list of the program that wrote the file; empty means our own list
  bool to_json = false, from_json = false;
  std::string to_revision;
  std::string output;  ///< file to write; empty means stdout
};
Exit RunConvert(const Session& session, const ConvertArguments& arguments);

struct ImportArguments {
  std::string file, type, name;
  std::string revision;    ///< revision of a payload without a header
  bool anonymise = false;  ///< replace the user's strings in the golden
};
Exit RunImport(const Session& session, const ImportArguments& arguments);

struct TestArguments {
  std::vector<std::string> words;  ///< options and test specs for Catch2
};
Exit RunTest(const Session& session, const TestArguments& arguments);

struct SelfTestArguments {
  std::string type;              ///< only this root type; empty means all
  std::size_t most_goldens = 4;  ///< limit per type and revision
};
Exit RunSelfTest(const Session& session, const SelfTestArguments& arguments);

struct SchemaArguments {
  std::string type, at;
  std::string format = "yaml";  ///< `yaml`, `json` or `ksy`
};
Exit RunSchema(const Session& session, const SchemaArguments& arguments);

struct DiffArguments {
  std::string from, to;
};
Exit RunDiff(const Session& session, const DiffArguments& arguments);

}  // namespace revctl::harness
