#include "revctl/setup/marked_block.h"

#include <algorithm>

namespace revctl::commands {
namespace {

constexpr std::string_view kBegin =
    "# revctl: begin (set up by `revctl install`, removed by `revctl uninstall`)\n";
constexpr std::string_view kEnd = "# revctl: end\n";

/// The offsets of the block in the text, including its marker lines.
struct Place {
  std::size_t begin = 0, end = 0;
};

std::optional<Place> Find(std::string_view text) {
  const std::size_t begin = text.rfind(kBegin);
  if (begin == text.npos) return std::nullopt;
  const std::size_t end = text.find(kEnd, begin + kBegin.size());
  if (end == text.npos) return std::nullopt;
  return Place{begin, end + kEnd.size()};
}

}  // namespace

std::optional<std::string> BlockIn(std::string_view text) {
  const auto place = Find(text);
  if (!place) return std::nullopt;
  const std::size_t begin = place->begin + kBegin.size();
  return std::string(text.substr(begin, place->end - kEnd.size() - begin));
}

std::string WithBlock(std::string_view text, std::string_view lines, std::size_t at) {
  const std::size_t end = std::min(at, text.size());
  const Place place = Find(text).value_or(Place{end, end});
  std::string out(text.substr(0, place.begin));
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  out.append(kBegin).append(lines).append(kEnd);
  return out.append(text.substr(place.end));
}

std::string WithoutBlock(std::string_view text) {
  std::string out(text);
  if (const auto place = Find(text)) out.erase(place->begin, place->end - place->begin);
  return out;
}

}  // namespace revctl::commands
