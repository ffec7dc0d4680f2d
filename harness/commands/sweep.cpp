#include <cstdio>
#include <filesystem>
#include <fstream>

#include "harness/check.h"
#include "harness/commands/command.h"
#include "harness/hostile_input.h"

namespace harness {
namespace {

/// Where a crashing input goes, so that it can be replayed: beside the caller, named after type and
/// golden.
std::string SaveInput(const RootType& root, const StormResult& storm) {
  std::string name = "crash-" + root.name + ".bin";
  for (char& c : name) {
    if (c == ':' || c == '<' || c == '>' || c == ',' || c == '/') c = '_';
  }
  std::ofstream file(name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(storm.input.data()),
             static_cast<std::streamsize>(storm.input.size()));
  return file ? name : "";
}

}  // namespace

Exit RunSweep(const Session& session, const SweepArguments& arguments) {
  const golden::Store store = golden::Store::Open(session.golden);
  CheckResult result = Check(session.registry, *session.list, store,
                             {session.seed, session.program, session.source_root,
                              session.registry.settings.build_root, true});
  const History history(*session.list, store);
  std::uint64_t inputs = 0, refused = 0;
  const double share = arguments.fuzz_seconds /
                       static_cast<double>(std::max<std::size_t>(session.registry.types.size(), 1));
  for (const RootType& root : session.registry.types) {
    if (share <= 0 || history.Goldens(root.name).empty()) continue;
    const StormResult storm = Storm(root, history, share, session.seed);
    inputs += storm.inputs;
    refused += storm.refused;
    if (storm.crashed.empty()) continue;
    Finding finding;
    finding.rule = rule::kRefusal;
    finding.signal = "refusal";
    finding.type = root.name;
    finding.file = root.entry.file;
    finding.line = root.entry.line;
    finding.message = root.name + ": hostile input ends the process: " + storm.crashed;
    finding.fix = "the input is in " + SaveInput(root, storm) +
                  "; read it under a sanitizer, and let the body refuse it with r.Fail(reason)";
    result.findings.insert(result.findings.begin(), std::move(finding));
    result.errors = true;
  }
  std::fputs(revctl::findings::Render(result.findings, session.format, session.colour).c_str(),
             stdout);
  if (!session.quiet) {
    std::fprintf(
        stderr, "%zu types, %zu revisions, %zu goldens, %llu hostile inputs (%llu refused): %s\n",
        result.types, result.revisions, result.goldens, static_cast<unsigned long long>(inputs),
        static_cast<unsigned long long>(refused), result.errors ? "not fine" : "fine");
  }
  return result.errors ? Exit::Findings : Exit::Fine;
}

}  // namespace harness
