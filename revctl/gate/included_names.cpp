// What headers say that a list's file includes: names that an entry cannot have as well, and macros
// by which the compiler reads other entries than the rules do.
#include <algorithm>
#include <filesystem>

#include "revctl/base/ascii.h"
#include "revctl/base/path.h"
#include "revctl/base/shell_word.h"
#include "revctl/findings/printable.h"
#include "revctl/gate/pending.h"
#include "revctl/list/names_beside.h"
#include "revctl/pending/paths.h"
#include "revctl/tree/code_lines.h"

namespace revctl::commands {
namespace {

/// More headers than this, more bytes and tokens of them, and longer chains are not read: a list
/// includes next to nothing.
constexpr std::size_t kMostIncluded = 1000, kMostCost = std::size_t{16} << 20, kLongestChain = 32;

/// As disks compare paths that ignore case. Separators are those of any system.
std::string SameCase(std::string_view path) {
  std::string out(path);
  for (char& c : out) c = c == '\\' ? '/' : base::Lower(c);
  return out;
}

/// What an include has in common with the path of the file that it means: where compilers search is
/// not known here.
std::string Ending(const list::Include& include) {
  std::string path =
      std::filesystem::path(SameCase(include.path)).lexically_normal().generic_string();
  while (path.starts_with("../")) path.erase(0, 3);
  while (path.starts_with('/')) path.erase(0, 1);
  return path;
}

/// The path beside the file at `from`, where a compiler looks first.
std::string Beside(const std::string& from, const list::Include& include) {
  return (std::filesystem::path(from).parent_path() / include.path)
      .lexically_normal()
      .generic_string();
}

struct Header {
  std::string path;
  list::HeaderOfList says;
};
struct HeadersRead {
  std::vector<Header> read;
  std::set<std::string> not_here;  ///< what the list's file includes that is in no folder
  bool all = true;                 ///< none was left out
};

/// Follows includes through the tree: each file that an include may mean, in whatever folder.
class HeaderReader {
 public:
  HeaderReader(const ListGate& gate, const list::RevisionList& list,
               const std::set<std::string>& names, const list::WordsOfEntries& words)
      : gate_(gate), list_(list), names_(names), words_(words) {
    const GateRequest& request = gate.request();
    own_ = request.prefix + gate.config().path;
    known_ = {own_, request.prefix + pending::IncludePath(gate.config())};
  }

  Result<HeadersRead> Run(const std::vector<list::Include>& first) {
    std::vector<Wanted> wanted;
    for (const list::Include& include : first) wanted.push_back({own_, include});
    for (std::size_t chain = 0; !wanted.empty() && out_.all; ++chain) {
      if (chain == kLongestChain) out_.all = false;
      if (!out_.all) break;
      TRY(const auto paths, Find(wanted, chain == 0));
      wanted.clear();
      for (const std::string& path : paths) {
        TRY(Read(path, wanted));
        if (!out_.all) break;
      }
    }
    return std::move(out_);
  }

 private:
  struct Wanted {
    std::string from;
    list::Include include;
  };

  /// Files that are not read yet. One look at the tree for all of them.
  Result<std::vector<std::string>> Find(const std::vector<Wanted>& wanted, bool by_list) {
    std::map<std::string, std::vector<std::string>, std::less<>> by_name;
    for (const Wanted& one : wanted) {
      if (one.include.path.empty()) continue;
      by_name.try_emplace(std::string(base::FileName(Ending(one.include))));
    }
    TRY(auto files, gate_.request().side.FilesCalled(
                        [&](std::string_view name) { return by_name.contains(SameCase(name)); }));
    for (std::string& path : files)
      by_name[SameCase(std::string(base::FileName(path)))].push_back(std::move(path));
    std::vector<std::string> out;
    for (const auto& [from, include] : wanted) {
      if (include.path.empty()) {
        out_.not_here.insert("what macros make of an #include");
        continue;
      }
      const std::string ending = Ending(include), beside = Beside(from, include);
      const auto& called = by_name[std::string(base::FileName(ending))];
      const bool there =
          include.quoted && std::find(called.begin(), called.end(), beside) != called.end();
      bool any = false;
      for (const std::string& path : called) {
        const std::string folded = "/" + SameCase(path);
        if (there ? path != beside : !folded.ends_with("/" + ending)) continue;
        any = true;
        if (known_.insert(path).second) out.push_back(path);
      }
      if (!any && by_list && !IsOfSystem(ending) &&
          beside != gate_.request().prefix + pending::IncludePath(gate_.config()))
        out_.not_here.insert(include.path);
    }
    return out;
  }

  Result<Done> Read(const std::string& path, std::vector<Wanted>& wanted) {
    if (out_.read.size() == kMostIncluded || cost_ >= kMostCost) {
      out_.all = false;
      return Done{};
    }
    const auto text = gate_.request().side.Read(path);
    if (!text.ok() && text.error().exit == base::Exit::Environment) return text.error();
    if (!text.ok() || !*text) return Done{};
    Header one{path, list::ReadHeader(**text, list_, names_, words_)};
    cost_ += one.says.cost;
    for (const list::Include& include : one.says.includes) {
      // Of what others wrote, such as Boost, no more is said.
      if (!include.path.empty()) wanted.push_back({path, include});
    }
    out_.read.push_back(std::move(one));
    return Done{};
  }

  /// `cstdint` and `stdint.h`: no project has them.
  static bool IsOfSystem(std::string_view ending) {
    static const std::set<std::string_view> kOfC = {
        "assert.h", "ctype.h",  "errno.h",  "float.h",  "inttypes.h", "limits.h",
        "math.h",   "signal.h", "stdarg.h", "stddef.h", "stdint.h",   "stdio.h",
        "stdlib.h", "string.h", "time.h",   "wchar.h",  "stdbool.h"};
    return ending.find('.') == ending.npos || kOfC.contains(ending);
  }

  const ListGate& gate_;
  const list::RevisionList& list_;
  const std::set<std::string>& names_;
  const list::WordsOfEntries& words_;
  std::string own_;
  std::set<std::string> known_;
  std::size_t cost_ = 0;
  HeadersRead out_;
};

/// Most lists include nothing, and need not be cut into tokens once more.
bool MayInclude(const list::RevisionList& list) {
  return list.text.find("include") != std::string::npos ||
         list.text.find("import") != std::string::npos || list.text.find('\\') != std::string::npos;
}

/// The target's tree says so already, of a word that its list has.
Result<bool> IsLanded(const ListGate& gate, const std::string& path, const std::string& word,
                      const list::WordsOfEntries& words) {
  const GateRequest& request = gate.request();
  if (!request.target || gate.landed() == nullptr || !HoldsWord(gate.landed()->text, word))
    return false;
  const auto there = request.repository->ReadFile(*request.target, path);
  if (!there.ok() && there.error().exit == base::Exit::Environment) return there.error();
  return there.ok() && *there &&
         list::ReadHeader(**there, *gate.landed(), {}, words).changed.contains(word);
}

}  // namespace

Result<std::map<std::string, HeaderPlace>> DeclaredInHeaders(const ListGate& gate,
                                                             const list::RevisionList& merged,
                                                             const std::set<std::string>& names) {
  std::map<std::string, HeaderPlace> out;
  if (names.empty() || !MayInclude(merged)) return out;
  const list::WordsOfEntries none;
  TRY(const auto headers,
      HeaderReader(gate, merged, names, none).Run(list::IncludedFiles(merged.text)));
  for (const Header& header : headers.read) {
    for (const auto& [name, line] : header.says.declared)
      out.emplace(name, HeaderPlace{header.path, line});
  }
  return out;
}

Result<Done> CheckHeaders(ListGate& gate, const list::RevisionList& list) {
  if (!MayInclude(list)) return Done{};
  const auto first = list::IncludedFiles(list.text, list.body.begin);
  if (first.empty()) return Done{};
  const auto words = list::EntryWords(list);
  const std::set<std::string> none;
  TRY(const auto headers, HeaderReader(gate, list, none, words).Run(first));
  for (const Header& header : headers.read) {
    for (const auto& [word, line] : header.says.changed) {
      TRY(const bool landed, IsLanded(gate, header.path, word, words));
      gate.AddAt(header.path, line,
                 {"RV016", landed ? findings::Severity::Warning : findings::Severity::Error,
                  fmt::format("{} stands in the enum of {}, which includes this file: the compiler "
                              "takes it for what is defined here",
                              word, gate.sides().path),
                  "", 0, list.Find(word) != nullptr ? word : "",
                  fmt::format("take {} out of {}:{}, or rename it there", word,
                              base::ShellPath(header.path), line)});
    }
  }
  if (const std::size_t count = headers.not_here.size(); count > 0)
    gate.Add(
        "RV016",
        fmt::format("includes {}{}, which revctl finds nowhere in this repository: macros from "
                    "there are not seen; the table of `revctl codegen` asserts the numbers",
                    findings::Quoted(*headers.not_here.begin()),
                    count > 1 ? fmt::format(" and {} more", count - 1) : ""),
        0, "", "", findings::Severity::Note);
  if (!headers.all)
    gate.Add("RV016",
             fmt::format("includes more headers than revctl reads ({}, or 16 MiB): macros of the "
                         "others are not seen",
                         kMostIncluded),
             0, "", "include less in this file", findings::Severity::Note);
  return Done{};
}

}  // namespace revctl::commands
