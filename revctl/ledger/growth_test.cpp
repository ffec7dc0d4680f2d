// Readers of hostile input, by counted steps: each basic block of theirs calls the counter below.
// Four times the input may cost little more than four times the steps, on any machine at any load.
#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>

#include "golden/revision_text.h"
#include "golden/text_tree.h"
#include "revctl/commands/code_gates.h"
#include "revctl/config/config.h"
#include "revctl/findings/finding.h"
#include "revctl/ledger/contradiction.h"
#include "revctl/ledger/event.h"
#include "revctl/ledger/state.h"
#include "revctl/list/edit.h"
#include "revctl/list/merge.h"
#include "revctl/list/names.h"
#include "revctl/list/revision_list.h"
#include "revctl/list/rules.h"
#include "revctl/pending/pending_file.h"
#include "revctl/pending/plan.h"

namespace {

/// Basic blocks, and bytes that were asked for.
std::uint64_t steps = 0, bytes = 0;

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() { ++steps; }

void* operator new(std::size_t size) {
  bytes += size;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace revctl {
namespace {

/// Below it, steps and bytes say nothing: tables grow in leaps.
constexpr std::array<double, 2> kNoise = {20'000, 200'000};
/// Large enough for the square of it to stand out, small enough for a second.
constexpr std::size_t kSmall = 100;

using Make = std::function<std::string(std::size_t n)>;

/// Steps and bytes of `work` for n, 2n and 4n; empty where they grow no faster than n log n does.
std::string Growth(const std::function<void(std::size_t n)>& work, std::size_t n) {
  std::array<std::array<double, 3>, 2> cost{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t steps_before = steps, bytes_before = bytes;
    work(n << i);
    cost[0][i] = static_cast<double>(steps - steps_before);
    cost[1][i] = static_cast<double>(bytes - bytes_before);
  }
  std::string out;
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const auto& c = cost[kind];
    // What twice as much costs on top: 2 where work is linear, 4 where it is quadratic.
    if (c[2] - c[1] <= 2.7 * (c[1] - c[0]) + kNoise[kind]) continue;
    out += std::string(kind == 0 ? "steps" : "bytes") + ": " + std::to_string(c[0]) + ", " +
           std::to_string(c[1]) + ", " + std::to_string(c[2]) + "\n";
  }
  return out;
}

std::string Repeated(std::size_t n, const Make& one) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += one(i);
  return out;
}

std::string Text(std::size_t i) { return std::to_string(i); }

/// An enum whose entries are `one(0)`, `one(1)`...
Make Entries(Make one, const std::string& before = "") {
  return
      [=](std::size_t n) { return before + "enum R {\nSR_FIRST,\n" + Repeated(n, one) + "};\n"; };
}
/// `one(i)` for each i, then a small enum that uses what stands there.
Make Before(Make one, const std::string& use = "SR_A = 1") {
  return [=](std::size_t n) { return Repeated(n, one) + "enum R { " + use + " };\n"; };
}

const std::vector<std::pair<std::string, Make>>& Lists() {
  using S = std::size_t;
  static const std::vector<std::pair<std::string, Make>> lists{
      {"plain", Entries([](S i) { return "SR_N" + Text(i) + ", // what\n"; })},
      {"one name", Entries([](S) { return std::string("SR_A,\n"); })},
      {"one name and number", Entries([](S) { return std::string("SR_A = 7,"); })},
      {"one number", Entries([](S i) { return "SR_N" + Text(i) + " = 7,\n"; })},
      {"falling",
       Entries([](S i) { return "SR_N" + Text(i) + " = " + Text(1000000 - i) + ",\n"; })},
      {"names of one", Entries([](S i) { return "N" + Text(i) + " = SR_FIRST,\n"; })},
      {"names of one, with the prefix",
       Entries([](S i) { return "SR_N" + Text(i) + " = SR_FIRST,\n"; })},
      {"a chain of names", Entries([](S i) {
         return "SR_N" + Text(i) + " = " + (i == 0 ? "SR_FIRST" : "SR_N" + Text(i - 1)) + ",\n";
       })},
      {"all count", Entries([](S i) { return "SR_N" + Text(i) + " = SR_FIRST - 1,\n"; })},
      {"latest, many times",
       Entries([](S i) { return "LATEST" + Text(i) + " = SR_FIRST, CURRENT = SR_FIRST,"; })},
      {"numbers in one comment",
       [](S n) {
         return "enum R {\nSR_A = 500, // " +
                Repeated(n, [](S i) { return "4" + Text(50 + i % 49) + " "; }) + "\n};\n";
       }},
      {"numbers in comments", Entries([](S i) {
         return "SR_N" + Text(i) + " = " + Text(i + 200) + ", // " + Text(i + 190) + " 203\n";
       })},
      {"comments",
       Entries([](S i) { return "// one\n/* two */ SR_N" + Text(i) + ", // three\n\n"; })},
      {"sums", Entries([](S i) { return "SR_N" + Text(i) + " = SR_FIRST + " + Text(i) + ",\n"; })},
      {"typos", Entries([](S i) { return "SX_N" + Text(i) + " = " + Text(i) + ",\n"; })},
      {"conditions", Entries([](S i) { return "#if 1\nSR_N" + Text(i) + ",\n#endif\n"; })},
      {"skipped", Entries([](S i) { return "#if 0\nSR_N" + Text(i) + ",\n#endif\n"; })},
      {"splices", Entries([](S i) { return "SR_\\\nN" + Text(i) + "\\\n\\\n,\n"; })},
      {"macros in numbers",
       Entries([](S i) { return "SR_N" + Text(i) + " = F(" + Text(i) + "),\n"; },
               "#define F(x) (x + 1)\n")},
      {"attributes", Entries([](S i) { return "SR_N" + Text(i) + " [[deprecated]],\n"; })},
      {"characters", Entries([](S i) { return "SR_\xc3\xa9" + Text(i) + ",\n"; })},
      {"one macro again and again",
       Before([](S i) { return "#undef M\n#define M " + Text(i) + "\n"; }, "SR_A = M")},
      {"macros",
       Before([](S i) { return "#define M" + Text(i) + " " + Text(i) + "\n"; }, "SR_A = M0")},
      {"pragmas", Before([](S i) {
         return "#pragma push_macro(\"M" + Text(i) + "\")\n#pragma pop_macro(\"M" + Text(i) +
                "\")\n";
       })},
      {"undecided",
       Before([](S i) { return "#ifdef X" + Text(i) + "\nint a" + Text(i) + ";\n#endif\n"; })},
      {"standards", Before([](S) { return std::string("#if __cplusplus > 201402L\n#endif\n"); })},
      {"constants of one name",
       Before([](S) { return std::string("constexpr int kA = 1; "); }, "SR_A = 1, SR_B = kA")},
      {"constants that look for each other",
       Before([](S i) { return "const int k" + Text(i + 1) + " = k" + Text(i) + ";\n"; })},
      {"constants that look for one",
       Before([](S i) { return "namespace n { const int k" + Text(i + 1) + " = k0; }\n"; },
              "SR_A = 2")},
      {"namespaces",
       [](S n) {
         return Repeated(n / 40, [](S) { return std::string("namespace a {"); }) +
                "enum R { SR_A };\n";
       }},
      {"enums",
       Before([](S i) { return "enum E" + Text(i) + " { kA" + Text(i) + " };\n"; }, "SR_A = kA0")},
      {"enums of one name",
       Before([](S) { return std::string("enum E { kA };\n"); }, "SR_A = E::kA")},
      {"types", Before([](S i) { return "using T" + Text(i) + " = T" + Text(i / 2) + ";\n"; })},
      {"quotes", Before([](S) { return std::string("\"a\" 'b' R\"(c)\" "); })},
      {"carriage returns", Before([](S) { return std::string("// a\r\r\r\n\r\r\n"); })},
      {"trigraphs",
       Before([](S) { return std::string("// ?\?/ a ?\?/\t\n").substr(0, 10) + "\n"; })},
      {"blanks behind backslashes", Before([](S) { return std::string("\\ \t "); })},
      {"parentheses", [](S n) { return "enum R { SR_A = " + std::string(n, '(') + "1 };"; }},
      {"braces", [](S n) { return std::string(n, '{') + "enum R { SR_A };"; }},
      {"markers", Before([](S) { return std::string("<<<<<<< a\n=======\n>>>>>>> b\n"); })}};
  return lists;
}

}  // namespace

TEST_CASE("growth: a list is read and judged in linear steps", "[growth]") {
  list::ListConfig config;
  std::string wrong;
  for (const auto& [title, make] : Lists()) {
    const auto read = [&, &make = make](std::size_t n) {
      (void)list::Parse(make(n), config, "list.h").ok();
    };
    const auto judge = [&, &make = make](std::size_t n, bool landed) {
      const auto plain = list::Parse(Lists().front().second(n), config, "list.h");
      const auto hostile = list::Parse(make(n), config, "list.h");
      if (!plain.ok() || !hostile.ok()) return;
      list::JudgedLists lists;
      lists.target = landed ? &*hostile : &*plain;
      lists.merged = landed ? &*plain : &*hostile;
      lists.reservations.emplace();
      for (std::size_t i = 0; i < n; ++i)
        lists.reservations->push_back({"SR_N" + Text(i), static_cast<std::int64_t>(i), "ann"});
      (void)list::Judge(lists, config);
      (void)list::NewNames(*lists.target, *lists.merged, config);
      (void)list::Lineages(*lists.merged, 0);
    };
    for (const auto& [what, work] :
         {std::pair<std::string, std::function<void(std::size_t)>>{"read", read},
          {"pushed", [&](std::size_t n) { judge(n, false); }},
          {"landed", [&](std::size_t n) { judge(n, true); }}}) {
      const std::string growth = Growth(work, kSmall);
      if (!growth.empty()) wrong += title + ", " + what + ": " + growth;
    }
  }
  CHECK(wrong == "");
}

TEST_CASE("growth: a ledger's commit is read and judged in linear steps", "[growth]") {
  const auto make = [](std::size_t n, const std::string& who) {
    ledger::State state;
    state.id = "ab";
    auto& list = state.lists["main"];
    for (std::size_t i = 0; i < n; ++i)
      list.open.push_back({"SR_N" + Text(i), static_cast<std::int64_t>(i + 1), {who, who + "@x"}});
    list.high_water = static_cast<std::int64_t>(n);
    return state;
  };
  const ledger::TargetLists nothing = [](const std::string&) {
    return ledger::TargetList{[](const std::string&) { return false; }, std::nullopt};
  };
  CHECK(Growth(
            [&](std::size_t n) { (void)ledger::ParseState(FormatState(make(n, "ann")), "x").ok(); },
            400) == "");
  for (const char* kind : {"reserve", "take-over", "renumber", "release", "create"}) {
    INFO(kind);
    CHECK(Growth(
              [&](std::size_t n) {
                std::string message = std::string(kind) + " main\n\n";
                for (std::size_t i = 0; i < n; ++i)
                  message += "Revision: SR_N" + Text(i) + " " + Text(i + 1) + "\n";
                const auto event = ledger::ParseEvent(message);
                REQUIRE(event.has_value());
                (void)Contradiction(make(n, "ann"), *event, make(n, "bob"), nothing);
                (void)Contradiction(make(n, "ann"), *event, make(0, "bob"), nothing);
              },
              400) == "");
  }
}

TEST_CASE("growth: findings are rendered in linear steps", "[growth]") {
  for (const findings::Format format :
       {findings::Format::Text, findings::Format::GitHub, findings::Format::JUnit}) {
    INFO(static_cast<int>(format));
    for (const bool alike : {true, false}) {
      CHECK(Growth(
                [&](std::size_t n) {
                  std::vector<findings::Finding> found(n);
                  for (std::size_t i = 0; i < n; ++i) {
                    found[i].message = "\x1b\xff##[x]\n::y " + Text(i);
                    if (!alike) found[i].rule = found[i].file = found[i].fix = "x" + Text(i);
                  }
                  (void)findings::Render(found, format, false);
                },
                200) == "");
    }
  }
}

TEST_CASE("growth: versions of a list are merged and edited in linear steps", "[growth]") {
  list::ListConfig config;
  std::string wrong;
  for (const auto& [title, make] : Lists()) {
    const auto merge = [&, &make = make](std::size_t n, bool ours) {
      const std::string base = "enum R {\nSR_FIRST,\n};\n",
                        other = "enum R {\nSR_FIRST,\nSR_OTHER,\n};\n", hostile = make(n);
      list::MergeContext context;
      context.landed_known = true;
      context.landed_text = base;
      for (std::size_t i = 0; i < n; ++i)
        context.reservations.emplace_back("SR_N" + Text(i), static_cast<std::int64_t>(i));
      (void)list::Merge({base, ours ? hostile : other, ours ? other : hostile, "list.h"}, context,
                        config)
          .ok();
      context.landed_text = hostile;
      (void)list::Merge({hostile, other, hostile, "list.h"}, context, config).ok();
    };
    const auto edit = [&, &make = make](std::size_t n) {
      const auto list = list::Parse(make(n), config, "list.h");
      if (!list.ok()) return;
      std::vector<list::NewEntry> entries;
      for (std::size_t i = 0; i < 5; ++i)
        entries.push_back({"SR_NEW" + Text(i), static_cast<std::int64_t>(2'000'000 + i), "new"});
      (void)list::AppendAll(*list, config, entries).ok();
    };
    for (const auto& [what, work] :
         {std::pair<std::string, std::function<void(std::size_t)>>{"edit", edit},
          {"ours", [&](std::size_t n) { merge(n, true); }},
          {"theirs", [&](std::size_t n) { merge(n, false); }}}) {
      const std::string growth = Growth(work, kSmall / 2);
      if (!growth.empty()) wrong += title + ", " + what + ": " + growth;
    }
  }
  CHECK(wrong == "");
}

TEST_CASE("growth: pending files are planned and folded in linear steps", "[growth]") {
  list::ListConfig config;
  config.path = "list.h";
  config.numbers = list::Numbers::AtLanding;
  using After = std::function<std::string(std::size_t)>;
  const auto lists = {std::string("enum R {\n    SR_FIRST=1,// first\n    SR_B=2,// second\n};\n"),
                      std::string("enum R {\n    SR_FIRST,\n};\n")};
  for (const std::string& text : lists) {
    for (const After& after :
         {After([](std::size_t) { return std::string(); }),
          After([](std::size_t i) { return i == 0 ? "" : "SR_N" + Text(i - 1); }),
          After([](std::size_t) { return std::string("SR_FIRST"); }),
          After([](std::size_t i) { return "SR_N" + Text(i + 1); }),
          After([](std::size_t) { return std::string("SR_NONE"); })}) {
      for (const char* message : {"", "what it is for"}) {
        const auto work = [&](std::size_t n) {
          const auto list = list::Parse(text, config, "list.h");
          REQUIRE(list.ok());
          std::vector<pending::PendingText> files;
          for (std::size_t i = 0; i < n; ++i) {
            pending::PendingRevision one;
            one.message = message;
            if (!after(i).empty()) one.after = {after(i)};
            files.push_back({"SR_N" + Text(i) + ".yaml", pending::FormatPendingFile(one), ""});
          }
          const auto plan = pending::MakePlan(*list, config, files);
          (void)pending::Folded(*list, config, plan).ok();
          std::vector<std::string> clashes;
          (void)pending::MergeFiles({}, files, files, clashes);
        };
        INFO(text << "after " << after(1) << ", " << message);
        CHECK(Growth(work, kSmall) == "");
      }
    }
  }
}

TEST_CASE("growth: configuration and records are read in linear steps", "[growth]") {
  const auto config = [](const Make& one, const std::string& before, const std::string& after) {
    return [=](std::size_t n) {
      (void)config::ParseConfig(before + Repeated(n, one) + after, ".revctl.yaml").ok();
    };
  };
  const std::string head = "version: 1\nlists:\n- path: a.h\n";
  CHECK(Growth(config(
                   [](std::size_t i) {
                     return "- path: l" + Text(i) + ".h\n  name: l" + Text(i) + "\n";
                   },
                   head, ""),
               kSmall) == "");
  CHECK(Growth(config(
                   [](std::size_t i) {
                     return "- {rule: RV006, name: SR_" + Text(i) + ", reason: x}\n";
                   },
                   head + "allow:\n", ""),
               kSmall) == "");
  CHECK(Growth(config([](std::size_t i) { return "SR_" + Text(i) + ", "; }, head + "  aliases: [",
                      "]\n"),
               kSmall) == "");
  CHECK(Growth(config([](std::size_t i) { return "x" + Text(i) + ": 1\n"; }, head, ""), kSmall) ==
        "");
  CHECK(Growth(config([](std::size_t) { return std::string("["); }, head + "target: ", ""),
               kSmall) == "");
  CHECK(Growth(config(
                   [](std::size_t i) {
                     return "a" + Text(i) + ": &x" + Text(i) + " [*x" + Text(i == 0 ? 0 : i - 1) +
                            "]\n";
                   },
                   "", ""),
               kSmall) == "");
  const auto record = [](const Make& one, const std::string& before) {
    return [=](std::size_t n) {
      (void)golden::ParseRecord(before + Repeated(n, one), "SR_A.yaml").ok();
      (void)golden::ParseTextTree(before + Repeated(n, one), "SR_A.yaml").ok();
    };
  };
  for (const auto& [before, one] :
       {std::pair<std::string, Make>{"", [](std::size_t i) { return "k" + Text(i) + ": v\n"; }},
        {"", [](std::size_t) { return std::string("k: v\n"); }},
        {"types:\n", [](std::size_t i) { return "  T" + Text(i) + ":\n    - a: u8\n"; }},
        {"cases:\n",
         [](std::size_t i) { return "  - name: c" + Text(i) + "\n    values:\n      a: 1\n"; }},
        {"a: ", [](std::size_t) { return std::string("["); }},
        {"a: \"", [](std::size_t) { return std::string("\\x41"); }},
        {"", [](std::size_t) { return std::string("- - - x\n"); }},
        {"a:\n", [](std::size_t) { return std::string("# note\n"); }}}) {
    INFO(before << one(1));
    CHECK(Growth(record(one, before), kSmall) == "");
  }
}

TEST_CASE("growth: code is searched for revisions in linear steps", "[growth]") {
  const std::set<std::string, std::less<>> enums = {"Revision"};
  for (const Make& one :
       {Make([](std::size_t) { return std::string("if (r.revision < 42) x();\n"); }),
        Make([](std::size_t) { return std::string("a::"); }),
        Make([](std::size_t) { return std::string("("); }),
        Make([](std::size_t) { return std::string(")"); }),
        Make([](std::size_t) { return std::string("ADD(("); }),
        Make([](std::size_t) { return std::string("switch (r.revision) { case 1: "); }),
        Make([](std::size_t) { return std::string("switch ("); }),
        Make([](std::size_t) { return std::string("Revision("); }),
        Make([](std::size_t) { return std::string("static_cast<Revision>("); }),
        Make([](std::size_t) { return std::string("- + "); }),
        Make([](std::size_t) { return std::string("r.revision -> "); }),
        Make([](std::size_t) { return std::string("revision < "); }),
        Make([](std::size_t) { return std::string("(int)(revision "); }),
        Make([](std::size_t) { return std::string("f().g() < SR_A, "); })}) {
    INFO(one(0));
    CHECK(Growth(
              [&](std::size_t n) {
                list::detail::Problem problem;
                const std::string text = Repeated(n, one) + "revision";
                const auto lexed = list::detail::Lex(text, problem);
                if (!lexed) return;
                (void)commands::BareNumbers(lexed->tokens, enums);
                (void)commands::ComparedNumbers(lexed->tokens, enums);
                std::vector<std::size_t> all(lexed->tokens.size());
                for (std::size_t i = 0; i < all.size(); ++i) {
                  all[i] = i;
                  (void)commands::OnlyForOlder(lexed->tokens, i);
                }
                (void)commands::Getters(lexed->tokens, all);
              },
              4 * kSmall) == "");
  }
}

// A loop that is quadratic must be seen: else the above proves nothing.
TEST_CASE("growth: what is quadratic is told", "[growth]") {
  const auto slow = [](std::size_t n) {
    ledger::ListState list;
    for (std::size_t i = 0; i < n; ++i)
      list.Give("SR_N" + Text(i), static_cast<std::int64_t>(i), {"ann", "ann@x"});
  };
  CHECK(Growth(slow, 400).find("steps") == 0);
}

}  // namespace revctl
