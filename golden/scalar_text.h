#pragma once
#include <string>
#include <string_view>

namespace golden {

/// `"..."` with JSON's escapes, which are YAML's too; readable characters (UTF-8) stay as they are.
std::string Quote(std::string_view text);

/// `text` as a scalar that ParseTextTree gives back unchanged: plain where that is unambiguous in
/// every context, else quoted. Numbers, names, `vector<Player>` and `players[0].name` stay plain.
std::string PlainOrQuoted(std::string_view text);

/// The same for the key of a block map, where `players[0].name` may stay plain.
std::string KeyText(std::string_view text);

/// Whether PlainOrQuoted leaves `text` plain.
bool IsPlain(std::string_view text);

}  // namespace golden
