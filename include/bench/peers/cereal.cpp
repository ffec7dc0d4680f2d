// cereal, with a CEREAL_CLASS_VERSION for every type and the same gates as revctl. The class
// version is the revision.
#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <istream>
#include <ostream>

#include "include/bench/contender.h"
#include "include/bench/peers/memory_stream.h"
namespace cv {  // lets cereal run the shared bodies, including their gates
template <class A>
struct G {
  A& a;
  u32 revision;
  template <class T>
  void Field(T& v) {
    a(v);
  }
};
}  // namespace cv
#include "include/bench/peers/gated.h"
#define BODY(T)                                   \
  template <class A>                              \
  void serialize(A& a, T& t, u32 const version) { \
    cv::G<A> g{a, version};                       \
    Gated(g, t);                                  \
  }                                               \
  CEREAL_CLASS_VERSION(T, 30)
BODY(Vec2)
BODY(Vec3)
BODY(Quat)
BODY(Vertex)
BODY(Physics)
BODY(Light)
BODY(Sound)
BODY(Script)
BODY(Mesh)
BODY(Thing)
BODY(Level)
BODY(Tiny)
BODY(Dense)
BODY(TinyWorld)
BODY(DenseWorld)
BODY(Bulk)
namespace {
using Buf = std::vector<u8>;
struct P : ModelContender<P> {
  static constexpr const char* kName = "cereal+ver";
  template <class W>
  static size_t Write(const W& w, Buf& b) {
    OMem m(b);
    std::ostream os(&m);
    {
      cereal::BinaryOutputArchive a(os);
      a(w);
    }
    return m.n;
  }
  template <class W>
  static void Read(W& w, const Buf& b, size_t n) {
    IMem m(b.data(), n);
    std::istream is(&m);
    cereal::BinaryInputArchive a(is);
    a(w);
  }
};
Registry r(new P);
}  // namespace
