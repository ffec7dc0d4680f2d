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

/// Where results and talk go. main gives the terminal's; tests may give their own.
class Console {
 public:
  virtual ~Console() = default;
  virtual void Out(std::string_view text) = 0;      ///< results
  virtual void Message(std::string_view text) = 0;  ///< what is said beside them, a line each
  virtual void Progress(
      std::string_view text) = 0;  ///< a line that the next one replaces; on a terminal alone
  /// A question that a person at a terminal answers with yes; false where there is no terminal.
  virtual bool Ask(std::string_view) { return false; }
};

/// One run of one command: what the global options said.
class Session {
 public:
  explicit Session(Console& console) : console_(console) {}

  std::string directory = ".";  ///< -C
  std::string list;             ///< --list: a list's name or path; empty: the only one, or all
  findings::Format format = findings::Format::Text;
  bool quiet = false;
  bool verbose = false;  ///< each git command that runs is said
  bool colour = false;   ///< stdout is a terminal and NO_COLOR is not set
  std::string program;   ///< argv[0], for `install`
  /// Asked by main where the command succeeds, for what is still to be said.
  std::function<std::string()> afterword;
  std::string commit;  ///< from which this program was built; empty: not known

  bool json() const { return format == findings::Format::Json; }
  /// A result, for a person.
  void Out(std::string_view text) { console_.Out(findings::Printable(text)); }
  /// A result, for a program; a line end follows.
  void OutJson(const Json& json) { console_.Out(findings::JsonSafe(json)); }
  void Message(std::string_view text) {
    if (!quiet) console_.Message(findings::Printable(text));
  }
  void Progress(std::string_view text) {
    if (!quiet) console_.Progress(findings::OneLine(text));
  }
  /// What a renderer has made, colours included, or code: each byte as it is.
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

/// The exit code of a command that ran to its end, or the error that stopped it.
using Outcome = base::Result<base::Exit>;

}  // namespace revctl::commands
