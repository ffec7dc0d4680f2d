#include "revctl/base/json.h"

#include <catch2/catch.hpp>

namespace revctl::base {

TEST_CASE("json: parsing the text of a value yields the same value", "[json]") {
  const Json built = Json::Object()
                         .Set("z", Json::List{1, -2, 0.5, true, Json(), ""})
                         .Set("a", Json::Object().Set("text", "\"\\\n\x01\xc3\xa4"))
                         .Set("most", std::uint64_t(-1));
  CHECK(JsonText(built) ==
        "{\"z\":[1,-2,0.5,true,null,\"\"],\"a\":{\"text\":\"\\\"\\\\\\n\\u0001\xc3\xa4\"},"
        "\"most\":18446744073709551615}");
  CHECK(ParseJson(JsonText(built), 2) == built);
  CHECK(ParseJson(JsonText(built, 2), 2) == built);
  CHECK(JsonText("\xff") == "\"\xef\xbf\xbd\"");
}

TEST_CASE("json: missing members and values of another type are null", "[json]") {
  const Json json = *ParseJson(R"({"list":[7],"text":"x"})", 9);
  CHECK(json["none"] == Json());
  CHECK(json["text"]["deeper"] == Json());
  CHECK(json["text"].items().empty());
  CHECK(*json["list"].items().at(0).count() == 7);
  CHECK(json["list"] != Json::List{-7});
  CHECK_FALSE(json["list"].IsText());
}

TEST_CASE("json: rejects invalid text", "[json]") {
  for (const char* text :
       {"", "{", "[1,]", "\"\xff\"", "{\"a\":1,\"b\":2,\"a\":1}", "[[[1]]]", "1e999"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseJson(text, 2).has_value());
  }
  CHECK(ParseJson("[[1]]", 2).has_value());
  CHECK_FALSE(ParseJson(std::string(1 << 22, '['), 32).has_value());
}

TEST_CASE("json: an object with many keys is parsed in linear time", "[json]") {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  text.back() = '}';
  CHECK(JsonText(*ParseJson(text, 1)) == text);
}

}  // namespace revctl::base
