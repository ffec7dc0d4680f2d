// Cap'n Proto: builds a message from our structs, and reads it back into our structs.
#include <capnp/message.h>
#include <capnp/serialize.h>

#include "include/bench/contender.h"
#include "model.capnp.h"
namespace {
kj::StringPtr text(const std::string& s) { return {s.c_str(), s.size()}; }
std::string text(capnp::Text::Reader s) { return {s.begin(), s.size()}; }

void set(cp::V3::Builder o, const Vec3& v) {
  o.setX(v.x);
  o.setY(v.y);
  o.setZ(v.z);
}
Vec3 get(cp::V3::Reader o) { return {o.getX(), o.getY(), o.getZ()}; }

template <class List, class T>
void set(List list, const std::vector<T>& values) {
  u32 i = 0;
  for (T value : values) list.set(i++, value);
}
template <class T, class List>
std::vector<T> get(List list) {
  std::vector<T> values;
  values.reserve(list.size());
  for (T value : list) values.push_back(value);
  return values;
}

void set(capnp::List<cp::Vertex>::Builder list, const std::vector<Vertex>& verts) {
  u32 i = 0;
  for (auto& v : verts) {
    auto q = list[i++];
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
}
std::vector<Vertex> get(capnp::List<cp::Vertex>::Reader list) {
  std::vector<Vertex> verts;
  verts.reserve(list.size());
  for (auto q : list)
    verts.push_back({{q.getPx(), q.getPy(), q.getPz()},
                     {q.getNx(), q.getNy(), q.getNz()},
                     {q.getU(), q.getV()},
                     q.getCol()});
  return verts;
}

void set(cp::Component::Builder o, const Component& c) {
  if (auto* p = std::get_if<Physics>(&c)) {
    auto q = o.initPhysics();
    q.setMass(p->mass);
    q.setFriction(p->friction);
    q.setRestitution(p->restitution);
    set(q.initVel(), p->vel);
    set(q.initAngvel(), p->angvel);
    q.setIsStatic(p->is_static);
    q.setGravity(p->gravity);
    q.setLayer(p->layer);
  } else if (auto* p = std::get_if<Light>(&c)) {
    auto q = o.initLight();
    set(q.initCol(), p->col);
    q.setIntensity(p->intensity);
    q.setRadius(p->radius);
    q.setShadows(p->shadows);
    q.setKind(p->kind);
  } else if (auto* p = std::get_if<Sound>(&c)) {
    auto q = o.initSound();
    q.setEvent(text(p->event));
    q.setVolume(p->volume);
    q.setPitch(p->pitch);
    q.setLooping(p->looping);
  } else if (auto* p = std::get_if<Script>(&c)) {
    auto q = o.initScript();
    q.setSrc(text(p->src));
    set(q.initVars(u32(p->vars.size())), p->vars);
    q.setEntry(p->entry);
  }
}
void get(cp::Component::Reader o, std::vector<Component>& parts) {
  switch (o.which()) {
    case cp::Component::PHYSICS: {
      auto q = o.getPhysics();
      parts.emplace_back(Physics{q.getMass(), q.getFriction(), q.getRestitution(), get(q.getVel()),
                                 get(q.getAngvel()), q.getIsStatic(), q.getGravity(),
                                 q.getLayer()});
      break;
    }
    case cp::Component::LIGHT: {
      auto q = o.getLight();
      parts.emplace_back(
          Light{get(q.getCol()), q.getIntensity(), q.getRadius(), q.getShadows(), q.getKind()});
      break;
    }
    case cp::Component::SOUND: {
      auto q = o.getSound();
      parts.emplace_back(Sound{text(q.getEvent()), q.getVolume(), q.getPitch(), q.getLooping()});
      break;
    }
    case cp::Component::SCRIPT: {
      auto q = o.getScript();
      parts.emplace_back(Script{text(q.getSrc()), get<i32>(q.getVars()), q.getEntry()});
      break;
    }
  }
}

void set(cp::Thing::Builder q, const Thing& t) {
  q.setId(t.id);
  q.setName(text(t.name));
  set(q.initPos(), t.pos);
  auto r = q.initRot();
  r.setX(t.rot.x);
  r.setY(t.rot.y);
  r.setZ(t.rot.z);
  r.setW(t.rot.w);
  set(q.initScale(), t.scale);
  q.setVisible(t.visible);
  q.setLocked(t.locked);
  q.setEmitter(t.emitter);
  q.setDeleted(t.deleted);
  q.setParent(t.parent);
  set(q.initLinks(u32(t.links.size())), t.links);
  auto parts = q.initParts(u32(t.parts.size()));
  u32 i = 0;
  for (auto& part : t.parts) set(parts[i++], part);
  q.setHp(t.hp);
  q.setTeam(t.team);
  q.setGuid(t.guid);
  q.setTint(t.tint);
  q.setLod(t.lod);
}
void get(cp::Thing::Reader q, Thing& t) {
  t.id = q.getId();
  t.name = text(q.getName());
  t.pos = get(q.getPos());
  auto r = q.getRot();
  t.rot = {r.getX(), r.getY(), r.getZ(), r.getW()};
  t.scale = get(q.getScale());
  t.visible = q.getVisible();
  t.locked = q.getLocked();
  t.emitter = q.getEmitter();
  t.deleted = q.getDeleted();
  t.parent = q.getParent();
  t.links = get<u32>(q.getLinks());
  auto parts = q.getParts();
  t.parts.reserve(parts.size());
  for (auto part : parts) get(part, t.parts);
  t.hp = q.getHp();
  t.team = q.getTeam();
  t.guid = q.getGuid();
  t.tint = q.getTint();
  t.lod = q.getLod();
}

void set(cp::Level::Builder o, const Level& l) {
  o.setName(text(l.name));
  o.setSeed(l.seed);
  auto things = o.initThings(u32(l.things.size()));
  u32 i = 0;
  for (auto& t : l.things) set(things[i++], t);
  auto meshes = o.initMeshes(u32(l.meshes.size()));
  i = 0;
  for (auto& m : l.meshes) {
    auto q = meshes[i++];
    q.setName(text(m.name));
    set(q.initVerts(u32(m.verts.size())), m.verts);
    set(q.initIndices(u32(m.indices.size())), m.indices);
    set(q.initBmin(), m.bmin);
    set(q.initBmax(), m.bmax);
    q.setMaterial(m.material);
    q.setTwoSided(m.two_sided);
    q.setLightmap(m.lightmap);
  }
  set(o.initHeight(u32(l.height.size())), l.height);
  o.setHw(l.hw);
  o.setHh(l.hh);
  auto stats = o.initStats(u32(l.stats.size()));
  i = 0;
  for (auto& [key, value] : l.stats) {
    auto q = stats[i++];
    q.setKey(text(key));
    q.setValue(value);
  }
  o.setGravity(l.gravity);
  o.setMusic(text(l.music));
  set(o.initAmbient(), l.ambient);
  o.setFog(l.fog);
}
void get(cp::Level::Reader o, Level& l) {
  l = {};
  l.name = text(o.getName());
  l.seed = o.getSeed();
  auto things = o.getThings();
  l.things.reserve(things.size());
  for (auto q : things) get(q, l.things.emplace_back());
  auto meshes = o.getMeshes();
  l.meshes.reserve(meshes.size());
  for (auto q : meshes)
    l.meshes.push_back({text(q.getName()), get(q.getVerts()), get<u16>(q.getIndices()),
                        get(q.getBmin()), get(q.getBmax()), q.getMaterial(), q.getTwoSided(),
                        q.getLightmap()});
  l.height = get<f32>(o.getHeight());
  l.hw = o.getHw();
  l.hh = o.getHh();
  for (auto q : o.getStats()) l.stats.emplace_hint(l.stats.end(), text(q.getKey()), q.getValue());
  l.gravity = o.getGravity();
  l.music = text(o.getMusic());
  l.ambient = get(o.getAmbient());
  l.fog = o.getFog();
}

struct P : Contender {
  Worlds target;
  kj::Array<capnp::word> buf[W_COUNT];
  const char* name() const override { return "capnp"; }
  size_t write(WorkloadId id, Worlds& w) override {
    capnp::MallocMessageBuilder m(1 << 16);
    if (id == W_LEVEL || id == W_THINGS) {
      set(m.initRoot<cp::Level>(), id == W_LEVEL ? w.level : w.things);
    } else if (id == W_TINY) {
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
      set(r.initVerts(u32(w.bulk.verts.size())), w.bulk.verts);
      set(r.initIndices(u32(w.bulk.indices.size())), w.bulk.indices);
      set(r.initSamples(u32(w.bulk.samples.size())), w.bulk.samples);
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
    if (id == W_LEVEL || id == W_THINGS) {
      get(m.getRoot<cp::Level>(), id == W_LEVEL ? target.level : target.things);
    } else if (id == W_TINY) {
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
      target.bulk = {get(r.getVerts()), get<u16>(r.getIndices()), get<f32>(r.getSamples())};
    }
  }
  bool verify(WorkloadId id, Worlds& w) override {
    return id == W_LEVEL    ? target.level == w.level
           : id == W_THINGS ? target.things == w.things
           : id == W_TINY   ? target.tiny == w.tiny
           : id == W_DENSE  ? target.dense == w.dense
                            : target.bulk == w.bulk;
  }
  void drop(WorkloadId id) override {
    reset(id, true);
    buf[id] = nullptr;
  }
};
Registry r(new P);
}  // namespace
