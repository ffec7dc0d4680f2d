#pragma once

// One Serialize function for each type and one revision number for everything. This header is all
// that most code needs:
//
//   #include <revctl/serialize.h>
//   #include "master_version_list.h"
//
//   struct GameScore { int32_t p1Score = 0, p2Score = 0; };
//
//   SERIALIZE_TYPE(GameScore) {
//     ADD(SR_INITIAL, p1Score);
//     ADD(SR_INITIAL, p2Score);
//   } SERIALIZE_END
//
//   revctl::Save(SR_LATEST, score, bytes);  // 16-byte header and payload
//   revctl::Load(bytes, score, SR_LATEST);  // at this or any older revision; newer ones are
//   refused
//
// Where `revctl codegen`'s table is included, `Load(bytes, score)` knows the newest revision by
// itself.
//
// The payload has no overhead per field: little-endian fixed-width values one after another.
//
//   bool                 u8, 0 or 1              optional, unique_ptr   u8 flag, value
//   integers, floats     their bytes             variant                u8 index, value
//   enums                underlying type         array, T[n]            values
//   string               u32 count, bytes        pair, tuple            values
//   vector               u32 count, values       bitset<n>              (n+7)/8 bytes
//   map, set             u32 count, in key order; a key that stands twice is refused
//
// Every value is written in exactly one way, and reading refuses others (a bool of 7, bits beyond a
// bitset's end). Only keys may come in any order: how a program orders them may change. Written are
// ordered containers in their own order, unordered ones sorted by `<` (or KeyOrder).

#include <revctl/detail/binary/register_class.h>
#include <revctl/detail/binary/save_load.h>
#include <revctl/detail/binary/split_body.h>
#include <revctl/detail/visit/macros.h>
#include <revctl/reader.h>
#include <revctl/size_counter.h>
#include <revctl/writer.h>
