#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "harness/schema/schema.h"

namespace revctl::harness {

/// What a Kaitai Struct description is made for.
struct KaitaiRequest {
  std::string root;                         ///< the root type
  const revctl::ListTable* list = nullptr;  ///< for names of revisions in conditions
  const revctl::ListEntry* at = nullptr;    ///< the revision that the schema is of
};

struct KaitaiResult {
  std::string text;                   ///< the .ksy; empty where there are problems
  std::vector<std::string> problems;  ///< what cannot be said outside of C++, each with its field
};

/// `schema` as a .ksy: whole files with their 16-byte header, and the type `request.root` inside it
/// for bare payloads. Original names stand beside as `-orig-id`, wire types as `-wire`.
KaitaiResult KaitaiText(const Schema& schema, const KaitaiRequest& request);

}  // namespace revctl::harness
