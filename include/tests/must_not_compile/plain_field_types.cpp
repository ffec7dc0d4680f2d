// a plain field cannot be const or volatile
// and: a plain field cannot be a reference
// and: a plain field cannot be an empty array
// and: a plain field can have at most four array dimensions
// and: the enum's underlying type differs between machines
// and: this integer's width differs between machines
// and: PlainValues: the struct must be trivially copyable
// and: PlainValues: the elements must be numbers
// and: PlainValues: the struct holds more than `count` elements
// at global scope: the file contains a specialization
#include <revctl/plain.h>

struct Sly {
  float x;
  ~Sly() {}
};
struct Words {
  const char* words[2];
};
struct Vec3 {
  float x, y, z;
};
template <>
struct revctl::PlainValues<Sly> {
  using Element = float;
  static constexpr std::size_t count = 1;
};
template <>
struct revctl::PlainValues<Words> {
  using Element = const char*;
  static constexpr std::size_t count = 2;
};
template <>
struct revctl::PlainValues<Vec3> {
  using Element = float;
#ifdef FINE
  static constexpr std::size_t count = 3;
#else
  static constexpr std::size_t count = 2;
#endif
};

using revctl::detail::PlainShapeOf;  // PLAIN structs compute the shape of each field with it
enum class Wide : wchar_t { A };
#ifdef FINE
constexpr auto a = PlainShapeOf<std::array<int, 1>>(), b = PlainShapeOf<int[1][1][1][1]>(),
               c = PlainShapeOf<Vec3>();
#else
constexpr auto a = PlainShapeOf<const int>();
constexpr auto b = PlainShapeOf<int&>();
constexpr auto c = PlainShapeOf<std::array<int, 0>>();
constexpr auto d = PlainShapeOf<int[1][1][1][1][1]>();
constexpr auto e = PlainShapeOf<Wide>();
constexpr auto f = PlainShapeOf<char32_t>();
constexpr auto g = PlainShapeOf<Sly>();
constexpr auto h = PlainShapeOf<Words>();
constexpr auto i = PlainShapeOf<Vec3>();
#endif
