// The game's complete harness program. REVISIONS is the number of revisions. The list looks like
// the output of `revctl codegen`.
#include <revctl/harness.h>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "harness/testdata/adopter_list.h"

#ifdef WITH_RENAMES
#define p2Score secondScore
#define Green Lime
#endif
#ifdef WITH_MEANT
#define UPGRADE \
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.p1Score = Minus(Minus(d.p1Score, p1Fouls), 1);
#define COLOR enum class Color : std::uint8_t { Red, Green, Blue, Pink }
#define PLAYERS_VISIT                                     \
  ADD_CONDITIONAL(SR_PLAYERS, !(d.p1Score < 0), players); \
  CHECK_INTEGRITY(SR_PLAYERS);
#endif
#define VARIANT game
#include "harness/testdata/score.inc"

HARNESS_TYPE(game::Score, SR_INITIAL);
HARNESS_SAMPLE(game::Score, "veterans") { d.p1Score = 40; }
#ifdef WITH_MORE
struct Level {
  std::uint16_t width = 3;
};
/// Waits once per process, to give a test the time to see the progress line.
inline void Linger() {
  static const char* const milliseconds = std::getenv("LEVEL_LINGERS");
  static bool lingers = milliseconds != nullptr;
  if (std::exchange(lingers, false))
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(milliseconds)));
}
SERIALIZE_TYPE(Level) {
  ADD(SR_INITIAL, width);
  Linger();
}
SERIALIZE_END
HARNESS_TYPE(Level, SR_INITIAL);
HARNESS_FORMAT(Level, {.magic = 0x4C56454C, .checksum = true});  // LEVL
HARNESS_SAMPLE(game::Score, "beginners") { d.p2Score = 4; }
#endif
#ifdef WITH_CRASH
struct Fragile {
  std::uint32_t choice = 0;
};
SERIALIZE_TYPE(Fragile) {
  ADD(SR_INITIAL, choice);
#ifdef WITH_ABORT
  if (r.IsReading() && d.choice > 0xFFFF) std::abort();  // valid files cause a crash, too
#endif
  if (r.IsReading() && d.choice == 0x80000000) std::abort();  // only hostile input causes this
}
SERIALIZE_END
HARNESS_TYPE(Fragile, SR_INITIAL);
HARNESS_SAMPLE(Fragile, "five") { d.choice = 5; }  // harmless, unless its bytes are reversed
#endif
#ifdef WITH_TEMPLATE
template <class T>
struct Slot {
  T choice{};
};
SERIALIZE_TEMPLATE((class T), Slot<T>) {
  ADD(SR_INITIAL, choice);
  if (r.IsReading() && d.choice == 0x80000000) std::abort();  // only hostile input causes this
  // `SLOT_BREAKS=saving` makes the body abort while saving, which happens for every golden and
  // sample.
  const char* const variable = std::getenv("SLOT_BREAKS");
  const std::string_view breaks = variable != nullptr && d.choice == 5 ? variable : "";
  if (breaks == "loading" && r.IsReading()) std::abort();
  if (breaks == "saving" && !r.IsReading()) std::abort();
  if (breaks == "saving as older" && !r.IsReading() && r.revision < SR_NO_FOULS) std::abort();
  if constexpr (requires {
                  r.offset();
                  r.AtEnd();
                }) {  // only the program's own reader has these functions
    if (breaks == "own reader") std::abort();
  }
  if (const char* tells = std::getenv("SLOT_TELLS");
      r.IsReading() && tells != nullptr) {  // upgrade code for up to three ranges of revisions
    if (r.revision < SR_PLAYERS) {
      if (d.choice == 123456789) d.choice = 1;
    } else if (r.revision < SR_NO_FOULS) {
      if (d.choice == (tells == std::string_view("1") ? 123456789 : 5)) d.choice = 2;
    }
  }
}
SERIALIZE_END
HARNESS_TYPE(Slot<std::uint32_t>, SR_INITIAL);
HARNESS_SAMPLE(Slot<std::uint32_t>, "five") { d.choice = 5; }
#endif
#ifdef WITH_MEANT
HARNESS_RETIRED("Level", SR_NO_FOULS, "merged into the score");
#endif
#ifdef WITH_RENAMES
HARNESS_BUDGET(game::Score, 100);
#endif
