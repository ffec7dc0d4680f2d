#include "revctl/workspace/list_view.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "revctl/base/shell_word.h"
#include "revctl/findings/nearest.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {

std::string_view ListView::StateOf(const list::Entry& entry) const {
  if (numbering().HasLanded(entry.name) || numbering().WasPurged(entry.name)) return "landed";
  if (AtLanding(*config) || (!ledger_known && !reservation_required)) return "pending";
  const ledger::Reservation* held = ledger.Find(entry.name);
  return held != nullptr && held->number == entry.number ? "pending" : "provisional";
}

Result<ListView> ReadListView(const Workspace& workspace, const list::ListConfig& config,
                              const ledger::Snapshot& snapshot) {
  ListView out;
  out.config = &config;
  out.reservation_required = workspace.config().reservation_required;
  TRY(out.working, workspace.ParseWorking(config));
  if (snapshot.target) {
    auto landed = workspace.At(*snapshot.target).Parsed(config);
    if (!landed.ok()) {
      const std::string why = ErrorText(landed.error());
      return Error{landed.error().exit, "cannot read the landed list: " + why, landed.error().fix};
    }
    out.landed = std::move(*landed);
  }
  out.purged = PurgedNames(workspace, config, snapshot.target);
  out.ledger_known = snapshot.tip.has_value();
  auto found = snapshot.state.lists.find(config.name);
  if (found != snapshot.state.lists.end()) out.ledger = found->second;
  // With numbers at landing, only `floor` matters, which was the ledger's high-water mark when the
  // list switched to this mode.
  if (AtLanding(config)) out.ledger = {config.floor, {}};
  out.ledger =
      WithoutLanded(std::move(out.ledger), out.landed ? &*out.landed : nullptr, out.purged);
  return out;
}

list::Names PurgedNames(const Workspace& workspace, const list::ListConfig& config,
                        const std::optional<git::Oid>& target) {
  list::Names names = config.purged;
  if (!target) return names;
  const auto there = workspace.At(*target).Config();
  if (!there.ok() || !*there) return names;
  if (const auto* list = (**there).ListNamed(config.name))
    names.insert(list->purged.begin(), list->purged.end());
  return names;
}

ledger::State StateForWriting(const ledger::Snapshot& snapshot, const ListView& view) {
  ledger::State state = snapshot.state;
  state.lists[view.config->name] = view.ledger;
  return state;
}

std::string LedgerCopyDate(const Workspace& workspace, const ledger::Snapshot& snapshot) {
  if (workspace.remote().empty() || !snapshot.tip) return "";
  const auto newest = workspace.repository().ReadCommit(*snapshot.tip);
  return newest.ok() ? DateText(newest->time) : "";
}

Result<std::string> OldCommitWarning(const Workspace& workspace,
                                     const std::optional<git::Oid>& target) {
  const git::Repository& repository = workspace.repository();
  TRY(auto branch, repository.HeadBranch());
  TRY(auto head, repository.Head());
  if (branch || !head || !target || *head == *target) return std::string();
  TRY(auto old, repository.IsAncestor(*head, *target));
  if (!old) return std::string();
  return fmt::format(
      "revctl: HEAD is detached at {}, which is older than {} at {}; comparing with the newer "
      "commit",
      head->substr(0, 10), workspace.TargetLabel(), target->substr(0, 10));
}

std::uint64_t LineageRoot(const list::ListConfig& config) {
  return std::strtoull(config.lineage_root.c_str(), nullptr, 16);
}

std::string NearName(const ListView& view, const std::string& name) {
  std::vector<std::string> names;
  for (const list::Entry* entry : view.working.Revisions()) names.push_back(entry->name);
  for (const ledger::Reservation& reservation : view.ledger.open) names.push_back(reservation.name);
  return findings::DidYouMean(name, names);
}

Result<std::string> NameOfRevision(const ListView& view, const std::string& given) {
  std::int64_t number = 0;
  const char* const end = given.data() + given.size();
  const auto read = std::from_chars(given.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return given;
  std::vector<std::string> names;
  for (const list::Entry* entry : view.working.Revisions())
    if (entry->number == number) names.push_back(entry->name);
  for (const ledger::Reservation& open : view.ledger.open) {
    const bool known = std::find(names.begin(), names.end(), open.name) != names.end();
    if (open.number == number && !known) names.push_back(open.name);
  }
  if (names.size() == 1) return names.front();
  if (names.empty())
    return Error{Exit::Findings,
                 fmt::format("neither {} nor the ledger has a revision with the number {}",
                             view.config->path, number),
                 "revctl show " + given};
  return Error{Exit::Findings,
               fmt::format("{} is the number of both {} and {}", number, names[0], names[1]),
               "run the command with the name instead"};
}

std::string ListOption(const config::Config& config, const list::ListConfig& list) {
  return config.lists.size() > 1 ? " --list " + base::ShellWord(list.name) : "";
}

std::string CommandFor(const Workspace& workspace, const list::ListConfig& list,
                       const std::string& command) {
  return fmt::format("revctl {}{}", command, ListOption(workspace.config(), list));
}

std::string DateText(std::int64_t seconds) {
  using std::chrono::floor;
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss of_day(floor<std::chrono::minutes>(time - day));
  return fmt::format("{}-{:02}-{:02} {:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     of_day.hours().count(), of_day.minutes().count());
}

std::optional<MissingGoldens> FindMissingGoldens(const config::Config& config) {
  std::string names;
  bool any = false;
  for (const list::ListConfig& list : config.lists) {
    if (list.golden.empty()) names += (names.empty() ? "" : ", ") + list.name;
    else any = true;
  }
  if (names.empty()) return std::nullopt;
  if (!any && !config.land.goldens.empty())
    return MissingGoldens{
        "`land` has a `goldens` command, but no list has a `golden` folder, so the command never "
        "runs and nothing protects the goldens",
        true};
  return MissingGoldens{fmt::format(
      "list {} has no golden folder, so no check detects save-format changes without a revision",
      names)};
}

bool LandsWithoutSaveTests(const config::Config& config) {
  return config.land.verify.empty() && config.land.push == config::LandPolicy::Push::Target &&
         std::any_of(config.lists.begin(), config.lists.end(),
                     [](const list::ListConfig& list) { return !list.golden.empty(); });
}

}  // namespace revctl::commands
