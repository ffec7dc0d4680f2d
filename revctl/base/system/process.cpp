#include "revctl/base/system/process.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/system/files.h"
#include "revctl/base/system/start_process.h"

namespace revctl::base {
namespace {

std::function<void(const std::string&)>& Tracer() {
  static std::function<void(const std::string&)> tracer;
  return tracer;
}

}  // namespace

void TraceRuns(std::function<void(const std::string& line)> say) { Tracer() = std::move(say); }

Result<ProcessResult> Run(const std::vector<std::string>& argv, const ProcessOptions& options) {
  if (Tracer()) {
    static std::mutex one_at_a_time;
    const std::scoped_lock lock(one_at_a_time);
    Tracer()("+ " + ShellLine(argv) +
             (options.directory.empty() ? "" : "   # in " + options.directory));
  }
  return Start(argv, options);
}

std::string FindProgram(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(kPathSeparator));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const std::string program = fmt::format("{}/{}{}", folder, name, kProgramEnding);
    if (!folder.empty() && IsExecutable(program)) return program;
  }
  return "";
}

std::vector<std::string> ChangedEnvironment(
    std::vector<std::string> ours, const ProcessOptions& options,
    const std::function<bool(std::string_view one, std::string_view other)>& same_name) {
  const std::vector<std::string>& changes = options.environment;
  const auto name_of = [](std::string_view line) { return line.substr(0, line.find('=')); };
  std::erase_if(ours, [&](const std::string& line) {
    return (!options.without.empty() && line.starts_with(options.without)) ||
           std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
             return same_name(name_of(change), name_of(line));
           });
  });
  for (const std::string& change : changes) {
    if (change.find('=') != std::string::npos) ours.push_back(change);
  }
  return ours;
}

Error CannotStart(const std::vector<std::string>& argv, const ProcessOptions& options, int error) {
  const std::string where = options.directory.empty() ? "" : " in " + options.directory;
  return {Exit::Environment,
          fmt::format("{} cannot be started{}: {}", argv[0], where, ErrorWords(error)),
          argv[0] == "git" || argv[0] == "sh" ? "install git" : ""};
}

Error WroteTooMuch(const std::vector<std::string>& argv, const ProcessOptions& options) {
  return {Exit::Environment,
          fmt::format("{} wrote more than {} bytes", argv[0], options.max_output), ""};
}

}  // namespace revctl::base
