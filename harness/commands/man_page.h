#pragma once
#include <string>

namespace CLI {
class App;
}

namespace revctl::harness {

/// The man page of a harness called `program`, made from its commands and their options.
std::string ManPage(const CLI::App& app, const std::string& program);

}  // namespace revctl::harness
