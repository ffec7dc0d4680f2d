#include "revctl/tree/index_conflicts.h"

namespace revctl::commands {

Result<std::map<std::string, Stages>> UnmergedAt(const git::Repository& repository,
                                                 const std::string& place) {
  std::map<std::string, Stages> out;
  TRY(auto listed, repository.Git({"ls-files", "-z", "--unmerged", "--", place}));
  if (!listed.ok()) return out;
  for (const std::string& line : git::SplitAtNul(listed.out)) {  // "MODE OID STAGE\tPATH"
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (second == std::string::npos || line.size() < second + 4) continue;
    const char stage = line[second + 1];
    if (stage < '1' || stage > '3') continue;
    out[line.substr(second + 3)][static_cast<std::size_t>(stage - '1')] =
        line.substr(first + 1, second - first - 1);
  }
  return out;
}

Result<std::array<std::string, 3>> TextsOf(const git::Repository& repository,
                                           const Stages& stages) {
  std::array<std::string, 3> out;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!stages[i]) continue;
    TRY(auto blob, repository.Git({"cat-file", "blob", *stages[i]}));
    if (!blob.ok())
      return Error{Exit::Environment,
                   "a side of the merge cannot be read: " + git::LastLines(blob.err), ""};
    out[i] = std::move(blob.out);
  }
  return out;
}

}  // namespace revctl::commands
