// Renamed records and enums must be reported as renamed, with lines that compile.
#include <catch2/catch.hpp>
#include <map>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };

#define VARIANT before
#include "harness/testdata/family.inc"
#define VARIANT renamed
#define Child Kid
#define Hue Tint
#include "harness/testdata/family.inc"
#define VARIANT fixed
#include "harness/testdata/family.inc"
#undef Child
#undef Hue
#define VARIANT changed
#define Child Kid
#define AGE std::int64_t
#include "harness/testdata/family.inc"
#undef Child

}  // namespace

NAMED(before::Family, "Family");
NAMED(renamed::Family, "Family");
NAMED(fixed::Family, "Family");
NAMED(changed::Family, "Family");
NAMED(before::Child, "Child");
NAMED(before::Hue, "Hue");
NAMED(renamed::Kid, "Kid");
NAMED(renamed::Tint, "Tint");
NAMED(fixed::Kid, "Child");
NAMED(fixed::Tint, "Hue");
NAMED(changed::Kid, "Kid");
NAMED(changed::Hue, "Hue");

namespace revctl::harness::test {
namespace {

const Folder& Recorded() {
  static const Folder folder;
  static const bool once = [] {
    Program(1).Type<before::Family>().Record(folder);
    return true;
  }();
  (void)once;
  return folder;
}

}  // namespace

TEST_CASE("types: a new name for the same layout is a rename", "[harness][signals][typename]") {
  const CheckResult result = Program(1).Type<renamed::Family>().Check(Recorded());
  INFO(Text(result));
  const Finding child = Find(result, "GH001", "Family", "first");
  CHECK_THAT(child.message,
             Catch::Contains("Family.first: Child was renamed to Kid, with the same layout"));
  CHECK_THAT(
      FixText(child.fix),
      Catch::Contains(
          "struct revctl::NameOf<Kid> {\n  static std::string Name() { return \"Child\"; }\n};") &&
          Catch::Contains("or restore the name: Child") && !Catch::Contains("REM("));
  const Finding hue = Find(result, "GH001", "Family", "favourite");
  CHECK_THAT(hue.message, Catch::Contains("Hue was renamed to Tint"));
  // One field contains both names. Each name must be reported only once.
  const Finding both = Find(result, "GH001", "Family", "byHue");
  CHECK_THAT(FixText(both.fix), Catch::Contains("NameOf<Kid>") && Catch::Contains("NameOf<Tint>"));
  CHECK(Errors(result).size() <= 4);

  const CheckResult after = Program(1).Type<fixed::Family>().Check(Recorded());
  INFO(Text(after));
  CHECK(after.findings.empty());
}

TEST_CASE("types: the fix of a renamed registered type uses NameOf",
          "[harness][signals][typename]") {
  const CheckResult result = Program(1).Type<renamed::Kid>().Check(Recorded());
  CHECK_THAT(
      FixText(Find(result, "GH008", "Family", "").fix),
      Catch::Contains(
          "struct revctl::NameOf<NewName> {\n  static std::string Name() { return \"Family\"; }"));
}

TEST_CASE("types: if name and layout changed, the name must be declared first",
          "[harness][signals][typename]") {
  const CheckResult result = Program(1).Type<changed::Family>().Check(Recorded());
  INFO(Text(result));
  const Finding child = Find(result, "GH001", "Family", "first");
  CHECK_THAT(child.message, Catch::Contains("was Child, is Kid: retyped without a revision"));
  CHECK_THAT(FixText(child.fix),
             Catch::Contains("if Kid is the new name of Child, declare the rename") &&
                 Catch::Contains("struct revctl::NameOf<Kid> {") && !Catch::Contains("REM("));
}

}  // namespace revctl::harness::test
