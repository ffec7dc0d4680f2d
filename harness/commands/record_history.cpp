// `record-history`: records goldens of older revisions by building their own code, taken from git.
#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>

#include "harness/commands/approve.h"
#include "harness/commands/command.h"
#include "harness/history/git_queries.h"
#include "harness/recording/record_additions.h"
#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/system/process.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr char kCommand[] = "record-history";
constexpr std::size_t kShortCommit = 12;

struct Places {
  std::string root;     ///< the work tree of the repository
  std::string program;  ///< path of the harness in the work tree
  fs::path state;       ///< folder inside the git directory, with a subfolder for each revision
};

enum class Outcome { Recorded, Failed };

class HistoryRecorder {
 public:
  HistoryRecorder(const Session& session, const RecordHistoryArguments& arguments, Places places)
      : session_(session), arguments_(arguments), places_(std::move(places)) {}

  Exit Run() {
    const auto list = ListFile(places_.root, session_.golden);
    if (!list) return Refuse(Exit::Environment, list.error());
    auto commits = CommitsThatAdded(places_.root, *list, Revisions(false));
    if (!commits) return Refuse(Exit::Environment, commits.error().message);
    const std::vector<std::string> wanted = Revisions(true);
    for (const PastCommit& past : *commits) {
      const std::string& last = past.revisions.back();
      for (const std::string& name : past.revisions) {
        if (name != last)
          why_[name] = fmt::format("landed together with {} in commit {}", last,
                                   past.commit.substr(0, kShortCommit));
      }
    }
    // A program can only record the latest revision of its list.
    std::erase_if(*commits, [&](const PastCommit& past) {
      return std::find(wanted.begin(), wanted.end(), past.revisions.back()) == wanted.end();
    });
    begin_ = Clock::now();
    for (std::size_t i = 0; i < commits->size(); ++i) {
      const PastCommit& past = (*commits)[i];
      const std::string& revision = past.revisions.back();
      const bool done = arguments_.go_on && fs::exists(Folder(revision) / "done");
      if (!done) Say(i, commits->size(), past);
      const Outcome outcome =
          done ? Carry(past.commit, revision) : RecordOne(past.commit, revision);
      if (outcome == Outcome::Failed) failed_ = true;
      if (!done) ++built_;
    }
    Summary(wanted);
    return failed_ ? Exit::Findings : Exit::Fine;
  }

 private:
  fs::path Folder(const std::string& revision) const { return places_.state / revision; }

  /// Returns all revisions or, if `without`, only those without goldens made by their own code.
  std::vector<std::string> Revisions(bool without) const {
    const golden::Store store = golden::Store::Open(session_.golden);
    const History history(*session_.list, store);
    std::vector<std::string> names;
    for (const Revision& revision : history.revisions()) {
      if (!without || !OfItsTime(revision)) names.push_back(revision.name);
    }
    return names;
  }

  static bool OfItsTime(const Revision& revision) {
    const auto is = [&](const golden::StoredRecord* stored) {
      return stored != nullptr && stored->record.provenance.code == revision.name &&
             !stored->record.cases.empty();
    };
    return is(revision.record) ||
           std::any_of(revision.additions.begin(), revision.additions.end(), is);
  }

  void Say(std::size_t index, std::size_t count, const PastCommit& past) const {
    if (session_.quiet) return;
    std::fprintf(stderr, "%zu of %zu: %s from %s", index + 1, count, past.revisions.back().c_str(),
                 past.commit.substr(0, kShortCommit).c_str());
    if (built_ > 0) {
      const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
      std::fprintf(stderr, " (about %.0f s left)",
                   seconds / static_cast<double>(built_) * static_cast<double>(count - index));
    }
    std::fputc('\n', stderr);
  }

  Outcome Fail(const std::string& revision, const std::string& why, const std::string& log = "") {
    why_[revision] = why + (log.empty() ? "" : ": " + log);
    std::fprintf(stderr, "warning: %s: %s\n", revision.c_str(), why_[revision].c_str());
    return Outcome::Failed;
  }

  Outcome RecordOne(const std::string& commit, const std::string& revision) {
    std::error_code error;
    const fs::path folder = Folder(revision), tree = folder / "tree";
    RemoveTree(tree);
    fs::remove_all(folder, error);
    fs::create_directories(folder, error);
    // Disable hooks, which are meant for the user's own checkouts.
    if (!RunProgram({"git", "-C", places_.root, "-c", "core.hooksPath=/dev/null", "worktree", "add",
                     "--quiet", "--force", "--detach", tree.generic_string(), commit},
                    Complaints::Shown)
             .ok)
      return Fail(revision, "git cannot create a work tree for " + commit);
    const Outcome outcome = InTree(commit, revision, tree);
    RemoveTree(tree);
    return outcome;
  }

  Outcome InTree(const std::string& commit, const std::string& revision, const fs::path& tree) {
    const std::string log = (Folder(revision) / "log").generic_string();
    if (const auto put = PutBeside(tree); !put.ok())
      return Fail(revision, "cannot copy the current harness files: " + ErrorText(put.error()));
    if (!RunLogged(tree.generic_string(), arguments_.build, log))
      return Fail(revision, "cannot build that commit", log);
    const std::string golden = (Folder(revision) / "golden").generic_string();
    if (!RunLogged(tree.generic_string(),
                   fmt::format("{} record --allow-ci --golden {}",
                               base::ShellWord("./" + places_.program), base::ShellWord(golden)),
                   log))
      return Fail(revision, "that commit's harness failed to record", log);
    const Outcome outcome = Carry(commit, revision);
    if (outcome == Outcome::Recorded)
      (void)base::WriteFileAtomically((Folder(revision) / "done").generic_string(), commit + "\n");
    return outcome;
  }

  /// Copies the `--with` files into the commit's tree and, if the commit lacks them, the current
  /// sources that register types.
  Result<Done> PutBeside(const fs::path& tree) const {
    const auto copy = [&](const fs::path& path, bool over) -> Result<Done> {
      const fs::path from = fs::path(places_.root) / path, to = tree / path;
      if (!fs::exists(from) || (!over && fs::exists(to))) return Done{};
      return base::CopyOver(from.generic_string(), to.generic_string());
    };
    for (const std::string& path : arguments_.with) TRY(copy(path, true));
    TRY(copy(".revctl.yaml", false));
    const CheckOptions options = OptionsOf(session_);
    for (const RootType& root : session_.registry.types) {
      const fs::path file = options.Relative(root.entry.file);
      if (file.is_relative()) TRY(copy(file, false));
    }
    return Done{};
  }

  void RemoveTree(const fs::path& tree) const {
    std::error_code error;
    if (fs::exists(tree, error))
      (void)RunProgram({"git", "-C", places_.root, "worktree", "remove", "--force", "--force",
                        tree.generic_string()},
                       Complaints::Dropped);
    fs::remove_all(tree, error);
    (void)RunProgram({"git", "-C", places_.root, "worktree", "prune"}, Complaints::Dropped);
  }

  Outcome Carry(const std::string& commit, const std::string& revision) {
    const golden::Store then = golden::Store::Open((Folder(revision) / "golden").generic_string());
    const golden::StoredRecord* stored = then.Find(revision);
    if (stored == nullptr)
      return Fail(
          revision,
          fmt::format("the list in commit {} has a different latest revision{}",
                      commit.substr(0, kShortCommit),
                      then.records().empty() ? "" : ", " + then.records().front().record.revision));
    const golden::Store store = golden::Store::Open(session_.golden);
    const History history(*session_.list, store);
    const Revision& today = *history.Find(revision);
    if (OfItsTime(today)) return Outcome::Recorded;
    const Recording recording = CarryOver(session_.registry, history, today, *stored,
                                          {kCommand, session_.seed, Renames(store.approvals())});
    if (!recording.troubles.empty()) return Fail(revision, recording.troubles.front());
    if (today.exists && recording.record.cases.empty()) return Outcome::Recorded;
    std::string file = revision + ".yaml";
    if (today.exists) {
      const auto added =
          golden::WriteAddition(session_.golden, recording.record, recording.payloads);
      if (!added) return Fail(revision, added.error().message);
      file = *added;
    } else if (const auto written = golden::WriteRecord(session_.golden, recording.record,
                                                        recording.payloads, false);
               !written) {
      return Fail(revision, written.error().message);
    }
    if (!session_.quiet) {
      std::printf("recorded %s by %s: %s -> %s/%s\n", revision.c_str(),
                  commit.substr(0, kShortCommit).c_str(),
                  Counted(recording.record.cases.size(), "golden").c_str(), session_.golden.c_str(),
                  file.c_str());
      std::fflush(stdout);  // shows the result before the next build, which takes a while
    }
    return Outcome::Recorded;
  }

  /// Reports for each revision whether its goldens were made by its own code, were backfilled, or
  /// are missing.
  void Summary(const std::vector<std::string>& wanted) const {
    const golden::Store store = golden::Store::Open(session_.golden);
    const History history(*session_.list, store);
    if (wanted.empty() && !session_.quiet)
      std::fprintf(stderr,
                   "OK: nothing to record: every revision has goldens made by its own code\n");
    for (const Revision& revision : history.revisions()) {
      std::string said = OfItsTime(revision)          ? "goldens made by its own code"
                         : revision.record == nullptr ? "no goldens"
                         : revision.record->record.provenance.command == "record --backfill"
                             ? "backfilled"
                             : "goldens made by later code";
      if (const auto why = why_.find(revision.name); !OfItsTime(revision))
        said += "; " + (why != why_.end() ? why->second
                                          : "no commit in HEAD's history added it to the list");
      std::printf("%s: %s\n", revision.name.c_str(), said.c_str());
    }
  }

  const Session& session_;
  const RecordHistoryArguments& arguments_;
  const Places places_;
  Clock::time_point begin_;
  std::size_t built_ = 0;
  bool failed_ = false;
  /// reason why a revision lacks goldens made by its own code
  std::map<std::string, std::string> why_;
};

}  // namespace

Exit RunRecordHistory(const Session& session, const RecordHistoryArguments& arguments) {
  if (UnderCi() && !arguments.allow_ci)
    return Refuse(Exit::Usage,
                  "`record-history` refuses to run in CI ($CI is set), because a person should "
                  "review new goldens",
                  fmt::format("{} record-history --allow-ci --build {}", session.program,
                              base::ShellWord(arguments.build)));
  Places places;
  places.root = session.source_root;
  const ProgramOutput git = RunProgram(
      {"git", "-C", places.root, "rev-parse", "--absolute-git-dir"}, Complaints::Dropped);
  if (places.root.empty() || !git.ok)
    return Refuse(Exit::Environment,
                  "the sources are not in a git repository, so there is no history to record from");
  places.state = fs::path(git.text.substr(0, git.text.find('\n'))) / "revctl-history";
  places.program = arguments.program;
  if (places.program.empty()) {
    std::error_code error;
    const fs::path within =
        fs::path(base::OwnProgram()).lexically_relative(fs::weakly_canonical(places.root, error));
    if (within.empty() || within.begin()->string() == "..")
      return Refuse(Exit::Usage,
                    "this program is outside the work tree, so its path in builds of old commits "
                    "is unknown",
                    fmt::format("{} record-history --program build/save_harness --build {}",
                                session.program, base::ShellWord(arguments.build)));
    places.program = within.generic_string();
  }
  if (!arguments.go_on) {
    std::error_code error;
    fs::remove_all(places.state, error);
  }
  return HistoryRecorder(session, arguments, std::move(places)).Run();
}

}  // namespace revctl::harness
