// The entry point, and the only file that prints and chooses an exit status.

#include <revctl_commit.h>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "revctl/base/file.h"
#include "revctl/base/system/process.h"
#include "revctl/base/terminal.h"
#include "revctl/commands/table.h"
#include "revctl/findings/printable.h"
#include "revctl/git/process.h"
#include "revctl/git/repository.h"
#include "revctl/session/session.h"

namespace {

using namespace revctl;

void Write(std::FILE* file, std::string_view text) {
  (void)!std::fwrite(text.data(), 1, text.size(), file);
}

/// Writes to stdout and stderr, and erases the progress line before other output.
class Terminal : public commands::Console {
 public:
  void Out(std::string_view text) override {
    Wipe();
    Write(stdout, text);
  }
  void Message(std::string_view text) override {
    Wipe();
    Write(stderr, text);
    Write(stderr, "\n");
  }
  void Progress(std::string_view text) override {
    const std::size_t columns = base::TerminalWidth(base::Stream::Errors);
    if (columns == 0) return;
    Wipe();
    text = text.substr(0, columns - 1);  // a wrapped line could not be erased
    Write(stderr, text);
    std::fflush(stderr);
    width_ = text.size();
  }
  bool Ask(std::string_view question) override {
    if (!base::IsTerminal(base::Stream::In) || !base::IsTerminal(base::Stream::Errors))
      return false;
    Wipe();
    Write(stderr, std::string(question) + " [y/N] ");
    const int answer = std::getchar();
    return answer == 'y' || answer == 'Y';
  }
  void Wipe() {
    if (width_ != 0) Write(stderr, "\r" + std::string(width_, ' ') + "\r");
    width_ = 0;
  }

 private:
  std::size_t width_ = 0;
};

int Complain(Terminal& terminal, const base::Error& error) {
  terminal.Message("revctl: " + findings::Printable(ErrorText(error)));
  if (!error.fix.empty()) terminal.Message("fix: " + findings::Printable(error.fix));
  return static_cast<int>(error.exit);
}

int RunProgram(const std::vector<std::string>& arguments, const char* program) {
  Terminal terminal;
  git::Library libgit2;
  commands::Session session(terminal);
  session.colour = base::ColouredOutput();
  session.program = program;
  session.commit = kBuiltFrom;
  const cli::Line line = commands::ParseCommandLine(arguments, session);
  if (line.kind == cli::Line::Kind::Mistaken) {
    const std::string help = line.command != nullptr
                                 ? "revctl " + std::string(line.command->name) + " --help"
                                 : "revctl --help";
    return Complain(terminal, {base::Exit::Usage, line.text, help});
  }
  if (session.verbose)
    base::TraceRuns([&](const std::string& ran) { terminal.Message(findings::Printable(ran)); });
  if (line.kind == cli::Line::Kind::Prints) {
    terminal.Out(line.text);
  } else {
    auto outcome =
        line.kind == cli::Line::Kind::NamesNoCommand
            ? commands::Overview(session)
            : static_cast<const commands::Command*>(line.command)->run(line.arguments, session);
    base::TraceRuns({});
    terminal.Wipe();
    if (!outcome.ok()) {
      base::Error& error = outcome.error();
      if (error.unreachable) error.fix += commands::WayWithoutServer(arguments, line);
      return Complain(terminal, error);
    }
    if (*outcome != base::Exit::Fine) {
      std::fflush(stdout);
      return static_cast<int>(*outcome);
    }
    if (session.afterword) {
      if (const std::string said = session.afterword(); !said.empty()) session.Message(said);
    }
  }
  // Report a failed write of the result, for example because the disk is full.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return Complain(terminal, {base::Exit::Environment, "cannot write to stdout", ""});
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  base::PrepareProcess();
  try {
    return RunProgram({argv + 1, argv + argc}, argc > 0 ? argv[0] : "revctl");
  } catch (const std::exception& error) {
    // The exception means that memory ran out or that there is a bug. Do not exit with a status
    // above 128, because git would take it to mean that the merge driver crashed.
    std::fprintf(stderr, "revctl: %s\n", findings::Printable(error.what()).c_str());
    return static_cast<int>(base::Exit::Environment);
  }
}
