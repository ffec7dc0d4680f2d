#pragma once
#include <string>
#include <string_view>

namespace revctl::golden {

/// Returns `text` in double quotes with JSON escapes, which YAML shares. Readable UTF-8 characters
/// stay as they are, except those that YAML 1.1 and 1.2 treat differently (UnlikeCharacter).
std::string Quote(std::string_view text);

/// Returns the character at `at` if YAML 1.1 treats it as a line break (U+0085, U+2028, U+2029) or
/// rejects it (C1 controls, U+FEFF, U+FFFE, U+FFFF), but YAML 1.2 does not. Returns 0 for every
/// other character.
unsigned UnlikeCharacter(std::string_view text, std::size_t at);

/// Returns `text` as a scalar that ParseTextTree reads back unchanged: plain if that is unambiguous
/// in every context, else quoted. For example, names and `vector<Player>` stay plain.
std::string PlainOrQuoted(std::string_view text);

/// Returns a plain number or word in a form that YAML 1.1 and 1.2 read alike: `-0` becomes `-0.0`,
/// because an integer has no negative zero, and `1e+38` becomes `1.0e+38`, because YAML 1.1
/// requires the decimal point.
std::string NumberOrWord(std::string_view text);
/// Inverse of NumberOrWord. Returns the shortest spelling, which is used in comparisons.
std::string ShortNumber(std::string_view text);

/// Like PlainOrQuoted, but for keys of block maps, in which `players[0].name` may stay plain.
std::string KeyText(std::string_view text);

/// If the value is a word, such as an enumerator, returns it without quotes, which words such as
/// `"True"` need in YAML. Returns "" for strings.
std::string_view WordOf(std::string_view value);

/// True if a value may be written without quotes. Unlike PlainOrQuoted, IsPlain also accepts
/// numbers.
bool IsPlain(std::string_view text);

}  // namespace revctl::golden
