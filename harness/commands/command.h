#pragma once
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

/// Makes `folder`, and removes an older report from it: what ends before its report is written, or
/// is killed, must leave none that passes for its own.
Exit BeginReport(const std::string& folder);
/// Writes index.html and report.json into `folder`, which is made.
Exit WriteReport(const std::string& folder, const std::string& json);

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

struct ExplainArguments {
  std::string rule;  ///< empty: all of them, a line each
};
/// What a rule means, why, how to mend it; needs no list and no golden.
Exit RunExplain(const Session& session, const ExplainArguments& arguments);

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

}  // namespace revctl::harness
