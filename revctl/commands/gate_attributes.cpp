// RV016, RV019: attributes with which a checkout has other bytes than the commit.
#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/scratch_folder.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/rules.h"
#include "revctl/setup/merge_attributes.h"

namespace revctl::commands {
namespace {

constexpr std::string_view kAttributesFile = ".gitattributes", kPayloads = ".golden";
constexpr const char* kAttributes[] = {"working-tree-encoding", "filter", "ident", "text", "eol"};

struct GuardedFile {
  std::string path;
  bool golden = false;
};
/// By path and name, as `git check-attr` prints them.
using Attributes = std::map<std::string, std::map<std::string, std::string>>;

Result<std::vector<GuardedFile>> GuardedFiles(const GateRequest& request,
                                              const std::vector<CheckedList>& lists) {
  std::vector<GuardedFile> out = {{request.prefix + std::string(config::kFileName)}};
  for (const CheckedList& list : lists) {
    out.push_back({list.path});
    if (list.golden.empty()) continue;
    for (const std::string& folder : {list.golden, list.golden + "/approved"}) {
      TRY(const auto names, request.side.FilesIn(folder));
      for (const std::string& name : names) {
        if (name.ends_with(kPayloads) || name.ends_with(".yaml"))
          out.push_back({folder + "/" + name, true});
      }
    }
  }
  return out;
}

/// The .gitattributes that apply to `files`, by path. git ignores those that it cannot read.
std::map<std::string, std::string> AttributeFiles(const FileTree& side,
                                                  const std::vector<GuardedFile>& files) {
  std::set<std::string> folders = {""};
  for (const GuardedFile& file : files) {
    std::size_t slash = file.path.rfind('/');
    while (slash != std::string::npos && folders.insert(file.path.substr(0, slash + 1)).second)
      slash = slash == 0 ? std::string::npos : file.path.rfind('/', slash - 1);
  }
  std::map<std::string, std::string> out;
  for (const std::string& folder : folders) {
    const std::string path = folder + std::string(kAttributesFile);
    if (auto text = side.Read(path); text.ok() && *text) out.emplace(path, std::move(**text));
  }
  return out;
}

Result<Attributes> AttributesOf(const GateRequest& request, const std::vector<GuardedFile>& files) {
  // Most repositories set none of these attributes, and then git need not be started.
  const auto sources = AttributeFiles(request.side, files);
  if (std::none_of(sources.begin(), sources.end(), [](const auto& source) {
        return std::any_of(std::begin(kAttributes), std::end(kAttributes), [&](const char* name) {
          return source.second.find(name) != std::string::npos;
        });
      }))
    return Attributes();
  std::optional<base::ScratchFolder> scratch;
  base::ProcessOptions options;
  if (request.side.IsCommit()) {
    // git 2.39 reads the attributes of a commit only through an index.
    TRY(auto folder, base::ScratchFolder::Make());
    scratch.emplace(std::move(folder));
    options.environment = {"GIT_INDEX_FILE=" + scratch->path() + "/index"};
    for (const auto& [path, text] : sources) {
      TRY(const auto id, request.repository->BlobId(text));
      options.input += fmt::format("100644 {}\t{}", id, path) + '\0';
    }
    TRY(const auto filled,
        request.repository->Git({"update-index", "-z", "--index-info"}, options));
    if (!filled.ok())
      return Error{Exit::Environment, "git update-index failed: " + git::LastLines(filled.err), ""};
    options.input.clear();
  }
  std::vector<std::string> command = {"-c", "core.attributesFile=/dev/null", "check-attr", "-z",
                                      "--stdin"};
  if (!request.side.IsWorkTree()) command.emplace_back("--cached");
  command.insert(command.end(), std::begin(kAttributes), std::end(kAttributes));
  for (const GuardedFile& file : files) options.input += file.path + '\0';
  TRY(const auto run, request.repository->Git(std::move(command), options));
  if (!run.ok())
    return Error{Exit::Environment, "git check-attr failed: " + git::LastLines(run.err), ""};
  Attributes out;
  const auto words = git::SplitAtNul(run.out);  // PATH, NAME, VALUE
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) out[words[i]][words[i + 1]] = words[i + 2];
  return out;
}

/// The name of an attribute that rewrites `file` in a checkout; empty: none does.
Result<std::string> RewritingAttribute(const GateRequest& request, const GuardedFile& file,
                                       const std::map<std::string, std::string>& attributes) {
  const auto value = [&](const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() || found->second == "unspecified" ? "" : found->second;
  };
  const auto is_set = [&](const char* name) {
    return !value(name).empty() && value(name) != "unset";
  };
  if (is_set("working-tree-encoding") && base::Lower(value("working-tree-encoding")) != "utf-8")
    return std::string("working-tree-encoding");
  // Git LFS restores the bytes. A list that it holds could not be merged.
  if (is_set("filter") && !(file.golden && value("filter") == "lfs")) return std::string("filter");
  if (is_set("ident")) {
    TRY(const auto bytes, request.side.Read(file.path));
    if (bytes && bytes->find("$Id") != bytes->npos) return std::string("ident");
  }
  // Lists and records are read with either line end.
  const std::string text = value("text"), eol = value("eol");
  if (!file.path.ends_with(kPayloads) || text == "unset" || eol == "lf") return std::string();
  if (eol == "crlf") return std::string("eol");
  return std::string(text == "set" || text == "auto" ? "text" : "");
}

}  // namespace

Result<Done> CheckAttributes(const GateRequest& request, const std::vector<CheckedList>& lists,
                             std::vector<findings::Finding>& out) {
  TRY(const auto files, GuardedFiles(request, lists));
  TRY(const auto attributes, AttributesOf(request, files));
  std::set<std::string> reported;
  for (const GuardedFile& file : files) {
    const auto found = attributes.find(file.path);
    if (found == attributes.end()) continue;
    TRY(const std::string name, RewritingAttribute(request, file, found->second));
    if (name.empty()) continue;
    const std::string& value = found->second.at(name);
    const std::size_t slash = file.path.rfind('/') + 1;
    const std::string folder = file.path.substr(0, slash);
    const std::string pattern = file.golden ? "*" + file.path.substr(file.path.rfind('.'))
                                            : AttributePattern("/" + file.path.substr(slash));
    // The last line of the file may have no end.
    const std::string fix =
        fmt::format("printf '\\n%s\\n' {} >> {}",
                    base::ShellWord(fmt::format("{} -{}", pattern, name == "eol" ? "text" : name)),
                    base::ShellPath(folder + std::string(kAttributesFile)));
    if (!reported.insert(fix).second) continue;
    out.push_back(
        {file.golden ? "RV019" : "RV016", findings::Severity::Error,
         fmt::format(".gitattributes sets {}{} for {}, so a checkout may have other bytes "
                     "than the commit",
                     name, value == "set" ? "" : "=" + value, file.path),
         file.path, 0, "", fix});
  }
  return Done{};
}

}  // namespace revctl::commands
