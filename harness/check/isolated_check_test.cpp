// Child processes together must report the same findings as a single process, once each and in the
// same order.
#include "harness/check/check.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <thread>
#include <utility>

#include <revctl/serialize.h>

#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/signals/decoded.h"
#include "harness/testing/test_program.h"
#include "harness/trace/crash_breadcrumb.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };
}  // namespace

// Several root types contain the same record, so several parts of the check find the same mistake
// in it.
namespace before {
struct Item {
  std::int32_t weight = 1, price = 2;
  std::int16_t charges = 3;
};
SERIALIZE_TYPE(Item) {
  ADD(SR_INITIAL, weight);
  ADD(SR_INITIAL, price);
  ADD(SR_INITIAL, charges);
}
SERIALIZE_END
template <int N>
struct Root {
  Item item;
  std::int32_t own = N;
};
SERIALIZE_TEMPLATE((int N), Root<N>) {
  ADD(SR_INITIAL, item);
  ADD(SR_INITIAL, own);
}
SERIALIZE_END
}  // namespace before

// A field that all roots reach was renamed, and a field of each root was retyped.
namespace after {
struct Item {
  std::int32_t weight = 1, price = 2;
  std::int16_t uses = 3;
};
SERIALIZE_TYPE(Item) {
  ADD(SR_INITIAL, weight);
  ADD(SR_INITIAL, price);
  ADD(SR_INITIAL, uses);
}
SERIALIZE_END
template <int N>
struct Root {
  Item item;
  std::uint32_t own = N;
};
SERIALIZE_TEMPLATE((int N), Root<N>) {
  ADD(SR_INITIAL, item);
  ADD(SR_INITIAL, own);
}
SERIALIZE_END
}  // namespace after

namespace revctl {
template <>
struct NameOf<before::Item> {
  static std::string Name() { return "Item"; }
};
template <>
struct NameOf<after::Item> {
  static std::string Name() { return "Item"; }
};
template <int N>
struct NameOf<before::Root<N>> {
  static std::string Name() { return "Root" + std::to_string(N); }
};
template <int N>
struct NameOf<after::Root<N>> {
  static std::string Name() { return "Root" + std::to_string(N); }
};
}  // namespace revctl

namespace {

enum How { Fine, Spin, Sleep, Stop, Nap, Exit, ExitAtOnce };
revctl::harness::test::Variable<How> hangs("REVCTL_TEST_HANGS");
std::atomic<int>* met = nullptr;  ///< number of hangs in this process and its forks

using namespace std::chrono_literals;

void ComputeFor(std::chrono::milliseconds processor) {
  const revctl::harness::Stopwatch watch;
  while (watch.Milliseconds() < static_cast<double>(processor.count())) {
  }
}

/// Hangs or returns late, depending on `how`.
void DoNotReturn(How how) {
  if (met != nullptr) ++*met;
  switch (how) {
    case How::Sleep:
      std::this_thread::sleep_for(1h);
      break;
    case How::Stop:
      revctl::harness::test::StopProcess();
      break;
    case How::Nap:
      std::this_thread::sleep_for(20ms);
      break;
    case How::Exit:
      std::exit(0);
    case How::ExitAtOnce:
      std::_Exit(0);
    default:
      break;
  }
}
struct Spinning {
  std::int32_t value = 0;
};
SERIALIZE_TYPE(Spinning) {
  ADD(SR_INITIAL, value);
  while (hangs != How::Fine && r.IsReading()) {
    DoNotReturn(hangs);
  }
}
SERIALIZE_END
struct Quick {
  std::int32_t value = 0;
};
SERIALIZE_TYPE(Quick) { ADD(SR_INITIAL, value); }
SERIALIZE_END

enum class Break { None, InPart, BehindParts, Cut, Lied };
revctl::harness::test::Variable<Break> breaks("REVCTL_TEST_BREAKS");
struct Part {
  std::int32_t weight = 1, price = 2;
};
struct Brittle {
  std::int32_t first = 0;
  std::vector<Part> parts;
  std::int32_t last = 0, later = 0;
};
SERIALIZE_TYPE(Part) {
  ADD(SR_INITIAL, weight);
  if (r.IsReading() && breaks == Break::InPart) std::_Exit(7);
  ADD(SR_INITIAL, price);
}
SERIALIZE_END
SERIALIZE_TYPE(Brittle) {
  ADD(SR_INITIAL, first);
  ADD(SR_INITIAL, parts);
  if (r.IsReading() && breaks == Break::BehindParts && !d.parts.empty()) std::_Exit(7);
  if constexpr (requires {
                  r.error();
                  r.AtEnd();
                }) {
    const bool lied = !r.Ok() && r.error().reason.find("more memory") != std::string::npos;
    if (breaks == Break::Lied && lied) std::_Exit(7);
  }
  ADD(SR_INITIAL, last);
  ADD(SR_FOULS, later);
  if (r.IsReading() && !r.Ok() && breaks == Break::Cut) std::_Exit(7);
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {

TEST_CASE("check: a crash points at the last macro visited or cut", "[harness][isolated]") {
  struct Case {
    Break how;
    const char *rule, *field, *line, *words;
  };
  const auto [how, rule, field, line, words] = GENERATE(
      Case{Break::InPart, "GH002", "weight", "ADD(SR_INITIAL, weight);",
           "; the last visited field is `weight`"},
      Case{Break::BehindParts, "GH002", "parts", "ADD(SR_INITIAL, parts);",
           "; the last visited field is `parts`"},
      Case{Break::Cut, "GH006", "first", "ADD(SR_INITIAL, first);",
           ", cut at byte 0, in `first`, terminates the process"},
      Case{Break::Lied, "GH006", "parts#count", "ADD(SR_INITIAL, parts);",
           ", with a count of 4294967295 at byte 4, in `parts#count`, terminates the process"});
  const Folder folder;
  const Program program = Program(1).Type<Brittle>();
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  breaks = how;
  const CheckResult result = CheckIsolated(program.registry, program.List(), store, options);
  breaks = Break::None;
  INFO(Text(result));
  REQUIRE_FALSE(result.findings.empty());
  const auto tells = [&rule = rule, &words = words](
                         const Finding& finding) {  // clang 14 cannot capture structured bindings
    return findings::NameOf(finding.rule) == rule &&
           finding.message.find(words) != std::string::npos;
  };
  const auto found = std::find_if(result.findings.begin(), result.findings.end(), tells);
  REQUIRE(found != result.findings.end());
  CHECK(found->field == field);
  CHECK_THAT(SourceLine(*found), Catch::Contains(line));
  CHECK_THAT(
      FixText(found->fix),
      Catch::StartsWith("save_harness check --replay 'golden SR_INITIAL/auto-1' --type Brittle"));
}

TEST_CASE("check: the watcher sees each golden until all are checked", "[harness][isolated]") {
  const Folder folder;
  const Program program = Program(1).Type<before::Root<1>>().Type<before::Root<2>>();
  program.Record(folder);
  std::size_t last = 0, all = 0;
  CheckOptions options;
  options.watch = [&](std::size_t done, std::size_t of, const std::string&) {
    CHECK(done >= last);
    last = done;
    all = of;
  };
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const CheckResult result = CheckIsolated(program.registry, program.List(), store, options);
  CHECK(result.goldens > 2);
  CHECK(last == result.goldens);
  CHECK(all == result.goldens);
}

TEST_CASE("check: one trap is one error that lists types and revisions",
          "[harness][isolated][crash]") {
  const Break how = GENERATE(Break::InPart, Break::Cut);
  const Folder folder;
  Program(1).Type<Brittle>().Record(folder);
  Program program = Program(2).Type<Brittle>().Sample(
      "boss room", [](void* d) { static_cast<Brittle*>(d)->parts.resize(2); });
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  breaks = how;
  const CheckResult result = CheckIsolated(program.registry, program.List(), store, {});
  breaks = Break::None;
  INFO(Text(result));
  const auto ends = [](const Finding& finding) {
    return finding.message.find("terminates the process") != std::string::npos;
  };
  CHECK(std::count_if(result.findings.begin(), result.findings.end(), ends) == 1);
  const auto found = std::find_if(result.findings.begin(), result.findings.end(), ends);
  REQUIRE(found != result.findings.end());
  CHECK_THAT(found->message,
             Catch::Contains("the golden SR_INITIAL/auto-1") &&
                 Catch::Contains(" terminates the process (exit status 7), and so do ") &&
                 Catch::Contains(" more"));
  CHECK_THAT(found->details, Catch::StartsWith("also affected: golden SR_INITIAL/"));
  const auto& at = result.at[static_cast<std::size_t>(found - result.findings.begin())];
  if (how == Break::Cut) {
    CHECK_THAT(found->details, Catch::Contains("golden SR_FOULS/boss room"));
    CHECK(at == std::vector<std::string>{"SR_INITIAL", "SR_FOULS"});
  } else {
    CHECK_THAT(found->message, Catch::Contains("; all other checks of this type are skipped"));
    CHECK(at == std::vector<std::string>{"SR_INITIAL"});
  }
}

TEST_CASE("check: a body that hangs is named, and the rest is checked", "[harness][isolated]") {
  const Folder folder;
  const Program program = Program(1).Type<Spinning>().Type<Quick>();
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  const auto [how, by_wall] = GENERATE(table<How, bool>({{How::Spin, false},
                                                         {How::Sleep, false},
                                                         {How::Sleep, true},
                                                         {How::Stop, false},
                                                         {How::Nap, false}}));
  if (how == How::Spin) {
    options.limits.core = 1;
  } else if (by_wall) {
    options.limits.idle = 0;
    options.limits.wall = 2;
  } else {
    options.limits.idle = 2;
  }
  hangs = how;
  const CheckResult result = CheckIsolated(program.registry, program.List(), store, options);
  hangs = How::Fine;
  INFO(Text(result));
  REQUIRE(result.findings.size() == 1);
  CHECK_THAT(result.findings[0].type, Catch::EndsWith("Spinning"));
  CHECK_THAT(result.findings[0].message, Catch::Contains("terminates the process (it hangs)"));
  CHECK(result.goldens > 0);  // the goldens of the type that does not hang
}

TEST_CASE("check: a hang is waited for once", "[harness][isolated]") {
  const SharedBytes shared(sizeof *met);
  REQUIRE(shared.get() != nullptr);
  const Folder folder;
  const Program program = Program(1).Type<Spinning>().Type<Quick>();
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.limits = {1, 1, 600};
  met = new (shared.get()) std::atomic<int>(0);
  hangs = GENERATE(How::Sleep, How::Stop);
  const CheckResult result = CheckIsolated(program.registry, program.List(), store, options);
  hangs = How::Fine;
  CHECK(*std::exchange(met, nullptr) == (SystemChild::Forks() ? 1 : 0));
  INFO(Text(result));
  CHECK(result.findings.size() == 1);
}

const Registry kNoTypes;

const JobKind kCompute("test: compute", [](const JobInput&) -> std::string {
  ComputeFor(2s);
  return "done";
});
const JobKind kComputeInThread("test: compute in a thread", [](const JobInput&) -> std::string {
  std::thread(ComputeFor, 2s).join();
  return "done";
});

TEST_CASE("check: computing and threaded bodies are not waiting", "[harness][isolated]") {
  const bool itself = GENERATE(true, false);
  ChildProcess child;
  REQUIRE(child.Start({itself ? kCompute : kComputeInThread, {kNoTypes}}, {60, 1, 600}));
  CHECK(child.Finish() == "done");
}

const JobKind kReplayHere("test: replay", [](const JobInput& input) -> std::string {
  std::pair<std::string, std::string> step;
  if (!Unpack(input.arguments, step)) return "";
  const Replayed replayed =
      Replay(input.registry, *input.list, *input.store, {}, step.first, step.second);
  return "came back: " + std::to_string(static_cast<int>(replayed));
});

TEST_CASE("replay: a body that exits with success is reported", "[harness][isolated]") {
  const Folder folder;
  const Program program = Program(1).Type<Spinning>();
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  hangs = GENERATE(How::Exit, How::ExitAtOnce);
  const CheckResult result = CheckIsolated(program.registry, program.List(), store, options);
  INFO(Text(result));
  REQUIRE(!result.findings.empty());
  CHECK_THAT(result.findings[0].message, Catch::Contains("terminates the process (exit status 0)"));
  const std::string fix = FixText(result.findings[0].fix);
  const std::string& type = program.registry.types[0].name;
  const auto quote = fix.find('\'');
  REQUIRE(quote != std::string::npos);
  const std::string what = fix.substr(quote + 1, fix.find('\'', quote + 1) - quote - 1);
  ChildProcess child;
  const revctl::ListTable list = program.List();
  REQUIRE(
      child.Start({kReplayHere, {program.registry, &list, &store}, Pack(std::pair(type, what))}));
  CHECK(child.Finish().value_or("") == "");
  CHECK(child.ending() == "exit status 0");
  hangs = How::Fine;
  CHECK(Replay(program.registry, program.List(), store, options, type, what) == Replayed::Harmless);
  CHECK(Replay(program.registry, program.List(), store, options, type, "golden none") ==
        Replayed::Unknown);
}

TEST_CASE("check: child processes find the same as one, in order", "[harness][isolated]") {
  const Folder folder;
  Program(1)
      .Type<before::Root<1>>()
      .Type<before::Root<2>>()
      .Type<before::Root<3>>()
      .Type<before::Root<4>>()
      .Record(folder);
  Program program(1);
  program.Type<after::Root<1>>()
      .Type<after::Root<2>>()
      .Type<after::Root<3>>()
      .Type<after::Root<4>>();
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  const CheckResult one = Check(program.registry, program.List(), store, options);
  const CheckResult many = CheckIsolated(program.registry, program.List(), store, options);
  INFO(Text(one));
  CHECK(one.findings.size() > 5);
  CHECK(Text(many) == Text(one));
  CHECK(many.at == one.at);
  CHECK(many.errors == one.errors);
  CHECK(many.types == one.types);
  CHECK(many.revisions == one.revisions);
  CHECK(many.goldens == one.goldens);
  CHECK(many.costs.size() == one.costs.size());
  // The renamed field must be offered once, although every root reaches it.
  CHECK(one.pending.size() == 1);
  CHECK(many.pending.size() == one.pending.size());

  options.only = std::set<std::string>{"Root3"};
  options.store = false;
  CHECK(Text(CheckIsolated(program.registry, program.List(), store, options)) ==
        Text(Check(program.registry, program.List(), store, options)));
  options.only = std::set<std::string>();
  CHECK(CheckIsolated(program.registry, program.List(), store, options).findings.empty());
}

}  // namespace revctl::harness::test
