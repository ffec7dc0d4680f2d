// Names that headers declare which a list's file includes: an entry of that name would not compile.
#include <filesystem>

#include "revctl/commands/gate_pending.h"
#include "revctl/list/names_beside.h"
#include "revctl/pending/paths.h"

namespace revctl::commands {

using base::Result;

namespace {

/// More headers than this are not read: a list includes next to nothing.
constexpr std::size_t kMostIncluded = 1000;

/// `include`, seen from the file at `from`; empty where it leads out of the tree.
std::string Resolved(const std::string& from, const std::string& include) {
  const std::string path =
      (std::filesystem::path(from).parent_path() / include).lexically_normal().generic_string();
  return path.starts_with("..") || path.starts_with('/') ? "" : path;
}

}  // namespace

Result<std::map<std::string, HeaderPlace>> DeclaredInHeaders(const ListGate& gate,
                                                             const list::RevisionList& merged,
                                                             const std::set<std::string>& names) {
  std::map<std::string, HeaderPlace> out;
  const GateRequest& request = gate.request();
  const std::string list = request.prefix + gate.config().path;
  std::set<std::string> known = {list, request.prefix + pending::IncludePath(gate.config())};
  std::vector<std::string> open;
  const auto follow = [&](const std::string& from, std::string_view text) {
    for (const std::string& include : list::QuotedIncludes(text)) {
      // Beside the file that includes it, or from the root of the tree.
      for (const std::string& path : {Resolved(from, include), Resolved("", include)}) {
        if (!path.empty() && known.insert(path).second) open.push_back(path);
      }
    }
  };
  if (!names.empty()) follow(list, merged.text);
  for (std::size_t left = kMostIncluded; left > 0 && !open.empty();) {
    const std::string path = std::move(open.back());
    open.pop_back();
    const auto text = request.side.Read(path);
    if (!text.ok() && text.error().exit == base::Exit::Environment) return text.error();
    if (!text.ok() || !*text) continue;
    --left;
    for (const auto& [name, line] : list::DeclaredIn(**text, merged, names))
      out.emplace(name, HeaderPlace{path, line});
    follow(path, **text);
  }
  return out;
}

}  // namespace revctl::commands
