// The output of `schema` is for other tools. Therefore, the tests read it with generic JSON and
// YAML readers, and with a decoder that knows only the schema.
#include <yaml-cpp/yaml.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include <revctl/detail/types/leaf_text.h>

#include "golden/revision_record.h"
#include "golden/store.h"
#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

using nlohmann::json;

/// Converts a scalar to its type in YAML's core schema.
json Scalar(const YAML::Node& node) {
  bool flag = false;
  std::int64_t number = 0;
  if (node.Tag() != "!" && YAML::convert<std::int64_t>::decode(node, number)) return number;
  if (node.Tag() != "!" && YAML::convert<bool>::decode(node, flag)) return flag;
  return node.Scalar();
}

/// Converts YAML to the structure of the JSON output, which has ordered lists instead of maps of
/// types and enums.
json FromYaml(const std::string& text) {
  const YAML::Node root = YAML::Load(text);
  json out = {{"types", json::array()}, {"enums", json::array()}};
  for (const auto& entry : root) {
    const std::string key = entry.first.Scalar();
    if (key != "types" && key != "enums") out[key] = Scalar(entry.second);
  }
  for (const auto& type : root["types"]) {
    json fields = json::array();
    for (const YAML::Node& field : type.second) {
      json one = {{"name", ""}};
      for (const auto& part : field) one[part.first.Scalar()] = Scalar(part.second);
      fields.push_back(one);
    }
    out["types"].push_back({{"type", type.first.Scalar()}, {"fields", fields}});
  }
  for (const auto& type : root["enums"]) {
    json values = json::array();
    for (const auto& value : type.second["values"])
      values.push_back(
          {{"name", value.first.Scalar()}, {"value", value.second.as<std::int64_t>()}});
    out["enums"].push_back({{"type", type.first.Scalar()},
                            {"underlying", type.second["underlying"].Scalar()},
                            {"values", values}});
  }
  return out;
}

/// Decodes a payload using only the schema. Produces the same paths as a record.
class Decoder {
 public:
  Decoder(const json& schema, std::span<const std::byte> bytes) : bytes_(bytes) {
    for (const json& type : schema["types"]) types_[type["type"]] = type["fields"];
    for (const json& type : schema["enums"]) enums_[type["type"]] = type;
  }

  /// Decodes an object. The test fails if bytes are missing.
  std::vector<revctl::golden::Leaf> Run(const std::string& type) {
    Record(type, "");
    return leaves_;
  }
  std::size_t at() const { return at_; }

 private:
  std::int64_t Number(const std::string& type) {
    const std::size_t size = std::stoul(type.substr(1)) / 8;
    std::uint64_t number = 0;
    REQUIRE(at_ + size <= bytes_.size());
    std::memcpy(&number, bytes_.data() + at_, size);
    at_ += size;
    const unsigned unused = 64 - static_cast<unsigned>(size) * 8;
    if (type[0] == 'u' || unused == 0) return static_cast<std::int64_t>(number);
    return static_cast<std::int64_t>(number << unused) >> unused;
  }
  void Leaf(const std::string& path, const std::string& text) { leaves_.push_back({path, text}); }

  void Record(const std::string& type, const std::string& path) {
    for (const json& field : types_.at(type)) {
      const std::string name = field["name"], dot = path.empty() ? "" : path + ".";
      // The only condition in this game, translated to C++ by hand.
      if (field.contains("condition")) {
        REQUIRE(field["condition"] == "d.p1Score >= 0");
        if (std::stol(leaves_.front().text) < 0) continue;
      }
      const std::size_t before = at_;
      if (field["form"] == "integrity") {
        Leaf(path + "#integrity", std::to_string(Number(field["type"])));
      } else {
        Value(field["type"], dot + name);
      }
      if (field.contains("size")) CHECK(at_ - before == field["size"]);
    }
  }
  void Value(const std::string& type, const std::string& path) {
    if (types_.contains(type)) return Record(type, path);
    if (const auto found = enums_.find(type); found != enums_.end()) {
      const std::int64_t value = Number(found->second["underlying"]);
      for (const json& entry : found->second["values"]) {
        if (entry["value"] == value) return Leaf(path, entry["name"]);
      }
      return Leaf(path, std::to_string(value));
    }
    if (type == "string") {
      const auto size = static_cast<std::size_t>(Number("u32"));
      REQUIRE(size <= bytes_.size() - at_);
      // Invalid UTF-8 is shown as hex digits.
      const char* const text = reinterpret_cast<const char*>(bytes_.data()) + at_;
      Leaf(path, revctl::golden::CanonicalText(revctl::detail::JsonString({text, size})));
      at_ += size;
      return;
    }
    if (type.starts_with("vector<")) {
      const std::int64_t count = Number("u32");
      Leaf(path + "#count", std::to_string(count));
      for (std::int64_t i = 0; i < count; ++i)
        Value(type.substr(7, type.size() - 8), path + "[" + std::to_string(i) + "]");
      return;
    }
    REQUIRE((type[0] == 'i' || type[0] == 'u'));
    Leaf(path, std::to_string(Number(type)));
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::map<std::string, json> types_, enums_;
  std::vector<revctl::golden::Leaf> leaves_;
};

}  // namespace

TEST_CASE("schema: JSON and YAML agree, and describe every golden", "[harness][commands][schema]") {
  const Folder folder;
  REQUIRE(Run(folder, kFour + " record --backfill --golden golden").exit == 0);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path() + "/golden");
  REQUIRE(store.records().size() == 4);
  std::size_t read = 0, conditions = 0, integrity = 0;
  for (const revctl::golden::StoredRecord& stored : store.records()) {
    const std::string at = " schema --golden golden --at " + stored.record.revision;
    INFO(at);
    const Ran yaml = Run(folder, kFour + at), text = Run(folder, kFour + at + " --format json");
    const json schema = json::parse(text.out);
    CHECK(FromYaml(yaml.out) == schema);
    CHECK(schema["version"] == 1);
    CHECK(schema["revision"] == stored.record.revision);
    CHECK(schema["number"] == stored.record.number);
    CHECK(schema["lineage"] == revctl::golden::HashText(stored.record.lineage));
    for (const revctl::golden::Case& item : stored.record.cases) {
      INFO(item.name);
      const auto payload = revctl::golden::Store::Payload(stored, item);
      Decoder decoder(schema, payload);
      CHECK(decoder.Run(item.type) == item.values);
      CHECK(decoder.at() == payload.size());
      ++read;
    }
    for (const json& type : schema["types"]) {
      for (const json& field : type["fields"]) {
        conditions += field.contains("condition");
        integrity += field["form"] == "integrity";
      }
    }
  }
  CHECK(read > 8);
  CHECK(conditions > 0);
  CHECK(integrity > 0);
}

}  // namespace revctl::harness::test
