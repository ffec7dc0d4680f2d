// Tests pending files: their text, order and numbers, and the list after a fold.
#include <catch2/catch.hpp>

#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/pending/plan.h"

using namespace revctl;
using pending::PendingText;

namespace {

list::ListConfig Config() {
  list::ListConfig config;
  config.path = "src/list.h";
  config.numbers = list::Numbers::AtLanding;
  return config;
}

list::RevisionList ListOf(const std::string& entries, const list::ListConfig& config = Config()) {
  auto list = list::Parse("enum Revision {\n" + entries + "};\n", config, config.path);
  if (!list.ok()) throw std::runtime_error(ErrorText(list.error()));
  return std::move(*list);
}

PendingText File(const std::string& name, const std::string& after = "",
                 const std::string& message = "for " + std::string("it")) {
  return {name + ".yaml", "message: \"" + message + "\"\nafter: [" + after + "]\n", ""};
}

/// Returns the plan as text, such as "SR_A=3 SR_B=4 | SR_C: why".
std::string Text(const pending::Plan& plan) {
  std::string out;
  for (const auto& one : plan.order)
    out += (out.empty() ? "" : " ") + one.name + "=" + std::to_string(one.number);
  for (const auto& one : plan.blocked)
    out += " | " + (one.name.empty() ? one.file_name : one.name) + ": " + one.why;
  for (const auto& name : plan.returned) out += " | back: " + name;
  return out;
}

std::string PlanOf(
    const std::vector<PendingText>& files,
    const std::string& entries = "    SR_INITIAL=1,// ae: first\n    SR_FOULS=2,\n") {
  return Text(pending::MakePlan(ListOf(entries), Config(), files));
}

}  // namespace

TEST_CASE("pending: parsing a formatted file yields the same revision", "[pending]") {
  const pending::PendingRevision revision{"ae: \"quoted\" \\ and # more", {"SR_A", "SR_B"}};
  const std::string text = pending::FormatPendingFile(revision);
  auto read = pending::ParsePendingFile(text, "x.yaml");
  REQUIRE(read.ok());
  CHECK(read->message == revision.message);
  CHECK(read->after == revision.after);
  CHECK(pending::ParsePendingFile("", "x.yaml").ok());
}

TEST_CASE("pending: errors in hostile files name the line", "[pending]") {
  const std::pair<const char*, const char*> cases[] = {
      {"name: SR_A\nmessage: x\n", "x.yaml:1:1: unknown key 'name'"},
      {"message: x\nmessage: y\n", "x.yaml:2:1: key 'message' occurs twice"},
      {"message: &a x\n", "anchors"},
      {"message: x\n---\nmessage: y\n", "more than one YAML document"},
      {"after: [\"../../x\"]\n", "'../../x', which is not a C++ name"},
      {"after: [[[[[[[[[[1]]]]]]]]]]\n", "nested too deeply"},
      {"message: \"a\\nb\"\n", "one line"},
      {"message: \"\\e[31m\"\n", "one line"},
      {"message: really?\?/\n", "trigraph"},
      {"message: [a]\n", "must be a single value"},
      {"- a\n", "must be key-value pairs"},
      {"message: [x", "is not YAML"},
      {"../../../etc/passwd", "must be key-value pairs"}};
  for (const auto& [text, why] : cases) {
    INFO(text);
    auto read = pending::ParsePendingFile(text, "x.yaml");
    REQUIRE_FALSE(read.ok());
    CHECK(ErrorText(read.error()).find(why) != std::string::npos);
  }
  CHECK_FALSE(pending::ParsePendingFile(std::string("message: a\0b", 12), "x.yaml").ok());
}

TEST_CASE("pending: revisions are numbered after the list, by `after`, then by name", "[pending]") {
  CHECK(PlanOf({}) == "");
  CHECK(PlanOf({File("SR_B"), File("SR_A")}) == "SR_A=3 SR_B=4");
  CHECK(PlanOf({File("SR_A", "SR_Z"), File("SR_B"), File("SR_Z")}) == "SR_B=3 SR_Z=4 SR_A=5");
  CHECK(PlanOf({File("SR_A", "SR_FOULS")}) == "SR_A=3");
  CHECK(PlanOf({File("SR_A")}, "    SR_X = 0x10,\n    RELEASE = SR_X,\n") == "SR_A=17");
  list::ListConfig config = Config();
  config.floor = 40;
  CHECK(Text(pending::MakePlan(ListOf("    SR_X = 3,\n"), config, {File("SR_A")})) == "SR_A=41");
}

TEST_CASE("pending: a bad file blocks only itself and the files that depend on it", "[pending]") {
  CHECK(
      PlanOf({File("SR_A"), {"SR_B.yaml", "- x", ""}, File("SR_C", "SR_B"), File("SR_D")}) ==
      "SR_A=3 SR_D=4 | SR_B: a pending file must be key-value pairs (key: value) | SR_C: it comes "
      "after SR_B, which cannot be folded");
  CHECK(PlanOf({File("SR_A", "SR_B"), File("SR_B", "SR_A"), File("SR_C", "SR_A"), File("SR_D")}) ==
        "SR_D=3 | SR_A: `after` forms a cycle: SR_A after SR_B after SR_A | SR_B: `after` forms a "
        "cycle: SR_A after SR_B after SR_A | SR_C: it comes after SR_A, which cannot be folded");
  CHECK(PlanOf({File("SR_F", "SR_E"), File("SR_E", "SR_D"), File("SR_D", "SR_C"),
                File("SR_C", "SR_B"), File("SR_B", "SR_A"), File("SR_A", "SR_F")})
            .starts_with(" | SR_A: `after` forms a cycle: SR_A after SR_F after SR_E after SR_D "
                         "after SR_C after ... | SR_B: "));
  CHECK(PlanOf({File("SR_A", "SR_NONE"), File("SR_B")}) ==
        "SR_B=3 | SR_A: `after` names SR_NONE, which is neither pending nor in the list");
  CHECK(PlanOf({File("SR_Aa"), File("SR_AA"), File("SR_B")}) ==
        "SR_B=3 | SR_AA: SR_AA and SR_Aa differ only in case | SR_Aa: SR_Aa and "
        "SR_AA differ only in case");
  CHECK(PlanOf({File("SR_Fouls"), File("SR_ON", "SR_Fouls"), File("SR_B")}) ==
        "SR_B=3 | SR_Fouls: SR_Fouls and SR_FOULS differ only in case | SR_ON: it "
        "comes after SR_Fouls, which cannot be folded");
  CHECK(PlanOf({File("XX_A"), File("SR_"), {"notes.txt", "", ""}, File("SR_A")}) ==
        "SR_A=3 | SR_.yaml: SR_ consists of only the prefix | XX_A.yaml: XX_A does not begin with "
        "SR_ | "
        "notes.txt: notes.txt is not named NAME.yaml");
  CHECK(PlanOf({{"SR_L.yaml", "", "is a symbolic link"}, File("SR_A")}) ==
        "SR_A=3 | SR_L: the file is a symbolic link");
  CHECK(PlanOf({File("SR_FOULS"), File("SR_A")})
            .starts_with("SR_A=3 | SR_FOULS: SR_FOULS is already in the list"));
}

TEST_CASE("pending: a file that returns after its fold is recognized", "[pending]") {
  const std::string entries = "    SR_INITIAL=1,// ae: first\n    SR_A=2,// 2: ae: what  it is\n";
  CHECK(PlanOf({File("SR_A", "", "ae: what it is"), File("SR_B", "SR_A")}, entries) ==
        "SR_B=3 | back: SR_A");
  CHECK(PlanOf({File("SR_A", "", "bo: something else")}, entries)
            .starts_with(" | SR_A: SR_A is already in the list"));
}

TEST_CASE("pending: numbers never exceed the enum's type", "[pending]") {
  auto list = list::Parse("enum R : unsigned char { SR_X = 254,\n};\n", Config(), "src/list.h");
  REQUIRE(list.ok());
  CHECK(Text(pending::MakePlan(*list, Config(), {File("SR_A"), File("SR_B")})) ==
        "SR_A=255 | SR_B: no number is left for it in the enum's type");
}

TEST_CASE("pending: planning fewer files does not change their order", "[pending]") {
  // Plans every dependency-closed subset of seven files with random dependencies. Omitting files
  // must not change the order of the remaining files.
  unsigned seed = 7;
  const auto next = [&seed] { return seed = seed * 1103515245u + 12345u, (seed >> 16) & 0x7fff; };
  const std::string letters = "ABCDEFG";
  int parts = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<PendingText> files;
    std::vector<unsigned> before(letters.size(), 0);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      std::string after;
      for (std::size_t j = 0; j < i; ++j) {
        if (next() % 4 != 0) continue;
        const std::size_t other = i - 1 - j;
        before[i] |= 1u << other;
        after += (after.empty() ? "" : ", ") + std::string("SR_") + letters[6 - other];
      }
      files.push_back(File(std::string("SR_") + letters[6 - i], after));
    }
    const auto whole = pending::MakePlan(ListOf("    SR_I=1,\n"), Config(), files);
    REQUIRE(whole.order.size() == letters.size());
    for (unsigned set = 1; set < 128; ++set) {
      bool closed = true;
      for (std::size_t i = 0; i < letters.size(); ++i)
        closed = closed && ((set >> i & 1) == 0 || (before[i] & ~set) == 0);
      if (!closed) continue;
      ++parts;
      std::vector<PendingText> some;
      std::string wanted, got;
      for (std::size_t i = 0; i < letters.size(); ++i) {
        if (set >> i & 1) some.push_back(files[i]);
      }
      for (const auto& one : whole.order) {
        const std::size_t i = 6 - letters.find(one.name[3]);
        if (set >> i & 1) wanted += one.name;
      }
      for (const auto& one : pending::MakePlan(ListOf("    SR_I=1,\n"), Config(), some).order)
        got += one.name;
      REQUIRE(got == wanted);
    }
  }
  CHECK(parts > 500);
}

TEST_CASE("pending: the include file continues after the last revision", "[pending]") {
  const auto list = ListOf("    SR_INITIAL=1,\n    SR_FOULS=2,\n    RELEASE_1 = SR_INITIAL,\n");
  const std::string head =
      "// Written by `revctl sync` from the files in src/list.pending/. Not in git; do not edit.\n";
  CHECK(pending::IncludeText(list, Config(), pending::MakePlan(list, Config(), {})) == head);
  CHECK(pending::IncludeText(list, Config(),
                             pending::MakePlan(list, Config(), {File("SR_B"), File("SR_A")})) ==
        head + "SR_A = SR_FOULS + 1,\nSR_B,\n");
}

TEST_CASE("pending: a fold writes entries in the list's own style", "[pending]") {
  const auto folded = [](const std::string& text) {
    auto list = list::Parse(text, Config(), "src/list.h");
    REQUIRE(list.ok());
    auto out = pending::FoldedText(
        *list, Config(),
        pending::MakePlan(*list, Config(), {File("SR_B", "", "bo: b"), File("SR_A", "", "ae: a")}));
    REQUIRE(out.ok());
    return *out;
  };
  const std::string block =
      "#if __has_include(\"list.pending.inc\")\n#include \"list.pending.inc\"\n#endif\n";
  CHECK(folded("enum R {\n    SR_X=1,// ae: x\n" + block + "};\n") ==
        "enum R {\n    SR_X=1,// ae: x\n    SR_A=2,// ae: a\n    SR_B=3,// bo: b\n" + block +
            "};\n");
  CHECK(folded("enum class R {\n\tSR_X, // ae: x\n\tSR_Y, // bo: y\n" + block +
               "\tSR_LATEST_PLUS_ONE,\n\tCURRENT = SR_LATEST_PLUS_ONE - 1\n};\n") ==
        "enum class R {\n\tSR_X, // ae: x\n\tSR_Y, // bo: y\n\tSR_A, // ae: a\n\tSR_B, // bo: b\n" +
            block + "\tSR_LATEST_PLUS_ONE,\n\tCURRENT = SR_LATEST_PLUS_ONE - 1\n};\n");
}

TEST_CASE("pending: the include block is added once, and can be removed", "[pending]") {
  const std::string block =
      "#if __has_include(\"list.pending.inc\")\n#include \"list.pending.inc\"\n#endif\n";
  const std::pair<std::string, std::string> cases[] = {
      {"enum R {\n    SR_X=1,// x\n};\n", "enum R {\n    SR_X=1,// x\n" + block + "};\n"},
      {"enum R {\n    SR_X=1// x\n};\n", "enum R {\n    SR_X=1,// x\n" + block + "};\n"},
      {"enum R {\n    SR_X,\n    SR_MAX_END,\n    CUR = SR_MAX_END - 1\n};\n",
       "enum R {\n    SR_X,\n" + block + "    SR_MAX_END,\n    CUR = SR_MAX_END - 1\n};\n"},
      {"enum R {\n    SR_X,\n    CURRENT = SR_X\n};\n",
       "enum R {\n    SR_X,\n" + block +
           "    SR_LATEST_PLUS_ONE,\n    CURRENT = SR_LATEST_PLUS_ONE - 1\n};\n"}};
  for (const auto& [before, wanted] : cases) {
    auto list = list::Parse(before, Config(), "src/list.h");
    REQUIRE(list.ok());
    auto with = pending::WithBlock(*list, Config());
    REQUIRE(with.ok());
    CHECK(*with == wanted);
    auto again = list::Parse(*with, Config(), "src/list.h");
    REQUIRE(again.ok());
    CHECK_FALSE(pending::FaultOfBlock(*again, Config()).has_value());
    auto same = pending::WithBlock(*again, Config());
    REQUIRE(same.ok());
    CHECK(*same == *with);
    auto without = pending::WithoutBlock(*again, Config());
    REQUIRE(without.ok());
    CHECK(without->find("#if") == std::string::npos);
  }
  auto newest = list::Parse("enum R {\n SR_B=2,\n SR_A=1,\n};\n", Config(), "src/list.h");
  REQUIRE(newest.ok());
  CHECK_FALSE(pending::WithBlock(*newest, Config()).ok());
  CHECK_FALSE(list::Parse("enum R {\n SR_A=1,\n#if __has_include(\"more.inc\")\n#include "
                          "\"more.inc\"\n#endif\n};\n",
                          Config(), "src/list.h")
                  .ok());
}

TEST_CASE("pending: a misplaced or duplicate include block is fixed", "[pending]") {
  const std::string block =
      "#if __has_include(\"list.pending.inc\")\n#include \"list.pending.inc\"\n#endif\n";
  struct Row {
    std::string body;
    int line;
    std::string fixed;  // empty if the user must fix the list
  };
  const std::string a = "    SR_A,\n", b = "    SR_B,\n",
                    count = "    SR_MAX_END,\n    CUR = SR_MAX_END - 1,\n";
  const std::string good = a + b + block + count;
  const Row rows[] = {{a + b + count, 0, good},
                      {a + block + b + count, 4, good},
                      {a + b + count + block, 7, good},
                      {a + b + block + block + count, 8, good},
                      {a + b + "#if 0\n" + block + "#endif\n" + count, 6,
                       a + b + block + "#if 0\n#endif\n" + count},
                      {a + b + "#if 1\n#else\n" + block + "#endif\n" + count, 7,
                       a + b + block + "#if 1\n#else\n#endif\n" + count},
                      {a + b + "#if 0\n#include \"list.pending.inc\"\n#endif\n" + count, 5, ""}};
  for (const Row& row : rows) {
    INFO(row.body);
    const auto list = list::Parse("enum R {\n" + row.body + "};\n", Config(), "src/list.h");
    REQUIRE(list.ok());
    const auto fault = pending::FaultOfBlock(*list, Config());
    REQUIRE(fault.has_value());
    CHECK(fault->line == row.line);
    const auto fixed = pending::WithBlock(*list, Config());
    REQUIRE(fixed.ok() == !row.fixed.empty());
    if (fixed.ok()) CHECK(*fixed == "enum R {\n" + row.fixed + "};\n");
  }
  // A condition around the revisions themselves is not a fault.
  CHECK_FALSE(pending::FaultOfBlock(ListOf("#if 1\n" + a + block + "#endif\n"), Config()));
}

TEST_CASE("pending: a list includes only its own pending revisions", "[pending]") {
  const auto stray = [](const std::string& name, bool at_landing) {
    const auto fault = pending::StrayInclude(
        ListOf("    SR_A,\n#ifdef X\n#include \"" + name + ".pending.inc\"\n#endif\n    SR_B,\n"),
        Config(), at_landing);
    return fault ? fault->line : 0;
  };
  CHECK(stray("list", true) == 0);
  CHECK(stray("list", false) == 4);
  CHECK(stray("other", true) == 4);
  CHECK(stray("other", false) == 4);
  CHECK(stray("../list", true) == 4);
  CHECK_FALSE(pending::StrayInclude(ListOf("    SR_A,\n#if 0\n#include \"old.inc\"\n#endif\n"),
                                    Config(), false));
}

TEST_CASE("pending: three trees merge by path", "[pending]") {
  const auto names = [](const std::vector<PendingText>& files) {
    std::string out;
    for (const auto& file : files) out += file.file_name[3];
    return out;
  };
  std::vector<std::string> clashes;
  CHECK(names(pending::MergeFiles({}, {File("SR_A")}, {File("SR_B")}, clashes)) == "AB");
  CHECK(names(pending::MergeFiles({File("SR_A")}, {File("SR_A")}, {}, clashes)) == "");
  CHECK(names(pending::MergeFiles({File("SR_A")}, {}, {File("SR_A")}, clashes)) == "");
  CHECK(clashes.empty());
  CHECK(names(pending::MergeFiles({}, {File("SR_A")}, {File("SR_A", "", "other")}, clashes)) ==
        "A");
  CHECK(clashes == std::vector<std::string>{"SR_A.yaml"});
}

TEST_CASE("pending: the maximum number of files is planned, folded and merged", "[pending]") {
  // With 10,000 files, quadratic code would take minutes.
  std::vector<PendingText> files;
  const int count = static_cast<int>(pending::kMostFiles);
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(100000 + i);
    files.push_back(File("SR_N" + number, i % 3 == 0 ? "" : "SR_N" + std::to_string(99999 + i)));
  }
  const auto list = ListOf("    SR_I=1,\n");
  const auto plan = pending::MakePlan(list, Config(), files);
  CHECK(plan.order.size() == pending::kMostFiles);
  auto folded = pending::Folded(list, Config(), plan);
  REQUIRE(folded.ok());
  CHECK(folded->Latest()->number == count + 1);
  std::vector<std::string> clashes;
  CHECK(pending::MergeFiles({}, files, files, clashes).size() == pending::kMostFiles);
  // Build a chain in which each revision depends on the next one, and the last one depends on a
  // missing revision.
  for (int i = 0; i < count; ++i)
    files[static_cast<std::size_t>(i)] =
        File("SR_N" + std::to_string(100000 + i), "SR_N" + std::to_string(100001 + i));
  CHECK(pending::MakePlan(list, Config(), files).blocked.size() == pending::kMostFiles);
}

TEST_CASE("pending: the largest hostile file is read quickly", "[pending]") {
  for (const char* one : {"[", "after: [SR_A]\n", "&a [*a] ", "- ", "\\x41", "SR_A, "}) {
    std::string text = "after: [";
    while (text.size() < pending::kMaxFileBytes) text += one;
    CHECK_FALSE(pending::ParsePendingFile(text, "SR_X.yaml").ok());
  }
}
