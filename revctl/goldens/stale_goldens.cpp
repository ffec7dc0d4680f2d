#include "revctl/goldens/stale_goldens.h"

#include <fmt/core.h>
#include <algorithm>
#include <unordered_map>

#include "golden/index.h"
#include "golden/stale_records.h"
#include "golden/store.h"
#include "revctl/base/shell_word.h"

namespace revctl::commands {
namespace {

std::string RecordPath(const std::string& folder, const golden::FileName& name) {
  return folder + "/" + golden::FileNameText(name);
}

std::string Text(const golden::Error& problem) {
  return problem.line > 0 ? fmt::format("is invalid at line {}: {}", problem.line, problem.message)
                          : "has " + problem.message;
}

class Records {
 public:
  explicit Records(const GoldenSides& sides) : sides_(sides) {}

  Result<base::Done> Add(const std::vector<ListedGolden>& list) {
    TRY(auto files, sides_.side->repository().ListFiles(*sides_.target, sides_.landed_folder));
    std::unordered_map<std::string, std::vector<golden::FileName>> by_revision;
    for (const git::TreeFile& file : files) {
      auto name = golden::ParseFileName(file.path);
      if (name && name->kind == golden::FileName::Kind::Record)
        by_revision[name->revision].push_back(std::move(*name));
    }
    // Put purged revisions first. AddPurged() sorts them by the numbers in their records.
    for (const auto& [revision, names] : by_revision) {
      if (sides_.purged == nullptr || !sides_.purged->contains(revision)) continue;
      list_.push_back({revision, false, false, "", {}});
      files_.push_back(names);
    }
    purged_ = list_.size();
    for (const ListedGolden& one : list) {
      auto found = by_revision.find(one.revision);
      const bool recorded = !one.judged && found != by_revision.end();
      list_.push_back({one.revision, one.judged, recorded, "", {}});
      files_.push_back(recorded ? std::move(found->second) : std::vector<golden::FileName>());
      if (!one.judged) continue;
      TRY(ReadChecked(one.revision));
    }
    return base::Done{};
  }

  /// Returns the revisions whose record is unreadable, or was recorded without an earlier revision
  /// that shares a type with it.
  Result<std::vector<StaleGolden>> Find() {
    const golden::RecordOrder order(std::move(list_));
    std::vector<StaleGolden> stale;
    std::optional<golden::RecordGraph> graph;
    std::string unknown;  // the first unreadable record of a landed revision, with the reason;
                          // empty if there is none
    for (std::size_t i = 0; i < order.list().size(); ++i) {
      if (!order.list()[i].pending) continue;
      const std::string& name = order.list()[i].name;
      const auto add = [&](std::string message, std::string reason, bool known) {
        stale.push_back({name,
                         RecordPath(sides_.folder, {golden::FileName::Kind::Record, name, ""}),
                         std::move(message),
                         std::move(reason),
                         known,
                         {}});
      };
      if (const auto why = unreadable_.find(i); why != unreadable_.end()) {
        const std::string problem =
            fmt::format("cannot read the record of {}, because it {}", name, why->second);
        add(problem, problem, false);
        continue;
      }
      if (!order.list()[i].recorded) continue;
      const auto without = order.MadeWithout(i);
      if (without.empty()) continue;
      if (!graph) {
        TRY(auto made, Graph(unknown));
        graph = std::move(made);
      }
      const auto shared = graph->Compare(i, without);
      if (!shared.types.empty()) {
        add(golden::StaleText(order, i, shared), golden::WhyStale(order, i, shared), true);
        for (const std::size_t other : without)
          stale.back().without.push_back(order.list()[other].name);
      } else if (!unknown.empty()) {
        const std::string question =
            fmt::format("cannot tell whether the goldens of {} are stale: {}", name, unknown);
        add(question, question, false);
      }
    }
    return stale;
  }

 private:
  Result<base::Done> ReadChecked(const std::string& name) {
    RecordHere record;
    const bool read = sides_.read != nullptr && sides_.read->contains(name);
    if (read) {
      record.there = sides_.read->at(name).there;
      record.types = sides_.read->at(name).types;
      record.problem = sides_.read->at(name).problem;
    } else {
      TRY(record, ReadRecordHere(*sides_.side, sides_.folder, name));
    }
    if (!record.there) return base::Done{};  // RV020 reports the missing record
    list_.back().recorded = true;
    if (record.types) {
      list_.back().previous = record.types->previous;
      list_.back().behind = record.types->behind;
      judged_.emplace(list_.size() - 1, std::move(*record.types));
    } else {
      unreadable_.emplace(list_.size() - 1, std::move(record.problem));
    }
    return base::Done{};
  }

  Result<golden::RecordGraph> Graph(std::string& unknown) const {
    golden::RecordGraph graph;
    std::vector<golden::RecordTypes> purged;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (i == purged_) AddPurged(std::move(purged), graph);
      if (const auto own = judged_.find(i); own != judged_.end()) graph.Add(i, own->second);
      for (const golden::FileName& name : files_[i]) {
        const std::string path = RecordPath(sides_.landed_folder, name);
        TRY(auto text, sides_.side->repository().ReadFile(*sides_.target, path));
        auto read = golden::ReadRecordTypes(text.value_or(""), "");
        if (read.ok() && i < purged_) {
          purged.push_back(std::move(*read));
        } else if (read.ok()) {
          graph.Add(i, *read);
        } else if (unknown.empty()) {
          unknown = fmt::format("{} of {} {}", path, sides_.target_label, Text(read.error()));
        }
      }
    }
    return graph;
  }

  void AddPurged(std::vector<golden::RecordTypes> purged, golden::RecordGraph& graph) const {
    std::stable_sort(purged.begin(), purged.end(),
                     [](const auto& a, const auto& b) { return a.number < b.number; });
    // A purged revision with additions has several records, so there can be more records than
    // places. The excess records all use the last place.
    for (std::size_t i = 0; i < purged.size(); ++i) graph.Add(std::min(i, purged_ - 1), purged[i]);
  }

  const GoldenSides& sides_;
  std::vector<golden::ListedRecord> list_;
  std::size_t purged_ = 0;  ///< number of purged revisions, which come first in list_
  std::vector<std::vector<golden::FileName>> files_;  ///< names of the record files on the target,
                                                      ///< for each revision in list_
  std::unordered_map<std::size_t, golden::RecordTypes> judged_;
  std::unordered_map<std::size_t, std::string> unreadable_;
};

}  // namespace

Result<RecordHere> ReadRecordHere(const Tree& side, const std::string& folder,
                                  const std::string& revision) {
  TRY(auto text, side.Read(RecordPath(folder, {golden::FileName::Kind::Record, revision, ""})));
  RecordHere out;
  out.there = text.has_value();
  if (!out.there) return out;
  auto read = golden::ReadRecordTypes(*text, "");
  if (!read.ok()) {
    out.problem = Text(read.error());
  } else if (read->revision != revision) {
    out.problem = "names the revision " + read->revision.substr(0, 80);
  } else {
    out.types = std::move(*read);
    out.text = std::move(*text);
  }
  return out;
}

namespace {

/// Returns an error unless a large golden's file is the recorded file or a Git LFS pointer to it.
/// Never reads a file larger than a pointer.
Result<std::optional<golden::Error>> WhyLargeIsMissing(const Tree& side, const std::string& folder,
                                                       const std::string& text) {
  std::optional<golden::Error> why;
  if (text.find("\nlarge:") == std::string::npos) return why;
  const auto record = golden::ParseRecord(text, "");
  if (!record.ok()) return why;
  for (const golden::LargeCase& large : record->large) {
    const std::string path = folder + "/" + golden::LargeFileName(*record, large);
    TRY(const auto size, side.Size(path));
    std::optional<std::string> small;
    if (size && *size != large.stored && *size <= golden::kLongestLfsPointer) {
      TRY(small, side.Read(path));
    }
    why = golden::CheckLargeFile(path, large, size, small);
    if (why) break;
  }
  return why;
}

}  // namespace

Result<std::optional<BrokenGolden>> FindBroken(const Tree& side, const std::string& folder,
                                               const golden::FileName& record) {
  std::optional<BrokenGolden> out;
  const std::string path = RecordPath(folder, record);
  golden::FileName payloads = record;
  payloads.kind = golden::FileName::Kind::Payloads;
  TRY(auto text, side.Read(path));
  if (!text) return out;
  if (!record.IsAddition()) {
    TRY(const auto read, ReadRecordHere(side, folder, record.revision));
    if (!read.types) return out;
  }
  const std::string pack_path = RecordPath(folder, payloads);
  TRY(const auto pack, side.Read(pack_path));
  auto why = golden::WhyNotWhole(folder, record, *text, pack);
  if (!why) {
    TRY(why, WhyLargeIsMissing(side, folder, *text));
  }
  if (!why) return out;
  out = BrokenGolden{
      std::move(why->file),
      why->line > 0 ? fmt::format("line {}: {}", why->line, why->message) : why->message,
      record.IsAddition()
          ? fmt::format("rm -f {} {}, add it again with your harness, and commit {}",
                        base::ShellPath(path), base::ShellPath(pack_path), base::ShellPath(folder))
          : fmt::format("run your harness with `record --refresh {}`, and commit {}",
                        record.revision, base::ShellPath(folder))};
  return out;
}

Result<std::map<std::string, BrokenGolden>> FindBroken(const Tree& side, const std::string& folder,
                                                       const std::set<std::string>& of) {
  std::map<std::string, BrokenGolden> out;
  if (of.empty()) return out;
  TRY(auto records, AdditionsOn(side, folder));
  for (const std::string& revision : of)
    records.push_back({golden::FileName::Kind::Record, revision, ""});
  for (const golden::FileName& record : records) {
    if (!of.contains(record.revision)) continue;
    TRY(auto broken, FindBroken(side, folder, record));
    if (broken) out.emplace(record.revision, std::move(*broken));
  }
  return out;
}

Result<std::vector<golden::FileName>> AdditionsOn(const Tree& side, const std::string& folder) {
  TRY(const auto files, side.Files(folder));
  std::vector<golden::FileName> out;
  for (const std::string& file : files) {
    auto name = golden::ParseFileName(file);
    if (name && name->kind == golden::FileName::Kind::Record && name->IsAddition())
      out.push_back(std::move(*name));
  }
  return out;
}

Result<std::vector<StaleGolden>> FindStaleGoldens(const GoldenSides& sides,
                                                  const std::vector<ListedGolden>& list) {
  if (!sides.target || list.empty()) return std::vector<StaleGolden>{};
  Records records(sides);
  TRY(records.Add(list));
  return records.Find();
}

Result<std::vector<StaleGolden>> FindStaleGoldens(const GoldenSides& sides,
                                                  const std::vector<const list::Entry*>& landed,
                                                  const std::vector<std::string>& pending) {
  if (pending.empty()) return std::vector<StaleGolden>{};
  std::vector<ListedGolden> list;
  list.reserve(landed.size() + pending.size());
  for (const list::Entry* entry : landed) list.push_back({entry->name, false});
  for (const std::string& name : pending) list.push_back({name, true});
  return FindStaleGoldens(sides, list);
}

Result<std::vector<StaleGolden>> StaleGoldens(const Workspace& workspace, const ListView& view,
                                              const std::optional<git::Oid>& target) {
  if (view.config->golden.empty() || !view.landed) return std::vector<StaleGolden>{};
  const Tree side = workspace.Here();
  std::vector<std::string> pending;
  for (const list::Entry* entry : view.numbering().Pending()) pending.push_back(entry->name);
  const std::string folder = workspace.GitPath(view.config->golden);
  return FindStaleGoldens({&side, target, workspace.TargetLabel(), folder, folder, &view.purged},
                          view.landed->Revisions(), pending);
}

std::string RefreshCommand(const config::Config& policy, const std::string& folder) {
  if (!policy.land.goldens.empty())
    return fmt::format("{}, and commit {}", policy.land.goldens, base::ShellPath(folder));
  return "run your harness with `record --refresh-pending`, and commit " + base::ShellPath(folder);
}

}  // namespace revctl::commands
