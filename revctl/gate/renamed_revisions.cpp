#include "revctl/gate/renamed_revisions.h"

#include <algorithm>

#include "revctl/source_scan/source_code.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

/// Size limit for all lists read while searching a branch's commits for a rename.
constexpr std::size_t kMostSearchedBytes = std::size_t{64} << 20;

/// The lines of code that use a name. Each line consists of its tokens, with a placeholder for the
/// name.
using Uses = std::multiset<std::string>;

/// Finds the uses of each name in the sources of `tree`, except in the list at `path`.
Result<std::map<std::string, Uses>> UsesIn(const ListFacts& facts, const Tree& tree,
                                           const std::string& path,
                                           const std::vector<std::string>& names) {
  std::map<std::string, Uses> out;
  TRY(EachSource(tree, names, facts.request().watch, [&](const SourceCode& file) {
    if (file.path() == path) return;
    std::map<int, std::vector<const CodeToken*>> lines;
    for (const CodeToken& token : file.tokens()) lines[file.Line(token)].push_back(&token);
    for (const std::string& name : names) {
      for (const auto& [number, tokens] : lines) {
        std::string line;
        for (const CodeToken* token : tokens)
          line += (token->Is(name) ? std::string("\n") : std::string(token->text)) + " ";
        if (line.find('\n') != std::string::npos) out[name].insert(std::move(line));
      }
    }
  }));
  return out;
}

/// True if code uses `heir` only in lines that used `landed` at the merge base, and does not use
/// `landed` at all. In this case, the two names mean the same revision.
Result<bool> MovedInCode(const ListFacts& facts, const std::string& landed,
                         const std::string& heir) {
  const std::optional<git::Oid>& base =
      facts.change.base_commit ? facts.change.base_commit : facts.request().target.tip;
  if (!base) return false;
  const Tree& tree = facts.request().tree;
  TRY(const auto now, UsesIn(facts, tree, facts.path, {landed, heir}));
  if (now.contains(landed) || !now.contains(heir)) return false;
  TRY(const auto then,
      UsesIn(facts, tree.At(*base), facts.request().prefix() + facts.base.path(), {landed}));
  if (!then.contains(landed)) return false;
  const Uses &moved = now.at(heir), &before = then.at(landed);
  return std::includes(before.begin(), before.end(), moved.begin(), moved.end());
}

}  // namespace

RenameHistory::Numbers RenameHistory::NumbersOf(const list::RevisionList& list) const {
  Numbers out;
  for (const list::Entry& entry : list.entries) {
    if (entry.kind == list::EntryKind::Revision && names_.contains(entry.name))
      out.emplace(entry.name, entry.number);
  }
  return out;
}

Result<RenameHistory::Numbers> RenameHistory::NumbersAt(const git::Oid& commit) {
  const auto known = numbers_.find(commit);
  if (known != numbers_.end()) return known->second;
  Numbers found;
  if (read_ <= kMostSearchedBytes) {
    const auto there = tree_.At(commit).Parsed(list_);
    if (!there.ok() && there.error().exit == Exit::Environment) return there.error();
    if (there.ok() && *there) {
      read_ += (*there)->text.size();
      found = NumbersOf(**there);
    }
  }
  return numbers_.emplace(commit, std::move(found)).first->second;
}

Result<Done> RenameHistory::AddUncommitted(const list::RevisionList& here) {
  Version version{NumbersOf(here), {}};
  for (const char* const name : {"HEAD", "MERGE_HEAD"}) {
    TRY(const auto parent, tree_.repository().RevParse(name));
    if (parent) version.parents.push_back(*parent);
  }
  versions_.push_back(std::move(version));
  return Done{};
}

Result<Done> RenameHistory::AddCommits(const git::Oid& target, const git::Oid& tip) {
  TRY(const auto commits, tree_.repository().CommitsSince(target, tip));
  for (const auto& commit : commits) {
    TRY(auto numbers, NumbersAt(commit.id));
    versions_.push_back({std::move(numbers), commit.parents});
  }
  return Done{};
}

Result<bool> RenameHistory::Replaces(const std::string& landed, const std::string& heir) {
  for (const Version& version : versions_) {
    const auto now = version.numbers.find(heir), kept = version.numbers.find(landed);
    if (now == version.numbers.end()) continue;
    // If the version still has `landed`, then `heir` is a different revision, unless it has the
    // same number.
    if (kept != version.numbers.end() && kept->second != now->second) continue;
    bool inherited = false, had_landed = false;
    for (const git::Oid& parent : version.parents) {
      TRY(const auto before, NumbersAt(parent));
      inherited = inherited || before.contains(heir);
      had_landed = had_landed || before.contains(landed);
    }
    if (!inherited && had_landed) return true;
  }
  return read_ > kMostSearchedBytes;
}

Result<Renames> FindRenames(const ListFacts& facts) {
  Renames out;
  const auto candidates = list::FindRenamed(ListsToCheck(facts, facts.ListToCheck()), facts.config);
  if (candidates.empty() || !facts.InRepository()) return out;
  const GateRequest& request = facts.request();
  std::set<std::string> names;
  for (const auto& [landed, heir] : candidates) names.insert({landed->name, heir->name});
  RenameHistory history(request.tree, facts.config, std::move(names));
  TRY(const auto head, request.tree.Head());
  if (!request.tree.IsCommit()) TRY(history.AddUncommitted(facts.alone));
  if (head && request.target.tip) TRY(history.AddCommits(*request.target.tip, *head));
  for (const auto& [landed, heir] : candidates) {
    const std::string file_name = heir->name + ".yaml";
    const auto& files = facts.ours.pending;
    const bool reserved = std::any_of(
        files.begin(), files.end(), [&](const auto& file) { return file.file_name == file_name; });
    TRY(const bool replaces, history.Replaces(landed->name, heir->name));
    if (reserved || !replaces) {
      out.own.insert(heir->name);
      continue;
    }
    out.names.emplace(heir->name, landed->name);
    if (request.Is(Mode::Intermediate) || heir->number != landed->number) continue;
    TRY(const bool moved, MovedInCode(facts, landed->name, heir->name));
    if (moved) out.moved_in_code.insert(heir->name);
  }
  return out;
}

}  // namespace revctl::commands
