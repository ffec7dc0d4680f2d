// The one file that knows CLI11: argv to a command of the table and its arguments.
#include "revctl/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "revctl/base/shell_word.h"
#include "revctl/findings/nearest.h"
#include "revctl/findings/outputs.h"
#include "revctl/findings/printable.h"

namespace revctl::commands {
namespace {

/// The spelling that commands ask for: the last one of "-m,--message".
std::string_view LastSpelling(std::string_view flags) {
  const std::size_t comma = flags.rfind(',');
  return comma == std::string_view::npos ? flags : flags.substr(comma + 1);
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
      auto* added = app.add_option(std::string(option.flags), slot.values)
                        ->expected(1)
                        ->allow_extra_args(false);  // else it swallows a positional that follows
      added->multi_option_policy(option.repeats ? CLI::MultiOptionPolicy::TakeAll
                                                : CLI::MultiOptionPolicy::TakeLast);
    }
  }
}

/// `option` without its value: `--base` of `--base=X`, `-C` of `-CX` for one that takes a value.
bool IsSpelling(const Option& option, std::string_view word) {
  std::string_view flags = option.flags;
  while (!flags.empty()) {
    const std::size_t comma = std::min(flags.find(','), flags.size());
    const std::string_view flag = flags.substr(0, comma);
    flags.remove_prefix(std::min(comma + 1, flags.size()));
    if (word == flag) return true;
    if (!flag.starts_with("--") && word.starts_with(flag)) return true;
  }
  return false;
}

/// What is wrong with a line that CLI11 refuses: an unknown command or option, with the near one;
/// else its own words.
std::string Mistake(const std::vector<std::string>& arguments, const Command* command,
                    const std::string& words) {
  std::vector<Option> options = GlobalOptions();
  if (command != nullptr)
    options.insert(options.end(), command->options.begin(), command->options.end());
  options.push_back({"-h,--help", "", ""});
  options.push_back({"--version", "", ""});
  const auto option_of = [&](std::string_view word) {
    return std::find_if(options.begin(), options.end(),
                        [&](const Option& option) { return IsSpelling(option, word); });
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string word = arguments[i].substr(0, arguments[i].find('='));
    if (word.size() > 1 && word[0] == '-') {
      const auto option = option_of(word);
      if (option != options.end()) {
        if (!option->value.empty() && word == arguments[i]) ++i;  // its value
        continue;
      }
      std::vector<std::string> known;
      for (const Option& one : options) known.emplace_back(LastSpelling(one.flags));
      return "revctl" + (command == nullptr ? "" : " " + std::string(command->name)) +
             " has no option " + findings::Quoted(word) + findings::DidYouMean(word, known);
    }
    if (command == nullptr)
      return "there is no command " + findings::Quoted(arguments[i]) +
             findings::DidYouMean(arguments[i], CommandNames());
  }
  return words;
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
    if (!command->alias.empty()) sub->alias(std::string(command->alias));
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
    out.text = Mistake(arguments, command, findings::OneLine(error.what()));
    out.command = command;
    return out;
  }
  positionals.insert(positionals.end(), behind.begin(), behind.end());
  if (version) {
    out.command = FindCommand("version");
    return out;
  }
  const bool named = sub != nullptr && sub->parsed();
  if (help) {
    out.text = named ? HelpText(*command) : HelpText();
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
  for (const Positional& positional : named ? command->positionals : std::vector<Positional>()) {
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
  session.verbose = globals.Has("--verbose");
  if (globals.Has("--format")) {
    const auto format = findings::FormatOf(globals.Value("--format"));
    if (!format) {
      out.mistake = true;
      out.text = "--format " + findings::Quoted(globals.Value("--format")) + ": " +
                 std::string(findings::kFormatNames);
      return out;
    }
    session.format = *format;
  }
  if (globals.Has("--json") && globals.Has("--format") &&
      session.format != findings::Format::Json) {
    out.mistake = true;
    out.text = "--json and --format " + globals.Value("--format") + " contradict each other";
    return out;
  }
  if (globals.Has("--json")) session.format = findings::Format::Json;
  out.command = named ? command : nullptr;
  out.overview = !named;
  return out;
}

std::string WayWithoutServer(const std::vector<std::string>& given, const CommandLine& line) {
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
  return (works ? "; without a network: " : "; once it answers: ") + base::ShellLine(words);
}

}  // namespace revctl::commands
