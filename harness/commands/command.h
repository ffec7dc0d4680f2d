#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "harness/commands/session.h"

namespace revctl::harness {

// What each command is given, and the command: one file each.

struct RecordArguments {
  std::vector<std::string> refresh;  ///< pending revisions to be written anew
  bool refresh_pending = false;      ///< all of them that are recorded
  bool backfill = false;             ///< also revisions older than what is recorded
  bool allow_ci = false;
  bool baseline = false;  ///< accept what nothing reaches today
  std::string reason;     ///< for the baseline
};
Exit RunRecord(const Session& session, const RecordArguments& arguments);

struct RecordHistoryArguments {
  std::string build;              ///< command line of the shell that builds the project
  std::string program;            ///< the harness that it leaves, below the work tree
  std::vector<std::string> with;  ///< today's files, in place of those of the commit
  bool go_on = false;             ///< after one that was stopped
  bool allow_ci = false;
};
Exit RunRecordHistory(const Session& session, const RecordHistoryArguments& arguments);

struct ApproveArguments {
  // One of these says what:
  std::string rename;      ///< `Type.field=new_name`
  std::string upgraded;    ///< root type whose goldens may become what today's code makes of them
  std::string enumerator;  ///< `Enum.name`
  std::string condition;   ///< `Type.field`
  std::string pending;     ///< id that `review --list` gives
  std::string reason;
};
Exit RunApprove(const Session& session, const ApproveArguments& arguments);

struct ReviewArguments {
  bool list = false;  ///< print what is pending instead of asking
};
Exit RunReview(const Session& session, const ReviewArguments& arguments);

struct CheckArguments {
  bool thorough = false;    ///< hostile input at every byte, as `sweep` does
  bool in_process = false;  ///< a crash ends the program, where a debugger sees it
  std::string replay;       ///< `golden SR_A/auto-1`: only this one, of `type`, in this process
  std::string type;
  std::vector<std::string> outputs;  ///< files for the findings, `FILE` or `FORMAT=FILE`
};
Exit RunCheck(const Session& session, const CheckArguments& arguments);

struct SweepArguments {
  double fuzz_seconds = 5;
  std::string shard;   ///< `2/5`; empty: everything
  std::string report;  ///< folder for index.html and report.json; empty: none
  std::string costs;   ///< report.json of an earlier sweep, by whose costs the shards are split
  std::vector<std::string> outputs;  ///< files for the findings, `FILE` or `FORMAT=FILE`
};
Exit RunSweep(const Session& session, const SweepArguments& arguments);

struct MergeReportsArguments {
  std::vector<std::string> folders;  ///< of the shards, or their report.json files
  std::string output;                ///< folder of the joined report
};
Exit RunMergeReports(const Session& session, const MergeReportsArguments& arguments);

struct DumpArguments {
  std::string file, type, revision;
  bool tree = false;
  bool textconv = false;  ///< for `git diff`: the file may lie anywhere, under any name
};
Exit RunDump(const Session& session, const DumpArguments& arguments);

struct ConvertArguments {
  std::string file, type;
  std::string revision;      ///< of a payload without a header
  std::string written_with;  ///< the list of the program that wrote it, where that is another
  bool to_json = false, from_json = false;
  std::string to_revision;
  std::string output;  ///< stdout where empty
};
Exit RunConvert(const Session& session, const ConvertArguments& arguments);

struct ImportArguments {
  std::string file, type, name;
  std::string revision;    ///< of a payload without a header
  bool anonymise = false;  ///< no text of the user's goes into the golden
};
Exit RunImport(const Session& session, const ImportArguments& arguments);

struct TestArguments {
  std::vector<std::string> words;  ///< Catch2's options and test specs
};
Exit RunTest(const Session& session, const TestArguments& arguments);

struct SelfTestArguments {
  std::string type;              ///< of this root type alone
  std::size_t most_goldens = 4;  ///< of each type and revision
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
