#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/commands/session.h"

namespace revctl::harness {

// The commands and their arguments. Each command is in its own file.

struct RecordArguments {
  std::vector<std::string> refresh;  ///< pending revisions to record again
  bool refresh_pending = false;      ///< refresh all recorded pending revisions
  bool backfill = false;             ///< also record older revisions without goldens
  bool allow_ci = false;
  bool baseline = false;  ///< accept everything that is uncovered today
  std::string reason;     ///< for the baseline
};
Exit RunRecord(const Session& session, const RecordArguments& arguments);

struct RecordHistoryArguments {
  std::string build;              ///< shell command that builds the project
  std::string program;            ///< path of the resulting harness in the work tree
  std::vector<std::string> with;  ///< files of today that replace those of the commit
  bool go_on = false;             ///< resume a run that was stopped
  bool allow_ci = false;
};
Exit RunRecordHistory(const Session& session, const RecordHistoryArguments& arguments);

struct ApproveArguments {
  // Exactly one of these is set:
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
  bool thorough = false;    ///< hostile input cut at every byte, like `sweep`
  bool in_process = false;  ///< run bodies in this process, so that a debugger sees crashes
  std::string replay;       ///< `golden SR_A/auto-1`: run only this step of `type`, in this process
  std::string type;         ///< check only this type; empty: all types
  std::vector<std::string> outputs;  ///< files for findings: `FILE` or `FORMAT=FILE`
};
Exit RunCheck(const Session& session, const CheckArguments& arguments);

struct SweepArguments {
  double fuzz_seconds = 5;
  std::string shard;   ///< `2/5`; empty: all types
  std::string report;  ///< folder for index.html and report.json; empty: none
  std::string costs;   ///< report.json of an earlier sweep, whose costs decide how to split shards
  std::vector<std::string> outputs;  ///< files for findings: `FILE` or `FORMAT=FILE`
};
Exit RunSweep(const Session& session, const SweepArguments& arguments);

struct MergeReportsArguments {
  std::vector<std::string> folders;  ///< folders of the shards' reports, or their report.json files
  std::string output;                ///< folder for the merged report
};
Exit RunMergeReports(const Session& session, const MergeReportsArguments& arguments);

struct DumpArguments {
  std::string file, type, revision;
  bool tree = false;
  bool textconv = false;  ///< for `git diff`: the file may have any name and place
  bool html = false;      ///< a page for people without the program
};
Exit RunDump(const Session& session, const DumpArguments& arguments);

struct ConvertArguments {
  std::string file, type;
  std::string revision;      ///< of a payload without a header
  std::string written_with;  ///< list of the program that wrote the file, if different
  bool to_json = false, from_json = false;
  std::string to_revision;
  std::string output;  ///< empty: stdout
};
Exit RunConvert(const Session& session, const ConvertArguments& arguments);

struct ImportArguments {
  std::string file, type, name;
  std::string revision;    ///< of a payload without a header
  bool anonymise = false;  ///< replace the user's texts in the golden
};
Exit RunImport(const Session& session, const ImportArguments& arguments);

struct TestArguments {
  std::vector<std::string> words;  ///< options and test specs for Catch2
};
Exit RunTest(const Session& session, const TestArguments& arguments);

struct SelfTestArguments {
  std::string type;              ///< only this root type; empty: all
  std::size_t most_goldens = 4;  ///< per type and revision
};
Exit RunSelfTest(const Session& session, const SelfTestArguments& arguments);

struct SchemaArguments {
  std::string type, at;
  std::string format = "yaml";  ///< yaml, json, ksy
};
Exit RunSchema(const Session& session, const SchemaArguments& arguments);

struct DiffArguments {
  std::string from, to;
};
Exit RunDiff(const Session& session, const DiffArguments& arguments);

}  // namespace revctl::harness
