// Parses a definition. Catches yaml-cpp's exceptions.
#include <yaml-cpp/yaml.h>

#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/config/yaml_text.h"
#include "revctl/generate/cpp_text.h"
#include "revctl/generate/definition.h"
#include "revctl/generate/definition_text.h"
#include "revctl/generate/integer.h"
#include "revctl/generate/type.h"

namespace revctl::generate {
namespace {

class ReadOne {
 public:
  Definition Run(const YAML::Node& root) {
    CheckKeys(root, "a definition", "");
    if (!root["version"] || Scalar(root["version"], "version") != "1") {
      Refuse(root["version"] ? root["version"] : root, "`version` must be 1", "version: 1");
    }
    out_.name_space = NameSpace(root);
    if (!root["list"]) Refuse(root, "no revision list", "list: master_version_list.h");
    out_.list = Header(root["list"]);
    out_.table = root["table"] ? Header(root["table"]) : TableOf(out_.list);
    for (const auto& node : Sequence(root, "includes")) out_.includes.push_back(Header(node));
    for (const auto& node : Sequence(root, "enums")) ReadEnum(node);
    for (const auto& node : Sequence(root, "structs")) ReadStruct(node);
    if (out_.structs.empty()) Refuse(root, "the definition has no structs", std::string(kPage));
    for (const auto& node : Sequence(root, "files")) ReadFile(node);
    CheckNothingHidesARevision();
    return std::move(out_);
  }

 private:
  static std::string NameSpace(const YAML::Node& root) {
    if (!root["namespace"]) Refuse(root, "no namespace", "namespace: game");
    const std::string text = Scalar(root["namespace"], "namespace");
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find("::", at), text.size());
      const std::string_view part = std::string_view(text).substr(at, end - at);
      if (!IsUsableName(part) || part == "std" || (at == 0 && part == "main"))
        Refuse(root["namespace"], Quoted(text) + " is not a namespace", "namespace: game");
      at = end + 2;
    }
    return text;
  }
  static std::string Header(const YAML::Node& node) {
    const std::string text = Scalar(node, "a header");
    if (text.empty() || text.find_first_of("\"<>\\") != std::string::npos)
      Refuse(node, Quoted(text) + " is not a header", "master_version_list.h");
    return text;
  }
  /// Returns the default path of the generated table, which CMake also uses: `src/list.revctl.h`
  /// for `src/list.h`.
  static std::string TableOf(const std::string& list) {
    const std::size_t name = list.rfind('/') + 1;  // 0 if the path has no folder
    const std::size_t dot = list.rfind('.');
    return list.substr(0, dot == std::string::npos || dot <= name ? list.size() : dot) +
           ".revctl.h";
  }
  static std::string About(const YAML::Node& node) {
    return node["about"] ? Scalar(node["about"], "about") : "";
  }

  static std::string Name(const YAML::Node& node, std::string_view what) {
    if (!node["name"]) Refuse(node, std::string(what) + " without a name", "name: ...");
    const std::string name = Scalar(node["name"], "name");
    if (!IsUsableName(name))
      Refuse(node["name"], fmt::format("{} cannot be the name of {}", Quoted(name), what),
             "choose a C++ name that is not a keyword, a macro, or one of the reserved names `d`, "
             "`r`, `t` and `old`");
    return name;
  }
  /// Reads a new name at namespace level. A struct `Song` also reserves the names SongV1 and so on.
  /// If it is the root of a file format, it also reserves SaveSong and so on.
  std::string TopName(const YAML::Node& node, std::string_view what) {
    std::string name = Name(node, what);
    if (IsTakenAtTop(name))
      Refuse(node["name"], Quoted(name) + " is reserved for generated code", "choose another name");
    if (!top_.insert(name).second)
      Refuse(node["name"], Quoted(name) + " is defined twice", "rename one of them");
    return name;
  }
  static std::string Revision(const YAML::Node& node, std::string_view what) {
    const std::string name = Scalar(node, what);
    for (std::size_t at = 0; at <= name.size();) {
      const std::size_t end = std::min(name.find("::", at), name.size());
      if (!IsUsableName(std::string_view(name).substr(at, end - at)))
        Refuse(node, Quoted(name) + " is not a revision",
               std::string(what) + ": NAME, as in the list");
      at = end + 2;
    }
    return name;
  }

  void ReadEnum(const YAML::Node& node) {
    CheckKeys(node, "an enum", "enums");
    Enum out;
    out.place = PlaceOf(node.Mark());
    out.name = TopName(node, "an enum");
    out.about = About(node);
    if (!node["type"])
      Refuse(node,
             fmt::format("enum {} has no type, so the compiler would choose its size on disk",
                         out.name),
             "type: uint8_t");
    out.type = Scalar(node["type"], "type");
    if (!IsInteger(out.type))
      Refuse(node["type"], Quoted(out.type) + " cannot be the type of an enum",
             "type: uint8_t, or another fixed-width integer");
    std::set<std::string> names;
    std::set<Integer> numbers;
    std::optional<Integer> next = Integer();
    for (const auto& each : Sequence(node, "values")) {
      Enumerator value;
      value.place = PlaceOf(each.Mark());
      YAML::Node number = each;  // the node with the number, or the whole item if there is none
      if (each.IsMap()) {
        CheckKeys(each, "an enumerator", "values");
        value.name = Name(each, "an enumerator");
        if (each["value"]) {
          number.reset(each["value"]);
          next = Number(number, out.type);
        }
      } else {
        value.name = Scalar(each, "an enumerator");
        if (!IsUsableName(value.name)) {
          Refuse(each, Quoted(value.name) + " cannot be the name of an enumerator",
                 "choose a C++ name that is not a keyword or macro");
        }
      }
      if (!names.insert(value.name).second)
        Refuse(each, Quoted(value.name) + " occurs twice", "remove one of them");
      if (!next || !next->Fits(out.type))
        RefuseNumber(number, next ? next->Text() : "18446744073709551616", out.type);
      value.value = *next;
      if (!numbers.insert(value.value).second) {
        Refuse(each, fmt::format("the value {} occurs twice", value.value.Text()),
               "choose another value");
      }
      next = value.value.Next();
      out.values.push_back(std::move(value));
    }
    if (out.values.empty())
      Refuse(node, fmt::format("enum {} has no values", out.name), "values: [One, Two]");
    out_.enums.push_back(std::move(out));
  }

  static Integer Number(const YAML::Node& node, const std::string& type) {
    const std::string text = Scalar(node, "value");
    if (const auto number = Integer::Parse(text)) return *number;
    const std::size_t digits = text.starts_with('-') ? 1 : 0;
    const bool is_number = base::IsNumber(std::string_view(text).substr(digits));
    if (is_number) RefuseNumber(node, text, type);
    Refuse(node, fmt::format("{} is not a value of type {}", Quoted(text), type), "value: 3");
  }
  [[noreturn]] static void RefuseNumber(const YAML::Node& node, const std::string& text,
                                        const std::string& type) {
    Refuse(node, fmt::format("{} does not fit in {}", text, type),
           fmt::format(
               "choose a value that fits in {}, or, if no file contains the enum yet, a wider type",
               type));
  }

  void ReadStruct(const YAML::Node& node) {
    CheckKeys(node, "a struct", "structs");
    Struct out;
    out.place = PlaceOf(node.Mark());
    out.name = TopName(node, "a struct");
    out.about = About(node);
    std::set<std::string> since;
    for (const auto& each : Sequence(node, "versions")) {
      CheckKeys(each, "a version", "versions");
      Version version;
      if (!each["since"])
        Refuse(each, fmt::format("a version of {} has no `since`", out.name), "since: NAME");
      version.since_place = PlaceIn(each["since"], 0);
      version.since = Revision(each["since"], "since");
      if (!since.insert(version.since).second)
        Refuse(each["since"],
               fmt::format("{} has two versions that both start at {}", out.name, version.since),
               "revctl reserve NAME   # for the newer version");
      std::set<std::string> names;
      for (const auto& field : Sequence(each, "fields")) {
        version.fields.push_back(ReadField(field, out.versions.empty()));
        if (!names.insert(version.fields.back().name).second)
          Refuse(field, Quoted(version.fields.back().name) + " occurs twice", "rename one of them");
      }
      if (!out.versions.empty()) CheckChanges(out.versions.back(), version);
      if (version.fields.empty())
        Refuse(each, fmt::format("a version of {} has no fields", out.name),
               "fields: [{name: x, type: float}]");
      out.versions.push_back(std::move(version));
    }
    if (out.versions.empty())
      Refuse(node, fmt::format("struct {} has no version", out.name),
             "versions: [{since: NAME, fields: [...]}]");
    for (std::size_t i = 1; i < out.versions.size(); ++i) {
      if (!top_.insert(fmt::format("{}V{}", out.name, i)).second)
        Refuse(node["name"],
               fmt::format("{} is already the name of version {} of {}",
                           Quoted(fmt::format("{}V{}", out.name, i)), i, out.name),
               "rename the other definition");
    }
    for (const Version& version : out.versions) {
      for (const Field& field : version.fields) {
        // A removed field becomes a local variable of the body, so it would hide the struct of that
        // version.
        if (top_.contains(field.name))
          throw Bad{field.place,
                    fmt::format("{} is the name of a version of {}", Quoted(field.name), out.name),
                    "choose another name for the field"};
      }
    }
    out_.structs.push_back(std::move(out));
  }

  /// Requires a conversion if a field changes its type, unless the new type can hold every old
  /// value, because C++ would silently truncate values that do not fit.
  static void CheckChanges(const Version& before, const Version& version) {
    for (const Field& field : version.fields) {
      if (field.from) continue;
      const auto old = std::find_if(before.fields.begin(), before.fields.end(),
                                    [&](const Field& each) { return each.name == field.name; });
      if (old == before.fields.end() || Widens(old->type, field.type)) continue;
      throw Bad{field.type_place,
                fmt::format("{} changes from {} to {}, which cannot hold all old values",
                            field.name, TypeText(old->type), TypeText(field.type)),
                "add `from:` with a C++ expression that uses old." + field.name};
    }
  }

  static std::optional<Code> Expression(const YAML::Node& field, const char* key) {
    if (!field[key]) return std::nullopt;
    Code code{Scalar(field[key], key), PlaceIn(field[key], 0)};
    if (const auto error = WrongWithExpression(code.text)) {
      throw Bad{PlaceIn(field[key], error->offset),
                fmt::format("{} {}: {}", key, Quoted(code.text), error->message), error->fix};
    }
    return code;
  }

  Field ReadField(const YAML::Node& node, bool first) {
    CheckKeys(node, "a field", "fields");
    Field out;
    out.place = PlaceOf(node.Mark());
    out.name = Name(node, "a field");
    out.about = About(node);
    if (!node["type"]) Refuse(node, fmt::format("field {} has no type", out.name), "type: float");
    const std::string text = Scalar(node["type"], "type");
    out.type_place = PlaceIn(node["type"], 0);
    if (top_.contains(out.name))
      Refuse(node["name"], Quoted(out.name) + " is the name of a type",
             "choose another name for the field");
    // A removed field becomes a local variable of the body, so it would hide Newest().
    if (out.name == "Newest")
      Refuse(node["name"], "'Newest' is reserved for generated code",
             "choose another name for the field");
    const auto known = [this](std::string_view name) {
      return out_.FindEnum(name) != nullptr || out_.FindStruct(name) != nullptr;
    };
    if (const auto error = ParseType(text, known, out.type)) {
      throw Bad{PlaceIn(node["type"], error->offset),
                fmt::format("type {}: {}", Quoted(text), error->message),
                "bool, int32_t, float, string, vector<T>, array<T, 4>, optional<T>, map<K, V>, or "
                "a type defined above"};
    }
    out.fallback = Expression(node, "default");
    out.from = Expression(node, "from");
    if (first && out.from)
      Refuse(node["from"], "the first version of a struct has no previous version to convert from",
             "default: " + out.from->text);
    out.older = Expression(node, "older");
    const YAML::Node tags = node["tags"];
    if (tags && !tags.IsMap())
      Refuse(tags, "tags must be key-value pairs", "tags: {NO_PRINT: \"\", RANGE: \"0, 3\"}");
    for (const auto& tag : tags) {
      const std::string name = Scalar(tag.first, "a tag");
      if (!IsUsableName(name))
        Refuse(tag.first, Quoted(name) + " cannot be the name of a tag", "RANGE: \"0, 3\"");
      if (std::any_of(out.tags.begin(), out.tags.end(),
                      [&](const Tag& other) { return other.name == name; })) {
        Refuse(tag.first, fmt::format("tag {} occurs twice", Quoted(name)), "remove one of them");
      }
      out.tags.push_back(
          {name, tag.second.IsNull() ? "" : Scalar(tag.second, "the text of a tag")});
    }
    return out;
  }

  void ReadFile(const YAML::Node& node) {
    CheckKeys(node, "a file", "files");
    File out;
    if (!node["type"]) Refuse(node, "this file has no type", "type: ...");
    out.type = Scalar(node["type"], "type");
    std::vector<std::string> makes = {"Save" + out.type, "Load" + out.type, out.type + "Format",
                                      out.type + "ToJson", out.type + "FromJson"};
    if (node["without_header"])
      makes.insert(makes.end(), {out.type + "HasHeader", out.type + "Files"});
    for (const std::string& made : makes) {
      if (!top_.insert(made).second)
        Refuse(node["type"], Quoted(made) + " would be defined twice",
               "list each struct only once in `files`, and do not use that name for a type");
    }
    if (out_.FindStruct(out.type) == nullptr)
      Refuse(node["type"], "there is no struct named " + Quoted(out.type),
             "use the name of a struct that is defined above");
    out.magic = node["magic"] ? Scalar(node["magic"], "magic") : "RVCT";
    if (out.magic.size() != 4)
      Refuse(node["magic"],
             fmt::format("a magic must have four characters, but {} has {}", Quoted(out.magic),
                         out.magic.size()),
             "magic: SONG");
    if (node["without_header"]) {
      out.without_header_place = PlaceIn(node["without_header"], 0);
      out.without_header = Revision(node["without_header"], "without_header");
      if (const auto why = MayBeginWithMagic(*out_.FindStruct(out.type), out))
        Refuse(
            node["without_header"], *why,
            "make the first field one that cannot look like the magic, such as a string, or remove "
            "`without_header`");
    }
    out_.files.push_back(std::move(out));
  }

  /// Returns why a file without a header could begin with the magic, or nullopt if no such file
  /// can. Checks the struct's version for the revision `without_header` or, if there is none, all
  /// versions.
  std::optional<std::string> MayBeginWithMagic(const Struct& of, const File& file) const {
    const auto own = std::find_if(of.versions.begin(), of.versions.end(), [&](const Version& each) {
      return each.since == file.without_header;
    });
    if (own != of.versions.end()) return MayBeginWithMagic(*own, file);
    for (const Version& each : of.versions) {
      if (auto why = MayBeginWithMagic(each, file)) return why;
    }
    return std::nullopt;
  }
  std::optional<std::string> MayBeginWithMagic(const Version& version, const File& file) const {
    const Type* type = &version.fields.front().type;
    while (type->name == "array") type = &type->args.front();
    const auto first = static_cast<unsigned char>(file.magic.front());
    if (type->name == "string" || type->name == "vector" || type->name == "map")
      // A file of this struct begins with a count, and the magic read as a count would exceed 2^24.
      return std::nullopt;
    if ((type->name == "bool" || type->name == "optional") && first > 1) return std::nullopt;
    if (const Struct* inner = out_.FindStruct(type->name)) return MayBeginWithMagic(*inner, file);
    // This includes enums, because a file may contain any value of the underlying type, such as
    // combined flags.
    const bool is_enum = out_.FindEnum(type->name) != nullptr;
    return fmt::format(
        "files without a header could begin with {}: the first field, {}, has type {}, which "
        "allows any value{}",
        Quoted(file.magic), version.fields.front().name, type->name,
        is_enum ? ", even one that is not an enumerator" : "");
  }

  /// Checks that no type or removed field (a local variable of the body) hides a revision that the
  /// bodies use.
  void CheckNothingHidesARevision() const {
    std::set<std::string, std::less<>> revisions;
    for (const Struct& each : out_.structs) {
      for (const Version& version : each.versions)
        revisions.insert(version.since.substr(version.since.rfind(':') + 1));
    }
    const auto check = [&revisions](const std::string& name, const Position& place,
                                    const std::string& what) {
      if (revisions.contains(name))
        throw Bad{place, Quoted(name) + " is a revision", "choose another name for the " + what};
    };
    for (const Enum& each : out_.enums) check(each.name, each.place, "enum");
    for (const Struct& each : out_.structs) {
      check(each.name, each.place, "struct");
      for (const Version& version : each.versions) {
        for (const Field& field : version.fields) {
          check(field.name, field.place, "field");
        }
      }
    }
  }

  Definition out_;
  std::set<std::string> top_;
};

Error At(std::string_view path, const Position& place, const std::string& message,
         std::string fix) {
  return {Exit::Usage, fmt::format("{}: {}", TextOf(path, place), message), std::move(fix)};
}

}  // namespace

std::string TextOf(std::string_view path, const Position& place) {
  return fmt::format("{}:{}:{}", path, place.line, place.column);
}
const Struct* Definition::FindStruct(std::string_view name) const {
  const auto found =
      std::find_if(structs.begin(), structs.end(), [&](const Struct& s) { return s.name == name; });
  return found == structs.end() ? nullptr : &*found;
}
const Enum* Definition::FindEnum(std::string_view name) const {
  const auto found =
      std::find_if(enums.begin(), enums.end(), [&](const Enum& e) { return e.name == name; });
  return found == enums.end() ? nullptr : &*found;
}

Result<Definition> ReadDefinition(std::string_view text, std::string_view path) {
  try {
    if (const auto bad = WrongWithText(text)) return At(path, bad->place, bad->message, bad->fix);
    return ReadOne().Run(YAML::Load(std::string(text)));
  } catch (const Bad& bad) {
    return At(path, bad.place, bad.message, bad.fix);
  } catch (const config::BadYaml& bad) {
    return At(path, {bad.line, bad.column}, bad.message, bad.fix);
  } catch (const YAML::Exception& bad) {
    return At(path, PlaceOf(bad.mark), "is not YAML: " + bad.msg,
              "`key: value`, indented with spaces");
  } catch (const std::exception& bad) {
    return At(path, {1, 1}, bad.what(), std::string(kPage));
  }
}

}  // namespace revctl::generate
