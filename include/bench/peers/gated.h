#pragma once
#include "include/bench/model.h"

// Lets a peer library use the same gates as revctl. Bodies run with the peer's archive `r`,
// which provides `revision` and `Field(x)`.

#define SERIALIZE_TYPE(T) \
  template <class R>      \
  void Gated(R& r, T& d)
#define SERIALIZE_END
#define ADD(since, member)                        \
  do {                                            \
    if (r.revision >= (since)) r.Field(d.member); \
  } while (0)
#define REM(since, until, type, name, fallback)                       \
  type name = fallback;                                               \
  do {                                                                \
    if (r.revision >= (since) && r.revision < (until)) r.Field(name); \
  } while (0)
#define CHECK_INTEGRITY(since)

#include "include/bench/bodies.inc"

#undef SERIALIZE_TYPE
#undef SERIALIZE_END
#undef ADD
#undef REM
#undef CHECK_INTEGRITY
