#pragma once
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::commands {

class Session;

/// What a shell may complete a value with.
enum class Hint { None, File, Folder, List, Revision, Rule, Format, Ref };

struct Option {
  std::string_view flags;  ///< "-m,--message"; the last spelling is the one that commands ask for
  std::string_view value;  ///< "TEXT"; empty: a switch
  std::string_view help;
  Hint hint = Hint::None;
  bool repeats = false;  ///< may be given several times; else the last one counts
};

struct Positional {
  enum class Count { One, Optional, Any };
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

using Outcome = base::Result<base::Exit>;

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

/// One command: parsing, help, completions and the man page are all made from this.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view about;    ///< a few sentences; what it changes and what it leaves
  std::string_view example;  ///< lines of a shell session
  std::vector<Positional> positionals;
  std::vector<Option> options;
  Outcome (*run)(const Arguments&, Session&) = nullptr;
  bool hidden = false;  ///< not in `revctl --help`: called by git or a build, or shown otherwise
  std::string_view alias = {};  ///< an older name
  bool seldom = false;          ///< named in one line of `revctl --help`, which has to fit a screen
};

/// In the order of `revctl --help`.
const std::vector<Command>& Commands();
const Command* FindCommand(std::string_view name);
/// The names of all commands, for near misses.
std::vector<std::string> CommandNames();

/// Options of every command.
const std::vector<Option>& GlobalOptions();

// One function per command, each in the file of its name.
Command InitCommand();
Command InstallCommand();
Command UninstallCommand();
Command DoctorCommand();
Command ReserveCommand();
Command NextCommand();
Command ListCommand();
Command StatusCommand();
Command WhoisCommand();
Command CheckCommand();
Command RenumberCommand();
Command ResolveCommand();
Command LandCommand();
Command FoldCommand();
Command SyncCommand();
Command ConvertNumbersCommand();
Command PurgeCommand();
Command MergeDriverCommand();
Command AbandonCommand();
Command StaleCommand();
Command PreReceiveCommand();
Command CodegenCommand();
Command GenerateCommand();
Command ExplainCommand();
Command CompletionsCommand();
Command HelpCommand();
Command VersionCommand();

/// `revctl` alone: what state this repository is in, and what to do next.
Outcome Overview(Session& session);

}  // namespace revctl::commands
