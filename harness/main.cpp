// The harness's program: every executable made by revctl_add_harness() has this main(). One
// command, one file, under commands/; only this file picks the exit status.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "golden/shell_word.h"
#include "harness/commands/command.h"
#include "harness/history/work_tree.h"
#include "revctl/findings/nearest.h"
#include "revctl/findings/outputs.h"

namespace {

using revctl::harness::Exit;
namespace fs = std::filesystem;

/// The repository that holds `folder`, or `folder` itself.
std::string RepositoryOf(const std::string& folder) {
  if (folder.empty()) return folder;
  const fs::path root = revctl::harness::WorkTreeAround(fs::path(folder).lexically_normal());
  return root.empty() ? folder : root.string();
}

/// What must be right before any command makes sense.
Exit Prepare(revctl::harness::Session& session, bool needs_goldens = true) {
  using revctl::harness::Refuse;
  session.registry = revctl::harness::TakeRegistry();
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
  if (!session.golden.empty())
    session.program += " --golden " + revctl::golden::ShellWord(session.golden);
  if (session.seed != revctl::harness::Session().seed)
    session.program += " --seed " + std::to_string(session.seed);
  if (session.golden.empty()) session.golden = settings.golden;
  if (session.golden.empty() && needs_goldens)
    return Refuse(Exit::Usage, "where the goldens are is not known",
                  session.program + " --golden FOLDER");
  session.source_root = RepositoryOf(settings.source_root);
  return Exit::Fine;
}

/// Where the command stands: behind the options that all share, and their values; `argc` where
/// there is none.
int CommandAt(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--golden" || word == "--format" || word == "--seed") {
      ++i;
    } else if (!word.starts_with('-')) {
      return i;
    }
  }
  return argc;
}

/// Why `text` is no seed; empty where it is one.
std::string IsSeed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool number = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return number ? std::string() : text + " is no seed: a whole number from 0 on";
}

/// Takes the options that `test` shares with the other commands; all other words are Catch2's.
bool TakeOwn(const std::vector<std::string>& words, revctl::harness::Session& session,
             revctl::harness::TestArguments& test) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const std::string option = words[i].substr(0, equals);
    const bool has_value = equals != std::string::npos || !last;
    const auto value = [&] {
      return equals != std::string::npos ? words[i].substr(equals + 1) : words[++i];
    };
    if (option == "--golden" && has_value) {
      session.golden = value();
    } else if (option == "--seed" && has_value) {
      const std::string seed = value(), wrong = IsSeed(seed);
      if (!wrong.empty()) {
        (void)revctl::harness::Refuse(Exit::Usage, wrong);
        return false;
      }
      session.seed = std::strtoull(seed.c_str(), nullptr, 10);
    } else {
      test.words.push_back(words[i]);
    }
  }
  return true;
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

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(command->get_name());
  return out;
}

/// Refused before any command runs: a sweep is not to fail in the morning.
std::string IsOutput(const std::string& text) {
  const auto parsed = revctl::findings::ParseOutputs(revctl::findings::Format::Text, {text});
  return parsed.ok() ? std::string() : parsed.error().message;
}

/// A result that did not reach its reader (a full disk behind `>`) is no success.
int Finish(Exit exit) {
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  return static_cast<int>(
      lost && exit == Exit::Fine
          ? revctl::harness::Refuse(Exit::Environment, "stdout cannot be written")
          : exit);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that the shell lets grow no further is an error in words
  revctl::harness::Session session;
  session.path = argc > 0 ? argv[0] : "harness";
  session.program = revctl::golden::ShellWord(session.path);
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
  std::vector<std::string> names;
  for (const auto& [name, format] : formats) names.push_back(name);
  std::string format = "text";
  bool json = false;
  app.add_option("--golden", session.golden,
                 "folder of the goldens, instead of the one compiled in");
  app.add_option("--format", format, "of findings: text, json, github, gitlab, sarif, junit")
      ->transform(CLI::IsMember(names, CLI::ignore_case).description(""));
  app.add_flag("--json", json, "short for --format json");
  app.add_flag("-q,--quiet", session.quiet, "results only");
  app.add_option("--seed", session.seed, "of the automatic samples")
      ->check(CLI::Validator(IsSeed, ""))
      ->capture_default_str();

  Exit exit = Exit::Fine;
  const auto run = [&](auto command, auto& arguments, bool needs_goldens = true) {
    return [&, command, needs_goldens] {
      session.format = json ? revctl::findings::Format::Json : formats.at(format);
      exit = Prepare(session, needs_goldens);
      if (exit == Exit::Fine) exit = command(session, arguments);
    };
  };

  revctl::harness::RecordArguments record;
  auto* command =
      app.add_subcommand("record", "writes goldens and layouts for revisions that have none");
  auto* refresh =
      command
          ->add_option("--refresh", record.refresh,
                       "write those of this pending revision anew, with the same values; may be "
                       "given again")
          ->allow_extra_args(false);
  auto* refresh_pending = command->add_flag(
      "--refresh-pending", record.refresh_pending,
      "the same for every recorded revision that has not landed, where that changes anything");
  refresh_pending->excludes(refresh);
  command
      ->add_flag("--backfill", record.backfill,
                 "also for revisions older than the newest recorded one, with today's code")
      ->excludes(refresh)
      ->excludes(refresh_pending);
  command->add_flag("--allow-ci", record.allow_ci, "also where CI is set");
  command->add_flag("--baseline", record.baseline,
                    "accept what no golden and no sample reaches today, with --reason");
  command->add_option("--reason", record.reason, "of the baseline");
  command->callback(run(revctl::harness::RunRecord, record));

  revctl::harness::ApproveArguments approve;
  command = app.add_subcommand("approve", "accepts a legitimate change, with the reason");
  command->add_option("--rename", approve.rename,
                      "Type.old_name=new_name: a field or enumerator has another name");
  command->add_option("--upgraded", approve.upgraded,
                      "Type: what today's code makes of its older goldens is right");
  command->add_option("--enumerator", approve.enumerator,
                      "Enum.name: a new enumerator without a revision");
  command->add_option("--condition", approve.condition,
                      "Type.field: its condition reads differently and decides alike");
  command->add_option("--pending", approve.pending, "id that `review --list` gives");
  command->add_option("--reason", approve.reason, "why, for those who come later")->required();
  command->callback(run(revctl::harness::RunApprove, approve));

  revctl::harness::ReviewArguments review;
  command = app.add_subcommand("review", "asks about every change that may be meant");
  command->add_flag("--list", review.list, "prints them with their ids instead");
  command->callback(run(revctl::harness::RunReview, review));

  revctl::harness::CheckArguments check;
  command =
      app.add_subcommand("check", "before a merge: every signal over every type and revision");
  command->add_flag("--in-process", check.in_process,
                    "without a child process: a crash then ends the program, under a debugger");
  auto* replay = command->add_option(
      "--replay", check.replay,
      "golden or sample, as an error names it: runs it alone in this process, with --type");
  command->add_option("--type", check.type, "of --replay")->needs(replay);
  command->add_flag("--thorough", check.thorough, "hostile input at every byte, as `sweep` does");
  const auto output = [&command](std::vector<std::string>& files) {
    command
        ->add_option("--output", files,
                     "write the findings there in --format, and text to stdout; FORMAT=FILE: one "
                     "more file")
        ->allow_extra_args(false)
        ->check(CLI::Validator(IsOutput, ""));
  };
  output(check.outputs);
  command->callback(run(revctl::harness::RunCheck, check));

  revctl::harness::SweepArguments sweep;
  command = app.add_subcommand("sweep", "nightly: check, and hostile input");
  command->add_option("--fuzz", sweep.fuzz_seconds, "seconds of hostile input")
      ->check(CLI::Validator(IsTimeBudget, ""))
      ->capture_default_str();
  command->add_option("--shard", sweep.shard, "I/N: only the I-th of N parts");
  command->add_option("--report", sweep.report,
                      "folder for the report: index.html and report.json");
  command->add_option("--costs", sweep.costs,
                      "report.json of an earlier sweep: shards are split by what it measured");
  output(sweep.outputs);
  command->callback(run(revctl::harness::RunSweep, sweep));

  revctl::harness::MergeReportsArguments merge;
  command = app.add_subcommand("merge-reports", "joins the reports of all shards of a sweep");
  command->add_option("folders", merge.folders, "of the shards' reports")->required();
  command->add_option("--output", merge.output, "folder for the joined report")->required();
  command->callback(run(revctl::harness::RunMergeReports, merge, /*needs_goldens=*/false));

  revctl::harness::DumpArguments dump;
  command = app.add_subcommand("dump", "prints a golden or a save file as JSON");
  command->add_option("file", dump.file, "SR_NAME.golden, or a file that the program saved")
      ->required();
  command->add_option("--type", dump.type,
                      "what the file holds, where several types are registered");
  command->add_option("--revision", dump.revision,
                      "for a payload without a header: the revision that it was written at");
  command->add_flag("--tree", dump.tree,
                    "every value with its offset and size, as it stands in the file");
  command->add_flag("--textconv", dump.textconv,
                    "a pack of payloads as text for `git diff`, wherever git has put it");
  command->callback(run(revctl::harness::RunDump, dump));

  revctl::harness::ConvertArguments convert;
  command = app.add_subcommand("convert", "a save file to JSON, from JSON, to an older revision");
  command->add_option("file", convert.file, "a file that the program saved; JSON with --from-json")
      ->required();
  command->add_option("--type", convert.type, "what the file holds, where several are registered");
  command->add_flag("--to-json", convert.to_json, "writes JSON, as `dump` does");
  command->add_flag("--from-json", convert.from_json, "reads JSON and writes a save file");
  command->add_option("--to-revision", convert.to_revision,
                      "writes a save file for builds of this revision");
  command->add_option("--written-with", convert.written_with,
                      "list of the branch that wrote it: gates are opened by name");
  command->add_option("--revision", convert.revision, "of a payload without a header");
  command->add_option("-o,--output", convert.output, "where to write; stdout by default");
  command->callback(run(revctl::harness::RunConvert, convert, /*needs_goldens=*/false));

  revctl::harness::ImportArguments import_file;
  command = app.add_subcommand("import", "makes a golden of a user's file");
  command->add_option("file", import_file.file, "a file that the program saved")->required();
  command->add_option("--type", import_file.type, "what it holds, where several are registered");
  command->add_option("--name", import_file.name, "of the golden")->required();
  command->add_option("--revision", import_file.revision, "of a payload without a header");
  command->add_flag("--anonymise", import_file.anonymise, "replaces every text by another");
  command->callback(run(revctl::harness::RunImport, import_file));

  revctl::harness::SelfTestArguments self_test;
  command = app.add_subcommand("selftest", "mutates what was recorded and says what would notice");
  command->add_option("--type", self_test.type, "of this root type alone");
  command->add_option("--goldens", self_test.most_goldens, "of each type and revision, at most")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->callback(run(revctl::harness::RunSelfTest, self_test));

  revctl::harness::SchemaArguments schema;
  command = app.add_subcommand("schema", "prints the layout at a revision");
  command->add_option("--type", schema.type, "of this root type alone");
  command->add_option("--at", schema.at, "revision; the latest by default");
  command->add_option("--format", schema.format, "yaml, json, or ksy (Kaitai Struct)")
      ->check(CLI::IsMember({"yaml", "json", "ksy"}))
      ->capture_default_str();
  command->callback(run(revctl::harness::RunSchema, schema));

  revctl::harness::DiffArguments diff;
  command = app.add_subcommand("diff", "prints what changed in the layouts between two revisions");
  command->add_option("from", diff.from, "revision")->required();
  command->add_option("to", diff.to, "revision")->required();
  command->callback(run(revctl::harness::RunDiff, diff));

  revctl::harness::ExplainArguments explain;
  command = app.add_subcommand("explain", "what a rule means, why, how to mend it");
  command->add_option("rule", explain.rule, "GH001 or RV001; without one: all of them");
  command->callback([&] { exit = revctl::harness::RunExplain(session, explain); });

  // Everything behind `test` but --golden and --seed is Catch2's; before it stand these alone.
  revctl::harness::TestArguments test;
  app.add_subcommand("test", "the same signals as Catch2 test cases: test [Catch2 options]");
  const int at = CommandAt(argc, argv);
  if (at < argc && std::string_view(argv[at]) == "test") {
    if (!TakeOwn({argv + 1, argv + at}, session, test)) return static_cast<int>(Exit::Usage);
    if (!test.words.empty()) {
      return static_cast<int>(revctl::harness::Refuse(
          Exit::Usage, "`test` prints as Catch2 does, without " + test.words.front(),
          session.program + " test --reporter junit   # Catch2's options stand behind it"));
    }
    if (!TakeOwn({argv + at + 1, argv + argc}, session, test)) return static_cast<int>(Exit::Usage);
    exit = Prepare(session);
    return Finish(exit == Exit::Fine ? revctl::harness::RunTest(session, test) : exit);
  }
  // The library's own message for a slip in the command speaks of its options.
  const std::vector<std::string> commands = CommandNames(app);
  if (at < argc && std::find(commands.begin(), commands.end(), argv[at]) == commands.end()) {
    return static_cast<int>(
        revctl::harness::Refuse(Exit::Usage,
                                "there is no command `" + std::string(argv[at]) + "`" +
                                    revctl::findings::DidYouMean(argv[at], commands),
                                session.program + " --help"));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(Exit::Usage);
  }
  return Finish(exit);
}
