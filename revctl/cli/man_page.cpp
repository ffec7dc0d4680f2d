#include "revctl/cli/man_page.h"

#include <fmt/core.h>

#include "revctl/base/ascii.h"
#include "revctl/base/roff.h"

namespace revctl::cli {
namespace {

using base::Roff;

std::string Options(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options)
    out += fmt::format(".TP\n.B {}{}{}\n{}\n", Roff(option.flags), option.value.empty() ? "" : " ",
                       Roff(option.value), Roff(option.help));
  return out;
}

}  // namespace

std::string ManPage(const Program& program) {
  const std::string name = Roff(program.name);
  std::string out = fmt::format(
      ".TH {} 1 \"\" \"revctl {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n"
      ".SH SYNOPSIS\n.B {}\n[options] COMMAND ...\n",
      Roff(base::Upper(program.name)), REVCTL_VERSION, name, Roff(program.summary), name);
  if (!program.about.empty()) out += fmt::format(".SH DESCRIPTION\n{}\n", Roff(program.about));
  out += ".SH OPTIONS\n" + Options(program.options) + ".SH COMMANDS\n";
  for (const Command* command : program.commands) {
    out += fmt::format(".SS {}\n{}.\n.PP\n{}\n", Roff(Synopsis(program, *command)),
                       Roff(command->summary), Roff(command->about));
    for (const Positional& positional : command->positionals)
      out += fmt::format(".TP\n.I {}\n{}\n", Roff(positional.name), Roff(positional.help));
    out += Options(command->options);
    if (!command->example.empty())
      out += fmt::format(".PP\n.nf\n.RS\n{}\n.RE\n.fi\n", Roff(command->example));
  }
  return out + std::string(program.man_end);
}

}  // namespace revctl::cli
