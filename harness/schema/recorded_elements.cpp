#include "harness/schema/recorded_elements.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <revctl/detail/types/aligned.h>
#include <revctl/detail/types/leaf_text.h>
#include <revctl/list_table.h>
#include <revctl/trace.h>

#include "golden/revision_record.h"
#include "harness/schema/condition.h"
#include "harness/schema/expression.h"
#include "harness/schema/operands.h"
#include "harness/schema/schema.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

constexpr int kDeepestValue = 256;
constexpr std::string_view kAnyClass = "polymorphic<", kAligned = "aligned<";

/// Adds a record without fields for each `polymorphic<Base>` in the layouts, so that ParseWire
/// accepts wire types that contain it.
void AddAnyClasses(Schema& schema) {
  // In a hostile record, these types may contain each other, so they would be copied many times.
  constexpr std::size_t kLongestName = 1024;
  std::set<std::string> names;
  for (const auto& [unused, type] : schema.types) {
    for (const revctl::LayoutField& field : type.layout.fields) {
      for (std::size_t at = field.type.find(kAnyClass); at != std::string::npos;
           at = field.type.find(kAnyClass, at + 1)) {
        int open = 0;
        std::size_t end = at;
        do {
          if (field.type[end] == '<') ++open;
          if (field.type[end] == '>') --open;
          ++end;
        } while (end < field.type.size() && (open > 0 || end < at + kAnyClass.size()));
        if (end - at <= kLongestName) names.insert(field.type.substr(at, end - at));
      }
    }
  }
  for (const std::string& name : names) schema.types.try_emplace(name);
}

/// Removes the alignment from a type such as `aligned<8,vector<u8>>` and returns it. Returns 0 if
/// the type is not aligned.
std::size_t TakeAlignment(std::string& wire) {
  if (!wire.starts_with(kAligned) || !wire.ends_with('>')) return 0;
  std::size_t alignment = 0;
  const char* const end = wire.data() + wire.size();
  const auto [comma, error] = std::from_chars(wire.data() + kAligned.size(), end, alignment);
  if (error != std::errc{} || comma == end || *comma != ',' || alignment == 0) return 0;
  wire = std::string(comma + 1, end - 1);
  return alignment;
}

/// Reads a number of the given wire type, for use in conditions.
ReadValue NumberAt(const std::string& type, const std::byte* at) {
  ReadValue value;
  // A hostile record may contain any text as the underlying type of an enum.
  if (type == "f32" || type == "f64") {
    value.kind = ReadValue::Kind::Real;
    value.real = type == "f32" ? static_cast<double>(revctl::detail::LoadAs<float>(at))
                               : revctl::detail::LoadAs<double>(at);
    return value;
  }
  const std::size_t size = NumberSize(type);
  std::memcpy(&value.bits, at, size);
  if (type[0] != 'i') return value;
  const auto shift = static_cast<unsigned>(64 - 8 * size);
  const auto number = static_cast<std::int64_t>(value.bits << shift) >> shift;
  value.bits = static_cast<std::uint64_t>(number);
  value.negative = number < 0;
  return value;
}

class Decoder {
 public:
  Decoder(Schema schema, const revctl::ListTable& list, std::int64_t number,
          std::span<const std::byte> payload, const std::vector<Chunk>& chunks,
          const ClassNames& classes, std::string root)
      : schema_(std::move(schema)),
        operands_(schema_, list, number, enum_names_),
        payload_(payload),
        chunks_(chunks),
        classes_(classes),
        root_(std::move(root)),
        path_(root_) {}

  std::optional<Condensed> Run(const std::string& type) {
    const WireTree* const tree = TreeOf(type);
    if (tree == nullptr) return std::nullopt;
    Visit(*tree);
    if (!ok_ || at_ != payload_.size()) return std::nullopt;
    std::unordered_map<std::string_view, int> seen;
    for (const golden::Leaf& leaf : leaves_)
      found_.expanded.push_back({{LeafPath(leaf.path, root_, seen), leaf.text}});
    return std::move(found_);
  }

 private:
  /// Extends the path for the lifetime of this object.
  class Below {
   public:
    Below(std::string& path, const std::string& step) : path_(path), size_(path.size()) {
      path_ += step;
    }
    Below(const Below&) = delete;
    ~Below() { path_.resize(size_); }

   private:
    std::string& path_;
    const std::size_t size_;
  };
  /// A field of a record. `tree` is null if the field cannot be decoded.
  struct Step {
    std::string name;  ///< name of the field, preceded by a dot
    std::string id;    ///< name of the field in conditions, preceded by a dot
    const WireTree* tree = nullptr;
    std::size_t alignment = 0;
    bool integrity = false;
    std::optional<Expression> condition;
  };
  struct Steps {
    std::vector<Step> steps;
    std::set<std::string> wanted;  ///< names of the values that the conditions need
  };
  /// A record with conditions that is being read.
  struct Frame {
    const std::set<std::string>* wanted;
    std::size_t begin;  ///< position in `ids_` at which the paths of its fields begin
    std::map<std::string, ReadValue> values;
  };
  /// Makes Keep ignore the records that contain a container, because their conditions cannot name
  /// values inside the container.
  class Hidden {
   public:
    Hidden(std::size_t& first, std::size_t frames)
        : first_(first), before_(std::exchange(first, frames)) {}
    Hidden(const Hidden&) = delete;
    ~Hidden() { first_ = before_; }

   private:
    std::size_t& first_;
    const std::size_t before_;
  };

  const WireTree* TreeOf(const std::string& wire) {
    const auto [at, fresh] = trees_.try_emplace(wire);
    std::string unknown;
    if (fresh) at->second = ParseWire(wire, schema_, unknown);
    return at->second ? &*at->second : nullptr;
  }
  const Steps& StepsOf(const std::string& record) {
    const auto [at, fresh] = records_.try_emplace(record);
    if (!fresh) return at->second;
    const auto& fields = schema_.types.at(record).layout.fields;
    const std::vector<std::string>& ids = operands_.Of(record, fields);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const revctl::LayoutField& field = fields[i];
      Step& step = at->second.steps.emplace_back();
      step.name = field.name.empty() ? "" : "." + field.name;
      step.id = "." + ids[i];
      step.integrity = field.form == "integrity";
      if (!field.condition.empty()) {
        std::string why;
        step.condition =
            ParseCondition(field.condition, operands_.NamesFor(record, fields, i), why);
        if (!step.condition) continue;
        AddNames(*step.condition, at->second.wanted);
      } else if (!field.always) {
        continue;
      }
      std::string wire = field.type;
      step.alignment = TakeAlignment(wire);
      step.tree = TreeOf(wire);
    }
    return at->second;
  }

  const std::byte* Take(std::size_t size) {
    if (!ok_ || size > payload_.size() - at_) {
      ok_ = false;
      return nullptr;
    }
    at_ += size;
    return payload_.data() + at_ - size;
  }
  bool Tells() const { return lists_ > 0 && wanted_; }
  void Tell(const std::string& suffix, std::string text) {
    if (Tells()) leaves_.push_back({path_ + suffix, golden::CanonicalText(text)});
  }
  /// Stores a value for the conditions of the records that contain it.
  template <class Value>
  void Keep(const char* suffix, Value value) {
    for (std::size_t i = first_frame_; i < frames_.size(); ++i) {
      const std::string name = ids_.substr(std::min(ids_.size(), frames_[i].begin + 1)) + suffix;
      if (frames_[i].wanted->contains(name)) frames_[i].values[name] = value();
    }
  }

  void Visit(const WireTree& tree) {
    if (!ok_) return;
    const std::size_t before = at_;
    if (++depth_ > kDeepestValue) ok_ = false;
    else VisitKind(tree);
    --depth_;
    // Limit the number of values without bytes. Hostile input may claim to have any number of them,
    // and records that contain each other twice have exponentially many.
    if (at_ == before && ++empty_ > kMostEmpty * (payload_.size() + kMostOneByOne)) ok_ = false;
  }
  void VisitKind(const WireTree& tree) {
    switch (tree.kind) {
      case WireTree::Kind::Scalar:
        if (const std::byte* at = Take(NumberSize(tree.name))) {
          if (Tells()) Tell("", NumberText(tree.name, at));
          Keep("", [&] { return NumberAt(tree.name, at); });
        }
        return;
      case WireTree::Kind::Enum:
        return Enumerator(tree.name);
      case WireTree::Kind::Record:
        return Record(tree.name);
      case WireTree::Kind::Text:
      case WireTree::Kind::Bits:
        return Bytes(tree);
      case WireTree::Kind::Array:
        return List(tree, tree.count);
      case WireTree::Kind::Sequence:
      case WireTree::Kind::Set:
      case WireTree::Kind::Map: {
        const std::size_t count = Count(4, "#count");
        return List(tree, count);
      }
      case WireTree::Kind::Optional:
        if (const std::size_t present = Count(1, "#present"); present == 1) {
          const Hidden hidden(first_frame_, frames_.size());
          Visit(tree.parts[0]);
        } else if (present > 1) {
          ok_ = false;
        }
        return;
      case WireTree::Kind::Tuple:
        for (std::size_t i = 0; i < tree.parts.size(); ++i) {
          const Hidden hidden(first_frame_, frames_.size());
          const Below below(path_, "[" + std::to_string(i) + "]");
          Visit(tree.parts[i]);
        }
        return;
      case WireTree::Kind::Variant:
        if (const std::size_t index = Count(1, "#index"); index < tree.parts.size()) {
          const Hidden hidden(first_frame_, frames_.size());
          Visit(tree.parts[index]);
        } else {
          ok_ = false;
        }
        return;
    }
  }

  void Record(const std::string& name) {
    if (name.starts_with(kAnyClass)) return Class(name);
    const Steps& steps = StepsOf(name);
    const bool decides = !steps.wanted.empty();
    if (decides) frames_.push_back({&steps.wanted, ids_.size(), {}});
    for (const Step& step : steps.steps) {
      if (!ok_) break;
      if (step.condition) {
        // For a condition that uses no values.
        static const std::map<std::string, ReadValue> kNone;
        const auto visited = Decide(*step.condition, decides ? frames_.back().values : kNone);
        ok_ = visited.has_value();
        if (!visited || !*visited) continue;
      }
      if (step.tree == nullptr) ok_ = false;
      else VisitStep(step);
    }
    if (decides) frames_.pop_back();
  }
  void VisitStep(const Step& step) {
    if (step.alignment != 0) Align(step.alignment, *step.tree);
    const Below below(path_, step.integrity ? "" : step.name);
    const Below id(ids_, frames_.empty() ? "" : step.id);
    if (step.integrity) Count(4, "#integrity");
    else Visit(*step.tree);
  }
  void Align(std::size_t alignment, const WireTree& tree) {
    const bool counted = tree.kind == WireTree::Kind::Sequence || tree.kind == WireTree::Kind::Text;
    const std::size_t size = revctl::detail::PaddingAt(at_, alignment, counted ? 4 : 0);
    const std::byte* const zeros = Take(size);
    if (zeros != nullptr &&
        std::any_of(zeros, zeros + size, [](std::byte b) { return b != std::byte{}; }))
      ok_ = false;
  }
  /// Reads the name of a class, and then an object of that class.
  void Class(const std::string& any) {
    const Hidden hidden(first_frame_, frames_.size());
    const std::byte* const counted = Take(4);
    const std::size_t size = counted ? revctl::detail::LoadAs<std::uint32_t>(counted) : 0;
    const std::byte* const at = Take(size);
    if (at == nullptr) return;
    const std::string name(reinterpret_cast<const char*>(at), size);
    Tell(".class", revctl::detail::JsonString(name));
    const auto found = classes_.find({any, name});
    const WireTree* const tree = found == classes_.end() ? nullptr : TreeOf(found->second);
    const Below below(path_, ".value");
    if (tree == nullptr) ok_ = false;
    else Visit(*tree);
  }
  std::size_t Count(std::size_t size, const char* suffix) {
    const std::byte* const at = Take(size);
    std::size_t count = 0;
    if (at == nullptr) return 0;
    std::memcpy(&count, at, size);
    Tell(suffix, std::to_string(count));
    std::string id = suffix;  // a path has `#count`, a condition `.count`
    id[0] = '.';
    Keep(id.c_str(), [&] {
      ReadValue value;
      value.bits = count;
      return value;
    });
    return count;
  }
  void Enumerator(const std::string& name) {
    const revctl::EnumLayout& layout = schema_.enums.at(name);
    const std::byte* const at = Take(NumberSize(layout.underlying));
    if (at == nullptr) return;
    Keep("", [&] { return NumberAt(layout.underlying, at); });
    if (!Tells()) return;
    const std::string number = NumberText(layout.underlying, at);
    for (const auto& [enumerator, value] : layout.enumerators) {
      if (std::to_string(value) == number) return Tell("", enumerator);
    }
    Tell("", number);
  }
  void Bytes(const WireTree& tree) {
    std::size_t size = tree.count / 8 + (tree.count % 8 == 0 ? 0 : 1);
    if (tree.kind == WireTree::Kind::Text) {
      const std::byte* const at = Take(4);
      if (at == nullptr) return;
      size = revctl::detail::LoadAs<std::uint32_t>(at);
    }
    const std::byte* const at = Take(size);
    if (at == nullptr) return;
    const std::string_view bytes(reinterpret_cast<const char*>(at), size);
    if (tree.kind == WireTree::Kind::Text) KeepText(bytes);
    if (!Tells()) return;
    if (tree.kind == WireTree::Kind::Text) return Tell("", revctl::detail::JsonString(bytes));
    std::string text = "\"";
    for (std::size_t i = tree.count; i-- > 0;)
      text += (static_cast<unsigned char>(bytes[i / 8]) >> (i % 8) & 1) != 0 ? '1' : '0';
    Tell("", text + '"');
  }

  void KeepText(std::string_view bytes) {
    ReadValue count, text;
    count.bits = bytes.size();
    text.kind = ReadValue::Kind::Text;
    Keep(".count", [&] { return count; });
    // In a hostile record, a string may be nested in many records, and each of them would copy it.
    constexpr std::size_t kLongestText = std::size_t{64} << 10;
    if (bytes.size() > kLongestText) return;
    Keep(".text", [&] {
      text.text = bytes;
      return text;
    });
  }

  void List(const WireTree& tree, std::size_t count) {
    const Hidden hidden(first_frame_, frames_.size());
    const WireTree& element = tree.parts[0];
    const bool numbers = tree.kind != WireTree::Kind::Map && tree.kind != WireTree::Kind::Set &&
                         element.kind == WireTree::Kind::Scalar && element.name != "bool";
    const bool outermost = lists_++ == 0;
    std::vector<const Chunk*> own;
    if (outermost) {
      for (const Chunk& chunk : chunks_) {
        if (FromRoot(root_, chunk.list) == path_) own.push_back(&chunk);
      }
    }
    if (numbers && (outermost ? own.empty() : !wanted_ || count > kMostOneByOne)) {
      Numbers(element.name, count, !outermost && wanted_);
      count = 0;
    }
    for (std::size_t i = 0; i < count && ok_; ++i) {
      if (outermost)
        wanted_ = std::any_of(own.begin(), own.end(), [&](const Chunk* chunk) {
          return i >= chunk->first && i <= chunk->last;
        });
      const std::string index = "[" + std::to_string(i) + "]";
      const bool map = tree.kind == WireTree::Kind::Map;
      {
        const Below below(path_, map ? "#key" + index : index);
        Visit(element);
      }
      if (map) {
        const Below below(path_, index);
        Visit(tree.parts[1]);
      }
    }
    if (outermost) wanted_ = false;
    --lists_;
  }
  void Numbers(const std::string& type, std::size_t count, bool kept) {
    const std::size_t size = NumberSize(type);
    if (count > payload_.size() / size) ok_ = false;
    const std::byte* const at = ok_ ? Take(count * size) : nullptr;
    if (at == nullptr || !kept) return;
    std::unordered_map<std::string_view, int> seen;
    found_.blocks.try_emplace(LeafPath(path_, root_, seen),
                              Condensed::Numbers{type, size, {at, at + count * size}});
  }

  static constexpr std::size_t kMostOneByOne = revctl::TraceReader::kMostOneByOne;
  static constexpr std::size_t kMostEmpty = 8;  ///< limit on values without bytes, per byte

  const Schema schema_;
  NameScope enum_names_;
  Operands operands_;
  const std::span<const std::byte> payload_;
  const std::vector<Chunk>& chunks_;
  const ClassNames& classes_;
  const std::string root_;  ///< first component of all paths
  std::string path_;
  std::map<std::string, std::optional<WireTree>> trees_;
  std::map<std::string, Steps> records_;
  std::vector<Frame> frames_;
  std::size_t first_frame_ = 0;  ///< Keep ignores the frames before this one
  std::string ids_;              ///< path of the value in conditions; unused without frames
  std::size_t at_ = 0, lists_ = 0, empty_ = 0;
  int depth_ = 0;
  bool ok_ = true, wanted_ = false;
  std::vector<golden::Leaf> leaves_;
  Condensed found_;
};

}  // namespace

std::optional<Condensed> DecodeRecorded(const RootType& root, const History& history,
                                        std::size_t revision, std::span<const std::byte> payload,
                                        const std::vector<Chunk>& chunks,
                                        const ClassNames& classes) {
  Schema recorded;
  for (const std::string& name : history.RecordedTypes()) {
    const golden::RecordedType* const type = history.TypeAt(name, revision);
    if (type != nullptr) recorded.types[name].layout = type->layout;
  }
  for (const auto& [name, unused] : history.enums()) {
    const revctl::EnumLayout* const layout = history.EnumAt(name, revision);
    if (layout != nullptr) recorded.enums[name] = *layout;
  }
  AddAnyClasses(recorded);
  // Conditions may mention revisions by name.
  std::vector<revctl::ListEntry> entries;
  for (const Revision& one : history.revisions())
    entries.push_back({one.name, one.number, one.lineage});
  const revctl::ListTable list{"", entries, history.oldest()};
  return Decoder(std::move(recorded), list, history.revisions()[revision].number, payload, chunks,
                 classes, RootName(root.type()))
      .Run(root.name);
}

namespace {

/// Collects the classes of polymorphic objects, which payloads identify by name.
class ClassReader : public revctl::TraceReader {
 public:
  using TraceReader::TraceReader;

  void BeginRecord(const revctl::TypeInfo& type, void* object) override {
    TraceReader::BeginRecord(type, object);
    records_.push_back({type.name(), ""});
  }
  void EndRecord(const revctl::TypeInfo& type, void* object) override {
    records_.pop_back();
    TraceReader::EndRecord(type, object);
  }
  void Field(const revctl::FieldVisit& field) override {
    const bool chosen = !records_.empty() && records_.back().type.starts_with(kAnyClass);
    const bool value = chosen && std::string_view(field.site.name) == "value";
    if (value)
      classes.emplace(std::pair(records_.back().type, records_.back().name), field.type.name());
    TraceReader::Field(field);
    const bool name = std::string_view(field.type.name()) == "string";
    if (chosen && name && !value && Ok())
      records_.back().name = *static_cast<std::string*>(field.value);
  }

  ClassNames classes;

 private:
  struct Open {
    std::string type, name;
  };
  std::vector<Open> records_;
};

}  // namespace

ClassNames ClassesIn(const revctl::TypeInfo& type, std::span<const std::byte> payload,
                     std::int64_t number) {
  const Object object(type);
  ClassReader reader(payload, revctl::Revision(number));
  reader.CollectLeaves(false);
  ResetProgram();
  reader.VisitRoot(type, object.get());
  return std::move(reader.classes);
}

}  // namespace revctl::harness
