// Reads bulk data as views, without copying, and then sums all elements. The flatbuffers contender
// likewise sums all elements after verifying the buffer.
#include <revctl/serialize.h>
#include <revctl/view.h>

#include <cstdlib>

#include "include/bench/contender.h"

// clang-format off
#include "include/bench/bodies.inc"
// clang-format on

namespace {

template <class B>
u32 SumOf(const B& bulk) {
  u32 sum = 0;
  for (const Vertex& v : bulk.verts) {
    sum += u32(i32(v.pos.x) + i32(v.pos.y) + i32(v.pos.z) + i32(v.nrm.x) + i32(v.nrm.y) +
               i32(v.nrm.z) + i32(v.uv.x) + i32(v.uv.y)) +
           v.col;
  }
  for (const u16 index : bulk.indices) sum += index;
  for (const f32 sample : bulk.samples) sum += u32(i32(sample * 256));
  return sum;
}

struct BulkViews {
  revctl::View<Vertex> verts;
  revctl::View<u16> indices;
  revctl::View<f32> samples;
};
SERIALIZE_TYPE(BulkViews) {
  ADD_ALIGNED(0, 16, verts);
  ADD_ALIGNED(0, 16, indices);
  ADD_ALIGNED(0, 16, samples);
}
SERIALIZE_END

struct Viewed : Contender {
  BulkViews from;
  revctl::Writer writer{kRevNewest};
  volatile u32 sum = 0;
  const char* name() const override { return "revctl, view"; }
  bool supports(WorkloadId id) const override { return id == W_BULK; }
  void prepare(WorkloadId, Worlds& worlds) override {
    from = {revctl::View<Vertex>::Of(worlds.bulk.verts), revctl::View<u16>::Of(worlds.bulk.indices),
            revctl::View<f32>::Of(worlds.bulk.samples)};
  }
  size_t write(WorkloadId, Worlds&) override {
    writer.Clear();
    Serialize(writer, from);
    return writer.Bytes().size();
  }
  void reset(WorkloadId, bool) override {}
  void read(WorkloadId) override {
    BulkViews read;
    revctl::Reader r(writer.Bytes(), kRevNewest, {.borrow = true});
    Serialize(r, read);
    if (!r.AtEnd() || read.verts.Owns() || read.indices.Owns() || read.samples.Owns()) std::abort();
    sum = SumOf(read);
  }
  bool verify(WorkloadId, Worlds& worlds) override { return sum == SumOf(worlds.bulk); }
  void drop(WorkloadId) override { from = {}; }
};
Registry viewed(new Viewed);

}  // namespace
