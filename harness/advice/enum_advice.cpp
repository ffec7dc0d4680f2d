#include "harness/advice/enum_advice.h"

#include <fmt/core.h>
#include <algorithm>
#include <map>

#include "harness/advice/code_lines.h"
#include "revctl/base/counted.h"
#include "revctl/base/first_few.h"

namespace revctl::harness {
namespace {

using Texts = std::vector<std::string>;

std::string Line(const std::string& name, std::int64_t value) {
  return fmt::format("{} = {}", name, value);
}

std::string Were(const Texts& texts) { return texts.size() == 1 ? " was " : " were "; }

bool IsSwap(const EnumDiff& diff) {
  return diff.moved.size() == 2 && diff.added.empty() && diff.gone.empty() &&
         diff.moved[0].then == diff.moved[1].now && diff.moved[0].now == diff.moved[1].then;
}

/// Appends a phrase such as "Drag and Lift were inserted before Mass" for each place where
/// enumerators were inserted.
void SayInserted(const EnumDiff& diff, Texts& said) {
  for (std::size_t i = 0; i < diff.added.size();) {
    const std::string& before = diff.added[i].before;
    Texts names;
    for (; i < diff.added.size() && diff.added[i].before == before; ++i)
      names.push_back(diff.added[i].name);
    said.push_back(base::FirstFew(names) + Were(names) +
                   (before.empty() ? "added at the end" : "inserted before " + before));
  }
}

/// Appends a phrase such as "58 enumerators moved by 1", "2 enumerators moved by 2, 51 by 3" or "A
/// moved from 2 to 9".
void SayMoved(const EnumDiff& diff, Texts& said) {
  if (IsSwap(diff)) {
    said.push_back(fmt::format("{} and {} were swapped", diff.moved[0].name, diff.moved[1].name));
    return;
  }
  constexpr std::size_t kMostDistances = 3;
  Texts single;
  // Each distance, with the number of enumerators that moved by this distance.
  std::vector<std::pair<std::int64_t, std::size_t>> distances;
  // Subtracts unsigned numbers, because signed numbers might overflow.
  const auto distance = [](const EnumDiff::Moved& moved) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(moved.now) -
                                     static_cast<std::uint64_t>(moved.then));
  };
  std::map<std::int64_t, std::size_t> count;
  for (const EnumDiff::Moved& moved : diff.moved) ++count[distance(moved)];
  const bool shifted = !diff.added.empty() || !diff.gone.empty();
  for (const EnumDiff::Moved& moved : diff.moved) {
    const std::int64_t by = distance(moved);
    if (count[by] == 1 && !shifted) {
      single.push_back(fmt::format("{} moved from {} to {}", moved.name, moved.then, moved.now));
    } else if (std::none_of(distances.begin(), distances.end(),
                            [&](const auto& known) { return known.first == by; })) {
      distances.emplace_back(by, count[by]);
    }
  }
  if (single.size() > kMostDistances || distances.size() > kMostDistances) {
    said.push_back(fmt::format("{} enumerators have new values", diff.moved.size()));
    return;
  }
  if (!single.empty()) said.push_back(base::FirstFew(single));
  std::string text;
  for (const auto& [by, moved] : distances) {
    text += text.empty() ? fmt::format("{} moved by {}", base::Counted(moved, "enumerator"), by)
                         : fmt::format(", {} by {}", moved, by);
  }
  if (!text.empty()) said.push_back(std::move(text));
}

/// Returns a sentence that describes all changes to the enum. Moved enumerators come last, after a
/// semicolon, because they are consequences of the other changes.
std::string Sentence(const EnumDiff& diff, const std::string& type) {
  const bool in_place = diff.moved.empty() && diff.gone.empty();
  if (in_place && diff.renamed.size() == 1 && diff.added.empty())
    return fmt::format("{}.{} was renamed to {}", type, diff.renamed[0].from, diff.renamed[0].to);
  if (in_place && diff.renamed.empty()) {
    if (diff.added.size() == 1)
      return fmt::format("{}.{}: an enumerator was added without a revision", type,
                         diff.added[0].name);
    Texts names;
    for (const auto& added : diff.added) names.push_back(added.name);
    return fmt::format("{}: {} were added without a revision", type, base::FirstFew(names));
  }
  Texts edits, renamed, gone, moves;
  SayInserted(diff, edits);
  for (const auto& item : diff.gone) gone.push_back(item.name);
  if (!gone.empty()) edits.push_back(base::FirstFew(gone) + Were(gone) + "removed");
  for (const auto& item : diff.renamed)
    renamed.push_back(fmt::format("{} was renamed to {}", item.from, item.to));
  if (!renamed.empty()) edits.push_back(base::FirstFew(renamed));
  SayMoved(diff, moves);
  std::string text;
  for (const std::string& edit : edits) text += (text.empty() ? "" : ", ") + edit;
  for (const std::string& move : moves) text += (text.empty() ? "" : "; ") + move;
  return type + ": " + text;
}

const char* CauseOf(const EnumDiff& diff) {
  if (!diff.gone.empty()) return "an enumerator was removed";
  if (!diff.moved.empty())
    return diff.added.empty() ? "enumerators were reordered or renumbered"
                              : "an enumerator was inserted";
  return diff.renamed.empty() ? "an enumerator was added without a revision"
                              : "an enumerator was renamed";
}

/// Returns the lines that restore the recorded names and values.
std::string WayBack(const EnumDiff& diff, const std::string& type) {
  Texts lines, kept, moved, names, inserted;
  for (const auto& item : diff.gone) kept.push_back(Line(item.name, item.value));
  for (const auto& item : diff.renamed) names.push_back(item.from);
  for (const auto& item : diff.moved) moved.push_back(Line(item.name, item.then));
  for (const auto& item : diff.added) inserted.push_back(item.name);
  if (!kept.empty())
    lines.push_back(fmt::format("keep {} in {}, because old files contain {}", base::FirstFew(kept),
                                type, kept.size() == 1 ? "it" : "them"));
  if (!moved.empty())
    lines.push_back(fmt::format("restore the recorded enumerator values of {} ({})", type,
                                base::FirstFew(moved)));
  if (!moved.empty() && !inserted.empty())
    lines.push_back(fmt::format("move {} after the last enumerator", base::FirstFew(inserted)));
  if (!names.empty())
    lines.push_back(fmt::format("restore the name{} {}, because old records use {}",
                                names.size() == 1 ? "" : "s", base::FirstFew(names),
                                names.size() == 1 ? "it" : "them"));
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace

std::string EnumeratorOf(const EnumDiff& diff) {
  if (!diff.gone.empty()) return diff.gone[0].name;
  if (!diff.moved.empty()) return diff.moved[0].name;
  if (!diff.renamed.empty()) return diff.renamed[0].from;
  return diff.added.empty() ? "" : diff.added[0].name;
}

EnumTexts TextsOf(const EnumDiff& diff) {
  Texts then, now;
  for (const auto& item : diff.gone) {
    then.push_back(Line(item.name, item.value));
    now.push_back(item.now.empty() ? fmt::format("no enumerator has the value {}", item.value)
                                   : Line(item.now, item.value));
  }
  for (const auto& item : diff.renamed) {
    then.push_back(Line(item.from, item.value));
    now.push_back(Line(item.to, item.value));
  }
  for (const auto& item : diff.moved) {
    then.push_back(Line(item.name, item.then));
    now.push_back(Line(item.name, item.now));
  }
  if (then.empty()) {
    then.push_back("absent");
    for (const auto& item : diff.added) now.push_back(Line(item.name, item.value));
  }
  return {base::FirstFew(then), base::FirstFew(now)};
}

Advice AdviceOnEnum(const EnumDiff& diff, const ChangePlace& place) {
  Advice advice;
  advice.cause = CauseOf(diff);
  advice.sentence = Sentence(diff, place.type);
  advice.before = WayBack(diff, place.type);
  if (diff.moved.empty() && !diff.added.empty()) {
    advice.after =
        fmt::format("{}{} record   # adds {} to the record",
                    Reserve(place.prefix, place.pending, UpperSnake(diff.added[0].name)).command,
                    place.program, diff.added.size() == 1 ? "it" : "them");
  }
  return advice;
}

}  // namespace revctl::harness
