// Boost.Serialization, with a BOOST_CLASS_VERSION for every class and the same gates as revctl.
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/split_free.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <boost/serialization/version.hpp>

#include "include/bench/contender.h"
#include "include/bench/peers/memory_stream.h"
namespace bv {
template <class A>
struct G {
  A& a;
  u32 revision;
  template <class T>
  void Field(T& v) {
    a& v;
  }
};
}  // namespace bv
#include "include/bench/peers/gated.h"
#define BODY(T)                                        \
  namespace boost::serialization {                     \
  template <class A>                                   \
  void serialize(A& a, T& t, const unsigned version) { \
    bv::G<A> g{a, version};                            \
    Gated(g, t);                                       \
  }                                                    \
  }                                                    \
  BOOST_CLASS_VERSION(T, 30) BOOST_CLASS_TRACKING(T, boost::serialization::track_never)
BODY(Vec2)
BODY(Vec3)
BODY(Quat)
BODY(Vertex)
BODY(Physics)
BODY(Light)
BODY(Sound)
BODY(Script)
namespace boost::serialization {
template <class A>
void save(A& a, const Component& c, unsigned) {
  u8 i = u8(c.index());
  a << i;
  std::visit([&](auto& x) { a << x; }, c);
}
template <class A>
void load(A& a, Component& c, unsigned) {
  u8 i;
  a >> i;
  switch (i) {
    case 0:
      a >> c.emplace<0>();
      break;
    case 1:
      a >> c.emplace<1>();
      break;
    case 2:
      a >> c.emplace<2>();
      break;
    default:
      a >> c.emplace<3>();
  }
}
template <class A>
void serialize(A& a, Component& c, const unsigned v) {
  split_free(a, c, v);
}
}  // namespace boost::serialization
BOOST_CLASS_TRACKING(Component, boost::serialization::track_never)
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
  static constexpr const char* kName = "boost+ver";
  template <class W>
  static size_t Write(const W& w, Buf& b) {
    OMem m(b);
    {
      boost::archive::binary_oarchive a(m, boost::archive::no_header);
      a << w;
    }
    return m.n;
  }
  template <class W>
  static void Read(W& w, const Buf& b, size_t n) {
    IMem m(b.data(), n);
    boost::archive::binary_iarchive a(m, boost::archive::no_header);
    a >> w;
  }
};
Registry r(new P);
}  // namespace
