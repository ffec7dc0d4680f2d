#include <revctl/harness.h>

#include "zoo.h"

namespace zoo {

HARNESS_TYPE(Cage, SR_OPENING);
HARNESS_SAMPLE(Cage, "wild") {
  d.mood = Mood::Wild;
  d.warning = "Zähne";
  d.fee = 12;
}
HARNESS_SAMPLE(Cage, "calm") {
  d.mood = Mood::Calm;
  d.animals = {{"Ida", Species::Cat, -3, Tag{"t", 9}}};
}

HARNESS_TYPE(Survey, SR_METRIC);
HARNESS_SAMPLE(Survey, "ridge") {
  d.title = "Grünes Tal";
  d.heights = std::vector<float>{1.5f, -2.25f, 1000};
  d.path = std::vector<Place>(2, {3, -4});
  d.wet = std::vector<bool>{true, false, true};
}

}  // namespace zoo
