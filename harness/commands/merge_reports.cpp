#include <fmt/core.h>
#include <cstdio>
#include <filesystem>

#include "harness/commands/command.h"
#include "harness/report/report.h"
#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"

namespace revctl::harness {
namespace {

constexpr const char *kData = "/report.json", *kPage = "/index.html";

Exit MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Refuse(Exit::Environment, fmt::format("{}: {}", folder, error.message()));
  return Exit::Fine;
}

}  // namespace

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

Exit RunMergeReports(const Session& session, const MergeReportsArguments& arguments) {
  std::vector<std::pair<std::string, std::string>> shards;
  for (std::string file : arguments.folders) {
    std::error_code unreadable;  // what it is, the reader says
    if (std::filesystem::is_directory(file, unreadable)) file += kData;
    const auto text = base::ReadFile(file, kLargestReport);
    if (!text) return Refuse(Exit::Environment, base::InMessage(text.error()).message);
    if (!*text)
      return Refuse(Exit::Findings, file + ": there is no such report",
                    session.program + " sweep --shard I/N --report DIR");
    shards.emplace_back(file, **text);
  }
  const auto joined = JoinReports(shards);
  if (!joined) return Refuse(Exit::Findings, joined.error());
  if (const Exit exit = WriteReport(arguments.output, *joined); exit != Exit::Fine) return exit;
  const auto errors = HasErrors(arguments.output, *joined);
  const bool bad = errors && *errors;
  if (!session.quiet)
    std::fprintf(stderr, "%s: %s -> %s/index.html\n", Counted(shards.size(), "shard").c_str(),
                 bad ? "not fine" : "fine", arguments.output.c_str());
  return bad ? Exit::Findings : Exit::Fine;
}

}  // namespace revctl::harness
