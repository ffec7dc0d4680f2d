#include "revctl/tree/file_tree.h"

#include <fmt/core.h>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/config/files.h"
#include "revctl/git/work_tree_search.h"

namespace revctl::commands {

Result<std::optional<git::Oid>> FileTree::Head() const {
  if (kind_ == Kind::Commit) return std::optional<git::Oid>(id_);
  return repository_->Head();
}

Result<std::optional<std::string>> FileTree::Read(const std::string& path) const {
  if (kind_ == Kind::Commit) return repository_->ReadFile(id_, path);
  if (kind_ == Kind::Staged) return repository_->ReadStaged(path);
  const std::string absolute = repository_->root() + "/" + path;
  std::error_code error;
  if (std::filesystem::is_symlink(absolute, error))
    return base::FileError(path, 0, "is a symbolic link, not a file");
  if (!base::ResolvedPath(absolute).starts_with(base::ResolvedPath(repository_->root()) + "/")) {
    return base::FileError(path, 0, "leads out of the repository", "mend `path` in .revctl.yaml");
  }
  auto text = config::ReadFile(absolute, config::kMaxListBytes);
  if (!text.ok()) return text.error();
  if (!text->has_value())
    return repository_->OutsideSparseCheckout(path) ? repository_->ReadStaged(path) : text;
  TRY(auto normalized, repository_->Normalized(path, **text));
  return std::optional<std::string>(std::move(normalized));
}

Result<bool> FileTree::Exists(const std::string& path) const {
  if (kind_ == Kind::WorkTree) {
    std::error_code error;
    return std::filesystem::is_regular_file(repository_->root() + "/" + path, error);
  }
  TRY(auto text, Read(path));
  return text.has_value();
}

Result<std::optional<std::uint64_t>> FileTree::Size(const std::string& path) const {
  if (kind_ == Kind::Commit) return repository_->SizeOf(id_, path);
  if (kind_ == Kind::Staged) {
    TRY(const auto text, repository_->ReadStaged(path));
    return text ? std::optional<std::uint64_t>(text->size()) : std::nullopt;
  }
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(repository_->root() + "/" + path, error);
  return error ? std::nullopt : std::optional(size);
}

Result<std::vector<std::string>> FileTree::FilesIn(const std::string& folder) const {
  if (kind_ != Kind::Commit) return base::ListFiles(repository_->root() + "/" + folder);
  TRY(auto files, repository_->ListFiles(id_, folder));
  std::vector<std::string> out;
  for (git::TreeFile& file : files) {
    if (file.path.find('/') == std::string::npos) out.push_back(std::move(file.path));
  }
  return out;
}

namespace {

/// True for an entry ":MODE MODE OID OID STATUS" in which only the executable bit changed.
bool SameBytes(const std::string& entry) {
  std::istringstream words(entry);
  std::string old_mode, new_mode, before, after;
  words >> old_mode >> new_mode >> before >> after;
  return old_mode.starts_with(":100") && new_mode.starts_with("100") && before == after &&
         !git::IsNull(before);
}

/// Parses the output of `git diff-tree --raw -z`.
std::vector<git::FileChange> ParseRaw(const std::string& text) {
  std::vector<git::FileChange> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t head = text.find('\0', at);
    if (head == std::string::npos) break;
    const std::size_t end = std::min(text.find('\0', head + 1), text.size());
    const char status = text[head - 1];
    if (status != 'A' && !(status == 'M' && SameBytes(text.substr(at, head - at))))
      out.push_back({text.substr(head + 1, end - head - 1), status});
    at = end + 1;
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> FileTree::ChangedSince(const git::Oid& from,
                                                        const std::string& folder) const {
  std::optional<std::vector<git::FileChange>> changes;
  if (kind_ != Kind::Commit) {
    TRY(changes, repository_->ChangesHere(from, folder, kind_ == Kind::Staged));
  }
  if (!changes) {
    std::vector<std::string> arguments;
    if (kind_ == Kind::Commit) {
      arguments = {"diff-tree", "-r", "--raw", "-z", "--no-renames", from, id_, "--", folder};
    } else {
      arguments = {"diff-index", "--raw", "-z", "--no-renames"};
      if (kind_ == Kind::Staged) arguments.emplace_back("--cached");
      arguments.insert(arguments.end(), {from, "--", folder});
    }
    TRY(auto run, repository_->Git(arguments));
    if (!run.ok())
      return Error{
          Exit::Environment,
          fmt::format("the files of {} cannot be compared: {}", folder, git::LastLines(run.err)),
          ""};
    changes = ParseRaw(run.out);
  }
  std::vector<std::string> out;
  for (git::FileChange& change : *changes) {
    if (kind_ == Kind::WorkTree && change.status == 'M') {
      // An 'M' may only mean that the modification time changed, so compare the contents.
      auto before = repository_->ReadFile(from, change.path);
      auto now = Read(change.path);
      if (before.ok() && now.ok() && *before == *now) continue;
    }
    out.push_back(std::move(change.path));
  }
  return out;
}

Result<std::string> FileTree::RunGrep(const std::vector<std::string>& how,
                                      std::string patterns) const {
  std::vector<std::string> arguments = {
      "-c", "grep.lineNumber=true", "-c",         "core.quotePath=false", "grep",
      "-I", "--no-color",           "--full-name"};
  if (kind_ == Kind::Staged) arguments.emplace_back("--cached");
  if (kind_ == Kind::WorkTree) arguments.emplace_back("--untracked");
  arguments.insert(arguments.end(), how.begin(), how.end());
  if (kind_ == Kind::Commit) arguments.push_back(id_);
  git::ProcessOptions options;
  options.input = std::move(patterns);
  TRY(auto run, repository_->Git(arguments, std::move(options)));
  if (run.status > 1)
    return Error{Exit::Environment, "git grep failed: " + git::LastLines(run.err), ""};
  return std::move(run.out);
}

namespace {

/// Splits the output of git grep into lines or names, without the `COMMIT:` in front.
std::vector<std::string> Answers(const std::string& text, char end_of_line,
                                 const std::string& prefix) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(end_of_line, at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
    out.push_back(std::move(line));
    at = end + 1;
  }
  return out;
}

/// Joins the texts into one regular expression. With several patterns, git grep searches the rest
/// of the file for each one after every hit: most of a second on 10,000 lines.
std::string AnyOf(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    if (!out.empty()) out += '|';
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < 0x80 && !base::IsWord(c) && c != ':') out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace

Result<std::vector<std::string>> FileTree::LinesWith(const std::vector<std::string>& names) const {
  std::vector<std::string> how = {"-n", "-F", "-w"};
  for (const std::string& name : names) how.insert(how.end(), {"-e", name});
  TRY(auto lines, RunGrep(how, ""));
  return Answers(lines, '\n', kind_ == Kind::Commit ? id_ + ":" : "");
}

Result<std::vector<std::string>> FileTree::SourcesWith(
    const std::vector<std::string>& texts) const {
  if (kind_ == Kind::WorkTree) {
    TRY(auto found, git::FilesHolding(*repository_, texts, IsSource));
    if (found) return std::move(*found);
  }
  // The patterns go through stdin because they may exceed the limit for one argument.
  TRY(auto names, RunGrep({"-l", "-z", "-E", "-f", "-"}, AnyOf(texts) + "\n"));
  std::vector<std::string> out = Answers(names, '\0', kind_ == Kind::Commit ? id_ + ":" : "");
  std::erase_if(out, [](const std::string& path) { return !IsSource(path); });
  return out;
}

Result<std::optional<std::string>> FileTree::ReadSource(const std::string& path) const {
  if (kind_ == Kind::WorkTree)
    return config::ReadFile(repository_->root() + "/" + path, config::kMaxListBytes);
  return Read(path);
}

std::optional<CodeLine> ParseCodeLine(const std::string& line) {
  for (std::size_t at = line.find(':'); at != std::string::npos; at = line.find(':', at + 1)) {
    const std::size_t end = line.find(':', at + 1);
    if (end == std::string::npos) return std::nullopt;
    const std::string number = line.substr(at + 1, end - at - 1);
    if (number.size() < 9 && base::IsNumber(number)) {
      return CodeLine{line.substr(0, at), line.substr(end + 1), std::atoi(number.c_str())};
    }
  }
  return std::nullopt;
}

bool IsSource(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  static const std::set<std::string> kEnds = {"c",   "cc",  "cpp", "cxx", "h",   "hh", "hpp",
                                              "hxx", "inl", "inc", "ipp", "tpp", "m",  "mm"};
  return kEnds.contains(path.substr(dot + 1));
}

bool HoldsWord(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos;
       at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !base::IsWord(code[at - 1])) &&
        (end == code.size() || !base::IsWord(code[end])))
      return true;
  }
  return false;
}

}  // namespace revctl::commands
