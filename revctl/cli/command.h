#pragma once
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/findings/finding.h"

namespace revctl::cli {

/// What a shell may complete a value with.
enum class Hint { None, File, Folder, List, Revision, Rule, Format, Ref, Type };

struct Option {
  std::string_view flags;  ///< "-m,--message"; the last spelling is the one that commands ask for
  std::string_view value;  ///< "TEXT"; empty: a switch
  std::string_view help;
  Hint hint = Hint::None;
  bool repeats = false;   ///< may be given several times; else the last one counts
  bool required = false;  ///< a line without it is refused
};

struct Positional {
  enum class Count { One, Optional, Any, Some };
  std::string_view name;  ///< "NAME"
  std::string_view help;
  Count count = Count::One;
  Hint hint = Hint::None;
};

/// What the command line gave a command.
class Arguments {
 public:
  bool Has(std::string_view option) const { return values_.find(option) != values_.end(); }
  /// Empty where the option was not given.
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

/// Options of which each answers what the other asks: given together, one would be dropped without
/// a word.
inline std::optional<base::Error> Contradiction(const Arguments& arguments,
                                                std::initializer_list<std::string_view> options) {
  std::string first;
  for (const std::string_view option : options) {
    if (!arguments.Has(option)) continue;
    if (!first.empty())
      return base::Error{base::Exit::Usage,
                         first + " and " + std::string(option) + " contradict each other",
                         "leave one of them out"};
    first = option;
  }
  return std::nullopt;
}

/// One command: parsing, help, completions and the man page are all made from this. A program adds
/// what runs it.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view about;    ///< a few sentences; what it changes and what it leaves
  std::string_view example;  ///< lines of a shell session
  std::vector<Positional> positionals;
  std::vector<Option> options;
  bool hidden = false;  ///< not in `PROGRAM --help`: called by git or a build, or shown otherwise
  bool seldom = false;  ///< named in one line of `--help`, which has to fit a screen
};

/// A program whose command line is a table.
struct Program {
  std::string name;             ///< as a person types it
  std::string version;          ///< what `version` prints
  std::string_view summary;     ///< one line of the man page
  std::string_view about = {};  ///< a few sentences of the man page
  std::string_view synopsis;    ///< behind the name in `--help`
  std::string_view footer;      ///< last lines of `--help`
  std::string_view man_end;     ///< last sections of the man page, in roff
  std::vector<const Command*> commands =
      {};                       ///< in the order of `--help`; `help` and `version` too
  std::vector<Option> options;  ///< of every command
  /// A shell pipeline that prints what may stand there, `@` for the program; empty: not known.
  std::string_view (*names)(Hint hint);
  bool in_path = true;  ///< else completions call the program as it is typed

  /// Null if the program has no such command.
  const Command* Find(std::string_view command) const;
  /// "there is no command 'chek'; did you mean check?"
  std::string NoSuchCommand(std::string_view command) const;
};

/// What argv means: a command to run, or a text to print.
struct Line {
  enum class Kind { Runs, Prints, Mistaken, NamesNoCommand };
  Kind kind = Kind::Runs;
  const Command* command = nullptr;  ///< also of a mistake, where it is known
  Arguments arguments;               ///< the command's own
  Arguments shared;                  ///< those that every command has
  std::string text;                  ///< of Prints and Mistaken
};

/// `help`, `--help`, `version` and `--version` become the text that they print.
Line Parse(const Program& program, const std::vector<std::string>& given);

/// What `--format` and `--json` say together.
base::Result<findings::Format> FormatOf(const Arguments& shared);

/// `revctl reserve NAME [options]`.
std::string Synopsis(const Program& program, const Command& command);
/// `revctl --help`, `revctl COMMAND --help`: a screen each.
std::string HelpText(const Program& program);
std::string HelpText(const Program& program, const Command& command);

/// Completions for `bash`, `zsh` or `fish`, or the page for `man`; nullopt for any other name.
std::optional<std::string> ShellFile(const Program& program, std::string_view kind);

}  // namespace revctl::cli
