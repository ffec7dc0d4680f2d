#include "revctl/git/repository.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "revctl/base/ascii.h"
#include "revctl/git/command.h"
#include "revctl/git/index.h"

namespace revctl::git {

ProcessOptions Repository::Here(ProcessOptions options) const {
  options.directory = root_.empty() ? git_dir_ : root_;
  // Pass absolute paths, because GIT_DIR in a hook may be relative to another directory, and a
  // separate work tree has no .git.
  if (std::getenv("GIT_DIR") != nullptr || std::getenv("GIT_WORK_TREE") != nullptr)
    options.environment.push_back("GIT_DIR=" + git_dir_);
  if (std::getenv("GIT_WORK_TREE") != nullptr && !root_.empty())
    options.environment.push_back("GIT_WORK_TREE=" + root_);
  return options;
}

Result<ProcessResult> Repository::GitWithHooks(std::vector<std::string> arguments) const {
  ProcessOptions options;
  options.environment = {"GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true"};
  return RunGit(std::move(arguments), Here(std::move(options)));
}

Error Repository::TooLarge(std::string_view path, std::string_view commit, std::uint64_t bytes) {
  return {Exit::Environment,
          fmt::format("{} at {} has {} bytes; revctl reads at most {}", path, commit.substr(0, 10),
                      bytes, kMostBytes),
          "recreate the commit without this file"};
}

Error Repository::TooManyPaths(std::string_view commit) {
  return {Exit::Environment,
          fmt::format("{} has too many paths: revctl reads at most {} MiB of names",
                      commit.substr(0, 10), kMostBytes >> 20),
          "recreate the commit without duplicate directory entries"};
}

Result<ProcessResult> Repository::Git(std::vector<std::string> arguments,
                                      ProcessOptions options) const {
  options = Here(std::move(options));
  options.environment.emplace_back("GIT_LITERAL_PATHSPECS=1");
  // Unset these variables, because they conflict with GIT_LITERAL_PATHSPECS or would change
  // attributes and diffs.
  for (const char* variable : {"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
                               "GIT_ATTR_SOURCE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS"})
    options.environment.emplace_back(variable);
  options.environment.emplace_back("GIT_OPTIONAL_LOCKS=0");
  return RunGit(std::move(arguments), std::move(options));
}

Result<std::optional<std::string>> Repository::ReadStaged(const std::string& path) const {
  TRY(const auto entries, IndexEntries(*this, Entries::All, path));
  // A stage other than 0 is a conflict.
  if (entries.empty() || entries.front().stage != 0) return std::optional<std::string>();
  TRY(auto text, ReadBlob(*this, entries.front().id, "the staged version of " + path));
  return std::optional<std::string>(std::move(text));
}

bool Repository::OutsideSparseCheckout(const std::string& path) const {
  // git prints "S path" if the entry's skip-worktree bit is set.
  auto run = Git({"--literal-pathspecs", "ls-files", "-t", "--", path});
  return run.ok() && run->ok() && run->out.starts_with("S ");
}

Result<std::optional<bool>> Repository::IsIgnored(const std::string&) const {
  return std::optional<bool>();
}

Result<std::optional<std::vector<FileChange>>> Repository::ChangesHere(const Oid&,
                                                                       const std::string&,
                                                                       bool) const {
  return std::optional<std::vector<FileChange>>();
}

Result<bool> Repository::IsShallow() const {
  std::error_code error;
  return std::filesystem::exists(common_dir_ + "/shallow", error);
}

Result<std::optional<std::string>> Repository::ConfigOfGit(const std::string& key) const {
  TRY(auto run, Git({"config", "-z", "--get", key}));
  if (run.status == 1) return std::optional<std::string>();
  // A configuration that cannot be read is an error, because the key may be set.
  if (!run.ok())
    return Error{Exit::Environment, "cannot read git's configuration: " + LastLines(run.err),
                 "git config --list   # shows the same error"};
  return std::optional<std::string>(run.out.substr(0, run.out.find('\0')));
}

Result<std::optional<Person>> Repository::IdentityOfGit() const {
  // Never accept an identity that git derives from the user name and the host name.
  std::vector<std::vector<std::string>> questions = {
      {"-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"}};
  const char* email = std::getenv("EMAIL");
  if (email != nullptr && *email != '\0') questions.push_back({"var", "GIT_AUTHOR_IDENT"});
  for (std::vector<std::string>& question : questions) {
    TRY(auto run, Git(std::move(question)));
    // The format is "NAME <EMAIL> TIME ZONE".
    const std::size_t open = run.out.rfind(" <"), close = run.out.rfind("> ");
    if (!run.ok() || open == std::string::npos || close == std::string::npos || close < open)
      continue;
    return std::optional<Person>(
        {run.out.substr(0, open), run.out.substr(open + 2, close - open - 2)});
  }
  return std::optional<Person>();
}

Result<std::optional<Person>> Repository::IdentityOfConfig() const {
  Person person;
  for (auto [part, text] : {std::pair("name", &person.name), std::pair("email", &person.email)}) {
    for (const char* section : {"author.", "user."}) {
      TRY(auto value, ConfigValue(std::string(section) + part));
      *text = value.value_or("");
      if (!text->empty()) break;
    }
    // git strips some characters from names, mostly at both ends, so leave a name that may contain
    // such characters to git.
    const auto plain = [](char c) {
      return base::IsAlphanumeric(c) || static_cast<unsigned char>(c) >= 0x80;
    };
    if (text->empty() || !plain(text->front()) || !plain(text->back()) ||
        std::any_of(text->begin(), text->end(), [](char c) {
          return c == '<' || c == '>' || static_cast<unsigned char>(c) < ' ';
        }))
      return std::optional<Person>();
  }
  return std::optional<Person>(std::move(person));
}

Result<Person> Repository::Identity() const {
  if (identity_) return *identity_;
  const auto variable = [](const char* name) {
    const char* set = std::getenv(name);
    return std::string(set == nullptr ? "" : set);
  };
  Person person{variable("GIT_AUTHOR_NAME"), variable("GIT_AUTHOR_EMAIL")};
  if (person.name.empty() || person.email.empty()) {
    std::optional<Person> asked;
    if (person.name.empty() && person.email.empty()) {
      TRY(asked, IdentityOfConfig());
    }
    if (!asked) {
      TRY(asked, IdentityOfGit());
    }
    // A bot's environment may define only a committer, so fall back to that.
    if (asked) person = std::move(*asked);
    if (!asked) person = {variable("GIT_COMMITTER_NAME"), variable("GIT_COMMITTER_EMAIL")};
  }
  if (person.name.empty() || person.email.empty()) {
    return Error{Exit::Environment, "user.name and user.email are not set in git's configuration",
                 "git config user.name \"Your Name\" && git config user.email you@your.host"};
  }
  for (std::string* text : {&person.name, &person.email}) {
    for (char& c : *text) {
      if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>') c = ' ';
    }
  }
  identity_ = person;
  return person;
}

Result<std::optional<Oid>> Repository::MergeBaseOfGit(const Oid& one, const Oid& two) const {
  TRY(auto run, Git({"merge-base", one, two}));
  if (run.status == 1) return std::optional<Oid>();
  if (!run.ok())
    return Error{Exit::Environment, "git merge-base failed: " + LastLines(run.err), ""};
  return std::optional<Oid>(FirstLine(run.out));
}

Result<bool> Repository::AncestorOfGit(const Oid& old, const Oid& young) const {
  TRY(auto run, Git({"merge-base", "--is-ancestor", old, young}));
  if (run.status > 1)
    return Error{Exit::Environment, "git merge-base failed: " + LastLines(run.err), ""};
  return run.ok();
}

Result<std::vector<Repository::CommitParents>> Repository::CommitsSinceOfGit(const Oid& known,
                                                                             const Oid& tip) const {
  TRY(const auto text,
      Output(Git({"rev-list", "--parents", tip, "^" + known}), "cannot list commits: "));
  return ParseParents(text);
}

std::vector<Repository::CommitParents> ParseParents(const std::string& text) {
  std::vector<Repository::CommitParents> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Repository::CommitParents& commit = out.emplace_back();
    words >> commit.id;
    for (std::string parent; words >> parent;) commit.parents.push_back(std::move(parent));
  }
  return out;
}

Result<CommitInfo> Repository::CommitOfGit(const Oid& id) const {
  TRY(const auto text, Output(Git({"show", "-s", "--no-show-signature", "--encoding=UTF-8",
                                   "--format=%P%n%an%n%ae%n%cn%n%ce%n%at%n%B", id}),
                              fmt::format("cannot read commit {}: ", id.substr(0, 10))));
  CommitInfo out;
  out.id = id;
  std::istringstream lines(text);
  std::string parents, time;
  for (std::string* const line : {&parents, &out.author.name, &out.author.email,
                                  &out.committer.name, &out.committer.email, &time})
    std::getline(lines, *line);
  out.parents = Split(parents, ' ');
  out.time = std::strtoll(time.c_str(), nullptr, 10);
  out.message.assign(std::istreambuf_iterator<char>(lines), {});
  if (out.message.ends_with("\n\n")) out.message.pop_back();
  return out;
}

}  // namespace revctl::git
