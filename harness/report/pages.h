#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "golden/revision_record.h"

namespace revctl::harness {

/// The input for the page that shows one save file to people who do not have the program.
struct SavePage {
  std::string file, type;
  /// names and values for the head of the page
  std::vector<std::pair<std::string, std::string>> facts;
  std::string json;                                   ///< the value as the current code reads it
  const std::vector<golden::Leaf>* leaves = nullptr;  ///< the values in the file
  const std::vector<std::size_t>* offsets =
      nullptr;                          ///< position of each leaf in the payload; may be empty
  std::size_t header = 0, payload = 0;  ///< sizes in bytes
};

/// Returns a self-contained HTML page that shows the facts, and the value as a searchable tree with
/// offsets.
std::string SavePageText(const SavePage& save);

/// Returns a sweep's report as a self-contained HTML page. `json` is the result of ReportJson or
/// JoinReports.
std::string ReportPage(const std::string& json);

}  // namespace revctl::harness
