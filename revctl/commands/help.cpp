// `--help`, from the command table: a screen of 24 lines of 80, with an example.
#include <algorithm>

#include "revctl/commands/command_line.h"
#include "revctl/findings/nearest.h"
#include "revctl/findings/printable.h"

namespace revctl::commands {
namespace {

constexpr std::size_t kScreen = 80;
constexpr std::ptrdiff_t kLines = 24;

/// `text` as one paragraph, no line of it wider than the screen; `hang`: where its lines begin, but
/// for the first.
std::string Filled(std::string_view text, std::size_t column, std::size_t hang) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!out.empty() && column + 1 + word.size() > kScreen) {
      out += "\n" + std::string(hang, ' ');
      column = hang;
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string Column(std::string left, std::string_view right, std::size_t width) {
  left.resize(std::max(width, left.size() + 2), ' ');
  return "  " + left + Filled(right, left.size() + 2, width + 2);
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
  std::string out =
      "usage: revctl [-C DIR] [--list NAME] [--format F | --json] [-q] [-v] COMMAND ...\n";
  std::string seldom;
  for (const Command& command : Commands()) {
    if (command.hidden) continue;
    if (command.seldom) seldom += (seldom.empty() ? "" : ", ") + std::string(command.name);
    else out += Column(std::string(command.name), command.summary, 13);
  }
  out += "  Seldom typed: " + seldom + "\n";
  out += "Formats: text, json, github, gitlab, sarif, junit. More: revctl help COMMAND\n";
  out += "Exit: 0 fine, 1 findings, 2 usage, 3 environment, 4 lost the race, 5 provisional\n";
  return out + "Example: revctl reserve SR_BOSS_PHASE -m \"the boss has phases\"\n";
}

std::string HelpText(const Command& command) {
  std::string out = std::string(command.summary) + "\n\nusage: " + Synopsis(command) + "\n\n  " +
                    Filled(command.about, 2, 2);
  if (!command.positionals.empty() || !command.options.empty()) out += "\n";
  for (const Positional& positional : command.positionals)
    out += Column(std::string(positional.name), positional.help, 20);
  for (const Option& option : command.options) out += Column(Spelling(option), option.help, 20);
  if (!command.example.empty()) out += "\nExample:\n" + Indented(command.example);
  // A command with many options does without the blank line behind its usage.
  if (std::count(out.begin(), out.end(), '\n') > kLines)
    out.erase(out.find("\n\n", out.find("usage: ")), 1);
  return out;
}

namespace {

Outcome RunHelp(const Arguments& arguments, Session& session) {
  const std::string name = arguments.Value("COMMAND");
  if (name.empty()) {
    session.Out(HelpText());
    return base::Exit::Fine;
  }
  const Command* command = FindCommand(name);
  if (command == nullptr) {
    return base::Error{base::Exit::Usage,
                       "there is no command " + findings::Quoted(name) +
                           findings::DidYouMean(name, CommandNames()),
                       "revctl help"};
  }
  session.Out(HelpText(*command));
  return base::Exit::Fine;
}

Outcome RunVersion(const Arguments&, Session& session) {
  session.Out("revctl " REVCTL_VERSION +
              (session.commit.empty() ? "" : " (" + session.commit + ")") + "\n");
  return base::Exit::Fine;
}

}  // namespace

Command HelpCommand() {
  return {"help",
          "the commands, or one of them",
          "The same text as --help.",
          "$ revctl help check",
          {{"COMMAND", "one of those that `revctl help` lists", Positional::Count::Optional}},
          {},
          RunHelp,
          true};
}

Command VersionCommand() {
  return {"version",
          "which revctl this is",
          "The version, and the commit that it was built from where that is known.",
          "$ revctl version\nrevctl " REVCTL_VERSION " (3f2c1d0abc)",
          {},
          {},
          RunVersion,
          true};
}

}  // namespace revctl::commands
