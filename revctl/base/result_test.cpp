#include "revctl/base/result.h"

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>

namespace {

using revctl::base::Done;
using revctl::base::Error;
using revctl::base::Exit;
using revctl::base::FileError;
using revctl::base::Result;

Result<int> Number(int number) {
  if (number < 0) return Error{Exit::Findings, "below zero", "0"};
  return number;
}

Result<Done> NotNegative(int number) {
  TRY(Number(number));
  return Done{};
}

Result<int> Sum(int first, int second) {
  TRY(const int a, Number(first));
  TRY(auto b, Number(second));
  b += a;
  return b;
}

/// Tests TRY with a value that cannot be copied.
Result<std::unique_ptr<int>> Held(int number) {
  TRY(const int value, Number(number));
  return std::make_unique<int>(value);
}

Result<int> Released(int number) {
  TRY(const auto held, Held(number));
  return *held;
}

std::optional<Error> Refused(int number) {
  TRY(Number(number));
  return std::nullopt;
}

/// Tests TRY in a branch, with a comma in its argument, and around another TRY.
Result<int> InBranch(bool sum) {
  if (sum) TRY(NotNegative(Sum(1, -1).ok() ? 1 : -7));
  else TRY(NotNegative(0));
  TRY(const auto both, ([]() -> Result<std::pair<int, int>> {
        TRY(const int one, Number(1));
        return std::pair<int, int>(one, 2);
      }()));
  return both.first + both.second;
}

}  // namespace

TEST_CASE("TRY yields the value or returns the error unchanged", "[base]") {
  CHECK(*Sum(1, 2) == 3);
  CHECK(NotNegative(0).ok());
  CHECK(*Released(4) == 4);
  CHECK_FALSE(Refused(1));
  CHECK(*InBranch(false) == 3);
  for (const Error& error : {Sum(1, -2).error(), Sum(-1, 2).error(), NotNegative(-1).error(),
                             Released(-1).error(), *Refused(-1), InBranch(true).error()}) {
    CHECK(error.exit == Exit::Findings);
    CHECK(error.message == "below zero");
    CHECK(error.fix == "0");
    CHECK(error.file.empty());
  }
}

TEST_CASE("TRY does not modify a named Result", "[base]") {
  Result<std::string> text(std::string(100, 'x'));
  const auto copied = [&]() -> Result<std::string> {
    TRY(auto copy, text);
    copy += '!';
    return copy;
  };
  CHECK(copied()->size() == 101);
  CHECK(text->size() == 100);
}

TEST_CASE("FileError stores the file and the line", "[base]") {
  const Error error = FileError("golden/SR_X.yaml", 7, "is cut off", "git checkout");
  CHECK(error.exit == Exit::Usage);
  CHECK(error.file == "golden/SR_X.yaml");
  CHECK(error.line == 7);
  CHECK(error.message == "is cut off");
  CHECK(error.fix == "git checkout");
}
