#include "revctl/ledger/state.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/config/config.h"
#include "revctl/findings/printable.h"
#include "revctl/ledger/event.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::ledger {
namespace {

constexpr std::string_view kFormat = "revctl-ledger ", kHead = "revctl-ledger 1";
constexpr std::string_view kListHead = "revctl-ledger-list 1";
constexpr std::string_view kListFile = "list.";
/// Limits the work of readers. No team has that many open reservations, except after `init`, which
/// reserves all revisions in an adopted list.
constexpr std::size_t kMostOpen = 100'000;

/// Iterates over the lines of a file, which must end in a newline.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool AtEnd() const { return rest_.empty(); }
  std::optional<std::string_view> Next() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }

 private:
  std::string_view rest_;
};

std::optional<std::int64_t> RevisionNumber(std::string_view text) {
  const auto number = Number(text);
  const bool fits = number && *number >= list::kSmallestNumber && *number <= list::kLargestNumber;
  return fits ? number : std::nullopt;
}

std::optional<Reservation> ParseReservation(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  auto number = RevisionNumber(line.substr(0, first));
  const std::string_view name = line.substr(first + 1, second - first - 1),
                         who = line.substr(second + 1);
  const std::size_t mail = who.rfind(" <");
  if (!number || !config::IsIdentifier(name) || mail == std::string_view::npos ||
      !who.ends_with('>'))
    return std::nullopt;
  if (std::any_of(who.begin(), who.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    return std::nullopt;
  return Reservation{
      std::string(name),
      *number,
      {std::string(who.substr(0, mail)), std::string(who.substr(mail + 2, who.size() - mail - 3))}};
}

/// Parses a list's file. Sets `line` to the last line that was read, and returns nullopt if that
/// line is invalid.
std::optional<ListState> ParseList(std::string_view text, int& line) {
  Lines lines(text);
  ListState out;
  line = 1;
  if (lines.Next() != kListHead) return std::nullopt;
  line = 2;
  auto mark = lines.Next();
  if (!mark || !mark->starts_with("high-water ")) return std::nullopt;
  const std::string_view value = mark->substr(11);
  if (value != "none") {
    out.high_water = RevisionNumber(value);
    if (!out.high_water) return std::nullopt;
  }
  std::set<std::string> names;
  std::set<std::int64_t> numbers;
  while (!lines.AtEnd()) {
    ++line;
    auto next = lines.Next();
    auto reservation = next ? ParseReservation(*next) : std::nullopt;
    if (!reservation || !out.high_water || reservation->number > *out.high_water ||
        out.open.size() == kMostOpen)
      return std::nullopt;
    if (!names.insert(reservation->name).second || !numbers.insert(reservation->number).second)
      return std::nullopt;
    out.open.push_back(std::move(*reservation));
  }
  return out;
}

}  // namespace

const Reservation* ListState::Find(std::string_view name) const {
  for (const Reservation& reservation : open) {
    if (reservation.name == name) return &reservation;
  }
  return nullptr;
}

void ListState::Close(std::string_view name) {
  std::erase_if(open, [&](const Reservation& r) { return r.name == name; });
}

void ListState::Give(const std::string& name, std::int64_t number, const git::Person& who) {
  Close(name);
  auto place = std::find_if(open.begin(), open.end(),
                            [&](const Reservation& r) { return r.number > number; });
  open.insert(place, {name, number, who});
  high_water = std::max(high_water.value_or(number), number);
}

Files FormatState(const State& state) {
  Files out;
  out["ledger"] = fmt::format("{}\nid {}\n", kHead, state.id);
  for (const auto& [name, list] : state.lists) {
    const std::string mark = list.high_water ? std::to_string(*list.high_water) : "none";
    std::string text = fmt::format("{}\nhigh-water {}\n", kListHead, mark);
    for (const Reservation& r : list.open)
      text += fmt::format("{} {} {}\n", r.number, r.name, r.who.Text());
    out[std::string(kListFile) + name] = std::move(text);
  }
  return out;
}

Result<State> ParseState(const Files& files, const std::string& place) {
  auto bad = [&](const std::string& what) {
    return Error{Exit::Environment,
                 fmt::format("the ledger at {} {}, so it is damaged or was not written by revctl",
                             place, what),
                 "revctl doctor --repair-ledger"};
  };
  State state;
  auto head = files.find("ledger");
  if (head == files.end()) return bad("has no `ledger` file");
  Lines lines(head->second);
  const auto format = lines.Next();
  if (format != kHead && format && format->starts_with(kFormat)) {
    // A newer revctl wrote this commit. Return Exit::Usage, so that readers report the commit
    // instead of skipping it as damaged.
    return Error{
        Exit::Usage,
        fmt::format("the ledger at {} has a newer format than this revctl supports", place),
        "install a newer revctl; if nobody uses one, run revctl doctor --repair-ledger"};
  }
  if (format != kHead) return bad(fmt::format("does not begin with `{}`", kHead));
  auto id = lines.Next();
  if (!id || !id->starts_with("id ") || !lines.AtEnd() || id->size() > 67 ||
      !(id->size() == 3 || base::IsHex(id->substr(3)))) {
    return bad("has no id");
  }
  state.id = id->substr(3);
  for (const auto& [name, text] : files) {
    if (name == "ledger") continue;
    const std::string shown = findings::Quoted(name);
    if (!name.starts_with(kListFile) || !config::IsListName(name.substr(kListFile.size())))
      return bad(fmt::format("contains an unexpected file {}", shown));
    int line = 0;
    auto list = ParseList(text, line);
    if (!list)
      return bad(fmt::format("cannot be read ({}:{})", shown.substr(1, shown.size() - 2), line));
    state.lists[name.substr(kListFile.size())] = std::move(*list);
  }
  for (const auto& [name, text] : FormatState(state)) {
    if (files.at(name) != text)
      return bad(fmt::format("has unexpected formatting in the file {}", findings::Quoted(name)));
  }
  return state;
}

bool SamePerson(const git::Person& one, const git::Person& two) {
  return base::Lower(one.email) == base::Lower(two.email);
}

}  // namespace revctl::ledger
