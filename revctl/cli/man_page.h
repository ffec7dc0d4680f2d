#pragma once
#include <string>

#include "revctl/cli/command.h"

namespace revctl::cli {

std::string ManPage(const Program& program);

}  // namespace revctl::cli
