// Generates completions for bash, zsh and fish, and the man page, from the command table.
#include <fmt/core.h>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/cli/command.h"

namespace revctl::cli {
namespace {

std::vector<std::string> Spellings(const Option& option) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin <= option.flags.size()) {
    const std::size_t end = std::min(option.flags.find(',', begin), option.flags.size());
    out.emplace_back(option.flags.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

/// Returns the command's own options, and the shared options except those with the same flags as an
/// own one.
std::vector<Option> AllOptions(const Program& program, const Command& command) {
  std::vector<Option> out = command.options;
  for (const Option& shared : program.options) {
    bool hidden = false;
    for (const Option& own : command.options) hidden |= own.flags == shared.flags;
    if (!hidden) out.push_back(shared);
  }
  return out;
}

/// Returns `text` with `escape` inserted before each character that is in `special`.
std::string Escaped(std::string_view text, std::string_view special, std::string_view escape) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += escape;
    out += c;
  }
  return out;
}

/// Returns the name of the shell function that completes the program's arguments.
std::string FunctionName(const std::string& name) {
  std::string out = "_" + name;
  for (char& c : out) {
    if (!base::IsWord(c)) c = '_';
  }
  return out;
}

constexpr std::string_view kFormats = "text json github gitlab sarif junit markdown";

/// Returns a shell pipeline that prints the values to suggest for `hint`, or "" if they cannot be
/// listed. If the program is not in PATH, the pipeline runs it by the path that the user typed
/// ($program).
std::string Pipeline(const Program& program, Hint hint) {
  std::string out;
  for (const char c : program.names(hint))
    out += c != '@' ? std::string(1, c) : program.in_path ? program.name : "\"$program\"";
  return out;
}

/// Returns bash code that completes a value. The code quotes names from the repository and never
/// expands them, because a branch may have a name such as `$(rm -r x)`, which `compgen -W` would
/// expand.
std::string BashWords(const Program& program, Hint hint) {
  if (hint == Hint::File) return "COMPREPLY=($(compgen -f -- \"$word\"))";
  if (hint == Hint::Folder) return "COMPREPLY=($(compgen -d -- \"$word\"))";
  const std::string pipeline = Pipeline(program, hint);
  if (!pipeline.empty())
    return fmt::format("{}_names < <({})", FunctionName(program.name), pipeline);
  return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))",
                     hint == Hint::Format ? kFormats : "");
}

std::string Bash(const Program& program) {
  const std::string function = FunctionName(program.name);
  std::string names, cases, with_value;
  for (const Option& option : program.options) {
    if (option.value.empty()) continue;
    for (const std::string& spelling : Spellings(option))
      with_value += (with_value.empty() ? "" : "|") + spelling;
  }
  for (const Command* command : program.commands) {
    if (command->hidden) continue;
    names += (names.empty() ? "" : " ") + std::string(command->name);
    std::string flags, values;
    for (const Option& option : AllOptions(program, *command)) {
      std::string pattern;
      for (const std::string& spelling : Spellings(option)) {
        flags += (flags.empty() ? "" : " ") + spelling;
        pattern += (pattern.empty() ? "" : "|") + spelling;
      }
      if (!option.value.empty())
        values +=
            fmt::format("        {}) {}; return ;;\n", pattern, BashWords(program, option.hint));
    }
    cases += fmt::format("    {})\n", command->name);
    if (!values.empty()) cases += fmt::format("      case $before in\n{}      esac\n", values);
    const Hint hint = command->positionals.empty() ? Hint::None : command->positionals.front().hint;
    cases += fmt::format(
        "      case $word in -*) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;\n"
        "        *) {} ;; esac ;;\n",
        flags, BashWords(program, hint));
  }
  return fmt::format(
      R"(# bash completion of {0}: source it, or put it into /etc/bash_completion.d
{1}_names() {{
  local name quoted
  while IFS= read -r name; do
    [[ $name == "$word"* ]] && printf -v quoted %q "$name" && COMPREPLY+=("$quoted")
  done
}}
{1}() {{
  local program=${{COMP_WORDS[0]}} word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= last= w
  COMPREPLY=()
  for w in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $last in {2}) last=; continue ;; esac
    last=$w
    case $w in -*) ;; *) command=$w; break ;; esac
  done
  case $command in
{3}    *) COMPREPLY=($(compgen -W "{4}" -- "$word")) ;;
  esac
}}
complete -F {1} {5}
)",
      program.name, function, with_value, cases, names, base::ShellWord(program.name));
}

std::string Zsh(const Program& program) {
  const std::string function = FunctionName(program.name);
  const auto quoted = [](std::string_view text) { return Escaped(text, "'", "'\\'"); };
  // Returns the zsh action that completes a value. `lead` and `end` enclose the words to suggest.
  // Escapes colons, because a colon would end the action.
  const auto action = [&](Hint hint, std::string_view lead, std::string_view end) {
    if (hint == Hint::File) return std::string("_files");
    if (hint == Hint::Folder) return std::string("_files -/");
    const std::string pipeline = Escaped(Pipeline(program, hint), ":", "\\");
    if (!pipeline.empty()) return fmt::format("{}$({}){}", lead, quoted(pipeline), end);
    return hint == Hint::Format ? fmt::format("{}{}{}", lead, kFormats, end) : std::string(" ");
  };
  std::string commands, cases;
  for (const Command* command : program.commands) {
    if (command->hidden) continue;
    commands +=
        fmt::format("    '{}:{}'\n", command->name, quoted(Escaped(command->summary, ":", "\\")));
    cases += fmt::format("    {}) _arguments", command->name);
    for (const Option& option : AllOptions(program, *command)) {
      for (const std::string& spelling : Spellings(option)) {
        cases += fmt::format(" \\\n        '{}[{}]", spelling,
                             quoted(Escaped(option.help, "[]:", "\\")));
        if (!option.value.empty())
          cases += fmt::format(":{}:{}", option.value, action(option.hint, "(", ")"));
        cases += "'";
      }
    }
    for (const Positional& positional : command->positionals) {
      const bool several = positional.count == Positional::Count::Some;
      cases += fmt::format(" \\\n        '{}:{}:{}'", several ? "*" : "", positional.name,
                           action(positional.hint, "{compadd -- ", "}"));
    }
    cases += " ;;\n";
  }
  // Shift `words`, because _arguments expects the name of the program in the first word.
  return fmt::format(
      "#compdef {0}\n{1}() {{\n  local program=${{(Q)words[1]}}\n  local -a commands\n"
      "  commands=(\n{2}  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  shift words\n  (( CURRENT-- ))\n"
      "  case $words[1] in\n{3}  esac\n}}\n{1} \"$@\"\n",
      program.name, function, commands, cases);
}

std::string Fish(const Program& program) {
  const auto quoted = [](std::string_view text) { return "'" + Escaped(text, "'\\", "\\") + "'"; };
  const auto words = [&](Hint hint) {
    const std::string pipeline = Pipeline(program, hint);
    if (pipeline.empty()) return quoted(hint == Hint::Format ? kFormats : "");
    return quoted(fmt::format(
        "({}{})", program.in_path ? "" : "set -l program (commandline -opc)[1]; ", pipeline));
  };
  const std::string complete = "complete -c " + quoted(program.name);
  std::string out = complete + " -f\n";
  for (const Command* command : program.commands) {
    if (command->hidden) continue;
    out += fmt::format("{} -n __fish_use_subcommand -a {} -d {}\n", complete, command->name,
                       quoted(command->summary));
    const std::string lead =
        fmt::format("{} -n '__fish_seen_subcommand_from {}'", complete, command->name);
    for (const Option& option : AllOptions(program, *command)) {
      out += lead;
      for (const std::string& spelling : Spellings(option))
        out +=
            spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
      if (!option.value.empty())
        out += option.hint == Hint::File || option.hint == Hint::Folder
                   ? " -r -F"
                   : " -x -a " + words(option.hint);
      out += " -d " + quoted(option.help) + "\n";
    }
    for (const Positional& positional : command->positionals) {
      if (positional.hint == Hint::File) out += lead + " -F\n";
      else if (!Pipeline(program, positional.hint).empty())
        out += lead + " -a " + words(positional.hint) + "\n";
    }
  }
  return out;
}

/// Escapes text for a man page: roff reads '.' or '\'' at the start of a line as a request, '\\' as
/// an escape, and '-' as a hyphen.
std::string Roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
    line_begins = c == '\n';
  }
  return out;
}

/// Begins a section whose items are not separated by blank lines.
std::string Section(std::string_view title) { return fmt::format(".PD\n.SH {}\n.PD 0\n", title); }

/// Returns a list item: `term` in a column of `width` characters, then `text`.
std::string Item(int width, std::string_view term, std::string_view text) {
  return fmt::format(".TP {}\n.B {}\n{}\n", width, Roff(term), Roff(text));
}

/// Returns a man page that fits on one screen. `help COMMAND` prints the details of each command.
std::string ManPage(const Program& program) {
  constexpr int kCommandColumn = 16, kOptionColumn = 18;
  const std::string name = Roff(program.name);
  std::string out =
      fmt::format(".TH {} 1 \"\" \"revctl {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                  Roff(base::Upper(program.name)), REVCTL_VERSION, name, Roff(program.summary));
  out += fmt::format(".SH SYNOPSIS\n.B {}\n[options] COMMAND ...\n", name);
  if (!program.about.empty()) out += fmt::format(".SH DESCRIPTION\n{}\n", Roff(program.about));
  out += Section("COMMANDS");
  for (const CommandGroup& group : program.groups) {
    out += fmt::format(".SS {}\n", Roff(group.title));
    for (const std::string_view command : group.commands)
      out += Item(kCommandColumn, command, program.Find(command)->summary);
  }
  for (const Command* command : program.commands) {
    if (program.groups.empty() && !command->hidden)
      out += Item(kCommandColumn, command->name, command->summary);
  }
  out += Section("OPTIONS");
  for (const Option& option : program.options)
    out += Item(kOptionColumn,
                fmt::format("{}{}{}", option.flags, option.value.empty() ? "" : " ", option.value),
                option.help);
  return out + ".PD\n" + std::string(program.man_end);
}

}  // namespace

std::optional<std::string> ShellFile(const Program& program, std::string_view kind) {
  if (kind == "bash") return Bash(program);
  if (kind == "zsh") return Zsh(program);
  if (kind == "fish") return Fish(program);
  if (kind == "man") return ManPage(program);
  return std::nullopt;
}

}  // namespace revctl::cli
