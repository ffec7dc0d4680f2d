// Goldens: those of landed revisions are never edited or removed, those of pending ones must be
// there.
#include <set>

#include "golden/index.h"
#include "revctl/commands/gate_parts.h"

namespace revctl::commands {

using findings::Severity;

findings::Result<findings::Done> JudgeGoldens(ListGate& gate, std::vector<findings::Finding>& out) {
  const GateRequest& request = gate.request();
  const list::ListConfig& config = gate.config();
  const list::RevisionList* landed = gate.landed();
  const std::optional<git::Oid>& base = gate.sides().base_commit;
  if (config.golden.empty()) return findings::Done{};
  const std::string folder = request.prefix + config.golden;
  if (request.target) {
    auto changed = request.side.ChangedSince(*request.target, folder);
    if (!changed.ok()) return changed.error();
    std::optional<std::set<std::string>> since_base;
    if (!changed->empty() && base && *base != *request.target) {
      auto touched = request.side.ChangedSince(*base, folder);
      if (!touched.ok()) return touched.error();
      since_base.emplace(touched->begin(), touched->end());
      auto base_files = request.repository->ListFiles(*base, folder);
      if (!base_files.ok()) return base_files.error();
      // Behind the target: neither the base nor this side has the file, or has the newer bytes.
      std::set<std::string> at_base;
      for (const auto& file : *base_files) at_base.insert(folder + "/" + file.path);
      std::erase_if(*changed, [&](const std::string& path) {
        if (at_base.contains(path)) return !since_base->contains(path);
        auto here = request.side.Exists(path);
        return here.ok() && !*here;
      });
    }
    for (const std::string& path : *changed) {
      auto name = golden::ParseFileName(std::string_view(path).substr(folder.size() + 1));
      if (!name) continue;
      if (name->kind != golden::FileName::Kind::Approval &&
          (landed == nullptr || landed->Find(name->revision) == nullptr))
        continue;
      auto here = request.side.Exists(path);
      out.push_back({"RV019", Severity::Error,
                     std::string("the golden ") +
                         (name->revision.empty() ? "approval" : "of the landed " + name->revision) +
                         (here.ok() && *here ? " was edited" : " was removed") +
                         "; files like it are in users' hands",
                     path, 0, name->revision,
                     "git checkout " + request.TargetForGit() + " -- " + path, "", "", "", ""});
    }
  }
  if (request.scope != GateRequest::Scope::Landing) return findings::Done{};
  for (const list::Entry* entry : gate.Pending()) {
    const std::string file =
        folder + "/" + golden::FileNameText({golden::FileName::Kind::Record, entry->name, ""});
    auto here = request.side.Exists(file);
    if (!here.ok()) return here.error();
    if (!*here) {
      gate.Add("RV020",
               entry->name + " has no goldens (" + file +
                   "): files of this revision could break unnoticed",
               entry->line, entry->name, "run your harness with `record`, and commit " + file);
    }
  }
  return findings::Done{};
}

}  // namespace revctl::commands
