#pragma once
// Generates deterministic content for the model (using xorshift, not the std:: distributions).
#include "include/bench/model.h"

struct Rng {
  u64 s = 0x9E3779B97F4A7C15ull;
  u32 next() {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return u32(s >> 16);
  }
  u32 below(u32 n) { return u32((u64(next()) * n) >> 32); }
  f32 unit() { return f32(next() >> 8) * (1.0f / 16777216.0f); }
  f32 range(f32 a, f32 b) { return a + (b - a) * unit(); }
  bool coin(u32 pct = 50) { return below(100) < pct; }
  std::string word(u32 lo, u32 hi) {
    u32 n = lo + below(hi - lo + 1);
    std::string r(n, 'a');
    for (auto& c : r) c = char('a' + below(26));
    return r;
  }
};
inline Vec3 gen_v3(Rng& g) { return {g.range(-500, 500), g.range(-500, 500), g.range(-500, 500)}; }

inline Component gen_part(Rng& g) {
  switch (g.below(4)) {
    case 0:
      return Physics{g.unit(),  g.unit(), g.unit(), gen_v3(g),
                     gen_v3(g), g.coin(), g.coin(), u8(g.below(8))};
    case 1:
      return Light{gen_v3(g), g.unit(), g.range(1, 50), g.coin(), u8(g.below(3))};
    case 2:
      return Sound{"event/" + g.word(6, 20), g.unit(), g.unit(), g.coin()};
    default: {
      Script s{g.word(20, 120), {}, g.below(100)};
      for (u32 i = g.below(8); i--;) s.vars.push_back(i32(g.next()));
      return s;
    }
  }
}
inline Thing gen_thing(Rng& g, u32 id) {
  Thing t{};
  t.id = id;
  t.name = g.word(4, 24);
  t.pos = gen_v3(g);
  t.rot = {g.unit(), g.unit(), g.unit(), g.unit()};
  t.scale = {1, 1, 1};
  t.visible = g.coin(90);
  t.locked = g.coin(10);
  t.emitter = g.coin(5);
  t.deleted = g.coin(2);
  t.parent = id ? g.below(id) : 0;
  for (u32 i = g.below(5); i--;) t.links.push_back(g.next());
  for (u32 i = g.below(4); i--;) t.parts.push_back(gen_part(g));
  t.hp = g.range(0, 100);
  t.team = i32(g.below(4)) - 1;
  t.guid = (u64(g.next()) << 32) | g.next();
  t.tint = g.next();
  t.lod = g.unit();
  return t;
}
inline Vertex gen_vertex(Rng& g) { return {gen_v3(g), gen_v3(g), {g.unit(), g.unit()}, g.next()}; }

inline Level gen_level(Rng& g, u32 things, u32 meshes, u32 hm) {
  Level l{};
  l.name = "The Gardens";
  l.seed = 42;
  l.gravity = -9.8f;
  l.music = "music/gardens";
  l.ambient = gen_v3(g);
  l.fog = 0.25f;
  for (u32 i = 0; i < things; ++i) l.things.push_back(gen_thing(g, i));
  for (u32 i = 0; i < meshes; ++i) {
    Mesh m{};
    m.name = g.word(6, 20);
    m.bmin = gen_v3(g);
    m.bmax = gen_v3(g);
    m.material = g.next();
    m.two_sided = g.coin();
    m.lightmap = g.next();
    for (u32 v = 2000 + g.below(6000); v--;) m.verts.push_back(gen_vertex(g));
    for (u32 v = 3 * (4000 + g.below(12000)); v--;) m.indices.push_back(u16(g.next()));
    l.meshes.push_back(std::move(m));
  }
  l.hw = l.hh = hm;
  for (u32 i = 0; i < hm * hm; ++i) l.height.push_back(g.range(0, 64));
  if (hm)
    for (u32 i = 0; i < 2000; ++i) l.stats[g.word(6, 24)] = i32(g.next());
  return l;
}
inline Tiny gen_tiny(Rng& g, u32 i) {
  Tiny t{};
  t.id = i;
  t.active = g.coin();
  t.x = g.range(0, 100);
  t.y = g.range(0, 100);
  t.kind = u16(g.next());
  t.visible = g.coin();
  t.hp = i32(g.below(100));
  t.layer = u8(g.below(8));
  t.angle = g.unit();
  t.frozen = g.coin();
  t.owner = (u64(g.next()) << 20) | i;
  t.team = i16(g.below(8));
  return t;
}
inline Dense gen_dense(Rng& g, u32 i) {
  return {(u64(g.next()) << 20) | i,
          i,
          g.range(0, 100),
          g.range(0, 100),
          i32(g.below(100)),
          g.unit(),
          g.next(),
          u16(g.next()),
          i16(g.below(8)),
          u8(g.below(8)),
          g.coin(),
          g.coin(),
          g.coin()};
}
inline Worlds gen_worlds(double scale = 1.0) {
  Rng g;
  Worlds w;
  auto n = [&](u32 x) { return u32(x * scale) + 1; };
  w.level = gen_level(g, n(20000), n(40), scale < 0.5 ? 64 : 1024);
  w.things = gen_level(g, n(60000), 0, 0);
  for (u32 i = 0, e = n(1000000); i < e; ++i) w.tiny.items.push_back(gen_tiny(g, i));
  for (u32 i = 0, e = n(1000000); i < e; ++i) w.dense.items.push_back(gen_dense(g, i));
  for (u32 i = n(400000); i--;) w.bulk.verts.push_back(gen_vertex(g));
  for (u32 i = n(4000000); i--;) w.bulk.indices.push_back(u16(g.next()));
  for (u32 i = n(4000000); i--;) w.bulk.samples.push_back(g.unit());
  return w;
}
