// What a checkout makes of what was judged: another file in the place of a list or of its goldens,
// or other bytes.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>

#include "revctl/base/path.h"
#include "revctl/base/process.h"
#include "revctl/base/scratch_folder.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/rules.h"
#include "revctl/goldens/golden_attributes.h"
#include "revctl/setup/list_attributes.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Severity;

constexpr std::string_view kAttributes = ".gitattributes", kPayloads = ".golden",
                           kRecords = ".yaml";
/// Attributes by which a checkout has other bytes than the commit. Line ends are of no matter in a
/// list.
constexpr const char* kChanging[] = {
    "working-tree-encoding", "ident", "filter", "export-subst", "text", "eol", "crlf"};
constexpr std::size_t kOfLists = 4;

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

  Result<Done> Run(std::vector<CheckedOut> lists) {
    // No clone could read another text of it.
    const std::string policy = request_.prefix + std::string(config::kFileName);
    TRY(auto text, request_.side.Read(policy));
    lists.push_back({policy, "", std::move(text).value_or("")});
    std::set<std::string> paths;
    for (const CheckedOut& list : lists) {
      paths.insert(list.path);
      if (list.golden.empty()) continue;
      paths.insert(list.golden + "/");
      paths.insert(list.golden + "/approved/");
      goldens_ = true;
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
    return request_.side.IsCommit() ? CheckAttributes(lists) : CheckAttributesHere(lists);
  }

 private:
  /// The entries of every folder on the way to `paths`; of one that ends with '/', its own as well.
  Result<Done> ReadFolders(const std::set<std::string>& paths) {
    std::vector<std::string> folders;
    std::set<std::string> seen;
    for (const std::string& path : paths) {
      for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1)) {
        if (seen.insert(path.substr(0, at)).second) folders.push_back(path.substr(0, at));
      }
      if (path.ends_with('/')) golden_.insert(Folded(path.substr(0, path.size() - 1)));
    }
    folders.insert(folders.begin(), "");
    for (const std::string& folder : folders) {
      TRY(auto entries, request_.repository->ReadFolder(commit_, folder));
      for (git::FolderEntry& entry : entries) {
        const std::string& path = entry.path;
        names_[Folded(path)].push_back(path);
        if (const auto slash = path.rfind('/');
            slash != path.npos && golden_.contains(Folded(path.substr(0, slash))) &&
            (path.ends_with(kPayloads) || path.ends_with(kRecords)))
          golden_files_.push_back(path);
        if (base::FileName(path) == kAttributes) attributes_.push_back(std::move(entry));
      }
    }
    return Done{};
  }

  /// `names` are one file on some disks; `meant` is the one that was judged.
  void Double(const std::string& meant, const std::vector<std::string>& names) {
    const auto other = std::find_if(names.begin(), names.end(),
                                    [&](const std::string& name) { return name != meant; });
    const bool same = other == names.end();
    out_.push_back(
        {"RV016", Severity::Error,
         same ? fmt::format("the tree of this commit names {} twice: git judges one of them, and "
                            "checks out the other",
                            meant)
              : fmt::format("{} and {} are one file on disks that ignore case: what is checked out "
                            "there is not what was judged",
                            *other, meant),
         same ? meant : *other, 0, "",
         same ? "make the commit anew with git add" : "git rm -r " + base::ShellPath(*other)});
  }

  /// A file of attributes that may change what is checked out. Most name none of these words, and
  /// git need not be asked.
  bool MaySet(const Result<std::optional<std::string>>& text) const {
    if (!text.ok()) return true;
    const auto words = Words();
    return *text && std::any_of(words.begin(), words.end(), [&](const char* word) {
      return (*text)->find(word) != std::string::npos;
    });
  }

  std::span<const char* const> Words() const {
    return std::span(kChanging).first(goldens_ ? std::size(kChanging) : kOfLists);
  }

  /// git's answer for the files of attributes as this commit has them.
  Result<Done> CheckAttributes(const std::vector<CheckedOut>& lists) {
    std::string input;
    bool may = false;
    for (const git::FolderEntry& entry : attributes_) {
      input += fmt::format("{:06o} {}\t{}", entry.mode, entry.id, entry.path) + '\0';
      may = may || names_[Folded(entry.path)].size() > 1 ||
            MaySet(request_.repository->ReadFile(commit_, entry.path));
    }
    if (!may) return Done{};
    // An index of its own: two pushes may be judged at once, and a work tree's index stays as it
    // is.
    TRY(auto folder, base::ScratchFolder::Make());
    base::ProcessOptions aside;
    aside.environment = {"GIT_INDEX_FILE=" + folder.path() + "/index"};
    base::ProcessOptions filled = aside;
    filled.input = input;
    auto run = request_.repository->Git({"update-index", "-z", "--index-info"}, filled);
    if (run.ok() && run->ok()) run = Ask(lists, true, aside);
    return Answered(run, lists);
  }

  /// The same for a work tree, where they need not be committed yet: the list is judged as it lies
  /// there, too.
  Result<Done> CheckAttributesHere(const std::vector<CheckedOut>& lists) {
    bool may = false;
    const auto look = [&](const std::string& path) {
      for (std::size_t at = 0; at != path.npos && !may; at = path.find('/', at + 1)) {
        const std::string folder = at == 0 ? "" : path.substr(0, at + 1);
        may = MaySet(request_.side.Read(folder + std::string(kAttributes)));
      }
    };
    for (const CheckedOut& list : lists) {
      look(list.path);
      if (!list.golden.empty()) look(list.golden + "/approved/");
    }
    return may ? Answered(Ask(lists, false, {}), lists) : Done{};
  }

  Result<base::ProcessResult> Ask(const std::vector<CheckedOut>& lists, bool cached,
                                  base::ProcessOptions options) const {
    std::vector<std::string> question = {"-c", "core.attributesFile=/dev/null", "check-attr", "-z",
                                         "--stdin"};
    if (cached) question.emplace_back("--cached");
    const auto words = Words();
    question.insert(question.end(), words.begin(), words.end());
    for (const CheckedOut& list : lists) options.input += list.path + '\0';
    for (const std::string& path : golden_files_) options.input += path + '\0';
    return request_.repository->Git(std::move(question), std::move(options));
  }

  Result<Done> Answered(const Result<base::ProcessResult>& run,
                        const std::vector<CheckedOut>& lists) {
    if (!run.ok()) return run.error();
    if (!run->ok())
      return Error{Exit::Environment, "git check-attr failed: " + git::LastLines(run->err), ""};
    const std::vector<std::string> words = git::SplitAtNul(run->out);  // PATH, ATTRIBUTE, VALUE
    std::map<std::string, std::map<std::string, std::string>> found;
    for (std::size_t i = 0; i + 2 < words.size(); i += 3)
      found[words[i]].emplace(words[i + 1], words[i + 2]);
    for (const CheckedOut& list : lists) {
      for (std::size_t i = 0; i < kOfLists; ++i)
        CheckAttribute(list, kChanging[i], found[list.path][kChanging[i]]);
    }
    return CheckGoldenFiles(found);
  }

  /// One finding a folder, attribute and kind of file.
  Result<Done> CheckGoldenFiles(
      const std::map<std::string, std::map<std::string, std::string>>& found) {
    std::set<std::string> told;
    for (const std::string& path : golden_files_) {
      const auto attributes = found.find(path);
      if (attributes == found.end() ||
          std::all_of(attributes->second.begin(), attributes->second.end(), [](const auto& one) {
            return one.second == "unspecified" || one.second == "unset";
          }))
        continue;
      TRY(const auto bytes, request_.repository->ReadFile(commit_, path));
      const bool payload = path.ends_with(kPayloads);
      const std::string edits = AttributeThatEdits(attributes->second, bytes.value_or(""), payload);
      const std::string folder = path.substr(0, path.rfind('/') + 1);
      if (edits.empty() || !told.insert(folder + edits + (payload ? "p" : "")).second) continue;
      const std::string name = edits.substr(0, edits.find('='));
      const std::string mend = name == "text" || name == "eol" || name == "crlf" ? "text" : name;
      out_.push_back(
          {"RV019", Severity::Error,
           fmt::format(
               ".gitattributes sets {} for {}: a checkout may have other bytes than were recorded",
               edits, path),
           path, 0, "",
           fmt::format("printf '\\n*{} -{}\\n' >> {}", payload ? kPayloads : kRecords, mend,
                       base::ShellPath(folder + std::string(kAttributes)))});
    }
    return Done{};
  }

  /// The file of attributes beside it has the last word but for the clone's own.
  static std::string Without(const std::string& attribute, const std::string& path) {
    const std::size_t name = path.rfind('/') + 1;
    // A pattern without its slash may be a comment; the file's last line may have no end.
    const std::string line =
        fmt::format("{} -{}", AttributePattern("/" + path.substr(name)), attribute);
    return fmt::format("printf '\\n%s\\n' {} >> {}", base::ShellWord(line),
                       base::ShellPath(path.substr(0, name) + std::string(kAttributes)));
  }

  void CheckAttribute(const CheckedOut& list, const std::string& attribute,
                      const std::string& value) {
    if (value.empty() || value == "unspecified" || value == "unset") return;
    const bool expands = attribute == "ident" || attribute == "export-subst";
    if (expands && list.text.find(attribute == "ident" ? "$Id" : "$Format:") == list.text.npos)
      return;
    if (attribute == "working-tree-encoding" && Folded(value) == "utf-8") return;
    out_.push_back(
        {"RV016", Severity::Error,
         fmt::format(".gitattributes sets {}{} for {}: what is checked out is not what was judged",
                     attribute, expands ? "" : "=" + value, list.path),
         list.path, 0, "", Without(attribute, list.path)});
  }

  const GateRequest& request_;
  const git::Oid& commit_;
  std::vector<Finding>& out_;
  std::map<std::string, std::vector<std::string>> names_;  ///< by what disks take for the same
  std::set<std::string> golden_;                           ///< folders, all of whose files count
  std::vector<std::string> golden_files_;
  bool goldens_ = false;                      ///< a list has a folder of them
  std::vector<git::FolderEntry> attributes_;  ///< files of attributes
};

}  // namespace

Result<Done> CheckCheckout(const GateRequest& request, const std::vector<CheckedOut>& lists,
                           std::vector<Finding>& out) {
  TRY(auto head, request.side.Head());
  return head ? CheckoutGate(request, *head, out).Run(lists) : Done{};
}

}  // namespace revctl::commands
