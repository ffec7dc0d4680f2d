#include "harness/commands/man_page.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "revctl/base/ascii.h"
#include "revctl/base/roff.h"

namespace revctl::harness {
namespace {

using base::Roff;

std::string Described(const CLI::Option& option) {
  const std::string value = option.get_default_str();
  return option.get_description() + (value.empty() ? "" : fmt::format(" (default: {})", value));
}

std::string OptionsOf(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    const bool takes_value = option->get_items_expected_max() > 0;
    out += option->nonpositional()
               ? fmt::format(".TP\n.B {}{}\n", Roff(option->get_name(false, true)),
                             takes_value ? " " + Roff(option->get_type_name()) : "")
               : fmt::format(".TP\n.I {}\n", Roff(option->get_name(true)));
    out += Roff(Described(*option)) + "\n";
  }
  return out;
}

}  // namespace

std::string ManPage(const CLI::App& app, const std::string& program) {
  std::string title = program;
  for (char& c : title) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  std::string out = fmt::format(
      ".TH \"{}\" 1 \"\" \"revctl {}\" \"User Commands\"\n"
      ".SH NAME\n{} \\- checks that every revision ever saved still loads\n"
      ".SH SYNOPSIS\n.B {}\n[options] COMMAND ...\n"
      ".SH DESCRIPTION\nThe harness of one program's saves, as revctl_add_harness() of CMake "
      "builds "
      "it. {}\n"
      ".SH OPTIONS\n{}.SH COMMANDS\n",
      Roff(title), REVCTL_VERSION, Roff(program), Roff(program), Roff(app.get_description()),
      OptionsOf(app));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    out += fmt::format(".SS {} {}\n{}.\n{}", Roff(program), Roff(command->get_name()),
                       Roff(command->get_description()), OptionsOf(*command));
  }
  return out +
         ".SH EXIT STATUS\n0 fine, 1 findings, 2 usage or configuration, 3 environment.\n"
         ".SH ENVIRONMENT\n.TP\n.B CI\nrecord and record\\-history write only with "
         "\\-\\-allow\\-ci\n"
         ".TP\n.B NO_COLOR\nno colour\n"
         ".SH SEE ALSO\n.BR revctl (1)\n";
}

}  // namespace revctl::harness
