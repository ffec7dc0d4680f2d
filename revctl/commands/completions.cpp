#include <fmt/core.h>

#include "revctl/commands/table.h"
#include "revctl/config/keys.h"
#include "revctl/generate/definition.h"
#include "revctl/lookup/config_schema.h"
#include "revctl/session/session.h"

namespace revctl::commands {
namespace {

Outcome RunCompletions(const Arguments& arguments, Session& session) {
  const std::string shell = arguments.Value("SHELL");
  if (const auto text = cli::ShellFile(RevctlProgram(), shell)) session.OutExact(*text);
  else if (shell == "schema") session.OutExact(Schema(".revctl.yaml", config::Keys()));
  else if (shell == "definition-schema")
    session.OutExact(Schema("definition file for revctl generate", generate::Keys()));
  else
    return base::Error{base::Exit::Usage,
                       fmt::format("there are no completions for '{}'", shell.substr(0, 40)),
                       "revctl completions bash (or zsh, fish, man, schema, definition-schema)"};
  return base::Exit::Fine;
}

}  // namespace

Command CompletionsCommand() {
  return {{"completions",
           "print shell completions, the man page or a schema",
           "`schema` is the JSON Schema of .revctl.yaml, `definition-schema` is the JSON Schema of "
           "the\nfiles that `revctl generate` reads.",
           "$ revctl completions bash > ~/.local/share/bash-completion/completions/revctl\n"
           "$ revctl completions man > revctl.1",
           {{"SHELL", "bash, zsh, fish, man, schema or definition-schema"}},
           {},
           true},
          RunCompletions};
}

}  // namespace revctl::commands
