#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "golden/index.h"
#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/git/index.h"
#include "revctl/setup/list_attributes.h"

namespace revctl::commands {
namespace {

using findings::RuleId;

constexpr const char* kAttributes[] = {"working-tree-encoding", "filter", "ident", "text", "eol"};
constexpr std::string_view kAttributesFile = ".gitattributes";

struct GuardedFile {
  std::string path;
  /// with a trailing '/'; empty if the file is not in a golden folder
  std::string golden_folder = {};
  bool binary = false;  ///< contains payloads, so line endings must not change
  /// Attribute values by name. Omits attributes that git reports as unspecified.
  std::map<std::string, std::string> attributes = {};
  bool IsLarge() const {
    return !golden_folder.empty() && path.find('/', golden_folder.size()) != std::string::npos;
  }
};

/// Adds one record file, one payload file, and one file from each folder of large goldens, because
/// each of these folders may have its own .gitattributes.
void AddGoldens(const std::string& folder, const std::vector<std::string>& names,
                std::vector<GuardedFile>& out) {
  std::set<std::string> seen;
  for (const std::string& path : names) {
    const auto name = golden::ParseFileName(path);
    if (!name || name->kind == golden::FileName::Kind::Approval) continue;
    const bool large = name->kind == golden::FileName::Kind::Large;
    const bool record = name->kind == golden::FileName::Kind::Record;
    const std::string kind = large ? path.substr(0, path.rfind('/')) : record ? "record" : "pack";
    if (seen.insert(kind).second) out.push_back({folder + path, folder, !record});
  }
}

/// Returns the files whose attributes the gate checks: the config, the lists, and a few files from
/// each golden folder.
Result<std::vector<GuardedFile>> GuardedFiles(const ChangeFacts& change,
                                              const std::vector<ListFacts>& lists) {
  std::vector<GuardedFile> out = {{change.config_path}};
  for (const ListFacts& list : lists) {
    if (list.problems.unreadable && !list.ours.text) continue;
    out.push_back({list.path});
    if (list.ours.golden().empty()) continue;
    const std::string folder = change.request.prefix() + list.ours.golden();
    TRY(const auto names, change.request.tree.GoldenFiles(folder));
    AddGoldens(folder + "/", names, out);
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
    // Skip an unreadable .gitattributes file, because git ignores it, too.
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

/// Returns the attribute that would make a checkout change the bytes of `file`, or "" if there is
/// none.
Result<std::string> RewritingAttribute(const GateRequest& request, GuardedFile& file) {
  auto& value = file.attributes;
  const auto is_set = [&](const char* name) {
    return !value[name].empty() && value[name] != "unset";
  };
  if (is_set("working-tree-encoding") && base::Lower(value["working-tree-encoding"]) != "utf-8")
    return std::string("working-tree-encoding");
  // Allow Git LFS for goldens, because it restores their bytes exactly. Do not allow it for a list,
  // because git could not merge the list.
  const bool golden = !file.golden_folder.empty();
  if (is_set("filter") && !(golden && value["filter"] == "lfs")) return std::string("filter");
  if (is_set("ident") && file.IsLarge())
    return std::string("ident");  // the file is too large to search
  if (is_set("ident")) {
    TRY(const auto bytes, request.tree.Read(file.path));
    if (bytes && bytes->find("$Id") != bytes->npos) return std::string("ident");
  }
  // Only payloads must keep their line endings. Lists and records may use LF or CRLF.
  if (!file.binary || value["text"] == "unset" || value["eol"] == "lf") return std::string();
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
    const std::string pattern = file.golden_folder.empty()
                                    ? AttributePattern("/" + file.path.substr(slash))
                                    : "*" + file.path.substr(file.path.rfind('.'));
    std::string attributes = file.path.substr(0, slash) + std::string(kAttributesFile);
    if (file.IsLarge()) {
      TRY(const bool own, request.tree.Exists(attributes));
      if (!own) attributes = file.golden_folder + std::string(kAttributesFile);
    }
    const std::string line = fmt::format("{} -{}", pattern, name == "eol" ? "text" : name);
    // The fix writes a newline first, because the file may not end with one.
    std::string fix = fmt::format("printf '\\n%s\\n' {} >> {}", base::ShellWord(line),
                                  base::ShellPath(attributes));
    const auto has_fix = [&](const findings::Finding& other) { return FixText(other.fix) == fix; };
    if (std::any_of(out.begin(), out.end(), has_fix)) continue;
    out.push_back(
        {.rule = file.golden_folder.empty() ? RuleId::UnreadableList : RuleId::LandedGolden,
         .message = fmt::format(
             ".gitattributes sets {}{} for {}, so the checked-out file may differ from the commit",
             name, value == "set" ? "" : "=" + value, file.path),
         .file = file.path,
         .fix = std::move(fix)});
  }
  return out;
}

}  // namespace revctl::commands
