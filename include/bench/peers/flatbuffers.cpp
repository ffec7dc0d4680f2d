// flatbuffers in two variants: (1) the object API, which packs from native objects and, after
// Verify, unpacks to them; (2) a view, which verifies the buffer and then accesses every item in
// place.
#include "include/bench/contender.h"
#include "model_generated.h"
namespace {
fb::V3 v3(const Vec3& v) { return {v.x, v.y, v.z}; }
std::unique_ptr<fb::V3> pv3(const Vec3& v) { return std::make_unique<fb::V3>(v.x, v.y, v.z); }
fb::Vertex vert(const Vertex& v) { return {v3(v.pos), v3(v.nrm), {v.uv.x, v.uv.y}, v.col}; }
void fill(fb::LevelT& o, const Level& l) {
  o.name = l.name;
  o.seed = l.seed;
  o.hw = l.hw;
  o.hh = l.hh;
  o.gravity = l.gravity;
  o.music = l.music;
  o.ambient = pv3(l.ambient);
  o.fog = l.fog;
  o.height = l.height;
  for (auto& t : l.things) {
    auto q = std::make_unique<fb::ThingT>();
    q->id = t.id;
    q->name = t.name;
    q->pos = pv3(t.pos);
    q->scale = pv3(t.scale);
    q->rot = std::make_unique<fb::Q4>(t.rot.x, t.rot.y, t.rot.z, t.rot.w);
    q->visible = t.visible;
    q->locked = t.locked;
    q->emitter = t.emitter;
    q->deleted = t.deleted;
    q->parent = t.parent;
    q->links = t.links;
    for (auto& c : t.parts) {
      auto k = std::make_unique<fb::ComponentT>();
      if (auto* p = std::get_if<Physics>(&c)) {
        fb::PhysicsT x;
        x.mass = p->mass;
        x.friction = p->friction;
        x.restitution = p->restitution;
        x.vel = pv3(p->vel);
        x.angvel = pv3(p->angvel);
        x.is_static = p->is_static;
        x.gravity = p->gravity;
        x.layer = p->layer;
        k->c.Set(std::move(x));
      } else if (auto* p = std::get_if<Light>(&c)) {
        fb::LightT x;
        x.col = pv3(p->col);
        x.intensity = p->intensity;
        x.radius = p->radius;
        x.shadows = p->shadows;
        x.kind = p->kind;
        k->c.Set(std::move(x));
      } else if (auto* p = std::get_if<Sound>(&c)) {
        fb::SoundT x;
        x.event = p->event;
        x.volume = p->volume;
        x.pitch = p->pitch;
        x.looping = p->looping;
        k->c.Set(std::move(x));
      } else if (auto* p = std::get_if<Script>(&c)) {
        fb::ScriptT x;
        x.src = p->src;
        x.vars = p->vars;
        x.entry = p->entry;
        k->c.Set(std::move(x));
      }
      q->parts.push_back(std::move(k));
    }
    q->hp = t.hp;
    q->team = t.team;
    q->guid = t.guid;
    q->tint = t.tint;
    q->lod = t.lod;
    o.things.push_back(std::move(q));
  }
  for (auto& m : l.meshes) {
    auto q = std::make_unique<fb::MeshT>();
    q->name = m.name;
    for (auto& v : m.verts) q->verts.push_back(vert(v));
    q->indices = m.indices;
    q->bmin = pv3(m.bmin);
    q->bmax = pv3(m.bmax);
    q->material = m.material;
    q->two_sided = m.two_sided;
    q->lightmap = m.lightmap;
    o.meshes.push_back(std::move(q));
  }
  for (auto& [k, v] : l.stats) {
    auto s = std::make_unique<fb::StatT>();
    s->k = k;
    s->v = v;
    o.stats.push_back(std::move(s));
  }
}
void fill(fb::TinyWorldT& o, const TinyWorld& w) {
  for (auto& t : w.items) {
    auto q = std::make_unique<fb::TinyT>();
    q->id = t.id;
    q->active = t.active;
    q->x = t.x;
    q->y = t.y;
    q->kind = t.kind;
    q->visible = t.visible;
    q->hp = t.hp;
    q->layer = t.layer;
    q->angle = t.angle;
    q->frozen = t.frozen;
    q->owner = t.owner;
    q->team = t.team;
    o.items.push_back(std::move(q));
  }
}
void fill(fb::DenseWorldT& o, const DenseWorld& w) {
  for (auto& t : w.items) {
    auto q = std::make_unique<fb::DenseT>();
    q->owner = t.owner;
    q->id = t.id;
    q->x = t.x;
    q->y = t.y;
    q->hp = t.hp;
    q->angle = t.angle;
    q->tint = t.tint;
    q->kind = t.kind;
    q->team = t.team;
    q->layer = t.layer;
    q->active = t.active;
    q->visible = t.visible;
    q->frozen = t.frozen;
    o.items.push_back(std::move(q));
  }
}
void fill(fb::BulkT& o, const Bulk& w) {
  for (auto& v : w.verts) o.verts.push_back(vert(v));
  o.indices = w.indices;
  o.samples = w.samples;
}

template <class Table>
struct One {
  using Native = typename Table::NativeTableType;
  Native src;
  std::unique_ptr<Native> dst;
  flatbuffers::FlatBufferBuilder b{1024};
  size_t write() {
    b.Clear();
    b.Finish(Table::Pack(b, &src));
    return b.GetSize();
  }
  const Table* check() const {
    flatbuffers::Verifier v(b.GetBufferPointer(), b.GetSize(), 64, 100000000);
    if (!v.VerifyBuffer<Table>()) abort();
    return flatbuffers::GetRoot<Table>(b.GetBufferPointer());
  }
  void read() { dst.reset(check()->UnPack()); }
  bool same() {
    flatbuffers::FlatBufferBuilder c{1024};
    c.Finish(Table::Pack(c, dst.get()));
    return c.GetSize() == b.GetSize() &&
           !memcmp(c.GetBufferPointer(), b.GetBufferPointer(), b.GetSize());
  }
};
volatile u32 sink;
u32 touch(const fb::Level* l) {
  u32 s = 0;
  for (auto* t : *l->things()) s += t->id() + t->name()->size() + u32(t->guid());
  return s;
}
u32 touch(const fb::TinyWorld* l) {
  u32 s = 0;
  for (auto* t : *l->items()) s += t->id() + t->visible() + u32(t->owner()) + u32(t->team());
  return s;
}
u32 touch(const fb::DenseWorld* l) {
  u32 s = 0;
  for (auto* t : *l->items()) s += t->id() + t->visible() + u32(t->owner()) + u32(t->team());
  return s;
}
/// Sums every element, like SumOf() in view.cpp.
u32 touch(const fb::Bulk* l) {
  u32 s = 0;
  for (auto* v : *l->verts()) {
    s += u32(i32(v->pos().x()) + i32(v->pos().y()) + i32(v->pos().z()) + i32(v->nrm().x()) +
             i32(v->nrm().y()) + i32(v->nrm().z()) + i32(v->uv().x()) + i32(v->uv().y())) +
         v->col();
  }
  for (auto x : *l->indices()) s += x;
  for (auto x : *l->samples()) s += u32(i32(x * 256));
  return s;
}
template <bool VIEW>
struct P : Contender {
  One<fb::Level> lv, th;
  One<fb::TinyWorld> ti;
  One<fb::DenseWorld> de;
  One<fb::Bulk> bu;
  const char* name() const override { return VIEW ? "flatbuf-view" : "flatbuf-obj"; }
  template <class F>
  auto on(WorkloadId id, F f) {
    switch (id) {
      case W_LEVEL:
        return f(lv);
      case W_THINGS:
        return f(th);
      case W_TINY:
        return f(ti);
      case W_DENSE:
        return f(de);
      default:
        return f(bu);
    }
  }
  void prepare(WorkloadId id, Worlds& w) override {
    switch (id) {
      case W_LEVEL:
        fill(lv.src, w.level);
        break;
      case W_THINGS:
        fill(th.src, w.things);
        break;
      case W_TINY:
        fill(ti.src, w.tiny);
        break;
      case W_DENSE:
        fill(de.src, w.dense);
        break;
      default:
        fill(bu.src, w.bulk);
    }
  }
  size_t write(WorkloadId id, Worlds&) override {
    return on(id, [](auto& o) { return o.write(); });
  }
  void reset(WorkloadId id, bool) override {
    on(id, [](auto& o) {
      o.dst.reset();
      return 0;
    });
  }
  void read(WorkloadId id) override {
    on(id, [](auto& o) {
      if (VIEW) sink = touch(o.check());
      else o.read();
      return 0;
    });
  }
  bool verify(WorkloadId id, Worlds&) override {
    return VIEW || on(id, [](auto& o) { return o.same(); });
  }
  void drop(WorkloadId id) override {
    on(id, [](auto& o) {
      o.dst.reset();
      o.src = {};
      o.b.Reset();
      return 0;
    });
  }
};
Registry r(new P<false>), r2(new P<true>);
}  // namespace
