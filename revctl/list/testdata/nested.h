#include <cstdint>
namespace studio::game { inline namespace v1 {
template <class T> struct Holder { T value; };
struct Save final : Holder<int> {
  enum Kind { KIND_A, KIND_B };
  enum class Revision : std::uint16_t { SR_INITIAL = 1, SR_SECOND, SR_THIRD = Kind::KIND_B + 5 };
  static constexpr Revision kLatest = Revision::SR_THIRD;
  Revision revision = kLatest;
  bool Newer() const { return revision > Revision::SR_SECOND; }
};
} }
namespace { enum Unused { UNUSED }; }
extern "C" { typedef enum { C_A, C_B } c_enum; }
