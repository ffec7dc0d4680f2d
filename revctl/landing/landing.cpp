#include "revctl/landing/landing.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/config/config.h"
#include "revctl/config/files.h"

namespace revctl::commands {

Result<git::Oid> HeadOf(const git::Repository& repository) {
  TRY(auto head, repository.Head());
  if (!head) return Error{Exit::Environment, "HEAD has no commit", "git log"};
  return std::move(*head);
}

Result<Done> SaveLandState(Landing& landing, LandState::Phase phase) {
  TRY(auto head, HeadOf(landing.repository()));
  landing.state.head = std::move(head);
  landing.state.phase = phase;
  return WriteLandState(landing.repository(), landing.state);
}

std::string AbortAdvice(const LandState& state) {
  return fmt::format("revctl land --abort resets {} to {}", state.branch,
                     state.start.substr(0, 10));
}

namespace {

constexpr std::string_view kHead = "revctl-land 1";
constexpr std::array<std::string_view, 6> kPhases = {"idle",    "joining", "stopped",
                                                     "numbers", "goldens", "folding"};

std::string FileOf(const git::Repository& repository) {
  return repository.git_dir() + "/revctl-land";
}

bool IsOid(const std::string& text) {
  return (text.size() == 40 || text.size() == 64) && base::IsHex(text);
}

/// Parses a `key value` line into `state`. Returns false if the value is not valid for the key.
bool Take(LandState& state, const std::string& key, const std::string& value) {
  if (key == "branch") {
    state.branch = value;
    return config::IsSafeRef(value);
  }
  if (key == "phase") {
    const auto found = std::find(kPhases.begin(), kPhases.end(), value);
    state.phase = static_cast<LandState::Phase>(found - kPhases.begin());
    return found != kPhases.end();
  }
  if (key == "verified") {
    const std::size_t blank = std::min(value.find(' '), value.size());
    state.verified_tree = value.substr(0, blank);
    state.verified_line = value.substr(std::min(blank + 1, value.size()));
    return IsOid(state.verified_tree);
  }
  if (!IsOid(value)) return false;
  if (key == "start") state.start = value;
  else if (key == "head") state.head = value;
  else if (key == "target") state.target = value;
  else if (key == "landing") state.landing = value;
  else if (key == "fold") state.fold = value;
  else return false;
  return true;
}

}  // namespace

Result<std::optional<LandState>> ReadLandState(const git::Repository& repository) {
  const std::string path = FileOf(repository);
  TRY(auto text, config::ReadFile(path, std::size_t{1} << 16));
  if (!text.has_value()) return std::optional<LandState>();
  LandState state;
  std::istringstream lines(*text);
  std::string line;
  bool good = std::getline(lines, line) && line == kHead;
  while (good && std::getline(lines, line)) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    good = Take(state, line.substr(0, blank), line.substr(std::min(blank + 1, line.size())));
  }
  if (!good || state.branch.empty() || state.start.empty() || state.head.empty())
    return Error{Exit::Environment, path + ": was not written by this version of revctl",
                 fmt::format("rm {}, then run revctl land", base::ShellQuoted(path))};
  return std::optional<LandState>(std::move(state));
}

Result<Done> WriteLandState(const git::Repository& repository, const LandState& state) {
  std::string text =
      fmt::format("{}\nbranch {}\nstart {}\nhead {}\nphase {}\n", kHead, state.branch, state.start,
                  state.head, kPhases[static_cast<std::size_t>(state.phase)]);
  if (!state.target.empty()) text += fmt::format("target {}\n", state.target);
  if (!state.verified_tree.empty())
    text += fmt::format("verified {} {}\n", state.verified_tree, state.verified_line);
  if (state.landing) text += fmt::format("landing {}\n", *state.landing);
  if (state.fold) text += fmt::format("fold {}\n", *state.fold);
  return config::ReplaceFile(FileOf(repository), text);
}

Result<Done> RemoveLandState(const git::Repository& repository) {
  std::error_code error;
  std::filesystem::remove(FileOf(repository), error);
  if (error)
    return Error{Exit::Environment,
                 fmt::format("{}: cannot be removed: {}", FileOf(repository), error.message()), ""};
  return Done{};
}

}  // namespace revctl::commands
