#include "harness/commands/session.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include <revctl/detail/base/parse_number.h>

#include "harness/advice/code_lines.h"
#include "revctl/base/file.h"
#include "revctl/base/replace_file.h"
#include "revctl/base/terminal.h"
#include "revctl/findings/nearest.h"
#include "revctl/findings/outputs.h"
#include "revctl/findings/printable.h"

namespace revctl::harness {

CheckOptions OptionsOf(const Session& session) {
  CheckOptions options;
  options.seed = session.seed;
  options.program = session.program;
  options.source_root = session.source_root;
  options.build_root = session.registry.settings.build_root;
  return options;
}

Exit PrintFindings(const Session& session, const std::vector<std::string>& outputs,
                   const std::vector<Finding>& findings, const std::string& checked,
                   const std::function<std::string()>& facts) {
  const auto parsed = revctl::findings::ParseOutputs(session.format, outputs);
  if (!parsed.ok()) return Refuse(parsed.error());
  revctl::findings::Heading heading{std::filesystem::path(session.path).filename().generic_string(),
                                    checked};
  if (facts && parsed->Has(revctl::findings::Format::Markdown)) heading.facts = facts();
  const bool text = parsed->on_stdout == revctl::findings::Format::Text;
  std::fputs(revctl::findings::Render(findings, parsed->on_stdout, session.colour, heading).c_str(),
             stdout);
  if (!session.quiet && (findings.empty() || !text))
    std::fputs(revctl::findings::StatusLine(findings, checked).c_str(), stderr);
  for (const auto& [format, path] : parsed->files) {
    const auto written =
        base::WriteFileAtomically(path, revctl::findings::Render(findings, format, false, heading));
    if (!written) return Refuse(Exit::Environment, written.error().message);
  }
  return Exit::Fine;
}

void PrintJson(const base::Json& json) { std::fputs(findings::JsonSafe(json).c_str(), stdout); }

Exit Refuse(Exit exit, const std::string& message, const std::string& fix) {
  // Escape the message, because paths and values may contain terminal escapes or CI log commands.
  std::fprintf(stderr, "error: %s\n", findings::Printable(message).c_str());
  if (!fix.empty()) std::fprintf(stderr, "fix: %s\n", fix.c_str());
  return exit;
}

Exit Refuse(Exit exit, const base::Error& error) {
  return Refuse(exit, base::InMessage(error).message, error.fix);
}

Exit Refuse(const base::Error& error) { return Refuse(error.exit, error); }

std::string CheckedCounts(const CheckResult& result) {
  return fmt::format("{}, {}, {}", Counted(result.types, "type"),
                     Counted(result.revisions, "revision"), Counted(result.goldens, "golden"));
}

void NameUnreadSources(const Session& session, const std::vector<Finding>& findings) {
  std::set<std::string> named;
  for (const Finding& finding : findings) {
    // Print source lines only for errors in code, not for errors in goldens.
    const bool in_code = finding.line != 0 && !finding.file.ends_with(".yaml");
    if (finding.severity == Severity::Error && in_code) named.insert(finding.file);
  }
  for (const std::string& file : named) {
    const std::filesystem::path path = std::filesystem::path(session.source_root) / file;
    if (std::ifstream(path).good()) continue;
    std::fprintf(
        stderr,
        "warning: cannot read the source %s, so the suggested lines may not match it\nfix: "
        "rebuild the harness from the sources that it checks\n",
        revctl::findings::Printable(path.lexically_normal().generic_string()).c_str());
  }
}

const revctl::ListEntry* FindRevision(const Session& session, const std::string& name) {
  if (const revctl::ListEntry* entry = session.list->Find(std::string_view(name))) return entry;
  std::int64_t number = 0;
  if (revctl::detail::ParseNumber(name, number)) return session.list->Find(number);
  std::vector<std::string> names;
  for (const auto& entry : session.list->entries) names.emplace_back(entry.name);
  const std::string prefixed = CommonPrefix(names) + name;
  return session.list->Find(std::string_view(prefixed));
}

std::string NoSuchRevision(const Session& session, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : session.list->entries) names.emplace_back(entry.name);
  return fmt::format("the list has no revision {}{}", name, findings::DidYouMean(name, names));
}

ProgressLine::ProgressLine(bool quiet)
    : width_(quiet ? 0 : base::TerminalWidth(base::Stream::Errors)) {}

ProgressLine::~ProgressLine() { Wipe(); }

void ProgressLine::Wipe() {
  if (shown_ != 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(shown_), "");
  shown_ = 0;
}

double ProgressLine::Due() {
  const Clock::time_point now = Clock::now();
  if (width_ == 0 || now - drawn_ < std::chrono::seconds(1)) return 0;
  drawn_ = now;
  return std::chrono::duration<double>(now - began_).count();
}

void ProgressLine::Draw(std::string line) {
  line.resize(std::min(line.size(), width_ - 1));
  Wipe();
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = line.size();
}

void ProgressLine::ShowInputs(std::uint64_t inputs, double seconds, const std::string& type) {
  const double spent = Due();
  if (spent == 0) return;
  Draw(fmt::format("{} hostile inputs, {:.0f} a second, {} left: {}", inputs,
                   static_cast<double>(inputs) / spent,
                   base::Duration(std::max(0.0, seconds - spent)), type));
}

std::string ProgressLine::Goldens(std::size_t done, std::size_t all, double spent,
                                  const std::string& type) {
  return fmt::format("{}: {}", base::HowFar(done, all, "goldens", spent), type);
}

void ProgressLine::ShowGoldens(std::size_t done, std::size_t all, const std::string& type) {
  if (const double spent = Due(); spent != 0) Draw(Goldens(done, all, spent, type));
}

void ProgressLine::ShowFiles(std::size_t done, std::size_t all, const std::string& file) {
  if (const double spent = Due(); spent != 0)
    Draw(fmt::format("{}: {}", base::HowFar(done, all, "files", spent), file));
}

CheckResult CheckShown(const Session& session, const golden::Store& store, CheckOptions options) {
  ProgressLine line(session.quiet);
  options.watch = [&](std::size_t done, std::size_t all, const std::string& type) {
    line.ShowGoldens(done, all, type);
  };
  return CheckIsolated(session.registry, *session.list, store, options);
}

}  // namespace revctl::harness
