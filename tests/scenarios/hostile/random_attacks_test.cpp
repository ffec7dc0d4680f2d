// Random attacks by clients without revctl, on real servers with and without the hook. Landed
// revisions stay, no number is assigned twice, and every colleague can continue or gets a fix that
// works. REVCTL_ATTACKS=n runs n seeds, starting with REVCTL_ATTACK_FIRST.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

#include "tests/scenarios/hostile/attacker.h"

namespace revctl::testing {
namespace {

unsigned FromEnvironment(const char* name, unsigned otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : static_cast<unsigned>(std::atoi(value));
}

using Push = void (Attacker::*)();

/// Runs an attacker for each of `seeds` seeds. Each attacker makes `count` pushes, cycling through
/// `kinds`. Checks the invariants after each push.
void Attack(Attacker::Hook hook, unsigned seeds, int count, const std::vector<Push>& kinds) {
  const git::Library library;
  const unsigned first = FromEnvironment("REVCTL_ATTACK_FIRST", 1);
  const unsigned many = FromEnvironment("REVCTL_ATTACKS", seeds);
  int taken = 0, refused = 0;
  for (unsigned seed = first; seed < first + many; ++seed) {
    Attacker attacker(seed, hook);
    for (int i = 0; i < count; ++i) {
      (attacker.*kinds[static_cast<std::size_t>(i) % kinds.size()])();
      std::string broken = attacker.Broken();
      if (broken.empty() && i % 4 == 3) broken = attacker.Reserve();
      INFO("seed " << seed << "\n" << attacker.log());
      REQUIRE(broken == "");
    }
    taken += attacker.taken();
    refused += attacker.refused();
  }
  std::cout << "attacks: " << taken << " pushes taken, " << refused << " refused\n";
  CHECK(taken > 0);
  if (hook == Attacker::Hook::Guarded) CHECK(refused > 0);
}

}  // namespace

TEST_CASE("random attacks: on a guarded server", "[attack]") {
  Attack(Attacker::Hook::Guarded, 2, 16,
         {&Attacker::PushContent, &Attacker::PushLedgerEvent, &Attacker::PushLedgerTree,
          &Attacker::PushRef, &Attacker::PushContent, &Attacker::PushMerge, &Attacker::PushMove,
          &Attacker::PushPending});
}

TEST_CASE("random attacks: on the ledger of a server without the hook", "[attack]") {
  Attack(Attacker::Hook::Unguarded, 1, 8, {&Attacker::PushLedgerTree, &Attacker::PushLedgerEvent});
}

}  // namespace revctl::testing
