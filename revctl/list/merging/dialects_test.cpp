#include <map>
#include <random>
#include <set>

#include "revctl/list/merging/line_merge_test.h"
#include "revctl/list/merging/merge.h"
#include "revctl/list/testing/test_lists.h"
#include "revctl/list/writing/edit.h"

/// Tests conflicts in every dialect: two people edit a fixture and use the same numbers. A compiler
/// checks that the merged list has the numbers that revctl computes.
namespace revctl::list {
namespace {

using testing::Dialect;
using testing::Parsed;

class Collision {
 public:
  Collision(const Dialect& dialect, unsigned seed) : dialect_(dialect), random_(seed) {
    base_ = testing::Fixture(dialect.file);
    shared_ = Chance(4);
    ours_ = Edited("O", 0);
    theirs_ = Edited("T", 1);
    const int landed = Between(0, 3);
    context_.landed_known = landed != 3;  // if the target is unknown, the base counts as landed
    context_.landed_text = landed == 1 ? ours_ : landed == 2 ? theirs_ : base_;
    context_.text_merge = testing::LineMerge;
  }

  /// Merges in both directions, checks all properties, and returns the merged text.
  std::string Check() {
    INFO("--- ours\n"
         << ours_ << "--- theirs\n"
         << theirs_ << "--- landed\n"
         << context_.landed_text);
    const MergeOutput merged = Merged(base_, ours_, theirs_);
    INFO("--- merged\n" << merged.text);
    REQUIRE_FALSE(merged.conflict);
    CHECK(Merged(base_, theirs_, ours_).text == merged.text);
    if (ours_ == theirs_ || ours_ == base_ || theirs_ == base_) return merged.text;
    CHECK(Merged(base_, merged.text, theirs_).text == merged.text);
    CHECK(Merged(ours_, ours_, merged.text).text == merged.text);

    const RevisionList list = Parsed(merged.text, dialect_.config);
    std::set<std::string> expected, names;
    for (const std::string* side : {&ours_, &theirs_}) {
      for (const Entry& entry : Parsed(*side, dialect_.config).entries) expected.insert(entry.name);
    }
    for (const Entry& entry : list.entries) CHECK(names.insert(entry.name).second);
    CHECK(names == expected);
    const RevisionList landed =
        Parsed(context_.landed_known ? context_.landed_text : base_, dialect_.config);
    std::set<std::int64_t> given;
    for (const Entry& entry : list.entries) {
      if (entry.kind != EntryKind::Revision) continue;
      const Entry* const before = landed.Find(entry.name);
      if (before != nullptr) CHECK(entry.number == before->number);
      else CHECK((entry.number > landed.Latest()->number && given.insert(entry.number).second));
    }
    for (const std::string& word : words_) CHECK(merged.text.find(word) != std::string::npos);
    return merged.text;
  }

 private:
  bool Chance(int of) { return Between(1, of) == 1; }
  int Between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  /// Adds entries with the next numbers, and adds words to comments. Each person edits the comments
  /// of a different half of the entries, so that their edits do not conflict.
  std::string Edited(const std::string& who, std::size_t parity) {
    std::string text = base_;
    const int added = Between(0, 3);
    for (int i = 0; i < added; ++i) {
      const RevisionList list = Parsed(text, dialect_.config);
      const bool both = shared_ && i == 0;
      const std::string name =
          dialect_.config.prefix +
          (both ? "BOTH" : who + std::to_string(Between(0, 99)) + "_" + std::to_string(i));
      const std::string comment = both        ? "both"
                                  : Chance(2) ? who + " adds " + std::to_string(i)
                                              : "";
      const auto longer = Append(list, dialect_.config, name,
                                 list.Latest()->number + (both ? 1 : Between(1, 2)), comment);
      if (!longer) FAIL(longer.error().message);
      text = *longer;
      if (!both && !comment.empty()) words_.push_back(comment);
    }
    if (both_ends_ != who && Chance(3)) {
      const std::string word = who + " was here";
      text += (text.ends_with("\n") ? "// " : "\n// ") + word + "\n";
      if (both_ends_.empty()) both_ends_ = who == "O" ? "T" : "O";
      words_.push_back(word);
    }
    const RevisionList base = Parsed(base_, dialect_.config);
    for (std::size_t i = base.entries.size(); i-- > 0;) {
      const RevisionList list = Parsed(text, dialect_.config);
      const Entry& entry = *list.Find(base.entries[i].name);
      const std::string_view sign = std::string_view(text).substr(entry.comment_span.begin, 2);
      if (i % 2 != parity || entry.comment_span.end == 0 || (sign != "//" && sign != "/*") ||
          !Chance(3))
        continue;
      const std::string word = " " + who + " says " + std::to_string(i) + " ";
      text.insert(entry.comment_span.begin + 2, word);
      words_.push_back(word);
    }
    return text;
  }

  MergeOutput Merged(const std::string& base, const std::string& ours,
                     const std::string& theirs) const {
    MergeInput input;
    input.base = base;
    input.ours = ours;
    input.theirs = theirs;
    input.path = "list.h";
    const auto merged = Merge(input, context_, dialect_.config);
    if (!merged) FAIL(merged.error().message);
    return *merged;
  }

  const Dialect& dialect_;
  std::mt19937 random_;
  std::string base_, ours_, theirs_, both_ends_;
  bool shared_ = false;
  MergeContext context_;
  std::vector<std::string> words_;
};

/// Returns #undef lines for the file's macros, because the same program also includes the next
/// list.
std::string Undefined(const std::string& text) {
  std::string out;
  for (std::size_t at = text.find("define"); at != std::string::npos;
       at = text.find("define", at + 1)) {
    const std::size_t begin = text.find_first_not_of(" \t", at + 6);
    if (begin == std::string::npos || begin == at + 6) continue;
    const std::size_t end = text.find_first_of(" \t\r\n(", begin);
    out += "#undef " + text.substr(begin, end - begin) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("merge: collisions in every dialect, and the compiler agrees", "[list][merge][oracle]") {
  for (const Dialect& dialect : testing::Dialects()) {
    // Skip the fixture that ends at the maximum number, because no entry can follow.
    if (Parsed(testing::Fixture(dialect.file), dialect.config).Latest()->number == INT64_MAX)
      continue;
    std::map<std::string, int> texts;  // the merged texts, without duplicates
    for (unsigned seed = 1; seed <= testing::Many(40); ++seed) {
      INFO(dialect.file << ", seed " << seed);
      texts.emplace(Collision(dialect, seed).Check(), static_cast<int>(texts.size()));
    }
    CHECK(texts.size() > testing::Many(8));
    std::string program = "#include <cstdint>\n#include <cstddef>\n";
    for (const auto& [text, number] : texts) {
      const std::string name = "merged_" + std::to_string(number);
      const std::string_view list = text.starts_with("\xef\xbb\xbf")
                                        ? std::string_view(text).substr(3)
                                        : std::string_view(text);
      program += "namespace " + name + " {\n" + std::string(list) + "\n}\n" + Undefined(text) +
                 "namespace that_" + name + " {\n" +
                 testing::Assertions(Parsed(text, dialect.config), "::" + name) + "}\n";
    }
    INFO(dialect.file);
    CHECK(testing::CompilerSays(program).empty());
  }
}

}  // namespace revctl::list
