#include "revctl/setup/find_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "revctl/base/file.h"
#include "revctl/config/config.h"
#include "revctl/config/files.h"

namespace revctl::commands {
namespace {

constexpr std::array<std::string_view, 7> kHeaders = {".h",   ".hh",  ".hpp", ".hxx",
                                                      ".inc", ".inl", ".def"};

/// Bounds of the search, so that a big engine's tree costs seconds and not minutes.
constexpr std::size_t kMostHeaders = 1000;
constexpr std::size_t kLargestHeader = std::size_t{1} << 20;

bool IsHeader(std::string_view path) {
  return std::any_of(kHeaders.begin(), kHeaders.end(),
                     [&](std::string_view end) { return path.ends_with(end); });
}

/// A file that says in its name what it holds is read before others.
bool IsNamedAsList(std::string_view path) {
  const std::string_view file = base::FileName(path);
  return file.find("version") != file.npos || file.find("revision") != file.npos;
}

/// Headers with an enum and a word that a list of versions has.
Result<std::vector<std::string>> Headers(const git::Repository& repository,
                                         const std::string& prefix) {
  std::string words = "[Vv]ersion|VERSION|[Rr]evision|REVISION";
  if (config::IsIdentifier(prefix)) words += "|" + prefix;
  const std::string word_enum = "(^|[^A-Za-z0-9_])enum([^A-Za-z0-9_]|$)";
  TRY(auto grepped, repository.Git({"grep", "-l", "-z", "-I", "--untracked", "-E", "--all-match",
                                    "-e", word_enum, "-e", words}));
  std::vector<std::string> headers;
  for (const std::string& path : git::SplitAtNul(grepped.out)) {
    if (IsHeader(path)) headers.push_back(path);
  }
  std::stable_partition(headers.begin(), headers.end(), IsNamedAsList);
  return headers;
}

}  // namespace

Result<FoundLists> FindLists(const git::Repository& repository, const list::ListConfig& given,
                             bool any_prefix) {
  TRY(auto headers, Headers(repository, given.prefix));
  FoundLists out;
  const std::size_t all = headers.size();
  headers.resize(std::min(all, kMostHeaders));
  out.searched = fmt::format(
      "{} {} an enum and speak of versions{}{}", all, all == 1 ? "header has" : "headers have",
      given.prefix.empty() ? "" : " or " + given.prefix,
      all > headers.size() ? fmt::format(" ({} were read)", headers.size()) : "");
  for (const std::string& path : headers) {
    auto text = config::ReadFile(repository.root() + "/" + path, kLargestHeader);
    if (!text.ok() || !text->has_value()) continue;
    list::ListConfig config = given;
    config.path = path;
    auto guesses = list::GuessLists(**text, config, any_prefix, path);
    if (!guesses.empty() && guesses.front().likeness >= list::kLikelyList)
      out.likely.push_back(std::move(guesses.front()));
  }
  std::stable_sort(
      out.likely.begin(), out.likely.end(), [](const list::Guess& a, const list::Guess& b) {
        return a.likeness != b.likeness ? a.likeness > b.likeness
                                        : a.list.entries.size() > b.list.entries.size();
      });
  return out;
}

}  // namespace revctl::commands
