#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

/// Hook for a test program that its tests also start for another purpose. The program sets the hook
/// before main(). The hook returns false if main() should run the tests.
bool (*revctl_instead_of_tests)(int argc, char** argv) = nullptr;

int main(int argc, char** argv) {
  if (revctl_instead_of_tests != nullptr && revctl_instead_of_tests(argc, argv)) return 0;
  return Catch::Session().run(argc, argv);
}
