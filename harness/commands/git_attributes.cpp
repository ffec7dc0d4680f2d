#include "harness/commands/git_attributes.h"

#include <cstdio>
#include <filesystem>

#include "harness/history/work_tree.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAttributes =
    "# Payloads are bytes: git turns no line ends in them, and shows what they hold where the "
    "harness's\n"
    "# `dump --textconv` is configured as diff.revctl-golden.textconv. A record and its payloads "
    "are "
    "merged\n"
    "# by revctl's driver, where `revctl install` has set it up: both as one side has them.\n"
    "*.golden binary diff=revctl-golden merge=revctl\n"
    "*.yaml merge=revctl\n";

/// What git's shell runs, wherever in the work tree it was called.
std::string Textconv(const Session& session) {
  const auto anywhere = [](const std::string& path) {
    std::error_code ignored;
    return base::ShellWord(fs::absolute(path, ignored).lexically_normal().string());
  };
  const bool by_path = session.path.find('/') != std::string::npos;  // else the shell finds it
  std::string command = by_path ? anywhere(session.path) : base::ShellWord(session.path);
  if (session.golden != session.registry.settings.golden)
    command += " --golden " + anywhere(session.golden);
  return command + " dump --textconv";
}

}  // namespace

Exit OfferTextconv(const Session& session) {
  const std::string path = session.golden + "/.gitattributes";
  std::error_code ignored;
  if (WorkTreeAround(fs::absolute(session.golden, ignored)).empty()) return Exit::Fine;
  if (fs::exists(fs::symlink_status(path, ignored))) return Exit::Fine;
  if (auto written = base::WriteFileAtomically(path, kAttributes); !written)
    return Refuse(Exit::Environment, written.error());
  if (session.quiet) return Exit::Fine;
  std::fprintf(stderr,
               "wrote %s (commit it): git diff shows what payloads hold, once a clone has\n"
               "  git config diff.revctl-golden.textconv %s\n",
               path.c_str(), base::ShellWord(Textconv(session)).c_str());
  return Exit::Fine;
}

}  // namespace revctl::harness
