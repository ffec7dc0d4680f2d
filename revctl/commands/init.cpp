// init: adopts a list, or creates one. Everything is checked and the ledger is begun before the
// first file is written.
#include <filesystem>

#include "revctl/commands/command.h"
#include "revctl/commands/find_list.h"
#include "revctl/commands/installation.h"
#include "revctl/commands/views.h"
#include "revctl/config/files.h"
#include "revctl/list/edit.h"
#include "revctl/list/rules.h"

namespace revctl::commands {
namespace {

using findings::Done;
using findings::Error;
using findings::Exit;
using findings::Result;

/// `SR_LATEST_PLUS_ONE` and its like: a last entry with the prefix that only counts.
std::string GuessSentinel(const list::RevisionList& list) {
  if (list.entries.empty()) return "";
  const list::Entry& last = list.entries.back();
  if (last.explicit_number || last.kind != list::EntryKind::Revision) return "";
  for (std::string_view end : {"_PLUS_ONE", "_COUNT", "_MAX", "_END", "_NEXT"}) {
    if (last.name.ends_with(end)) return last.name;
  }
  return "";
}

Result<std::string> ChooseTarget(const git::Repository& repository, const std::string& remote,
                                 const std::string& named) {
  if (!named.empty()) return named;
  if (!remote.empty()) {
    auto run =
        repository.Git({"symbolic-ref", "--quiet", "--short", "refs/remotes/" + remote + "/HEAD"});
    if (!run.ok()) return run.error();
    if (run->ok())
      return run->out.substr(remote.size() + 1, run->out.find('\n') - remote.size() - 1);
  }
  for (const char* usual : {"main", "master", "trunk"}) {
    for (const std::string& place : {"refs/remotes/" + remote + "/", std::string("refs/heads/")}) {
      auto found = repository.Resolve(place + usual);
      if (!found.ok()) return found.error();
      if (found->has_value()) return std::string(usual);
    }
  }
  auto head = repository.HeadBranch();
  if (!head.ok()) return head.error();
  return head->value_or("main");
}

/// What an adopted list already breaks is accepted as it is; new code is held to the rules.
std::vector<config::Allowance> Baseline(const list::RevisionList& list,
                                        const list::ListConfig& config) {
  std::vector<config::Allowance> out;
  list::JudgedLists lists;
  lists.target = lists.merged = &list;
  for (const auto& finding : list::Judge(lists, config)) {
    out.push_back({finding.rule, finding.revision, "was so when revctl was adopted", "", 0});
  }
  return out;
}

struct Setup {
  config::Config config;
  std::string note;         ///< what was searched for a list, where that is worth saying
  std::string new_list;     ///< text of a list that does not exist yet; empty: one is adopted
  list::RevisionList list;  ///< as it will stand
  std::optional<std::int64_t> latest;
};

Result<Setup> Plan(const Arguments& arguments, const git::Repository& repository,
                   const std::string& root, const std::string& remote) {
  Setup out;
  config::Config& config = out.config;
  config.remote_named = !remote.empty();
  if (config.remote_named) config.remote = remote;
  auto target = ChooseTarget(repository, remote, arguments.Value("--target"));
  if (!target.ok()) return target.error();
  config.target = *target;
  if (arguments.Has("--ledger")) config.ledger = arguments.Value("--ledger");
  config.reservation_required = arguments.Value("--reservation") != "optional";
  config.min_revctl = "0.1";

  list::ListConfig list;
  if (arguments.Has("--name")) list.name = arguments.Value("--name");
  if (arguments.Has("--prefix")) list.prefix = arguments.Value("--prefix");
  auto found = FindList(repository, arguments.Value("LIST"), list.prefix);
  if (!found.ok()) return found.error();
  list.path = found->path;
  out.note = found->note;
  list.enum_name = arguments.Value("--enum");
  list.golden = arguments.Value("--golden");
  std::error_code error;
  if (list.golden.empty() && std::filesystem::is_directory(root + "/golden", error))
    list.golden = "golden";

  // The configuration's own checks judge what was given on the command line, before anything uses
  // it.
  config.lists = {list};
  auto checked = config::ParseConfig(config::FormatConfig(config), "revctl init");
  if (!checked.ok()) return checked.error();

  auto text = config::ReadFile(root + "/" + list.path, config::kMaxListBytes);
  if (!text.ok()) return text.error();
  if (!text->has_value()) {
    out.new_list = list::NewList(list);
    text = std::optional<std::string>(out.new_list);
  }
  auto parsed = list::Parse(**text, list, list.path);
  if (!parsed.ok()) {
    // There is no .revctl.yaml yet that could be mended.
    std::string& fix = parsed.error().fix;
    if (fix.empty() || fix.find(".revctl.yaml") != std::string::npos) {
      fix = "revctl init " + list.path +
            " --enum NAME --prefix PREFIX, or --prefix \"\" where they share none";
    }
    return parsed.error();
  }
  list.sentinel = GuessSentinel(*parsed);
  if (!list.sentinel.empty()) {
    parsed = list::Parse(**text, list, list.path);
    if (!parsed.ok()) return parsed.error();
  }
  const auto revisions = parsed->Revisions();
  if (revisions.empty() && out.new_list.empty()) {
    return Error{Exit::Usage, list.path + ": has no enumerator that begins with " + list.prefix,
                 "revctl init " + list.path + " --prefix PREFIX"};
  }
  if (!revisions.empty()) {
    list.oldest = revisions.front()->name;
    out.latest = revisions.back()->number;
  }
  config.lists = {list};
  config.allow = Baseline(*parsed, list);
  out.list = std::move(*parsed);
  return out;
}

/// Holds what the list has for whoever begins: until the target has the list too, its revisions are
/// pending like any others.
void GiveAll(const list::RevisionList& list, const git::Person& who, ledger::ListState& state) {
  std::optional<std::int64_t> last;
  for (const list::Entry* entry : list.Revisions()) {
    if (last != entry->number) state.Give(entry->name, entry->number, who);
    last = entry->number;
  }
}

/// Begins the ledger, or joins the one that the team has already.
Result<std::string> BeginLedger(git::Repository& repository, const std::string& remote,
                                const Setup& setup, bool offline) {
  const config::Config& config = setup.config;
  const list::ListConfig& list = config.lists.front();
  auto me = repository.Identity();
  if (!me.ok()) return me.error();
  ledger::Ledger ledger(repository,
                        {offline ? "" : remote, std::nullopt, config.ledger, "", config.target});
  auto committed = ledger.Commit(
      [&](const ledger::Snapshot& snapshot) -> Result<std::optional<ledger::Change>> {
        ledger::State state = snapshot.state;
        auto known = state.lists.find(list.name);
        const bool covered = known != state.lists.end() &&
                             (!setup.latest || (known->second.high_water &&
                                                *known->second.high_water >= *setup.latest));
        if (covered) return std::optional<ledger::Change>();
        ledger::ListState& mine = state.lists[list.name];
        bool landed = false;
        if (snapshot.target) {
          auto text = repository.ReadFile(*snapshot.target, list.path);
          if (!text.ok()) return text.error();
          landed = text->has_value();
        }
        if (!landed) GiveAll(setup.list, *me, mine);
        if (setup.latest)
          mine.high_water = std::max(mine.high_water.value_or(*setup.latest), *setup.latest);
        return std::optional<ledger::Change>(
            {std::move(state), {ledger::Event::Kind::Create, list.name, {}, ""}});
      },
      true);
  if (!committed.ok()) {
    auto& problem = committed.error();
    if (problem.fix.find("revctl-ledger") != std::string::npos)
      problem.fix = "revctl init --ledger " + std::string(config::kBranchLedger);
    return problem;
  }
  return committed->state.id;
}

Outcome RunInit(const Arguments& arguments, Session& session) {
  auto directory = AbsoluteFolder(session.directory);
  if (!directory.ok()) return directory.error();
  auto opened = git::OpenRepository(*directory);
  if (!opened.ok()) return opened.error();
  git::Repository& repository = **opened;
  if (repository.bare())
    return Error{Exit::Environment,
                 repository.git_dir() + ": is bare; there is no work tree for a list",
                 "run it in a clone"};
  const std::string root = repository.root();
  // What was done is talk that scripts may want; -q takes it away like all other talk.
  auto say = [&](const std::string& text) {
    if (!session.quiet) session.Out(text);
  };

  auto own = config::RefuseLink(root + "/" + std::string(config::kFileName),
                                std::string(config::kFileName));
  if (!own.ok()) return own.error();
  auto present = ReadConfig(root);
  if (!present.ok()) return present.error();
  if (!present->has_value()) {
    auto remote = ResolveRemote(repository,
                                arguments.Has("--remote") ? arguments.Value("--remote") : "origin",
                                arguments.Has("--remote"));
    if (!remote.ok()) return remote.error();
    if (remote->missing) return *remote->missing;
    auto setup = Plan(arguments, repository, root, remote->name);
    if (!setup.ok()) return setup.error();
    if (!setup->note.empty()) session.Talk(setup->note);
    auto id = BeginLedger(repository, remote->name, *setup, arguments.Has("--offline"));
    if (!id.ok()) return id.error();
    setup->config.ledger_id = *id;
    const list::ListConfig& list = setup->config.lists.front();
    if (!setup->new_list.empty()) {
      std::error_code error;
      std::filesystem::create_directories(
          std::filesystem::path(root + "/" + list.path).parent_path(), error);
      auto written = config::ReplaceFile(root + "/" + list.path, setup->new_list);
      if (!written.ok()) return written.error();
      say(list.path + ": a new list\n");
    }
    // Last of all: while it is missing, a run that was killed is begun again.
    auto written = config::ReplaceFile(root + "/" + std::string(config::kFileName),
                                       config::FormatConfig(setup->config));
    if (!written.ok()) return written.error();
    say(".revctl.yaml: list " + list.path + ", target " + setup->config.target +
        (remote->name.empty() ? ", no remote: the ledger is " + setup->config.ledger + " here"
                              : ", ledger " + setup->config.ledger + " on " + remote->name) +
        "\n");
    if (!setup->config.allow.empty()) {
      say(std::to_string(setup->config.allow.size()) +
          " findings of the adopted list are accepted as they are (allow: in .revctl.yaml)\n");
    }
    if (arguments.Has("--offline") && !remote->name.empty()) {
      session.Talk("the ledger is only here so far; bring it to " + remote->name +
                   ": revctl doctor --repair-ledger");
    }
  } else {
    session.Talk(".revctl.yaml is there already and stays as it is");
  }
  if (arguments.Has("--no-install")) return Exit::Fine;
  auto workspace = Workspace::Open(session);
  if (!workspace.ok()) return workspace.error();
  auto done = Installation(*workspace, session.program).Install();
  if (!done.ok()) return done.error();
  for (const std::string& line : *done) say(line + "\n");
  return Exit::Fine;
}

}  // namespace

Command InitCommand() {
  return {"init",
          "write .revctl.yaml for a list, old or new; install",
          "Adopts an existing list as it stands, or creates one, begins the team's ledger on the "
          "remote\n"
          "(locally where there is none) and sets up this clone. Commit what it wrote.",
          "$ revctl init src/master_version_list.h\n$ git add -A && git commit -m \"Keep revisions "
          "with revctl\"",
          {{"LIST", "the header with the enum (default: the one found)",
            Positional::Count::Optional, Hint::File}},
          {{"--prefix", "PREFIX", "what revisions begin with (SR_)", Hint::None},
           {"--enum", "NAME", "which enum, where the file has several", Hint::None},
           {"--name", "NAME", "the list's name in the ledger (main)", Hint::None},
           {"--golden", "DIR", "folder of its goldens", Hint::Folder},
           {"--target", "BRANCH", "where revisions land (the remote's default)", Hint::Ref},
           {"--remote", "NAME", "which remote (origin)", Hint::None},
           {"--reservation", "HOW", "required or optional", Hint::None},
           {"--ledger", "REF", "where the ledger is (refs/revctl/ledger)", Hint::Ref},
           {"--offline", "", "begin the ledger here only", Hint::None},
           {"--no-install", "", "do not set up this clone", Hint::None}},
          RunInit};
}

}  // namespace revctl::commands
