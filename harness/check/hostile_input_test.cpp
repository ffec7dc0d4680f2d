// The storm must end children that hang or use too much memory, and must stay within its time
// budget regardless of what an input costs. To be independent of the machine's speed, the tests
// count reads instead of measuring time. Each read takes at least kEach, which limits the number of
// reads that fit into the budget.
#include "harness/check/hostile_input.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <revctl/serialize.h>

#include "harness/commands/command.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };
using namespace std::chrono_literals;
constexpr auto kEach = 10ms;

/// Counts the reads in all processes. If `fragile`, reading a golden ends the process.
struct Counted {
  std::atomic<int> reads;
  std::atomic<bool> slow, fragile;
};
Counted& Shared() {
  static auto* shared = new (::mmap(nullptr, sizeof(Counted), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Counted{};
  return *shared;
}

/// How the body behaves on an input that differs from all goldens.
enum How { Fine, Spin, Wait, Stop, Devour };
volatile How grim = How::Fine;
struct Grim {
  std::uint32_t choice = 0;
};
SERIALIZE_TYPE(Grim) {
  ADD(SR_INITIAL, choice);
  if (r.IsReading() && d.choice == 0xFFFFFFFF && grim != How::Fine) {
    ::signal(SIGALRM, SIG_IGN);  // ignores the signals that could end a hanging process
    ::signal(SIGTERM, SIG_IGN);
    try {
      std::vector<char> much(grim == How::Devour ? std::size_t{1} << 30 : 0);
    } catch (const std::bad_alloc&) {
      std::_Exit(7);
    }
    while (grim != How::Devour) {
      if (grim == How::Wait) ::pause();
      if (grim == How::Stop) ::raise(SIGSTOP);
    }
  }
}
SERIALIZE_END

struct Slow {
  std::vector<std::uint32_t> values;
};
SERIALIZE_TYPE(Slow) {
  if (r.IsReading() && Shared().slow) {
    ++Shared().reads;
    for (const auto end = std::chrono::steady_clock::now() + kEach;
         std::chrono::steady_clock::now() < end;) {
    }
    if (Shared().fragile) std::_Exit(7);
  }
  ADD(SR_INITIAL, values);
}
SERIALIZE_END

/// A type with the program's own streams, which the library's archives do not know. A value of
/// `choice` that no golden contains ends the process: during the write if `saving`, otherwise
/// during the read.
template <bool saving>
struct Frail {
  using Outcome = revctl::harness::BinaryOutcome;
  static Outcome Write(std::int64_t, Grim& object, std::vector<std::byte>& bytes) {
    if (saving && (object.choice >> 24) == 0xFF) std::_Exit(9);
    bytes.resize(4);
    std::memcpy(bytes.data(), &object.choice, 4);
    return {};
  }
  static Outcome Read(std::span<const std::byte> bytes, std::int64_t, Grim& object) {
    if (bytes.size() < 4) return {false, false, bytes.size(), "", "too short"};
    std::memcpy(&object.choice, bytes.data(), 4);
    if (!saving && (object.choice >> 24) == 0xFF) std::_Exit(9);
    return {true, bytes.size() == 4, 4, "", ""};
  }
};

template <bool saving>
revctl::harness::RootType FrailRoot() {
  revctl::harness::RootType root;
  root.entry =
      revctl::harness::detail::EntryBy<Grim, Frail<saving>>(1, "SR_INITIAL", "grim.cpp", 7);
  root.name = root.entry.type().name();
  return root;
}

}  // namespace

namespace revctl::harness::test {

TEST_CASE("storm: it takes its time and no more, and none without any", "[harness][storm]") {
  const Folder folder;
  const Program program = Program(1).Type<Slow>();
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  REQUIRE(history.Goldens(program.registry.types[0].name).size() > 2);
  const RootType& root = program.registry.types[0];
  Shared().slow = true;
  constexpr double kSeconds = 0.3;
  // 30 reads fit into the budget. A few more are possible, because the last read may begin right
  // before the deadline, and a body runs twice after an error.
  constexpr int kMost = 30 + 4;

  const StormResult fine = Storm(root, history, kSeconds, 1);
  CHECK(fine.inputs > 0);
  CHECK(fine.inputs <= kMost);
  CHECK(static_cast<std::uint64_t>(Shared().reads) >= fine.inputs);
  CHECK(Shared().reads <= kMost);

  // The time for minimizing inputs is part of the budget.
  Shared().reads = 0;
  Shared().fragile = true;
  const StormResult crashed = Storm(root, history, kSeconds, 1);
  CHECK_FALSE(crashed.crashes.empty());
  CHECK(Shared().reads <= kMost);

  Shared().reads = 0;
  CHECK(Storm(root, history, 0, 1).inputs == 0);
  CHECK(Shared().reads == 0);
  Shared().fragile = Shared().slow = false;

  // Even if reads are fast, the storm uses its whole time budget.
  constexpr double kAll = 4;
  const auto begin = std::chrono::steady_clock::now();
  const StormResult whole = Storm(root, history, kAll, 1);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(took.count() >= kAll);
  CHECK(whole.inputs > 1000);
  CHECK(whole.crashes.empty());
}

TEST_CASE("storm: inputs that hang, stop or devour memory are found", "[harness][storm]") {
  const Folder folder;
  const Program program = Program(1).Type<Grim>();
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  const How how = GENERATE(How::Spin, How::Wait, How::Stop, How::Devour);
  grim = how;
  // A sanitizer needs some time to detect that memory is exhausted.
  const std::chrono::milliseconds patience = kSanitized && how == How::Devour ? 20s : 200ms;
  const StormResult found =
      Storm(program.registry.types[0], history, 0.6, 1, {patience, std::size_t{64} << 20});
  grim = How::Fine;
  REQUIRE_FALSE(found.crashes.empty());
  const HostileCrash& crash = found.crashes.front();
  INFO(crash.what);
  const std::string ending = how != How::Devour ? "hangs"
                             : kSanitized
                                 ? "ended"
                                 : "ended with status 7 when it tried to allocate more than 64 MiB";
  CHECK_THAT(crash.what, Catch::Contains(": " + ending));
  REQUIRE(crash.input.size() >= 4);
  CHECK(std::count(crash.input.begin(), crash.input.begin() + 4, std::byte{0xFF}) == 4);
  CHECK(crash.revision == "SR_INITIAL");
  CHECK(found.inputs > 10);
  if (kSanitized && how == How::Devour && crash.field.empty())
    return;  // the child may have had no memory left for the breadcrumb
  CHECK(crash.field == "choice");
  Finding at;
  at.file = crash.place.file;
  at.line = crash.place.line;
  CHECK_THAT(SourceLine(at), Catch::Contains("ADD(SR_INITIAL, choice);"));
}

TEST_CASE("storm: crashes in the program's own streams are made small", "[harness][storm]") {
  const bool saving = GENERATE(false, true);
  const Folder folder;
  Program program(1);
  program.registry.types.push_back(saving ? FrailRoot<true>() : FrailRoot<false>());
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const StormResult found =
      Storm(program.registry.types[0], History(list, store), kSanitized ? 10 : 1, 1);
  REQUIRE_FALSE(found.crashes.empty());
  const HostileCrash& crash = found.crashes.front();
  CHECK_THAT(crash.what, Catch::EndsWith("ended with status 9"));
  CHECK(crash.input ==
        std::vector<std::byte>{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0xFF}});

  const std::string file = folder.path() + "/crash.bin";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(crash.input.data()),
             static_cast<std::streamsize>(crash.input.size()));
  Session session;
  session.registry = program.registry;
  session.list = &list;
  const pid_t child = ::fork();
  if (child == 0) {
    (void)RunDump(session, {file, "", crash.revision, false, false});
    std::_Exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 9);
}

}  // namespace revctl::harness::test
