#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

/// Set before main() by programs that the tests also start for something else. Returns false to run
/// the tests.
bool (*revctl_instead_of_tests)(int argc, char** argv) = nullptr;

int main(int argc, char** argv) {
  if (revctl_instead_of_tests != nullptr && revctl_instead_of_tests(argc, argv)) return 0;
  return Catch::Session().run(argc, argv);
}
