// Parses argv. Only this file includes CLI11.
#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <algorithm>

#include "revctl/base/ascii.h"
#include "revctl/cli/command.h"
#include "revctl/findings/nearest.h"
#include "revctl/findings/outputs.h"
#include "revctl/findings/printable.h"

namespace revctl::cli {
namespace {

/// Returns the last spelling of an option whose flags are, for example, "-m,--message".
std::string_view LastSpelling(std::string_view flags) {
  const std::size_t comma = flags.rfind(',');
  return comma == std::string_view::npos ? flags : flags.substr(comma + 1);
}

/// Receives the values of one option from CLI11. Must outlive the parsing.
struct Slot {
  std::string name;
  std::vector<std::string> values;
  bool given = false;
  bool is_switch = false;
};

void AddOptions(CLI::App& app, const std::vector<Option>& options,
                std::vector<std::unique_ptr<Slot>>& slots) {
  for (const Option& option : options) {
    // A command's own option hides a shared option with the same name.
    if (app.get_option_no_throw(std::string(LastSpelling(option.flags))) != nullptr) continue;
    slots.push_back(std::make_unique<Slot>());
    Slot& slot = *slots.back();
    slot.name = LastSpelling(option.flags);
    slot.is_switch = option.value.empty();
    if (slot.is_switch) {
      app.add_flag(std::string(option.flags), slot.given);
    } else {
      auto* added = app.add_option(std::string(option.flags), slot.values)
                        ->expected(1, option.several ? CLI::detail::expected_max_vector_size : 1)
                        // `true` lets the option take all arguments up to the next option
                        ->allow_extra_args(option.several);
      added->multi_option_policy(option.repeats ? CLI::MultiOptionPolicy::TakeAll
                                                : CLI::MultiOptionPolicy::TakeLast);
    }
  }
}

/// True if `word` is a spelling of the option. The caller has removed `=VALUE` from `word`. The
/// value of a short option may be attached, as in `-CX`.
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

/// Returns the message for a command line that CLI11 rejects. It names the unknown command or
/// option and the closest known one. If nothing is unknown, it is CLI11's own message.
std::string Mistake(const Program& program, const std::vector<std::string>& arguments,
                    const Command* command, const std::string& words) {
  std::vector<Option> options = program.options;
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
        if (!option->value.empty() && word == arguments[i]) ++i;  // skip the option's value
        continue;
      }
      std::vector<std::string> known;
      for (const Option& one : options) known.emplace_back(LastSpelling(one.flags));
      return fmt::format("{}{} has no option {}{}", program.name,
                         command == nullptr ? "" : " " + std::string(command->name),
                         findings::Quoted(word), findings::DidYouMean(word, known));
    }
    if (command == nullptr) return program.NoSuchCommand(arguments[i]);
  }
  return words;
}

/// Assigns the arguments in `given` to the command's positionals. Returns an error message, or ""
/// on success.
std::string Deal(const std::vector<std::string>& given, Line& line) {
  using Count = Positional::Count;
  auto next = given.begin();
  for (const Positional& positional : line.command->positionals) {
    const bool several = positional.count == Count::Some;
    const auto end = several || next == given.end() ? given.end() : next + 1;
    if (next != end) line.arguments.Set(positional.name, {next, end});
    else if (positional.count != Count::Optional)
      return fmt::format("{} is missing: {}", positional.name, positional.help);
    next = end;
  }
  if (next != given.end()) return findings::Quoted(*next) + " was not expected";
  for (const Option& option : line.command->options) {
    const std::string_view name = LastSpelling(option.flags);
    if (option.required && !line.arguments.Has(name))
      return fmt::format("{} is missing: {}", name, option.help);
  }
  return "";
}

}  // namespace

const Command* Program::Find(std::string_view command) const {
  for (const Command* each : commands) {
    if (each->name == command) return each;
  }
  return nullptr;
}

std::string Program::NoSuchCommand(std::string_view command) const {
  for (const auto& [word, line] : meant) {
    if (word == command)
      return fmt::format("there is no command {}; use {} {}", findings::Quoted(command), name,
                         line);
  }
  std::vector<std::string> known;
  for (const Command* each : commands) known.emplace_back(each->name);
  return fmt::format("there is no command {}{}", findings::Quoted(command),
                     findings::DidYouMean(command, known));
}

Line Parse(const Program& program, const std::vector<std::string>& given) {
  // Arguments after `--` are never options, so do not pass them to CLI11.
  const auto mark = std::find(given.begin(), given.end(), "--");
  const std::vector<std::string> words(given.begin(), mark);
  Line out;
  const auto mistake = [&out](std::string text) {
    out.kind = Line::Kind::Mistaken;
    out.text = std::move(text);
    return out;
  };
  CLI::App app;
  app.set_help_flag();
  app.require_subcommand(0, 1);
  bool help = false, version = false;
  app.add_flag("-h,--help", help);
  app.add_flag("--version", version);
  std::vector<std::unique_ptr<Slot>> shared, own;
  AddOptions(app, program.options, shared);

  // Set up only the options of the command that was given, because git runs the merge driver often.
  for (const std::string& word : words) {
    out.command = program.Find(word);
    if (out.command != nullptr) break;
  }
  CLI::App* sub = nullptr;
  std::vector<std::string> positionals;
  if (out.command != nullptr) {
    sub = app.add_subcommand(std::string(out.command->name));
    sub->set_help_flag();
    sub->add_flag("-h,--help", help);
    AddOptions(*sub, out.command->options, own);
    AddOptions(*sub, program.options, shared);
    // Let CLI11 collect all positional arguments in one list. It would assign all of them to the
    // first positional, so Deal() distributes them instead.
    sub->add_option("ARGUMENTS", positionals)->expected(0, 1 << 20);
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    return mistake(Mistake(program, words, out.command, findings::OneLine(error.what())));
  }
  if (mark != given.end()) positionals.insert(positionals.end(), mark + 1, given.end());
  if (sub == nullptr || !sub->parsed()) out.command = nullptr;
  const auto take = [](const std::vector<std::unique_ptr<Slot>>& slots, Arguments& into) {
    for (const auto& slot : slots) {
      if (slot->is_switch ? slot->given : !slot->values.empty()) into.Set(slot->name, slot->values);
    }
  };
  take(shared, out.shared);
  take(own, out.arguments);
  const auto prints = [&out](std::string text) {
    out.kind = Line::Kind::Prints;
    out.text = std::move(text);
    return out;
  };
  if (version) return prints(program.version + "\n");
  if (help)
    return prints(out.command == nullptr ? HelpText(program) : HelpText(program, *out.command));
  if (out.command == nullptr) {
    out.kind = Line::Kind::NamesNoCommand;
    return out;
  }
  if (std::string wrong = Deal(positionals, out); !wrong.empty()) return mistake(std::move(wrong));
  if (out.command->name == "version") return prints(program.version + "\n");
  if (out.command->name != "help") return out;
  if (positionals.empty()) return prints(HelpText(program, out.arguments.Has("--all")));
  const Command* const asked = program.Find(positionals.front());
  if (asked != nullptr) return prints(HelpText(program, *asked));
  out.command = nullptr;
  return mistake(program.NoSuchCommand(positionals.front()));
}

base::Result<findings::Format> FormatOf(const Arguments& shared) {
  const auto wrong = [](std::string text) {
    return base::Error{base::Exit::Usage, std::move(text), ""};
  };
  const std::string name = shared.Value("--format");
  const auto format =
      shared.Has("--format") ? findings::FormatOf(base::Lower(name)) : findings::Format::Text;
  if (!format)
    return wrong(fmt::format("--format {}: {}", findings::Quoted(name), findings::kFormatNames));
  if (!shared.Has("--json")) return *format;
  if (shared.Has("--format") && *format != findings::Format::Json)
    return wrong(fmt::format("--json and --format {} cannot be combined", name));
  return findings::Format::Json;
}

}  // namespace revctl::cli
