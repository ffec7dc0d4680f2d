// `--help`, from the command table: a screen, with an example.
#include <algorithm>

#include "revctl/commands/command_line.h"

namespace revctl::commands {
namespace {

std::string Column(std::string left, std::string_view right, std::size_t width) {
  left.resize(std::max(width, left.size() + 2), ' ');
  return "  " + left + std::string(right) + "\n";
}

std::string Spelling(const Option& option) {
  std::string out;
  for (char c : option.flags) out += c == ',' ? std::string(", ") : std::string(1, c);
  if (!option.value.empty()) out += " " + std::string(option.value);
  return out;
}

std::string Indented(std::string_view text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += "  " + std::string(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string Synopsis(const Command& command) {
  std::string out = "revctl " + std::string(command.name);
  for (const Positional& positional : command.positionals) {
    const std::string name(positional.name);
    out += positional.count == Positional::Count::One        ? " " + name
           : positional.count == Positional::Count::Optional ? " [" + name + "]"
                                                             : " [" + name + "...]";
  }
  return out + (command.options.empty() ? "" : " [options]");
}

std::string HelpText() {
  std::string out = "revctl: one revision number for everything, without the collisions\n\nusage: revctl [options] COMMAND ...\n\n";
  for (const Command& command : Commands()) {
    if (!command.hidden) out += Column(std::string(command.name), command.summary, 14);
  }
  out += "\nOptions of every command:\n";
  for (const Option& option : GlobalOptions()) out += Column(Spelling(option), option.help, 18);
  out += Column("-h, --help", "this, or `revctl COMMAND --help`", 18);
  out += "\nExit: 0 fine, 1 findings, 2 usage or configuration, 3 environment, 4 lost the race, 5 provisional number\n";
  out += "\nExample:\n  $ revctl reserve SR_BOSS_PHASE -m \"the boss has phases\"\n  SR_BOSS_PHASE = 667\n";
  return out;
}

std::string HelpText(const Command& command) {
  std::string out = std::string(command.summary) + "\n\nusage: " + Synopsis(command) + "\n\n" + Indented(command.about);
  if (!command.positionals.empty() || !command.options.empty()) out += "\n";
  for (const Positional& positional : command.positionals) out += Column(std::string(positional.name), positional.help, 22);
  for (const Option& option : command.options) out += Column(Spelling(option), option.help, 22);
  if (!command.example.empty()) out += "\nExample:\n" + Indented(command.example);
  return out;
}

}  // namespace revctl::commands
