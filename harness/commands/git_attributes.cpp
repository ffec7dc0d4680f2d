#include "harness/commands/git_attributes.h"

#include <cstdio>
#include <filesystem>

#include "golden/file_io.h"
#include "harness/work_tree.h"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAttributes =
    "# Payloads are bytes: git neither merges them nor turns their line ends, and shows what they hold where the harness's\n"
    "# `dump --textconv` is configured as diff.revctl-golden.textconv.\n"
    "*.golden binary diff=revctl-golden\n";

}  // namespace

Exit OfferTextconv(const Session& session) {
  const std::string path = session.golden + "/.gitattributes";
  std::error_code ignored;
  if (WorkTreeAround(fs::absolute(session.golden, ignored)).empty()) return Exit::Fine;
  if (fs::exists(fs::symlink_status(path, ignored))) return Exit::Fine;
  if (auto written = golden::WriteFileAtomically(path, kAttributes); !written)
    return Refuse(Exit::Environment, written.problem().file + ": " + written.problem().message);
  if (session.quiet) return Exit::Fine;
  const std::string program = fs::absolute(session.path, ignored).lexically_normal().string();
  std::fprintf(stderr,
               "wrote %s (commit it): git diff shows what payloads hold, once a clone has\n"
               "  git config diff.revctl-golden.textconv \"'%s' dump --textconv\"\n",
               path.c_str(), program.c_str());
  return Exit::Fine;
}

}  // namespace harness
