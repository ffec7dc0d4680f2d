#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "golden/revision_record.h"

namespace revctl::harness {

/// The input for the page of one save file, which people without the program can read.
struct SavePage {
  std::string file, type;
  std::vector<std::pair<std::string, std::string>> facts;  ///< name and value, for its head
  std::string json;                                        ///< the value as today's code reads it
  const std::vector<golden::Leaf>* leaves = nullptr;       ///< the values in the file
  const std::vector<std::size_t>* offsets =
      nullptr;                          ///< of each leaf, in the payload; may be empty
  std::size_t header = 0, payload = 0;  ///< sizes
};

/// Returns a self-contained HTML page with the facts, and the value as a tree with search and
/// offsets.
std::string SavePageText(const SavePage& save);

}  // namespace revctl::harness
