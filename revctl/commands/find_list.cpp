#include "revctl/commands/find_list.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "revctl/config/files.h"
#include "revctl/list/revision_list.h"

namespace revctl::commands {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

constexpr std::string_view kDefaultList = "src/master_version_list.h";
constexpr std::string_view kUsualNames = "*version_list.h or *revision_list.h";
constexpr std::array<std::string_view, 7> kHeaders = {".h",   ".hh",  ".hpp", ".hxx",
                                                      ".inc", ".inl", ".def"};

/// Bounds of the search, so that a big engine's tree costs a second and not a minute.
constexpr std::size_t kMostHeaders = 500;
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
constexpr std::size_t kMostNamed = 5;

bool IsHeader(const std::string& path) {
  return std::any_of(kHeaders.begin(), kHeaders.end(),
                     [&](std::string_view end) { return path.ends_with(end); });
}

struct Candidate {
  std::string path;
  std::size_t entries = 0;
};

/// Headers with an enum of at least two entries with the prefix, the largest first.
std::vector<Candidate> Candidates(const std::string& root, const std::vector<std::string>& headers,
                                  const std::string& prefix) {
  std::vector<Candidate> out;
  for (const std::string& path : headers) {
    auto text = config::ReadFile(root + "/" + path, kLargestHeader);
    if (!text.ok() || !text->has_value()) continue;
    list::ListConfig list;
    list.path = path;
    list.prefix = prefix;
    auto parsed = list::Parse(**text, list, path);
    if (parsed.ok() && parsed->Revisions().size() >= 2)
      out.push_back({path, parsed->Revisions().size()});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Candidate& a, const Candidate& b) { return a.entries > b.entries; });
  return out;
}

}  // namespace

Result<FoundList> FindList(const git::Repository& repository, const std::string& named,
                           const std::string& prefix) {
  if (!named.empty())
    return FoundList{std::filesystem::path(named).lexically_normal().generic_string(), ""};
  auto listed = repository.Git({"ls-files", "-z", "--cached", "--others", "--exclude-standard"});
  if (!listed.ok()) return listed.error();
  std::vector<std::string> found;
  for (const std::string& path : git::SplitAtNul(listed->out)) {
    if (path.ends_with("version_list.h") || path.ends_with("revision_list.h"))
      found.push_back(path);
  }
  if (found.size() == 1) return FoundList{found.front(), ""};
  if (found.size() > 1)
    return Error{Exit::Usage,
                 "several files look like a revision list: " + found[0] + ", " + found[1],
                 "revctl init " + found[0]};
  if (prefix.empty()) return FoundList{std::string(kDefaultList), ""};

  auto grepped = repository.Git({"grep", "-l", "-z", "-I", "--untracked", "-F", "-e", prefix});
  if (!grepped.ok()) return grepped.error();
  std::vector<std::string> headers;
  for (const std::string& path : git::SplitAtNul(grepped->out)) {
    if (IsHeader(path)) headers.push_back(path);
  }
  const std::size_t all = headers.size();
  headers.resize(std::min(all, kMostHeaders));
  const std::string searched =
      "no file is called " + std::string(kUsualNames) + "; of the headers, " + std::to_string(all) +
      " mention " + prefix +
      (all > headers.size() ? " (" + std::to_string(headers.size()) + " were read)" : "");
  const std::vector<Candidate> candidates = Candidates(repository.root(), headers, prefix);
  if (candidates.empty())
    return FoundList{std::string(kDefaultList),
                     searched + ", none has an enum of such entries: a new list is begun"};
  std::string names;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostNamed); ++i) {
    names +=
        "\n  " + candidates[i].path + " (" + std::to_string(candidates[i].entries) + " entries)";
  }
  if (candidates.size() > kMostNamed)
    names += "\n  and " + std::to_string(candidates.size() - kMostNamed) + " more";
  return Error{Exit::Usage, "which list? " + searched + "; an enum of such entries is in" + names,
               "revctl init " + candidates.front().path + ", or for a new list: revctl init " +
                   std::string(kDefaultList)};
}

}  // namespace revctl::commands
