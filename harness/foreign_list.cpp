#include "harness/foreign_list.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "golden/file_io.h"

namespace harness {
namespace {

constexpr std::size_t kLargestList = 16U << 20;

/// What `revctl codegen` makes of a list; a problem where there is no such program, or it refuses
/// the list.
golden::Result<std::string> Generate(const std::string& list) {
  const char* named = std::getenv("REVCTL_TOOL");
  std::string tool = named != nullptr && *named != '\0' ? named : "revctl";
  std::string output = (std::filesystem::temp_directory_path() / "revctl-list-XXXXXX").string();
  const int descriptor = ::mkstemp(output.data());
  if (descriptor < 0) return golden::Problem{output, 0, "cannot be created", ""};
  ::close(descriptor);
  std::string codegen = "codegen", file = "--file", to = "--output", input = list;
  char* arguments[] = {tool.data(), codegen.data(), file.data(), input.data(),
                       to.data(),   output.data(),  nullptr};
  pid_t child = 0;
  int status = -1;
  const bool ran =
      ::posix_spawnp(&child, tool.c_str(), nullptr, nullptr, arguments, environ) == 0 &&
      ::waitpid(child, &status, 0) == child;
  auto text = golden::ReadFile(output, kLargestList);
  (void)golden::RemoveFile(output);
  if (!ran || status != 0 || !text || !*text) {
    return golden::Problem{
        list, 0,
        ran ? "`revctl codegen` cannot read it"
            : "is no header of `revctl codegen`, and there is no `" + tool + "` to make one",
        "revctl codegen --file " + list + " --output theirs.h, and --written-with theirs.h"};
  }
  return std::move(**text);
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
