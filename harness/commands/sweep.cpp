#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>

#include "harness/advice/own_words.h"
#include "harness/check/check.h"
#include "harness/check/hostile_input.h"
#include "harness/commands/command.h"
#include "harness/commands/session.h"
#include "harness/report/pages.h"
#include "harness/report/report.h"
#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

constexpr const char *kData = "/report.json", *kPage = "/index.html";

Exit MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Refuse(Exit::Environment, fmt::format("{}: {}", folder, error.message()));
  return Exit::Fine;
}

/// Creates `folder` and removes any older report from it, so that nobody mistakes it for the result
/// of a run that failed or was killed.
Exit BeginReport(const std::string& folder) {
  if (const Exit exit = MakeFolder(folder); exit != Exit::Fine) return exit;
  for (const char* const name : {kData, kPage}) {
    const auto removed = base::RemoveFile(folder + name);
    if (!removed) return Refuse(Exit::Environment, removed.error());
  }
  return Exit::Fine;
}

Exit WriteReport(const std::string& folder, const std::string& json) {
  if (const Exit exit = MakeFolder(folder); exit != Exit::Fine) return exit;
  for (const auto& [name, text] : {std::pair(kData, json), std::pair(kPage, ReportPage(json))}) {
    const auto written = base::WriteFileAtomically(folder + name, text);
    if (!written) return Refuse(Exit::Environment, written.error());
  }
  return Exit::Fine;
}

/// Saves a crashing input in a file named after the type, so that it can be replayed. The file is
/// next to the report, which CI usually uploads, or in the working directory if there is no report.
/// Returns the path of the file, or "" on failure.
std::string SaveInput(const RootType& root, std::size_t index, const HostileCrash& crash,
                      const std::string& folder) {
  std::string name =
      fmt::format("crash-{}{}.bin", root.name, index == 0 ? "" : fmt::format("-{}", index + 1));
  for (char& c : name) {
    if (c == ':' || c == '<' || c == '>' || c == ',' || c == '/' || c == ' ') c = '_';
  }
  if (!folder.empty()) name = folder + "/" + name;
  std::ofstream file(name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(crash.input.data()),
             static_cast<std::streamsize>(crash.input.size()));
  file.close();
  return file ? name : "";
}

void AddCrashes(const Session& session, const RootType& root, const StormResult& storm,
                const std::string& folder, CheckResult& result) {
  for (std::size_t i = 0; i < storm.crashes.size(); ++i) {
    const HostileCrash& crash = storm.crashes[i];
    Finding finding{.rule = RuleId::BrokenInput,
                    .revision = crash.revision,
                    .type = root.name,
                    .field = crash.field,
                    .signal = "refusal"};
    const bool placed = crash.place.line != 0;
    finding.file = OptionsOf(session).Relative(placed ? crash.place.file : root.entry.file);
    finding.line = placed ? crash.place.line : root.entry.line;
    const std::string last =
        crash.field.empty() ? "" : fmt::format("; the last visited field is `{}`", crash.field);
    finding.message = fmt::format(
        "{}: hostile input terminates the process: {}{}; the input was reduced to {} bytes",
        root.name, crash.what, last, crash.input.size());
    if (!crash.printed.empty()) finding.details = "it printed:\n" + crash.printed;
    const std::string file = SaveInput(root, i, crash, folder);
    finding.fix = fmt::format(
        "{} dump {} --type {} --revision {}   # replays the input; to reject it, use {}",
        session.program, base::ShellWord(file), base::ShellWord(root.name), crash.revision,
        RefuseWords(root.entry.words, IsOpaque(root.type())));
    if (file.empty())
      finding.fix = fmt::format(
          "the input could not be written to {}, so it cannot be replayed; run sweep again with "
          "--report and a writable folder",
          folder.empty() ? "the current folder" : folder);
    result.findings.insert(result.findings.begin(), std::move(finding));
    result.at.insert(result.at.begin(), {crash.revision});
    result.errors = true;
  }
}

/// Returns the types of this shard, or all types without --shard.
Result<std::set<std::string>> Pick(const Session& session, const SweepArguments& arguments,
                                   const History& history, Shard& shard) {
  std::vector<std::string> names;
  for (const RootType& root : session.registry.types) names.push_back(root.name);
  if (arguments.shard.empty()) return std::set<std::string>(names.begin(), names.end());
  const auto parsed = ParseShard(arguments.shard);
  if (!parsed)
    return Error{Exit::Usage, arguments.shard + " is not a shard", "--shard 1/4, --shard 2/4 ..."};
  shard = *parsed;
  Costs costs = EstimateCosts(session.registry, history);
  if (!arguments.costs.empty()) {
    const char* const without = "omit --costs to split shards by the contents of the store";
    const auto text = base::ReadFile(arguments.costs, kLargestReport);
    if (!text || !*text) return Error{Exit::Usage, arguments.costs + ": no such report", without};
    auto measured = MeasuredCosts(arguments.costs, **text);
    if (!measured)
      return Error{Exit::Usage, fmt::format("{}: {}", arguments.costs, measured.error().message),
                   without};
    costs = std::move(*measured);
  }
  return TypesOf(shard, names, costs);
}

std::string Now() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  return text;
}

}  // namespace

Exit RunSweep(const Session& session, const SweepArguments& arguments) {
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  Shard shard;
  const auto types = Pick(session, arguments, history, shard);
  if (!types) return Refuse(types.error());
  if (!arguments.report.empty()) {  // fail before the sweep, which may take hours
    if (const Exit exit = BeginReport(arguments.report); exit != Exit::Fine) return exit;
  }
  CheckOptions options = OptionsOf(session);
  options.thorough = true;
  options.only = *types;
  CheckResult result = CheckShown(session, store, options);
  std::uint64_t inputs = 0, refused = 0;
  const double share =
      arguments.fuzz_seconds / static_cast<double>(std::max<std::size_t>(types->size(), 1));
  std::optional<ProgressLine> progress(std::in_place, session.quiet);
  for (const RootType& root : session.registry.types) {
    if (share <= 0 || !types->contains(root.name) || history.SmallAndLarge(root.name).empty())
      continue;
    StormLimits limits;
    limits.watch = [&](std::uint64_t more) {
      progress->ShowInputs(inputs + more, arguments.fuzz_seconds, root.name);
    };
    const StormResult storm = Storm(root, history, share, session.seed, limits);
    inputs += storm.inputs;
    refused += storm.refused;
    AddCrashes(session, root, storm, arguments.report, result);
  }
  progress.reset();
  const std::string page =
      arguments.report.empty() ? "" : fmt::format(", see {}{}", arguments.report, kPage);
  Exit exit = PrintFindings(session, arguments.outputs, result.findings,
                            fmt::format("{}, {}, {} refused{}", CheckedCounts(result),
                                        Counted(inputs, "hostile input"), refused, page));
  if (exit != Exit::Fine) return exit;
  NameUnreadSources(session, result.findings);
  if (!arguments.report.empty()) {
    exit =
        WriteReport(arguments.report, ReportJson({session.registry, *session.list, history, result,
                                                  shard, *types, inputs, refused, Now()}));
    if (exit != Exit::Fine) return exit;
  }
  return result.errors ? Exit::Findings : Exit::Fine;
}

Exit RunMergeReports(const Session& session, const MergeReportsArguments& arguments) {
  std::vector<std::pair<std::string, std::string>> shards;
  for (std::string file : arguments.folders) {
    std::error_code unreadable;  // ignored, because ReadFile reports missing files
    if (std::filesystem::is_directory(file, unreadable)) file += kData;
    const auto text = base::ReadFile(file, kLargestReport);
    if (!text) return Refuse(Exit::Environment, base::InMessage(text.error()).message);
    if (!*text)
      return Refuse(Exit::Findings, file + ": no such report",
                    session.program + " sweep --shard I/N --report DIR");
    shards.emplace_back(file, **text);
  }
  const auto joined = JoinReports(shards);
  if (!joined) return Refuse(Exit::Findings, joined.error());
  if (const Exit exit = WriteReport(arguments.output, *joined); exit != Exit::Fine) return exit;
  const auto errors = HasErrors(arguments.output, *joined);
  const bool bad = errors && *errors;
  if (!session.quiet)
    std::fprintf(stderr, "%s: %s, see %s%s\n", bad ? "FAILED" : "OK",
                 Counted(shards.size(), "shard").c_str(), arguments.output.c_str(), kPage);
  return bad ? Exit::Findings : Exit::Fine;
}

}  // namespace revctl::harness
