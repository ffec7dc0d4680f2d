#include "harness/commands/refresh.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <set>

#include "harness/history/stale_pending.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {

bool IsUnrecorded(const Finding& finding) {
  return finding.rule == RuleId::Coverage && finding.type.empty();
}

namespace {

bool AllReadAsRecorded(const Session& session, const History& history,
                       const golden::StoredRecord& addition) {
  const Renames renames(golden::Store::Open(session.golden).approvals());
  return std::all_of(
      addition.record.cases.begin(), addition.record.cases.end(), [&](const golden::Case& item) {
        const auto& goldens = history.Goldens(item.type);
        const auto golden = std::find_if(goldens.begin(), goldens.end(),
                                         [&](const Golden& one) { return one.item == &item; });
        const RootType* const root = session.registry.Find(item.type);
        if (golden == goldens.end() || root == nullptr) return true;
        const Decoded decoded = Decode(*root, *golden, history.revisions()[golden->revision].number,
                                       history.latest().number);
        return ReadsAsRecorded(history, decoded, renames);
      });
}

/// Moves the cases of a revision's additions into its record, which is being replaced. A landed
/// addition stays separate if the current code still reads the recorded values from it. An addition
/// with large goldens stays separate, too, because their recorded values are only digests, from
/// which no payload can be written. Cases that the record already contains were moved by an earlier
/// `record`, which was killed before it removed the addition.
void AddAdditions(const Session& session, const History& history, const Landed& landed,
                  const std::vector<std::string>& copies, KeptRecord& kept) {
  const Revision* revision = history.Find(kept.revision);
  if (revision == nullptr || !kept.record) return;
  golden::RevisionRecord& record = *kept.record;
  for (const golden::StoredRecord* addition : revision->additions) {
    const bool frozen =
        landed.HasFile(addition->file) &&
        (!landed.Has(kept.revision) || AllReadAsRecorded(session, history, *addition));
    if (frozen || !addition->record.large.empty() ||
        std::find(copies.begin(), copies.end(), addition->file) != copies.end())
      continue;
    kept.additions.push_back(addition->file);
    const std::string stem = addition->file.substr(0, addition->file.rfind('.'));
    std::size_t known = 0;
    for (golden::Case item : addition->record.cases) {
      const auto same = [&](const golden::Case& other) {
        return other.type == item.type && other.name == item.name;
      };
      const std::string was = golden::CaseId(stem, item.name), wanted = item.name;
      auto there = std::find_if(record.cases.begin(), record.cases.end(), same);
      const bool taken_over =
          there != record.cases.end() &&
          std::all_of(item.values.begin(), item.values.end(), [&](const golden::Leaf& leaf) {
            return std::find(there->values.begin(), there->values.end(), leaf) !=
                   there->values.end();
          });
      for (std::size_t next = 2; !taken_over && there != record.cases.end(); ++next) {
        item.name = fmt::format("{}-{}", wanted, next);
        there = std::find_if(record.cases.begin(), record.cases.end(), same);
      }
      kept.called[golden::CaseId(kept.revision, item.name)] = was;
      known += taken_over;
      if (!taken_over) record.cases.push_back(std::move(item));
    }
    if (known == addition->record.cases.size()) kept.taken_over.push_back(addition->file);
    std::copy(addition->record.types.begin(), addition->record.types.end(),
              std::back_inserter(record.types));
    std::copy(addition->record.enums.begin(), addition->record.enums.end(),
              std::back_inserter(record.enums));
  }
}

void Gather(const Session& session, const History& history, const std::vector<std::string>& names,
            const Landed& landed, RefreshSet& refresh_set) {
  refresh_set.copies = FindInheritedCopies(history, names, landed);
  for (const std::string& name : names) {
    refresh_set.records.push_back(KeptText(session, name));
    AddAdditions(session, history, landed, refresh_set.copies, refresh_set.records.back());
  }
}

/// True if the record is readable but does not match its payloads. If such a record has landed,
/// `revctl check` accepts new files for it only with an `allow` for RV019.
bool IsBroken(const Session& session, const golden::Store& store, const std::string& name) {
  const auto text = golden::ReadRecordText(session.golden, name);
  return store.Has(name) && store.Find(name) == nullptr && text && *text;
}

Exit RefuseLanded(const Session& session, const std::string& name, const Landed& landed) {
  return Refuse(
      Exit::Findings,
      fmt::format("{} has landed: its goldens are in {}, and users may have files of this revision",
                  name, landed.branch().empty() ? "version control" : landed.branch()),
      fmt::format("run revctl reserve NAME, then record the change: {} record", session.program));
}

std::set<std::string> TypesOf(const golden::RevisionRecord& record) {
  std::set<std::string> types;
  for (const golden::Case& item : record.cases) types.insert(item.type);
  for (const golden::LargeCase& large : record.large) types.insert(large.item.type);
  for (const golden::Upgrade& upgrade : record.upgrades) types.insert(upgrade.type);
  for (const golden::HeldVersion& version : record.versions) types.insert(version.type);
  return types;
}

bool Meet(const std::set<std::string>& one, const std::set<std::string>& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](const std::string& type) { return other.contains(type); });
}

}  // namespace

golden::Store OpenWithout(const Session& session, const RefreshSet& refresh_set,
                          std::size_t first) {
  golden::Store store = golden::Store::Open(session.golden);
  for (std::size_t i = first; i < refresh_set.records.size(); ++i) {
    store.Forget(refresh_set.records[i].revision);
    for (const std::string& file : refresh_set.records[i].additions) store.ForgetAddition(file);
  }
  for (const std::string& file : refresh_set.copies) store.ForgetAddition(file);
  return store;
}

KeptRecord KeptText(const Session& session, const std::string& revision) {
  KeptRecord kept{revision, false, {}, {}, {}, {}};
  auto text = golden::ReadRecordText(session.golden, revision);
  if (text) {
    kept.record = std::move(*text);
  } else {
    std::fprintf(stderr, "warning: cannot keep the values of %s: %s: %s\n", revision.c_str(),
                 text.error().file.c_str(), text.error().message.c_str());
  }
  return kept;
}

Exit FindRefreshed(const Session& session, const std::vector<std::string>& wanted,
                   RefreshSet& refresh_set) {
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  std::vector<std::string> names, refreshed;
  for (const std::string& name : wanted) {
    const revctl::ListEntry* entry = FindRevision(session, name);
    if (entry == nullptr) return Refuse(Exit::Usage, NoSuchRevision(session, name));
    if (history.Find(entry->name) == nullptr)
      return Refuse(
          Exit::Usage,
          std::string(entry->name) +
              " is older than every supported revision, so its goldens cannot be refreshed");
    names.emplace_back(entry->name);
  }
  const Landed landed(session.golden);
  const auto landed_stale = FindLandedStale(*session.list, store, names);
  for (const std::string& name : names) {
    if (landed.Has(name) && !landed_stale.contains(name) && !IsBroken(session, store, name))
      return RefuseLanded(session, name, landed);
  }
  std::string unasked, command = session.program + " record";
  std::set<std::string> rewritten;
  for (const Revision& revision : history.revisions()) {
    const bool asked = std::find(names.begin(), names.end(), revision.name) != names.end();
    const bool behind = !refreshed.empty() && revision.exists;
    if (!asked && !behind) continue;
    const auto* stored = store.Find(revision.name);
    std::set<std::string> types;
    if (stored != nullptr) types = TypesOf(stored->record);
    // Skip a landed record that shares no types with the rewritten records.
    if (!asked && stored != nullptr && landed.Has(revision.name) && !Meet(types, rewritten))
      continue;
    rewritten.merge(types);
    if (!asked) unasked += (unasked.empty() ? "" : ", ") + revision.name;
    refreshed.push_back(revision.name);
    command += " --refresh " + revision.name;
  }
  if (!unasked.empty())
    return Refuse(Exit::Usage,
                  fmt::format("refreshing {1} also requires refreshing {0}, because it was "
                              "recorded later (landed revisions cannot be refreshed)",
                              unasked, refreshed.front()),
                  command);
  Gather(session, history, refreshed, landed, refresh_set);
  for (KeptRecord& kept : refresh_set.records) kept.stale = true;
  return Exit::Fine;
}

Exit FindPending(const Session& session, RefreshSet& refresh_set) {
  const Landed landed(session.golden);
  if (!landed.known())
    return Refuse(
        Exit::Environment,
        landed.branch().empty()
            ? session.golden + " is not in a repository, so the landed revisions are unknown"
            : fmt::format("there is no branch {}, so the landed revisions are unknown",
                          landed.branch()),
        landed.branch().empty()
            ? session.program + " record --refresh NAME   # for each pending revision"
            : "git fetch " + base::ShellWord(landed.branch().substr(0, landed.branch().find('/'))));
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  std::vector<std::string> pending;
  for (const Revision& revision : history.revisions()) {
    // With numbers at landing, pending revisions of other people may come between the branch's own.
    if (landed.IsForTheFold(revision.name)) continue;
    if (landed.Has(revision.name)) {
      if (pending.empty()) continue;
      return Refuse(Exit::Findings,
                    fmt::format("{} has landed, but comes after {}, which has not landed; fix the "
                                "order before refreshing goldens",
                                revision.name, pending.front()),
                    "revctl fix");
    }
    const auto text = golden::ReadRecordText(session.golden, revision.name);
    if (!text) {
      const std::string files = base::ShellWord(session.golden + "/" + revision.name);
      return Refuse(Exit::Findings,
                    fmt::format("{}: {}, so the values of its goldens cannot be kept",
                                text.error().file, text.error().message),
                    fmt::format("{} {}.*\nor, with new values: {} record --refresh {}",
                                landed.branch().empty() ? "restore" : "git checkout --", files,
                                session.program, revision.name));
    }
    if (revision.exists || *text) pending.push_back(revision.name);
  }
  Gather(session, history, pending, landed, refresh_set);
  return Exit::Fine;
}

void FindStale(const Session& session, const CheckResult& result, RefreshSet& refresh_set) {
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  const auto errs = [&](const std::string& revision, const Finding& finding,
                        const std::vector<std::string>& at) {
    return finding.revision == revision || std::find(at.begin(), at.end(), revision) != at.end() ||
           finding.file.find("/" + revision + ".") != std::string::npos;
  };
  bool others = false;
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const Finding& finding = result.findings[i];
    if (finding.severity != Severity::Error || IsUnrecorded(finding)) continue;
    bool any = false;
    for (KeptRecord& kept : refresh_set.records) {
      const bool here = errs(kept.revision, finding, result.at[i]);
      kept.stale = kept.stale || here;
      any = any || here;
    }
    others = others || !any;
  }
  std::vector<std::string> names;
  for (const KeptRecord& kept : refresh_set.records) names.push_back(kept.revision);
  const auto met = FindStaleAmong(*session.list, store, names);
  std::set<std::string> rewritten;
  for (KeptRecord& kept : refresh_set.records) {
    std::set<std::string> types;
    if (kept.record) types = TypesOf(*kept.record);
    // An error in another record's goldens may be a consequence of any of these conditions.
    kept.stale = kept.stale || others || store.Find(kept.revision) == nullptr || !kept.record ||
                 met.contains(kept.revision) || Meet(types, rewritten);
    if (kept.stale) rewritten.merge(types);
  }
}

}  // namespace revctl::harness
