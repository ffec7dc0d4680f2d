#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"
#include "revctl/cli/command.h"
#include "revctl/findings/finding.h"
#include "revctl/findings/printable.h"

namespace revctl::commands {

using base::Json;

/// Receives everything that a command prints. `main` passes the terminal, and tests may pass a
/// recorder.
class Console {
 public:
  virtual ~Console() = default;
  virtual void Out(std::string_view text) = 0;
  virtual void Message(std::string_view text) = 0;  ///< prints a message on its own line
  virtual void Progress(
      std::string_view text) = 0;  ///< shows a line that the next call replaces; only on a terminal
  /// Asks a yes/no question. Returns false if there is no terminal.
  virtual bool Ask(std::string_view) { return false; }
};

/// One run of a command, with the global options and the console to print to.
class Session {
 public:
  explicit Session(Console& console) : console_(console) {}

  std::string directory = ".";
  /// value of --list: name or path of a list; empty if the user did not give the option
  std::string list;
  findings::Format format = findings::Format::Text;
  bool quiet = false;
  bool verbose = false;  ///< true if each git command is printed before it runs
  bool colour = false;   ///< true if stdout is a terminal and NO_COLOR is not set
  std::string program;
  /// If set, main calls this after a successful command and prints the result last.
  std::function<std::string()> afterword;
  std::string commit;  ///< commit that this program was built from; empty if unknown

  bool json() const { return format == findings::Format::Json; }
  void Out(std::string_view text) { console_.Out(findings::Printable(text)); }
  /// Prints a result as JSON, followed by a newline.
  void OutJson(const Json& json) { console_.Out(findings::JsonSafe(json)); }
  void Message(std::string_view text) {
    if (!quiet) console_.Message(findings::Printable(text));
  }
  void Progress(std::string_view text) {
    if (!quiet) console_.Progress(findings::OneLine(text));
  }
  /// Prints text unchanged. Used for code and for text that already contains colors.
  void OutExact(std::string_view text) { console_.Out(text); }
  void MessageExact(std::string_view text) {
    if (!quiet) console_.Message(text);
  }
  bool Ask(std::string_view question) { return console_.Ask(question); }

 private:
  Console& console_;
};

using cli::Arguments;
using cli::Contradiction;
using cli::Hint;
using cli::Option;
using cli::Positional;

/// The exit code of a command that ran to completion, or the error that stopped it.
using Outcome = base::Result<base::Exit>;

}  // namespace revctl::commands
