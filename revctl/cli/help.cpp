// Prints the output of `--help`, with an example, from the command table. The text fits on a screen
// with 24 lines and 80 columns.
#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "revctl/cli/command.h"

namespace revctl::cli {
namespace {

constexpr std::size_t kScreen = 80;
constexpr std::ptrdiff_t kLines = 24;

/// Wraps `text` to the width of the screen. The first line starts in column `column`, and later
/// lines are indented by `hang`.
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

}  // namespace

std::string Indented(std::string_view text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += fmt::format("  {}\n", text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string Synopsis(const Program& program, const Command& command) {
  using Count = Positional::Count;
  std::string out = fmt::format("{} {}", program.name, command.name);
  for (const Positional& positional : command.positionals) {
    out += positional.count == Count::One    ? fmt::format(" {}", positional.name)
           : positional.count == Count::Some ? fmt::format(" {}...", positional.name)
                                             : fmt::format(" [{}]", positional.name);
  }
  for (const Option& option : command.options) {
    if (option.required) out += fmt::format(" {} {}", option.flags, option.value);
  }
  const bool optional = std::any_of(command.options.begin(), command.options.end(),
                                    [](const Option& option) { return !option.required; });
  return out + (optional ? " [options]" : "");
}

std::string HelpText(const Program& program, bool all) {
  const std::string usage = fmt::format("usage: {} ", program.name);
  std::string out = usage + Filled(program.synopsis, usage.size(), 7);
  std::size_t width = 13;
  for (const Command* command : program.commands) {
    if (!command->hidden || all) width = std::max(width, command->name.size() + 2);
  }
  const auto line = [&](const Command& command) {
    return Column(std::string(command.name), command.summary, width);
  };
  std::set<std::string_view> listed;
  for (const CommandGroup& group : program.groups) {
    out += fmt::format("{}:\n", group.title);
    for (const std::string_view name : group.commands) {
      if (const Command* command = program.Find(name)) out += line(*command);
      listed.insert(name);
    }
  }
  if (all) out += "for git, builds and scripts:\n";
  for (const Command* command : program.commands) {
    const bool shown = program.groups.empty() ? !command->hidden || all : all;
    if (shown && !listed.contains(command->name)) out += line(*command);
  }
  return out + std::string(program.footer);
}

std::string HelpText(const Program& program, const Command& command) {
  std::string out =
      fmt::format("{}\n\nusage: {}\n  {}", command.summary,
                  Filled(Synopsis(program, command), 7, 9), Filled(command.about, 2, 2));
  if (!command.positionals.empty() || !command.options.empty()) out += "\n";
  for (const Positional& positional : command.positionals)
    out += Column(std::string(positional.name), positional.help, 20);
  for (const Option& option : command.options) out += Column(Spelling(option), option.help, 20);
  if (!command.example.empty()) out += "\nExample:\n" + Indented(command.example);
  // Omit the first blank line after the usage if the text would not fit on the screen.
  if (std::count(out.begin(), out.end(), '\n') > kLines)
    out.erase(out.find("\n\n", out.find("usage: ")), 1);
  return out;
}

}  // namespace revctl::cli
