// The harness's program: every executable made by revctl_add_harness() has this main(). One
// command, one file, under commands/; only this file picks the exit status.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "harness/commands/command.h"

namespace {

using harness::Exit;
namespace fs = std::filesystem;

/// The repository that holds `folder`, or `folder` itself.
std::string RepositoryOf(const std::string& folder) {
  if (folder.empty()) return folder;
  std::error_code ignored;
  for (fs::path at = fs::path(folder).lexically_normal();; at = at.parent_path()) {
    if (fs::exists(at / ".git", ignored)) return at.string();
    if (!at.has_relative_path()) return folder;
  }
}

/// What must be right before any command makes sense.
Exit Prepare(harness::Session& session) {
  using harness::Refuse;
  session.registry = harness::TakeRegistry();
  for (const std::string& mistake : session.registry.mistakes)
    std::fprintf(stderr, "error: %s\n", mistake.c_str());
  if (!session.registry.mistakes.empty()) return Exit::Usage;
  session.list = revctl::DefaultList();
  if (session.list == nullptr || session.list->Latest() == nullptr) {
    return Refuse(Exit::Usage, "this program has no revision list, or several",
                  "build it with revctl_add_harness(... LIST path/to/list.h), or include one "
                  "header of `revctl codegen`");
  }
  if (session.registry.types.empty()) {
    return Refuse(Exit::Usage, "no type is registered",
                  "HARNESS_TYPE(YourType, SR_FIRST_REVISION_OF_IT);");
  }
  const auto& settings = session.registry.settings;
  if (session.golden.empty()) session.golden = settings.golden;
  if (session.golden.empty())
    return Refuse(Exit::Usage, "where the goldens are is not known",
                  session.program + " --golden FOLDER");
  session.source_root = RepositoryOf(settings.source_root);
  return Exit::Fine;
}

/// The command as typed: the first argument that is no option, or empty where options with values
/// come first.
std::string FirstWord(int argc, char** argv) {
  return argc > 1 && argv[1][0] != '-' ? argv[1] : std::string();
}

bool IsCommand(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->check_name(name)) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  harness::Session session;
  session.program = argc > 0 ? argv[0] : "harness";
  session.colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;

  CLI::App app(
      "Checks that every revision ever saved still loads, and that no layout changed without a "
      "revision.");
  app.require_subcommand(1);
  app.fallthrough();
  const std::map<std::string, revctl::findings::Format> formats = {
      {"text", revctl::findings::Format::Text},     {"json", revctl::findings::Format::Json},
      {"github", revctl::findings::Format::GitHub}, {"gitlab", revctl::findings::Format::GitLab},
      {"sarif", revctl::findings::Format::Sarif},   {"junit", revctl::findings::Format::JUnit}};
  bool json = false;
  app.add_option("--golden", session.golden,
                 "folder of the goldens, instead of the one compiled in");
  app.add_option("--format", session.format,
                 "of findings: text, json, github, gitlab, sarif, junit")
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""));
  app.add_flag("--json", json, "short for --format json");
  app.add_flag("-q,--quiet", session.quiet, "results only");
  app.add_option("--seed", session.seed, "of the automatic samples")->capture_default_str();

  Exit exit = Exit::Fine;
  const auto run = [&](auto command, auto& arguments) {
    return [&session, &exit, &json, command, &arguments] {
      if (json) session.format = revctl::findings::Format::Json;
      exit = Prepare(session);
      if (exit == Exit::Fine) exit = command(session, arguments);
    };
  };

  harness::RecordArguments record;
  auto* command =
      app.add_subcommand("record", "writes goldens and layouts for revisions that have none");
  command->add_option("--refresh", record.refresh, "write those of this pending revision anew");
  command->add_flag("--backfill", record.backfill,
                    "also for revisions older than the newest recorded one, with today's code");
  command->add_flag("--allow-ci", record.allow_ci, "also where CI is set");
  command->callback(run(harness::RunRecord, record));

  harness::ApproveArguments approve;
  command = app.add_subcommand(
      "approve", "accepts that a field or enumerator has another name, with the reason");
  command->add_option("--rename", approve.rename, "Type.old_name=new_name")->required();
  command->add_option("--reason", approve.reason, "why, for those who come later")->required();
  command->callback(run(harness::RunApprove, approve));

  harness::CheckArguments check;
  command =
      app.add_subcommand("check", "before a merge: every signal over every type and revision");
  command->callback(run(harness::RunCheck, check));

  harness::SweepArguments sweep;
  command = app.add_subcommand("sweep", "nightly: check, and hostile input");
  command->add_option("--fuzz", sweep.fuzz_seconds, "seconds of hostile input")
      ->capture_default_str();

  command->add_option("--shard", sweep.shard, "I/N: only the I-th of N parts");
  command->add_option("--report", sweep.report, "folder for the report: index.html and report.json");
  command->add_option("--costs", sweep.costs, "report.json of an earlier sweep: shards are split by what it measured");
  command->callback(run(harness::RunSweep, sweep));

  harness::MergeReportsArguments merge;
  command = app.add_subcommand("merge-reports", "joins the reports of all shards of a sweep");
  command->add_option("folders", merge.folders, "of the shards' reports")->required();
  command->add_option("--output", merge.output, "folder for the joined report")->required();
  command->callback(run(harness::RunMergeReports, merge));

  harness::DumpArguments dump;
  command = app.add_subcommand("dump", "prints a golden or a save file as JSON");
  command->add_option("file", dump.file, "SR_NAME.golden, or a file that the program saved")
      ->required();
  command->add_option("--type", dump.type,
                      "what the file holds, where several types are registered");
  command->add_option("--revision", dump.revision,
                      "for a payload without a header: the revision that it was written at");
  command->add_flag("--tree", dump.tree,
                    "every value with its offset and size, as it stands in the file");
  command->callback(run(harness::RunDump, dump));

  harness::SchemaArguments schema;
  command = app.add_subcommand("schema", "prints the layout at a revision");
  command->add_option("--type", schema.type, "of this root type alone");
  command->add_option("--at", schema.at, "revision; the latest by default");
  command->add_option("--format", schema.format, "yaml, json, or ksy (Kaitai Struct)")->check(CLI::IsMember({"yaml", "json", "ksy"}))->capture_default_str();
  command->callback(run(harness::RunSchema, schema));

  harness::DiffArguments diff;
  command = app.add_subcommand("diff", "prints what changed in the layouts between two revisions");
  command->add_option("from", diff.from, "revision")->required();
  command->add_option("to", diff.to, "revision")->required();
  command->callback(run(harness::RunDiff, diff));

  // The library's own message for a slip in the command speaks of its options.
  if (const std::string name = FirstWord(argc, argv); !name.empty() && !IsCommand(app, name)) {
    return static_cast<int>(harness::Refuse(Exit::Usage, "there is no command `" + name + "`",
                                            session.program + " --help"));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(Exit::Usage);
  }
  return static_cast<int>(exit);
}
