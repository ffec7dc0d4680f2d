#include "revctl/commands/command.h"

namespace revctl::commands {

const std::vector<Command>& Commands() {
  static const std::vector<Command> table = {
      InitCommand(),       InstallCommand(), UninstallCommand(),   DoctorCommand(),
      ReserveCommand(),    NextCommand(),    ListCommand(),        StatusCommand(),
      WhoisCommand(),      CheckCommand(),   RenumberCommand(),    ResolveCommand(),
      LandCommand(),       FoldCommand(),    SyncCommand(),        ConvertNumbersCommand(),
      PurgeCommand(),      AbandonCommand(), StaleCommand(),       CodegenCommand(),
      GenerateCommand(),   ExplainCommand(), CompletionsCommand(), MergeDriverCommand(),
      PreReceiveCommand(), HelpCommand(),    VersionCommand(),
  };
  return table;
}

const Command* FindCommand(std::string_view name) {
  for (const Command& command : Commands()) {
    if (command.name == name || (!command.alias.empty() && command.alias == name)) return &command;
  }
  return nullptr;
}

std::vector<std::string> CommandNames() {
  std::vector<std::string> out;
  for (const Command& command : Commands()) out.emplace_back(command.name);
  return out;
}

const std::vector<Option>& GlobalOptions() {
  static const std::vector<Option> options = {
      {"-C", "DIR", "work there instead of here", Hint::Folder},
      {"--list", "NAME", "which list, where the repository has several", Hint::List},
      {"--format", "FORMAT", "text, json, github, gitlab, sarif or junit", Hint::Format},
      {"--json", "", "short for --format json", Hint::None},
      {"-q,--quiet", "", "results and errors only", Hint::None},
      {"-v,--verbose", "", "print each git command that runs", Hint::None},
  };
  return options;
}

}  // namespace revctl::commands
