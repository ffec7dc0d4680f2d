// Tests what a child that crashes or exhausts memory leaves for its parent.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <new>

#include "harness/isolation/job.h"
#include "harness/isolation/supervisor.h"
#include "harness/testing/test_program.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness::test {
namespace {

const Registry kNoRegistry;

const JobKind kDevour("test: devour memory", [](const JobInput&) -> std::string {
  ::signal(SIGABRT, SIG_DFL);
  for (;;) (void)::operator new (std::size_t{1} << 28);
});

}  // namespace

TEST_CASE("check: the last field of an ended process is read with care",
          "[harness][isolated][crash]") {
  CHECK(CrashBreadcrumb::Text("charges") == "charges");
  CHECK(CrashBreadcrumb::Text(nullptr).empty());
  CHECK(CrashBreadcrumb::Text(reinterpret_cast<const char*>(std::uintptr_t{8})).empty());

  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto* const pages = static_cast<char*>(
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(static_cast<void*>(pages) != MAP_FAILED);
  REQUIRE(::munmap(pages + page, page) == 0);
  std::memcpy(pages + page - 3, "hp", 3);
  CHECK(CrashBreadcrumb::Text(pages + page - 3) == "hp");
  pages[page - 1] = '!';
  CHECK(CrashBreadcrumb::Text(pages + page - 3).empty());
  std::memset(pages, 'x', page);
  CHECK(CrashBreadcrumb::Text(pages).empty());
  REQUIRE(::munmap(pages, page) == 0);
}

TEST_CASE("isolated: a body that takes memory without end ends alone", "[harness][isolated]") {
  ChildProcess child;
  REQUIRE(child.Start({kDevour, {kNoRegistry}}));
  CHECK_FALSE(child.Finish());
  // A sanitizer ends the process before it reaches the harness's memory limit.
  CHECK_THAT(child.ending(), Catch::EndsWith(kSanitized ? "" : " more than 4096 MiB"));
}

}  // namespace revctl::harness::test
