#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <revctl/list_table.h>

#include "golden/result.h"

namespace revctl::harness {

/// The revision list of another program, read while this one runs. Movable; the table points into
/// it.
class ForeignList {
 public:
  /// `path`: a header that `revctl codegen` wrote, or the list itself, for which `revctl` is run
  /// (found in PATH, or named by $REVCTL_TOOL).
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
