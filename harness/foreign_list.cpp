#include "harness/foreign_list.h"

#include <cstdlib>
#include <regex>

#include "golden/file_io.h"
#include "harness/program_output.h"

namespace harness {
namespace {

constexpr std::size_t kLargestList = 16U << 20;

/// What `revctl codegen` makes of a list; a problem where there is no such program, or it refuses
/// the list.
golden::Result<std::string> Generate(const std::string& list) {
  const char* named = std::getenv("REVCTL_TOOL");
  const std::string tool = named != nullptr && *named != '\0' ? named : "revctl";
  ProgramOutput header = RunProgram({tool, "codegen", "--file", list}, Complaints::Shown);
  if (header.ok) return std::move(header.text);
  return golden::Problem{
      list, 0,
      header.started ? "`revctl codegen` cannot read it"
                     : "is no header of `revctl codegen`, and there is no `" + tool + "` to make one",
      "revctl codegen --file " + list + " --output theirs.h, and --written-with theirs.h"};
}

}  // namespace

golden::Result<std::unique_ptr<ForeignList>> ForeignList::Read(const std::string& path) {
  auto text = golden::ReadFile(path, kLargestList);
  if (!text) return text.problem();
  if (!*text) return golden::Problem{path, 0, "there is no such file", ""};
  std::string header = std::move(**text);
  if (header.find("ListTable table") == std::string::npos) {
    auto generated = Generate(path);
    if (!generated) return generated.problem();
    header = std::move(*generated);
  }
  auto list = std::make_unique<ForeignList>();
  if (!list->Parse(header)) return golden::Problem{path, 0, "holds no revision", ""};
  return list;
}

bool ForeignList::Parse(const std::string& text) {
  static const std::regex kEntry(
      R"re(\{\s*"([A-Za-z_][A-Za-z0-9_]*)"\s*,\s*(-?[0-9]+)[A-Za-z]*\s*,\s*0x([0-9a-fA-F]+))re");
  static const std::regex kTable(
      R"re(ListTable\s+table\s*\{\s*"([^"]*)"\s*,[^,]*,\s*(-?[0-9]+))re");
  for (std::sregex_iterator at(text.begin(), text.end(), kEntry), end; at != end; ++at) {
    names_.push_back((*at)[1]);
    entries_.push_back({names_.back(), std::strtoll((*at)[2].str().c_str(), nullptr, 10),
                        std::strtoull((*at)[3].str().c_str(), nullptr, 16)});
  }
  if (entries_.empty()) return false;
  std::smatch table;
  const bool found = std::regex_search(text, table, kTable);
  name_ = found ? table[1].str() : "theirs";
  const std::int64_t oldest =
      found ? std::strtoll(table[2].str().c_str(), nullptr, 10) : entries_.front().number;
  table_ = {name_, entries_, oldest};
  return true;
}

}  // namespace harness
