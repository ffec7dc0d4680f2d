#pragma once
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "harness/schema/schema.h"

namespace revctl::harness {

struct KaitaiRequest {
  std::string root;
  const revctl::ListTable* list = nullptr;  ///< provides the names of revisions in conditions
  const revctl::ListEntry* at = nullptr;    ///< the revision that the schema describes
};

struct KaitaiResult {
  std::string text;  ///< contents of the .ksy file; empty if there are problems
  /// the parts of the schema that Kaitai Struct cannot express, each with its field
  std::vector<std::string> problems;
};

/// Returns `schema` as a .ksy file. It describes whole files with their 16-byte header, and
/// contains the type `request.root` for payloads without a header. `-orig-id` contains the original
/// names and `-wire` the wire types.
KaitaiResult KaitaiText(const Schema& schema, const KaitaiRequest& request);

}  // namespace revctl::harness
