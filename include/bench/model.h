#pragma once
// The data model of the benchmark: one game level, a pool of many tiny objects in two memory
// layouts, and bulk POD arrays. All structs are plain aggregates.
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

using String = std::string;
template <class T>
using Vector = std::vector<T>;
template <class K, class V>
using Map = std::map<K, V>;
#include "include/bench/model_types.inc"
static_assert(sizeof(Vertex) == 36 && sizeof(Tiny) == 56 && sizeof(Dense) == 40);

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
