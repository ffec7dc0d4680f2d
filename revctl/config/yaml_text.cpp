#include "revctl/config/yaml_text.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <sstream>

namespace revctl::config {
namespace {

constexpr int kMaxDepth = 8;
constexpr std::string_view kPage = "for the format, see docs/reference/config.md";

/// Checks the parser events before a tree is built, so that alias bombs and deep nesting are
/// rejected in constant memory.
class Guard : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { Plain(mark, anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw BadYaml{mark, "aliases (*name) are not supported", "write the value itself"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string&) override {
    Plain(mark, anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Plain(mark, anchor);
    Enter(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Plain(mark, anchor);
    Enter(mark);
  }
  void OnMapEnd() override { --depth_; }

 private:
  static void Plain(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor)
      throw BadYaml{mark, "anchors (&name) are not supported", "write the value itself"};
  }
  void Enter(const YAML::Mark& mark) {
    if (++depth_ > kMaxDepth) throw BadYaml{mark, "nested too deeply", std::string(kPage)};
  }
  int depth_ = 0;
};

Error At(std::string_view path, const BadYaml& bad) {
  return {.message = bad.message,
          .fix = bad.fix,
          .file = std::string(path),
          .line = bad.line,
          .column = bad.column};
}

}  // namespace

BadYaml::BadYaml(const YAML::Mark& mark, std::string what, std::string how_to_fix)
    : line(mark.is_null() ? 0 : mark.line + 1),
      column(mark.is_null() ? 0 : mark.column + 1),
      message(std::move(what)),
      fix(std::move(how_to_fix)) {}

std::string Quoted(std::string_view text) {
  std::string shown;
  for (char c : text.substr(0, 60)) shown += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return fmt::format("'{}{}", shown, text.size() > 60 ? "...'" : "'");
}

std::string Scalar(const YAML::Node& node, std::string_view key) {
  if (!node.IsScalar())
    throw BadYaml{node.Mark(), std::string(key) + " must be a single value",
                  std::string(key) + ": value"};
  return node.Scalar();
}

std::vector<std::string> Strings(const YAML::Node& node, std::string_view key) {
  if (node.IsNull()) return {};
  if (!node.IsSequence()) {
    throw BadYaml{node.Mark(), std::string(key) + " must be a list",
                  std::string(key) + ": [\"...\"]"};
  }
  std::vector<std::string> out;
  for (const auto& item : node) out.push_back(Scalar(item, key));
  return out;
}

void CheckKeys(const YAML::Node& map, std::string_view what,
               const std::vector<std::string_view>& known) {
  if (!map.IsMap())
    throw BadYaml{map.Mark(), std::string(what) + " must be key-value pairs (key: value)",
                  std::string(kPage)};
  std::set<std::string> seen;
  for (const auto& pair : map) {
    const std::string key = Scalar(pair.first, "a key");
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      std::string all;
      for (std::string_view k : known) all += (all.empty() ? "" : ", ") + std::string(k);
      throw BadYaml{pair.first.Mark(), fmt::format("unknown key {} in {}", Quoted(key), what),
                    "known keys: " + all};
    }
    if (!seen.insert(key).second)
      throw BadYaml{pair.first.Mark(), fmt::format("key {} occurs twice", Quoted(key)),
                    "remove one of them"};
  }
}

std::string QuotedScalar(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

Result<Done> ReadYamlNode(std::string_view text, std::string_view path,
                          const std::string& default_fix,
                          const std::function<void(const YAML::Node&)>& read) {
  if (text.find('\0') != std::string_view::npos)
    return base::FileError(std::string(path), 0, "is binary, not YAML", default_fix);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    Guard guard;
    int documents = 0;
    while (parser.HandleNextDocument(guard)) {
      if (++documents > 1)
        return base::FileError(std::string(path), 0, "contains more than one YAML document",
                               "remove the line `---` and the other documents");
    }
    read(YAML::Load(std::string(text)));
    return Done{};
  } catch (const BadYaml& bad) {
    return At(path, bad);
  } catch (const YAML::Exception& bad) {
    return At(path,
              {bad.mark,
               fmt::format("is not YAML: {}; expected `key: value`, indented with spaces", bad.msg),
               "correct that line, or " + default_fix});
  } catch (const std::exception& bad) {
    return base::FileError(std::string(path), 0, bad.what(), default_fix);
  }
}

}  // namespace revctl::config
