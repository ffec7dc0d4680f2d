#pragma once
#include <revctl/list_table.h>

#include <cstdint>

#include "harness/testdata/minus.h"

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3, SR_NO_FOULS = 4 };

#ifndef LISTED
#define LISTED 4
#endif
#ifndef OLDEST
#define OLDEST 1
#endif

namespace revctl {
template <>
struct ListOf<Rev> {
  static constexpr ListEntry entries[] = {{"SR_INITIAL", 1, 0x11},
                                          {"SR_FOULS", 2, 0x22},
                                          {"SR_PLAYERS", 3, 0x33},
                                          {"SR_NO_FOULS", 4, 0x44}};
  static constexpr ListTable table{"main", std::span(entries, LISTED), OLDEST};
};
inline const bool adopter_list_registered = RegisterList(ListOf<Rev>::table);
}  // namespace revctl
