#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"
#include "revctl/generate/definition.h"

// A definition against the list of revisions: what the compiler would say of the generated file,
// said of the definition.
namespace revctl::generate {

struct Revisions {
  std::string path;  ///< of the list, for messages
  /// words in expressions that begin with it are names of the list; may be empty
  std::string prefix;
  /// revisions and other names of the list
  std::map<std::string, std::int64_t, std::less<>> numbers;
};

/// The first name of a revision that the list does not have, or that stands in the wrong order.
/// `path`: of the definition.
std::optional<base::Error> CheckRevisions(const Definition& definition, std::string_view path,
                                          const Revisions& list);

}  // namespace revctl::generate
