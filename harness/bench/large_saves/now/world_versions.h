#pragma once

enum Version {
  SR_INITIAL = 1,
};
