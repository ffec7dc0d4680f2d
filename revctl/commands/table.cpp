#include "revctl/commands/table.h"

#include <algorithm>

#include "revctl/base/shell_word.h"

namespace revctl::commands {
namespace {

Command HelpCommand() {
  return {{"help",
           "list the commands, or explain one",
           "Prints the same text as --help.",
           "$ revctl help check",
           {{"COMMAND", "any command listed by `revctl help --all`", Positional::Count::Optional}},
           {{"--all", "", "also list the commands for git, builds and scripts"}},
           true}};
}

Command VersionCommand() {
  return {{"version",
           "print the version of revctl",
           "Prints the version and, if known, the commit that revctl was built from.",
           "$ revctl version\nrevctl " REVCTL_VERSION " (3f2c1d0abc)",
           {},
           {},
           true}};
}

const std::vector<Command>& Commands() {
  static const std::vector<Command> table = {
      InitCommand(),        InstallCommand(),  UninstallCommand(),   ReserveCommand(),
      ListCommand(),        StatusCommand(),   ShowCommand(),        CheckCommand(),
      LandCommand(),        FoldCommand(),     PurgeCommand(),       FixCommand(),
      AbandonCommand(),     DoctorCommand(),   ExplainCommand(),     SyncCommand(),
      CodegenCommand(),     GenerateCommand(), MergeDriverCommand(), PreReceiveCommand(),
      CompletionsCommand(), HelpCommand(),     VersionCommand(),
  };
  return table;
}

std::vector<cli::CommandGroup> Groups() {
  return {{"start", {"init", "install", "uninstall"}},
          {"every day", {"reserve", "list", "status", "show", "check", "land"}},
          {"releases", {"fold", "purge"}},
          {"when something is wrong", {"fix", "abandon", "doctor", "explain"}}};
}

std::string_view NamesFor(Hint hint) {
  switch (hint) {
    case Hint::Revision:
      return "@ list 2>/dev/null | awk '{print $2}'";
    case Hint::Rule:
      return "@ explain 2>/dev/null | awk '{print $1}'";
    case Hint::List:
      return "@ list --json 2>/dev/null | grep -o '\"name\":\"[^\"]*\",\"latest\"' | cut -d'\"' "
             "-f4";
    case Hint::Ref:
      return "git for-each-ref --format='%(refname:short)' 2>/dev/null";
    default:
      return "";
  }
}

}  // namespace

cli::Program RevctlProgram() {
  cli::Program program{
      .name = "revctl",
      .version = "revctl " REVCTL_VERSION,
      .summary = "one revision number for all save files, without collisions",
      .synopsis = "[-C DIR] [--list NAME] [--format F | --json] [-q] [-v] COMMAND ...",
      .footer =
          "Formats: text, json, github, gitlab, sarif, junit, markdown\n"
          "Exit: 0 fine, 1 findings, 2 usage, 3 environment, 4 lost the race, 5 provisional\n"
          "More: revctl help COMMAND; for git, builds and scripts: revctl help --all\n"
          "Example: revctl reserve SR_BOSS_PHASE -m \"the boss has phases\"\n",
      .man_end =
          ".SH EXIT STATUS\n0 fine, 1 findings, 2 usage or configuration, 3 environment, 4 lost "
          "the push race for 60 seconds or more, 5 provisional number.\n"
          ".SH ENVIRONMENT\n.B REVCTL=0\ndisables the merge driver and the hooks,\n.B NO_COLOR\n"
          "disables color. If\n.B CI\nis set, check contacts the server first.\n"
          ".SH SEE ALSO\n.B revctl help\n.I COMMAND,\n.B revctl help \\-\\-all, "
          "revctl init \\-\\-show\\-config\n",
      .options = {{"-C", "DIR", "run in this folder", Hint::Folder},
                  {"--list", "NAME", "the list, if the repository has several", Hint::List},
                  {"--format", "FORMAT", "text, json, github, gitlab, sarif, junit or markdown",
                   Hint::Format},
                  {"--json", "", "short for --format json"},
                  {"-q,--quiet", "", "print results and errors only"},
                  {"-v,--verbose", "", "print each git command that runs"}},
      .names = NamesFor,
      .groups = Groups(),
      // Commands known from git, cargo or npm, each with the revctl command that the user probably
      // means.
      .meant = {{"renumber", "fix"},
                {"resolve", "fix"},
                {"repair", "fix"},
                {"restore", "fix"},
                {"merge", "fix"},
                {"whois", "show"},
                {"blame", "show"},
                {"log", "show NAME"},
                {"next", "reserve --dry-run"},
                {"new", "reserve"},
                {"add", "reserve"},
                {"stale", "status --branches"},
                {"branches", "status --branches"},
                {"convert-numbers", "init --numbers MODE"},
                {"ls", "list"},
                {"verify", "check"},
                {"lint", "check"},
                {"push", "land"},
                {"submit", "land"},
                {"delete", "abandon"},
                {"drop", "abandon"},
                {"bump", "reserve"},
                {"claim", "reserve"},
                {"take", "reserve"},
                {"validate", "check"},
                {"diff", "fix --dry-run"},
                {"history", "show NAME"},
                {"who", "show"},
                {"publish", "land"},
                {"ship", "land"},
                {"setup", "install"},
                {"config", "init --show-config"},
                {"why", "explain"},
                {"st", "status"},
                {"remove", "abandon"},
                {"rm", "abandon"}},
  };
  for (const Command& command : Commands()) program.commands.push_back(&command);
  return program;
}

cli::Line ParseCommandLine(const std::vector<std::string>& given, Session& session) {
  cli::Program program = RevctlProgram();
  if (!session.commit.empty()) program.version += " (" + session.commit + ")";
  cli::Line line = cli::Parse(program, given);
  if (line.shared.Has("-C")) session.directory = line.shared.Value("-C");
  session.list = line.shared.Value("--list");
  session.quiet = line.shared.Has("--quiet");
  session.verbose = line.shared.Has("--verbose");
  if (const auto format = cli::FormatOf(line.shared)) {
    session.format = *format;
  } else if (line.kind != cli::Line::Kind::Mistaken) {
    line.kind = cli::Line::Kind::Mistaken;
    line.text = format.error().message;
  }
  return line;
}

std::string WayWithoutServer(const std::vector<std::string>& given, const cli::Line& line) {
  std::vector<std::string> words = {"revctl"};
  words.insert(words.end(), given.begin(), given.end());
  const auto mark = std::find(words.begin(), words.end(), "--");
  const auto fetch = std::find(words.begin(), mark, "--fetch");
  bool works = fetch != mark;
  if (works) {
    words.erase(fetch);
  } else if (line.command != nullptr) {
    for (const Option& option : line.command->options) works |= option.flags == "--offline";
    if (works) words.insert(mark, "--offline");
  }
  return (works ? "; without a network: " : "; once the server answers: ") + base::ShellLine(words);
}

}  // namespace revctl::commands
