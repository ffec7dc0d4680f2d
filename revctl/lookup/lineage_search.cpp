#include "revctl/lookup/lineage_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "revctl/list/edit.h"
#include "revctl/pending/paths.h"
#include "revctl/tree/list_at.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// How many revisions of one person may stand in a list that was never committed, how many of their
/// reservations are tried for each of them, and behind how many known lineages: beyond that, a
/// search in a long ledger would not end.
constexpr std::size_t kMostPending = 3, kMostBranches = 4, kMostBases = 64;

std::vector<std::string> Split(const std::string& text, char end) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = std::min(text.find(end, at), text.size());
    if (stop > at) out.push_back(text.substr(at, stop - at));
    at = stop + 1;
  }
  return out;
}

class LineageSearch {
 public:
  LineageSearch(const Workspace& workspace, const list::ListConfig& config, std::uint64_t wanted)
      : workspace_(workspace), config_(config), wanted_(wanted) {}

  Result<std::optional<LineageFound>> Run(const ledger::Ledger& ledger) {
    if (auto working = workspace_.ParseWorking(config_);
        working.ok() && Look(*working, {"", config_.path, LineageRoot(config_)}))
      return Found();
    TRY(InHistory());
    if (!found_) {
      TRY(InLedger(ledger));
    }
    return Found();
  }

 private:
  /// One version of the list: a commit and a path, or the work tree's.
  struct Version {
    git::Oid commit;
    std::string path;
    std::uint64_t root = 0;
    list::Numbers numbers = list::Numbers::AtReserve;
    std::optional<std::int64_t> floor = std::nullopt;
  };
  /// A lineage that some version has, up to which a list may have been the same.
  struct Base {
    std::int64_t number = 0;
    std::uint64_t hash = 0;
    std::size_t version = 0;
  };
  struct Given {
    std::string name;
    std::int64_t number = 0;
  };

  Result<std::optional<LineageFound>> Found() { return std::move(found_); }

  bool Look(const list::RevisionList& list, const Version& version) {
    const std::size_t index = versions_.size();
    versions_.push_back(version);
    for (const list::Lineage& lineage : list::Lineages(list, version.root)) {
      if (known_.insert(lineage.hash).second)
        bases_.push_back({lineage.number, lineage.hash, index});
      if (lineage.hash != wanted_) continue;
      found_ = LineageFound{lineage.name, lineage.number, list, version.root,
                            version.commit.empty() ? version.path + " here" : ""};
      if (version.commit.empty()) return true;
      auto commit = workspace_.repository().ReadCommit(version.commit);
      found_->where = (commit.ok() ? Described(*commit) : version.commit.substr(0, 10)) +
                      (version.path == config_.path ? "" : ", " + version.path);
      return true;
    }
    return false;
  }

  Result<std::vector<std::string>> Log(std::vector<std::string> arguments, char end) const {
    TRY(auto run, workspace_.repository().Git(std::move(arguments)));
    if (!run.ok())
      return Error{Exit::Environment,
                   fmt::format("the history of {} cannot be read: {}", config_.path,
                               git::LastLines(run.err)),
                   "git fsck says what is missing"};
    return Split(run.out, end);
  }

  /// Every commit that changed one of `paths`, also those that a merge has left out (`-s ours`).
  Result<std::vector<std::string>> Commits(const std::set<std::string>& paths) const {
    std::vector<std::string> arguments = {"log",         "--all", "--reflog", "--full-history",
                                          "--format=%H", "--"};
    for (const std::string& path : paths) {
      arguments.push_back(workspace_.GitPath(path));
      // With its pending revisions a list is another one, though its own text is the same.
      list::ListConfig there = config_;
      there.path = path;
      if (path != config::kFileName)
        arguments.push_back(workspace_.GitPath(pending::Folder(there)));
    }
    return Log(std::move(arguments), '\n');
  }

  /// Where the list was: what versions of `.revctl.yaml` say, and, before there was one, whence git
  /// sees the file come.
  Result<std::set<std::string>> Paths() const {
    std::set<std::string> out = {config_.path};
    TRY(auto commits, Commits({std::string(config::kFileName)}));
    for (const git::Oid& commit : commits) {
      if (const auto then = ConfigThen(commit)) out.insert(then->path);
    }
    TRY(auto head, workspace_.repository().Head());
    if (!head) return out;
    TRY(auto names, Log({"log", "-z", "--follow", "--name-only", "--format=", *head, "--",
                         workspace_.GitPath(config_.path)},
                        '\0'));
    const std::string prefix = workspace_.GitPath("");
    for (const std::string& name : names) {
      if (name.starts_with(prefix)) out.insert(name.substr(prefix.size()));
    }
    return out;
  }

  std::optional<list::ListConfig> ConfigThen(const git::Oid& commit) const {
    auto then = ConfigAt(workspace_.repository(), commit, workspace_.GitPath(""));
    const auto* list = then.ok() && *then ? (**then).ListNamed(config_.name) : nullptr;
    return list == nullptr ? std::nullopt : std::optional(*list);
  }

  Result<std::optional<list::RevisionList>> ListOf(const Version& version) const {
    list::ListConfig there = config_;
    there.path = version.path;
    there.numbers = version.numbers;
    there.floor = version.floor;
    if (version.commit.empty()) return std::optional(workspace_.ParseWorking(config_).value());
    // At this very path: an older file may have stayed beside the one that `.revctl.yaml` named
    // then.
    TRY(auto text,
        workspace_.repository().ReadFile(version.commit, workspace_.GitPath(version.path)));
    if (!text.has_value()) return std::optional<list::RevisionList>();
    TRY(auto parsed, list::Parse(*text, there, version.path));
    TRY(auto whole, WithPendingAt(workspace_.repository(), version.commit, workspace_.GitPath(""),
                                  there, parsed));
    return std::optional(std::move(whole));
  }

  /// Which pending revisions stand beside a version: files and what they hold.
  std::string PendingNames(const Version& version) const {
    list::ListConfig there = config_;
    there.path = version.path;
    std::string out;
    if (version.numbers == list::Numbers::AtReserve) return out;
    auto files = workspace_.repository().ListFiles(version.commit,
                                                   workspace_.GitPath(pending::Folder(there)));
    if (!files.ok()) return out;
    for (const git::TreeFile& file : *files) out += '\n' + file.path + ' ' + file.id;
    return out;
  }

  Result<Done> InHistory() {
    TRY(auto paths, Paths());
    TRY(auto commits, Commits(paths));
    // most commits have a text that another has, too
    std::set<std::pair<std::size_t, std::uint64_t>> seen;
    for (const git::Oid& commit : commits) {
      const auto then = ConfigThen(commit);
      for (const std::string& path : paths) {
        const list::ListConfig& config = then ? *then : config_;
        const Version version{commit, path, LineageRoot(config), config.numbers, config.floor};
        auto text = workspace_.repository().ReadFile(commit, workspace_.GitPath(path));
        if (!text.ok() || !*text ||
            !seen.emplace(std::hash<std::string>()(**text + PendingNames(version)), version.root)
                 .second)
          continue;
        auto list = ListOf(version);
        if (!list.ok() || !*list)
          continue;  // an old version that cannot be read wrote no such file
        if (Look(**list, version)) return Done{};
      }
    }
    return Done{};
  }

  /// What the ledger gave to each person, ascending by number.
  Result<Done> InLedger(const ledger::Ledger& ledger) {
    std::map<std::string, std::vector<Given>> people;
    TRY(ledger.History([&](const ledger::Record& record) {
      if (record.event.list != config_.name || record.event.kind == ledger::Event::Kind::Release)
        return true;
      for (const ledger::Step& step : record.event.steps)
        people[record.commit.author.email].push_back({step.name, step.number});
      return true;
    }));
    std::stable_sort(bases_.begin(), bases_.end(),
                     [](const Base& a, const Base& b) { return a.number < b.number; });
    for (auto& [person, given] : people) {
      std::stable_sort(given.begin(), given.end(),
                       [](const Given& a, const Given& b) { return a.number < b.number; });
      for (std::size_t i = 0; i < given.size(); ++i) {
        auto end = std::lower_bound(
            bases_.begin(), bases_.end(), given[i].number,
            [](const Base& base, std::int64_t number) { return base.number < number; });
        for (auto base = end;
             base != bases_.begin() && end - base < static_cast<std::ptrdiff_t>(kMostBases);) {
          --base;
          std::vector<Given> chain;
          if (!Extend(base->hash, given, i, chain)) continue;
          return Rebuild(*base, chain, person);
        }
      }
    }
    return Done{};
  }

  /// Does given[i], and then some of what the same person was given behind it, make the wanted
  /// lineage of `before`?
  bool Extend(std::uint64_t before, const std::vector<Given>& given, std::size_t i,
              std::vector<Given>& chain) const {
    const std::uint64_t hash = list::NextLineage(before, given[i].number, given[i].name);
    chain.push_back(given[i]);
    if (hash == wanted_) return true;
    const std::size_t last =
        chain.size() < kMostPending ? std::min(given.size(), i + 1 + kMostBranches) : 0;
    for (std::size_t next = i + 1; next < last; ++next) {
      if (given[next].number > given[i].number && Extend(hash, given, next, chain)) return true;
    }
    chain.pop_back();
    return false;
  }

  /// The list as it was: that version up to `base`, and `chain` behind it.
  Result<Done> Rebuild(const Base& base, const std::vector<Given>& chain,
                       const std::string& person) {
    const Version& version = versions_[base.version];
    list::ListConfig there = config_;
    there.path = version.path;
    TRY(auto list, ListOf(version));
    std::vector<std::string> later;
    for (const list::Entry* entry : list->Revisions()) {
      if (entry->number > base.number) later.push_back(entry->name);
    }
    auto text = later.empty() ? Result<std::string>(std::string(list->text))
                              : list::Remove(*list, there, later);
    for (const Given& given : chain) {
      if (!text.ok()) return text.error();
      TRY(auto shorter, list::Parse(*text, there, there.path));
      text = list::Append(shorter, there, given.name, given.number, "");
    }
    if (!text.ok()) return text.error();
    TRY(auto rebuilt, list::Parse(*text, there, there.path));
    found_ = LineageFound{chain.back().name, chain.back().number, std::move(rebuilt), version.root,
                          fmt::format("the list of {}, who had reserved it (made again from the "
                                      "ledger; it was never committed)",
                                      person)};
    return Done{};
  }

  const Workspace& workspace_;
  const list::ListConfig& config_;
  std::uint64_t wanted_;
  std::optional<LineageFound> found_;
  std::vector<Version> versions_;
  std::vector<Base> bases_;
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace

Result<std::optional<LineageFound>> FindLineage(const Workspace& workspace,
                                                const list::ListConfig& config,
                                                const ledger::Ledger& ledger,
                                                const std::string& wanted) {
  const auto hash = list::LineageFromText(wanted);
  if (!hash) return std::optional<LineageFound>();
  return LineageSearch(workspace, config, *hash).Run(ledger);
}

std::string Described(const git::CommitInfo& commit) {
  return fmt::format("{} by {}, {}", commit.id.substr(0, 10), commit.author.Text(),
                     DateText(commit.time));
}

}  // namespace revctl::commands
