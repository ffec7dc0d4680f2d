#pragma once
#include <string_view>

namespace revctl::config {

/// Does `name` match `pattern`? `*` is any run of characters without '/', `**` any run, `?` one
/// character but '/'. Linear in practice and bounded by |pattern| * |name|: hostile patterns cannot
/// make it explode.
bool GlobMatches(std::string_view pattern, std::string_view name);

}  // namespace revctl::config
