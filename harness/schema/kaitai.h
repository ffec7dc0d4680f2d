#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "harness/schema/schema.h"

namespace revctl::harness {

struct KaitaiRequest {
  std::string root;
  const revctl::ListTable* list = nullptr;  ///< provides names of revisions in conditions
  const revctl::ListEntry* at = nullptr;    ///< the revision of the schema
};

struct KaitaiResult {
  std::string text;                   ///< the .ksy; empty if there are problems
  std::vector<std::string> problems;  ///< parts that only C++ can express, each with its field
};

/// Returns `schema` as a .ksy. It describes whole files with their 16-byte header, and contains the
/// type `request.root` for bare payloads. Original names are in `-orig-id`, wire types in `-wire`.
KaitaiResult KaitaiText(const Schema& schema, const KaitaiRequest& request);

}  // namespace revctl::harness
