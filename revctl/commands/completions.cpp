// Completions and the man page, from the command table.
#include <algorithm>

#include "revctl/base/roff.h"
#include "revctl/commands/command.h"
#include "revctl/commands/command_line.h"
#include "revctl/commands/schema.h"
#include "revctl/commands/session.h"
#include "revctl/config/keys.h"
#include "revctl/generate/keys.h"

namespace revctl::commands {
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

std::vector<Option> AllOptions(const Command& command) {
  std::vector<Option> out = command.options;
  out.insert(out.end(), GlobalOptions().begin(), GlobalOptions().end());
  return out;
}

/// A shell command that prints what may stand there; empty: nothing is known, or files.
std::string_view Words(Hint hint) {
  switch (hint) {
    case Hint::Revision:
      return "$(revctl list 2>/dev/null | awk '{print $2}')";
    case Hint::Rule:
      return "$(revctl explain 2>/dev/null | awk '{print $1}')";
    case Hint::Format:
      return "text json github gitlab sarif junit";
    case Hint::List:
      return "$(revctl list --json 2>/dev/null | grep -o '\"name\":\"[^\"]*\",\"latest\"' | cut "
             "-d'\"' -f4)";
    case Hint::Ref:
      return "$(git for-each-ref --format='%(refname:short)' 2>/dev/null)";
    case Hint::None:
    case Hint::File:
    case Hint::Folder:
      break;
  }
  return "";
}

/// What `hint` allows, for bash. A branch may be called `$(rm -r x)`: names that come from a
/// repository are never expanded (compgen -W would), and are offered quoted.
std::string BashWords(Hint hint) {
  const std::string_view words = Words(hint);
  if (!words.starts_with("$("))
    return "COMPREPLY=($(compgen -W \"" + std::string(words) + "\" -- \"$word\"))";
  return "_revctl_names < <(" + std::string(words.substr(2, words.size() - 3)) + ")";
}

std::string Bash() {
  std::string out =
      "# bash completion of revctl: source it, or put it into /etc/bash_completion.d\n"
      "_revctl_names() {\n"
      "  local name quoted\n"
      "  while IFS= read -r name; do\n"
      "    [[ $name == \"$word\"* ]] && printf -v quoted %q \"$name\" && COMPREPLY+=(\"$quoted\")\n"
      "  done\n"
      "}\n"
      "_revctl() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= w\n"
      "  COMPREPLY=()\n"
      "  for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do case $w in -*) ;; *) command=$w; break "
      ";; esac; done\n"
      "  case $command in\n";
  std::string names;
  for (const Command& command : Commands()) {
    if (command.hidden) continue;
    names += (names.empty() ? "" : " ") + std::string(command.name);
    std::string flags, values;
    for (const Option& option : AllOptions(command)) {
      std::string pattern;
      for (const std::string& spelling : Spellings(option)) {
        flags += (flags.empty() ? "" : " ") + spelling;
        pattern += (pattern.empty() ? "" : "|") + spelling;
      }
      if (option.value.empty()) continue;
      values += "        " + pattern + ") " +
                (option.hint == Hint::File     ? "COMPREPLY=($(compgen -f -- \"$word\"))"
                 : option.hint == Hint::Folder ? "COMPREPLY=($(compgen -d -- \"$word\"))"
                                               : BashWords(option.hint)) +
                "; return ;;\n";
    }
    out += "    " + std::string(command.name) + ")\n";
    if (!values.empty()) out += "      case $before in\n" + values + "      esac\n";
    const Hint hint = command.positionals.empty() ? Hint::None : command.positionals.front().hint;
    out += "      case $word in -*) COMPREPLY=($(compgen -W \"" + flags + "\" -- \"$word\")) ;;\n";
    out += std::string("        *) ") +
           (hint == Hint::File ? "COMPREPLY=($(compgen -f -- \"$word\"))" : BashWords(hint)) +
           " ;; esac ;;\n";
  }
  out += "    *) COMPREPLY=($(compgen -W \"" + names +
         "\" -- \"$word\")) ;;\n  esac\n}\ncomplete -F _revctl revctl\n";
  return out;
}

std::string Escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string Zsh() {
  std::string out = "#compdef revctl\n_revctl() {\n  local -a commands\n  commands=(\n";
  auto quoted = [](std::string_view text) {
    std::string safe;
    for (char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe;
  };
  for (const Command& command : Commands()) {
    if (!command.hidden)
      out +=
          "    '" + std::string(command.name) + ":" + quoted(Escaped(command.summary, ":")) + "'\n";
  }
  out +=
      "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  shift words\n  (( CURRENT-- ))\n"  // for _arguments the command is the program
      "  case $words[1] in\n";
  for (const Command& command : Commands()) {
    if (command.hidden) continue;
    out += "    " + std::string(command.name) + ") _arguments";
    for (const Option& option : AllOptions(command)) {
      for (const std::string& spelling : Spellings(option)) {
        out += " \\\n        '" + spelling + "[" + quoted(Escaped(option.help, "[]:")) + "]";
        if (!option.value.empty()) {
          const std::string words =
              Escaped(Words(option.hint), ":");  // a bare one would end the action
          out += ":" + std::string(option.value) + ":" +
                 (option.hint == Hint::File     ? "_files"
                  : option.hint == Hint::Folder ? "_files -/"
                  : words.empty()               ? " "
                                                : "(" + quoted(words) + ")");
        }
        out += "'";
      }
    }
    for (const Positional& positional : command.positionals) {
      const std::string words = Escaped(Words(positional.hint), ":");
      out += " \\\n        '" + std::string(positional.count == Positional::Count::Any ? "*" : "") +
             ":" + std::string(positional.name) + ":" +
             (positional.hint == Hint::File ? "_files"
              : words.empty()               ? " "
                                            : "{compadd -- " + quoted(words) + "}") +
             "'";
    }
    out += " ;;\n";
  }
  return out + "  esac\n}\n_revctl \"$@\"\n";
}

std::string Fish() {
  auto quoted = [](std::string_view text) {
    std::string safe = "'";
    for (char c : text) safe += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return safe + "'";
  };
  // fish writes a command's output as (...), bash and zsh as $(...).
  auto words = [&](Hint hint) {
    std::string text(Words(hint));
    if (text.starts_with("$(")) text.erase(0, 1);
    return quoted(text);
  };
  std::string out = "complete -c revctl -f\n";
  for (const Command& command : Commands()) {
    if (command.hidden) continue;
    const std::string name(command.name);
    out += "complete -c revctl -n __fish_use_subcommand -a " + name + " -d " +
           quoted(command.summary) + "\n";
    const std::string lead = "complete -c revctl -n '__fish_seen_subcommand_from " + name + "'";
    for (const Option& option : AllOptions(command)) {
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
    for (const Positional& positional : command.positionals) {
      if (positional.hint == Hint::File) out += lead + " -F\n";
      else if (!Words(positional.hint).empty())
        out += lead + " -a " + words(positional.hint) + "\n";
    }
  }
  return out;
}

std::string Man() {
  std::string out = ".TH REVCTL 1 \"\" \"revctl " REVCTL_VERSION
                    "\" \"User Commands\"\n.SH NAME\nrevctl \\- one revision number for "
                    "everything, without the collisions\n";
  out += ".SH SYNOPSIS\n.B revctl\n[options] COMMAND ...\n.SH OPTIONS\n";
  auto options = [&out](const std::vector<Option>& all) {
    for (const Option& option : all) {
      out += ".TP\n.B " + base::Roff(option.flags) +
             (option.value.empty() ? "" : " " + base::Roff(option.value)) + "\n" +
             base::Roff(option.help) + "\n";
    }
  };
  options(GlobalOptions());
  out += ".SH COMMANDS\n";
  for (const Command& command : Commands()) {
    out += ".SS " + base::Roff(Synopsis(command)) + "\n" + base::Roff(command.summary) +
           ".\n.PP\n" + base::Roff(command.about) + "\n";
    for (const Positional& positional : command.positionals)
      out += ".TP\n.I " + base::Roff(positional.name) + "\n" + base::Roff(positional.help) + "\n";
    options(command.options);
    if (!command.example.empty())
      out += ".PP\n.nf\n.RS\n" + base::Roff(command.example) + "\n.RE\n.fi\n";
  }
  out +=
      ".SH EXIT STATUS\n0 fine, 1 findings, 2 usage or configuration, 3 environment, 4 lost the "
      "race for 60 seconds or more, 5 provisional number given.\n";
  out +=
      ".SH ENVIRONMENT\n.TP\n.B REVCTL=0\nturns the merge driver and the hooks off\n.TP\n.B "
      "NO_COLOR\nno colour\n.TP\n.B CI\n"
      "check fetches first\n.SH FILES\n.TP\n.B .revctl.yaml\nwhich lists there are, and the "
      "policy\n";
  return out;
}

Outcome RunCompletions(const Arguments& arguments, Session& session) {
  const std::string shell = arguments.Value("SHELL");
  if (shell == "bash") session.OutExact(Bash());
  else if (shell == "zsh") session.OutExact(Zsh());
  else if (shell == "fish") session.OutExact(Fish());
  else if (shell == "man") session.OutExact(Man());
  else if (shell == "schema") session.OutExact(Schema(".revctl.yaml", config::Keys()));
  else if (shell == "definition-schema")
    session.OutExact(Schema("definition file of revctl generate", generate::Keys()));
  else
    return base::Error{base::Exit::Usage,
                       "there are no completions for '" + shell.substr(0, 40) + "'",
                       "revctl completions bash (zsh, fish; man, schema or definition-schema)"};
  return base::Exit::Fine;
}

}  // namespace

Command CompletionsCommand() {
  return {"completions",
          "shell completions, the man page, schemas for editors",
          "Made from the same table as --help. `schema` is a JSON Schema of .revctl.yaml,\n"
          "`definition-schema` one of the files that `revctl generate` reads.",
          "$ revctl completions bash > ~/.local/share/bash-completion/completions/revctl\n$ revctl "
          "completions man > revctl.1",
          {{"SHELL", "bash, zsh, fish, man, schema or definition-schema", Positional::Count::One,
            Hint::None}},
          {},
          RunCompletions,
          false,
          {},
          true};
}

}  // namespace revctl::commands
