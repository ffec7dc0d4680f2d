#include "revctl/git/remote.h"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "revctl/base/shell_word.h"
#include "revctl/git/command.h"

namespace revctl::git {

Result<FetchReport> Fetch(const Repository& repository, const std::string& remote,
                          const std::vector<Refspec>& refs, const FetchDepth& depth) {
  // Override the user's settings for `git fetch`, such as pruning, tags and submodules.
  std::vector<std::string> arguments = {"-c",
                                        "fetch.writeCommitGraph=false",
                                        "fetch",
                                        "--quiet",
                                        "--no-tags",
                                        "--no-prune",
                                        "--no-recurse-submodules",
                                        "--no-write-fetch-head",
                                        "--no-auto-maintenance"};
  if (!depth.option.empty()) arguments.push_back(depth.option);
  arguments.insert(arguments.end(), {"--end-of-options", remote});
  for (const Refspec& ref : refs)
    arguments.push_back(fmt::format("{}{}:{}", ref.force ? "+" : "", ref.source, ref.destination));
  TRY(auto run, Command::Run(repository, arguments));
  return FetchReport{run.ok(), run.err};
}

Result<FetchReport> FetchBranches(const Repository& repository, const std::string& remote) {
  TRY(const auto run,
      Command::Run(repository, {"fetch", "--quiet", "--no-tags", "--end-of-options", remote}));
  return FetchReport{run.ok(), run.err};
}

namespace {

Result<ProcessResult> AskRemote(const Repository& repository, const std::string& remote,
                                const std::vector<std::string>& options,
                                const std::vector<std::string>& refs) {
  std::vector<std::string> arguments = {"ls-remote", "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), {"--end-of-options", remote});
  arguments.insert(arguments.end(), refs.begin(), refs.end());
  TRY(auto run, Command::Run(repository, arguments));
  if (run.ok()) return run;
  return Unreachable(remote, run.err);
}

}  // namespace

Error Unreachable(const std::string& remote, const std::string& said) {
  Error error{Exit::Environment,
              fmt::format("remote {} cannot be reached:\n{}", remote, LastLines(said)),
              fmt::format("check `git ls-remote {}`", base::ShellWord(remote))};
  error.unreachable = true;
  return error;
}

Result<std::map<std::string, Oid>> ListRemote(const Repository& repository,
                                              const std::string& remote,
                                              const std::vector<std::string>& refs) {
  TRY(auto run, AskRemote(repository, remote, {}, refs));
  std::map<std::string, Oid> out;
  for (const std::string& line : Lines(run.out)) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos) continue;
    // ls-remote also matches the last parts of names (`main` matches `x/main`), so compare the
    // whole names.
    const std::string name = line.substr(tab + 1);
    if (std::find(refs.begin(), refs.end(), name) != refs.end()) out[name] = line.substr(0, tab);
  }
  return out;
}

Result<std::optional<std::string>> HeadOfRemote(const Repository& repository,
                                                const std::string& remote) {
  TRY(const auto run, AskRemote(repository, remote, {"--symref"}, {"HEAD"}));
  constexpr std::string_view kLead = "ref: refs/heads/", kEnd = "\tHEAD\n";
  const std::size_t end = run.out.find(kEnd);
  if (!run.out.starts_with(kLead) || end == run.out.npos) return std::optional<std::string>();
  return std::optional(run.out.substr(kLead.size(), end - kLead.size()));
}

namespace {

/// Parses the `--porcelain` output of a push for `ref`.
Result<PushReport> ReportOf(Result<ProcessResult> run, const std::string& ref) {
  if (!run.ok()) return run.error();
  PushReport report{run->ok(), "", run->err};
  // Find the line for our ref: "<flag>\t<from>:<to>\t<summary> (<reason>)".
  const std::size_t line = run->out.find(fmt::format(":{}\t", ref));
  if (line != std::string::npos) {
    const std::string summary = run->out.substr(line, run->out.find('\n', line) - line);
    const std::size_t open = summary.find('('), close = summary.rfind(')');
    if (open != std::string::npos && close != std::string::npos && open < close) {
      report.reason = summary.substr(open + 1, close - open - 1);
    }
  }
  return report;
}

std::string Lease(const std::string& ref, const std::string& expected) {
  return fmt::format("--force-with-lease={}:{}", ref, expected);
}

/// Additional refs of an atomic push: a ref that must not move, and refs to delete.
struct OtherRefs {
  RefAt unmoved;
  std::vector<RefAt> deleted;
};

Result<PushReport> Push(const Repository& repository, const std::string& remote,
                        const std::string& ref, const std::string& from,
                        const std::string& expected,
                        const std::optional<OtherRefs>& others = std::nullopt) {
  std::vector<std::string> arguments = {"-c",
                                        "push.followTags=false",
                                        "push",
                                        "--porcelain",
                                        "--no-verify",
                                        "--no-recurse-submodules",
                                        Lease(ref, expected)};
  if (others) {
    arguments.emplace_back("--atomic");
    arguments.push_back(Lease(others->unmoved.ref, others->unmoved.id));
    for (const RefAt& one : others->deleted) arguments.push_back(Lease(one.ref, one.id));
  }
  arguments.insert(arguments.end(), {"--end-of-options", remote, fmt::format("{}:{}", from, ref)});
  if (others) {
    arguments.push_back(fmt::format("{}:{}", others->unmoved.id, others->unmoved.ref));
    for (const RefAt& one : others->deleted) arguments.push_back(":" + one.ref);
  }
  return ReportOf(Command::Run(repository, std::move(arguments)), ref);
}

}  // namespace

bool IsRaceLost(std::chrono::steady_clock::duration spent, int attempts,
                std::chrono::seconds longest) {
  const char* const set = std::getenv("REVCTL_PATIENCE");
  const int patience = set == nullptr ? 60 : std::clamp(std::atoi(set), 0, 3600);
  return (spent > std::chrono::seconds(patience) && attempts >= patience / 3) || spent > longest;
}

bool IsRace(const std::string& reason) {
  for (std::string_view word :
       {"stale info", "failed to update ref", "failed to lock", "fetch first", "non-fast-forward",
        "already exists", "cannot lock ref", "reference already exists", "incorrect old value",
        "atomic push failed", "atomic transaction failed"}) {
    if (reason.find(word) != std::string::npos) return true;
  }
  return false;
}

bool WaitForLock(int failures) {
  constexpr int kMostFailures = 8;
  // The first and the longest wait, in milliseconds. The waits add up to about four seconds.
  constexpr int kFirst = 50, kLongest = 800;
  if (failures >= kMostFailures) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::min(kFirst << failures, kLongest)));
  return true;
}

Error Rejected(const std::string& server, const std::string& ref, const PushReport& report,
               std::string fix) {
  const std::string why = report.reason.empty() ? "" : fmt::format(" ({})", report.reason);
  return {Exit::Environment,
          fmt::format("{} rejects the push to {}{}:\n{}", server, ref, why, LastLines(report.talk)),
          std::move(fix)};
}

Error LockedOnServer(const std::string& remote, const std::string& ref, const PushReport& report) {
  return {Exit::Environment,
          fmt::format("{} cannot update {}, although no other push has updated it ({}):\n{}",
                      remote, ref, report.reason, LastLines(report.talk)),
          "if no git process is running on the server, ask its administrator to remove the lock "
          "file that git names above; then run the same command again"};
}

Result<PushReport> PushBranch(const Repository& repository, const std::string& remote,
                              const std::string& ref, const Oid& id,
                              const std::optional<Oid>& lease) {
  std::vector<std::string> arguments = {"-c", "push.followTags=false", "push", "--porcelain"};
  if (lease) arguments.push_back(Lease(ref, *lease));
  arguments.insert(arguments.end(), {"--end-of-options", remote, fmt::format("{}:{}", id, ref)});
  return ReportOf(Command::RunWithHooks(repository, std::move(arguments)), ref);
}

Result<PushReport> PushWithLease(const Repository& repository, const std::string& remote,
                                 const std::string& ref, const Oid& id,
                                 const std::optional<Oid>& old) {
  return Push(repository, remote, ref, id, old.value_or(""));
}

Result<PushReport> PushWhileOtherRefStays(const Repository& repository, const std::string& remote,
                                          const RefAt& ref, const std::optional<Oid>& old,
                                          const RefAt& other, const std::vector<RefAt>& deleted) {
  return Push(repository, remote, ref.ref, ref.id, old.value_or(""), OtherRefs{other, deleted});
}

Result<PushReport> DeleteWithLease(const Repository& repository, const std::string& remote,
                                   const std::string& ref, const Oid& old) {
  return Push(repository, remote, ref, "", old);
}

}  // namespace revctl::git
