// Checks release branches. A file of revision n is read as if it had every field up to n, so a
// release needs all revisions up to n or none.
#include <map>
#include <set>

#include "golden/index.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/tree/list_at.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

namespace {

std::string MainText(const GateRequest& request) {
  return fmt::format("{} at {}", request.main_label, request.main_tip->substr(0, 10));
}

/// RV019 and RV020: a new revision with goldens on the target must have the same goldens here. Code
/// that writes other files is not the same revision.
Result<Done> CheckNewGoldens(ListGate& gate, const std::string& main_folder,
                             const std::vector<const list::Entry*>& fresh) {
  const GateRequest& request = gate.request();
  const std::string folder = gate.config().golden;
  if (main_folder.empty() || folder.empty()) return Done{};
  for (const list::Entry* entry : fresh) {
    for (const auto kind : {golden::FileName::Kind::Record, golden::FileName::Kind::Payloads}) {
      const std::string name = "/" + golden::FileNameText({kind, entry->name, ""});
      const std::string there = request.prefix + main_folder + name,
                        path = request.prefix + folder + name;
      TRY(auto landed, request.repository->ReadFile(*request.main_tip, there));
      if (!landed) continue;
      TRY(auto here, request.side.Read(path));
      if (here == landed || (!here && request.on_the_way)) continue;
      const std::string tip = request.main_tip->substr(0, 10);
      const std::string mend =
          there == path
              ? fmt::format("git checkout {} -- {}", tip, base::ShellPath(path))
              : fmt::format("git show {} > {}", base::ShellWord(fmt::format("{}:{}", tip, there)),
                            base::ShellPath(path));
      const std::string main = MainText(request);
      if (!here) {
        gate.Add(RuleId::PendingGolden,
                 fmt::format("{} has goldens on {} and {} is missing here: its files could break "
                             "in this release unnoticed",
                             entry->name, main, path),
                 entry->line, entry->name, mend);
      } else {
        gate.Add(
            RuleId::LandedGolden,
            fmt::format(
                "{} is not what {} has of {}: files of one revision would differ between the two",
                path, main, entry->name),
            entry->line, entry->name, mend);
      }
    }
  }
  return Done{};
}

}  // namespace

Result<Done> CheckReleaseUse(const GateRequest& request, const std::vector<ListInCode>& lists,
                             std::vector<Finding>& out) {
  TRY(auto here, UnusedRevisions(request, lists));
  if (here.empty()) return Done{};
  GateRequest main = request;
  main.side = FileTree::Commit(*request.repository, *request.main_tip);
  auto main_config = ConfigAt(*request.repository, *request.main_tip, request.prefix);
  std::vector<ListInCode> main_lists = lists;
  for (ListInCode& list : main_lists) {
    if (!main_config.ok() || !*main_config) break;
    if (const auto* named = (**main_config).ListNamed(list.gate->config().name))
      list.path = request.prefix + named->path;
  }
  TRY(const auto there, UnusedRevisions(main, main_lists));
  std::set<std::string> unused_there;
  for (const Finding& finding : there) unused_there.insert(finding.revision);
  for (Finding& finding : here) {
    if (!unused_there.contains(finding.revision)) {
      finding.severity = Severity::Error;
      finding.message +=
          fmt::format(" here, and by code on {}: files of this release would claim what it brought",
                      MainText(request));
      finding.fix = fmt::format(
          "git log --oneline -S{} {} names the commits to pick, too; or mend without a revision",
          finding.revision, request.main_tip->substr(0, 10));
    }
    out.push_back(std::move(finding));
  }
  return Done{};
}

Result<Done> CheckRelease(ListGate& gate) {
  const GateRequest& request = gate.request();
  const list::ListConfig& config = gate.config();
  const list::RevisionList& ours = gate.ours();
  if (!request.main_tip) {
    return Error{
        Exit::Environment,
        request.main_label + " is not known here, which a release's list must be a prefix of",
        "revctl check --fetch"};
  }
  TRY(const auto at_tip, ListAt(*request.repository, *request.main_tip, request.prefix, config));
  const list::ListConfig& there = at_tip.config;
  TRY(auto main, list::Parse(at_tip.text.value_or(""), config, request.prefix + there.path));
  // Ignore revisions below either side's `oldest`: main may have raised its own after the release
  // was cut.
  const list::Entry* oldest = nullptr;
  for (const std::string& name : {config.oldest, there.oldest}) {
    const list::Entry* one = name.empty() ? nullptr : main.Find(name);
    if (one != nullptr && (oldest == nullptr || oldest->number < one->number)) oldest = one;
  }
  const std::string main_text = MainText(request);
  const auto line = main.Revisions();
  // by name; at the end only those that the target lacks
  std::map<std::string, const list::Entry*> own;
  for (const list::Entry* entry : ours.Revisions()) {
    // Pending revisions have their own finding.
    if (entry->pending_file.empty()) own.emplace(entry->name, entry);
  }
  std::vector<std::string> missing;
  for (const list::Entry* entry : line) {
    if (oldest != nullptr && entry->number < oldest->number) continue;
    const auto found = own.find(entry->name);
    if (found == own.end()) {
      missing.push_back(entry->name);
      continue;
    }
    const list::Entry* const mine = found->second;
    own.erase(found);
    if (!missing.empty()) {
      gate.Add(RuleId::ReleaseNotPrefix,
               fmt::format("{0} ({1}) is here without {2}, which {3} before it on {4}: files of "
                           "{0} would be read as if they had those fields",
                           entry->name, mine->number, SomeOf(missing),
                           missing.size() == 1 ? "stands" : "stand", main_text),
               mine->line, entry->name,
               fmt::format("back-port every revision up to it ({}, each with its code and "
                           "goldens), or mend without a revision: take this one out again",
                           SomeOf(missing)));
    } else if (mine->number != entry->number) {
      gate.Add(RuleId::ReleaseNotPrefix,
               fmt::format("{} is {} here and {} on {}", entry->name, mine->number, entry->number,
                           main_text),
               mine->line, entry->name, "revctl resolve");
    }
  }
  for (const auto& [name, mine] : own) {
    const bool was_there =
        there.purged.empty() || there.purged.contains(name) || main.Find(name) != nullptr;
    if (oldest != nullptr && mine->number < oldest->number && was_there) continue;
    gate.Add(
        RuleId::ReleaseNotPrefix,
        fmt::format("{} is on no line of {}: a release takes no revision of its own", name,
                    main_text),
        mine->line, name,
        fmt::format(
            "land it on {} first and back-port every revision up to it, or mend without a revision",
            request.main_label));
  }
  std::vector<const list::Entry*> fresh;
  for (const list::Entry* entry : gate.Pending()) {
    if (main.Find(entry->name) != nullptr) fresh.push_back(entry);
  }
  return CheckNewGoldens(gate, there.golden, fresh);
}

}  // namespace revctl::commands
