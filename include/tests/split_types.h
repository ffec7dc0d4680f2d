#pragma once
#include <revctl/serialize.h>

#include <cstdint>
#include <string>
#include <vector>

// Types whose bodies stand in split_types.cpp: this file only declares them.

namespace split {

struct Item {
  std::int32_t id = 0;
  bool operator==(const Item&) const = default;
};
SERIALIZE_DECLARE(Item);

struct Bag {
  std::string owner;
  std::vector<Item> items;
  std::vector<Bag> inner;
  bool operator==(const Bag&) const = default;
};
SERIALIZE_DECLARE(Bag);

}  // namespace split
