#include "revctl/commands/command_line.h"

#include <algorithm>

#include "revctl/base/shell_word.h"
#include "revctl/commands/table.h"

namespace revctl::commands {

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
