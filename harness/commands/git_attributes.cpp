#include "harness/commands/git_attributes.h"

#include <cstdio>
#include <filesystem>

#include "golden/file_io.h"

namespace harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAttributes =
    "# Payloads are bytes: git neither merges them nor turns their line ends, and shows what they hold where the harness's\n"
    "# `dump --textconv` is configured as diff.revctl-golden.textconv.\n"
    "*.golden binary diff=revctl-golden\n";

bool InWorkTree(const std::string& folder) {
  std::error_code ignored;
  for (fs::path at = fs::absolute(folder, ignored);; at = at.parent_path()) {
    if (fs::exists(at / ".git", ignored)) return true;
    if (!at.has_relative_path()) return false;
  }
}

}  // namespace

Exit OfferTextconv(const Session& session) {
  const std::string path = session.golden + "/.gitattributes";
  std::error_code ignored;
  if (!InWorkTree(session.golden) || fs::exists(fs::symlink_status(path, ignored))) return Exit::Fine;
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
