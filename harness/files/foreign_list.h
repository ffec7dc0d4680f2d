#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "golden/result.h"

namespace revctl::harness {

/// The revision list of another program, read at run time. Owns the memory that the table refers
/// to.
class ForeignList {
 public:
  /// Reads a header written by `revctl codegen`, or a list. For a list, runs `revctl` from
  /// $REVCTL_TOOL or PATH.
  static golden::Result<std::unique_ptr<ForeignList>> Read(const std::string& path);

  const revctl::ListTable& table() const { return table_; }

 private:
  bool Parse(const std::string& text);

  std::string name_;
  std::deque<std::string> names_;
  std::vector<revctl::ListEntry> entries_;
  revctl::ListTable table_{};
};

}  // namespace revctl::harness
