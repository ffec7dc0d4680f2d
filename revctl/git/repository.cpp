#include "revctl/git/repository.h"

#include <cstdlib>
#include <filesystem>

namespace revctl::git {

using findings::Error;
using findings::Exit;
using findings::Result;

ProcessOptions Repository::Here(ProcessOptions options) const {
  options.directory = root_.empty() ? git_dir_ : root_;
  // A hook's GIT_DIR may be relative to a directory that we are not in.
  if (std::getenv("GIT_DIR") != nullptr) options.environment.push_back("GIT_DIR=" + git_dir_);
  if (std::getenv("GIT_WORK_TREE") != nullptr && !root_.empty())
    options.environment.push_back("GIT_WORK_TREE=" + root_);
  return options;
}

Result<ProcessResult> Repository::GitWithHooks(std::vector<std::string> arguments) const {
  ProcessOptions options;
  options.environment = {"GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true"};
  return RunGit(std::move(arguments), Here(std::move(options)));
}

Result<ProcessResult> Repository::Git(std::vector<std::string> arguments,
                                      ProcessOptions options) const {
  options = Here(std::move(options));
  options.environment.emplace_back("GIT_LITERAL_PATHSPECS=1");
  options.environment.emplace_back("GIT_OPTIONAL_LOCKS=0");
  return RunGit(std::move(arguments), std::move(options));
}

Result<std::optional<std::string>> Repository::ReadStaged(const std::string& path) const {
  auto listed = Git({"ls-files", "-z", "--stage", "--", path});
  if (!listed.ok()) return listed.error();
  if (!listed->ok())
    return Error{Exit::Environment, "the index cannot be read: " + Talk(listed->err), ""};
  // "MODE OID STAGE\tPATH\0"; any stage but 0 is a conflict.
  const std::string& out = listed->out;
  const std::size_t blank = out.find(' '), second = out.find(' ', blank + 1);
  if (second == std::string::npos || out.compare(second + 1, 2, "0\t") != 0)
    return std::optional<std::string>();
  auto blob = Git({"cat-file", "blob", out.substr(blank + 1, second - blank - 1)});
  if (!blob.ok()) return blob.error();
  if (!blob->ok())
    return Error{Exit::Environment, "the staged " + path + " cannot be read: " + Talk(blob->err),
                 ""};
  return std::optional<std::string>(std::move(blob->out));
}

bool Repository::OutsideSparseCheckout(const std::string& path) const {
  // "S path": the entry's skip-worktree bit.
  auto run = Git({"--literal-pathspecs", "ls-files", "-t", "--", path});
  return run.ok() && run->ok() && run->out.starts_with("S ");
}

Result<bool> Repository::IsShallow() const {
  std::error_code error;
  return std::filesystem::exists(common_dir_ + "/shallow", error);
}

Result<std::optional<std::string>> Repository::ConfigOfGit(const std::string& key) const {
  auto run = Git({"config", "-z", "--get", key});
  if (!run.ok()) return run.error();
  if (!run->ok()) return std::optional<std::string>();
  return std::optional<std::string>(run->out.substr(0, run->out.find('\0')));
}

Result<Person> Repository::Identity() const {
  auto value = [&](const char* variable, const char* fallback,
                   const std::string& key) -> Result<std::string> {
    for (const char* name : {variable, fallback}) {
      const char* set = std::getenv(name);
      if (set != nullptr && *set != '\0') return std::string(set);
    }
    // git's own files may lie where libgit2 does not look.
    for (const auto read : {&Repository::ConfigValue, &Repository::ConfigOfGit}) {
      auto configured = (this->*read)(key);
      if (!configured.ok()) return configured.error();
      if (*configured) return std::move(**configured);
    }
    return std::string();
  };
  auto name = value("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "user.name");
  if (!name.ok()) return name.error();
  auto email = value("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL", "user.email");
  if (!email.ok()) return email.error();
  if (name->empty() || email->empty()) {
    return Error{Exit::Environment, "git does not know who you are (user.name, user.email)",
                 "git config user.name \"Your Name\" && git config user.email you@your.host"};
  }
  Person person{std::move(*name), std::move(*email)};
  for (std::string* text : {&person.name, &person.email}) {
    for (char& c : *text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>') c = ' ';
    }
  }
  return person;
}

Result<std::unique_ptr<Repository>> OpenRepository(const std::string& directory) {
  // libgit2 1.5 does not honour GIT_WORK_TREE. Where it opens nothing, git has the last word, and
  // the better ones: libgit2 calls a repository of another owner none at all.
  if (std::getenv("GIT_WORK_TREE") == nullptr) {
    auto opened = OpenWithLibgit2(directory);
    if (auto* repository = std::get_if<std::unique_ptr<Repository>>(&opened))
      return std::move(*repository);
  }
  return OpenWithGit(directory);
}

}  // namespace revctl::git
