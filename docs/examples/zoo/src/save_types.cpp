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

}  // namespace zoo
