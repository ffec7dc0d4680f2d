#include "revctl/list/testing/compiler_oracle.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

namespace revctl::list::testing {

namespace fs = std::filesystem;

std::optional<Candidate> MakeCandidate(std::string text, int number) {
  const std::string own = std::to_string(number);
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at))
    text.replace(at, 1, own);
  ListConfig config;
  config.enum_name = "R";
  const auto list = Parse(text, config, "list.h");
  if (!list.ok() || list->entries.empty()) return std::nullopt;
  return Candidate{number, std::move(text), Assertions(*list, "::c" + own)};
}

CompilerOracle::CompilerOracle(const std::vector<Candidate>& candidates) : candidates_(candidates) {
  std::string folder = (fs::temp_directory_path() / "revctl-oracle-XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  folder_ = folder;
  for (const Candidate& one : candidates_)
    std::ofstream(folder_ / (std::to_string(one.number) + ".h"), std::ios::binary) << one.text;
}

CompilerOracle::~CompilerOracle() { fs::remove_all(folder_); }

CompilerOracle::Answer CompilerOracle::Ask(const std::string& compiler) const {
  std::set<int> left;
  for (const Candidate& one : candidates_) left.insert(one.number);
  Errors errors = Compile(compiler, left);
  // A rejected list may leave a construct open that affects the lists after it. Remove the rejected
  // list and compile the rest again.
  while (!errors.in_list.empty()) {
    for (const int number : errors.in_list) left.erase(number);
    errors = Compile(compiler, left);
  }
  Answer answer{left.size(), {}};
  for (const int number : errors.in_assertions) {
    // If the list itself does not compile, its failed assertions prove nothing.
    if (Compile(compiler, {number}, false).Any()) --answer.taken;
    else if (Compile(compiler, {number}).Any()) answer.wrong.push_back(number);
  }
  return answer;
}

CompilerOracle::Errors CompilerOracle::Compile(const std::string& compiler,
                                               const std::set<int>& numbers,
                                               bool with_assertions) const {
  if (numbers.empty()) return {};
  std::ofstream program(folder_ / "all.cpp");
  for (const Candidate& one : candidates_) {
    if (!numbers.contains(one.number)) continue;
    const std::string number = std::to_string(one.number);
    program << "namespace c" << number << " {\n#include \"" << number << ".h\"\n}\n";
    // Undefine macros that may be defined after an entry, because they would change the assertions.
    program << "#undef SR_B\n#undef kBase\n";
    if (with_assertions)
      program << "#line 1 \"" << number << ".a\"\n" << one.assertions << "#line 1 \"all.cpp\"\n";
  }
  program.close();
  // Report all errors at once: without -fmax-errors=0, clang stops after 20.
  const std::string command = "cd '" + folder_.string() + "' && " + compiler +
                              " -fsyntax-only -fmax-errors=0 -w -Werror=switch all.cpp >log 2>&1";
  if (std::system(command.c_str()) == 0) return {};
  Errors errors;
  std::ifstream lines(folder_ / "log");
  for (std::string line; std::getline(lines, line);) {
    // Errors are "12.h:3:5: error: ..." for a list, or "12.a:..." for its assertions.
    const std::size_t dot = line.find('.');
    if (dot == 0 || dot == line.npos || line.find("error") == line.npos) continue;
    const int number = std::atoi(line.c_str());
    if (!numbers.contains(number)) continue;
    (line.compare(dot, 3, ".h:") == 0 ? errors.in_list : errors.in_assertions).insert(number);
  }
  // If the error does not identify a list, blame the last list, which may have left a construct
  // open.
  if (!errors.Any()) errors.in_list.insert(*numbers.rbegin());
  return errors;
}

void CompilerOracle::CheckAll(const std::vector<std::string>& compilers, std::size_t least) const {
  for (const std::string& compiler : compilers) {
    const Answer answer = Ask(compiler);
    CAPTURE(compiler, candidates_.size(), answer.taken, answer.wrong.size());
    CHECK(answer.taken >= least);  // otherwise too few lists would be compared
    std::string shown;
    for (std::size_t i = 0; i < answer.wrong.size() && i < 5; ++i) {
      for (const Candidate& one : candidates_) {
        if (one.number == answer.wrong[i])
          shown += one.text + "\n--- " + one.assertions + "\n======\n";
      }
    }
    CHECK(shown == "");
  }
}

}  // namespace revctl::list::testing
