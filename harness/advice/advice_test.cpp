// The suggested fix must depend on which macro visits the field: one of this library's, or one of
// the program's own.
#include "harness/advice/advice.h"

#include <catch2/catch.hpp>

namespace revctl::harness {
namespace {

revctl::LayoutField FieldOf(const std::string& name, const std::string& type,
                            const std::string& form) {
  revctl::LayoutField field;
  field.name = name;
  field.type = type;
  field.form = form;
  return field;
}

std::string FixLines(Cause cause, const revctl::LayoutField* recorded,
                     const revctl::LayoutField* now) {
  LayoutChange change;
  change.cause = cause;
  change.field = (recorded != nullptr ? recorded : now)->name;
  change.recorded = recorded;
  change.now = now;
  return AdviceOn(change, {"realm::Artifact", "SR_", "", nullptr}).Lines();
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("explain: the program's own macros get no ADD or REM lines", "[harness][explain]") {
  const auto then = FieldOf("1", "u8", "plain"), now = FieldOf("1", "u16", "plain");
  for (const std::string& text :
       {FixLines(Cause::Retyped, &then, &now), FixLines(Cause::RemovedWithoutRem, &then, nullptr),
        FixLines(Cause::AddedWithoutRevision, nullptr, &now)}) {
    INFO(text);
    CHECK_FALSE(Holds(text, "ADD("));
    CHECK_FALSE(Holds(text, "REM("));
    CHECK_FALSE(Holds(text, "d.1"));
    CHECK_FALSE(Holds(text, "reserve SR_1"));
    CHECK(Holds(text, "revctl reserve SR_"));
  }
  CHECK(FixLines(Cause::Retyped, &then, &now) ==
        "restore the type: uint8_t\nor make the change in a new revision:\nrevctl reserve "
        "SR_CHANGED\nin files older than SR_CHANGED, visit a uint8_t and convert it to uint16_t; "
        "in newer files, visit the uint16_t");
  const auto named = FieldOf("charges", "u8", "plain");
  CHECK(Holds(FixLines(Cause::RemovedWithoutRem, &named, nullptr),
              "revctl reserve SR_REMOVED_CHARGES\n"));
}

TEST_CASE("explain: fields visited by ADD get ADD and REM lines", "[harness][explain]") {
  const auto then = FieldOf("charges", "u8", "add"), now = FieldOf("charges", "u16", "add");
  const std::string text = FixLines(Cause::Retyped, &then, &now);
  INFO(text);
  CHECK(Holds(text, "revctl reserve SR_CHARGES_U16\n"));
  CHECK(Holds(text, "ADD(SR_CHARGES_U16, charges);"));
}

}  // namespace
}  // namespace revctl::harness
