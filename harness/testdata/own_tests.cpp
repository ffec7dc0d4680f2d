// An adopter's own test case, linked into the same program as the tests of the harness.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

TEST_CASE("two and two, and a comma [1]", "[own]") { CHECK(2 + 2 == 4); }
