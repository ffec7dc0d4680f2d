// What a checkout makes of what was judged: another file in the list's place, or other bytes.
#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/process.h"
#include "revctl/base/scratch_folder.h"
#include "revctl/commands/gate_parts.h"

namespace revctl::commands {
namespace {

using base::Done;
using base::Error;
using base::Exit;
using base::Result;
using findings::Finding;
using findings::Severity;

constexpr std::string_view kAttributes = ".gitattributes";

/// What disks that ignore case, a blank or a dot at the end, or characters that are not seen, take
/// for the same name.
std::string Folded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    while (c == '/' && (out.ends_with('.') || out.ends_with(' '))) out.pop_back();
    if (static_cast<unsigned char>(c) < 0x80)
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  while (out.ends_with('.') || out.ends_with(' ')) out.pop_back();
  return out;
}

class CheckoutGate {
 public:
  CheckoutGate(const GateRequest& request, const git::Oid& commit, std::vector<Finding>& out)
      : request_(request), commit_(commit), out_(out) {}

  Result<Done> Run(const std::vector<CheckedOut>& lists) {
    std::set<std::string> paths = {request_.prefix + std::string(config::kFileName)};
    for (const CheckedOut& list : lists) {
      paths.insert(list.path);
      if (!list.golden.empty()) paths.insert(list.golden + "/");
    }
    auto read = ReadFolders(paths);
    if (!read.ok()) return read;
    std::map<std::string, std::string> guarded;  // and each folder that leads there
    for (const std::string& path : paths) {
      for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
        guarded.emplace(Folded(path.substr(0, at)), path.substr(0, at));
      guarded.emplace(Folded(path), path);
    }
    for (const auto& [folded, names] : names_) {
      if (names.size() < 2) continue;
      const std::size_t slash = folded.rfind('/');
      const bool golden = slash != folded.npos && golden_.contains(folded.substr(0, slash));
      const auto meant = guarded.find(folded);
      if (meant != guarded.end()) Double(meant->second, names);
      else if (golden) Double(names[0], names);
    }
    return attributes_.empty() ? Done{} : JudgeAttributes(lists);
  }

 private:
  /// The entries of every folder on the way to `paths`; of one that ends with '/', its own as well.
  Result<Done> ReadFolders(const std::set<std::string>& paths) {
    std::vector<std::string> folders;
    std::set<std::string> seen;
    for (const std::string& path : paths) {
      for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
        if (seen.insert(path.substr(0, at)).second) folders.push_back(path.substr(0, at + 1));
      }
      if (path.ends_with('/')) golden_.insert(Folded(path.substr(0, path.size() - 1)));
    }
    auto read = ReadTree({});
    return !read.ok() || folders.empty() ? read : ReadTree(folders);
  }

  Result<Done> ReadTree(const std::vector<std::string>& folders) {
    std::vector<std::string> arguments = {"ls-tree", "-z", "--full-tree", commit_};
    if (!folders.empty()) arguments.emplace_back("--");
    arguments.insert(arguments.end(), folders.begin(), folders.end());
    TRY(auto listed, request_.repository->Git(std::move(arguments)));
    if (!listed.ok())
      return Error{
          Exit::Environment,
          "the files of " + commit_.substr(0, 10) + " cannot be listed: " + git::Talk(listed.err),
          "git fsck"};
    for (const std::string& entry : git::SplitAtNul(listed.out)) {
      const std::size_t tab = entry.find('\t');  // "MODE TYPE OID\tPATH"
      if (tab == entry.npos) continue;
      const std::string path = entry.substr(tab + 1);
      names_[Folded(path)].push_back(path);
      if (std::string_view(path).substr(path.rfind('/') + 1) == kAttributes)
        attributes_ += entry + '\0';
    }
    return Done{};
  }

  /// `names` are one file on some disks; `meant` is the one that was judged.
  void Double(const std::string& meant, const std::vector<std::string>& names) {
    const auto other = std::find_if(names.begin(), names.end(),
                                    [&](const std::string& name) { return name != meant; });
    const bool same = other == names.end();
    out_.push_back({"RV016", Severity::Error,
                    same ? "the tree of this commit names " + meant +
                               " twice: git judges one of them, and checks out the other"
                         : *other + " and " + meant +
                               " are one file on disks that ignore case: what is checked out there "
                               "is not what was judged",
                    same ? meant : *other, 0, "",
                    same ? "make the commit anew with git add" : "git rm -r " + *other, "", "", "",
                    ""});
  }

  /// git's answer for the files of attributes as this commit has them.
  Result<Done> JudgeAttributes(const std::vector<CheckedOut>& lists) {
    // An index of its own: two pushes may be judged at once, and a work tree's index stays as it
    // is.
    TRY(auto folder, base::ScratchFolder::Make());
    base::ProcessOptions aside;
    aside.environment = {"GIT_INDEX_FILE=" + folder.path() + "/index"};
    base::ProcessOptions filled = aside;
    filled.input = attributes_;
    auto run = request_.repository->Git({"update-index", "-z", "--index-info"}, filled);
    std::vector<std::string> question = {"-c",           "core.attributesFile=/dev/null",
                                         "check-attr",   "--cached",
                                         "-z",           "working-tree-encoding",
                                         "ident",        "filter",
                                         "export-subst", "--"};
    for (const CheckedOut& list : lists) question.push_back(list.path);
    if (run.ok() && run->ok()) run = request_.repository->Git(question, aside);
    if (!run.ok()) return run.error();
    if (!run->ok())
      return Error{Exit::Environment, "git check-attr failed: " + git::Talk(run->err), ""};
    const std::vector<std::string> words = git::SplitAtNul(run->out);  // PATH, ATTRIBUTE, VALUE
    for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
      for (const CheckedOut& list : lists) {
        if (list.path == words[i]) JudgeAttribute(list, words[i + 1], words[i + 2]);
      }
    }
    return Done{};
  }

  void JudgeAttribute(const CheckedOut& list, const std::string& attribute,
                      const std::string& value) {
    if (value == "unspecified" || value == "unset") return;
    const bool expands = attribute == "ident" || attribute == "export-subst";
    if (expands && list.text.find(attribute == "ident" ? "$Id" : "$Format:") == list.text.npos)
      return;
    if (attribute == "working-tree-encoding" && Folded(value) == "utf-8") return;
    out_.push_back({"RV016", Severity::Error,
                    ".gitattributes sets " + attribute + (expands ? "" : "=" + value) + " for " +
                        list.path + ": what is checked out is not what was judged",
                    list.path, 0, "", "take " + attribute + " away from " + list.path, "", "", "",
                    ""});
  }

  const GateRequest& request_;
  const git::Oid& commit_;
  std::vector<Finding>& out_;
  std::map<std::string, std::vector<std::string>> names_;  ///< by what disks take for the same
  std::set<std::string> golden_;                           ///< folders, all of whose files count
  std::string attributes_;                                 ///< entries of files of attributes
};

}  // namespace

Result<Done> JudgeCheckout(const GateRequest& request, const std::vector<CheckedOut>& lists,
                           std::vector<Finding>& out) {
  TRY(auto head, request.side.Head());
  return head ? CheckoutGate(request, *head, out).Run(lists) : Done{};
}

}  // namespace revctl::commands
