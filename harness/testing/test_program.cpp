#include "harness/testing/test_program.h"

#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

namespace revctl::harness::test {

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "harness XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()));
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string AdopterPath(const std::string& name) {
  return REVCTL_ADOPTERS "/harness_adopter_" + name;
}
std::string Adopter(const std::string& name) { return "'" + AdopterPath(name) + "'"; }
std::string Tool() { return "'" REVCTL_PROGRAM "'"; }
std::string KillAt() { return REVCTL_KILL_AT; }
std::string Sources() { return REVCTL_SOURCES; }

Ran Run(const Folder& folder, const std::string& command) {
  const std::string whole = "cd '" + folder.path() + "' && unset CI && export NO_COLOR=1 && " +
                            command + " >out.txt 2>err.txt";
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Bytes(folder.path() + "/out.txt"),
          Bytes(folder.path() + "/err.txt")};
}

Ran RunAtTerminal(const Folder& folder, std::vector<std::string> words, const std::string& typed,
                  bool ci) {
  int terminal = -1;
  winsize size{};
  size.ws_col = 60;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  REQUIRE(child >= 0);
  if (child == 0) {
    if (::chdir(folder.path().c_str()) != 0) ::_exit(99);
    ::unsetenv("CI");
    if (ci) ::setenv("CI", "true", 1);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    ::_exit(99);
  }
  REQUIRE(::write(terminal, typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
  Ran ran;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
    ran.out.append(buffer, static_cast<std::size_t>(got));
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

std::vector<std::string> Listing(const Folder& folder) {
  std::vector<std::string> names;
  if (!std::filesystem::exists(folder.path() + "/golden")) return names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() + "/golden"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string Bytes(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

Program::Program(std::size_t count) {
  const std::vector<revctl::ListEntry> all = {{"SR_INITIAL", 1, 0x11},
                                              {"SR_FOULS", 2, 0x22},
                                              {"SR_PLAYERS", 3, 0x33},
                                              {"SR_NO_FOULS", 4, 0x44},
                                              {"SR_NEXT", 5, 0x55}};
  entries.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
}

void Program::Record(const Folder& folder) const {
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = List();
  const History history(list, store);
  RecordingOptions options;
  options.renames = Renames(store.approvals());
  const Recording recording =
      revctl::harness::Record(registry, history, history.revisions().size() - 1, options);
  for (const std::string& trouble : recording.troubles) FAIL(trouble);
  const auto written = revctl::golden::WriteRecord(folder.path(), recording.record,
                                                   recording.payloads, false, recording.large);
  if (!written.ok()) FAIL(written.error().message);
}

CheckResult Program::Check(const Folder& folder) const {
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  return revctl::harness::Check(registry, List(), store, options);
}

std::vector<std::string> Errors(const CheckResult& result) {
  std::vector<std::string> errors;
  for (const Finding& finding : result.findings) {
    if (finding.severity == Severity::Error)
      errors.push_back(std::string(findings::NameOf(finding.rule)) + " " + finding.type + "." +
                       finding.field);
  }
  return errors;
}

std::string Text(const CheckResult& result) {
  return revctl::findings::Render(result.findings, revctl::findings::Format::Text, false);
}

Finding Find(const CheckResult& result, const std::string& rule, const std::string& type,
             const std::string& field) {
  for (const Finding& finding : result.findings) {
    if (findings::NameOf(finding.rule) == rule && finding.type == type && finding.field == field)
      return finding;
  }
  FAIL("no " << rule << " about " << type << "." << field << " in:\n" << Text(result));
  return {};
}

std::string SourceLine(const Finding& finding) {
  // The finding has the path that was passed to the compiler, which may be relative to a different
  // folder.
  const auto inside = finding.file.rfind("harness/");
  std::ifstream source(Sources() + "/" +
                       finding.file.substr(std::min(inside, finding.file.size())));
  std::string line;
  for (int i = 0; i < finding.line && std::getline(source, line); ++i) {
  }
  return source ? line : "";
}

std::string MutationRow(const std::string& json, const std::string& mutation) {
  const auto at = json.find("{\"mutation\":\"" + mutation + "\"");
  REQUIRE(at != std::string::npos);
  return json.substr(at, json.find("{\"mutation\"", at + 1) - at);
}

}  // namespace revctl::harness::test
