#include "harness/commands/command_line.h"

#include <fmt/core.h>
#include <cstdio>
#include <filesystem>

#include <revctl/detail/base/parse_number.h>

#include "harness/history/git_queries.h"
#include "harness/isolation/job.h"
#include "harness/isolation/system_child.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/terminal.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;

/// Returns the repository that contains `folder`, or `folder` itself if it is not in a repository.
std::string RepositoryOf(const std::string& folder) {
  if (folder.empty()) return folder;
  const fs::path root = WorkTreeAround(fs::path(folder).lexically_normal());
  return root.empty() ? folder : root.generic_string();
}

/// Checks the preconditions of a command and loads the data that it needs.
Exit Prepare(Session& session, Needs needs) {
  if (needs == Needs::Nothing) return Exit::Fine;
  session.registry = TakeRegistry();
  for (const std::string& mistake : session.registry.mistakes)
    std::fprintf(stderr, "error: %s\n", mistake.c_str());
  if (!session.registry.mistakes.empty()) return Exit::Usage;
  session.list = DefaultList();
  if (session.list == nullptr || session.list->Latest() == nullptr) {
    return Refuse(Exit::Usage, "this program has no revision list, or more than one",
                  "build it with revctl_add_harness(... LIST path/to/list.h), or include exactly "
                  "one header that `revctl codegen` writes");
  }
  if (session.registry.types.empty()) {
    return Refuse(Exit::Usage, "no type is registered",
                  "HARNESS_TYPE(YourType, ITS_FIRST_REVISION);");
  }
  const auto& settings = session.registry.settings;
  if (!session.golden.empty()) session.program += " --golden " + base::ShellWord(session.golden);
  if (session.seed != Session().seed) session.program += fmt::format(" --seed {}", session.seed);
  if (session.golden.empty()) session.golden = settings.golden;
  if (session.golden.empty() && needs == Needs::Goldens)
    return Refuse(Exit::Usage, "no golden folder was set", session.program + " --golden FOLDER");
  session.source_root = RepositoryOf(settings.source_root);
  return Exit::Fine;
}

/// Parses the value of `--seed`. If it is malformed, reports that and returns false.
bool TakeSeed(const std::string& text, Session& session) {
  if (revctl::detail::ParseNumber(text, session.seed)) return true;
  (void)Refuse(Exit::Usage,
               text + " is not a seed; expected a whole number from 0 to 18446744073709551615");
  return false;
}

/// Returns the position of the command `test`, skipping common options and their values. Returns
/// the end for any other command.
std::vector<std::string>::const_iterator FindTest(const std::vector<std::string>& words) {
  for (auto word = words.begin(); word != words.end(); ++word) {
    const bool takes_value = *word == "--golden" || *word == "--format" || *word == "--seed";
    if (takes_value && word + 1 != words.end()) ++word;
    else if (!word->starts_with('-')) return *word == "test" ? word : words.end();
  }
  return words.end();
}

/// Parses the options that `test` shares with other commands. All other words are for Catch2.
bool TakeOwn(const std::vector<std::string>& words, Session& session, TestArguments& test) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    const std::size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const std::string option = words[i].substr(0, equals);
    const bool has_value = equals != std::string::npos || !last;
    const auto value = [&] {
      return equals != std::string::npos ? words[i].substr(equals + 1) : words[++i];
    };
    if (option == "--golden" && has_value) {
      session.golden = value();
    } else if (option == "--seed" && has_value) {
      if (!TakeSeed(value(), session)) return false;
    } else {
      test.words.push_back(words[i]);
    }
  }
  return true;
}

/// Runs `test`. Words after `test` are for Catch2, except --golden and --seed. Only common options
/// may precede `test`.
Exit RunCatch(TestRunner run, Session& session, const std::vector<std::string>& before,
              const std::vector<std::string>& behind) {
  TestArguments test;
  if (!TakeOwn(before, session, test)) return Exit::Usage;
  if (!test.words.empty()) {
    return Refuse(
        Exit::Usage, "`test` uses Catch2's output options, not " + test.words.front(),
        session.program + " test --reporter junit   # Catch2's options follow the command");
  }
  if (!TakeOwn(behind, session, test)) return Exit::Usage;
  const Exit exit = Prepare(session, Needs::Goldens);
  return exit == Exit::Fine ? run(session, test) : exit;
}

}  // namespace

Session NewSession(int argc, char** argv) {
  // Without this call, a pipe could get the descriptor of a closed standard stream.
  base::PrepareProcess();
  Session session;
  session.path = argc > 0 ? argv[0] : "harness";
  session.program = base::ShellWord(session.path);
  session.colour = base::ColouredOutput();
  return session;
}

Exit RunCommandLine(TestRunner test, Session session, const std::vector<std::string>& words) {
  KeepFreedMemory();
  if (IsStartedJob(words)) RunStartedJob(words, TakeRegistry());
  if (const auto at = FindTest(words); at != words.end())
    return RunCatch(test, session, {words.begin(), at}, {at + 1, words.end()});
  const cli::Program program = HarnessProgram(fs::path(session.path).filename().generic_string());
  const cli::Line line = cli::Parse(program, words);
  const auto* command = static_cast<const Command*>(line.command);
  const std::string help = (command == nullptr ? "" : " " + std::string(command->name)) + " --help";
  if (line.kind == cli::Line::Kind::Mistaken)
    return Refuse(Exit::Usage, line.text, session.program + help);
  const bool nothing = line.kind == cli::Line::Kind::NamesNoCommand;
  if (nothing && !words.empty())
    return Refuse(Exit::Usage, "no command was given", session.program + help);
  if (nothing || line.kind == cli::Line::Kind::Prints) {
    std::fputs((nothing ? cli::HelpText(program) : line.text).c_str(), stdout);
    return Exit::Fine;
  }
  const auto format = cli::FormatOf(line.shared);
  if (!format) return Refuse(Exit::Usage, format.error().message, session.program + help);
  session.format = *format;
  session.quiet = line.shared.Has("--quiet");
  session.golden = line.shared.Value("--golden");
  if (line.shared.Has("--seed") && !TakeSeed(line.shared.Value("--seed"), session))
    return Exit::Usage;
  const Exit exit = Prepare(session, command->needs);
  return exit == Exit::Fine ? command->run(session, line.arguments) : exit;
}

int Finish(Exit exit) {
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  return static_cast<int>(
      lost && exit == Exit::Fine ? Refuse(Exit::Environment, "cannot write to stdout") : exit);
}

}  // namespace revctl::harness
