// RV019: goldens of landed revisions, and of revisions pending on the target, are never edited or
// removed. If a change moves the folder, each file is compared with its copy in the old folder.
#include <set>

#include "golden/index.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/goldens/golden_rewrites.h"
#include "revctl/goldens/stale_goldens.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

class LandedGoldens {
 public:
  LandedGoldens(ListGate& gate, std::vector<Finding>& out)
      : gate_(gate),
        request_(gate.request()),
        folders_(gate.sides().golden),
        base_(gate.sides().base_commit),
        out_(out) {}

  Result<Done> Run() {
    if (!request_.target) return CheckNewRelease();
    if (folders_.target.empty()) return Done{};
    const bool based = base_ && *base_ != *request_.target;
    const std::string& began = based ? folders_.base : folders_.target;
    if (folders_.ours.empty() && !began.empty()) {
      TRY(auto ends, SeverityOfEnds(*request_.repository));
      Add("", "",
          fmt::format("`golden` of list `{}` is taken out of .revctl.yaml: the goldens in {} would "
                      "be guarded no more",
                      gate_.config().name, folders_.target),
          AllowPolicyChange("put it back: golden: " + folders_.target), ends);
    }
    if (folders_.ours != began && !folders_.ours.empty() && !began.empty())
      return CheckMoved(began);
    // The target has moved the folder, so compare with the merge base instead.
    if (based && !began.empty() && began != folders_.target && folders_.ours == began)
      return CheckInPlace(*base_, began);
    return CheckInPlace(*request_.target, folders_.target);
  }

 private:
  /// Returns the parsed name if the file is protected: an approval, or a golden of a revision that
  /// the target has.
  std::optional<golden::FileName> Guarded(std::string_view file) const {
    auto name = golden::ParseFileName(file);
    if (!name || (name->kind != golden::FileName::Kind::Approval &&
                  (gate_.there() == nullptr || gate_.there()->Find(name->revision) == nullptr)))
      return std::nullopt;
    return name;
  }

  void Add(const std::string& path, const std::string& revision, std::string message,
           std::string fix, Severity severity = Severity::Error, const std::string& cause = "") {
    out_.push_back({RuleId::LandedGolden, severity, std::move(message),
                    path.empty() ? request_.prefix + std::string(config::kFileName) : path, 0,
                    revision, std::move(fix)});
    out_.back().cause = cause;
  }

  /// Checks that a new release keeps all goldens of the commit it was cut from.
  Result<Done> CheckNewRelease() {
    if (request_.scope != GateRequest::Scope::Release || !base_ || folders_.base.empty())
      return Done{};
    if (folders_.ours == folders_.base) return CheckInPlace(*base_, folders_.base);
    Add("", "",
        fmt::format("a new release keeps its goldens where {} had them: {}", request_.main_label,
                    folders_.base),
        fmt::format("git checkout {} -- {}", base_->substr(0, 10),
                    base::ShellPath(request_.prefix + std::string(config::kFileName))));
    return Done{};
  }

  /// Compares the folder with the same folder at `from`.
  Result<Done> CheckInPlace(const git::Oid& from, const std::string& in) {
    const std::string folder = request_.prefix + in;
    TRY(auto changed, request_.side.ChangedSince(from, folder));
    if (!changed.empty() && base_ && *base_ != from) {
      TRY(auto touched, request_.side.ChangedSince(*base_, folder));
      const std::set<std::string> since_base(touched.begin(), touched.end());
      TRY(auto base_files, request_.repository->ListFiles(*base_, folder));
      // Skip files that differ only because the change is behind the target.
      std::set<std::string> at_base;
      for (const auto& file : base_files) at_base.insert(folder + "/" + file.path);
      std::erase_if(changed, [&](const std::string& path) {
        if (at_base.contains(path)) return !since_base.contains(path);
        auto here = request_.side.Exists(path);
        return here.ok() && !*here;
      });
    }
    std::set<std::string> edited;
    for (const std::string& path : changed) {
      const auto name = Guarded(std::string_view(path).substr(folder.size() + 1));
      if (name && name->kind != golden::FileName::Kind::Approval && !name->IsAddition())
        edited.insert(name->revision);
    }
    WritingAnew writing{
        request_.repository, &request_.side, from, request_.target_label, folder, {}, {}};
    if (gate_.there() != nullptr) {
      for (const list::Entry* entry : gate_.there()->Revisions())
        writing.order.push_back({entry->name, gate_.IsPendingThere(entry->name)});
    }
    for (const list::Entry* entry : gate_.ours().Revisions()) {
      if (entry->pending_file.empty()) writing.numbered.push_back(entry->name);
    }
    TRY(auto anew, FindWrittenAnew(writing, edited));
    std::set<std::string> reported;
    for (const std::string& path : changed) {
      const auto name = Guarded(std::string_view(path).substr(folder.size() + 1));
      if (!name) continue;
      const auto here = request_.side.Exists(path);
      const bool gone = here.ok() && !*here;
      // The revision's new record may replace an addition.
      if (const auto found = anew.find(name->revision);
          found != anew.end() && (!name->IsAddition() || gone)) {
        if (reported.insert(name->revision).second) out_.push_back(found->second);
        continue;
      }
      const std::string_view wrong = gone ? "was removed" : "was edited";
      const bool pending = gate_.IsPendingThere(name->revision);
      const std::string whose = name->revision.empty() ? "approval"
                                : pending              ? "of " + name->revision
                                                       : "of the landed " + name->revision;
      Add(path, name->revision,
          pending
              ? fmt::format("the golden {} {}, which is pending on {}: only a fold writes it anew, "
                            "where it is stale",
                            whose, wrong, request_.target_label)
              : fmt::format("the golden {} {}; files like it are in users' hands", whose, wrong),
          gone && ResolvePutsBack(*name)
              ? "revctl resolve"
              : fmt::format("git checkout {} -- {}", from.substr(0, 10), base::ShellPath(path)),
          Severity::Error, gone ? "removed" : "edited");
    }
    return Done{};
  }

  /// True if `revctl resolve` restores the file: in a clone that is compared with its own target. A
  /// revert removes list entries and goldens, and resolve restores both.
  bool ResolvePutsBack(const golden::FileName& name) const {
    const config::Config& policy = gate_.policy();
    const std::string& label = request_.target_label;
    return request_.side.IsWorkTree() && name.kind != golden::FileName::Kind::Approval &&
           !name.IsAddition() && !gate_.IsPendingThere(name.revision) &&
           (label == policy.target || label == policy.remote + "/" + policy.target);
  }

  /// Compares the folder with the target's copy elsewhere. Reports everything in one finding.
  Result<Done> CheckMoved(const std::string& began) {
    const std::string from = request_.prefix + folders_.target,
                      to = request_.prefix + folders_.ours;
    TRY(auto landed, request_.repository->ListFiles(*request_.target, from));
    std::vector<std::string> edited, dropped, left;
    for (const git::TreeFile& file : landed) {
      if (!Guarded(file.path)) continue;
      TRY(auto there, request_.repository->ReadFile(*request_.target, from + "/" + file.path));
      const auto here = request_.side.Read(to + "/" + file.path);
      if (here.ok() && *here == there) continue;
      const bool gone = here.ok() && !*here;
      if (base_ && *base_ != *request_.target) {
        TRY(auto before, request_.repository->ReadFile(
                             *base_, request_.prefix + folders_.base + "/" + file.path));
        if (before && here.ok() && *here == before) continue;  // the target has newer bytes
        if (!before && gone) {
          left.push_back(file.path);
          continue;
        }
      }
      (gone ? dropped : edited).push_back(file.path);
    }
    if (edited.empty() && dropped.empty() && left.empty()) return Done{};
    std::string what;
    const auto count = [&](const std::vector<std::string>& files, const std::string& how) {
      if (files.empty()) return;
      what += fmt::format("{}{} {}", what.empty() ? "" : "; ", SomeOf(files), how);
    };
    count(edited, edited.size() == 1 ? "was edited" : "were edited");
    count(dropped, dropped.size() == 1 ? "was dropped" : "were dropped");
    count(left, "landed since, and would stay in " + folders_.target);
    // Copy all of them, which leaves correct files unchanged.
    const std::string old = base::ShellPath(from), all = base::ShellPath(from + "/.");
    std::string mend = fmt::format("git checkout {} -- {}", request_.target->substr(0, 10), old);
    if (from != to)
      mend += fmt::format(" && cp -R {} {} && git rm -rqf {}", all, base::ShellPath(to), old);
    Add(to, "",
        fmt::format(
            "the goldens move from {} to {}, and landed ones do not arrive there as they were: {}",
            began, folders_.ours, what),
        std::move(mend));
    return Done{};
  }

  ListGate& gate_;
  const GateRequest& request_;
  const ThreeSides::Folders& folders_;
  const std::optional<git::Oid>& base_;
  std::vector<Finding>& out_;
};

}  // namespace

Result<Done> CheckLandedGoldens(ListGate& gate, std::vector<Finding>& out) {
  return LandedGoldens(gate, out).Run();
}

}  // namespace revctl::commands
