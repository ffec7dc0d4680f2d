#include "revctl/commands/written_anew.h"

#include <algorithm>

#include "golden/index.h"
#include "golden/stale_records.h"
#include "revctl/commands/stale_goldens.h"

namespace revctl::commands {
namespace {

using base::Result;
using findings::Finding;
using findings::Severity;

class WrittenAnew {
 public:
  WrittenAnew(ListGate& gate, const git::Oid& target, const std::string& folder)
      : gate_(gate), target_(target), folder_(folder) {}

  Result<std::map<std::string, Finding>> Run(const std::set<std::string>& edited) {
    std::map<std::string, Finding> found;
    const Side there = Side::Commit(*gate_.request().repository, target_);
    TRY(auto stale, Stale(there, edited));
    std::set<std::string> may;
    for (const StaleGolden& golden : stale) {
      if (golden.known && SaysWhen(there, golden.revision)) may.insert(golden.revision);
    }
    if (may.empty()) return found;
    TRY(auto left, Stale(gate_.request().side, may));
    for (const StaleGolden& golden : stale) {
      if (!may.contains(golden.revision)) continue;
      const auto still = std::find_if(left.begin(), left.end(), [&](const StaleGolden& one) {
        return one.revision == golden.revision;
      });
      std::string wrong = still != left.end() ? still->message : "";
      if (wrong.empty()) {
        TRY(auto left_out, LeftOut(there, golden.revision));
        wrong = std::move(left_out);
      }
      found.emplace(golden.revision, About(golden, wrong));
    }
    return found;
  }

 private:
  Result<std::vector<StaleGolden>> Stale(const Side& side,
                                         const std::set<std::string>& judged) const {
    std::vector<ListedGolden> list;
    if (judged.empty()) return std::vector<StaleGolden>{};
    for (const list::Entry* entry : gate_.landed()->Revisions())
      list.push_back({entry->name, judged.contains(entry->name)});
    return FindStaleGoldens({gate_.request().repository, &side, target_,
                             gate_.request().target_label, folder_, folder_},
                            list);
  }

  std::optional<golden::RecordTypes> Record(const Side& side, const std::string& revision) const {
    auto record = ReadRecordHere(side, folder_, revision);
    return record.ok() ? std::move(record->types) : std::nullopt;
  }

  /// Its `previous` has landed, and stands before it.
  bool SaysWhen(const Side& there, const std::string& revision) const {
    const auto record = Record(there, revision);
    const list::Entry* own = gate_.landed()->Find(revision);
    const list::Entry* previous = record ? gate_.landed()->Find(record->previous) : nullptr;
    return previous != nullptr && own != nullptr && previous->kind == list::EntryKind::Revision &&
           previous->number < own->number;
  }

  /// Names of the goldens that the target has of a revision and that are written anew: its
  /// record's, and those of additions that are gone here.
  Result<std::vector<std::string>> Rewritten(const Side& there, const std::string& revision) const {
    std::vector<std::string> cases = Record(there, revision)->cases;
    TRY(auto files, gate_.request().repository->ListFiles(target_, folder_));
    for (const git::TreeFile& file : files) {
      const auto name = golden::ParseFileName(file.path);
      if (!name || name->kind != golden::FileName::Kind::Record || !name->IsAddition() ||
          name->revision != revision)
        continue;
      const std::string path = folder_ + "/" + file.path;
      TRY(auto here, gate_.request().side.Exists(path));
      if (here) continue;
      TRY(auto text, there.Read(path));
      const auto addition = golden::ReadRecordTypes(text.value_or(""), "");
      if (addition.ok()) cases.insert(cases.end(), addition->cases.begin(), addition->cases.end());
    }
    return cases;
  }

  /// What the new record lacks; empty: nothing.
  Result<std::string> LeftOut(const Side& there, const std::string& revision) const {
    const auto now = Record(gate_.request().side, revision);
    if (!now) return "the record of " + revision + " is gone";
    TRY(const auto before, Rewritten(there, revision));
    for (const std::string& item : before) {
      if (!std::binary_search(now->cases.begin(), now->cases.end(), item))
        return "the golden " + item + " is left out";
    }
    if (!SaysWhen(gate_.request().side, revision))
      return std::string("`previous` names no landed revision");
    return std::string();
  }

  Finding About(const StaleGolden& golden, const std::string& wrong) const {
    const std::string commit = target_.substr(0, 10);
    Finding finding;
    finding.rule = "RV019";
    finding.file = golden.file;
    finding.revision = golden.revision;
    if (wrong.empty()) {
      finding.severity = Severity::Warning;
      finding.message = "the goldens of the landed " + golden.revision +
                        " are written anew, once: as they landed, " + golden.message;
      finding.fix = "a reviewer compares: git diff " + commit + " -- " + golden.file;
    } else {
      finding.message = "the goldens of the landed " + golden.revision + " landed stale (" +
                        golden.message + "), and are not written anew as a whole: " + wrong;
      finding.fix = "git checkout " + commit + " -- " + folder_ +
                    ", run your harness with `record --refresh " + golden.revision +
                    "`, and commit " + folder_;
    }
    return finding;
  }

  ListGate& gate_;
  const git::Oid& target_;
  const std::string& folder_;
};

}  // namespace

Result<std::map<std::string, Finding>> FindWrittenAnew(ListGate& gate, const git::Oid& target,
                                                       const std::string& folder,
                                                       const std::set<std::string>& edited) {
  if (edited.empty() || gate.landed() == nullptr) return std::map<std::string, Finding>{};
  return WrittenAnew(gate, target, folder).Run(edited);
}

}  // namespace revctl::commands
