// cannot read into a const object
// and: give the type a move assignment operator
// and: use std::array, or wrap the array in a struct
#include <revctl/objects.h>
#include <revctl/save_parts.h>

struct Fixed {
  int x = 0;
#ifndef FINE
  Fixed() = default;
  Fixed& operator=(Fixed&&) = delete;
#endif
};
SERIALIZE_TYPE(Fixed) { ADD(1, x); }
SERIALIZE_END

#ifdef FINE
using Number = int;
using Numbers = std::array<int, 3>;
#else
using Number = const int;
using Numbers = int[3];
#endif
revctl::Status One(const std::string& bytes, Fixed& fixed) { return revctl::Load(bytes, fixed, 1); }
revctl::Status Two(const std::string& bytes, Number& number) {
  return revctl::Load(bytes, number, 1);
}
revctl::Status Three(const std::string& bytes, Numbers& numbers) {
  return revctl::LoadParts(bytes, {}, revctl::PartOf<int>(numbers, 1));
}
