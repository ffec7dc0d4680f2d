#include "revctl/git/process.h"

#include <algorithm>

#include "revctl/git/command.h"

namespace revctl::git {

Result<ProcessResult> RunGit(std::vector<std::string> arguments, ProcessOptions options) {
  arguments.insert(arguments.begin(), "git");
  options.environment.emplace_back("LC_ALL=C");
  options.environment.emplace_back("LANGUAGE");
  // Ignore replacement objects, grafts and shallow files from the environment, as libgit2 does, so
  // that checks see exactly the commits that will land.
  options.environment.emplace_back("GIT_NO_REPLACE_OBJECTS=1");
  options.environment.emplace_back("GIT_REPLACE_REF_BASE");
  options.environment.emplace_back("GIT_GRAFT_FILE=/dev/null/none");
  options.environment.emplace_back("GIT_SHALLOW_FILE");
  // Unset GIT_CONFIG, because `git config` would read that file, but no other git command would.
  options.environment.emplace_back("GIT_CONFIG");
  return base::Run(arguments, options);
}

Result<std::string> Output(Result<ProcessResult> run, const std::string& failed) {
  if (!run.ok()) return std::move(run).error();
  if (run->ok()) return std::move(run->out);
  return Error{Exit::Environment, failed + LastLines(run->err.empty() ? run->out : run->err), ""};
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<std::string> Split(const std::string& text, char end) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = std::min(text.find(end, at), text.size());
    out.push_back(text.substr(at, stop - at));
    at = stop + 1;
  }
  return out;
}

std::vector<std::string> SplitAtNul(const std::string& text) { return Split(text, '\0'); }

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> out = Split(text, '\n');
  std::erase(out, "");
  return out;
}

std::string LastLines(const std::string& err) {
  std::string clean;
  for (char c : err) {
    if (c == '\r') c = '\n';
    if (c == '\n' || static_cast<unsigned char>(c) >= 0x20) clean += c == 0x7f ? '?' : c;
  }
  while (!clean.empty() && clean.back() == '\n') clean.pop_back();
  std::size_t begin = clean.size();
  for (int lines = 0; begin > 0 && lines < 12 && clean.size() - begin < 1500; ++lines) {
    begin = clean.rfind('\n', begin - 1);
    if (begin == std::string::npos)
      return clean.size() > 1500 ? clean.substr(clean.size() - 1500) : clean;
  }
  clean.erase(0, std::min(begin + 1, clean.size()));
  return clean;
}

}  // namespace revctl::git
