// The options of every command: what `COMMAND --help` prints.
#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "harness/commands/command_line.h"
#include "revctl/findings/outputs.h"

namespace revctl::harness {
namespace {

/// A command's arguments, which its options fill and its runner reads.
template <class Arguments>
std::shared_ptr<Arguments> New() {
  return std::make_shared<Arguments>();
}
template <class Arguments>
Runner RunnerOf(Exit (*run)(const Session&, const Arguments&),
                std::shared_ptr<Arguments> arguments) {
  return [run, arguments](const Session& session) { return run(session, *arguments); };
}

/// Why `text` is no number of seconds to spend; empty where it is one. A year is no night.
std::string IsTimeBudget(const std::string& text) {
  double seconds = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool number = error == std::errc() && end == text.data() + text.size();
  return number && seconds >= 0 && seconds <= 365.0 * 86400
             ? std::string()
             : text + " is no number of seconds: 0 for none, or 60, or 0.5";
}

/// Refused before any command runs: a sweep is not to fail in the morning.
std::string IsOutput(const std::string& text) {
  const auto parsed = findings::ParseOutputs(findings::Format::Text, {text});
  return parsed.ok() ? std::string() : parsed.error().message;
}

void AddOutput(CLI::App& command, std::vector<std::string>& files) {
  command
      .add_option("--output", files,
                  "write the findings there in --format, and text to stdout; FORMAT=FILE: one "
                  "more file")
      ->allow_extra_args(false)
      ->check(CLI::Validator(IsOutput, ""));
}

}  // namespace

Runner DeclareRecord(CLI::App& command) {
  auto record = New<RecordArguments>();
  auto* refresh =
      command
          .add_option("--refresh", record->refresh,
                      "write those of this pending revision anew, with the same values; may be "
                      "given again")
          ->allow_extra_args(false);
  auto* refresh_pending = command.add_flag(
      "--refresh-pending", record->refresh_pending,
      "the same for every recorded revision that has not landed, where that changes anything");
  refresh_pending->excludes(refresh);
  command
      .add_flag("--backfill", record->backfill,
                "also for revisions older than the newest recorded one, with today's code")
      ->excludes(refresh)
      ->excludes(refresh_pending);
  command.add_flag("--allow-ci", record->allow_ci, "also where CI is set");
  command.add_flag("--baseline", record->baseline,
                   "accept what no golden and no sample reaches today, with --reason");
  command.add_option("--reason", record->reason, "of the baseline");
  return RunnerOf(RunRecord, record);
}

Runner DeclareRecordHistory(CLI::App& command) {
  auto history = New<RecordHistoryArguments>();
  command
      .add_option("--build", history->build,
                  "command that builds the project, run in a work tree of each commit")
      ->required();
  command.add_option(
      "--program", history->program,
      "the harness that it leaves, below the work tree; this one's place by default");
  command
      .add_option("--with", history->with,
                  "file or folder of today that takes the place of the commit's; may be given "
                  "again")
      ->allow_extra_args(false);
  command.add_flag("--continue", history->go_on,
                   "after one that was stopped: what is done is kept, what failed is tried again");
  command.add_flag("--allow-ci", history->allow_ci, "also where CI is set");
  return RunnerOf(RunRecordHistory, history);
}

Runner DeclareApprove(CLI::App& command) {
  auto approve = New<ApproveArguments>();
  command.add_option("--rename", approve->rename,
                     "Type.old_name=new_name: a field or enumerator has another name");
  command.add_option("--upgraded", approve->upgraded,
                     "Type: what today's code makes of its older goldens is right");
  command.add_option("--enumerator", approve->enumerator,
                     "Enum.name: a new enumerator without a revision");
  command.add_option("--condition", approve->condition,
                     "Type.field: its condition reads differently and decides alike");
  command.add_option("--pending", approve->pending, "id that `review --list` gives");
  command.add_option("--reason", approve->reason, "why, for those who come later")->required();
  return RunnerOf(RunApprove, approve);
}

Runner DeclareReview(CLI::App& command) {
  auto review = New<ReviewArguments>();
  command.add_flag("--list", review->list, "prints them with their ids instead");
  return RunnerOf(RunReview, review);
}

Runner DeclareCheck(CLI::App& command) {
  auto check = New<CheckArguments>();
  command.add_flag("--in-process", check->in_process,
                   "without a child process: a crash then ends the program, under a debugger");
  auto* replay = command.add_option(
      "--replay", check->replay,
      "golden or sample, as an error names it: runs it alone in this process, with --type");
  command.add_option("--type", check->type, "of --replay")->needs(replay);
  command.add_flag("--thorough", check->thorough, "hostile input at every byte, as `sweep` does");
  AddOutput(command, check->outputs);
  return RunnerOf(RunCheck, check);
}

Runner DeclareSweep(CLI::App& command) {
  auto sweep = New<SweepArguments>();
  command.add_option("--fuzz", sweep->fuzz_seconds, "seconds of hostile input")
      ->check(CLI::Validator(IsTimeBudget, ""))
      ->capture_default_str();
  command.add_option("--shard", sweep->shard, "I/N: only the I-th of N parts");
  command.add_option("--report", sweep->report,
                     "folder for the report: index.html and report.json");
  command.add_option("--costs", sweep->costs,
                     "report.json of an earlier sweep: shards are split by what it measured");
  AddOutput(command, sweep->outputs);
  return RunnerOf(RunSweep, sweep);
}

Runner DeclareMergeReports(CLI::App& command) {
  auto merge = New<MergeReportsArguments>();
  command.add_option("folders", merge->folders, "of the shards' reports")->required();
  command.add_option("--output", merge->output, "folder for the joined report")->required();
  return RunnerOf(RunMergeReports, merge);
}

Runner DeclareDump(CLI::App& command) {
  auto dump = New<DumpArguments>();
  command.add_option("file", dump->file, "SR_NAME.golden, or a file that the program saved")
      ->required();
  command.add_option("--type", dump->type,
                     "what the file holds, where several types are registered");
  command.add_option("--revision", dump->revision,
                     "for a payload without a header: the revision that it was written at");
  command.add_flag("--tree", dump->tree,
                   "every value with its offset and size, as it stands in the file");
  command.add_flag("--textconv", dump->textconv,
                   "a pack of payloads as text for `git diff`, wherever git has put it");
  return RunnerOf(RunDump, dump);
}

Runner DeclareConvert(CLI::App& command) {
  auto convert = New<ConvertArguments>();
  command.add_option("file", convert->file, "a file that the program saved; JSON with --from-json")
      ->required();
  command.add_option("--type", convert->type, "what the file holds, where several are registered");
  command.add_flag("--to-json", convert->to_json, "writes JSON, as `dump` does");
  command.add_flag("--from-json", convert->from_json, "reads JSON and writes a save file");
  command.add_option("--to-revision", convert->to_revision,
                     "writes a save file for builds of this revision");
  command.add_option("--written-with", convert->written_with,
                     "list of the branch that wrote it: gates are opened by name");
  command.add_option("--revision", convert->revision, "of a payload without a header");
  command.add_option("-o,--output", convert->output, "where to write; stdout by default");
  return RunnerOf(RunConvert, convert);
}

Runner DeclareImport(CLI::App& command) {
  auto import_file = New<ImportArguments>();
  command.add_option("file", import_file->file, "a file that the program saved")->required();
  command.add_option("--type", import_file->type, "what it holds, where several are registered");
  command.add_option("--name", import_file->name, "of the golden")->required();
  command.add_option("--revision", import_file->revision, "of a payload without a header");
  command.add_flag("--anonymise", import_file->anonymise, "replaces every text by another");
  return RunnerOf(RunImport, import_file);
}

Runner DeclareSelfTest(CLI::App& command) {
  auto self_test = New<SelfTestArguments>();
  command.add_option("--type", self_test->type, "of this root type alone");
  command.add_option("--goldens", self_test->most_goldens, "of each type and revision, at most")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  return RunnerOf(RunSelfTest, self_test);
}

Runner DeclareSchema(CLI::App& command) {
  auto schema = New<SchemaArguments>();
  command.add_option("--type", schema->type, "of this root type alone");
  command.add_option("--at", schema->at, "revision; the latest by default");
  command.add_option("--format", schema->format, "yaml, json, or ksy (Kaitai Struct)")
      ->check(CLI::IsMember({"yaml", "json", "ksy"}))
      ->capture_default_str();
  return RunnerOf(RunSchema, schema);
}

Runner DeclareDiff(CLI::App& command) {
  auto diff = New<DiffArguments>();
  command.add_option("from", diff->from, "revision")->required();
  command.add_option("to", diff->to, "revision")->required();
  return RunnerOf(RunDiff, diff);
}

Runner DeclareExplain(CLI::App& command) {
  auto explain = New<ExplainArguments>();
  command.add_option("rule", explain->rule, "GH001 or RV001; without one: all of them");
  return RunnerOf(RunExplain, explain);
}

}  // namespace revctl::harness
