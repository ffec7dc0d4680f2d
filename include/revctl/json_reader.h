#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/base/parse_number.h>
#include <revctl/detail/base/status.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/json_tree.h>
#include <revctl/detail/visit/macros.h>
#include <revctl/json_writer.h>
#include <revctl/trace.h>

namespace revctl {

/// Reads the JSON that JsonWriter writes. Every value is restored exactly, including 64-bit
/// integers, NaNs and strings that are not UTF-8.
///
///   revctl::JsonReader json(text, SR_LATEST);
///   Serialize(json, score);
///   if (!json.Ok()) Show(json.error());
///
/// The text may be edited by hand. Members may appear in any order, a missing member leaves the
/// object's value unchanged, and an enum may be a name or a number. A member that no body visits is
/// an error, so that misspelled names are not ignored.
///
/// Any text yields either a value or an error with path and offset. An error leaves the object
/// partly read, so read into a fresh one. Set `limits` before reading. The depth limit applies to
/// nested containers and pointers, as for binary data. The budget applies separately to the parsed
/// text and to the value.
class JsonReader : public AnyArchive {
 public:
  /// Reads the fields that are live at revision `at`. `text` must outlive the archive.
  JsonReader(std::string_view text, Revision at) : AnyArchive(/*reading=*/true), text_(text) {
    revision = at;
  }

  /// The first error; its path is empty while Ok().
  ArchiveError error() const { return {error_path(), error_offset_, error_reason(), refused()}; }

  void BeginRecord(const TypeInfo&, void*) override {
    if (!Expect(JsonNode::Object, "an object")) return;
    open_.push_back({node_, node_->first, 0});
  }
  void EndRecord(const TypeInfo&, void*) override {
    if (!Ok()) return;
    const Open open = open_.back();
    open_.pop_back();
    for (JsonNode* child = tree_.At(open.node->first); child != nullptr;
         child = tree_.At(child->next)) {
      if (!child->used) return FailUnknown(*child);
    }
  }

  void Field(const FieldVisit& field) override {
    if (!field.live || !field.condition || !Ok()) return;
    Open& open = open_.back();
    std::string name = field.site.name;
    if (name.empty()) name = "#" + std::to_string(open.unnamed++);
    JsonNode* child = Find(open, name);
    if (child == nullptr) return;
    child->used = true;
    node_ = child;
    VisitField(field);
  }

  bool PayFor(std::size_t count, std::size_t size) override {
    if (!Ok()) return false;
    if (budget_left_ == kUnset) budget_left_ = Budget();
    if (size != 0 && count > budget_left_ / size) {
      FailAt(*node_, "needs more memory than the reader's budget allows");
      return false;
    }
    budget_left_ -= size * count;
    return true;
  }

  void Scalar(const TypeInfo& type, void* value) override {
    if (!Ok()) return;
    if (!Tree()) return;
    std::string text;
    bool quoted = false;
    switch (is_key_ ? JsonNode::String : node_->type) {
      case JsonNode::String:
        text = JsonTree::Unescape(is_key_ ? node_->key : node_->text);
        quoted = true;
        break;
      case JsonNode::Number:
        text = node_->text;
        break;
      case JsonNode::True:
        text = "true";
        break;
      case JsonNode::False:
        text = "false";
        break;
      default:
        return FailAt(*node_, "expected " + type.name());
    }
    if (!Assign(type, value, text, quoted))
      FailAt(*node_, Quoted(text) + " is not a valid " + type.name());
  }

  void Bytes(const TypeInfo& type, std::string& bytes) override {
    if (!Ok() || !Tree()) return;
    if (!is_key_ && !Expect(JsonNode::String, "a string")) return;
    std::string text = JsonTree::Unescape(is_key_ ? node_->key : node_->text);
    if (type.kind == Kind::Bitset) {
      if (!ReadBits(type, text, bytes))
        FailAt(*node_, "expected a string of " + std::to_string(type.count) + " bits");
    } else if (text.empty() || text[0] != '\0') {
      bytes = std::move(text);
    } else if (!ReadHex(text, bytes)) {
      FailAt(*node_,
             "a string that begins with \\u0000 must continue with `hex:` and pairs of hex digits");
    }
  }

  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    if (!Ok() || !Tree()) return 0;
    std::size_t found = 0;
    JsonNode* const node = node_;
    switch (type.kind) {
      case Kind::Optional:
      case Kind::Pointer:
        if (node->type != JsonNode::Null) {
          found = 1;
          if (JsonWriter::MayBeNull(type.part(0)) && !ExpectArray(1)) return 0;
        }
        break;
      case Kind::Variant:
        if (!Expect(JsonNode::Object, "an object with index and value")) return 0;
        found = Alternative(type, *node);
        break;
      case Kind::Array:
      case Kind::Tuple:
        if (!ExpectArray(count)) return 0;
        found = count;
        break;
      case Kind::Map:
        if (JsonWriter::IsTextKey(type.part(0))
                ? !Expect(JsonNode::Object, "an object")
                : !Expect(JsonNode::Array, "an array of [key, value]")) {
          return 0;
        }
        found = node->count;
        break;
      default:
        if (!Expect(JsonNode::Array, "an array")) return 0;
        found = node->count;
    }
    // For variants `found` is an index, not the number of elements.
    if (!Ok() || (type.kind != Kind::Variant && !PayFor(found, type.cost))) return 0;
    containers_.push_back(
        {&type, node,
         type.kind == Kind::Variant ? tree_.IndexOf(*Member(*node, "value")) : node->first});
    return found;
  }

  void BeginElement(const TypeInfo&, std::size_t, bool is_key) override {
    if (!Ok()) return;
    Container& container = containers_.back();
    const TypeInfo& type = *container.type;
    is_key_ = false;
    switch (type.kind) {
      case Kind::Optional:
      case Kind::Pointer:
        node_ = JsonWriter::MayBeNull(type.part(0)) ? tree_.At(container.next) : container.node;
        break;
      case Kind::Variant:
        node_ = tree_.At(container.next);
        break;
      case Kind::Map:
        MapPart(container, is_key);
        break;
      default:
        node_ = tree_.At(container.next);
        container.next = node_->next;
    }
  }
  void EndElement() override { is_key_ = false; }
  void EndContainer(const TypeInfo&) override {
    if (Ok()) containers_.pop_back();
  }
  void Integrity(const FieldVisit&) override {}

 protected:
  void OnError() override {
    if (tree_.Ok() && node_ != nullptr) error_offset_ = node_->offset;
  }

 private:
  struct Open {
    JsonNode* node;
    /// where to start searching for the next member, because members are usually in visit order
    std::uint32_t next;
    std::size_t unnamed;
  };
  struct Container {
    const TypeInfo* type;
    JsonNode* node;
    std::uint32_t next;
  };

  static std::string Quoted(std::string_view text) {
    return "\"" + std::string(text.substr(0, 80)) + "\"";
  }
  void FailAt(const JsonNode& node, const std::string& reason) {
    if (!Ok()) return;
    FailHere(reason + " (" + JsonTree::Place(text_, node.offset) + ")");
    error_offset_ = node.offset;
  }
  void FailUnknown(const JsonNode& member) {
    FailAt(member, "unknown member " + Quoted(member.key));
  }
  std::size_t Budget() const {
    return limits.budget != 0 ? limits.budget : Limits::DefaultBudget(text_.size());
  }
  /// Parses the text on first use, when the limits are known. Reports an error and returns false if
  /// the text is not JSON.
  bool Tree() {
    if (tree_.Ok()) return true;
    tree_ = JsonTree(text_, Budget());
    if (tree_.Ok()) {
      node_ = &tree_.root();
      return true;
    }
    error_offset_ = tree_.offset();
    FailHere(tree_.reason() + " (" + JsonTree::Place(text_, tree_.offset()) + ")");
    return false;
  }
  bool Expect(JsonNode::Type type, const char* what) {
    if (!Ok() || !Tree()) return false;
    if (node_->type == type) return true;
    FailAt(*node_, std::string("expected ") + what);
    return false;
  }
  bool ExpectArray(std::size_t count) {
    if (!Expect(JsonNode::Array, "an array")) return false;
    if (node_->count == count) return true;
    FailAt(*node_,
           "expected " + std::to_string(count) + " elements, not " + std::to_string(node_->count));
    return false;
  }
  JsonNode* Find(Open& open, std::string_view name) {
    JsonNode* found = Scan(open.next, JsonNode::kNone, name);
    if (found == nullptr) found = Scan(open.node->first, open.next, name);
    if (found != nullptr) open.next = found->next;
    return found;
  }
  JsonNode* Scan(std::uint32_t from, std::uint32_t until, std::string_view name) {
    for (std::uint32_t i = from; i != until && i != JsonNode::kNone; i = tree_.At(i)->next) {
      JsonNode* child = tree_.At(i);
      if (!child->used && (child->key == name || JsonTree::Unescape(child->key) == name))
        return child;
    }
    return nullptr;
  }
  JsonNode* Member(const JsonNode& object, std::string_view name) {
    return Scan(object.first, JsonNode::kNone, name);
  }

  std::size_t Alternative(const TypeInfo& type, const JsonNode& node) {
    JsonNode* index = Member(node, "index");
    std::uint32_t number = 0;
    if (index == nullptr || index->type != JsonNode::Number ||
        !detail::ParseNumber(index->text, number) || number >= type.count) {
      FailAt(node, "a variant needs an \"index\" below " + std::to_string(type.count));
      return 0;
    }
    JsonNode* value = Member(node, "value");
    if (value == nullptr) {
      FailAt(node, "a variant needs a \"value\"");
      return 0;
    }
    JsonNode* name = Member(node, "type");  // for human readers only; reading uses the index
    for (JsonNode* child = tree_.At(node.first); child != nullptr && Ok();
         child = tree_.At(child->next)) {
      if (child != index && child != value && child != name) FailUnknown(*child);
    }
    return number;
  }
  void MapPart(Container& container, bool is_key) {
    JsonNode* entry = tree_.At(container.next);
    if (JsonWriter::IsTextKey(container.type->part(0))) {
      node_ = entry;
      is_key_ = is_key;
    } else {
      if (is_key && (entry->type != JsonNode::Array || entry->count != 2)) {
        return FailAt(*entry, "an entry of a map must be [key, value]");
      }
      JsonNode* key = tree_.At(entry->first);
      node_ = is_key ? key : tree_.At(key->next);
    }
    if (!is_key) container.next = entry->next;
  }

  template <class N>
  static bool Store(std::string_view text, void* value) {
    N number{};
    if (!detail::ParseNumber(text, number)) return false;
    std::memcpy(value, &number, sizeof number);
    return true;
  }
  static bool StoreInteger(Kind kind, std::string_view text, void* value) {
    switch (kind) {
      case Kind::I8:
        return Store<std::int8_t>(text, value);
      case Kind::I16:
        return Store<std::int16_t>(text, value);
      case Kind::I32:
        return Store<std::int32_t>(text, value);
      case Kind::I64:
        return Store<std::int64_t>(text, value);
      case Kind::U8:
        return Store<std::uint8_t>(text, value);
      case Kind::U16:
        return Store<std::uint16_t>(text, value);
      case Kind::U32:
        return Store<std::uint32_t>(text, value);
      case Kind::U64:
        return Store<std::uint64_t>(text, value);
      default: {
        if (text != "true" && text != "false") return false;
        const std::uint8_t byte = text == "true";
        std::memcpy(value, &byte, 1);
        return true;
      }
    }
  }
  template <class F, class Bits>
  static bool StoreFloat(std::string_view text, bool quoted, void* value, Bits quiet) {
    F number{};
    if (text == "NaN") {
      std::memcpy(value, &quiet, sizeof quiet);
      return true;
    }
    if (text == "Infinity" || text == "-Infinity") {
      number =
          text[0] == '-' ? -std::numeric_limits<F>::infinity() : std::numeric_limits<F>::infinity();
      std::memcpy(value, &number, sizeof number);
      return true;
    }
    if (text.substr(0, 4) == "NaN:") {
      Bits bits{};
      const auto result = std::from_chars(text.data() + 4, text.data() + text.size(), bits, 16);
      if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return false;
      std::memcpy(&number, &bits, sizeof number);
      if (number == number) return false;  // ordinary numbers must not use this form
      std::memcpy(value, &bits, sizeof bits);
      return true;
    }
    return !quoted && Store<F>(text, value);
  }
  bool Assign(const TypeInfo& type, void* value, std::string_view text, bool quoted) const {
    switch (type.kind) {
      case Kind::F32:
        return StoreFloat<float>(text, quoted, value, std::uint32_t{0x7fc00000});
      case Kind::F64:
        return StoreFloat<double>(text, quoted, value, std::uint64_t{0x7ff8000000000000});
      case Kind::Enum:
        for (const Enumerator* e = type.enumerators(); quoted && e->name != nullptr; ++e) {
          if (text != e->name) continue;
          detail::CopyLowBytes(value, e->value, detail::ScalarSize(type.underlying));
          return true;
        }
        // Enum values without a name are written as numbers, even if the underlying type is bool.
        if (type.underlying == Kind::Bool) text = text == "1" ? "true" : text == "0" ? "false" : "";
        return (is_key_ || !quoted) && StoreInteger(type.underlying, text, value);
      default:
        return (is_key_ || !quoted) && StoreInteger(type.kind, text, value);
    }
  }

  static bool ReadBits(const TypeInfo& type, std::string_view text, std::string& bytes) {
    if (text.size() != type.count) return false;
    bytes.assign(bytes.size(), '\0');
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t bit = text.size() - 1 - i;
      if (text[i] != '0' && text[i] != '1') return false;
      if (text[i] == '1')
        bytes[bit / 8] =
            static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) | (1u << (bit % 8)));
    }
    return true;
  }
  static bool ReadHex(std::string_view text, std::string& bytes) {
    constexpr std::string_view mark("\0hex:", 5);
    if (text.substr(0, mark.size()) != mark || text.size() % 2 != mark.size() % 2) return false;
    bytes.clear();
    for (std::size_t i = mark.size(); i < text.size(); i += 2) {
      std::uint8_t byte = 0;
      if (std::from_chars(text.data() + i, text.data() + i + 2, byte, 16).ptr !=
          text.data() + i + 2)
        return false;
      bytes += static_cast<char>(byte);
    }
    return true;
  }

  static constexpr std::size_t kUnset = static_cast<std::size_t>(-1);
  std::string_view text_;
  JsonTree tree_;
  JsonNode* node_ = nullptr;  ///< the value to read next
  /// True while the name of `node_` is read as a map key, instead of its value.
  bool is_key_ = false;
  std::vector<Open> open_;
  std::vector<Container> containers_;
  std::size_t error_offset_ = 0;
  std::size_t budget_left_ = kUnset;
};

}  // namespace revctl
