#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace revctl::findings {

/// `text` as a JSON string; bytes that are no UTF-8 become U+FFFD.
std::string JsonString(std::string_view text);

/// An object in the order of its keys' adding; what is `Raw` is JSON already.
class JsonObject {
 public:
  JsonObject& Text(std::string_view key, std::string_view value) {
    return Raw(key, JsonString(value));
  }
  JsonObject& Number(std::string_view key, std::int64_t value) {
    return Raw(key, std::to_string(value));
  }
  JsonObject& Flag(std::string_view key, bool value) { return Raw(key, value ? "true" : "false"); }
  JsonObject& Raw(std::string_view key, std::string_view json);
  std::string str() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

std::string JsonArray(const std::vector<std::string>& items);

}  // namespace revctl::findings
