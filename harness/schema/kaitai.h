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
  std::string text;                   ///< the .ksy file; empty if there are problems
  std::vector<std::string> problems;  ///< parts that only C++ can express, each with its field
};

/// Returns `schema` as a .ksy file. The file describes whole files with their 16-byte header, and
/// contains the type `request.root` for bare payloads. The original names are in `-orig-id`, the
/// wire types in `-wire`.
KaitaiResult KaitaiText(const Schema& schema, const KaitaiRequest& request);

}  // namespace revctl::harness
