// Cap'n Proto: build a message from our structs / read it back into our structs (tiny, dense, bulk
// only).
#include <capnp/message.h>
#include <capnp/serialize.h>

#include "include/bench/contender.h"
#include "model.capnp.h"
namespace {
struct P : Contender {
  Worlds target;
  kj::Array<capnp::word> buf[W_COUNT];
  const char* name() const override { return "capnp"; }
  bool supports(WorkloadId id) const override { return id >= W_TINY; }
  size_t write(WorkloadId id, Worlds& w) override {
    capnp::MallocMessageBuilder m(1 << 16);
    if (id == W_TINY) {
      auto l = m.initRoot<cp::TinyWorld>().initItems(u32(w.tiny.items.size()));
      u32 i = 0;
      for (auto& t : w.tiny.items) {
        auto q = l[i++];
        q.setId(t.id);
        q.setActive(t.active);
        q.setX(t.x);
        q.setY(t.y);
        q.setKind(t.kind);
        q.setVisible(t.visible);
        q.setHp(t.hp);
        q.setLayer(t.layer);
        q.setAngle(t.angle);
        q.setFrozen(t.frozen);
        q.setOwner(t.owner);
        q.setTeam(t.team);
      }
    } else if (id == W_DENSE) {
      auto l = m.initRoot<cp::DenseWorld>().initItems(u32(w.dense.items.size()));
      u32 i = 0;
      for (auto& t : w.dense.items) {
        auto q = l[i++];
        q.setOwner(t.owner);
        q.setId(t.id);
        q.setX(t.x);
        q.setY(t.y);
        q.setHp(t.hp);
        q.setAngle(t.angle);
        q.setTint(t.tint);
        q.setKind(t.kind);
        q.setTeam(t.team);
        q.setLayer(t.layer);
        q.setActive(t.active);
        q.setVisible(t.visible);
        q.setFrozen(t.frozen);
      }
    } else {
      auto r = m.initRoot<cp::Bulk>();
      auto l = r.initVerts(u32(w.bulk.verts.size()));
      u32 i = 0;
      for (auto& v : w.bulk.verts) {
        auto q = l[i++];
        q.setPx(v.pos.x);
        q.setPy(v.pos.y);
        q.setPz(v.pos.z);
        q.setNx(v.nrm.x);
        q.setNy(v.nrm.y);
        q.setNz(v.nrm.z);
        q.setU(v.uv.x);
        q.setV(v.uv.y);
        q.setCol(v.col);
      }
      auto ix = r.initIndices(u32(w.bulk.indices.size()));
      i = 0;
      for (auto x : w.bulk.indices) ix.set(i++, x);
      auto sm = r.initSamples(u32(w.bulk.samples.size()));
      i = 0;
      for (auto x : w.bulk.samples) sm.set(i++, x);
    }
    buf[id] = capnp::messageToFlatArray(m);
    return buf[id].asBytes().size();
  }
  void reset(WorkloadId id, bool fresh) override {
    if (fresh) visit_world(target, id, [](auto& x) { x = std::remove_reference_t<decltype(x)>{}; });
  }
  void read(WorkloadId id) override {
    capnp::ReaderOptions o;
    o.traversalLimitInWords = 1ull << 40;
    capnp::FlatArrayMessageReader m(buf[id], o);
    if (id == W_TINY) {
      auto l = m.getRoot<cp::TinyWorld>().getItems();
      target.tiny.items.clear();
      target.tiny.items.reserve(l.size());
      for (auto q : l)
        target.tiny.items.push_back({q.getId(), q.getActive(), q.getX(), q.getY(), q.getKind(),
                                     q.getVisible(), q.getHp(), q.getLayer(), q.getAngle(),
                                     q.getFrozen(), q.getOwner(), q.getTeam()});
    } else if (id == W_DENSE) {
      auto l = m.getRoot<cp::DenseWorld>().getItems();
      target.dense.items.clear();
      target.dense.items.reserve(l.size());
      for (auto q : l)
        target.dense.items.push_back({q.getOwner(), q.getId(), q.getX(), q.getY(), q.getHp(),
                                      q.getAngle(), q.getTint(), q.getKind(), q.getTeam(),
                                      q.getLayer(), q.getActive(), q.getVisible(), q.getFrozen()});
    } else {
      auto r = m.getRoot<cp::Bulk>();
      auto& t = target.bulk;
      t = {};
      auto l = r.getVerts();
      t.verts.reserve(l.size());
      for (auto q : l)
        t.verts.push_back({{q.getPx(), q.getPy(), q.getPz()},
                           {q.getNx(), q.getNy(), q.getNz()},
                           {q.getU(), q.getV()},
                           q.getCol()});
      auto ix = r.getIndices();
      t.indices.reserve(ix.size());
      for (auto x : ix) t.indices.push_back(x);
      auto sm = r.getSamples();
      t.samples.reserve(sm.size());
      for (auto x : sm) t.samples.push_back(x);
    }
  }
  bool verify(WorkloadId id, Worlds& w) override {
    return id == W_TINY    ? target.tiny == w.tiny
           : id == W_DENSE ? target.dense == w.dense
                           : target.bulk == w.bulk;
  }
  void drop(WorkloadId id) override {
    reset(id, true);
    buf[id] = nullptr;
  }
};
Registry r(new P);
}  // namespace
