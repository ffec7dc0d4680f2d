#include <map>
#include <random>
#include <set>

#include "revctl/list/merging/line_merge_test.h"
#include "revctl/list/merging/merge.h"
#include "revctl/list/testing/test_lists.h"

/// Tests merges in random histories of random lists. Whatever two branches add, the merge is the
/// same in both directions, keeps landed revisions, loses no entry or comment, and assigns no
/// number twice. Merging again changes nothing.
namespace revctl::list {
namespace {

using testing::LineMerge;
using testing::Parsed;
using testing::Summary;

struct One {
  std::string name;
  std::int64_t number = 0;
  std::string comment, lead;
};
using Model = std::vector<One>;

struct Style {
  bool implicit = false, trailing_comma = true, newest_first = false, crlf = false,
       blank_before_tail = false, conditional = false;
  std::string indent = "  ", sentinel, current;
};

/// Writes the list in the given style, as a careful person would.
std::string Written(const Model& model, const Style& style) {
  std::vector<std::string> lines;
  const auto entry = [&](const One& one, std::int64_t yields) {
    std::string text = style.indent + one.name;
    if (!style.implicit || yields != one.number) text += " = " + std::to_string(one.number);
    return text;
  };
  Model order = model;
  if (style.newest_first) std::reverse(order.begin(), order.end());
  std::string current;
  const std::int64_t latest = model.empty() ? 0 : model.back().number;
  if (!style.current.empty())
    current = style.indent + style.current + " = " +
              (style.newest_first ? std::to_string(latest) : model.back().name);
  std::string out = "// a list\nenum Revision {\n";
  const auto add = [&](const std::string& text, const One* one, bool last) {
    if (one != nullptr && !one->lead.empty()) out += style.indent + "// " + one->lead + "\n";
    out += text + (last && !style.trailing_comma ? "" : ",") +
           (one != nullptr && !one->comment.empty() ? " // " + one->comment : "") + "\n";
  };
  const bool tail = !style.sentinel.empty() || (!style.newest_first && !current.empty());
  if (style.newest_first && !current.empty()) add(current, nullptr, false);
  if (style.conditional) out += "#if 1\n";
  std::int64_t yields = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    add(entry(order[i], yields), &order[i], i + 1 == order.size() && !tail);
    yields = order[i].number + 1;
  }
  if (style.conditional) out += "#endif\n";
  if (tail && style.blank_before_tail) out += "\n";
  if (!style.sentinel.empty())
    add(style.indent + style.sentinel, nullptr, style.newest_first || current.empty());
  if (!style.newest_first && !current.empty()) add(current, nullptr, true);
  out += "};\n// the end\n";
  if (!style.crlf) return out;
  std::string with_carriage;
  for (char c : out) with_carriage += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return with_carriage;
}

class History {
 public:
  explicit History(unsigned seed) : random_(seed) {
    style_.implicit = Chance(2);
    style_.newest_first = !style_.implicit && Chance(4);
    style_.trailing_comma = Chance(2);
    style_.crlf = Chance(5);
    style_.conditional = !style_.newest_first && Chance(4);
    style_.blank_before_tail = Chance(2);
    if (Chance(3)) style_.indent = "\t";
    if (!style_.newest_first && Chance(2)) style_.sentinel = "SR_END";
    if (Chance(2)) style_.current = "SR_CURRENT";
    config_.sentinel = style_.sentinel;
    config_.current = style_.current;
    std::int64_t number = Chance(2) ? Between(-3, 600) : 0;
    // In a long list, the merge skips the part that is common to all versions.
    const bool large = Chance(60);
    const int landed = large ? Between(140, 300) : Between(3, 12);
    for (int i = 0; i < landed; ++i) {
      landed_.push_back({"SR_L" + std::to_string(i), number,
                         Chance(2) ? "landed " + std::to_string(i) : "",
                         Chance(5) ? "leads " + std::to_string(i) : ""});
      number += Chance(4) ? Between(2, 9) : 1;
    }
    base_.assign(landed_.begin(), landed_.begin() + Between(large ? landed - 9 : 2, landed));
    ours_ = Side("O");
    theirs_ = Side("T");
    context_.landed_known = true;
    context_.landed_text = Written(landed_, style_);
    context_.text_merge = LineMerge;
    context_.ledger_known = Chance(2);
    Reserve();
  }

  std::string Base() const { return Written(base_, style_); }
  std::string Ours() const { return Written(ours_, style_); }
  std::string Theirs() const { return Written(theirs_, style_); }
  const Model& ours() const { return ours_; }
  const Model& theirs() const { return theirs_; }
  const Model& landed() const { return landed_; }
  const ListConfig& config() const { return config_; }
  const MergeContext& context() const { return context_; }
  const std::vector<std::string>& edits() const { return edits_; }
  bool newest_first() const { return style_.newest_first; }

 private:
  bool Chance(int of) { return Between(1, of) == 1; }
  int Between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  /// Returns a branch that has merged main up to some point, edited some comments, and added
  /// revisions.
  Model Side(const std::string& prefix) {
    Model side = base_;
    if (Chance(2))
      side.assign(landed_.begin(), landed_.begin() + Between(static_cast<int>(base_.size()),
                                                             static_cast<int>(landed_.size())));
    for (std::size_t i = 0; i < side.size(); ++i) {
      // Each side edits only its own half of the entries, because edits of the same entry would
      // conflict.
      if ((i % 2 == 0) != (prefix == "O") || !Chance(4)) continue;
      side[i].comment = prefix + " says " + std::to_string(i);
      edits_.push_back(side[i].comment);
    }
    const int added = Between(0, 4);
    for (int i = 0; i < added; ++i) {
      const bool both = Chance(6);
      const std::string name =
          both ? "SR_BOTH" : "SR_" + prefix + std::to_string(Between(0, 9)) + std::to_string(i);
      if (std::any_of(side.begin(), side.end(), [&](const One& one) { return one.name == name; }))
        continue;
      const std::string comment = both        ? "both"
                                  : Chance(2) ? prefix + " added " + std::to_string(i)
                                              : "";
      side.push_back({name, side.back().number + (Chance(4) ? Between(2, 5) : 1), comment,
                      !both && Chance(4) ? "about " + name : ""});
    }
    return side;
  }

  /// Reserves some of the pending revisions in the ledger.
  void Reserve() {
    std::map<std::int64_t, std::string> given;
    context_.high_water = landed_.back().number + Between(0, 6);
    for (const Model* side : {&ours_, &theirs_}) {
      for (const One& one : *side) {
        if (one.name.starts_with("SR_L") || !Chance(2) || given.contains(one.number)) continue;
        const bool known = std::any_of(given.begin(), given.end(),
                                       [&](const auto& entry) { return entry.second == one.name; });
        if (!known) given[one.number] = one.name;
      }
    }
    for (const auto& [number, name] : given) {
      context_.reservations.emplace_back(name, number);
      context_.high_water = std::max(context_.high_water, number);
    }
  }

  std::mt19937 random_;
  Style style_;
  ListConfig config_;
  Model landed_, base_, ours_, theirs_;
  MergeContext context_;
  std::vector<std::string> edits_;
};

MergeOutput MergeTexts(const History& history, const std::string& base, const std::string& ours,
                       const std::string& theirs) {
  MergeInput input;
  input.base = base;
  input.ours = ours;
  input.theirs = theirs;
  input.path = "list.h";
  const auto merged = Merge(input, history.context(), history.config());
  if (!merged)
    FAIL(merged.error().message << "\n--- base\n"
                                << base << "--- ours\n"
                                << ours << "--- theirs\n"
                                << theirs);
  return *merged;
}

void CheckMerged(const History& history, const std::string& text) {
  const RevisionList list = Parsed(text, history.config());
  std::map<std::string, std::int64_t> landed;
  for (const One& one : history.landed()) landed[one.name] = one.number;
  std::set<std::string> expected;
  for (const Model* side : {&history.ours(), &history.theirs()}) {
    for (const One& one : *side) {
      expected.insert(one.name);
      if (!one.lead.empty()) CHECK(text.find(one.lead) != std::string::npos);
    }
  }
  const std::int64_t last_landed = history.landed().back().number;
  std::set<std::string> names;
  std::int64_t before = history.newest_first() ? INT64_MAX : INT64_MIN;
  for (const Entry& entry : list.entries) {
    if (entry.kind != EntryKind::Revision) continue;
    CHECK(names.insert(entry.name).second);
    // Strictly monotonic order also implies that no number occurs twice.
    CHECK((history.newest_first() ? entry.number < before : entry.number > before));
    before = entry.number;
    if (const auto found = landed.find(entry.name); found != landed.end())
      CHECK(entry.number == found->second);
    else CHECK(entry.number > last_landed);
  }
  CHECK(names == expected);
  for (const std::string& edit : history.edits()) CHECK(text.find(edit) != std::string::npos);
  if (!history.config().current.empty())
    CHECK(list.Find("SR_CURRENT")->number == list.Latest()->number);
  if (!history.config().sentinel.empty())
    CHECK(list.Find("SR_END")->number == list.Latest()->number + 1);
  // Each side keeps the order of its own revisions, unless the other side has them in reverse
  // order.
  const auto place = [](const Model& side, const std::string& name) {
    return std::find_if(side.begin(), side.end(),
                        [&](const One& one) { return one.name == name; }) -
           side.begin();
  };
  const auto has = [&](const Model& side, const std::string& name) {
    return place(side, name) < std::ssize(side);
  };
  for (const auto& [side, other] : {std::pair(&history.ours(), &history.theirs()),
                                    std::pair(&history.theirs(), &history.ours())}) {
    std::vector<std::string> own;
    for (const One& one : *side) {
      if (!landed.contains(one.name) && list.Find(one.name) != nullptr) own.push_back(one.name);
    }
    for (std::size_t i = 1; i < own.size(); ++i) {
      const bool reversed = has(*other, own[i - 1]) && has(*other, own[i]) &&
                            place(*other, own[i]) < place(*other, own[i - 1]);
      if (!reversed) CHECK(list.Find(own[i - 1])->number < list.Find(own[i])->number);
    }
  }
  // A reserved number that can still land is kept, unless a revision before it gets a new number.
  for (const auto& reservation : history.context().reservations) {
    // clang 14 cannot capture structured bindings, so name the parts.
    const std::string& name = reservation.first;
    const std::int64_t number = reservation.second;
    if (!history.context().ledger_known || number <= last_landed) continue;
    const Entry* entry = list.Find(name);
    const auto has_it = [&](const Model& side) {
      return std::any_of(side.begin(), side.end(),
                         [&](const One& one) { return one.name == name && one.number == number; });
    };
    const auto follows_one_that_moves = [&](const Model& side) {
      for (const One& one : side) {
        if (one.name == name) return false;
        const Entry* const before_it = list.Find(one.name);
        if (has(side, name) && !landed.contains(one.name) && before_it != nullptr &&
            before_it->number != one.number)
          return true;
      }
      return false;
    };
    if (entry != nullptr && (has_it(history.ours()) || has_it(history.theirs())) &&
        !follows_one_that_moves(history.ours()) && !follows_one_that_moves(history.theirs()))
      CHECK(entry->number == number);
  }
}

}  // namespace

TEST_CASE("merge: random histories", "[list][merge][property]") {
  for (unsigned seed = 1; seed <= testing::Many(1500); ++seed) {
    const History history(seed);
    const std::string base = history.Base(), ours = history.Ours(), theirs = history.Theirs();
    INFO("seed " << seed << "\n--- base\n"
                 << base << "--- ours\n"
                 << ours << "--- theirs\n"
                 << theirs << "--- landed\n"
                 << history.context().landed_text);
    const MergeOutput merged = MergeTexts(history, base, ours, theirs);
    const MergeOutput swapped = MergeTexts(history, base, theirs, ours);
    INFO("--- merged\n" << merged.text);
    REQUIRE_FALSE(merged.conflict);
    REQUIRE(merged.text == swapped.text);
    if (ours == theirs || ours == base || theirs == base)
      continue;  // in these cases, git does not call the merge driver
    CheckMerged(history, merged.text);
    // Merging either side again must change nothing.
    CHECK(MergeTexts(history, base, merged.text, theirs).text == merged.text);
    CHECK(MergeTexts(history, base, ours, merged.text).text == merged.text);
    CHECK(MergeTexts(history, theirs, merged.text, theirs).text == merged.text);
  }
}

}  // namespace revctl::list
