#include "revctl/gate/same_revision.h"

#include <catch2/catch.hpp>
#include <string>

using namespace revctl::commands;
using revctl::git::CommitInfo;
using revctl::git::Person;

namespace {

const Person kAnn{"Ann", "ann@studio.example"}, kBob{"Bob", "bob@studio.example"};

AddingCommit By(const Person& author, std::int64_t time, ChangedLines code = {},
                std::string message = "adds it\n") {
  return {CommitInfo{"c0ffee", {}, author, author, time, std::move(message)}, std::move(code)};
}

/// Returns the facts for a revision that Bob's landed commit and Ann's branch have both added.
TwiceAdded Facts(AddingCommit theirs, AddingCommit ours) {
  TwiceAdded facts{{std::move(theirs)}, {std::move(ours)}};
  facts.our_code = facts.our_code_of_it = facts.ours[0].code;
  return facts;
}

const ChangedLines kMana{"+intmana=0;", "+#include<mana.h>", "+Draw(mana);"};
const ChangedLines kStamina{"+intstamina=0;", "+#include<mana.h>"};

}  // namespace

TEST_CASE("same revision: two people, no code to compare", "[same]") {
  CHECK(WhySame(Facts(By(kBob, 1), By(kAnn, 1))) == SameEvidence::None);
  CHECK(WhySame(Facts(By(kBob, 1), By(kBob, 2))) == SameEvidence::SamePerson);
  const std::string bobs = "more\n\nCo-Authored-By: Bob <bob@studio.example>\n";
  CHECK(WhySame(Facts(By(kBob, 1), By(kAnn, 2, {}, bobs))) == SameEvidence::Declared);
  CHECK(WhySame(Facts(By(kAnn, 1, {}, bobs), By(kBob, 2))) == SameEvidence::SamePerson);
}

TEST_CASE("same revision: code decides, not the person", "[same]") {
  CHECK(WhySame(Facts(By(kBob, 1, kMana), By(kAnn, 2, kStamina))) == SameEvidence::None);
  CHECK(WhySame(Facts(By(kBob, 1, kMana), By(kBob, 2, kStamina))) == SameEvidence::None);
  CHECK(WhySame(Facts(By(kBob, 1, kMana), By(kAnn, 2))) == SameEvidence::None);
  CHECK(WhySame(Facts(By(kBob, 1, kMana), By(kAnn, 2, kMana))) == SameEvidence::SameCode);
}

TEST_CASE("same revision: a squash keeps the lines", "[same]") {
  SECTION("the branch has changed more lines since") {
    auto facts = Facts(By(kBob, 1, kMana), By(kAnn, 2, kMana));
    facts.our_code.insert({"+one();", "+two();", "+three();", "+four();", "+five();"});
    facts.our_code_of_it = facts.our_code;
    CHECK(WhySame(facts) == SameEvidence::SameCode);
  }
  SECTION("the squash has other work, too") {
    auto theirs = By(kBob, 1, kMana);
    theirs.code.insert({"+one();", "+two();", "+three();", "+four();", "+five();"});
    CHECK(WhySame(Facts(theirs, By(kAnn, 2, kMana))) == SameEvidence::SameCode);
  }
  SECTION("half of the lines is not enough") {
    CHECK(WhySame(Facts(By(kBob, 1, kStamina), By(kAnn, 2, kMana))) == SameEvidence::None);
  }
}

TEST_CASE("same revision: rebase, cherry-pick and amend keep author and date", "[same]") {
  CHECK(WhySame(Facts(By(kBob, 7, kMana), By(kBob, 7, kStamina))) == SameEvidence::SameCommit);
  CHECK(WhySame(Facts(By(kBob, 7, kMana), By(kAnn, 7, kStamina))) == SameEvidence::None);
}

TEST_CASE("same revision: equal golden records are enough", "[same]") {
  auto facts = Facts(By(kBob, 1, kMana), By(kAnn, 2, kStamina));
  facts.same_record = true;
  CHECK(WhySame(facts) == SameEvidence::SameRecord);
}

TEST_CASE("same revision: authors, committers and co-authors take part in a commit", "[same]") {
  CommitInfo commit{"c0ffee", {}, kAnn, kAnn, 1, "boss\n"};
  CHECK(TakesPart(kAnn, commit));
  CHECK_FALSE(TakesPart(kBob, commit));
  commit.committer = {"bob", "noreply@host.example"};
  CHECK(TakesPart(kBob, commit));
  commit.committer = kAnn;
  commit.message = "boss\n\nthis is what bob <bob@studio.example> asked for: a boss\n";
  CHECK_FALSE(TakesPart(kBob, commit));
  commit.message = "Squashed commit of the following:\n\n    Author: B <bob@studio.example>\n";
  CHECK(TakesPart(kBob, commit));
}

TEST_CASE("same revision: lines that name the revision or its number prove nothing", "[same]") {
  const std::string text = std::string("\0", 1) +
                           "abc123\n\ndiff --git a/h.h b/h.h\nindex 1..2 100644\n--- a/h.h\n+++ "
                           "b/h.h\n@@ -1 +1,4 @@\n+  int mana = 0;\n+if (v >= SV_31)\n+latest = "
                           "31;\n+ }\n-int SV_310;\ndiff --git a/x b/x\nindex 3..4\nBinary files "
                           "a/x and b/x differ\n" +
                           std::string("\0", 1) + "def456\n";
  const auto commits = ParsePatches(text, "SV_31", 31);
  REQUIRE(commits.size() == 2);
  CHECK(commits[0].commit == "abc123");
  CHECK(commits[0].names_it);
  CHECK(commits[0].code == ChangedLines{"+intmana=0;", "-intSV_310;", "binary..4"});
  CHECK(commits[1].commit == "def456");
  CHECK(commits[1].code.empty());
  CHECK_FALSE(commits[1].names_it);
}
