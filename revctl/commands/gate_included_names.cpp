// What headers say that a list's file includes: names that an entry cannot have as well, and macros
// by which the compiler reads other entries than the rules do.
#include <filesystem>

#include "revctl/base/shell_word.h"
#include "revctl/commands/code_lines.h"
#include "revctl/commands/gate_pending.h"
#include "revctl/list/names_beside.h"
#include "revctl/pending/paths.h"

namespace revctl::commands {

using base::Done;
using base::Result;

namespace {

/// More headers than this, and more bytes and tokens of them, are not read: a list includes next to
/// nothing.
constexpr std::size_t kMostIncluded = 1000, kMostCost = std::size_t{16} << 20;

/// `include`, seen from the file at `from`; empty where it leads out of the tree.
std::string Resolved(const std::string& from, const std::string& include) {
  const std::string path =
      (std::filesystem::path(from).parent_path() / include).lexically_normal().generic_string();
  return path.starts_with("..") || path.starts_with('/') ? "" : path;
}

struct Header {
  std::string path;
  list::HeaderOfList says;
};
struct HeadersRead {
  std::vector<Header> read;
  bool all = true;  ///< none was left out
};

/// The headers of the tree that `first` leads to, files as `list` includes them.
Result<HeadersRead> ReadHeaders(const ListGate& gate, const list::RevisionList& list,
                                const std::vector<std::string>& first,
                                const std::set<std::string>& names,
                                const list::WordsOfEntries& words) {
  HeadersRead out;
  const GateRequest& request = gate.request();
  const std::string own = request.prefix + gate.config().path;
  std::set<std::string> known = {own, request.prefix + pending::IncludePath(gate.config())};
  std::vector<std::string> open;
  const auto follow = [&](const std::string& from, const std::vector<std::string>& includes) {
    for (const std::string& include : includes) {
      // Beside the file that includes it, or from where builds usually look.
      for (const std::string& place :
           {from, std::string(), request.prefix, std::string("include/"),
            request.prefix + "include/", std::string("src/"), request.prefix + "src/"}) {
        std::string path = Resolved(place, include);
        if (!path.empty() && known.insert(path).second) open.push_back(std::move(path));
      }
    }
  };
  follow(own, first);
  std::size_t cost = 0;
  while (!open.empty()) {
    std::string path = std::move(open.back());
    open.pop_back();
    if (out.read.size() == kMostIncluded || cost >= kMostCost) {
      out.all = false;
      break;
    }
    const auto text = request.side.Read(path);
    if (!text.ok() && text.error().exit == base::Exit::Environment) return text.error();
    if (!text.ok() || !*text) continue;
    Header one{std::move(path), list::ReadHeader(**text, list, names, words)};
    cost += one.says.cost;
    follow(one.path, one.says.includes);
    out.read.push_back(std::move(one));
  }
  return out;
}

/// Most lists include nothing, and need not be cut into tokens once more.
bool MayInclude(const list::RevisionList& list) {
  return list.text.find("include") != std::string::npos ||
         list.text.find('\\') != std::string::npos;
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
  TRY(const auto headers, ReadHeaders(gate, merged, list::IncludedFiles(merged.text), names, {}));
  for (const Header& header : headers.read) {
    for (const auto& [name, line] : header.says.declared)
      out.emplace(name, HeaderPlace{header.path, line});
  }
  return out;
}

Result<Done> JudgeHeaders(ListGate& gate, const list::RevisionList& list) {
  if (!MayInclude(list)) return Done{};
  const auto first = list::IncludedFiles(list.text, list.body.begin);
  if (first.empty()) return Done{};
  const auto words = list::EntryWords(list);
  TRY(const auto headers, ReadHeaders(gate, list, first, {}, words));
  for (const Header& header : headers.read) {
    for (const auto& [word, line] : header.says.changed) {
      TRY(const bool landed, IsLanded(gate, header.path, word, words));
      gate.AddAt(header.path, line,
                 {"RV016", landed ? findings::Severity::Warning : findings::Severity::Error,
                  word + " stands in an entry of " + gate.sides().path +
                      ", which includes this file: the compiler takes it for what is defined here",
                  "", 0, list.Find(word) != nullptr ? word : "",
                  "take " + word + " out of " + base::ShellPath(header.path) + ":" +
                      std::to_string(line) + ", or rename it there",
                  "", "", "", ""});
    }
  }
  if (!headers.all)
    gate.Add("RV016",
             "includes more headers than revctl reads (" + std::to_string(kMostIncluded) +
                 ", or 16 MiB): macros of the others are not seen",
             0, "", "include less in this file", findings::Severity::Note);
  return Done{};
}

}  // namespace revctl::commands
