// GH005 must report samples that influence each other through variables of the program.
#include "harness/check/sample_order.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>

#include <revctl/harness.h>
#include <revctl/serialize.h>

#include "harness/isolation/supervisor.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };

// Variables of the program, outside all objects.
bool online = false;
std::uint32_t difficulty = 0;  // unsigned, because samples make sums overflow
std::int32_t language = 0;
/// True if this file's HARNESS_RESET does anything.
revctl::harness::test::Variable<bool> resets("REVCTL_TEST_RESETS");
int resets_seen = 0;
enum class Trap { None, AfterOnline };
revctl::harness::test::Variable<Trap> trap("REVCTL_TEST_TRAP");

/// Saves a member only while the program is online.
struct Client {
  std::int32_t id = 0, ping = 5;
};
SERIALIZE_TYPE(Client) {
  ADD(SR_INITIAL, id);
  if (trap == Trap::AfterOnline && online) std::_Exit(9);
  ADD_CONDITIONAL(SR_INITIAL, online, ping);
}
SERIALIZE_END

/// Another type that depends on the same variable.
struct Lobby {
  std::int32_t rooms = 2, players = 7;
};
SERIALIZE_TYPE(Lobby) {
  ADD(SR_INITIAL, rooms);
  if (online) {
    ADD(SR_INITIAL, players);
  }
}
SERIALIZE_END

/// A type whose reader sets a variable that its writer uses.
struct Rules {
  std::uint32_t level = 1, bonus = 0;
};
SERIALIZE_TYPE(Rules) {
  ADD(SR_INITIAL, level);
  if (r.IsReading()) difficulty = d.level;
  std::uint32_t scaled = d.bonus + difficulty;
  Serialize(r, scaled);
  if (r.IsReading()) d.bonus = scaled - difficulty;
}
SERIALIZE_END

/// A type whose saved bytes depend only on the object, even though reading it and its samples
/// changes variables of the program.
struct Sound {
  std::int32_t id = 0;
  bool loud = false;
};
SERIALIZE_TYPE(Sound) {
  ADD(SR_INITIAL, id);
  ADD(SR_INITIAL, loud);
  if (r.IsReading()) language = d.id;  // nothing that is saved depends on this variable
}
SERIALIZE_END

/// Number of processes that have saved a Ticket: this process and its forks.
const revctl::harness::SharedBytes ticket_memory(sizeof(std::atomic<unsigned>));
std::atomic<unsigned>& ticket_processes =
    *reinterpret_cast<std::atomic<unsigned>*>(ticket_memory.get());

unsigned NumberOfProcess() {
  static const unsigned number = ++ticket_processes;
  return number;
}

/// Is saved differently by each process, as if its bytes depended on addresses. Only the third and
/// the fourth process agree.
struct Ticket {
  std::uint32_t id = 0;
};
SERIALIZE_TYPE(Ticket) {
  const unsigned own = NumberOfProcess();
  std::uint32_t saved = d.id + (own == 4 ? 3 : own);
  Serialize(r, saved);
  if (r.IsReading()) d.id = saved;
}
SERIALIZE_END

void MakeOnline(void* object) {
  static_cast<Client*>(object)->id = 3;
  online = true;
}
void MakeOffline(void* object) { static_cast<Client*>(object)->id = 4; }
void MakeSetsItself(void* object) {
  static_cast<Client*>(object)->id = 6;
  online = false;
}
void MakeLobby(void* object) { static_cast<Lobby*>(object)->rooms = 9; }
void MakeSound(void* object) { static_cast<Sound*>(object)->loud = online = true; }

HARNESS_RESET() {
  ++resets_seen;
  if (!resets) return;
  online = false;
  difficulty = 0;
}

}  // namespace

namespace revctl::harness::test {
namespace {

/// Checks the order of samples of a program without goldens. Afterwards, the variables of this
/// process are unchanged.
CheckResult InOrder(const Program& program) {
  const Folder folder;
  const golden::Store store = golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  return CheckIsolated(program.registry, program.List(), store, options);
}

std::vector<Finding> Leaks(const CheckResult& result) {
  std::vector<Finding> leaks;
  for (const Finding& finding : result.findings) {
    if (finding.message.find("is written differently after") != std::string::npos)
      leaks.push_back(finding);
  }
  return leaks;
}

}  // namespace

TEST_CASE("samples: one that switches the program is named with the samples that it changes",
          "[harness][samples][order]") {
  const CheckResult result = InOrder(Program(1)
                                         .Type<Client>()
                                         .Sample("offline", MakeOffline)
                                         .Sample("online", MakeOnline)
                                         .Type<Lobby>()
                                         .Sample("lobby", MakeLobby));
  INFO(Text(result));
  const std::vector<Finding> leaks = Leaks(result);
  REQUIRE(leaks.size() == 1);
  const Finding& leak = leaks[0];
  CHECK(findings::NameOf(leak.rule) == "GH005");
  CHECK(leak.severity == Severity::Error);
  CHECK(leak.type == "Client");
  CHECK(leak.field == "ping");
  CHECK_THAT(leak.message,
             Catch::Contains(
                 "of Client is written differently after sample \"online\": the latter changes "
                 "a global variable that is not reset"));
  CHECK_THAT(
      leak.details,
      Catch::Contains("ping: absent if written on its own, 5 if written after the other sample") ||
          Catch::Contains("ping: absent if written on its own, "));
  CHECK_THAT(leak.details, Catch::Contains("also affected: ") && Catch::Contains(" more"));
  CHECK_THAT(FixText(leak.fix), Catch::Contains("make the variable a member of the object") &&
                                    Catch::Contains("HARNESS_RESET() {"));
  CHECK(leak.file == "game.cpp");
  CHECK(leak.line == 9);
}

TEST_CASE("samples: a sample that others of its type precede or follow is found in either order",
          "[harness][samples][order]") {
  const bool first = GENERATE(true, false);
  Program program(1);
  program.Type<Lobby>().Type<Client>();
  if (first) program.Sample("online", MakeOnline);
  program.Sample("sets", MakeSetsItself).Sample("offline", MakeOffline);
  if (!first) program.Sample("online", MakeOnline);
  const std::vector<Finding> leaks = Leaks(InOrder(program));
  REQUIRE(leaks.size() == 1);
  CHECK_THAT(leaks[0].message, Catch::Contains("after sample \"online\""));
}

TEST_CASE("samples: a variable that reading sets is found", "[harness][samples][order]") {
  // Automatic samples are made by reading, which sets the variable right before they are written.
  const CheckResult result = InOrder(Program(1).Type<Rules>().Sample(
      "plain", [](void* object) { static_cast<Rules*>(object)->level = 5; }));
  INFO(Text(result));
  const std::vector<Finding> leaks = Leaks(result);
  REQUIRE(leaks.size() == 1);
  CHECK_THAT(leaks[0].message, Catch::StartsWith("sample \"plain\" of Rules is written "));
  CHECK_THAT(
      leaks[0].message,
      Catch::Contains("the body, or a function that it calls, changes a global variable that "
                      "is not reset"));
}

TEST_CASE("samples: variables that change nothing that is saved are fine",
          "[harness][samples][order]") {
  const CheckResult result =
      InOrder(Program(1).Type<Sound>().Sample("a", MakeSound).Sample("b", [](void* object) {
        static_cast<Sound*>(object)->id = 4;
      }));
  INFO(Text(result));
  CHECK(Leaks(result).empty());
}

TEST_CASE("samples: the first one of an order that differs by chance has no cause",
          "[harness][samples][order]") {
  const Program program = Program(1).Type<Ticket>();
  (void)program.List();  // registers the type, so that started (not forked) children find it
  Verdicts verdicts;
  CHECK(CheckSampleOrder({program.registry}, {program.registry.Find("Ticket")}, 1, "SR_INITIAL", {},
                         verdicts)
            .empty());
  // Six processes write tickets: one for each of the two orders, and two for each of the two
  // samples alone. No search follows, because nothing precedes the samples. Children that are
  // started rather than forked do not share the counter.
  CHECK(ticket_processes == (SystemChild::Forks() ? 6 : 0));
  CHECK(verdicts.TakeSorted().empty());
}

TEST_CASE("samples: HARNESS_RESET makes samples independent of each other",
          "[harness][samples][order]") {
  resets = true;
  const int before = resets_seen;
  const Program program =
      Program(1).Type<Client>().Sample("offline", MakeOffline).Sample("online", MakeOnline);
  const CheckResult result = InOrder(program);
  // Without child processes, the samples run in this process, whose variables must be reset.
  const Folder folder;
  (void)program.Check(folder);
  resets = false;
  INFO(Text(result));
  CHECK(Leaks(result).empty());
  CHECK(resets_seen > before + 10);
  CHECK_FALSE(online);
}

TEST_CASE("samples: a sample that crashes only after another one is named",
          "[harness][samples][order]") {
  trap = Trap::AfterOnline;
  const CheckResult result = InOrder(Program(1)
                                         .Type<Client>()
                                         .Sample("offline", MakeOffline)
                                         .Type<Lobby>()
                                         .Sample("online", [](void*) { online = true; }));
  trap = Trap::None;
  INFO(Text(result));
  CHECK(std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
    return finding.type == "Client" &&
           finding.message.find("terminates the process (exit status 9)") != std::string::npos;
  }));
}

}  // namespace revctl::harness::test
