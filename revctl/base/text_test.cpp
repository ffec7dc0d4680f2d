// Tests characters, globs, hex digits, UTF-8, shell words, and progress messages.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "revctl/base/ascii.h"
#include "revctl/base/glob.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/terminal.h"
#include "revctl/base/unicode.h"

namespace base = revctl::base;

TEST_CASE("ascii: classifies every byte", "[base]") {
  std::string words, letters, blanks;
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (base::IsWord(c)) words += c;
    if (base::IsLetter(c)) letters += c;
    if (base::IsBlank(c)) blanks += c;
    CHECK(base::IsAlphanumeric(c) == (base::IsWord(c) && c != '_'));
    CHECK(base::IsDigit(c) == (base::IsAlphanumeric(c) && !base::IsLetter(c)));
    CHECK((base::Lower(c) != c) == base::IsUpper(c));
    CHECK((base::Upper(c) != c) == base::IsLower(c));
  }
  CHECK(words == "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
  CHECK(letters == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  CHECK(blanks == "\t\v\f\r ");
  CHECK(base::Lower("Ab_\xC3\x84Z9") == "ab_\xC3\x84z9");
  CHECK(base::Upper("aB_\xC3\xA4z9") == "AB_\xC3\xA4Z9");
}

TEST_CASE("ascii: IsNumber and IsIdentifier check the whole text", "[base]") {
  CHECK(base::IsNumber("0123456789"));
  for (const char* text : {"", "-1", "1 ", "1a", "0x1"}) CHECK_FALSE(base::IsNumber(text));
  for (const char* text : {"_", "SR_1", "a"}) CHECK(base::IsIdentifier(text));
  for (const char* text : {"", "1a", "a-b", "a b", "\xC3\xA4"})
    CHECK_FALSE(base::IsIdentifier(text));
}

TEST_CASE("glob: wildcards, sets and literal characters", "[base]") {
  const auto matches = [](std::string_view pattern, std::string_view name) {
    return base::GlobMatches(pattern, name);
  };
  CHECK(matches("release/*", "release/1.2"));
  CHECK_FALSE(matches("release/*", "release/1/2"));
  CHECK(matches("release/**", "release/1/2"));
  CHECK(matches("**/*.bin", "a/b/c.bin"));
  CHECK(matches("v?.*", "v1.0"));
  CHECK_FALSE(matches("a?b", "a/b"));
  CHECK(matches("*", ""));
  CHECK_FALSE(matches("a", "ab"));
  CHECK_FALSE(matches("ab", "a"));
  for (const char* name : {"b.bin", "-.bin", "].bin"}) CHECK(matches("[]a-c-].bin", name));
  CHECK_FALSE(matches("[a-c].bin", "d.bin"));
  CHECK(matches("[!a-c]", "d"));
  for (const char* name : {"b", "/", ""}) CHECK_FALSE(matches("[!a-c]", name));
  CHECK(matches("\\*.[b", "*.[b"));
  CHECK_FALSE(matches("\\*.bin", "a.bin"));
  // A long pattern must not take long.
  CHECK_FALSE(matches(std::string(200, '*') + "b", std::string(2000, 'a')));
  CHECK_FALSE(matches("*" + std::string(1 << 24, '['), std::string(200, '[')));
}

TEST_CASE("hex: converts digits in both directions", "[base]") {
  for (unsigned value = 0; value < 16; ++value) {
    CHECK(base::HexValue(base::HexDigit(value)) == static_cast<int>(value));
    CHECK(base::HexValue(base::Upper(base::HexDigit(value))) == static_cast<int>(value));
  }
  for (const char c : {'g', 'G', '/', ':', '@', '`', '\0', '\xFF'}) CHECK(base::HexValue(c) == -1);
  CHECK(base::Hex(0x0123456789abcdefULL, 16) == "0123456789abcdef");
  CHECK(base::Hex(0x2028, 4) == "2028");
  CHECK(base::Hex(7, 2) == "07");
  CHECK(base::IsHex("09af"));
  for (const char* text : {"", "0A", "0x1", "g", "0 "}) CHECK_FALSE(base::IsHex(text));
}

TEST_CASE("utf8: reads what it writes, and rejects anything else", "[base]") {
  for (std::uint32_t code = 1; code < 0x120000; code += code < 0x3000 ? 1 : 251) {
    const bool valid = code <= 0x10FFFF && (code < 0xD800 || code >= 0xE000);
    std::string text = "<";
    base::AppendUtf8(text, code);
    const auto read = base::CharacterAt(text, 1);
    REQUIRE(read.has_value() == valid);
    if (valid) REQUIRE((read->code == code && read->length == text.size() - 1));
  }
  for (const char* text : {"\x80", "\xC0\xAF", "\xE0\x80\x80", "\xF0\x80\x80\x80", "\xC3",
                           "\xE2\x82", "\xE2(\xA1", "\xF5\x80\x80\x80", "\xFF"})
    CHECK_FALSE(base::CharacterAt(text, 0));
}

TEST_CASE("utf8: characters that control the terminal or the text direction", "[base]") {
  for (const std::uint32_t code :
       {0x00U, 0x1bU, 0x0dU, 0x7fU, 0x9fU, 0x200eU, 0x2028U, 0x202eU, 0x2066U})
    CHECK(base::Steers(code));
  for (const std::uint32_t code :
       {0x09U, 0x0aU, 0x20U, 0x7eU, 0xa0U, 0x200dU, 0x2027U, 0x202fU, 0x206aU})
    CHECK_FALSE(base::Steers(code));
}

TEST_CASE("shell words: are quoted only if necessary", "[base]") {
  CHECK(base::ShellWord("src/a_1.h:2,@%+=-") == "src/a_1.h:2,@%+=-");
  CHECK(base::ShellLine({"git", "log", "a b", ""}) == "git log 'a b' ''");
}

TEST_CASE("progress: shows rate and remaining time once an item is done", "[base]") {
  CHECK(base::HowFar(0, 40, "goldens", 2) == "0 of 40 goldens");
  CHECK(base::HowFar(10, 40, "goldens", 2) == "10 of 40 goldens, 5 a second, 6 s left");
  CHECK(base::HowFar(1, 3, "commits", 4) == "1 of 3 commits, 0.2 a second, 8 s left");
  CHECK(base::HowFar(3, 2, "sources", 1) == "3 of 2 sources, 3 a second, 0 s left");
  CHECK(base::Duration(119) == "119 s");
  CHECK(base::Duration(120) == "2 min");
}
