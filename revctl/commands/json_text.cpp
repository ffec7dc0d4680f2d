#include "revctl/commands/json_text.h"

#include <nlohmann/json.hpp>

#include "revctl/findings/printable.h"

namespace revctl::commands {

std::string JsonString(std::string_view text) {
  return findings::JsonSafe(nlohmann::json(std::string(text))
                                .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

JsonObject& JsonObject::Raw(std::string_view key, std::string_view json) {
  if (!body_.empty()) body_ += ",";
  body_ += JsonString(key) + ":" + std::string(json);
  return *this;
}

std::string JsonArray(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? "," : "") + item;
  return out + "]";
}

}  // namespace revctl::commands
