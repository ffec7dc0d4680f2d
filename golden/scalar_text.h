#pragma once
#include <string>
#include <string_view>

namespace revctl::golden {

/// `"..."` with JSON's escapes, which are YAML's too; readable characters (UTF-8) stay as they are,
/// but for those that readers of YAML 1.1 and 1.2 take differently (UnlikeCharacter).
std::string Quote(std::string_view text);

/// The character at `at` where YAML 1.1 breaks a line at it (U+0085, U+2028, U+2029) or refuses it
/// (C1 controls, U+FEFF, U+FFFE, U+FFFF), and YAML 1.2 does not; 0 for all others.
unsigned UnlikeCharacter(std::string_view text, std::size_t at);

/// `text` as a scalar that ParseTextTree gives back unchanged: plain where that is unambiguous in
/// every context, else quoted. Numbers, names, `vector<Player>` and `players[0].name` stay plain.
std::string PlainOrQuoted(std::string_view text);

/// A plain value, a number or a word, as both YAML 1.1 and 1.2 read it: `-0` has a sign as the
/// float
/// `-0.0` alone, and `1e+38` is no number for 1.1 without a point.
std::string NumberOrWord(std::string_view text);
/// The other way round: the shortest text, as comparisons have it.
std::string ShortNumber(std::string_view text);

/// The same for the key of a block map, where `players[0].name` may stay plain.
std::string KeyText(std::string_view text);

/// The word that a value is, such as an enumerator: `"True"` has quotes for the sake of YAML. Empty
/// for text.
std::string_view WordOf(std::string_view value);

/// Whether the value `text` stands plain: a number too, which PlainOrQuoted would take for text.
bool IsPlain(std::string_view text);

}  // namespace revctl::golden
