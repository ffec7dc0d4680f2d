#pragma once
// visit_fields(d, f) calls f with all fields of d, so that a peer library needs only one line per
// type.
#include "include/bench/model.h"
template <class T>
inline constexpr bool is_described = false;
#define FIELDS(T, ...)                               \
  template <>                                        \
  inline constexpr bool is_described<T> = true;      \
  template <class D, class F>                        \
  requires std::is_same_v<std::remove_const_t<D>, T> \
  inline decltype(auto) visit_fields(D& d, F&& f) { return f(__VA_ARGS__); }
FIELDS(Vec2, d.x, d.y)
FIELDS(Vec3, d.x, d.y, d.z)
FIELDS(Quat, d.x, d.y, d.z, d.w)
FIELDS(Vertex, d.pos, d.nrm, d.uv, d.col)
FIELDS(Mesh, d.name, d.verts, d.indices, d.bmin, d.bmax, d.material, d.two_sided, d.lightmap)
FIELDS(Physics, d.mass, d.friction, d.restitution, d.vel, d.angvel, d.is_static, d.gravity, d.layer)
FIELDS(Light, d.col, d.intensity, d.radius, d.shadows, d.kind)
FIELDS(Sound, d.event, d.volume, d.pitch, d.looping)
FIELDS(Script, d.src, d.vars, d.entry)
FIELDS(Thing, d.id, d.name, d.pos, d.rot, d.scale, d.visible, d.locked, d.emitter, d.deleted,
       d.parent, d.links, d.parts, d.hp, d.team, d.guid, d.tint, d.lod)
FIELDS(Level, d.name, d.seed, d.things, d.meshes, d.height, d.hw, d.hh, d.stats, d.gravity, d.music,
       d.ambient, d.fog)
FIELDS(Tiny, d.id, d.active, d.x, d.y, d.kind, d.visible, d.hp, d.layer, d.angle, d.frozen, d.owner,
       d.team)
FIELDS(Dense, d.owner, d.id, d.x, d.y, d.hp, d.angle, d.tint, d.kind, d.team, d.layer, d.active,
       d.visible, d.frozen)
FIELDS(TinyWorld, d.items)
FIELDS(DenseWorld, d.items)
FIELDS(Bulk, d.verts, d.indices, d.samples)
#undef FIELDS
template <class T>
concept Described = is_described<std::remove_const_t<T>>;
