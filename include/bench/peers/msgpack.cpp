#include "include/bench/contender.h"
#include "include/bench/peers/fields.h"
#define MSGPACK_NO_BOOST
#include <msgpack.hpp>
namespace msgpack {
MSGPACK_API_VERSION_NAMESPACE(MSGPACK_DEFAULT_API_NS) {
  namespace adaptor {
  template <Described T>
  struct pack<T> {
    template <class S>
    packer<S>& operator()(packer<S>& o, const T& t) const {
      visit_fields(t, [&](auto&... f) {
        o.pack_array(sizeof...(f));
        (o.pack(f), ...);
      });
      return o;
    }
  };
  template <Described T>
  struct convert<T> {
    const msgpack::object& operator()(const msgpack::object& o, T& t) const {
      if (o.type != type::ARRAY) throw type_error();
      visit_fields(t, [&](auto&... f) {
        if (o.via.array.size != sizeof...(f)) throw type_error();
        auto* q = o.via.array.ptr;
        (((q++)->convert(f)), ...);
      });
      return o;
    }
  };
  template <>
  struct pack<Component> {
    template <class S>
    packer<S>& operator()(packer<S>& o, const Component& c) const {
      o.pack_array(2);
      o.pack(u32(c.index()));
      std::visit([&](auto& x) { o.pack(x); }, c);
      return o;
    }
  };
  template <>
  struct convert<Component> {
    const msgpack::object& operator()(const msgpack::object& o, Component& c) const {
      if (o.type != type::ARRAY || o.via.array.size != 2) throw type_error();
      auto* a = o.via.array.ptr;
      switch (a[0].as<u32>()) {
        case 0:
          a[1].convert(c.emplace<0>());
          break;
        case 1:
          a[1].convert(c.emplace<1>());
          break;
        case 2:
          a[1].convert(c.emplace<2>());
          break;
        default:
          a[1].convert(c.emplace<3>());
      }
      return o;
    }
  };
  }  // namespace adaptor
}
}  // namespace msgpack
namespace {
struct Buf {
  msgpack::sbuffer b;
  Buf() = default;
  Buf(Buf&& o) = default;
  Buf& operator=(Buf&&) = default;
};
struct P : ModelContender<P, Buf> {
  static constexpr const char* kName = "msgpack";
  template <class W>
  static size_t Write(const W& w, Buf& b) {
    b.b.clear();
    msgpack::pack(b.b, w);
    return b.b.size();
  }
  template <class W>
  static void Read(W& w, const Buf& b, size_t n) {
    auto h = msgpack::unpack(b.b.data(), n);
    h.get().convert(w);
  }
};
Registry r(new P);
}  // namespace
