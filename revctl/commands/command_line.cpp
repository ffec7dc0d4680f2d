// The one file that knows CLI11: argv to a command of the table and its arguments.
#include "revctl/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "revctl/findings/printable.h"

namespace revctl::commands {
namespace {

/// The spelling that commands ask for: the last one of "-m,--message".
std::string_view LastSpelling(std::string_view flags) {
  const std::size_t comma = flags.rfind(',');
  return comma == std::string_view::npos ? flags : flags.substr(comma + 1);
}

bool ParseFormat(const std::string& text, findings::Format& format) {
  using findings::Format;
  static const std::vector<std::pair<std::string_view, Format>> kFormats = {
      {"text", Format::Text},     {"json", Format::Json},   {"github", Format::GitHub},
      {"gitlab", Format::GitLab}, {"sarif", Format::Sarif}, {"junit", Format::JUnit}};
  for (const auto& [name, value] : kFormats) {
    if (name == text) {
      format = value;
      return true;
    }
  }
  return false;
}

/// CLI11 writes into these; they outlive its parsing.
struct Slot {
  std::string name;
  std::vector<std::string> values;
  bool given = false;
  bool is_switch = false;
};

void AddOptions(CLI::App& app, const std::vector<Option>& options,
                std::vector<std::unique_ptr<Slot>>& slots) {
  for (const Option& option : options) {
    slots.push_back(std::make_unique<Slot>());
    Slot& slot = *slots.back();
    slot.name = LastSpelling(option.flags);
    slot.is_switch = option.value.empty();
    if (slot.is_switch) {
      app.add_flag(std::string(option.flags), slot.given);
    } else {
      app.add_option(std::string(option.flags), slot.values)
          ->expected(1)
          ->take_last()
          ->allow_extra_args(false);  // else it swallows a positional that follows
    }
  }
}

}  // namespace

CommandLine ParseCommandLine(const std::vector<std::string>& given, Session& session) {
  // What stands behind `--` is never an option, whatever it looks like; CLI11 does not see it.
  const auto mark = std::find(given.begin(), given.end(), "--");
  const std::vector<std::string> arguments(given.begin(), mark);
  const std::vector<std::string> behind(mark == given.end() ? mark : mark + 1, given.end());
  CommandLine out;
  CLI::App app("revctl");
  app.set_help_flag();
  app.require_subcommand(0, 1);
  bool help = false, version = false;
  app.add_flag("-h,--help", help);
  app.add_flag("--version", version);
  std::vector<std::unique_ptr<Slot>> global, own;
  AddOptions(app, GlobalOptions(), global);

  // Only the named command's options are set up: a driver call must not pay for the whole table.
  const Command* command = nullptr;
  for (const std::string& argument : arguments) {
    command = FindCommand(argument);
    if (command != nullptr) break;
  }
  CLI::App* sub = nullptr;
  std::vector<std::string> positionals;
  if (command != nullptr) {
    sub = app.add_subcommand(std::string(command->name));
    sub->set_help_flag();
    sub->add_flag("-h,--help", help);
    AddOptions(*sub, GlobalOptions(), global);
    AddOptions(*sub, command->options, own);
    // One slot takes them all, since CLI11 would give everything to the first; they are dealt out
    // below.
    if (!command->positionals.empty())
      sub->add_option("ARGUMENTS", positionals)->expected(0, 1 << 20);
  }
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    out.mistake = true;
    out.text = findings::OneLine(error.what());
    return out;
  }
  positionals.insert(positionals.end(), behind.begin(), behind.end());
  if (version) {
    out.text = "revctl " REVCTL_VERSION "\n";
    return out;
  }
  if (help || sub == nullptr || !sub->parsed()) {
    out.mistake = !help;
    out.text = out.mistake                       ? "which command?"
               : sub != nullptr && sub->parsed() ? HelpText(*command)
                                                 : HelpText();
    return out;
  }
  auto take = [](std::vector<std::unique_ptr<Slot>>& slots, Arguments& into) {
    for (auto& slot : slots) {
      if (slot->is_switch ? slot->given : !slot->values.empty()) into.Set(slot->name, slot->values);
    }
  };
  Arguments globals;
  take(global, globals);
  take(own, out.arguments);
  std::size_t dealt = 0;
  for (const Positional& positional : command->positionals) {
    const std::size_t wanted =
        positional.count == Positional::Count::Any ? positionals.size() - dealt : 1;
    if (dealt < positionals.size()) {
      const auto first = positionals.begin() + static_cast<std::ptrdiff_t>(dealt);
      out.arguments.Set(positional.name, {first, first + static_cast<std::ptrdiff_t>(wanted)});
      dealt += wanted;
    } else if (positional.count == Positional::Count::One) {
      out.mistake = true;
      out.text = std::string(positional.name) + " is missing: " + std::string(positional.help);
    }
  }
  if (dealt < positionals.size()) {
    out.mistake = true;
    out.text = findings::Quoted(positionals[dealt]) + " was not expected";
  }
  if (out.mistake) {
    out.command = command;
    return out;
  }
  if (globals.Has("-C")) session.directory = globals.Value("-C");
  session.list = globals.Value("--list");
  session.quiet = globals.Has("--quiet");
  if (globals.Has("--format") && !ParseFormat(globals.Value("--format"), session.format)) {
    out.mistake = true;
    out.text = "--format " + findings::Quoted(globals.Value("--format")) +
               ": text, json, github, gitlab, sarif or junit";
    return out;
  }
  if (globals.Has("--json") && globals.Has("--format") &&
      session.format != findings::Format::Json) {
    out.mistake = true;
    out.text = "--json and --format " + globals.Value("--format") + " contradict each other";
    return out;
  }
  if (globals.Has("--json")) session.format = findings::Format::Json;
  out.command = command;
  return out;
}

}  // namespace revctl::commands
