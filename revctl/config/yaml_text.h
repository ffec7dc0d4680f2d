#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"

// How revctl's own YAML files are read: strictly, and within bounds. Included by the .cpp files
// that read one; yaml-cpp's exceptions and BadYaml end in ReadYaml.
namespace YAML {
class Node;
struct Mark;
}  // namespace YAML

namespace revctl::config {

/// Thrown by accessors, so that each can give up at the place it read.
struct BadYaml {
  BadYaml(const YAML::Mark& mark, std::string what, std::string mend);
  int line = 0, column = 0;  ///< 1-based; 0: not known
  std::string message;
  std::string fix;
};

/// In quotes, without control characters, and not longer than a message may be.
std::string Quoted(std::string_view text);
/// One plain value.
std::string Scalar(const YAML::Node& node, std::string_view key);
/// A list of plain values; a missing value is an empty list.
std::vector<std::string> Strings(const YAML::Node& node, std::string_view key);
/// Every key once, and only known ones: a misspelt key must not silently mean the default.
void CheckKeys(const YAML::Node& map, std::string_view what,
               const std::vector<std::string_view>& known);
/// `text` as a double-quoted YAML scalar. It has no control characters.
std::string QuotedScalar(std::string_view text);

/// Loads one document and gives it to `read`. Anchors, aliases, deep nesting, NUL and a second
/// document are refused before a tree is built. Errors begin with `path:line:column`; `mend` is the
/// fix of those that name no other.
base::Result<base::Done> ReadYamlNode(std::string_view text, std::string_view path,
                                      const std::string& mend,
                                      const std::function<void(const YAML::Node&)>& read);

template <class T, class Read>
base::Result<T> ReadYaml(std::string_view text, std::string_view path, const std::string& mend,
                         Read read) {
  T out{};
  TRY(ReadYamlNode(text, path, mend, [&](const YAML::Node& root) { out = read(root); }));
  return out;
}

}  // namespace revctl::config
