#pragma once

enum Version {
  SR_INITIAL = 1,
  SR_ARMOUR = 2,
};
