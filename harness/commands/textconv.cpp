// Shows payloads in `git diff`.
#include <cstdio>
#include <filesystem>
#include <map>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"
#include "harness/commands/command.h"
#include "harness/history/git_queries.h"
#include "harness/history/history.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"
#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/shell_word.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestPack = 512U << 20;
constexpr std::size_t kBytesALine = 16;

/// The golden that has a given payload, according to a record in the folder.
struct Meaning {
  const RootType* root = nullptr;
  std::string id;
  std::int64_t number = 0;
};

std::map<std::uint64_t, Meaning> Meanings(const Session& session, const History& history) {
  std::map<std::uint64_t, Meaning> meanings;
  for (const RootType& root : session.registry.types) {
    for (const Golden& golden : history.Goldens(root.name)) {
      meanings.emplace(golden.item->hash,
                       Meaning{&root, golden.id, history.revisions()[golden.revision].number});
    }
  }
  return meanings;
}

void PrintHex(std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kBytesALine) {
    std::printf("%8zu ", at);
    for (std::size_t i = at; i < at + kBytesALine && i < bytes.size(); ++i)
      std::printf(" %02x", static_cast<unsigned>(bytes[i]));
    std::printf("\n");
  }
}

/// Prints the payload as a tree. Returns false if the current code cannot read the payload; the
/// caller then prints the bytes.
bool PrintTree(const Meaning& meaning, std::span<const std::byte> bytes) {
  const Object object(meaning.root->type());
  const Traced read = TraceRead(meaning.root->type(), bytes, meaning.number, object.get());
  if (!read.ok || !read.at_end) return false;
  for (std::size_t i = 0; i < read.leaves.size(); ++i) {
    // The offsets of an opaque type's values are unknown.
    const std::string offset = read.offsets.empty() ? "" : std::to_string(read.offsets[i]);
    std::printf("%8s  %s: %s\n", offset.c_str(), read.leaves[i].path.c_str(),
                read.leaves[i].text.c_str());
  }
  return true;
}

}  // namespace

Exit RunTextconv(const Session& session, const std::string& file) {
  const auto bytes = base::ReadFile(file, kLargestPack);
  if (!bytes || !*bytes) return Refuse(Exit::Usage, file + ": no such file");
  const auto pack = golden::PayloadPack::Parse(**bytes, file);
  if (!pack) {
    // A diff must always show something, even for a damaged file.
    std::printf("cannot be read: %s\n", pack.error().message.c_str());
    return Exit::Fine;
  }
  const golden::Store store = golden::Store::Open(session.golden);
  const History history(*session.list, store);
  const auto meanings = Meanings(session, history);
  for (const auto& [hash, payload] : pack->payloads()) {
    const auto meaning = meanings.find(hash);
    const bool known = meaning != meanings.end();
    std::printf(
        "%s, %zu bytes%s\n", golden::HashText(hash).c_str(), payload.size(),
        known ? (": " + meaning->second.root->name + " " + meaning->second.id).c_str() : "");
    if (!known || !PrintTree(meaning->second, payload)) PrintHex(payload);
  }
  return Exit::Fine;
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kAttributes =
    "# Payloads are binary, so git must not convert line endings in them. `git diff` shows their "
    "values if the\n# harness's `dump --textconv` is configured as diff.revctl-golden.textconv. If "
    "`revctl install` has set up\n# revctl's merge driver, it takes a record and its payloads from "
    "the same side.\n*.golden binary diff=revctl-golden merge=revctl\n*.yaml merge=revctl\n"
    "*.payload binary\n";

/// Returns the textconv command for git's configuration. It must work in every folder of the work
/// tree.
std::string Textconv(const Session& session) {
  const auto anywhere = [](const std::string& path) {
    std::error_code ignored;
    return base::ShellWord(fs::absolute(path, ignored).lexically_normal().generic_string());
  };
  // A program whose path has no slash was found in PATH, so the path works everywhere.
  const bool by_path = session.path.find('/') != std::string::npos;
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
               "wrote %s; commit it. To see payload values in git diff, run this once in each "
               "clone:\n  git config diff.revctl-golden.textconv %s\n",
               path.c_str(), base::ShellWord(Textconv(session)).c_str());
  return Exit::Fine;
}

}  // namespace revctl::harness
