// A clone without the merge driver resolves no collision: its user hears so, once a day.
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "revctl/setup/installation.h"

namespace revctl::commands {
namespace {

std::string NoticePath(const git::Repository& repository) {
  return repository.common_dir() + "/revctl-not-installed";
}

/// True at most once a day: the time of the last notice is that of an empty file in git's folder.
bool FirstOfTheDay(const std::string& path) {
  std::error_code error;
  const auto last = std::filesystem::last_write_time(path, error);
  const auto now = std::filesystem::file_time_type::clock::now();
  if (!error && last <= now && now - last < std::chrono::hours(24)) return false;
  return config::ReplaceFile(path, "").ok();
}

}  // namespace

void SayWhereNotInstalled(const Workspace& workspace, Session& session) {
  if (std::getenv("CI") != nullptr || session.quiet) return;
  const git::Repository& repository = workspace.repository();
  auto driver = repository.ConfigValue("merge.revctl.driver");
  if (!driver.ok() || driver->has_value()) return;
  session.afterword = [path = NoticePath(repository)]() -> std::string {
    if (!FirstOfTheDay(path)) return "";
    return "this clone has no merge driver and no hooks, so merges of the list conflict here\n"
           "fix: revctl install";
  };
}

void ForgetNotice(const git::Repository& repository) {
  std::error_code error;
  std::filesystem::remove(NoticePath(repository), error);
}

}  // namespace revctl::commands
