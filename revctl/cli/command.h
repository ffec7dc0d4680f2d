#pragma once
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/findings/finding.h"

namespace revctl::cli {

/// What an option's or argument's value stands for, which tells shell completions what to suggest.
enum class Hint { None, File, Folder, List, Revision, Rule, Format, Ref, Type };

struct Option {
  std::string_view flags;  ///< such as "-m,--message"; code refers to the option by the last
                           ///< spelling
  std::string_view value;  ///< placeholder such as "TEXT"; empty for a switch
  std::string_view help;
  Hint hint = Hint::None;
  bool repeats = false;  ///< may be given several times; otherwise the last value is used
  bool required = false;
  bool several = false;  ///< takes all arguments up to the next option
};

struct Positional {
  enum class Count { One, Optional, Some };
  std::string_view name;
  std::string_view help;
  Count count = Count::One;
  Hint hint = Hint::None;
};

/// The options and arguments that the user passed.
class Arguments {
 public:
  bool Has(std::string_view option) const { return values_.find(option) != values_.end(); }
  /// Returns the last value of the option, or "" if it was not given.
  std::string Value(std::string_view option) const {
    auto found = values_.find(option);
    return found == values_.end() || found->second.empty() ? std::string() : found->second.back();
  }
  std::vector<std::string> All(std::string_view name) const {
    auto found = values_.find(name);
    return found == values_.end() ? std::vector<std::string>() : found->second;
  }
  void Set(std::string_view name, std::vector<std::string> values) {
    values_[std::string(name)] = std::move(values);
  }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// Returns an error if the user passed more than one of the options, because only one of them can
/// take effect.
inline std::optional<base::Error> Contradiction(const Arguments& arguments,
                                                std::initializer_list<std::string_view> options) {
  std::string first;
  for (const std::string_view option : options) {
    if (!arguments.Has(option)) continue;
    if (!first.empty())
      return base::Error{base::Exit::Usage,
                         first + " and " + std::string(option) + " cannot be combined",
                         "remove one of them"};
    first = option;
  }
  return std::nullopt;
}

/// Describes a command. The parser, the help, the completions and the man page all use this
/// description.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view about;    ///< a few sentences about what the command changes and what it leaves
                             ///< alone
  std::string_view example;  ///< lines of a shell session
  std::vector<Positional> positionals;
  std::vector<Option> options;
  bool hidden = false;  ///< not listed in `--help`, because only git or a build runs the command
};

/// Commands that `--help` lists under a common heading.
struct CommandGroup {
  std::string_view title;
  std::vector<std::string_view> commands;
};

struct Program {
  std::string name;             ///< the command that the user types
  std::string version;          ///< the output of `version`
  std::string_view summary;     ///< one line for the man page
  std::string_view about = {};  ///< a few sentences for the man page
  std::string_view synopsis;    ///< printed after the name in `--help`
  std::string_view footer;      ///< last lines of `--help`
  std::string_view man_end;     ///< last sections of the man page, in roff
  std::vector<const Command*> commands =
      {};                       ///< in the order of `--help`, including `help` and `version`
  std::vector<Option> options;  ///< options that every command accepts
  /// Returns a shell pipeline that prints the values to suggest for `hint`, with `@` in place of
  /// the program's name. Returns "" if the values cannot be listed.
  std::string_view (*names)(Hint hint);
  bool in_path = true;  ///< if false, completions call the program by the path that the user typed
  /// If not empty, `--help` lists only these commands, and `help --all` lists all commands.
  std::vector<CommandGroup> groups = {};
  /// Words that users try by mistake, each with the command line to suggest instead.
  std::vector<std::pair<std::string_view, std::string_view>> meant = {};

  /// Returns the command with this name, or null if there is none.
  const Command* Find(std::string_view command) const;
  /// Returns a message such as "there is no command 'chek'; did you mean check?"
  std::string NoSuchCommand(std::string_view command) const;
};

/// A parsed command line, which either runs a command or prints a text.
struct Line {
  enum class Kind { Runs, Prints, Mistaken, NamesNoCommand };
  Kind kind = Kind::Runs;
  const Command* command = nullptr;  ///< also set for Mistaken, if the command is known
  Arguments arguments;               ///< options and arguments of this command
  Arguments shared;                  ///< options that every command has
  std::string text;                  ///< the text to print, for Prints and Mistaken
};

/// Parses a command line. For `help`, `--help`, `version` and `--version`, returns the text to
/// print. Never fails: if the user made a mistake, returns a Line with a message.
Line Parse(const Program& program, const std::vector<std::string>& given);

/// Returns the output format that `--format` or `--json` selects.
base::Result<findings::Format> FormatOf(const Arguments& shared);

/// Returns the usage line, such as `revctl reserve NAME [options]`.
std::string Synopsis(const Program& program, const Command& command);
/// Returns the output of `revctl --help` or `revctl COMMAND --help`, which fits on one screen.
/// `all` adds the commands that git and builds run.
std::string HelpText(const Program& program, bool all = false);
std::string HelpText(const Program& program, const Command& command);

/// Returns the text with each line indented by two spaces.
std::string Indented(std::string_view text);

/// Returns the completions for the shell `bash`, `zsh` or `fish`, or the man page if `kind` is
/// `man`. Returns nullopt for any other kind.
std::optional<std::string> ShellFile(const Program& program, std::string_view kind);

}  // namespace revctl::cli
