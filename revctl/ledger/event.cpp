#include "revctl/ledger/event.h"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <random>
#include <sstream>

#include "revctl/base/ascii.h"
#include "revctl/config/config.h"

namespace revctl::ledger {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"create",   "reserve", "release",
                                                    "renumber", "confirm", "take-over"};

}  // namespace

std::string_view KindName(Event::Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::string FormatEvent(const Event& event, const std::string& nonce) {
  std::string out(KindName(event.kind));
  if (!event.list.empty()) out += " " + event.list;
  if (event.steps.size() == 1)
    out += fmt::format(" {} {}", event.steps[0].name, event.steps[0].number);
  if (event.steps.size() > 1) out += fmt::format(" {} revisions", event.steps.size());
  out += "\n\n";
  for (const Step& step : event.steps) {
    out += fmt::format("Revision: {} {}", step.name, step.number);
    if (step.previous) out += fmt::format(" {}", *step.previous);
    out += "\n";
  }
  if (!event.comment.empty()) {
    std::string line;
    for (char c : event.comment) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    out += fmt::format("Comment: {}\n", line);
  }
  return fmt::format("{}Nonce: {}\n", out, nonce);
}

std::optional<Event> ParseEvent(const std::string& message) {
  std::istringstream lines(message);
  std::string line;
  if (!std::getline(lines, line)) return std::nullopt;
  Event event;
  std::istringstream head(line);
  std::string kind;
  head >> kind >> event.list;
  const auto found = std::find(kNames.begin(), kNames.end(), kind);
  if (found == kNames.end() || (!event.list.empty() && !config::IsListName(event.list)))
    return std::nullopt;
  event.kind = static_cast<Event::Kind>(found - kNames.begin());
  while (std::getline(lines, line)) {
    if (line.starts_with("Comment: ")) event.comment = line.substr(9);
    if (!line.starts_with("Revision: ")) continue;
    std::istringstream words(line.substr(10));
    std::string number, previous;
    Step step;
    words >> step.name >> number >> previous;
    auto value = Number(number);
    if (!value || !config::IsIdentifier(step.name)) return std::nullopt;
    step.number = *value;
    if (!previous.empty()) step.previous = Number(previous);
    event.steps.push_back(std::move(step));
  }
  return event;
}

std::optional<std::int64_t> Number(std::string_view text) {
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string RandomHex(int digits) {
  std::random_device device;
  std::string out;
  while (static_cast<int>(out.size()) < digits) out += base::HexDigit(device());
  return out;
}

}  // namespace revctl::ledger
