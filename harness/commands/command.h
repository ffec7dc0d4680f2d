#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "golden/store.h"
#include "harness/registry.h"
#include "revctl/findings/error.h"
#include "revctl/findings/finding.h"
#include "revctl/list_table.h"

namespace harness {

using revctl::findings::Exit;

/// What every command is given. Where a command prints: results on stdout, talk on stderr.
struct Session {
  Registry registry;
  const revctl::ListTable* list = nullptr;  ///< never null: main refuses to start without one
  std::string program;                      ///< how this harness was called
  std::string golden;                       ///< folder of the goldens
  std::string source_root;                  ///< the repository that holds the sources; may be empty
  revctl::findings::Format format = revctl::findings::Format::Text;
  bool quiet = false;
  bool colour = false;
  std::uint64_t seed = 1;
};

struct RecordArguments {
  std::string refresh;    ///< a pending revision to be written anew
  bool backfill = false;  ///< also revisions older than what is recorded
  bool allow_ci = false;
};
Exit RunRecord(const Session& session, const RecordArguments& arguments);

struct ApproveArguments {
  std::string rename;  ///< `Type.field=new_name`
  std::string reason;
};
Exit RunApprove(const Session& session, const ApproveArguments& arguments);

struct CheckArguments {
  bool thorough = false;
};
Exit RunCheck(const Session& session, const CheckArguments& arguments);

struct SweepArguments {
  double fuzz_seconds = 5;
  std::string shard;   ///< `2/5`; empty: everything
  std::string report;  ///< folder for index.html and report.json; empty: none
  std::string costs;   ///< report.json of an earlier sweep, by whose costs the shards are split
};
Exit RunSweep(const Session& session, const SweepArguments& arguments);

struct MergeReportsArguments {
  std::vector<std::string> folders;  ///< of the shards, or their report.json files
  std::string output;                ///< folder of the joined report
};
Exit RunMergeReports(const Session& session, const MergeReportsArguments& arguments);

/// Writes index.html and report.json into `folder`, which is made.
Exit WriteReport(const std::string& folder, const std::string& json);

struct DumpArguments {
  std::string file, type, revision;
  bool tree = false;
};
Exit RunDump(const Session& session, const DumpArguments& arguments);

struct SchemaArguments {
  std::string type, at;
  std::string format = "yaml";  ///< yaml, json, ksy
};
Exit RunSchema(const Session& session, const SchemaArguments& arguments);

struct DiffArguments {
  std::string from, to;
};
Exit RunDiff(const Session& session, const DiffArguments& arguments);

/// Prints `error: message` and its fix on stderr; gives `exit`.
Exit Refuse(Exit exit, const std::string& message, const std::string& fix = "");

/// The revision of the list called `name`, with or without the list's prefix, or by number; null
/// where there is none.
const revctl::ListEntry* FindRevision(const Session& session, const std::string& name);

}  // namespace harness
