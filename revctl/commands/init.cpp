// Implements `init`. Runs all checks and creates the ledger before it writes the first file, so
// that a failed run leaves no files behind.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"
#include "revctl/config/files.h"
#include "revctl/config/settings.h"
#include "revctl/findings/printable.h"
#include "revctl/folding/convert.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/session/progress_line.h"
#include "revctl/setup/init_plan.h"
#include "revctl/setup/init_record.h"
#include "revctl/setup/installation.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// Reserves the list's revisions for `who`, because they are pending until the list lands on the
/// target. Skips numbers that an earlier `init` reserved.
void GiveAll(const list::RevisionList& list, const git::Person& who, ledger::ListState& state) {
  const std::optional<std::int64_t> given = state.high_water;
  std::optional<std::int64_t> last;
  std::set<std::string> held;  // names that are already reserved
  for (const ledger::Reservation& one : state.open) held.insert(one.name);
  for (const list::Entry* entry : list.Revisions()) {
    if (last != entry->number && (!given || entry->number > *given) && !held.contains(entry->name))
      state.Give(entry->name, entry->number, who);
    last = entry->number;
  }
}

/// Checks that the new `.revctl.yaml` parses back to the same config, because a path may contain
/// any byte. Must be called before anything is written.
Result<base::Done> ReadsAgain(const config::Config& config) {
  const std::string& path = config.lists.front().path;
  if (!config::IsSafePath(path))
    return Error{
        Exit::Usage,
        fmt::format("{} cannot be the path of a list in .revctl.yaml", findings::Quoted(path)),
        "rename it with git mv to a name without control characters"};
  TRY(auto again, config::ParseConfig(config::FormatConfig(config), config::kFileName));
  if (const auto changed = config::PolicyChanges(config, again); !changed.empty())
    return Error{Exit::Usage,
                 changed.front() + " contains characters that cannot be written to .revctl.yaml",
                 "choose names without special characters"};
  return base::Done{};
}

struct BegunLedger {
  std::string id;
  git::Oid tip;  ///< the event that adds the list; "" if the ledger already contained the list
  bool is_new = false;
};

/// Adds the list to the ledger if it is missing there, and creates the ledger for the first list.
/// If the target branch lacks the list, reserves all its revisions.
Result<BegunLedger> CommitLedger(git::Repository& repository, const std::string& remote,
                                 const InitPlan& setup, bool offline) {
  const config::Config& config = setup.config;
  const list::ListConfig& list = config.lists.front();
  TRY(auto me, repository.Identity());
  ledger::Ledger ledger(repository,
                        {offline ? "" : remote, std::nullopt, config.ledger, "", config.target});
  BegunLedger out;
  bool writes = false;
  auto committed = ledger.Commit(
      [&](const ledger::Snapshot& snapshot) -> Result<std::optional<ledger::Change>> {
        ledger::State state = snapshot.state;
        auto known = state.lists.find(list.name);
        const bool covered = known != state.lists.end() &&
                             (!setup.latest || (known->second.high_water &&
                                                *known->second.high_water >= *setup.latest));
        writes = !covered;
        out.is_new = !snapshot.tip;
        if (covered) return std::optional<ledger::Change>();
        ledger::ListState& mine = state.lists[list.name];
        bool landed = false;
        if (snapshot.target) {
          TRY(auto text, repository.ReadFile(*snapshot.target, list.path));
          landed = text && ListThere::IsList(*text, list);
        }
        if (!landed) GiveAll(setup.list, me, mine);
        if (setup.latest)
          mine.high_water = std::max(mine.high_water.value_or(*setup.latest), *setup.latest);
        return std::optional<ledger::Change>(
            {std::move(state), {ledger::Event::Kind::Create, list.name, {}, ""}});
      },
      true);
  if (!committed.ok()) return committed.error();
  out.id = committed->state.id;
  if (writes) out.tip = committed->tip.value_or("");
  return out;
}

/// Returns the current contents of the files that `init` will write.
Result<std::vector<InitFile>> FilesBefore(const std::string& root, const InitPlan& setup) {
  std::vector<std::string> paths = {std::string(config::kFileName),
                                    setup.config.lists.front().path};
  if (setup.from_constant) paths.push_back(setup.from_constant->constant.path);
  std::vector<InitFile> out;
  for (const std::string& path : paths) {
    TRY(auto text, config::ReadFile(root + "/" + path, config::kMaxListBytes));
    out.push_back({path, std::move(text), ""});
  }
  return out;
}

/// Records the changes of this run, so that `uninstall` can undo them.
Result<base::Done> Remember(const git::Repository& repository, std::vector<InitFile> files,
                            const std::string& ledger_ref, const BegunLedger& ledger) {
  InitRecord record{{}, ledger_ref, ledger.tip, ledger.is_new};
  for (InitFile& file : files) {
    TRY(auto text, config::ReadFile(repository.root() + "/" + file.path, config::kMaxListBytes));
    if (text == file.before) continue;
    file.after = text.value_or("");
    record.files.push_back(std::move(file));
  }
  return WriteInitRecord(repository, record);
}

/// Where a setting's value comes from.
struct Source {
  std::string kind;  ///< "default", "file", "guessed", "given" or "git config"
  int line = 0;      ///< line in `.revctl.yaml`, if `kind` is "file"
};

/// Prints each setting with its value and its source, as YAML or JSON.
void PrintSettings(const std::vector<config::Setting>& settings,
                   const std::function<Source(const config::Setting&)>& source_of,
                   Session& session) {
  if (session.json()) {
    Json::List values;
    for (const config::Setting& setting : settings) {
      const Source source = source_of(setting);
      Json value = Json::Object()
                       .Set("key", setting.Path())
                       .Set("value", setting.value)
                       .Set("source", source.kind);
      if (source.line != 0) value.Set("line", source.line);
      values.push_back(std::move(value));
    }
    session.OutJson(Json::Object().Set("version", 1).Set("values", std::move(values)));
    return;
  }
  session.Out(config::FormatSettings(settings, [&](const config::Setting& setting) {
    const Source source = source_of(setting);
    return source.line != 0 ? fmt::format("{}:{}", config::kFileName, source.line) : source.kind;
  }));
}

/// Implements `--show-config` if `folder` has a `.revctl.yaml`.
Outcome ShowConfig(const config::Config& config, const std::string& folder,
                   const git::Repository& repository, Session& session) {
  TRY(const auto text,
      config::ReadFile(folder + "/" + std::string(config::kFileName), config::kMaxConfigBytes));
  TRY(const auto lines, config::LinesOfKeys(text.value_or(""), config::kFileName));
  TRY(const auto own_remote, repository.ConfigValue("revctl.remote"));
  std::vector<config::Setting> settings = config::SettingsOf(config);
  for (config::Setting& setting : settings) {
    if (own_remote && setting.Path() == "remote") setting.value = *own_remote;
  }
  PrintSettings(
      settings,
      [&](const config::Setting& setting) -> Source {
        if (own_remote && setting.Path() == "remote") return {"git config revctl.remote"};
        const auto line = lines.find(setting.Path());
        return line == lines.end() ? Source{"default"} : Source{"file", line->second};
      },
      session);
  return Exit::Fine;
}

/// Implements `--show-config` if there is no `.revctl.yaml` yet.
void ShowPlan(const InitPlan& setup, const Arguments& arguments, Session& session) {
  PrintSettings(
      config::SettingsOf(setup.config),
      [&](const config::Setting& setting) -> Source {
        const bool given =
            setting.key == "path" ? arguments.Has("PATH") : arguments.Has("--" + setting.key);
        const bool is_default = setting.is_default || setting.key == "version";
        return {given ? "given" : is_default ? "default" : "guessed"};
      },
      session);
}

/// Asks the user to confirm the plan printed above. Fails if the user declines, or if revctl runs
/// without a terminal.
Result<base::Done> AgreeToPlan(Session& session, const std::string& why_not,
                               const std::string& fix) {
  if (session.Ask("revctl: carry out this plan?")) return base::Done{};
  return Error{Exit::Usage, "nothing was written" + why_not, fix};
}

/// Prints a result to stdout, for scripts to read, unless `-q` was passed.
void Say(Session& session, const std::string& text) {
  if (!session.quiet) session.Out(text);
}

Result<Done> NothingPending(const Workspace& workspace, const list::ListConfig& list,
                            const ListView& view) {
  const auto pending = view.numbering().Pending();
  if (pending.empty()) return Done{};
  const std::string more =
      pending.size() > 1 ? fmt::format(", and {} more", pending.size() - 1) : "";
  return Error{
      Exit::Findings,
      fmt::format("{} is pending here{}; change the `numbers` setting on the target branch at a "
                  "time when nothing is pending",
                  pending.front()->name, more),
      AtLanding(list) ? "revctl fold"
                      : "git switch -c numbers " + base::ShellWord(workspace.TargetLabel())};
}

/// Describes what a switch will change, for the user to confirm.
std::string PlanText(const list::ListConfig& list, const std::string& how) {
  return how == "at-landing" ? fmt::format(
                                   "switches {0} to `numbers: at-landing`:\n"
                                   "  .revctl.yaml: numbers: at-landing\n"
                                   "  {0}: includes its pending revisions\n"
                                   "  {1}/: a file for each pending revision\n"
                                   "  {2}: ignored by git\n",
                                   list.path, pending::Folder(list), pending::IncludePath(list))
                             : fmt::format(
                                   "switches {0} to `numbers: at-reserve`:\n"
                                   "  .revctl.yaml: numbers: at-reserve\n"
                                   "  {0}: no longer includes pending revisions\n"
                                   "  {1}/: removed\n",
                                   list.path, pending::Folder(list));
}

/// Implements `init --numbers` for an existing list: switches the list to the other numbering mode.
Outcome SwitchNumbers(const Arguments& arguments, Session& session) {
  const std::string how = arguments.Value("--numbers");
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto found, workspace.OneList(session.list));
  const list::ListConfig& list = *found;
  TRY(const auto lock, workspace.LockLists(ListenerOf(session)));
  TRY(auto snapshot, arguments.Has("--offline") || AtLanding(list)
                         ? workspace.LastSeen(ListenerOf(session))
                         : workspace.Fetched(ListenerOf(session), true));
  TRY(const auto release, FindReleaseHere(workspace.Releases(snapshot.target)));
  if (release)
    return Error{Exit::Findings,
                 fmt::format("this branch is for {}, but `numbers` can only be changed on {}",
                             release->branch, workspace.TargetLabel()),
                 fmt::format("git switch -c numbers {} && revctl init --numbers {}",
                             base::ShellWord(workspace.TargetLabel()), how)};
  TRY(auto view, ReadListView(workspace, list, snapshot));
  // Pending revisions are an error only if the numbering really changes. They may stay if this run
  // only fixes the include lines, or if the target does not have the list yet.
  if (view.landed && (how == "at-reserve" || !AtLanding(list)))
    TRY(NothingPending(workspace, list, view));
  if (how == "at-reserve" && !AtLanding(list)) {
    session.Message(list.path + ": already has `numbers: at-reserve`");
    return Exit::Fine;
  }
  // If the list already uses the requested mode, this run completes an interrupted switch that the
  // user has already confirmed.
  if ((how == "at-landing") != AtLanding(list)) {
    const bool agreed = arguments.Has("--yes");
    if (!agreed || arguments.Has("--dry-run")) session.Out(PlanText(list, how));
    if (!agreed && !arguments.Has("--dry-run")) {
      TRY(AgreeToPlan(session, ", because the plan was not confirmed",
                      CommandFor(workspace, list, fmt::format("init --numbers {} --yes", how))));
    }
  }
  if (arguments.Has("--dry-run")) return Exit::Fine;
  std::optional<std::int64_t> floor = list.floor;
  if (const auto known = snapshot.state.lists.find(list.name);
      known != snapshot.state.lists.end() && known->second.high_water)
    floor = std::max(floor.value_or(*known->second.high_water), *known->second.high_water);
  TRY(auto done,
      how == "at-landing" ? ToAtLanding(workspace, list, floor) : ToAtReserve(workspace, list));
  // Update the hooks, because lists with numbers at landing need additional hooks.
  TRY(auto again, Workspace::Open(session.directory));
  TRY(auto installed, Installation(again, session.program).UpdateHooks());
  done.insert(done.end(), installed.begin(), installed.end());
  for (const std::string& line : done) Say(session, line + "\n");
  if (done.empty()) session.Message(list.path + ": already uses this numbering; nothing to change");
  else
    session.Message("commit and land this change on its own, then run revctl fix on open branches");
  return Exit::Fine;
}

/// Returns the numbering mode given by `--numbers` (default: at-reserve), or a usage error.
Result<list::Numbers> NumbersOf(const Arguments& arguments) {
  const std::string numbers =
      arguments.Has("--numbers") ? arguments.Value("--numbers") : "at-reserve";
  if (numbers == "at-landing") return list::Numbers::AtLanding;
  if (numbers == "at-reserve") return list::Numbers::AtReserve;
  return Error{
      Exit::Usage,
      fmt::format("--numbers {}: expected at-reserve or at-landing", findings::Quoted(numbers)),
      "revctl init --numbers at-landing"};
}

/// Prints the plan and asks for confirmation if the plan needs it (InitPlan::NeedsConsent) and
/// `--yes` is missing. `--dry-run` only prints, and returns false. Declining is an error.
Result<bool> ConfirmPlan(const InitPlan& setup, const std::string& remote,
                         const Arguments& arguments, Session& session) {
  const list::ListConfig& list = setup.config.lists.front();
  const bool shared = !remote.empty() && !AtLanding(list) && !arguments.Has("--offline");
  const bool settled = !setup.NeedsConsent(shared) || arguments.Has("--yes");
  if (arguments.Has("--dry-run") || !settled) session.Out(setup.Text(!remote.empty()));
  if (arguments.Has("--dry-run")) return false;
  if (!settled) {
    TRY(AgreeToPlan(
        session,
        setup.asked_for
            ? ", because the plan was not confirmed"
            : fmt::format(": revctl found {} by searching, so please confirm it", list.path),
        setup.asked_for ? "run revctl init with --yes, or in a terminal"
                        : "revctl init --yes, or revctl init PATH for another list"));
  }
  return true;
}

/// Calls CommitLedger, and tries again with a branch if the remote rejects the default ref. Stores
/// the ledger's ref and id in `setup.config`.
Result<BegunLedger> BeginLedger(git::Repository& repository, const std::string& remote,
                                InitPlan& setup, const Arguments& arguments, Session& session) {
  auto begun = CommitLedger(repository, remote, setup, arguments.Has("--offline"));
  if (!begun.ok() && begun.error().fix_kind == base::ErrorFix::BranchLedger) {
    setup.config.ledger = config::kBranchLedger;
    session.Message(fmt::format("{} does not accept {}, so the ledger is kept on the branch {}",
                                remote, config::kDefaultLedger, config::kBranchLedger.substr(11)));
    begun = CommitLedger(repository, remote, setup, false);
  }
  if (begun.ok()) setup.config.ledger_id = begun->id;
  return begun;
}

/// Writes the new list (if any), then the edited source (if the list replaces a version constant),
/// and finally `.revctl.yaml`.
Result<Done> WriteFiles(const std::string& root, const InitPlan& setup, Session& session) {
  const list::ListConfig& list = setup.config.lists.front();
  if (!setup.new_list.empty()) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(root + "/" + list.path).parent_path(),
                                        error);
    TRY(config::ReplaceFile(root + "/" + list.path, setup.new_list));
    Say(session, list.path + ": a new list\n");
  }
  if (setup.from_constant) {
    const VersionConstant& constant = setup.from_constant->constant;
    TRY(config::ReplaceFile(root + "/" + constant.path, setup.from_constant->source_text));
    Say(session, fmt::format("{}: {} is {}\n", constant.path, constant.name, list.current));
  }
  // Write `.revctl.yaml` last, because an interrupted run can be repeated only as long as this file
  // is missing.
  return config::ReplaceFile(root + "/" + std::string(config::kFileName),
                             config::FormatConfig(setup.config));
}

void SayConfig(const config::Config& config, const std::string& remote, Session& session) {
  const list::ListConfig& list = config.lists.front();
  const std::string numbers =
      AtLanding(list)  ? "numbers at landing"
      : remote.empty() ? fmt::format("no remote: the ledger is {} in this clone", config.ledger)
                       : fmt::format("ledger {} on {}", config.ledger, remote);
  Say(session,
      fmt::format(".revctl.yaml: list {}, target {}, {}\n", list.path, config.target, numbers));
  if (!config.allow.empty())
    Say(session,
        fmt::format("{} findings in the existing list are accepted (allow: in .revctl.yaml)\n",
                    config.allow.size()));
}

/// Sets up a repository that has no `.revctl.yaml`. Returns advice for the user (possibly empty),
/// or nullopt if `--show-config` or `--dry-run` prevented writing.
Result<std::optional<std::string>> SetUp(const Arguments& arguments, git::Repository& repository,
                                         const WorkingFolder& folder, list::Numbers numbers,
                                         Session& session) {
  TRY(auto remote, ResolveRemote(repository, "origin", false));
  if (remote.missing) return *remote.missing;
  TRY(auto setup, PlanInit(arguments, repository, remote.name, folder));
  list::ListConfig& list = setup.config.lists.front();
  if (numbers == list::Numbers::AtLanding) list.numbers = numbers;
  if (arguments.Has("--show-config")) {
    ShowPlan(setup, arguments, session);
    return std::optional<std::string>();
  }
  TRY(ReadsAgain(setup.config));
  // WithBlock fails for lists whose newest entry comes first, so call it before anything is
  // written.
  if (AtLanding(list)) TRY(pending::WithBlock(setup.list, list));
  TRY(const bool confirmed, ConfirmPlan(setup, remote.name, arguments, session));
  if (!confirmed) return std::optional<std::string>();
  const std::string root = repository.root();
  TRY(auto files, FilesBefore(root, setup));
  BegunLedger ledger;
  // A list with numbers at landing needs no ledger.
  if (!AtLanding(list)) {
    TRY(auto begun, BeginLedger(repository, remote.name, setup, arguments, session));
    ledger = std::move(begun);
  }
  TRY(WriteFiles(root, setup, session));
  SayConfig(setup.config, remote.name, session);
  if (AtLanding(list)) {
    TRY(auto workspace, Workspace::Open(session.directory));
    TRY(auto done, ToAtLanding(workspace, workspace.config().lists.front(), std::nullopt));
    for (const std::string& line : done) Say(session, line + "\n");
  }
  TRY(Remember(repository, std::move(files), setup.config.ledger, ledger));
  if (!AtLanding(list) && arguments.Has("--offline") && !remote.name.empty()) {
    session.Message(
        fmt::format("the ledger is only in this clone so far; the next git push or revctl reserve "
                    "moves it to {}",
                    remote.name));
  }
  return std::optional(setup.advice);
}

void SayNextSteps(const Workspace& workspace, const std::string& advice, Session& session) {
  Say(session, "next:\n  git add -A && git commit -m \"Keep revisions with revctl\"\n");
  if (!workspace.remote().empty())
    Say(session, fmt::format("  git push {} HEAD\n", base::ShellWord(workspace.remote())));
  Say(session, fmt::format("  revctl reserve {}NAME -m \"what it is for\"\n",
                           workspace.config().lists.front().prefix));
  Say(session, "Each teammate runs this once in each clone: revctl install\n");
  Say(session, advice);
  Say(session, "revctl uninstall can undo the setup until a revision is reserved or landed\n");
}

Outcome RunInit(const Arguments& arguments, Session& session) {
  TRY(auto directory, AbsoluteFolder(session.directory));
  TRY(auto repository, git::OpenRepository(directory));
  if (repository->bare())
    return Error{Exit::Environment,
                 repository->git_dir() + ": a bare repository has no work tree for a list",
                 "run it in a clone"};
  const std::string root = repository->root();
  const WorkingFolder folder(directory, root);
  TRY(const auto numbers, NumbersOf(arguments));
  TRY(config::RefuseLink(root + "/" + std::string(config::kFileName),
                         std::string(config::kFileName)));
  if (arguments.Has("--show-config")) {
    const auto of_config = FindConfigFolder(directory, base::ResolvedPath(root));
    if (of_config) {
      TRY(const auto config, ReadConfig(*of_config));
      if (config) return ShowConfig(*config, *of_config, *repository, session);
    }
  }
  TRY(auto present, ReadConfig(root));
  std::optional<std::string> advice;  // set if this run wrote the setup
  if (present.has_value()) {
    if (auto error = InitContradiction(arguments, *present, folder)) return *error;
    if (arguments.Has("--numbers")) return SwitchNumbers(arguments, session);
    session.Message(".revctl.yaml already exists; left unchanged");
    if (arguments.Has("--dry-run")) return Exit::Fine;
  } else {
    TRY(auto set_up, SetUp(arguments, *repository, folder, numbers, session));
    if (!set_up) return Exit::Fine;
    advice = std::move(set_up);
  }
  if (arguments.Has("--no-install")) return Exit::Fine;
  TRY(auto workspace, Workspace::Open(session.directory));
  TRY(auto done, Installation(workspace, session.program).Install());
  for (const std::string& line : done) Say(session, line + "\n");
  if (advice) SayNextSteps(workspace, *advice, session);
  return Exit::Fine;
}

}  // namespace

Command InitCommand() {
  return {
      {"init",
       "set up revctl for an existing or a new list",
       "Shows its plan and asks first; with --new, it writes at once. `revctl uninstall` undoes "
       "it.",
       "$ revctl init src/master_version_list.h",
       {{"PATH", "the header with the enum (default: search for it)", Positional::Count::Optional,
         Hint::File}},
       {{"--new", "", "write a new list"},
        {"--yes", "", "carry out the plan without asking"},
        {"--dry-run", "", "show what would be written, and write nothing"},
        {"--show-config", "", "print every setting with its value and where it comes from"},
        {"--prefix", "PREFIX", "prefix for revision names (default: SR_)"},
        {"--enum", "NAME", "the enum, or the version constant to turn into a list"},
        {"--golden", "DIR", "folder of the list's goldens", Hint::Folder},
        {"--target", "BRANCH", "target branch (default: the remote's default branch)", Hint::Ref},
        {"--numbers", "WHEN", "at-reserve or at-landing; also switches an existing list"},
        {"--offline", "", "create the ledger in this clone only"},
        {"--no-install", "", "do not set up the merge driver and hooks"}}},
      RunInit};
}

}  // namespace revctl::commands
