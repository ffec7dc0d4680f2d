#include "revctl/goldens/golden_rewrites.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "golden/index.h"
#include "golden/kept_values.h"
#include "golden/revision_record.h"
#include "revctl/base/shell_word.h"
#include "revctl/goldens/stale_goldens.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;

class Rewriting {
 public:
  explicit Rewriting(const RewriteQuestion& question)
      : q_(question), there_(question.side->At(question.target)) {
    for (std::size_t i = 0; i < q_.order.size(); ++i) places_.emplace(q_.order[i].name, i);
    for (const std::string& name : q_.numbered) {
      if (places_.contains(name)) after_order_.push_back(name);
    }
    const std::set<std::string> numbered(after_order_.begin(), after_order_.end());
    for (const RewriteQuestion::Listed& one : q_.order) {
      if (!numbered.contains(one.name)) after_order_.push_back(one.name);
    }
    for (std::size_t i = 0; i < after_order_.size(); ++i) afterwards_.emplace(after_order_[i], i);
  }

  Result<std::map<std::string, Finding>> Run(const std::set<std::string>& edited) {
    std::map<std::string, Finding> found;
    // Include all pending revisions, because revisions before an edited one may be stale as well.
    std::set<std::string> judged = edited;
    for (const RewriteQuestion::Listed& one : q_.order) {
      if (one.pending) judged.insert(one.name);
    }
    TRY(Read(there_, judged, before_));
    std::vector<ListedGolden> order;
    for (const RewriteQuestion::Listed& one : q_.order)
      order.push_back({one.name, judged.contains(one.name)});
    TRY(auto stale, Stale(there_, order, before_));
    for (StaleGolden& golden : stale) {
      if (!edited.contains(golden.revision)) continue;
      const bool may = golden.known &&
                       (IsPending(golden.revision) || SaysWhen(before_, places_, golden.revision));
      if (may) may_.emplace(golden.revision, std::move(golden));
    }
    if (may_.empty()) return found;
    AddThoseBehind(edited);
    TRY(Read(*q_.side, judged, after_));
    order.clear();
    for (const std::string& name : after_order_) order.push_back({name, judged.contains(name)});
    TRY(auto left, Stale(*q_.side, order, after_));
    for (const StaleGolden& golden : left) {
      if (may_.contains(golden.revision)) wrong_[golden.revision] = golden.message;
    }
    TRY(LearnWhatOthersChange());
    TRY(auto files, there_.repository().ListFiles(q_.target, q_.folder));
    for (const auto& [name, golden] : may_) {
      std::string kept;
      if (wrong_[name].empty()) {
        TRY(auto lost, Lost(name, files, kept));
        wrong_[name] = std::move(lost);
      }
      found.emplace(name, About(golden, wrong_[name], kept));
    }
    return found;
  }

 private:
  using Records = std::map<std::string, RecordHere>;
  using Places = std::map<std::string, std::size_t>;

  bool IsPending(const std::string& name) const { return q_.order[places_.at(name)].pending; }

  Result<Done> Read(const Tree& side, const std::set<std::string>& names, Records& out) const {
    for (const std::string& name : names) {
      if (!places_.contains(name)) continue;
      TRY(auto record, ReadRecordHere(side, q_.folder, name));
      out.emplace(name, std::move(record));
    }
    return Done{};
  }

  Result<std::vector<StaleGolden>> Stale(const Tree& side, const std::vector<ListedGolden>& order,
                                         const Records& read) const {
    return FindStaleGoldens(
        {&side, q_.target, q_.target_label, q_.folder, q_.folder, nullptr, &read}, order);
  }

  /// True if the record's `previous` names a revision that precedes the record's own revision.
  /// Otherwise the record does not show which revisions it was recorded on top of.
  static bool SaysWhen(const Records& records, const Places& places, const std::string& name) {
    const auto record = records.find(name);
    const auto place = places.find(name);
    if (record == records.end() || !record->second.types || place == places.end()) return false;
    const auto previous = places.find(record->second.types->previous);
    return previous != places.end() && previous->second < place->second;
  }

  /// Adds edited pending records that share a type with an earlier stale record, because they
  /// depend on goldens that will be replaced.
  void AddThoseBehind(const std::set<std::string>& edited) {
    std::set<std::string> roots;
    for (const RewriteQuestion::Listed& one : q_.order) {
      const auto record = before_.find(one.name);
      if (!edited.contains(one.name) || record == before_.end() || !record->second.types) continue;
      const auto& types = record->second.types->roots;
      const bool stale = may_.contains(one.name);
      const bool behind =
          one.pending && std::any_of(types.begin(), types.end(),
                                     [&](const auto& type) { return roots.contains(type); });
      if (!stale && !behind) continue;
      roots.insert(types.begin(), types.end());
      if (stale) continue;
      StaleGolden golden;
      golden.revision = one.name;
      golden.file = q_.folder + "/" + one.name + ".yaml";
      golden.reason = "they depend on earlier stale goldens";
      golden.message = "the goldens of " + one.name + ": " + golden.reason;
      may_.emplace(one.name, std::move(golden));
    }
  }

  /// Collects the values that later revisions change, from the target's records and approvals.
  Result<Done> LearnWhatOthersChange() {
    std::set<std::string> unknown;
    for (const auto& [name, golden] : may_)
      unknown.insert(golden.without.begin(), golden.without.end());
    TRY(auto files, there_.repository().ListFiles(q_.target, q_.folder));
    std::map<std::size_t, std::vector<std::string>> records;
    for (const git::TreeFile& file : files) {
      const auto name = golden::ParseFileName(file.path);
      if (!name || name->kind == golden::FileName::Kind::Payloads ||
          name->kind == golden::FileName::Kind::Large)
        continue;
      if (name->kind == golden::FileName::Kind::Approval) {
        TRY(auto text, there_.Read(q_.folder + "/" + file.path));
        if (const auto read = golden::ParseApproval(text.value_or(""), ""); read.ok())
          others_.Add(*read);
      } else if (const auto place = places_.find(name->revision); place != places_.end()) {
        records[place->second].push_back(file.path);
      }
    }
    for (const auto& [place, paths] : records) {
      for (const std::string& path : paths) {
        TRY(auto text, there_.Read(q_.folder + "/" + path));
        if (const auto read = golden::ParseRecord(text.value_or(""), ""); read.ok())
          others_.Add(*read, unknown.contains(q_.order[place].name));
      }
    }
    return Done{};
  }

  /// Describes what is missing from the new record, or returns "" if it is complete. Appends
  /// to `kept` a description of the values that other revisions changed.
  Result<std::string> Lost(const std::string& name, const std::vector<git::TreeFile>& files,
                           std::string& kept) const {
    const RecordHere& now = after_.at(name);
    if (!now.types)
      return "the record of " + name + (now.there ? " " + now.problem : " is missing");
    TRY(const auto broken,
        FindBroken(*q_.side, q_.folder, {golden::FileName::Kind::Record, name, ""}));
    if (broken) return broken->file + ": " + broken->message;
    if (now.text == before_.at(name).text) return std::string();
    if (!SaysWhen(after_, afterwards_, name))
      return std::string("`previous` does not name an earlier revision");
    const auto after = golden::ParseRecord(now.text, "");
    if (!after.ok()) return fmt::format("line {}: {}", after.error().line, after.error().message);
    golden::RevisionRecord before;
    if (auto record = golden::ParseRecord(before_.at(name).text, ""); record.ok())
      before = std::move(*record);
    // If the change deletes files with additions to the old record, the new record must keep the
    // cases of those additions, too.
    for (const git::TreeFile& file : files) {
      const auto addition = golden::ParseFileName(file.path);
      if (!addition || addition->kind != golden::FileName::Kind::Record ||
          !addition->IsAddition() || addition->revision != name)
        continue;
      const std::string path = q_.folder + "/" + file.path;
      TRY(const bool here, q_.side->Exists(path));
      if (here) continue;
      TRY(auto text, there_.Read(path));
      auto record = golden::ParseRecord(text.value_or(""), "");
      if (!record.ok()) continue;
      std::move(record->cases.begin(), record->cases.end(), std::back_inserter(before.cases));
      std::move(record->large.begin(), record->large.end(), std::back_inserter(before.large));
    }
    constexpr std::size_t kMost = 5;
    std::size_t explained = 0;
    for (const golden::NotKept& one : golden::FindNotKept(before, *after, others_)) {
      if (!one.explained) return one.Text();
      if (++explained <= kMost) kept += (kept.empty() ? "" : "; ") + one.Text();
    }
    if (explained > kMost) kept += fmt::format("; and {} more", explained - kMost);
    return std::string();
  }

  Finding About(const StaleGolden& golden, const std::string& wrong,
                const std::string& kept) const {
    const std::string commit = q_.target.substr(0, 10);
    const bool pending = IsPending(golden.revision);
    const std::string whose = pending ? fmt::format("the goldens of {}, which is pending on {},",
                                                    golden.revision, q_.target_label)
                                      : "the goldens of " + golden.revision;
    Finding finding{.rule = RuleId::LandedGolden, .file = golden.file, .revision = golden.revision};
    if (wrong.empty()) {
      finding.severity = pending ? Severity::Note : Severity::Warning;
      finding.message = fmt::format(
          "{} are recorded again, {}: {}{}", whose,
          pending ? "as a fold does" : "which is allowed once, because they landed stale",
          golden.reason, kept.empty() ? "" : "; other revisions changed " + kept);
      finding.fix = fmt::format("ask a reviewer to check: git diff {} -- {}", commit,
                                base::ShellPath(golden.file));
      return finding;
    }
    finding.message =
        fmt::format("{} {} stale ({}), but the new record does not replace them completely: {}",
                    whose, pending ? "are" : "landed", golden.reason, wrong);
    finding.fix =
        pending
            ? fmt::format(
                  "git checkout {} -- {}, then run revctl fold on the target to record them",
                  commit, base::ShellPath(q_.folder))
            : fmt::format(
                  "git checkout {} -- {}, run your harness with `record "
                  "--refresh {}`, and commit {}",
                  commit, base::ShellPath(q_.folder), golden.revision, base::ShellPath(q_.folder));
    return finding;
  }

  const RewriteQuestion& q_;
  const Tree there_;
  /// The target's revisions, in their order after the change.
  std::vector<std::string> after_order_;
  Places places_, afterwards_;  ///< position of each revision on the target, and after the change
  Records before_, after_;
  std::map<std::string, StaleGolden> may_;
  std::map<std::string, std::string> wrong_;
  golden::OthersChanges others_;
};

}  // namespace

Result<std::map<std::string, Finding>> CheckRewrites(const RewriteQuestion& question,
                                                     const std::set<std::string>& edited) {
  if (edited.empty()) return std::map<std::string, Finding>{};
  return Rewriting(question).Run(edited);
}

}  // namespace revctl::commands
