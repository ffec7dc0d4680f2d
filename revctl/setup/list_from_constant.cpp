#include "revctl/setup/list_from_constant.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/config/files.h"
#include "revctl/git/history.h"
#include "revctl/git/index.h"
#include "revctl/list/writing/edit.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

using base::Error;
using base::Exit;
using base::Result;

constexpr std::size_t kMostWords = 4, kLongestRevision = 28, kLongestSubject = 60;
constexpr std::size_t kMostSources = 1000, kLargestSource = std::size_t{1} << 20;

constexpr auto kFillers = std::to_array<std::string_view>(
    {"a",      "an",      "the",     "of",        "to",         "in",        "on",       "for",
     "and",    "or",      "with",    "from",      "into",       "by",        "is",       "are",
     "be",     "not",     "now",     "also",      "some",       "its",       "it",       "this",
     "that",   "as",      "at",      "when",      "bump",       "save",      "saves",    "saved",
     "saving", "state",   "states",  "savestate", "savestates", "version",   "versions", "fix",
     "fixes",  "fixed",   "add",     "adds",      "added",      "implement", "make",     "use",
     "update", "updated", "support", "serialize", "serialized", "store",     "wip",      "merge",
     "pull",   "request"});

/// Splits the subject of a commit into ASCII words and numbers, without a trailing "(#123)".
std::vector<std::string> WordsOf(std::string_view subject) {
  if (const std::size_t ticket = subject.rfind(" (#"); ticket != subject.npos)
    subject = subject.substr(0, ticket);
  std::vector<std::string> words(1);
  for (const char c : subject) {
    if (base::IsAlphanumeric(c)) words.back() += base::Lower(c);
    else if (c != '\'' && !words.back().empty()) words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Returns the first line of a commit message as the text of a `//` comment. Replaces control
/// characters and a trailing backslash, because they could continue or end the comment.
std::string CommentFrom(std::string_view message) {
  std::string out;
  for (const char c : message.substr(0, message.find('\n'))) {
    if (out.size() >= kLongestSubject) {
      out += "...";
      break;
    }
    const bool plain = c >= ' ' && c <= '~' && c != '\\' && c != '?';
    if (plain) out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// Returns a name for the enum, such as `SaveStateVersions` for `SAVE_STATE_VERSION` or
/// `kSaveStateVersion`.
std::string EnumNameFrom(std::string_view constant) {
  if (constant.size() > 1 && constant[0] == 'k' && base::IsUpper(constant[1]))
    constant.remove_prefix(1);
  const bool shouts =
      std::none_of(constant.begin(), constant.end(), [](char c) { return base::IsLower(c); });
  std::string out;
  bool begins = true;
  for (const char c : constant) {
    if (c == '_') begins = true;
    else out += begins ? base::Upper(c) : shouts ? base::Lower(c) : c, begins = false;
  }
  return out + "s";
}

/// Returns an unused path for the list, in the same folder as the constant.
std::string PathOfList(const std::string& root, const std::string& of) {
  const std::filesystem::path folder = std::filesystem::path(of).parent_path();
  const std::string stem = std::filesystem::path(of).stem().generic_string();
  std::error_code error;
  for (const std::string& name :
       {std::string("master_version_list.h"), stem + "_version_list.h", stem + "_versions.h"}) {
    const std::string path = (folder / name).generic_string();
    if (!std::filesystem::exists(root + "/" + path, error)) return path;
  }
  return (folder / (stem + "_revctl_list.h")).generic_string();
}

/// Fails if an #if or #elif in the repository uses the macro, because an enumerator has no value in
/// preprocessor conditions.
Result<base::Done> RefuseConditions(const git::Repository& repository,
                                    const VersionConstant& constant) {
  if (!constant.is_macro) return base::Done{};
  TRY(const auto lines, git::LinesMatching(repository, "^[ \t]*#[ \t]*(if|elif)[ \t].*" +
                                                           constant.name + "([^A-Za-z0-9_]|$)"));
  if (lines.empty()) return base::Done{};
  const std::string& first = lines.front();
  const std::size_t line_end = first.find(':', first.find(':') + 1);
  return Error{Exit::Usage,
               fmt::format("{} cannot become an enumerator, because an #if uses it at {}",
                           constant.name, first.substr(0, line_end)),
               "replace that #if with `if constexpr`, then run revctl init"};
}

/// Limits that protect against a history that moves a constant back and forth, and against a file
/// that changes in every commit.
constexpr int kMostMoves = 16;
constexpr std::size_t kMostCommits = 20'000;

Result<std::optional<std::int64_t>> NumberAt(const git::Repository& repository,
                                             const git::Oid& commit, const std::string& path,
                                             const std::string& name) {
  TRY(const auto text, repository.ReadFile(commit, path));
  return text ? NumberOf(*text, name) : std::nullopt;
}

/// Returns the path of the file in `commit` that defines the constant. Returns "" if no file or
/// more than one file defines it.
Result<std::string> FileWith(const git::Repository& repository, const git::Oid& commit,
                             const std::string& name) {
  TRY(const auto paths, git::FilesWithAny(repository, {git::Place::Kind::Commit, commit}, {name}));
  std::string found;
  for (const std::string& path : paths) {
    TRY(const auto number, NumberAt(repository, commit, path, name));
    if (!number) continue;
    if (!found.empty()) return std::string();
    found = path;
  }
  return found;
}

/// A commit that raised a constant.
struct Bump {
  std::int64_t number = 0;
  git::CommitInfo commit;
};

struct ConstantHistory {
  std::vector<Bump> bumps;  ///< in ascending order of numbers, one commit for each number
  /// Numbers that several commits set; `bumps` has the newest of these commits.
  std::vector<std::int64_t> ambiguous;
  bool shallow = false;  ///< true if the clone is shallow and older commits are missing
};

/// Follows `constant` from HEAD back to the commit that introduced it, even if commits moved it
/// between files. Collects the non-merge commits that raised the constant above its value in their
/// first parent.
Result<ConstantHistory> HistoryOf(const git::Repository& repository,
                                  const VersionConstant& constant) {
  ConstantHistory out;
  TRY(out.shallow, repository.IsShallow());
  TRY(std::optional<git::Oid> from, repository.Head());
  std::map<std::int64_t, git::Oid> newest;
  std::set<std::int64_t> ambiguous;
  std::string path = constant.path;
  for (int moves = 0; from && !path.empty() && moves < kMostMoves; ++moves) {
    TRY(const auto commits,
        git::CommitsChangingLines(repository, *from, path, constant.name, kMostCommits));
    std::optional<git::Oid> before;
    for (const git::Oid& commit : commits) {
      TRY(const auto number, NumberAt(repository, commit, path, constant.name));
      if (!number) continue;
      TRY(const auto info, repository.ReadCommit(commit));
      std::optional<std::int64_t> parent;
      if (!info.parents.empty()) {
        TRY(parent, NumberAt(repository, info.parents.front(), path, constant.name));
        if (!parent) {
          // The constant is new in this file. If the commit moved it here, continue with the file
          // that contained it before.
          TRY(const std::string origin, FileWith(repository, info.parents.front(), constant.name));
          if (!origin.empty()) {
            TRY(parent, NumberAt(repository, info.parents.front(), origin, constant.name));
            before = info.parents.front();
            path = origin;
          }
        }
      }
      if (!parent || *number > *parent) {
        if (!newest.emplace(*number, commit).second) ambiguous.insert(*number);
      }
      if (before) break;
    }
    from = before;
  }
  for (const auto& [number, commit] : newest) {
    TRY(auto info, repository.ReadCommit(commit));
    out.bumps.push_back({number, std::move(info)});
  }
  out.ambiguous.assign(ambiguous.begin(), ambiguous.end());
  return out;
}

std::vector<list::NewEntry> EntriesOf(const ConstantHistory& history,
                                      const VersionConstant& constant, const std::string& prefix,
                                      std::vector<std::string>& guessed) {
  std::vector<list::NewEntry> entries;
  std::set<std::string> taken = {prefix + "LATEST"};
  for (const Bump& bump : history.bumps) {
    if (bump.number > constant.number) {
      guessed.push_back(
          fmt::format("{} was once {}, but is now {}; numbers above that get no entry, so your "
                      "program must reject files that have them",
                      constant.name, bump.number, constant.number));
      break;
    }
    const std::string subject = CommentFrom(bump.commit.message);
    std::string name = RevisionNameFrom(subject, bump.number, prefix);
    if (!taken.insert(name).second) {
      name += fmt::format("_{}", bump.number);
      taken.insert(name);
    }
    entries.push_back({name, bump.number,
                       fmt::format("{} ({}, {})", subject, bump.commit.id.substr(0, 9),
                                   DateText(bump.commit.time).substr(0, 10))});
  }
  if (entries.empty() || entries.back().number != constant.number) {
    const std::string name = fmt::format("{}VERSION_{}", prefix, constant.number);
    entries.push_back({name, constant.number, "not committed when this list was created"});
    guessed.push_back(fmt::format("no commit sets {} to {}, so its entry is {}", constant.name,
                                  constant.number, name));
  }
  return entries;
}

/// Returns the gaps between the entries (numbers that no commit set), such as "43, 45 to 47".
std::string Gaps(const std::vector<list::NewEntry>& entries) {
  std::string out;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const std::int64_t first = entries[i - 1].number + 1, last = entries[i].number - 1;
    if (first > last) continue;
    if (!out.empty()) out += ", ";
    out += first == last ? std::to_string(first) : fmt::format("{} to {}", first, last);
  }
  return out;
}

std::string TextOfList(const std::vector<list::NewEntry>& entries, const VersionConstant& constant,
                       const list::ListConfig& config, const std::string& name) {
  std::string text = fmt::format(
      "#pragma once\n\n// The versions of {}: one entry for each commit that raised it. An entry "
      "that has landed\n// never changes. To add one: revctl reserve {}NAME -m \"what it is "
      "for\"\nenum {} {{\n",
      constant.name, config.prefix, name);
  std::int64_t expected = 0;
  for (const list::NewEntry& entry : entries) {
    const bool gap = &entry == &entries.front() || entry.number != expected;
    text += fmt::format("  {}{},  // {}\n", entry.name,
                        gap ? fmt::format(" = {}", entry.number) : "", entry.comment);
    expected = entry.number + 1;
  }
  return text + fmt::format("  {}LATEST = {}\n}};\n", config.prefix, entries.back().name);
}

}  // namespace

std::string RevisionNameFrom(std::string_view subject, std::int64_t number,
                             const std::string& prefix) {
  std::string name;
  std::size_t words = 0;
  for (const std::string& word : WordsOf(subject)) {
    if (std::find(kFillers.begin(), kFillers.end(), word) != kFillers.end()) continue;
    if (word == std::to_string(number)) continue;
    if (words == kMostWords || name.size() + 1 + word.size() > kLongestRevision) break;
    name += (words++ == 0 ? "" : "_") + base::Upper(word);
  }
  if (name.empty() || base::IsDigit(name[0])) return fmt::format("{}VERSION_{}", prefix, number);
  return prefix + name;
}

Result<ListFromConstant> MakeListFrom(const git::Repository& repository,
                                      const VersionConstant& constant, const std::string& text,
                                      const list::ListConfig& given) {
  TRY(RefuseConditions(repository, constant));
  TRY(const ConstantHistory history, HistoryOf(repository, constant));
  ListFromConstant out;
  out.constant = constant;
  list::ListConfig config = given;
  config.path = PathOfList(repository.root(), constant.path);
  const auto entries = EntriesOf(history, constant, config.prefix, out.guessed);
  const std::string name = given.enum_name.empty() ? EnumNameFrom(constant.name) : given.enum_name;
  out.list_text = TextOfList(entries, constant, config, name);
  out.source_text =
      WithNamedNumber(text, constant, config.prefix + "LATEST",
                      fmt::format("#include \"{}\"",
                                  std::filesystem::path(config.path).filename().generic_string()));
  auto guesses = list::GuessLists(out.list_text, config, false, config.path);
  if (guesses.empty())
    return Error{Exit::Usage, fmt::format("cannot read the list generated from {}", constant.name),
                 "run revctl init --new, then add the entries yourself"};
  out.list = std::move(guesses.front());
  out.guessed.insert(out.guessed.begin(),
                     "the names come from commit subjects; rename entries before they land");
  if (const std::string gaps = Gaps(entries); !gaps.empty())
    out.guessed.push_back(
        fmt::format("no commit set {} to {}, so these numbers have no entry", constant.name, gaps));
  for (const std::int64_t number : history.ambiguous) {
    if (number <= constant.number)
      out.guessed.push_back(
          fmt::format("several commits set {}; its name comes from the newest one", number));
  }
  if (history.shallow)
    out.guessed.push_back(
        "this clone is shallow, so older versions are missing; to get them, run git fetch "
        "--unshallow");
  for (const VersionConstant& other : FindConstants(text, constant.path)) {
    if (!other.is_oldest) continue;
    for (const list::Entry* entry : out.list.list.Revisions()) {
      if (entry->number < other.number) continue;
      out.list.config.oldest = entry->name;
      out.guessed.push_back(
          fmt::format("the oldest readable version is {} = {}, because your code has {} = {}",
                      entry->name, entry->number, other.name, other.number));
      break;
    }
  }
  return out;
}

Result<std::vector<VersionConstant>> SearchConstants(const git::Repository& repository) {
  TRY(const auto paths,
      git::FilesMatchingAll(
          repository, {"([Vv]ersion|VERSION|[Rr]evision|REVISION)[A-Za-z0-9_]*([ \t]*[={]|[ \t]+)"
                       "[ \t]*[({]?[ \t]*[0-9]+"}));
  std::vector<VersionConstant> out;
  std::size_t read = 0;
  for (const std::string& path : paths) {
    if (!IsSource(path)) continue;
    if (++read > kMostSources) break;
    const auto text = config::ReadFile(repository.root() + "/" + path, kLargestSource);
    if (!text.ok() || !text->has_value()) continue;
    for (VersionConstant& one : FindConstants(**text, path)) {
      if (one.likeness >= kLikelyConstant) out.push_back(std::move(one));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const VersionConstant& a, const VersionConstant& b) {
    return a.likeness > b.likeness;
  });
  return out;
}

}  // namespace revctl::commands
