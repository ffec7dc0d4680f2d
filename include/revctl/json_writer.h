#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <revctl/detail/types/leaf_text.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/macros.h>

namespace revctl {

/// Writes an object as JSON text for people and tools. JsonReader restores the object from it
/// exactly.
///
///   records        {"hp": 5, "name": "Zoe"}; a visit without a name is "#0", "#1"...
///   integers       digits, even for 64-bit integers
///   floats         the shortest text that reads back the same; "NaN", "-Infinity"
///   enums          the enumerator's name, or its number if it has none
///   strings        text; bytes that are not UTF-8 as "\u0000hex:c328"
///   optional, unique_ptr   null or the value; [value] if the value itself could be null
///   variant        {"index": 1, "type": "Light", "value": ...}
///   map            an object if keys are strings, integers, enums or bools;
///                  else [[key, value], ...]
///   set, vector, array, pair, tuple    [...]
///   bitset         "0110", the highest bit first
class JsonWriter : public AnyArchive {
 public:
  /// Writes the fields that are live at revision `at`. If `indent` is 0, the text is a single line.
  explicit JsonWriter(Revision at, int indent = 2)
      : AnyArchive(/*reading=*/false), indent_(indent) {
    revision = at;
  }

  /// Returns the text written so far. It is complete once the outermost Serialize() has returned.
  const std::string& Text() const { return text_; }

  void BeginRecord(const TypeInfo&, void*) override { Open('{', false); }
  void EndRecord(const TypeInfo&, void*) override { Close('}'); }

  void Field(const FieldVisit& field) override {
    if (!field.live || !field.condition) return;
    Level& level = levels_.back();
    Separate();
    std::string name = field.site.name;
    if (name.empty()) name = "#" + std::to_string(level.unnamed++);
    text_ += detail::JsonString(name) + ": ";
    VisitField(field);
  }

  void Scalar(const TypeInfo& type, void* value) override {
    std::string text = LeafText(type, value);
    const bool quoted = NeedsQuotes(type, text);
    if (key_) {
      Value(quoted || text[0] == '"' ? detail::JsonString(text) : '"' + text + '"');
    } else {
      Value(quoted ? detail::JsonString(text) : text);
    }
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override { Value(BytesText(type, bytes)); }

  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    switch (type.kind) {
      case Kind::Optional:
      case Kind::Pointer:
        if (count == 0) {
          Value("null");
        } else if (MayBeNull(type.part(0))) {
          Open('[', true);
        }
        break;
      case Kind::Variant:
        if (count >= type.count) {
          FailHere("the variant has no value");
          return count;
        }
        Open('{', false);
        Separate();
        text_ += "\"index\": " + std::to_string(count);
        Separate();
        text_ += "\"type\": " + detail::JsonString(type.part(count).name());
        break;
      case Kind::Map:
        Open(IsTextKey(type.part(0)) ? '{' : '[', false);
        break;
      case Kind::Tuple:
        Open('[', true);
        break;
      default:
        Open('[', type.parts == 0 || IsLeaf(type.part(0)));
        break;
    }
    containers_.push_back({&type, count});
    return count;
  }

  void BeginElement(const TypeInfo&, std::size_t, bool is_key) override {
    const TypeInfo& type = *containers_.back().type;
    switch (type.kind) {
      case Kind::Optional:
      case Kind::Pointer:
        if (MayBeNull(type.part(0))) Separate();
        break;
      case Kind::Variant:
        Separate();
        text_ += "\"value\": ";
        break;
      case Kind::Map:
        if (IsTextKey(type.part(0))) {
          if (is_key) {
            Separate();
            key_ = true;
          } else {
            text_ += ": ";
          }
        } else if (is_key) {
          Separate();
          Open('[', true);
          Separate();
        } else {
          Separate();
        }
        break;
      default:
        Separate();
    }
    elements_.push_back(is_key);
  }

  void EndElement() override {
    const bool is_key = elements_.back();
    elements_.pop_back();
    const TypeInfo& type = *containers_.back().type;
    key_ = false;
    if (type.kind == Kind::Map && !is_key && !IsTextKey(type.part(0))) Close(']');
  }

  void EndContainer(const TypeInfo& type) override {
    if (containers_.empty()) return;
    const std::size_t count = containers_.back().count;
    containers_.pop_back();
    switch (type.kind) {
      case Kind::Optional:
      case Kind::Pointer:
        if (count != 0 && MayBeNull(type.part(0))) Close(']');
        break;
      case Kind::Variant:
        Close('}');
        break;
      case Kind::Map:
        Close(IsTextKey(type.part(0)) ? '}' : ']');
        break;
      default:
        Close(']');
    }
  }

  void Integrity(const FieldVisit&) override {}

  /// True if map keys of this type become member names of a JSON object.
  static bool IsTextKey(const TypeInfo& key) {
    return key.kind == Kind::String || key.kind == Kind::Enum || key.kind < Kind::F32;
  }
  /// True if the JSON of a value of this type may be `null`.
  static bool MayBeNull(const TypeInfo& type) {
    return type.kind == Kind::Optional || type.kind == Kind::Pointer;
  }

 private:
  struct Level {
    bool flat;  ///< true if the container is on one line
    bool empty = true;
    std::size_t unnamed = 0;
  };
  struct Container {
    const TypeInfo* type;
    std::size_t count;
  };

  static bool IsLeaf(const TypeInfo& type) {
    return type.kind <= Kind::String || type.kind == Kind::Bitset;
  }
  static bool NeedsQuotes(const TypeInfo& type, const std::string& text) {
    if (type.kind == Kind::F32 || type.kind == Kind::F64)
      return text.find_first_of("NI") != std::string::npos;
    const char c = text[0];
    return type.kind == Kind::Enum && c != '-' && !(c >= '0' && c <= '9');
  }

  void Value(const std::string& text) { text_ += text; }
  void Open(char bracket, bool flat) {
    text_ += bracket;
    levels_.push_back({flat || (!levels_.empty() && levels_.back().flat)});
  }
  void Separate() {
    Level& level = levels_.back();
    if (!level.empty) text_ += level.flat || indent_ == 0 ? ", " : ",";
    level.empty = false;
    if (!level.flat) NewLine(levels_.size());
  }
  void Close(char bracket) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty && !level.flat) NewLine(levels_.size());
    text_ += bracket;
  }
  void NewLine(std::size_t depth) {
    if (indent_ == 0) return;
    text_ += '\n';
    text_.append(depth * static_cast<std::size_t>(indent_), ' ');
  }

  int indent_;
  std::string text_;
  std::vector<Level> levels_;
  std::vector<Container> containers_;
  std::vector<bool> elements_;
  bool key_ = false;
};

/// Returns an object as JSON at a revision, or "" if it cannot be written, for example because a
/// body rejects it.
template <class T>
std::string ToJson(const T& value, Revision at, int indent = 2) {
  JsonWriter writer(at, indent);
  Serialize(writer, value);
  return writer.Ok() ? writer.Text() : std::string();
}

}  // namespace revctl
