#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"

// Parses revctl's own YAML files strictly and within size limits. Only .cpp files that read or
// write YAML include this header. ReadYaml catches yaml-cpp's exceptions and BadYaml.
namespace YAML {
class Node;
struct Mark;
}  // namespace YAML

namespace revctl::config {

/// Thrown by the functions below, with the position of the faulty node.
struct BadYaml {
  BadYaml(const YAML::Mark& mark, std::string what, std::string how_to_fix);
  int line = 0, column = 0;  ///< 1-based; 0 if unknown
  std::string message;
  std::string fix;
};

/// Returns `text` in quotes for a message, shortened and without control characters.
std::string Quoted(std::string_view text);
std::string Scalar(const YAML::Node& node, std::string_view key);
/// Returns the items of a YAML list of scalars, or an empty list if the value is missing.
std::vector<std::string> Strings(const YAML::Node& node, std::string_view key);
/// Throws for duplicate and unknown keys. Otherwise a misspelled key would silently get its default
/// value.
void CheckKeys(const YAML::Node& map, std::string_view what,
               const std::vector<std::string_view>& known);
/// Returns `text`, which must not contain control characters, as a double-quoted YAML scalar.
std::string QuotedScalar(std::string_view text);

/// Parses one document and calls `read` with its root. Rejects anchors, aliases, deep nesting, NUL
/// bytes and a second document before a tree is built. Errors name the file, the line and the
/// column. An error without a more specific fix suggests `default_fix`.
base::Result<base::Done> ReadYamlNode(std::string_view text, std::string_view path,
                                      const std::string& default_fix,
                                      const std::function<void(const YAML::Node&)>& read);

template <class T, class Read>
base::Result<T> ReadYaml(std::string_view text, std::string_view path,
                         const std::string& default_fix, Read read) {
  T out{};
  TRY(ReadYamlNode(text, path, default_fix, [&](const YAML::Node& root) { out = read(root); }));
  return out;
}

}  // namespace revctl::config
