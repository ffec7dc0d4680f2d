#include "harness/testing/test_program.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace revctl::harness::test {

Folder::Folder() {
  static std::atomic<unsigned> number{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const std::string name = "harness " + std::to_string(now) + "-" + std::to_string(++number);
  const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
  REQUIRE(std::filesystem::create_directory(path));  // fails if the folder already exists
  path_ = path.generic_string();
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
std::string Sources() { return REVCTL_SOURCES; }

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

revctl::ListTable Program::List() const {
  SetVariable(kStartedProgram, PackedForChildren(registry));
  return {"main", entries, 1};
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
  // The finding has the path passed to the compiler, which may be relative to a different folder
  // than the test's.
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
