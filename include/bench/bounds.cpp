// Practical upper bounds on the speed of any serializer:
//
//   ~deepcopy   C++ copy of the object graph: only the cost of allocating and copying
//   ~resize     vector::resize(n), then one memcpy (POD workloads): the fastest simple way to fill
//               a std::vector
#include <cstring>

#include "include/bench/contender.h"
namespace {
struct Copy : Contender {
  Worlds target;
  Worlds* from = nullptr;
  Worlds out;
  const char* name() const override { return "~deepcopy"; }
  size_t write(WorkloadId id, Worlds& w) override {
    from = &w;
    (void)id;
    return 1;
  }
  void reset(WorkloadId id, bool fresh) override {
    if (fresh) visit_world(target, id, [](auto& x) { x = std::remove_reference_t<decltype(x)>{}; });
  }
  void read(WorkloadId id) override {
    switch (id) {
      case W_LEVEL:
        target.level = from->level;
        break;
      case W_THINGS:
        target.things = from->things;
        break;
      case W_TINY:
        target.tiny = from->tiny;
        break;
      case W_DENSE:
        target.dense = from->dense;
        break;
      default:
        target.bulk = from->bulk;
    }
  }
  bool verify(WorkloadId, Worlds&) override { return true; }
  void drop(WorkloadId id) override { reset(id, true); }
};
template <class T>
void rs(std::vector<T>& d, const std::vector<T>& s) {
  d.resize(s.size());
  memcpy(static_cast<void*>(d.data()), s.data(), s.size() * sizeof(T));
}
struct Resize : Copy {
  const char* name() const override { return "~resize"; }
  bool supports(WorkloadId id) const override { return id >= W_TINY; }
  void read(WorkloadId id) override {
    if (id == W_TINY) rs(target.tiny.items, from->tiny.items);
    else if (id == W_DENSE) rs(target.dense.items, from->dense.items);
    else {
      rs(target.bulk.verts, from->bulk.verts);
      rs(target.bulk.indices, from->bulk.indices);
      rs(target.bulk.samples, from->bulk.samples);
    }
  }
};
Registry r(new Copy), r2(new Resize);
}  // namespace
