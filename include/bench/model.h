#pragma once
// The shared data model of the benchmark: one game level, a "many tiny objects"
// pool in two memory layouts, and bulk POD arrays.  Every struct is a plain
// aggregate so that the reflecting peers (zpp_bits, alpaca) can take it as is.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using f32 = float;

struct Vec2 {
  f32 x, y;
  bool operator==(const Vec2&) const = default;
};
struct Vec3 {
  f32 x, y, z;
  bool operator==(const Vec3&) const = default;
};
struct Quat {
  f32 x, y, z, w;
  bool operator==(const Quat&) const = default;
};

struct Vertex {  // 36 bytes, no padding, memory order == wire order
  Vec3 pos, nrm;
  Vec2 uv;
  u32 col;
  bool operator==(const Vertex&) const = default;
};
struct Mesh {
  std::string name;
  std::vector<Vertex> verts;
  std::vector<u16> indices;
  Vec3 bmin, bmax;
  u32 material;
  bool two_sided;
  u32 lightmap;
  bool operator==(const Mesh&) const = default;
};
struct Physics {
  f32 mass, friction, restitution;
  Vec3 vel, angvel;
  bool is_static, gravity;
  u8 layer;
  bool operator==(const Physics&) const = default;
};
struct Light {
  Vec3 col;
  f32 intensity, radius;
  bool shadows;
  u8 kind;
  bool operator==(const Light&) const = default;
};
struct Sound {
  std::string event;
  f32 volume, pitch;
  bool looping;
  bool operator==(const Sound&) const = default;
};
struct Script {
  std::string src;
  std::vector<i32> vars;
  u32 entry;
  bool operator==(const Script&) const = default;
};
using Component = std::variant<Physics, Light, Sound, Script>;

struct Thing {
  u32 id;
  std::string name;
  Vec3 pos;
  Quat rot;
  Vec3 scale;
  bool visible, locked, emitter, deleted;
  u32 parent;
  std::vector<u32> links;
  std::vector<Component> parts;
  f32 hp;
  i32 team;
  u64 guid;
  u32 tint;
  f32 lod;
  bool operator==(const Thing&) const = default;
};
struct Level {
  std::string name;
  u32 seed;
  std::vector<Thing> things;
  std::vector<Mesh> meshes;
  std::vector<f32> height;
  u32 hw, hh;
  std::map<std::string, i32> stats;
  f32 gravity;
  std::string music;
  Vec3 ambient;
  f32 fog;
  bool operator==(const Level&) const = default;
};

struct Tiny {  // deliberately sloppy layout: sizeof 56, 36 bytes on the wire
  u32 id;
  bool active;
  f32 x, y;
  u16 kind;
  bool visible;
  i32 hp;
  u8 layer;
  f32 angle;
  bool frozen;
  u64 owner;
  i16 team;
  bool operator==(const Tiny&) const = default;
};
struct Dense {  // same kind of data laid out with care: sizeof 40 == wire 40
  u64 owner;
  u32 id;
  f32 x, y;
  i32 hp;
  f32 angle;
  u32 tint;
  u16 kind;
  i16 team;
  u8 layer;
  bool active, visible, frozen;
  bool operator==(const Dense&) const = default;
};
static_assert(sizeof(Vertex) == 36 && sizeof(Tiny) == 56 && sizeof(Dense) == 40);

struct TinyWorld {
  std::vector<Tiny> items;
  bool operator==(const TinyWorld&) const = default;
};
struct DenseWorld {
  std::vector<Dense> items;
  bool operator==(const DenseWorld&) const = default;
};
struct Bulk {
  std::vector<Vertex> verts;
  std::vector<u16> indices;
  std::vector<f32> samples;
  bool operator==(const Bulk&) const = default;
};

enum WorkloadId { W_LEVEL, W_THINGS, W_TINY, W_DENSE, W_BULK, W_COUNT };
inline const char* const kWorkloadName[W_COUNT] = {"level", "things", "tiny", "dense", "bulk"};

struct Worlds {
  Level level, things;
  TinyWorld tiny;
  DenseWorld dense;
  Bulk bulk;
};
template <class F>
decltype(auto) visit_world(Worlds& w, WorkloadId id, F&& f) {
  switch (id) {
    case W_LEVEL:
      return f(w.level);
    case W_THINGS:
      return f(w.things);
    case W_TINY:
      return f(w.tiny);
    case W_DENSE:
      return f(w.dense);
    default:
      return f(w.bulk);
  }
}
