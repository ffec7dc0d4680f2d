#include "revctl/base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace revctl::base {

using Library = nlohmann::ordered_json;

struct JsonLibrary {
  static Library From(const Json& json) {
    return std::visit([](const auto& value) { return JsonLibrary::Of(value); }, json.value_);
  }

  static Library Of(std::monostate) { return nullptr; }
  static Library Of(const auto& scalar) { return scalar; }
  static Library Of(const Json::List& items) {
    Library out = Library::array();
    for (const Json& item : items) out.push_back(From(item));
    return out;
  }
  static Library Of(const Json::Members& members) {
    Library::object_t out;
    // Append to the vector directly, because the library's own insertion searches all existing
    // keys.
    std::vector<Library::object_t::value_type>& added = out;
    for (const auto& [key, value] : members) added.emplace_back(key, From(value));
    return out;
  }

  /// Builds a Json from the library's parser events.
  class Builder : public nlohmann::json_sax<Library> {
   public:
    Builder(Json& root, std::size_t deepest) : root_(root), deepest_(deepest) {}

    bool null() override { return Put(Json()); }
    bool boolean(bool flag) override { return Put(flag); }
    bool number_integer(std::int64_t number) override { return Put(number); }
    bool number_unsigned(std::uint64_t number) override { return Put(number); }
    bool number_float(double number, const std::string&) override { return Put(number); }
    bool string(std::string& text) override { return Put(std::move(text)); }
    bool binary(Library::binary_t&) override { return false; }
    bool start_array(std::size_t) override { return Put(Json::List(), true); }
    bool end_array() override { return Close(); }
    bool start_object(std::size_t) override { return Put(Json::Object(), true); }
    bool key(std::string& key) override {
      key_ = std::move(key);
      return true;
    }
    bool end_object() override { return HasEachKeyOnce(open_.back()->value_) && Close(); }
    bool parse_error(std::size_t, const std::string&, const Library::exception&) override {
      return false;
    }

   private:
    bool Put(Json value, bool opens = false) {
      Json* place = &root_;
      if (!open_.empty()) {
        if (auto* items = std::get_if<Json::List>(&open_.back()->value_)) {
          place = &items->emplace_back();
        } else {
          auto& members = std::get<Json::Members>(open_.back()->value_);
          place = &members.emplace_back(std::move(key_), Json()).second;
        }
      }
      *place = std::move(value);
      // The pointer `place` stays valid, because the list that contains the value does not grow
      // until the value is closed.
      if (opens) open_.push_back(place);
      return open_.size() <= deepest_;
    }
    bool Close() {
      open_.pop_back();
      return true;
    }
    static bool HasEachKeyOnce(const auto& object) {
      std::vector<std::string_view> keys;
      for (const auto& [key, value] : std::get<Json::Members>(object)) keys.push_back(key);
      std::sort(keys.begin(), keys.end());
      return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
    }

    Json& root_;
    std::size_t deepest_;
    std::vector<Json*> open_;
    std::string key_;
  };
};

Json& Json::Set(std::string_view key, Json value) & {
  std::get<Members>(value_).emplace_back(key, std::move(value));
  return *this;
}

double Json::number() const {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
          return static_cast<double>(value);
        return 0.0;
      },
      value_);
}

const Json::List& Json::items() const {
  static const List kNone;
  const auto* items = std::get_if<List>(&value_);
  return items == nullptr ? kNone : *items;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNull;
  const auto* members = std::get_if<Members>(&value_);
  if (members == nullptr) return kNull;
  const auto found = std::find_if(members->begin(), members->end(),
                                  [&](const auto& member) { return member.first == key; });
  return found == members->end() ? kNull : found->second;
}

Json& Json::At(std::string_view key) { return const_cast<Json&>(std::as_const(*this)[key]); }

std::string JsonText(const Json& json, int indent) {
  return JsonLibrary::From(json).dump(indent, ' ', false, Library::error_handler_t::replace);
}

std::optional<Json> ParseJson(std::string_view text, std::size_t deepest) {
  Json json;
  JsonLibrary::Builder builder(json, deepest);
  if (!Library::sax_parse(text, &builder)) return std::nullopt;
  return json;
}

}  // namespace revctl::base
