// Checks release branches. A file of revision n is read as if it had every field added up to n, so
// a release that has a revision also needs all earlier revisions.
#include <map>

#include "golden/index.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/tree/tree.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

namespace {

/// RV019 and RV020: if a revision that is new on the release has goldens on the target, it must
/// have the same goldens on the release. If the goldens differ, so do the files that the code
/// writes, and the two are not the same revision.
Result<Findings> CheckNewGoldens(const ListFacts& facts, const std::string& main_folder,
                                 const std::vector<const list::Entry*>& fresh) {
  const GateRequest& request = facts.request();
  const std::string folder = facts.config.golden;
  const std::string main = request.release_of->Text(), tip = facts.change.main_tip().substr(0, 10);
  Findings out;
  if (main_folder.empty() || folder.empty()) return out;
  for (const list::Entry* entry : fresh) {
    for (const auto kind : {golden::FileName::Kind::Record, golden::FileName::Kind::Payloads}) {
      const std::string name = "/" + golden::FileNameText({kind, entry->name, ""});
      const std::string there = request.prefix() + main_folder + name,
                        path = request.prefix() + folder + name;
      TRY(const auto landed, request.repository().ReadFile(facts.change.main_tip(), there));
      if (!landed) continue;
      TRY(const auto here, request.tree.Read(path));
      if (here == landed || (!here && request.Is(Mode::Intermediate))) continue;
      const std::string fix =
          there == path
              ? fmt::format("git checkout {} -- {}", tip, base::ShellPath(path))
              : fmt::format("git show {} > {}", base::ShellWord(fmt::format("{}:{}", tip, there)),
                            base::ShellPath(path));
      out.push_back(
          facts.At(here ? RuleId::LandedGolden : RuleId::PendingGolden, entry->line, entry->name,
                   here ? fmt::format("{0} differs from the goldens of {2} on {1}, so this release "
                                      "would write different files for that revision",
                                      path, main, entry->name)
                        : fmt::format("{} has goldens on {}, but {} is missing here, so nothing "
                                      "tests that its files still load",
                                      entry->name, main, path),
                   fix));
    }
  }
  return out;
}

}  // namespace

Result<Findings> CheckRelease(const ListFacts& facts) {
  if (!facts.IsRelease()) return Findings{};
  const GateRequest& request = facts.request();
  const list::ListConfig& config = facts.config;
  const list::RevisionList& ours = facts.whole;
  if (!request.release_of->tip) {
    return Error{Exit::Environment,
                 request.release_of->label +
                     " is not in this clone, so the release cannot be compared with it",
                 "revctl check --fetch"};
  }
  TRY(const auto at_tip, request.tree.At(facts.change.main_tip()).List(config));
  const list::ListConfig& there = at_tip.config;
  TRY(auto main, list::Parse(at_tip.text.value_or(""), config, request.prefix() + there.path));
  // Ignore revisions that are older than the `oldest` of either side, because main may have raised
  // its `oldest` after the release was cut.
  const list::Entry* oldest = nullptr;
  for (const std::string& name : {config.oldest, there.oldest}) {
    const list::Entry* one = name.empty() ? nullptr : main.Find(name);
    if (one != nullptr && (oldest == nullptr || oldest->number < one->number)) oldest = one;
  }
  Findings out;
  const std::string main_text = request.release_of->Text();
  const auto line = main.Revisions();
  // The release's revisions by name. After the loop, contains only the revisions that the target
  // lacks.
  std::map<std::string, const list::Entry*> own;
  for (const list::Entry* entry : ours.Revisions()) {
    // Skip pending revisions, because another rule reports them.
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
      out.push_back(facts.At(
          RuleId::ReleaseNotPrefix, mine->line, entry->name,
          fmt::format(
              "{0} ({1}) was back-ported without {2}, which {3} before it on {4}; readers would "
              "expect the fields of {2} in files of {0}",
              entry->name, mine->number, SomeOf(missing), missing.size() == 1 ? "is" : "are",
              main_text),
          fmt::format("back-port every revision up to it ({}, each with its code and goldens), or "
                      "remove this revision and fix the problem without a revision",
                      SomeOf(missing))));
    } else if (mine->number != entry->number) {
      out.push_back(facts.At(RuleId::ReleaseNotPrefix, mine->line, entry->name,
                             fmt::format("{} is {} here, but {} on {}", entry->name, mine->number,
                                         entry->number, main_text),
                             findings::Fix::Mechanical()));
    }
  }
  for (const auto& [name, mine] : own) {
    const bool was_there =
        there.purged.empty() || there.purged.contains(name) || main.Find(name) != nullptr;
    if (oldest != nullptr && mine->number < oldest->number && was_there) continue;
    out.push_back(
        facts.At(RuleId::ReleaseNotPrefix, mine->line, name,
                 fmt::format("{} is not in the list on {}, and a release cannot add revisions",
                             name, main_text),
                 fmt::format("land it on {} first and back-port every revision up to it, or fix "
                             "the problem without a revision",
                             request.release_of->label)));
  }
  std::vector<const list::Entry*> fresh;
  for (const list::Entry* entry : facts.Pending()) {
    if (main.Find(entry->name) != nullptr) fresh.push_back(entry);
  }
  TRY(Append(out, CheckNewGoldens(facts, there.golden, fresh)));
  return out;
}

}  // namespace revctl::commands
