#include "harness/commands/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "harness/commands/man_page.h"
#include "harness/history/work_tree.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/terminal.h"
#include "revctl/findings/nearest.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;
using findings::Format;

/// The repository that holds `folder`, or `folder` itself.
std::string RepositoryOf(const std::string& folder) {
  if (folder.empty()) return folder;
  const fs::path root = WorkTreeAround(fs::path(folder).lexically_normal());
  return root.empty() ? folder : root.string();
}

/// What must be right before a command makes sense.
Exit Prepare(Session& session, Needs needs) {
  if (needs == Needs::Nothing) return Exit::Fine;
  session.registry = TakeRegistry();
  for (const std::string& mistake : session.registry.mistakes)
    std::fprintf(stderr, "error: %s\n", mistake.c_str());
  if (!session.registry.mistakes.empty()) return Exit::Usage;
  session.list = DefaultList();
  if (session.list == nullptr || session.list->Latest() == nullptr) {
    return Refuse(Exit::Usage, "this program has no revision list, or several",
                  "build it with revctl_add_harness(... LIST path/to/list.h), or include one "
                  "header of `revctl codegen`");
  }
  if (session.registry.types.empty()) {
    return Refuse(Exit::Usage, "no type is registered",
                  "HARNESS_TYPE(YourType, SR_FIRST_REVISION_OF_IT);");
  }
  const auto& settings = session.registry.settings;
  if (!session.golden.empty()) session.program += " --golden " + base::ShellWord(session.golden);
  if (session.seed != Session().seed) session.program += " --seed " + std::to_string(session.seed);
  if (session.golden.empty()) session.golden = settings.golden;
  if (session.golden.empty() && needs == Needs::Goldens)
    return Refuse(Exit::Usage, "where the goldens are is not known",
                  session.program + " --golden FOLDER");
  session.source_root = RepositoryOf(settings.source_root);
  return Exit::Fine;
}

/// Where the command stands: behind the options that all share, and their values; `argc` where
/// there is none.
int CommandAt(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--golden" || word == "--format" || word == "--seed") {
      ++i;
    } else if (!word.starts_with('-')) {
      return i;
    }
  }
  return argc;
}

/// Why `text` is no seed; empty where it is one.
std::string IsSeed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool number = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return number ? std::string() : text + " is no seed: a whole number from 0 on";
}

/// Takes the options that `test` shares with the other commands; all other words are Catch2's.
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
      const std::string seed = value(), wrong = IsSeed(seed);
      if (!wrong.empty()) {
        (void)Refuse(Exit::Usage, wrong);
        return false;
      }
      session.seed = std::strtoull(seed.c_str(), nullptr, 10);
    } else {
      test.words.push_back(words[i]);
    }
  }
  return true;
}

/// Everything behind `test` but --golden and --seed is Catch2's; before it stand these alone.
Exit RunCatch(TestRunner run, Session& session, int at, int argc, char** argv) {
  TestArguments test;
  if (!TakeOwn({argv + 1, argv + at}, session, test)) return Exit::Usage;
  if (!test.words.empty()) {
    return Refuse(Exit::Usage, "`test` prints as Catch2 does, without " + test.words.front(),
                  session.program + " test --reporter junit   # Catch2's options stand behind it");
  }
  if (!TakeOwn({argv + at + 1, argv + argc}, session, test)) return Exit::Usage;
  const Exit exit = Prepare(session, Needs::Goldens);
  return exit == Exit::Fine ? run(session, test) : exit;
}

/// The options that all commands share.
struct SharedOptions {
  std::map<std::string, Format> formats = {{"text", Format::Text},     {"json", Format::Json},
                                           {"github", Format::GitHub}, {"gitlab", Format::GitLab},
                                           {"sarif", Format::Sarif},   {"junit", Format::JUnit}};
  std::string format = "text";
  bool json = false;

  void AddTo(CLI::App& app, Session& session) {
    std::vector<std::string> names;
    for (const auto& [name, each] : formats) names.push_back(name);
    app.add_option("--golden", session.golden,
                   "folder of the goldens, instead of the one compiled in");
    app.add_option("--format", format, "of findings: text, json, github, gitlab, sarif, junit")
        ->transform(CLI::IsMember(names, CLI::ignore_case).description(""));
    app.add_flag("--json", json, "short for --format json");
    app.add_flag("-q,--quiet", session.quiet, "results only");
    app.add_option("--seed", session.seed, "of the automatic samples")
        ->check(CLI::Validator(IsSeed, ""))
        ->capture_default_str();
  }
};

/// What every harness has besides: each prints, and needs neither list nor goldens.
void AddOwnCommands(CLI::App& app, std::vector<std::string>& names) {
  const auto add = [&](const char* name, const char* about, std::function<void()> print) {
    app.add_subcommand(name, about)->callback(std::move(print));
    names.emplace_back(name);
  };
  add("help", "prints what a command does: help [COMMAND]", [] {});
  add("man", "prints the man page of this program",
      [&app] { std::fputs(ManPage(app, app.get_name()).c_str(), stdout); });
  add("version", "prints the version of revctl that this was built with",
      [] { std::puts("revctl " REVCTL_VERSION); });
}

/// A word that no option of `command` takes: a slip of the pen, mostly.
Exit RefuseExtra(const CLI::App& app, const CLI::App& command, const Session& session) {
  std::vector<std::string> known;
  for (const CLI::App* each : {&command, &app}) {
    for (const CLI::Option* option : each->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  const std::string word = app.remaining(true).front();
  const std::string option = word.substr(0, word.find('='));
  return Refuse(Exit::Usage,
                option.starts_with('-') ? "`" + command.get_name() + "` has no option " + option +
                                              findings::DidYouMean(option, known)
                                        : "`" + command.get_name() + "` takes no " + word,
                session.program + " " + command.get_name() + " --help");
}

}  // namespace

Session NewSession(int argc, char** argv) {
  Session session;
  session.path = argc > 0 ? argv[0] : "harness";
  session.program = base::ShellWord(session.path);
  session.colour = base::ColouredOutput();
  return session;
}

Exit RunCommandLine(std::span<const Command> commands, TestRunner test, Session session, int argc,
                    char** argv) {
  const int at = CommandAt(argc, argv);
  if (at < argc && std::string_view(argv[at]) == "test")
    return RunCatch(test, session, at, argc, argv);

  CLI::App app(
      "Checks that every revision ever saved still loads, and that no layout changed without a "
      "revision.",
      fs::path(session.path).filename().string());
  app.set_help_flag("-h,--help", "prints this");
  app.require_subcommand(1);
  app.fallthrough();
  SharedOptions shared;
  shared.AddTo(app, session);
  Exit exit = Exit::Fine;
  std::vector<std::string> names;
  for (const Command& command : commands) {
    CLI::App* const declared = app.add_subcommand(command.name, command.about);
    declared->callback([&, needs = command.needs, run = command.declare(*declared)] {
      session.format = shared.json ? Format::Json : shared.formats.at(shared.format);
      exit = Prepare(session, needs);
      if (exit == Exit::Fine) exit = run(session);
    });
    names.emplace_back(command.name);
  }
  AddOwnCommands(app, names);
  const bool help =
      at < argc && std::string_view(argv[at]) == "help" && (at + 1 == argc || *argv[at + 1] != '-');
  const int named = help ? at + 1 : at;
  // The library's own message for a slip in the command speaks of its options.
  if (named < argc && std::find(names.begin(), names.end(), argv[named]) == names.end()) {
    return Refuse(Exit::Usage,
                  "there is no command `" + std::string(argv[named]) + "`" +
                      findings::DidYouMean(argv[named], names),
                  session.program + " --help");
  }
  if (help || argc == 1) {
    const std::string text =
        named < argc ? app.get_subcommand(argv[named])->help(app.get_name()) : app.help();
    std::fputs(text.c_str(), stdout);
    return Exit::Fine;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    return RefuseExtra(app, at < argc ? *app.get_subcommand(argv[at]) : app, session);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? Exit::Fine : Exit::Usage;
  }
  return exit;
}

int Finish(Exit exit) {
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  return static_cast<int>(
      lost && exit == Exit::Fine ? Refuse(Exit::Environment, "stdout cannot be written") : exit);
}

}  // namespace revctl::harness
