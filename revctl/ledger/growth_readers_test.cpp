// The same for what merges, edits, folds, configures and searches.
#include <catch2/catch.hpp>

#include "golden/index.h"
#include "golden/merge.h"
#include "revctl/config/config.h"
#include "revctl/ledger/growth.h"
#include "revctl/list/edit.h"
#include "revctl/list/merge.h"
#include "revctl/pending/pending_file.h"
#include "revctl/pending/plan.h"
#include "revctl/source_scan/revision_gates.h"

namespace revctl {

using namespace growth;

TEST_CASE("growth: list versions are merged and edited in linear steps", "[growth]") {
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
      const std::string text = before + Repeated(n, one), other = text + "\n";
      (void)golden::Merge({golden::FileName::Kind::Record, "SR_A", ""},
                          {before, text, other, std::nullopt});
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
                base::Problem problem;
                const std::string text = Repeated(n, one) + "revision";
                const auto lexed = base::Lex(text, problem);
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

}  // namespace revctl
