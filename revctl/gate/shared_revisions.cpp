// Finds revisions that two branches have added in different commits. If two people write the same
// line without `reserve`, git merges the lines into one, and no list shows that the entry stands
// for two revisions. Therefore, the gate compares the commits of both sides. It reports RV001 if
// one side has landed. Before that, it compares the authors with the ledger, and reports RV011.
// RV001 ignores a line that is not committed yet, because `git checkout TARGET -- LIST` also writes
// such a line. git is started only if both sides have added a revision, or if a revision is
// reserved for a person who did not contribute to the branch. A single run covers all revisions of
// the two branches, because both may add the whole list, for example if one of them was squashed.
#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/gate/same_revision.h"
#include "revctl/git/history.h"
#include "revctl/ledger/event.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;

/// Size limit for the lists read while searching for the commits that add a revision.
constexpr std::size_t kMostSharedBytes = std::size_t{64} << 20;

/// Maximum number of commits whose revision names are cached.
constexpr std::size_t kMostKept = 64;

/// Maximum number of pending files passed to git by name.
constexpr std::size_t kMostNamedFiles = 64;

/// Size limit for cached patches.
constexpr std::size_t kMostPatchBytes = std::size_t{64} << 20;

/// For each revision, the commits that add it, newest first.
using Additions = std::map<std::string, std::vector<git::CommitInfo>, std::less<>>;

/// The tips of two lines of history that a merge has joined or a landing will join.
struct Joined {
  git::Oid one, other;
};

std::string CommitText(const git::CommitInfo& commit) {
  return fmt::format("{} by {}", commit.id.substr(0, 10), commit.author.Text());
}

class SharedRevisions {
 public:
  explicit SharedRevisions(const ListFacts& facts)
      : facts_(facts), request_(facts.request()), repository_(request_.repository()) {}

  /// Returns RV001 findings for revisions that this change and the target have both added.
  Result<Findings> FindShared() {
    TRY(const bool comparable, ReadOwnCommits());
    if (!comparable || own_.empty()) return std::move(out_);
    TRY(CheckJoined({head_, *request_.target.tip}));
    for (const auto& commit : own_) {
      for (std::size_t i = 1; i < commit.parents.size(); ++i)
        TRY(CheckJoined({commit.parents[0], commit.parents[i]}));
    }
    return std::move(out_);
  }

  /// Returns RV011 findings for pending revisions that are reserved for a person who did not
  /// contribute to the change.
  Result<Findings> FindStrangers() {
    if (facts_.AtLanding() || !facts_.policy().reservation_required || !request_.ledger.HasLedger())
      return std::move(out_);
    const auto& lists = request_.ledger.snapshot->state.lists;
    const auto found = lists.find(facts_.config.name);
    if (found == lists.end()) return std::move(out_);
    std::vector<std::pair<const list::Entry*, git::Person>> pending;
    for (const list::Entry* entry : facts_.Pending()) {
      for (const auto& held : found->second.open) {
        if (held.name == entry->name && held.number == entry->number)
          pending.emplace_back(entry, held.who);
      }
    }
    if (pending.empty()) return std::move(out_);  // avoid reading the branch's commits
    TRY(const bool comparable, ReadOwnCommits());
    if (!comparable) return std::move(out_);
    for (const auto& [entry, holder] : pending) TRY(CheckHolder(*entry, holder));
    return std::move(out_);
  }

 private:
  /// Reads the commits that the target lacks into `own_`. Returns false if there is nothing to
  /// compare with.
  Result<bool> ReadOwnCommits() {
    TRY(const auto head, request_.tree.Head());
    if (!head || !request_.target.tip || facts_.on_target() == nullptr) return false;
    head_ = *head;
    TRY(own_, repository_.CommitsSince(*request_.target.tip, head_));
    return true;
  }

  using Revisions = std::set<std::string, std::less<>>;

  /// Returns the names in the list and the pending files at `commit`, or nullopt if the list is
  /// missing or unreadable.
  Result<std::optional<Revisions>> RevisionsOf(const git::Oid& commit) {
    const auto known = revisions_.find(commit);
    if (known != revisions_.end()) return known->second;
    std::optional<Revisions> found;
    const auto there = request_.tree.At(commit).List(facts_.config);
    if (!there.ok() && there.error().exit == base::Exit::Environment) return there.error();
    if (there.ok() && there->text) {
      read_ += there->text->size();
      if (auto parsed = list::Parse(*there->text, facts_.config, facts_.path); parsed.ok()) {
        auto whole = request_.tree.At(commit).WithPending(there->config, *parsed);
        found.emplace();
        for (const list::Entry* entry : (whole.ok() ? *whole : *parsed).Revisions())
          found->insert(entry->name);
      }
      const list::ListConfig& config = there->config;
      not_code_.insert(request_.prefix() + config.path);
      not_code_.insert(request_.prefix() + pending::Folder(config));
      not_code_.insert(request_.prefix() + pending::IncludePath(config));
      if (!config.golden.empty()) not_code_.insert(request_.prefix() + config.golden);
    }
    if (revisions_.size() > kMostKept) revisions_.clear();
    return revisions_.emplace(commit, std::move(found)).first->second;
  }

  static bool HasRevision(const std::optional<Revisions>& revisions, const std::string& name) {
    return revisions && revisions->contains(name);
  }

  /// True if two commits have the same list and pending files. `here` is the list at `one`. Does
  /// not parse the lists, because a branch may have hundreds of merges.
  Result<bool> SameList(const git::Oid& one, const ListThere& here, const git::Oid& other) const {
    TRY(const auto there, request_.tree.At(other).List(facts_.config));
    if (here.text != there.text) return false;
    if (!AtLanding(facts_.config)) return true;
    TRY(const auto mine,
        repository_.ListFiles(one, request_.prefix() + pending::Folder(here.config)));
    TRY(const auto theirs,
        repository_.ListFiles(other, request_.prefix() + pending::Folder(there.config)));
    return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                      [](const git::TreeFile& a, const git::TreeFile& b) {
                        return a.path == b.path && a.id == b.id;
                      });
  }

  Result<Done> CheckJoined(const Joined& joined) {
    TRY(const auto base, repository_.MergeBase(joined.one, joined.other));
    if (!base || *base == joined.one || *base == joined.other) return Done{};
    if (const auto here = request_.tree.At(*base).List(facts_.config); here.ok()) {
      for (const git::Oid& side : {joined.one, joined.other}) {
        const auto same = SameList(*base, *here, side);
        if (same.ok() && *same) return Done{};  // this side has added no revision
      }
    }
    TRY(const auto before, RevisionsOf(*base));
    TRY(const auto one, RevisionsOf(joined.one));
    TRY(const auto other, RevisionsOf(joined.other));
    if (!one || !other) return Done{};  // other rules report an unreadable list
    std::vector<const list::Entry*> shared;
    for (const std::string& name : *one) {
      const list::Entry* landed = facts_.on_target()->Find(name);
      if (!HasRevision(other, name) || HasRevision(before, name) || landed == nullptr ||
          facts_.whole.Find(name) == nullptr || reported_.contains(name) || HaveClash(name))
        continue;
      shared.push_back(landed);
    }
    if (shared.empty()) return Done{};
    Revisions names;
    for (const list::Entry* entry : shared) names.insert(entry->name);
    TRY(auto by_one, Adding(names, {.tips = {joined.one}, .without = {joined.other}}));
    TRY(auto by_other, Adding(names, {.tips = {joined.other}, .without = {joined.one}}));
    for (const list::Entry* entry : shared)
      TRY(CheckShared(joined, *entry, std::move(by_one[entry->name]),
                      std::move(by_other[entry->name])));
    return Done{};
  }

  /// True if both sides have a pending file with that name but different content. No check is
  /// needed then, because git reports a conflict and the gate reports RV029.
  bool HaveClash(const std::string& name) const {
    const auto find = [&](const std::vector<pending::PendingText>& files) {
      return std::find_if(files.begin(), files.end(), [&](const pending::PendingText& file) {
        return pending::NameOfFile(file.file_name) == name;
      });
    };
    const auto ours = find(facts_.ours.pending), target = find(facts_.target.pending);
    return ours != facts_.ours.pending.end() && target != facts_.target.pending.end() &&
           !(*ours == *target);
  }

  /// `one` and `other` are the commits that add the revision on each side.
  Result<Done> CheckShared(const Joined& joined, const list::Entry& entry,
                           std::vector<git::CommitInfo> one, std::vector<git::CommitInfo> other) {
    // Both sides inherited the revision from the same commit.
    if (one.empty() || other.empty()) return Done{};
    TRY(const bool one_landed, HasLanded(one.front().id));
    TRY(const bool other_landed, HasLanded(other.front().id));
    if (one_landed == other_landed) return Done{};
    const git::Oid& ours = one_landed ? joined.other : joined.one;
    const git::Oid& theirs = one_landed ? joined.one : joined.other;
    if (one_landed) std::swap(one, other);
    TRY(auto facts, FactsOf(entry, std::move(other), std::move(one), ours, theirs));
    if (WhySame(facts) == SameEvidence::None) Report(entry, facts, joined.one != head_);
    return Done{};
  }

  Result<bool> HasLanded(const git::Oid& commit) {
    const auto known = landed_.find(commit);
    if (known != landed_.end()) return known->second;
    TRY(const bool landed, repository_.IsAncestor(commit, *request_.target.tip));
    return landed_.emplace(commit, landed).first->second;
  }

  Result<std::vector<git::CommitInfo>> Adding(const std::string& name,
                                              const git::CommitRange& range) {
    TRY(auto found, Adding(Revisions{name}, range));
    return std::move(found[name]);
  }

  /// Returns the commits in `range` that add one of the revisions. A commit adds a revision if it
  /// has the revision and none of its parents do.
  Result<Additions> Adding(const Revisions& names, const git::CommitRange& range) {
    std::vector<std::string> places;
    std::set<std::string> paths{facts_.path};
    for (const std::string& path : {facts_.base.path(), facts_.target.path()}) {
      if (!path.empty()) paths.insert(request_.prefix() + path);
    }
    for (const std::string& path : paths) {
      list::ListConfig config = facts_.config;
      config.path = path;
      places.push_back(path);
      if (names.size() > kMostNamedFiles) {
        places.push_back(pending::Folder(config));
      } else {
        for (const std::string& name : names) places.push_back(pending::FilePath(config, name));
      }
    }
    TRY(const auto commits, git::CommitsChanging(repository_, range, places));
    Additions out;
    read_ = 0;
    for (const git::Oid& id : commits) {
      if (read_ > kMostSharedBytes)
        return base::Error{base::Exit::Usage,
                           "the commits of this change contain more than 64 MiB of revision lists, "
                           "which is too much to compare",
                           "git rebase " + base::ShellWord(request_.target.label)};
      TRY(const auto revisions, RevisionsOf(id));
      Revisions added;
      for (const std::string& name : names) {
        if (HasRevision(revisions, name)) added.insert(name);
      }
      if (added.empty()) continue;
      TRY(const auto commit, repository_.ReadCommit(id));
      for (const git::Oid& parent : commit.parents) {
        TRY(const auto before, RevisionsOf(parent));
        std::erase_if(added, [&](const std::string& name) { return HasRevision(before, name); });
      }
      for (const std::string& name : added) out[name].push_back(commit);
    }
    return out;
  }

  /// Returns the patches of `commits` from the cache, or from `read`, which must exclude the paths
  /// in NotCode(). The view is valid until the next call.
  template <class Read>
  Result<std::string_view> CachedPatches(const std::string& commits, Read&& read) {
    const std::string key = fmt::format("{} {}", commits, not_code_.size());
    if (const auto known = patches_.find(key); known != patches_.end()) return {known->second};
    if (patch_bytes_ > kMostPatchBytes) {
      patches_.clear();
      patch_bytes_ = 0;
    }
    TRY(auto patches, read());
    patch_bytes_ += patches.size();
    return {patches_.emplace(key, std::move(patches)).first->second};
  }

  Result<TwiceAdded> FactsOf(const list::Entry& entry, std::vector<git::CommitInfo> theirs,
                             std::vector<git::CommitInfo> ours, const git::Oid& our_tip,
                             const git::Oid& their_tip) {
    TwiceAdded facts;
    for (git::CommitInfo& commit : theirs) {
      TRY(const auto patches, CachedPatches(commit.id, [&] {
            return git::PatchesOf(repository_, commit.id, NotCode());
          }));
      auto code = CodeIn(patches, entry);
      AddingCommit& one = facts.theirs.emplace_back(AddingCommit{std::move(commit)});
      for (CommitCode& part : code) one.code.merge(part.code);
    }
    TRY(const auto patches, CachedPatches(their_tip + ".." + our_tip, [&] {
          return git::PatchesSince(repository_, our_tip, their_tip, NotCode());
        }));
    auto code = CodeIn(patches, entry);
    for (git::CommitInfo& commit : ours) {
      AddingCommit& one = facts.ours.emplace_back(AddingCommit{std::move(commit)});
      for (CommitCode& part : code) {
        if (part.commit != one.commit.id) continue;
        part.names_it = true;
        one.code = part.code;
      }
    }
    for (const CommitCode& part : code) {
      facts.our_code.insert(part.code.begin(), part.code.end());
      if (part.names_it) facts.our_code_of_it.insert(part.code.begin(), part.code.end());
    }
    TRY(facts.same_record, HasSameRecord(entry.name, facts, our_tip, their_tip));
    return facts;
  }

  /// True if the golden record in one of our commits equals the landed record, or the record in one
  /// of their commits.
  Result<bool> HasSameRecord(const std::string& name, const TwiceAdded& facts,
                             const git::Oid& our_tip, const git::Oid& their_tip) {
    const std::string ours = facts_.ours.golden(), target = facts_.target.golden();
    if (ours.empty()) return false;
    const std::string there = request_.prefix() + (target.empty() ? ours : target) + "/" + name +
                              ".yaml",
                      here = request_.prefix() + ours + "/" + name + ".yaml";
    std::set<std::string> records;
    std::vector<git::Oid> commits{their_tip};
    for (const AddingCommit& one : facts.theirs) commits.push_back(one.commit.id);
    for (const git::Oid& commit : commits) {
      TRY(auto record, repository_.ReadFile(commit, there));
      if (record) records.insert(std::move(*record));
    }
    if (records.empty()) return false;
    TRY(const auto commits_of_ours,
        git::CommitsChanging(repository_,
                             {.tips = {our_tip}, .without = {their_tip}, .merges = false}, {here}));
    for (const git::Oid& id : commits_of_ours) {
      TRY(const auto record, repository_.ReadFile(id, here));
      if (record && records.contains(*record)) return true;
    }
    return false;
  }

  std::vector<std::string> NotCode() const { return {not_code_.begin(), not_code_.end()}; }

  /// Returns the changes to code in `patches`, which must not contain lists, pending files or
  /// goldens.
  static std::vector<CommitCode> CodeIn(std::string_view patches, const list::Entry& entry) {
    return ParsePatches(patches, entry.name,
                        entry.pending_file.empty() ? std::optional(entry.number) : std::nullopt);
  }

  void Report(const list::Entry& entry, const TwiceAdded& facts, bool merged) {
    const std::string& name = entry.name;
    const git::CommitInfo &theirs = facts.theirs.back().commit, &ours = facts.ours.back().commit;
    const list::Entry* here = facts_.whole.Find(name);
    const std::string label = base::ShellWord(request_.target.label);
    const std::string number =
        entry.pending_file.empty() ? fmt::format(" ({})", entry.number) : std::string();
    const std::string goldens =
        facts_.config.golden.empty() ? "" : ", and record its goldens again";
    std::string rename;
    if (merged) {
      rename = fmt::format("run git rebase {}, then run revctl reserve NEW_NAME", label);
    } else if (here != nullptr && !here->pending_file.empty()) {
      const std::string path = request_.prefix() + here->pending_file;
      const std::string folder = path.substr(0, path.rfind('/') + 1);
      rename = fmt::format("git mv {} {}", base::ShellPath(path),
                           base::ShellPath(folder + "NEW_NAME.yaml"));
    } else {
      rename = fmt::format("remove its line from {}, then run revctl reserve NEW_NAME",
                           base::ShellPath(facts_.path));
    }
    Finding finding = facts_.At(
        RuleId::NumberTwice, here == nullptr ? 0 : here->line, name,
        fmt::format(
            "{0}{1} may be two different revisions: commit {3} landed it on {2}, and commit {4} of "
            "this branch adds it, too; {5}. Do both branches mean the same "
            "revision?",
            name, number, request_.target.Text(), CommitText(theirs), CommitText(ours),
            facts.theirs.back().code.empty() || facts.our_code_of_it.empty()
                ? "at least one commit has no code to compare"
                : "their code differs"),
        fmt::format("if it is the same revision as {3}'s: git rebase {4}\nif it is a different "
                    "revision: {1}, then replace {0} with NEW_NAME in this branch's code{2}",
                    name, rename, goldens, theirs.author.name, label));
    finding.asks = true;
    reported_.insert(name);
    out_.push_back(std::move(finding));
  }

  Result<Done> CheckHolder(const list::Entry& entry, const git::Person& holder) {
    if (people_.empty()) {
      for (const auto& commit : own_) {
        TRY(auto read, repository_.ReadCommit(commit.id));
        people_.push_back(std::move(read));
      }
    }
    if (std::any_of(people_.begin(), people_.end(),
                    [&](const git::CommitInfo& commit) { return TakesPart(holder, commit); }))
      return Done{};
    TRY(const auto committed, repository_.ReadFile(head_, facts_.path));
    if (!request_.tree.IsCommit() && committed != facts_.ours.text) {
      // The list is not committed yet, so the user will be the author of its commit.
      const auto user = repository_.Identity();
      if (!user.ok() || IsSameAuthor(holder, *user)) return Done{};
    }
    // Also compare the code: if another person squashed the holder's branch, the author differs,
    // but the code is still the holder's.
    TRY(auto ours, Adding(entry.name, {.tips = {head_}, .without = {*request_.target.tip}}));
    TRY(auto theirs, Adding(entry.name, {.tips = {},
                                         .without = {*request_.target.tip, head_},
                                         .merges = false,
                                         .branches = true}));
    std::erase_if(theirs, [&](const git::CommitInfo& commit) {
      return !IsSameAuthor(holder, commit.author);
    });
    // Allow a branch to bring back a revision that the holder landed and that was reverted later.
    TRY(const auto before,
        Adding(
            entry.name,
            {.tips = {*request_.target.tip}, .without = {}, .merges = false, .text = entry.name}));
    if (std::any_of(before.begin(), before.end(), [&](const git::CommitInfo& commit) {
          return IsSameAuthor(holder, commit.author);
        }))
      return Done{};
    TRY(const bool claimed, IsClaimed(entry.name));
    if (!claimed && theirs.empty()) return Done{};
    std::string elsewhere;
    if (!theirs.empty()) {
      elsewhere = fmt::format(", whose commit {} adds it", theirs.front().id.substr(0, 10));
      if (!ours.empty()) {
        TRY(const auto facts,
            FactsOf(entry, std::move(theirs), std::move(ours), head_, *request_.target.tip));
        if (WhySame(facts) != SameEvidence::None) return Done{};
      }
    }
    out_.push_back(facts_.At(
        RuleId::NotReserved, entry.line, entry.name,
        fmt::format(
            "{} ({}) is reserved for {}{}{}, but no commit on this branch names that person as "
            "author, committer or co-author. Is this the same revision as the one they reserved?",
            entry.name, entry.number, holder.Text(),
            request_.ledger.copy_date.empty()
                ? ""
                : fmt::format(" in this clone's copy of the ledger from {} "
                              "(update it with revctl check --fetch)",
                              request_.ledger.copy_date),
            elsewhere),
        fmt::format(
            "if you work on it together: git commit --amend --no-edit --trailer {}\nif you take "
            "it over: revctl reserve {} --take-over\nif this branch's {} is a different revision: "
            "remove its line from {}, then run revctl reserve NEW_NAME",
            base::ShellWord("Co-authored-by: " + holder.Text()), entry.name, entry.name,
            base::ShellPath(facts_.path))));
    out_.back().asks = true;
    return Done{};
  }

  /// True if the holder reserved the name with `reserve`. False if `fix` or `land` reserved it for
  /// a line that was already in the list, because the holder may have run these commands on
  /// somebody else's branch.
  Result<bool> IsClaimed(const std::string& name) const {
    bool claimed = false;
    TRY(ledger::EachEvent(repository_, request_.ledger.snapshot->tip,
                          [&](const ledger::Record& record) {
                            const ledger::Event& event = record.event;
                            if (event.list != facts_.config.name && !event.list.empty())
                              return true;
                            using Kind = ledger::Event::Kind;
                            for (const ledger::Step& step : event.steps) {
                              if (step.name != name || step.previous) continue;
                              claimed = event.kind == Kind::Reserve || event.kind == Kind::TakeOver;
                              return false;
                            }
                            return true;
                          }));
    return claimed;
  }

  const ListFacts& facts_;
  const GateRequest& request_;
  const git::Repository& repository_;
  git::Oid head_;
  std::vector<git::Repository::CommitParents> own_;  ///< commits that the target lacks
  std::vector<git::CommitInfo>
      people_;  ///< the commits of `own_`, read when the first holder is checked
  std::map<git::Oid, std::optional<Revisions>> revisions_;
  std::set<std::string> not_code_;  ///< paths of lists, pending files and goldens
  Findings out_;
  std::set<std::string> reported_;
  std::size_t read_ = 0;             ///< bytes of lists parsed by the last call to Adding
  std::map<git::Oid, bool> landed_;  ///< results of HasLanded
  std::map<std::string, std::string> patches_;  ///< cache for CachedPatches
  std::size_t patch_bytes_ = 0;                 ///< size of `patches_`
};

}  // namespace

Result<Findings> CheckSharedRevisions(const ListFacts& facts) {
  return SharedRevisions(facts).FindShared();
}

Result<Findings> CheckHolders(const ListFacts& facts) {
  return SharedRevisions(facts).FindStrangers();
}

}  // namespace revctl::commands
