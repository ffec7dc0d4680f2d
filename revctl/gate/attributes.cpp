#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/git/index.h"
#include "revctl/setup/list_attributes.h"

namespace revctl::commands {
namespace {

using findings::RuleId;

constexpr const char* kAttributes[] = {"working-tree-encoding", "filter", "ident", "text", "eol"};
constexpr std::string_view kAttributesFile = ".gitattributes", kPayloads = ".golden";

struct GuardedFile {
  std::string path;
  bool golden = false;
  /// Values of the attributes by name, without attributes that git reports as unspecified.
  std::map<std::string, std::string> attributes = {};
};

/// Returns the config, the lists, and one record file and one payload file of each golden folder.
Result<std::vector<GuardedFile>> GuardedFiles(const ChangeFacts& change,
                                              const std::vector<ListFacts>& lists) {
  std::vector<GuardedFile> out = {{change.config_path}};
  for (const ListFacts& list : lists) {
    if (list.problems.unreadable && !list.ours.text) continue;
    out.push_back({list.path});
    if (list.ours.golden().empty()) continue;
    const std::string folder = change.request.prefix() + list.ours.golden();
    TRY(const auto names, change.request.tree.Files(folder));
    for (const std::string_view ending : {kPayloads, std::string_view(".yaml")}) {
      const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        return name.ends_with(ending);
      });
      if (found != names.end()) out.push_back({folder + "/" + *found, true});
    }
  }
  return out;
}

Result<Done> ReadAttributes(const GateRequest& request, std::vector<GuardedFile>& files) {
  std::set<std::string> folders;
  for (const GuardedFile& file : files) {
    for (std::size_t at = 0; at != std::string::npos; at = file.path.find('/', at + 1))
      folders.insert(at == 0 ? "" : file.path.substr(0, at + 1));
  }
  bool any = false;
  std::vector<git::TreeFile> sources;
  for (const std::string& folder : folders) {
    const std::string path = folder + std::string(kAttributesFile);
    const auto text = request.tree.Read(path);
    // Skip a file that cannot be read, because git also ignores it.
    if (!text.ok() || !*text) continue;
    TRY(const auto id, request.repository().BlobId(**text));
    sources.push_back({path, id});
    for (const char* name : kAttributes) any |= (*text)->find(name) != std::string::npos;
  }
  if (!any) return Done{};  // the usual case: no need to start git
  std::vector<std::string> paths;
  for (const GuardedFile& file : files) paths.push_back(file.path);
  TRY(const auto attributes,
      git::AttributesOf(request.repository(), {request.tree.place(), std::move(sources), false},
                        {std::begin(kAttributes), std::end(kAttributes)}, paths));
  for (const git::PathAttribute& one : attributes) {
    for (GuardedFile& file : files) {
      if (file.path == one.path && one.value != "unspecified")
        file.attributes[one.name] = one.value;
    }
  }
  return Done{};
}

/// Returns the attribute that would make a checkout change `file`, or "" if there is none.
Result<std::string> RewritingAttribute(const GateRequest& request, GuardedFile& file) {
  auto& value = file.attributes;
  const auto is_set = [&](const char* name) {
    return !value[name].empty() && value[name] != "unset";
  };
  if (is_set("working-tree-encoding") && base::Lower(value["working-tree-encoding"]) != "utf-8")
    return std::string("working-tree-encoding");
  // Allow Git LFS for goldens, because it restores their bytes exactly. Do not allow it for a list,
  // because git could not merge the list.
  if (is_set("filter") && !(file.golden && value["filter"] == "lfs")) return std::string("filter");
  if (is_set("ident")) {
    TRY(const auto bytes, request.tree.Read(file.path));
    if (bytes && bytes->find("$Id") != bytes->npos) return std::string("ident");
  }
  // Only payloads must keep their line ends, because lists and records may have LF or CRLF.
  if (!file.path.ends_with(kPayloads) || value["text"] == "unset" || value["eol"] == "lf")
    return std::string();
  if (is_set("eol")) return std::string("eol");
  return std::string(is_set("text") ? "text" : "");
}

}  // namespace

Result<Findings> CheckAttributes(const ChangeFacts& change, const std::vector<ListFacts>& lists) {
  const GateRequest& request = change.request;
  Findings out;
  TRY(auto files, GuardedFiles(change, lists));
  TRY(ReadAttributes(request, files));
  for (GuardedFile& file : files) {
    TRY(const std::string name, RewritingAttribute(request, file));
    if (name.empty()) continue;
    const std::string& value = file.attributes[name];
    const std::size_t slash = file.path.rfind('/') + 1;
    const std::string pattern = file.golden ? "*" + file.path.substr(file.path.rfind('.'))
                                            : AttributePattern("/" + file.path.substr(slash));
    const std::string line = fmt::format("{} -{}", pattern, name == "eol" ? "text" : name);
    // The fix writes a newline first, because the last line of the file may have none.
    out.push_back(
        {.rule = file.golden ? RuleId::LandedGolden : RuleId::UnreadableList,
         .message = fmt::format(
             ".gitattributes sets {}{} for {}, so the checked-out file may differ from the commit",
             name, value == "set" ? "" : "=" + value, file.path),
         .file = file.path,
         .fix = fmt::format(
             "printf '\\n%s\\n' {} >> {}", base::ShellWord(line),
             base::ShellPath(file.path.substr(0, slash) + std::string(kAttributesFile)))});
  }
  return out;
}

}  // namespace revctl::commands
