#include "harness/isolated_check.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/message.h"
#include "harness/progress.h"

namespace harness {
namespace {

constexpr std::size_t kMostCrashes = 128;  // of one type; beyond that the type is given up

/// Memory that a child's notes outlive it in.
class SharedText {
 public:
  SharedText()
      : text_(static_cast<char*>(::mmap(nullptr, Progress::kTextSize, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  SharedText(const SharedText&) = delete;
  ~SharedText() {
    if (ok()) ::munmap(text_, Progress::kTextSize);
  }
  bool ok() const { return text_ != MAP_FAILED; }
  char* get() const { return text_; }

 private:
  char* text_;
};

void WriteAll(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

std::string ReadAll(int descriptor) {
  std::string bytes;
  char buffer[1U << 16];
  for (ssize_t got; (got = ::read(descriptor, buffer, sizeof buffer)) > 0;)
    bytes.append(buffer, static_cast<std::size_t>(got));
  return bytes;
}

/// How a child ended, if not well.
std::string Ending(int status) {
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

class Isolation {
 public:
  Isolation(const Registry& registry, const revctl::ListTable& list, const golden::Store& store)
      : registry_(registry), list_(list), store_(store) {}

  bool ok() const { return text_.ok(); }
  /// What the last child that ended badly was about to run, as `type\nwhat`, and how it ended.
  std::string last() const { return text_.get(); }
  const std::string& ending() const { return ending_; }

  /// Nothing where the child did not live to say.
  std::optional<CheckResult> Run(const CheckOptions& options,
                                 const std::set<std::string>& left_out) {
    int ends[2];
    if (::pipe(ends) != 0) return Check(registry_, list_, store_, options);
    text_.get()[0] = '\0';
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      Progress::Install(text_.get(), left_out);
      WriteAll(ends[1], PackMessage(Check(registry_, list_, store_, options)));
      ::_exit(0);
    }
    ::close(ends[1]);
    if (child < 0) {
      ::close(ends[0]);
      return Check(registry_, list_, store_, options);
    }
    const std::string bytes = ReadAll(ends[0]);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      ending_ = Ending(status);
      return std::nullopt;
    }
    return UnpackMessage(bytes);
  }

 private:
  const Registry& registry_;
  const revctl::ListTable& list_;
  const golden::Store& store_;
  SharedText text_;
  std::string ending_;
};

/// The error about a golden or sample that ended the process.
Finding CrashFinding(const RootType& root, const std::string& what, const std::string& ending,
                     const CheckOptions& options) {
  const bool golden = what.starts_with("golden ");
  Finding finding;
  finding.rule = golden ? rule::kBytes : rule::kStability;
  finding.signal = golden ? "bytes" : "stability";
  finding.type = root.name;
  finding.file = RelativeTo(options, root.entry.file);
  finding.line = root.entry.line;
  const auto slash = what.find('/');
  if (golden && slash != std::string::npos)
    finding.revision = what.substr(7, what.find_first_of("/+") - 7);
  finding.message = root.name + ": the " + what + " ends the process (" + ending + ")";
  finding.fix =
      (golden ? options.program + " dump golden/" + what.substr(7, slash - 7) + ".golden --type " +
                    root.name
              : options.program + " check --in-process") +
      "   // under a debugger or sanitizer shows where; let the body refuse what it cannot "
      "take with r.Fail(reason)";
  return finding;
}

void Join(CheckResult part, CheckResult& whole) {
  std::move(part.findings.begin(), part.findings.end(), std::back_inserter(whole.findings));
  std::move(part.at.begin(), part.at.end(), std::back_inserter(whole.at));
  std::move(part.costs.begin(), part.costs.end(), std::back_inserter(whole.costs));
  std::move(part.pending.begin(), part.pending.end(), std::back_inserter(whole.pending));
  std::move(part.uncovered.begin(), part.uncovered.end(), std::back_inserter(whole.uncovered));
  whole.errors = whole.errors || part.errors;
  whole.goldens += part.goldens;
}

CheckResult CheckOneType(Isolation& isolation, const RootType& root, CheckOptions options) {
  const std::set<std::string> only = {root.name};
  options.only = &only;
  options.store = false;
  CheckResult result;
  std::set<std::string> left_out;
  bool automatic_told = false;
  while (left_out.size() <= kMostCrashes) {
    if (auto part = isolation.Run(options, left_out)) {
      Join(std::move(*part), result);
      return result;
    }
    const std::string last = isolation.last();
    const auto line = last.find('\n');
    const std::string what = line == std::string::npos ? "a check" : last.substr(line + 1);
    // Automatic samples are made up by the dozen: the first of them that does it speaks for all.
    const bool automatic = what.starts_with("automatic sample");
    if (!automatic || std::exchange(automatic_told, true) == false) {
      result.findings.push_back(CrashFinding(root, what, isolation.ending(), options));
      const std::string& revision = result.findings.back().revision;
      result.at.push_back(revision.empty() ? std::vector<std::string>() : std::vector{revision});
    }
    result.errors = true;
    // The same again, though it was left out: nothing more can be said about this type.
    if (!left_out.insert(last).second) break;
  }
  return result;
}

}  // namespace

CheckResult CheckIsolated(const Registry& registry, const revctl::ListTable& list,
                          const golden::Store& store, const CheckOptions& options) {
  Isolation isolation(registry, list, store);
  if (options.in_process || !isolation.ok()) return Check(registry, list, store, options);
  if (auto result = isolation.Run(options, {})) return std::move(*result);
  const std::set<std::string> none;
  CheckOptions part = options;
  part.only = &none;
  CheckResult result;
  if (options.store) {
    if (auto whole = isolation.Run(part, {})) result = std::move(*whole);
  }
  for (const RootType& root : registry.types) {
    if (options.only && !options.only->contains(root.name)) continue;
    Join(CheckOneType(isolation, root, options), result);
  }
  return result;
}

}  // namespace harness
