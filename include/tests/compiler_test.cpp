#include <revctl/detail/base/parse_number.h>
#include <revctl/serialize.h>

#include <catch2/catch.hpp>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

// Tests how the library handles differences between compilers and standard libraries, as far as
// strings can simulate them on this machine.

TEST_CASE("compiler: names of types are read from the spelling of each compiler", "[compiler]") {
  using revctl::detail::CleanTypeName;
  const std::string name = "game::Score";
  CHECK(CleanTypeName("std::string_view revctl::detail::SpelledType() [with T = game::Score; "
                      "std::string_view = "
                      "std::basic_string_view<char>]") == name);
  CHECK(CleanTypeName("std::string_view revctl::detail::SpelledType() [T = game::Score]") == name);
  CHECK(CleanTypeName("class std::basic_string_view<char,struct std::char_traits<char> > __cdecl "
                      "revctl::detail::SpelledType<struct game::Score>(void)") == name);
  CHECK(CleanTypeName(
            "class std::basic_string_view<char,struct std::char_traits<char> > __cdecl "
            "revctl::detail::SpelledType<struct game::`anonymous-namespace'::Score>(void)") ==
        name);
  CHECK(CleanTypeName("revctl::detail::SpelledType<class Grid<struct Cell,3> >(void)") ==
        "Grid<Cell,3>");
  CHECK(CleanTypeName("SpelledType").empty() == false);  // unknown form: unchanged
}

TEST_CASE("compiler: names of enumerators are read from the spelling of each compiler",
          "[compiler]") {
  const auto names = [](std::string_view spelled) {
    std::vector<std::string> found;
    revctl::detail::ForEachSpelled(spelled, [&](std::size_t index, std::string_view name) {
      found.push_back(std::to_string(index) + " " + std::string(name));
    });
    return found;
  };
  const std::vector<std::string> expected = {"1 Red", "3 Blue"};
  CHECK(names("const char* revctl::detail::SpellValues() [with E = Color; E ...values = "
              "{(Color)-1, Color::Red, (Color)3, "
              "Color::Blue}]") == expected);
  CHECK(names("const char *revctl::detail::SpellValues() [E = Color, values = <(Color)-1, "
              "Color::Red, (Color)3, Color::Blue>]") == expected);
  CHECK(names("const char *__cdecl revctl::detail::SpellValues<enum Color,(enum "
              "Color)0xffffffff,Color::Red,(enum "
              "Color)0x3,Color::Blue>(void)") == expected);
  CHECK(names("const char *__cdecl revctl::detail::SpellValues<enum Box<int,long>::Color,(enum "
              "Box<int,long>::Color)0x0,Box<int,"
              "long>::Color::Red>(void)") == std::vector<std::string>{"1 Red"});
  CHECK(names("SpellValues<").empty());
  CHECK(names("unknown spelling").empty());
}

TEST_CASE("compiler: without from_chars for floats, strtod reads the same texts", "[compiler]") {
  for (const char* text : {"0",
                           "-0",
                           "1",
                           "-1.5",
                           "0.1",
                           "1e10",
                           "1E-5",
                           "1e+2",
                           ".5",
                           "5.",
                           "3.4028235e38",
                           "1e39",
                           "1e309",
                           "-1e400",
                           "4.9e-324",
                           "123456789012345678901234567890",
                           "",
                           "-",
                           "+1",
                           " 1",
                           "1 ",
                           "0x10",
                           "inf",
                           "nan",
                           "1e",
                           "1.2.3",
                           "1,5",
                           "e5",
                           "--1"}) {
    CAPTURE(text);
    const auto same = [&](auto number) {
      auto expected = number;
      const std::string_view whole = text;
      const auto result = std::from_chars(whole.data(), whole.data() + whole.size(), expected);
      const bool valid = result.ec == std::errc() && result.ptr == whole.data() + whole.size() &&
                         std::isfinite(expected);
      REQUIRE(revctl::detail::ParseFloatWithStrtod(whole, number) == valid);
      if (valid) CHECK((number == expected && std::signbit(number) == std::signbit(expected)));
    };
    same(float{});
    same(double{});
  }
}
