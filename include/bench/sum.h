#pragma once
#include "include/bench/model.h"

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
