#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace revctl::harness {

/// `p1Score` as Kaitai Struct wants its names: `p1_score`. What is no letter and no digit becomes
/// `_`.
std::string LowerSnake(std::string_view name);

/// Names of one scope: each original gets a name of its own, the same one whenever it is asked for.
class NameScope {
 public:
  /// The name of `original`: LowerSnake of it, with a number behind where that is taken.
  const std::string& Of(const std::string& original);

 private:
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace revctl::harness
