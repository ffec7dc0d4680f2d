#include "revctl/pending/plan.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/list/writing/edit.h"
#include "revctl/pending/pending_file.h"

namespace revctl::pending {
namespace {

using findings::FixKind;

/// Prepends `./` to a path with a leading dash, so that git does not mistake the path for an
/// option.
std::string AsPath(const std::string& path) { return path.starts_with('-') ? "./" + path : path; }

/// Returns `text` without whitespace, because a list may wrap or align a comment.
std::string Squeezed(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (static_cast<unsigned char>(c) > 0x20) out += c;
  }
  return out;
}

/// True if the entry was probably folded from a file with this message. The comment in the list may
/// begin with a number.
bool SaysTheSame(const list::Entry& entry, const std::string& message) {
  const std::string comment = Squeezed(entry.comment), wanted = Squeezed(message);
  return comment.ends_with(wanted) && comment.size() <= wanted.size() + 24;
}

class Planner {
 public:
  Planner(const list::RevisionList& list, const list::ListConfig& config,
          const std::map<std::string, std::string>& refused)
      : list_(list), config_(config), refused_(refused) {}

  Plan Run(const std::vector<PendingText>& files) {
    std::vector<PendingText> sorted = files;
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return a.file_name < b.file_name; });
    for (const PendingText& file : sorted) Take(file);
    RefuseCases();
    RefuseUnknown();
    Order();
    GiveNumbers();
    std::sort(plan_.blocked.begin(), plan_.blocked.end(),
              [](const Blocked& a, const Blocked& b) { return a.file_name < b.file_name; });
    plan_.ShareFixes();
    return std::move(plan_);
  }

 private:
  struct Candidate {
    Numbered revision;
    /// number of pending revisions that must precede this one and are not placed yet
    std::size_t waits_for = 0;
    std::vector<std::string> followers;
  };

  std::string PathOf(const std::string& file_name) const {
    return fmt::format("{}/{}", Folder(config_), file_name);
  }

  /// Returns the blocked revision whose fix also unblocks `name`. This is `name` itself unless it
  /// waits for a different revision.
  std::string RootOf(const std::string& name) const {
    const auto found = roots_.find(name);
    return found == roots_.end() ? name : found->second;
  }

  void Block(const std::string& file_name, std::string name, std::string why, findings::Fix fix,
             int line = 0) {
    plan_.blocked.push_back(
        {file_name, std::move(name), std::move(why), std::move(fix), line, false, "", {}});
  }

  /// Blocks a revision because its name is already used.
  void BlockTaken(const std::string& name, std::string why, const std::string& else_fix = "") {
    Block(name + ".yaml", name, std::move(why),
          {FixKind::MoveFile,
           {"git", "mv", AsPath(FilePath(config_, name)), AsPath(FilePath(config_, name + "_2"))},
           ", and rename it in your code and goldens" + else_fix});
    plan_.blocked.back().taken = true;
  }

  /// Blocks a revision that waits, directly or indirectly, for the blocked revision `root`.
  void BlockBehind(const std::string& name, const std::string& before, std::string root) {
    Block(name + ".yaml", name, fmt::format("it comes after {}, which cannot be folded", before),
          "");
    plan_.blocked.back().root = std::move(root);
  }

  void Take(const PendingText& file) {
    const std::string path = PathOf(file.file_name), name = NameOfFile(file.file_name);
    const std::string why =
        name.empty() ? "is not named NAME.yaml" : list::WhyNoRevision(name, config_);
    // `git rm -f` also removes a file that is only staged, and `-rf` also removes a folder.
    const std::vector<std::string> remove{"git", "rm", file.unreadable.empty() ? "-f" : "-rf",
                                          AsPath(path)};
    if (!why.empty()) {
      Block(file.file_name, "", fmt::format("{} {}", name.empty() ? file.file_name : name, why),
            {FixKind::MoveFile, remove,
             fmt::format(", then run revctl reserve {}NAME", config_.prefix)});
      return;
    }
    if (!file.unreadable.empty()) {
      Block(file.file_name, name, "the file " + file.unreadable,
            {FixKind::MoveFile, remove, ", then run revctl reserve " + name});
      return;
    }
    auto read = ParsePendingFile(file.text, path);
    if (!read.ok()) {
      Block(file.file_name, name, read.error().message, read.error().fix, read.error().line);
      return;
    }
    if (const list::Entry* entry = list_.Find(name)) {
      if (entry->kind == list::EntryKind::Revision && SaysTheSame(*entry, read->message)) {
        plan_.returned.push_back(name);
        return;
      }
      BlockTaken(name,
                 fmt::format("{} is already in the list ({}:{}, {}) with a different meaning", name,
                             config_.path, entry->line, entry->number),
                 fmt::format("; or delete {}, if it is the same revision", base::ShellPath(path)));
      return;
    }
    if (config_.purged.contains(name) || name == config_.sentinel || name == config_.current) {
      BlockTaken(
          name,
          name + " is already used by another entry of this list, or was used by one in the past");
      return;
    }
    if (const auto why_not = refused_.find(name); why_not != refused_.end()) {
      Block(file.file_name, name, why_not->second, "");
      return;
    }
    candidates_[name].revision = {name, 0, std::move(read->message), std::move(read->after)};
  }

  /// Blocks revisions whose names differ only in case, because some file systems cannot store both
  /// files.
  void RefuseCases() {
    std::map<std::string, std::vector<std::string>> alike;
    for (const auto& [name, candidate] : candidates_) alike[base::Lower(name)].push_back(name);
    std::map<std::string, std::string> others;  // names that the list or blocked files already use
    for (const Blocked& one : plan_.blocked) others.emplace(base::Lower(one.name), one.name);
    for (const list::Entry& entry : list_.entries) {
      if (entry.kind == list::EntryKind::Revision) others[base::Lower(entry.name)] = entry.name;
    }
    for (const auto& [lower, names] : alike) {
      const auto kept = others.find(lower);
      if (names.size() < 2 && kept == others.end()) continue;
      for (const std::string& name : names) {
        const std::string& other = kept != others.end() ? kept->second
                                   : name == names[0]   ? names[1]
                                                        : names[0];
        BlockTaken(name, fmt::format("{} and {} differ only in case", name, other));
        candidates_.erase(name);
      }
    }
  }

  /// Blocks revisions with an unknown name in `after`, and the revisions that depend on them.
  void RefuseUnknown() {
    std::vector<std::string> gone;
    std::set<std::string> blocked;
    for (const Blocked& one : plan_.blocked) blocked.insert(one.name);
    std::map<std::string, std::vector<std::string>> followers;
    const std::set<std::string> returned(plan_.returned.begin(), plan_.returned.end());
    for (const auto& [name, candidate] : candidates_) {
      for (const std::string& before : candidate.revision.after) {
        followers[before].push_back(name);
        if (candidates_.contains(before) || blocked.contains(before) || returned.contains(before) ||
            config_.purged.contains(before))
          continue;
        const list::Entry* entry = list_.Find(before);
        if (entry != nullptr && entry->kind == list::EntryKind::Revision) continue;
        Block(name + ".yaml", name,
              fmt::format("`after` names {}, which is neither pending nor in the list", before),
              RemoveFromAfterFix(config_, name, before));
        gone.push_back(name);
        break;
      }
    }
    for (const std::string& name : gone) candidates_.erase(name);
    gone.insert(gone.end(), blocked.begin(), blocked.end());
    while (!gone.empty()) {
      const std::string before = std::move(gone.back());
      gone.pop_back();
      const auto found = followers.find(before);
      if (before.empty() || found == followers.end()) continue;
      for (const std::string& name : found->second) {
        if (candidates_.erase(name) == 0) continue;
        BlockBehind(name, before, roots_.emplace(name, RootOf(before)).first->second);
        gone.push_back(name);
      }
    }
  }

  /// Orders the candidates by `after`, then by name. Omitting a revision does not change the order
  /// of the others, unless one of them depends on it.
  void Order() {
    std::set<std::string> ready;
    for (auto& [name, candidate] : candidates_) {
      const std::set<std::string> before(candidate.revision.after.begin(),
                                         candidate.revision.after.end());
      for (const std::string& one : before) {
        const auto found = candidates_.find(one);
        if (found == candidates_.end()) continue;
        found->second.followers.push_back(name);
        ++candidate.waits_for;
      }
      if (candidate.waits_for == 0) ready.insert(name);
    }
    while (!ready.empty()) {
      Candidate& next = candidates_.at(ready.extract(ready.begin()).value());
      for (const std::string& follower : next.followers) {
        if (--candidates_.at(follower).waits_for == 0) ready.insert(follower);
      }
      plan_.order.push_back(std::move(next.revision));
    }
    for (const auto& [name, candidate] : candidates_) {
      if (candidate.waits_for != 0) FollowToCircle(name);
    }
  }

  /// Follows the unplaced dependencies of `first` until they form a cycle or reach a blocked
  /// revision. Blocks the cycle and all revisions on the way.
  void FollowToCircle(const std::string& first) {
    std::vector<std::string> way;
    std::map<std::string, std::size_t> seen;  // positions in `way`
    for (std::string at = first; !roots_.contains(at);) {
      const auto [found, is_new] = seen.emplace(at, way.size());
      if (!is_new) {
        const auto begin = way.begin() + static_cast<std::ptrdiff_t>(found->second);
        BlockCircle({begin, way.end()});
        way.erase(begin, way.end());
        break;
      }
      way.push_back(at);
      at = WaitsFor(at);
    }
    for (; !way.empty(); way.pop_back()) {
      const std::string before = WaitsFor(way.back());
      BlockBehind(way.back(), before, roots_.emplace(way.back(), RootOf(before)).first->second);
    }
  }

  /// Returns the first revision in the `after` list of `name` that is not placed yet.
  const std::string& WaitsFor(const std::string& name) const {
    const std::vector<std::string>& after = candidates_.at(name).revision.after;
    return *std::find_if(after.begin(), after.end(), [&](const std::string& before) {
      const auto found = candidates_.find(before);
      return found != candidates_.end() && found->second.waits_for != 0;
    });
  }

  void BlockCircle(std::vector<std::string> circle) {
    std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
    constexpr std::size_t kMostShown = 5;
    std::string shown;
    for (std::size_t i = 0; i < std::min(circle.size(), kMostShown); ++i)
      shown += circle[i] + " after ";
    shown += circle.size() > kMostShown ? "..." : circle[0];
    for (const std::string& name : circle) {
      roots_.emplace(name, circle[0]);
      Block(name + ".yaml", name, "`after` forms a cycle: " + shown, "");
      Blocked& blocked = plan_.blocked.back();
      if (name != circle[0]) blocked.root = circle[0];
      else blocked.fix = RemoveFromAfterFix(config_, name, circle[circle.size() == 1 ? 0 : 1]);
      if (name == circle[0]) blocked.circle = circle;
    }
  }

  void GiveNumbers() {
    std::int64_t last = FirstNumber(list_, config_);
    for (std::size_t i = 0; i < plan_.order.size(); ++i) {
      Numbered& one = plan_.order[i];
      if (last != kNone && list::FitsEnum(list_, last)) {
        one.number = last;
        last = last == std::numeric_limits<std::int64_t>::max() ? kNone : last + 1;
        continue;
      }
      for (std::size_t rest = i; rest < plan_.order.size(); ++rest)
        Block(plan_.order[rest].name + ".yaml", plan_.order[rest].name,
              "no number is left for it in the enum's type", "choose a wider type for the enum");
      plan_.order.resize(i);
      return;
    }
  }

  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  static std::int64_t FirstNumber(const list::RevisionList& list, const list::ListConfig& config) {
    const list::Entry* latest = list.Latest();
    if (latest == nullptr && !config.floor) return 1;
    const std::int64_t last = latest == nullptr ? *config.floor
                              : config.floor    ? std::max(latest->number, *config.floor)
                                                : latest->number;
    return last == std::numeric_limits<std::int64_t>::max() ? kNone : last + 1;
  }

  const list::RevisionList& list_;
  const list::ListConfig& config_;
  const std::map<std::string, std::string>& refused_;
  std::map<std::string, Candidate> candidates_;
  /// for each revision that waits for a blocked revision, the blocked revision at the root
  std::map<std::string, std::string> roots_;
  Plan plan_;
};

}  // namespace

std::string RemoveFromAfterFix(const list::ListConfig& list, const std::string& name,
                               const std::string& before) {
  return fmt::format("remove {} from `after` in {}", before, base::ShellPath(FilePath(list, name)));
}

void Plan::ShareFixes() {
  std::map<std::string, findings::Fix> fixes;
  for (const Blocked& one : blocked) fixes.emplace(one.name, one.fix);
  for (Blocked& one : blocked) {
    const auto found = fixes.find(one.root);
    if (!one.root.empty() && found != fixes.end()) one.fix = found->second;
  }
}

const Numbered* Plan::Find(std::string_view name) const {
  const auto found =
      std::find_if(order.begin(), order.end(), [&](const auto& one) { return one.name == name; });
  return found == order.end() ? nullptr : &*found;
}

const Blocked* Plan::FindBlocked(std::string_view name) const {
  const auto found = std::find_if(blocked.begin(), blocked.end(),
                                  [&](const auto& one) { return one.name == name; });
  return found == blocked.end() ? nullptr : &*found;
}

bool Plan::ComesAfter(std::string_view name, std::string_view before) const {
  std::vector<std::string_view> open = {name};
  std::set<std::string_view> seen;
  while (!open.empty()) {
    const Numbered* one = Find(open.back());
    open.pop_back();
    if (one == nullptr || !seen.insert(one->name).second) continue;
    for (const std::string& next : one->after) {
      if (next == before) return true;
      open.push_back(next);
    }
  }
  return false;
}

Plan MakePlan(const list::RevisionList& list, const list::ListConfig& config,
              const std::vector<PendingText>& files,
              const std::map<std::string, std::string>& refused) {
  return Planner(list, config, refused).Run(files);
}

std::vector<PendingText> MergeFiles(const std::vector<PendingText>& base,
                                    const std::vector<PendingText>& ours,
                                    const std::vector<PendingText>& target,
                                    std::vector<std::string>& clashes) {
  std::map<std::string, std::array<const PendingText*, 3>> all;
  const std::vector<PendingText>* sides[] = {&base, &ours, &target};
  for (std::size_t side = 0; side < 3; ++side) {
    for (const PendingText& file : *sides[side]) all[file.file_name][side] = &file;
  }
  const auto same = [](const PendingText* a, const PendingText* b) {
    return a == nullptr || b == nullptr ? a == b : *a == *b;
  };
  std::vector<PendingText> out;
  for (const auto& [name, file] : all) {
    const PendingText* merged = same(file[0], file[1]) ? file[2] : file[1];
    if (!same(file[0], file[1]) && !same(file[0], file[2]) && !same(file[1], file[2])) {
      clashes.push_back(name);
      if (merged == nullptr) merged = file[2];
    }
    if (merged != nullptr) out.push_back(*merged);
  }
  return out;
}

Result<std::string> FoldedText(const list::RevisionList& list, const list::ListConfig& config,
                               const Plan& plan) {
  if (plan.order.empty()) return list.text;
  std::vector<list::NewEntry> entries;
  entries.reserve(plan.order.size());
  for (const Numbered& one : plan.order) entries.push_back({one.name, one.number, one.message});
  return list::AppendAll(list, config, entries);
}

Result<list::RevisionList> Folded(const list::RevisionList& list, const list::ListConfig& config,
                                  const Plan& plan) {
  if (plan.order.empty()) return list;
  TRY(auto text, FoldedText(list, config, plan));
  TRY(auto parsed, list::Parse(text, config, list.path));
  std::set<std::string_view> pending;
  for (const Numbered& one : plan.order) pending.insert(one.name);
  for (list::Entry& entry : parsed.entries) {
    if (!pending.contains(entry.name)) continue;
    entry.pending_file = FilePath(config, entry.name);
    entry.line = 1;
  }
  return parsed;
}

std::string IncludeText(const list::RevisionList& list, const list::ListConfig& config,
                        const Plan& plan) {
  std::string out =
      fmt::format("// Written by `revctl sync` from the files in {}/. Not in git; do not edit.\n",
                  Folder(config));
  const list::Entry* latest = list.Latest();
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const Numbered& one = plan.order[i];
    out += one.name;
    // Give the first entry an explicit number. An implicit number would continue from the entry
    // above, which may be an older alias.
    if (i == 0) {
      out += latest != nullptr && latest->number + 1 == one.number
                 ? fmt::format(" = {} + 1", latest->name)
                 : fmt::format(" = {}", one.number);
    }
    out += ",\n";
  }
  return out;
}

}  // namespace revctl::pending
