// The table of commands, with help texts, options and the functions that run the commands.
#include <fmt/core.h>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>

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

Exit Wrong(const base::Error& error) { return Refuse(Exit::Usage, error.message, error.fix); }

/// Returns the values of `--output`. A malformed value fails before any command runs, so that a
/// sweep does not fail at its end.
base::Result<std::vector<std::string>> OutputsOf(const Given& given) {
  TRY(findings::ParseOutputs(findings::Format::Text, given.All("--output")));
  return given.All("--output");
}

/// Parses the whole of `text` as a number in [least, most].
template <class Number>
bool Read(const std::string& text, Number least, Number most, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= least &&
         number <= most;
}

/// Returns an example such as `GH001 or RV001`.
std::string_view RuleExamples() {
  using findings::RuleId;
  static const std::string examples = fmt::format("{} or {}", findings::NameOf(RuleId::Layout),
                                                  findings::NameOf(RuleId::NumberTwice));
  return examples;
}

constexpr Option kAllowCi{"--allow-ci", "", "also where CI is set"};
constexpr Option kType{"--type", "TYPE", "what the file holds, where several are registered",
                       Hint::Type};
constexpr Option kRootType{"--type", "TYPE", "of this root type alone", Hint::Type};
constexpr Option kRevision{"--revision", "NAME", "at which a payload without a header was written",
                           Hint::Revision};
constexpr Option kOutput{"--output", "FILE",
                         "findings as --format into FILE (or FORMAT=FILE), text here", Hint::File,
                         true};

Exit Record(const Session& session, const Given& given) {
  if (const auto wrong =
          cli::Contradiction(given, {"--refresh", "--refresh-pending", "--backfill"}))
    return Wrong(*wrong);
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
    return Refuse(Exit::Usage, NoSuchRule(name), "explain, without a rule, lists all");
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
  if (!outputs) return Wrong(outputs.error());
  return RunCheck(session, {.thorough = given.Has("--thorough"),
                            .in_process = given.Has("--in-process"),
                            .replay = given.Value("--replay"),
                            .type = given.Value("--type"),
                            .outputs = *outputs});
}

Exit Sweep(const Session& session, const Given& given) {
  const auto outputs = OutputsOf(given);
  if (!outputs) return Wrong(outputs.error());
  SweepArguments sweep{.shard = given.Value("--shard"),
                       .report = given.Value("--report"),
                       .costs = given.Value("--costs"),
                       .outputs = *outputs};
  const std::string seconds = given.Value("--fuzz");
  // The limit is a year.
  if (given.Has("--fuzz") && !Read(seconds, 0.0, 365.0 * 86400, sweep.fuzz_seconds))
    return Refuse(
        Exit::Usage,
        fmt::format("--fuzz {} is no number of seconds: 0 for none, or 60, or 0.5", seconds));
  return RunSweep(session, sweep);
}

Exit SelfTest(const Session& session, const Given& given) {
  SelfTestArguments self_test{.type = given.Value("--type")};
  const std::string goldens = given.Value("--goldens");
  if (given.Has("--goldens") && !Read<std::size_t>(goldens, 1, 1'000'000, self_test.most_goldens))
    return Refuse(Exit::Usage, fmt::format("--goldens {} is no number from 1 to 1000000", goldens));
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
    return Refuse(Exit::Usage, fmt::format("--format {}: yaml, json or ksy", schema.format));
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
                 HarnessProgram(std::filesystem::path(session.path).filename().string()), what)) {
    out = *text;
  } else {
    return Refuse(Exit::Usage, "there are no completions for " + what,
                  session.program + " completions bash   # zsh, fish");
  }
  std::fputs(out.c_str(), stdout);
  return Exit::Fine;
}

const std::vector<Command>& Commands() {
  static const std::vector<Command> table = {
      {{"record",
        "write goldens and layouts for revisions that have none",
        "Also adds what is new since: types, samples, imported files. What is recorded is never "
        "changed, but with --refresh, and then only before it has landed. Refuses where CI is set.",
        "$ save_harness record\nOK: recorded SR_BOSS_PHASE: 3 layouts, 12 goldens",
        {},
        {{"--refresh", "NAME", "write those of this pending revision anew, with the same values",
          Hint::Revision, true},
         {"--refresh-pending", "", "the same for all that have not landed, where it changes them"},
         {"--backfill", "", "also revisions older than the newest recorded, by today's code"},
         kAllowCi,
         {"--baseline", "", "accept what nothing reaches today, with --reason"},
         {"--reason", "TEXT", "of the baseline"}}},
       Needs::Goldens,
       Record},
      {{"record-history",
        "goldens of older revisions by the code of their time, from git",
        "Builds the commit that added each revision, in a work tree of its own, and lets the "
        "harness of that time record. Refuses where CI is set.",
        "$ save_harness record-history --build \"cmake -B build && cmake --build build\"",
        {},
        {{"--build", "COMMAND", "builds the project, run in a work tree of each commit", Hint::None,
          false, true},
         {"--program", "FILE", "the harness that it leaves there (default: where this one is)",
          Hint::File},
         {"--with", "FILE", "file or folder of today in place of the commit's", Hint::File, true},
         {"--continue", "", "keep what is done, try again what failed"},
         kAllowCi}},
       Needs::Goldens,
       RecordHistory},
      {{"check",
        "before a merge: every signal over every type and revision",
        "Reads every golden with today's code and compares layouts, bytes and values with what was "
        "recorded. Changes nothing. Exit 1 where there is an error.",
        "$ save_harness check\nOK: 1 type, 8 revisions, 74 goldens",
        {},
        {{"--thorough", "", "hostile input at every byte, as `sweep` does"},
         {"--in-process", "", "without a child process: a crash ends this one, for a debugger"},
         {"--replay", "NAME", "run this golden or sample alone, in this process; with --type"},
         {"--type", "TYPE", "check this type alone, without what concerns the whole store",
          Hint::Type},
         kOutput}},
       Needs::Goldens,
       Check},
      {{"review",
        "ask about every change that may be meant",
        "Shows each change that `check` finds and that needs no revision, and takes a reason for "
        "it. Needs a terminal.",
        "$ save_harness review",
        {},
        {{"--list", "", "print them with their ids instead"}}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunReview(session, {given.Has("--list")});
       }},
      {{"approve",
        "accept one change that is meant, with the reason",
        "Writes one file into the goldens' folder. Accepts only what `check` finds. Refuses where "
        "CI is set.",
        "$ save_harness approve --rename Score.p2Score=secondScore --reason \"new rules\"",
        {},
        {{"--rename", "TYPE.OLD=NEW", "a field or enumerator has another name"},
         {"--upgraded", "TYPE", "what today's code makes of its older goldens is right",
          Hint::Type},
         {"--enumerator", "ENUM.NAME", "a new enumerator without a revision"},
         {"--condition", "TYPE.FIELD", "its condition reads differently and decides alike"},
         {"--pending", "ID", "as `review --list` gives it"},
         {"--reason", "TEXT", "why, for those who come later", Hint::None, false, true}}},
       Needs::Goldens,
       Approve},
      {{"sweep",
        "check, plus hostile input and the page",
        "As `check --thorough`; then input that is damaged at random, for as long as --fuzz says. "
        "An input that ends the process is written to a file, and printed with what replays it.",
        "$ save_harness sweep --fuzz 600 --report report",
        {},
        {{"--fuzz", "SECONDS", "of hostile input (default: 5)"},
         {"--shard", "I/N", "only the I-th of N parts"},
         {"--report", "DIR", "folder for index.html and report.json", Hint::Folder},
         {"--costs", "FILE", "report.json of an earlier sweep, by whose costs shards are split",
          Hint::File},
         kOutput}},
       Needs::Goldens,
       Sweep},
      {{"merge-reports",
        "join the reports of all shards of a sweep",
        "Exit 1 where one of them has an error, or a shard is missing.",
        "$ save_harness merge-reports shard-1 shard-2 --output report",
        {{"FOLDERS", "the shards' reports", Count::Some, Hint::File}},
        {{"--output", "DIR", "folder of the joined report", Hint::Folder, false, true}}},
       Needs::Types,
       [](const Session& session, const Given& given) {
         return RunMergeReports(session, {given.All("FOLDERS"), given.Value("--output")});
       }},
      {{"dump",
        "print a golden or a save file as JSON",
        "The value is the one that today's code reads, upgraded.",
        "$ save_harness dump golden/SR_FOULS.golden --type Score",
        {{"FILE", "SR_NAME.golden, or a file that the program saved", Count::One, Hint::File}},
        {kType,
         kRevision,
         {"--tree", "", "every value with its offset and size, as it stands in the file"},
         {"--html", "", "a save file as a page: header, whose revision, value, search, offsets"},
         {"--textconv", "", "a pack of payloads as text, for `git diff`"}}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunDump(session,
                        {given.Value("FILE"), given.Value("--type"), given.Value("--revision"),
                         given.Has("--tree"), given.Has("--textconv"), given.Has("--html")});
       }},
      {{"convert",
        "a save file to JSON, from JSON, to an older revision",
        "Says on stderr which values an older revision has no place for.",
        "$ save_harness convert old.save --to-json\n"
        "$ save_harness convert new.save --to-revision SR_FOULS -o older.save",
        {{"FILE", "a file that the program saved; JSON with --from-json", Count::One, Hint::File}},
        {kType,
         {"--to-json", "", "write JSON, as `dump` does"},
         {"--from-json", "", "read JSON and write a save file"},
         {"--to-revision", "NAME", "write a save file for builds of this revision", Hint::Revision},
         {"--written-with", "LIST", "list of the branch that wrote it: gates open by name",
          Hint::File},
         kRevision,
         {"-o,--output", "FILE", "where to write (default: stdout)", Hint::File}}},
       Needs::Types,
       Convert},
      {{"import",
        "make goldens of users' files",
        "A file must load. Importing the same file again does nothing. Of a folder, each file "
        "becomes a golden that is named after it; files that do not load are listed. A file with "
        "more than 4,096 values or 256 KiB is kept in REVISION.large/, which Git LFS can track.",
        "$ save_harness import old.save --name bug-17 --anonymise",
        {{"FILE", "a file that the program saved, or a folder of such files", Count::One,
          Hint::File}},
        {{"--name", "NAME", "of the golden; with a folder, the beginning of each name"},
         kType,
         kRevision,
         {"--anonymise", "", "replace every text by another of its length"}}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunImport(session,
                          {given.Value("FILE"), given.Value("--type"), given.Value("--name"),
                           given.Value("--revision"), given.Has("--anonymise")});
       }},
      {{"selftest",
        "say which mistakes the goldens would catch",
        "Makes mutants of what was recorded, and counts which signal notices each kind. Changes "
        "nothing.",
        "$ save_harness selftest --goldens 2",
        {},
        {kRootType, {"--goldens", "COUNT", "of each type and revision, at most (default: 4)"}}},
       Needs::Goldens,
       SelfTest},
      {{"schema",
        "print the layout at a revision",
        "As YAML, as JSON, or as a description for Kaitai Struct.",
        "$ save_harness schema --at SR_FOULS",
        {},
        {kRootType,
         {"--at", "NAME", "the revision (default: the latest)", Hint::Revision},
         {"--format", "FORMAT", "yaml, json or ksy (default: yaml)"}}},
       Needs::Goldens,
       Schema},
      {{"diff",
        "print what changed in the layouts between two revisions",
        "One line for each field, enumerator and condition that came, went or changed.",
        "$ save_harness diff SR_FOULS SR_NO_FOULS",
        {{"FROM", "a revision", Count::One, Hint::Revision},
         {"TO", "a revision", Count::One, Hint::Revision}},
        {}},
       Needs::Goldens,
       [](const Session& session, const Given& given) {
         return RunDiff(session, {given.Value("FROM"), given.Value("TO")});
       }},
      {{"explain",
        "what a rule means, why, and how to fix it",
        "Without a rule: all of them, a line each.",
        "$ save_harness explain GH001",
        {{"RULE", RuleExamples(), Count::Optional, Hint::Rule}},
        {},
        true},
       Needs::Nothing,
       [](const Session&, const Given& given) { return Explain(given.Value("RULE")); }},
      {{"test",
        "the same signals as Catch2 test cases",
        "Everything behind it is Catch2's, but --golden and --seed. One test case for each type, "
        "with a section for each signal.",
        "$ save_harness test --reporter junit",
        {},
        {}}},
      {{"completions",
        "shell completions, or the man page",
        "Made from the same table as --help. `types` and `revisions` print the names that "
        "completions offer.",
        "$ save_harness completions bash > save_harness.bash\n$ . ./save_harness.bash",
        {{"SHELL", "bash, zsh, fish or man; types or revisions"}},
        {},
        true},
       Needs::Nothing,
       Completions},
      {{"man",
        "the man page of this program",
        "The same as `completions man`.",
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
        "the commands, or one of them",
        "The same text as --help.",
        "$ save_harness help check",
        {{"COMMAND", "one of those that `help` lists", Count::Optional}},
        {},
        true}},
      {{"version",
        "the revctl that this was built with",
        "The version alone.",
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
      .summary = "checks that every revision ever saved still loads",
      .about =
          "The harness of one program's saves, as revctl_add_harness() of CMake builds it. Checks "
          "that every revision ever saved still loads, and that no layout changed without a "
          "revision.",
      .synopsis = "[--golden DIR] [--format F | --json] [-q] [--seed N] COMMAND ...",
      .footer =
          "Formats: text, json, github, gitlab, sarif, junit, markdown. More: help COMMAND\n"
          "Exit: 0 fine, 1 findings, 2 usage, 3 environment\n"
          "Example: save_harness check --format sarif --output findings.sarif\n",
      .man_end =
          ".SH EXIT STATUS\n0 fine, 1 findings, 2 usage or configuration, 3 environment.\n"
          ".SH ENVIRONMENT\n.TP\n.B CI\nrecord and record\\-history write only with "
          "\\-\\-allow\\-ci\n.TP\n.B NO_COLOR\nno colour\n.SH SEE ALSO\n.BR revctl (1)\n",
      .options = {{"--golden", "DIR", "folder of the goldens, in place of the one compiled in",
                   Hint::Folder},
                  {"--format", "FORMAT",
                   "of findings: text, json, github, gitlab, sarif, junit or markdown",
                   Hint::Format},
                  {"--json", "", "short for --format json"},
                  {"-q,--quiet", "", "results only"},
                  {"--seed", "NUMBER", "of the automatic samples (default: 1)"}},
      .names = NamesFor,
      .in_path = false,
  };
  for (const Command& command : Commands()) program.commands.push_back(&command);
  return program;
}

}  // namespace revctl::harness
