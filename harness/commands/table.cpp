// The table of commands, with their help text, their options, and the functions that run them.
#include <fmt/core.h>
#include <cstdio>
#include <filesystem>

#include <revctl/detail/base/parse_number.h>

#include "harness/commands/command.h"
#include "harness/commands/command_line.h"
#include "revctl/findings/outputs.h"
#include "revctl/findings/rule_table.h"

namespace revctl::harness {
namespace {

using Given = cli::Arguments;
using cli::Hint;
using cli::Option;
using Count = cli::Positional::Count;

/// Returns the values of `--output`. Rejects malformed values before the command runs, so that a
/// sweep does not fail at its end.
base::Result<std::vector<std::string>> OutputsOf(const Given& given) {
  TRY(findings::ParseOutputs(findings::Format::Text, given.All("--output")));
  return given.All("--output");
}

/// Parses all of `text` as a number in [least, most].
template <class Number>
bool Read(const std::string& text, Number least, Number most, Number& number) {
  return revctl::detail::ParseNumber(text, number) && number >= least && number <= most;
}

/// Returns an example such as `GH001 or RV001`.
std::string_view RuleExamples() {
  using findings::RuleId;
  static const std::string examples = fmt::format("{} or {}", findings::NameOf(RuleId::Layout),
                                                  findings::NameOf(RuleId::NumberTwice));
  return examples;
}

constexpr Option kAllowCi{"--allow-ci", "", "run even if $CI is set"};
constexpr Option kType{"--type", "TYPE",
                       "type of the file (required if several types are registered)", Hint::Type};
constexpr Option kRootType{"--type", "TYPE", "limit the command to this root type", Hint::Type};
constexpr Option kRevision{"--revision", "NAME", "revision of a payload without a header",
                           Hint::Revision};
constexpr Option kOutput{
    "--output", "FILE",
    "write findings to FILE in the --format, or use FORMAT=FILE; print text to stdout", Hint::File,
    true};

Exit Record(const Session& session, const Given& given) {
  if (const auto wrong =
          cli::Contradiction(given, {"--refresh", "--refresh-pending", "--backfill"}))
    return Refuse(*wrong);
  return RunRecord(session, {.refresh = given.All("--refresh"),
                             .refresh_pending = given.Has("--refresh-pending"),
                             .backfill = given.Has("--backfill"),
                             .allow_ci = given.Has("--allow-ci"),
                             .baseline = given.Has("--baseline"),
                             .reason = given.Value("--reason")});
}

Exit Explain(const std::string& name) {
  using namespace revctl::findings;
  const Rule* rule = FindRule(name);
  if (rule == nullptr && !name.empty())
    return Refuse(Exit::Usage, NoSuchRule(name), "run explain without a rule to list all rules");
  std::fputs((rule == nullptr ? DescribedAll() : Described(*rule)).c_str(), stdout);
  return Exit::Fine;
}

Exit RecordHistory(const Session& session, const Given& given) {
  return RunRecordHistory(session, {.build = given.Value("--build"),
                                    .program = given.Value("--program"),
                                    .with = given.All("--with"),
                                    .go_on = given.Has("--continue"),
                                    .allow_ci = given.Has("--allow-ci")});
}

Exit Approve(const Session& session, const Given& given) {
  return RunApprove(session, {.rename = given.Value("--rename"),
                              .upgraded = given.Value("--upgraded"),
                              .enumerator = given.Value("--enumerator"),
                              .condition = given.Value("--condition"),
                              .pending = given.Value("--pending"),
                              .reason = given.Value("--reason")});
}

Exit Check(const Session& session, const Given& given) {
  const auto outputs = OutputsOf(given);
  if (!outputs) return Refuse(outputs.error());
  return RunCheck(session, {.thorough = given.Has("--thorough"),
                            .in_process = given.Has("--in-process"),
                            .replay = given.Value("--replay"),
                            .type = given.Value("--type"),
                            .outputs = *outputs});
}

Exit Sweep(const Session& session, const Given& given) {
  const auto outputs = OutputsOf(given);
  if (!outputs) return Refuse(outputs.error());
  SweepArguments sweep{.shard = given.Value("--shard"),
                       .report = given.Value("--report"),
                       .costs = given.Value("--costs"),
                       .outputs = *outputs};
  const std::string seconds = given.Value("--fuzz");
  // Limit the time to one year.
  if (given.Has("--fuzz") && !Read(seconds, 0.0, 365.0 * 86400, sweep.fuzz_seconds))
    return Refuse(
        Exit::Usage,
        fmt::format("--fuzz {}: expected a number of seconds, such as 0 (none), 60 or 0.5",
                    seconds));
  return RunSweep(session, sweep);
}

Exit SelfTest(const Session& session, const Given& given) {
  SelfTestArguments self_test{.type = given.Value("--type")};
  const std::string goldens = given.Value("--goldens");
  if (given.Has("--goldens") && !Read<std::size_t>(goldens, 1, 1'000'000, self_test.most_goldens))
    return Refuse(Exit::Usage,
                  fmt::format("--goldens {}: expected a number from 1 to 1000000", goldens));
  return RunSelfTest(session, self_test);
}

Exit Convert(const Session& session, const Given& given) {
  return RunConvert(session, {.file = given.Value("FILE"),
                              .type = given.Value("--type"),
                              .revision = given.Value("--revision"),
                              .written_with = given.Value("--written-with"),
                              .to_json = given.Has("--to-json"),
                              .from_json = given.Has("--from-json"),
                              .to_revision = given.Value("--to-revision"),
                              .output = given.Value("--output")});
}

Exit Schema(const Session& session, const Given& given) {
  SchemaArguments schema{.type = given.Value("--type"), .at = given.Value("--at")};
  if (given.Has("--format")) schema.format = given.Value("--format");
  if (schema.format != "yaml" && schema.format != "json" && schema.format != "ksy")
    return Refuse(Exit::Usage,
                  fmt::format("--format {}: expected yaml, json or ksy", schema.format));
  return RunSchema(session, schema);
}

/// Prints shell completions, or the names that the completions offer.
Exit Completions(const Session& session, const Given& given) {
  const std::string what = given.Value("SHELL");
  std::string out;
  if (what == "types") {
    for (const RootType& root : TakeRegistry().types) out += root.name + "\n";
  } else if (what == "revisions") {
    const revctl::ListTable* const list = DefaultList();
    for (const revctl::ListEntry& entry :
         list == nullptr ? std::span<const revctl::ListEntry>() : list->entries)
      out += std::string(entry.name) + "\n";
  } else if (const auto text = cli::ShellFile(
                 HarnessProgram(std::filesystem::path(session.path).filename().generic_string()),
                 what)) {
    out = *text;
  } else {
    return Refuse(Exit::Usage, "no completions for " + what,
                  session.program + " completions bash   # zsh, fish");
  }
  std::fputs(out.c_str(), stdout);
  return Exit::Fine;
}

const std::vector<Command>& Commands() {
  static const std::vector<Command> table = {
      {{"record",
        "write goldens and layouts for revisions that have none",
        "Also adds goldens for new types and samples. Never changes recorded goldens, except with "
        "--refresh before their revision has landed. Refuses to run if $CI is set.",
        "$ save_harness record\nOK: recorded SR_BOSS_PHASE: 3 layouts, 12 goldens",
        {},
        {{"--refresh", "NAME", "record this pending revision again, with the same values",
          Hint::Revision, true},
         {"--refresh-pending", "", "refresh all pending revisions with stale goldens"},
         {"--backfill", "", "also record older revisions, with the current code"},
         kAllowCi,
         {"--baseline", "", "accept all places that no golden covers yet (needs --reason)"},
         {"--reason", "TEXT", "reason for the baseline"}}},
       Needs::Goldens,
       Record},
      {{"record-history",
        "record older revisions with their original code, from git",
        "Builds the commit that added each revision in a separate work tree, and records with that "
        "commit's harness. Refuses to run if $CI is set.",
        "$ save_harness record-history --build \"cmake -B build && cmake --build build\"",
        {},
        {{"--build", "COMMAND", "command that builds the project in each work tree", Hint::None,
          false, true},
         {"--program", "FILE", "path of the built harness (default: the path of this program)",
          Hint::File},
         {"--with", "FILE",
          "use the current version of this file or folder, not the commit's version", Hint::File,
          true},
         {"--continue", "", "keep finished revisions and retry failed ones"},
         kAllowCi}},
       Needs::Goldens,
       RecordHistory},
      {{"check",
        "compare the current code with all goldens",
        "Reads every golden with the current code and compares layouts, bytes and values with the "
        "record. Changes nothing. Exits with 1 if there is an error.",
        "$ save_harness check\nOK: 1 type, 8 revisions, 74 goldens",
        {},
        {{"--thorough", "", "try hostile input at every byte, as `sweep` does"},
         {"--in-process", "",
          "do not start child processes (for debuggers); a crash terminates this process"},
         {"--replay", "NAME", "run only this golden or sample, in this process (needs --type)"},
         {"--type", "TYPE", "check only this type; skip checks of the whole store", Hint::Type},
         kOutput}},
       Needs::Goldens,
       Check},
      {{"review",
        "ask about every change that may be intended",
        "Shows each change found by `check` that may not need a revision, and asks for a reason. "
        "Needs a terminal.",
        "$ save_harness review",
        {},
        {{"--list", "", "only list the changes with their ids"}}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunReview(session, {given.Has("--list")});
       }},
      {{"approve",
        "accept one intended change, with a reason",
        "Writes one file to the golden folder. Accepts only changes that `check` finds. "
        "Refuses to run if $CI is set.",
        "$ save_harness approve --rename Score.p2Score=secondScore --reason \"new rules\"",
        {},
        {{"--rename", "TYPE.OLD=NEW", "accept a renamed field or enumerator"},
         {"--upgraded", "TYPE", "accept the new upgraded values of older goldens", Hint::Type},
         {"--enumerator", "ENUM.NAME", "accept a new enumerator without a revision"},
         {"--condition", "TYPE.FIELD", "accept a rewritten condition that gives the same result"},
         {"--pending", "ID", "accept the change with this id from `review --list`"},
         {"--reason", "TEXT", "reason for the decision, so that others can understand it later",
          Hint::None, false, true}}},
       Needs::Goldens,
       Approve},
      {{"sweep",
        "check everything, try hostile input and write a report",
        "Runs `check --thorough`, then reads randomly corrupted input for the time given with "
        "--fuzz. Saves each input that crashes the process to a file and prints the command that "
        "replays it.",
        "$ save_harness sweep --fuzz 600 --report report",
        {},
        {{"--fuzz", "SECONDS", "time for hostile input (default: 5)"},
         {"--shard", "I/N", "check only part I of N"},
         {"--report", "DIR", "folder for index.html and report.json", Hint::Folder},
         {"--costs", "FILE", "report.json of an earlier sweep, to balance shards by its costs",
          Hint::File},
         kOutput}},
       Needs::Goldens,
       Sweep},
      {{"merge-reports",
        "merge the reports of a sweep's shards",
        "Exits with 1 if a report has an error or a shard is missing.",
        "$ save_harness merge-reports shard-1 shard-2 --output report",
        {{"FOLDERS", "reports of the shards", Count::Some, Hint::File}},
        {{"--output", "DIR", "folder for the merged report", Hint::Folder, false, true}}},
       Needs::Types,
       [](const Session& session, const Given& given) {
         return RunMergeReports(session, {given.All("FOLDERS"), given.Value("--output")});
       }},
      {{"dump",
        "print a golden or a save file as JSON",
        "Prints the value as the current code reads and upgrades it.",
        "$ save_harness dump golden/SR_FOULS.golden --type Score",
        {{"FILE", "SR_NAME.golden, or a save file", Count::One, Hint::File}},
        {kType,
         kRevision,
         {"--tree", "", "print every value of the file with its offset and size"},
         {"--html", "", "print a save file as an HTML page with search and offsets"},
         {"--textconv", "", "print a payload pack as text, for `git diff`"}}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunDump(session,
                        {given.Value("FILE"), given.Value("--type"), given.Value("--revision"),
                         given.Has("--tree"), given.Has("--textconv"), given.Has("--html")});
       }},
      {{"convert",
        "convert a save file to JSON, from JSON or to an older revision",
        "Values that an older revision cannot store are reported on stderr.",
        "$ save_harness convert old.save --to-json\n"
        "$ save_harness convert new.save --to-revision SR_FOULS -o older.save",
        {{"FILE", "a save file, or JSON with --from-json", Count::One, Hint::File}},
        {kType,
         {"--to-json", "", "write JSON, as `dump` does"},
         {"--from-json", "", "read JSON and write a save file"},
         {"--to-revision", "NAME", "write a save file for builds of this revision", Hint::Revision},
         {"--written-with", "LIST",
          "list of the branch that wrote the file, to match revisions by name", Hint::File},
         kRevision,
         {"-o,--output", "FILE", "output file (default: stdout)", Hint::File}}},
       Needs::Types,
       Convert},
      {{"import",
        "make goldens from users' files",
        "The file must load. Importing the same file again does nothing. With a folder, each file "
        "becomes a golden named after it, and files that do not load are listed. A file with more "
        "than 4,096 values or 256 KiB goes to REVISION.large/, which Git LFS can track.",
        "$ save_harness import old.save --name bug-17 --anonymise",
        {{"FILE", "a save file, or a folder of save files", Count::One, Hint::File}},
        {{"--name", "NAME", "name of the golden, or for a folder, the prefix of all names"},
         kType,
         kRevision,
         {"--anonymise", "", "replace every string with another of the same length"}}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunImport(session,
                          {given.Value("FILE"), given.Value("--type"), given.Value("--name"),
                           given.Value("--revision"), given.Has("--anonymise")});
       }},
      {{"selftest",
        "show which mistakes the goldens would catch",
        "Mutates the recorded data in memory and counts the mutations that each signal detects. "
        "Changes no files.",
        "$ save_harness selftest --goldens 2",
        {},
        {kRootType,
         {"--goldens", "COUNT", "maximum number of goldens per type and revision (default: 4)"}}},
       Needs::Goldens,
       SelfTest},
      {{"schema",
        "print the layout at a revision",
        "Prints YAML, JSON or a Kaitai Struct description.",
        "$ save_harness schema --at SR_FOULS",
        {},
        {kRootType,
         {"--at", "NAME", "the revision (default: the latest)", Hint::Revision},
         {"--format", "FORMAT", "yaml, json or ksy (default: yaml)"}}},
       Needs::Goldens,
       Schema},
      {{"diff",
        "print layout changes between two revisions",
        "Prints one line for each field, enumerator and condition that was added, removed or "
        "changed.",
        "$ save_harness diff SR_FOULS SR_NO_FOULS",
        {{"FROM", "a revision", Count::One, Hint::Revision},
         {"TO", "a revision", Count::One, Hint::Revision}},
        {}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunDiff(session, {given.Value("FROM"), given.Value("TO")});
       }},
      {{"explain",
        "explain a rule, its reason and its fix",
        "Without a rule, lists all rules.",
        "$ save_harness explain GH001",
        {{"RULE", RuleExamples(), Count::Optional, Hint::Rule}},
        {},
        true},
       Needs::Nothing,
       [](const Session&, const Given& given) { return Explain(given.Value("RULE")); }},
      {{"test",
        "run the checks as Catch2 test cases",
        "Passes its arguments to Catch2, except --golden and --seed. There is one test case for "
        "each type, with a section for each signal.",
        "$ save_harness test --reporter junit",
        {},
        {}}},
      {{"completions",
        "print shell completions or the man page",
        "`types` and `revisions` print the names that completions offer.",
        "$ save_harness completions bash > save_harness.bash\n$ . ./save_harness.bash",
        {{"SHELL", "bash, zsh, fish or man; types or revisions"}},
        {},
        true},
       Needs::Nothing,
       Completions},
      {{"man",
        "print the man page of this program",
        "Prints the same page as `completions man`.",
        "$ save_harness man > save_harness.1",
        {},
        {},
        true},
       Needs::Nothing,
       [](const Session& session, const Given&) {
         Given page;
         page.Set("SHELL", {"man"});
         return Completions(session, page);
       }},
      {{"help",
        "print help for all commands or one command",
        "Prints the same text as --help.",
        "$ save_harness help check",
        {{"COMMAND", "name of a command", Count::Optional}},
        {},
        true}},
      {{"version",
        "print the version of revctl that built this program",
        "Prints only the version.",
        "$ save_harness version\nrevctl " REVCTL_VERSION,
        {},
        {},
        true}},
  };
  return table;
}

std::string_view NamesFor(Hint hint) {
  switch (hint) {
    case Hint::Revision:
      return "@ completions revisions 2>/dev/null";
    case Hint::Type:
      return "@ completions types 2>/dev/null";
    case Hint::Rule:
      return "@ explain 2>/dev/null | awk '{print $1}'";
    default:
      return "";
  }
}

}  // namespace

cli::Program HarnessProgram(const std::string& name) {
  cli::Program program{
      .name = name,
      .version = "revctl " REVCTL_VERSION,
      .summary = "checks that saves of every revision still load",
      .about =
          "Checks that saves of every revision still load, and that no layout changed without a "
          "revision. Built from the program's own types with the CMake function "
          "revctl_add_harness().",
      .synopsis = "[--golden DIR] [--format F | --json] [-q] [--seed N] COMMAND ...",
      .footer =
          "Formats: text, json, github, gitlab, sarif, junit, markdown. More: help COMMAND\n"
          "Exit: 0 fine, 1 findings, 2 usage, 3 environment\n"
          "Example: save_harness check --format sarif --output findings.sarif\n",
      .man_end =
          ".SH EXIT STATUS\n0 fine, 1 findings, 2 usage or configuration, 3 environment.\n.SH "
          "ENVIRONMENT\n.TP\n.B CI\nif set, record and record\\-history need "
          "\\-\\-allow\\-ci\n.TP\n.B NO_COLOR\nif set, no color\n.SH SEE ALSO\n.BR revctl (1)\n",
      .options = {{"--golden", "DIR", "golden folder (default: set at build time)", Hint::Folder},
                  {"--format", "FORMAT",
                   "format of findings: text, json, github, gitlab, sarif, junit or markdown",
                   Hint::Format},
                  {"--json", "", "short for --format json"},
                  {"-q,--quiet", "", "print results only"},
                  {"--seed", "NUMBER", "seed of the automatic samples (default: 1)"}},
      .names = NamesFor,
      .in_path = false,
  };
  for (const Command& command : Commands()) program.commands.push_back(&command);
  return program;
}

}  // namespace revctl::harness
