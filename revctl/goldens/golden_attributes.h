#pragma once
#include <map>
#include <string>
#include <string_view>

namespace revctl::commands {

/// An attribute by which a checkout may have other bytes of a golden than its commit, as git names
/// it for this file: "eol=crlf". Empty: none does. `attributes`: what git says of the file, by
/// name. Records are read with either end of line, so that those count for payloads alone; git LFS
/// puts back what was committed.
std::string AttributeThatEdits(const std::map<std::string, std::string>& attributes,
                               std::string_view bytes, bool payload);

}  // namespace revctl::commands
