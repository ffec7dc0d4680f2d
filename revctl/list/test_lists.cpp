#include "revctl/list/test_lists.h"

#include <fstream>
#include <iterator>

namespace revctl::list::testing {

std::string Fixture(const std::string& name) {
  std::ifstream in(std::string(REVCTL_LIST_TESTDATA) + "/" + name, std::ios::binary);
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace revctl::list::testing
