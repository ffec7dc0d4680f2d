// Revisions of the zoo's files.
#pragma once

enum ZooRevision {
  SR_OPENING = 1,  // ben: cages and animals
  SR_TAGS = 2,     // ann: animals have tags; cages have a guest and an unconditional fee
  SR_METRIC = 3,   // ben: weights in grams
};
