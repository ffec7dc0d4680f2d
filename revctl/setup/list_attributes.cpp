#include "revctl/setup/list_attributes.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "revctl/base/file.h"
#include "revctl/config/files.h"
#include "revctl/git/index.h"
#include "revctl/setup/marked_block.h"

namespace revctl::commands {
namespace {

constexpr const char* kRootFile = ".gitattributes";
/// Must match the lines that the harness's `record` command writes.
constexpr struct {
  const char *ending, *line;
} kGoldenLines[] = {{".golden", "*.golden binary diff=revctl-golden merge=revctl"},
                    {".yaml", "*.yaml merge=revctl"}};

/// Returns the `paths` that do not have the attribute `merge=revctl`.
Result<std::vector<std::string>> WithoutDriver(const git::Repository& repository,
                                               const std::vector<std::string>& paths) {
  TRY(const auto attributes, git::AttributesOf(repository, {}, {"merge"}, paths));
  std::vector<std::string> out;
  for (const git::PathAttribute& one : attributes) {
    if (one.value != "revctl") out.push_back(one.path);
  }
  return out;
}

}  // namespace

std::string AttributePattern(const std::string& path) {
  // Escape special characters, because the pattern is a glob. Quote a pattern that contains a
  // space, because an unquoted pattern would end there.
  std::string pattern, quoted;
  for (char c : path) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  if (pattern.find_first_of(" \"") == std::string::npos) return pattern;
  for (char c : pattern) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return "\"" + quoted + "\"";
}

Result<bool> ListAttributes::Has(const list::ListConfig& list) const {
  TRY(const auto without, WithoutDriver(workspace_.repository(), {workspace_.GitPath(list.path)}));
  return without.empty();
}

Result<std::vector<std::string>> ListAttributes::MissingForGoldens(
    const list::ListConfig& list) const {
  std::vector<std::string> out;
  std::error_code error;
  if (list.golden.empty() ||
      !std::filesystem::is_directory(workspace_.FilePath(list.golden), error))
    return out;
  std::vector<std::string> paths;
  for (const auto& kind : kGoldenLines)
    paths.push_back(workspace_.GitPath(list.golden) + "/revision" + kind.ending);
  TRY(const auto without, WithoutDriver(workspace_.repository(), paths));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (std::find(without.begin(), without.end(), paths[i]) != without.end())
      out.emplace_back(kGoldenLines[i].line);
  }
  return out;
}

Result<Done> ListAttributes::Add(const std::string& file, const std::string& line,
                                 std::vector<std::string>& done) const {
  const std::string path = FilePath(file);
  TRY(config::RefuseLink(path, file));
  TRY(auto text, config::ReadPlainFile(path, config::kMaxConfigBytes));
  const std::string before = text.value_or("");
  TRY(config::ReplaceFile(path, WithBlock(before, BlockIn(before).value_or("") + line + "\n")));
  done.push_back(fmt::format("{}: {}   (commit it)", file, line));
  return Done{};
}

Result<Done> ListAttributes::Install(std::vector<std::string>& done) const {
  for (const auto& list : workspace_.config().lists) {
    TRY(auto has, Has(list));
    if (!has)
      TRY(Add(kRootFile, AttributePattern("/" + workspace_.GitPath(list.path)) + " merge=revctl",
              done));
    TRY(auto missing, MissingForGoldens(list));
    for (const std::string& line : missing) {
      const std::string folder = workspace_.GitPath(list.golden);
      if (!base::ResolvedPath(FilePath(folder))
               .starts_with(base::ResolvedPath(workspace_.repository().root()) + "/"))
        return Error{Exit::Usage, folder + ": points outside the repository",
                     "correct `golden` in .revctl.yaml"};
      TRY(Add(folder + "/" + kRootFile, line, done));
    }
  }
  return Done{};
}

Result<Done> ListAttributes::Uninstall(std::vector<std::string>& done) const {
  std::set<std::string> files = {kRootFile};
  for (const auto& list : workspace_.config().lists) {
    if (!list.golden.empty()) files.insert(workspace_.GitPath(list.golden) + "/" + kRootFile);
  }
  for (const std::string& file : files) TRY(Remove(file, done));
  return Done{};
}

Result<Done> ListAttributes::Remove(const std::string& file, std::vector<std::string>& done) const {
  const git::Repository& repository = workspace_.repository();
  TRY(auto text, config::ReadPlainFile(FilePath(file), config::kMaxConfigBytes));
  if (!BlockIn(text.value_or(""))) return Done{};
  TRY(auto head, repository.Head());
  if (head) {
    TRY(auto committed, repository.ReadFile(*head, file));
    if (BlockIn(committed.value_or(""))) {
      if (!done.empty())
        done.push_back(file + ": keeps revctl's lines, because they are committed");
      return Done{};
    }
  }
  TRY(config::RefuseLink(FilePath(file), file));
  const std::string rest = WithoutBlock(*text);
  if (!rest.empty()) TRY(config::ReplaceFile(FilePath(file), rest));
  else if (auto removed = base::RemoveFile(FilePath(file)); !removed)
    return base::InMessage(removed.error());
  done.push_back(file + ": revctl's lines removed");
  return Done{};
}

}  // namespace revctl::commands
