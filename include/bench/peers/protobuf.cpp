// protobuf: serializes and parses its own generated classes. The conversion to our structs is not
// timed.
#include <google/protobuf/arena.h>

#include <memory>

#include "include/bench/contender.h"
#include "model.pb.h"
namespace {
void set(pb::V3* o, const Vec3& v) {
  o->set_x(v.x);
  o->set_y(v.y);
  o->set_z(v.z);
}
void set(pb::Vertex* o, const Vertex& v) {
  o->set_px(v.pos.x);
  o->set_py(v.pos.y);
  o->set_pz(v.pos.z);
  o->set_nx(v.nrm.x);
  o->set_ny(v.nrm.y);
  o->set_nz(v.nrm.z);
  o->set_u(v.uv.x);
  o->set_v(v.uv.y);
  o->set_col(v.col);
}
void set(pb::Component* o, const Component& c) {
  if (auto* p = std::get_if<Physics>(&c)) {
    auto* q = o->mutable_physics();
    q->set_mass(p->mass);
    q->set_friction(p->friction);
    q->set_restitution(p->restitution);
    set(q->mutable_vel(), p->vel);
    set(q->mutable_angvel(), p->angvel);
    q->set_is_static(p->is_static);
    q->set_gravity(p->gravity);
    q->set_layer(p->layer);
  } else if (auto* p = std::get_if<Light>(&c)) {
    auto* q = o->mutable_light();
    set(q->mutable_col(), p->col);
    q->set_intensity(p->intensity);
    q->set_radius(p->radius);
    q->set_shadows(p->shadows);
    q->set_kind(p->kind);
  } else if (auto* p = std::get_if<Sound>(&c)) {
    auto* q = o->mutable_sound();
    q->set_event(p->event);
    q->set_volume(p->volume);
    q->set_pitch(p->pitch);
    q->set_looping(p->looping);
  } else if (auto* p = std::get_if<Script>(&c)) {
    auto* q = o->mutable_script();
    q->set_src(p->src);
    for (auto x : p->vars) q->add_vars(x);
    q->set_entry(p->entry);
  }
}
void fill(pb::Level& o, const Level& l) {
  o.set_name(l.name);
  o.set_seed(l.seed);
  o.set_hw(l.hw);
  o.set_hh(l.hh);
  o.set_gravity(l.gravity);
  o.set_music(l.music);
  set(o.mutable_ambient(), l.ambient);
  o.set_fog(l.fog);
  for (auto& t : l.things) {
    auto* q = o.add_things();
    q->set_id(t.id);
    q->set_name(t.name);
    set(q->mutable_pos(), t.pos);
    set(q->mutable_scale(), t.scale);
    auto* r = q->mutable_rot();
    r->set_x(t.rot.x);
    r->set_y(t.rot.y);
    r->set_z(t.rot.z);
    r->set_w(t.rot.w);
    q->set_visible(t.visible);
    q->set_locked(t.locked);
    q->set_emitter(t.emitter);
    q->set_deleted(t.deleted);
    q->set_parent(t.parent);
    for (auto x : t.links) q->add_links(x);
    for (auto& c : t.parts) set(q->add_parts(), c);
    q->set_hp(t.hp);
    q->set_team(t.team);
    q->set_guid(t.guid);
    q->set_tint(t.tint);
    q->set_lod(t.lod);
  }
  for (auto& m : l.meshes) {
    auto* q = o.add_meshes();
    q->set_name(m.name);
    for (auto& v : m.verts) set(q->add_verts(), v);
    for (auto i : m.indices) q->add_indices(i);
    set(q->mutable_bmin(), m.bmin);
    set(q->mutable_bmax(), m.bmax);
    q->set_material(m.material);
    q->set_two_sided(m.two_sided);
    q->set_lightmap(m.lightmap);
  }
  for (auto h : l.height) o.add_height(h);
  for (auto& [k, v] : l.stats) (*o.mutable_stats())[k] = v;
}
void fill(pb::TinyWorld& o, const TinyWorld& w) {
  for (auto& t : w.items) {
    auto* q = o.add_items();
    q->set_id(t.id);
    q->set_active(t.active);
    q->set_x(t.x);
    q->set_y(t.y);
    q->set_kind(t.kind);
    q->set_visible(t.visible);
    q->set_hp(t.hp);
    q->set_layer(t.layer);
    q->set_angle(t.angle);
    q->set_frozen(t.frozen);
    q->set_owner(t.owner);
    q->set_team(t.team);
  }
}
void fill(pb::DenseWorld& o, const DenseWorld& w) {
  for (auto& t : w.items) {
    auto* q = o.add_items();
    q->set_owner(t.owner);
    q->set_id(t.id);
    q->set_x(t.x);
    q->set_y(t.y);
    q->set_hp(t.hp);
    q->set_angle(t.angle);
    q->set_tint(t.tint);
    q->set_kind(t.kind);
    q->set_team(t.team);
    q->set_layer(t.layer);
    q->set_active(t.active);
    q->set_visible(t.visible);
    q->set_frozen(t.frozen);
  }
}
void fill(pb::Bulk& o, const Bulk& w) {
  for (auto& v : w.verts) set(o.add_verts(), v);
  for (auto i : w.indices) o.add_indices(i);
  for (auto s : w.samples) o.add_samples(s);
}
template <bool ARENA>
struct P : Contender {
  std::unique_ptr<google::protobuf::Message> src[W_COUNT], heap[W_COUNT];
  std::unique_ptr<google::protobuf::Arena> arena[W_COUNT];
  google::protobuf::Message* dst[W_COUNT] = {};
  std::vector<u8> buf[W_COUNT];
  size_t size[W_COUNT] = {};
  const char* name() const override { return ARENA ? "protobuf-arena" : "protobuf"; }
  void prepare(WorkloadId id, Worlds& w) override {
    switch (id) {
      case W_LEVEL: {
        auto p = std::make_unique<pb::Level>();
        fill(*p, w.level);
        src[id] = std::move(p);
        break;
      }
      case W_THINGS: {
        auto p = std::make_unique<pb::Level>();
        fill(*p, w.things);
        src[id] = std::move(p);
        break;
      }
      case W_TINY: {
        auto p = std::make_unique<pb::TinyWorld>();
        fill(*p, w.tiny);
        src[id] = std::move(p);
        break;
      }
      case W_DENSE: {
        auto p = std::make_unique<pb::DenseWorld>();
        fill(*p, w.dense);
        src[id] = std::move(p);
        break;
      }
      default: {
        auto p = std::make_unique<pb::Bulk>();
        fill(*p, w.bulk);
        src[id] = std::move(p);
      }
    }
  }
  size_t write(WorkloadId id, Worlds&) override {
    size_t n = src[id]->ByteSizeLong();
    if (buf[id].size() < n) buf[id].resize(n);
    src[id]->SerializeWithCachedSizesToArray(buf[id].data());
    return size[id] = n;
  }
  void reset(WorkloadId id, bool) override {
    dst[id] = nullptr;
    heap[id].reset();
    arena[id].reset();
  }
  void read(WorkloadId id) override {
    if (ARENA) {
      arena[id] = std::make_unique<google::protobuf::Arena>();
      dst[id] = src[id]->New(arena[id].get());
    } else {
      heap[id].reset(src[id]->New());
      dst[id] = heap[id].get();
    }
    if (!dst[id]->ParseFromArray(buf[id].data(), int(size[id]))) abort();
  }
  bool verify(WorkloadId id, Worlds&) override { return dst[id]->ByteSizeLong() == size[id]; }
  void drop(WorkloadId id) override {
    reset(id, true);
    src[id].reset();
    buf[id] = {};
  }
};
Registry r(new P<false>), r2(new P<true>);
}  // namespace
