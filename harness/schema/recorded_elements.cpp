#include "harness/schema/recorded_elements.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <revctl/detail/types/leaf_text.h>
#include <revctl/trace.h>

#include "golden/revision_record.h"
#include "harness/schema/operands.h"
#include "harness/schema/schema.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

constexpr int kDeepestValue = 256;

class Decoder {
 public:
  Decoder(Schema schema, std::span<const std::byte> payload, const std::vector<Chunk>& chunks,
          std::string root)
      : schema_(std::move(schema)),
        payload_(payload),
        chunks_(chunks),
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
    const WireTree* tree = nullptr;
    bool integrity = false;
  };

  const WireTree* TreeOf(const std::string& wire) {
    const auto [at, fresh] = trees_.try_emplace(wire);
    std::string unknown;
    if (fresh) at->second = ParseWire(wire, schema_, unknown);
    return at->second ? &*at->second : nullptr;
  }
  const std::vector<Step>& StepsOf(const std::string& record) {
    const auto [at, fresh] = records_.try_emplace(record);
    if (!fresh) return at->second;
    for (const revctl::LayoutField& field : schema_.types.at(record).layout.fields) {
      const bool told = field.condition.empty() && field.always;
      at->second.push_back({field.name.empty() ? "" : "." + field.name,
                            told ? TreeOf(field.type) : nullptr, field.form == "integrity"});
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

  void Visit(const WireTree& tree) {
    if (!ok_) return;
    if (++depth_ > kDeepestValue) ok_ = false;
    else VisitKind(tree);
    --depth_;
  }
  void VisitKind(const WireTree& tree) {
    switch (tree.kind) {
      case WireTree::Kind::Scalar:
        if (const std::byte* at = Take(NumberSize(tree.name)); at && Tells())
          Tell("", NumberText(tree.name, at));
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
        if (const std::size_t present = Count(1, "#present"); present == 1) Visit(tree.parts[0]);
        else if (present > 1) ok_ = false;
        return;
      case WireTree::Kind::Tuple:
        for (std::size_t i = 0; i < tree.parts.size(); ++i) {
          const Below below(path_, "[" + std::to_string(i) + "]");
          Visit(tree.parts[i]);
        }
        return;
      case WireTree::Kind::Variant:
        if (const std::size_t index = Count(1, "#index"); index < tree.parts.size())
          Visit(tree.parts[index]);
        else ok_ = false;
        return;
    }
  }

  void Record(const std::string& name) {
    for (const Step& step : StepsOf(name)) {
      if (step.tree == nullptr) ok_ = false;
      if (!ok_) return;
      const Below below(path_, step.integrity ? "" : step.name);
      if (step.integrity) Count(4, "#integrity");
      else Visit(*step.tree);
    }
  }
  std::size_t Count(std::size_t size, const char* suffix) {
    const std::byte* const at = Take(size);
    std::size_t count = 0;
    if (at == nullptr) return 0;
    std::memcpy(&count, at, size);
    Tell(suffix, std::to_string(count));
    return count;
  }
  void Enumerator(const std::string& name) {
    const revctl::EnumLayout& layout = schema_.enums.at(name);
    const std::byte* const at = Take(NumberSize(layout.underlying));
    if (at == nullptr || !Tells()) return;
    const std::string number = NumberText(layout.underlying, at);
    for (const auto& [enumerator, value] : layout.enumerators) {
      if (std::to_string(value) == number) return Tell("", enumerator);
    }
    Tell("", number);
  }
  void Bytes(const WireTree& tree) {
    std::size_t size = (tree.count + 7) / 8;
    if (tree.kind == WireTree::Kind::Text) {
      const std::byte* const at = Take(4);
      if (at == nullptr) return;
      size = revctl::detail::LoadAs<std::uint32_t>(at);
    }
    const std::byte* const at = Take(size);
    if (at == nullptr || !Tells()) return;
    const std::string_view bytes(reinterpret_cast<const char*>(at), size);
    if (tree.kind == WireTree::Kind::Text) return Tell("", revctl::detail::JsonString(bytes));
    std::string text = "\"";
    for (std::size_t i = tree.count; i-- > 0;)
      text += (static_cast<unsigned char>(bytes[i / 8]) >> (i % 8) & 1) != 0 ? '1' : '0';
    Tell("", text + '"');
  }

  void List(const WireTree& tree, std::size_t count) {
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
      const std::size_t before = at_;
      {
        const Below below(path_, map ? "#key" + index : index);
        Visit(element);
      }
      if (map) {
        const Below below(path_, index);
        Visit(tree.parts[1]);
      }
      // Limit the number of elements that take no bytes, because hostile input could claim any
      // number of them.
      if (at_ == before && ++empty_ > payload_.size() + kMostOneByOne) ok_ = false;
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

  const Schema schema_;
  const std::span<const std::byte> payload_;
  const std::vector<Chunk>& chunks_;
  const std::string root_;  ///< first component of all paths
  std::string path_;
  std::map<std::string, std::optional<WireTree>> trees_;
  std::map<std::string, std::vector<Step>> records_;
  std::size_t at_ = 0, lists_ = 0, empty_ = 0;
  int depth_ = 0;
  bool ok_ = true, wanted_ = false;
  std::vector<golden::Leaf> leaves_;
  Condensed found_;
};

}  // namespace

std::optional<Condensed> DecodeRecorded(const RootType& root, const History& history,
                                        std::size_t revision, std::span<const std::byte> payload,
                                        const std::vector<Chunk>& chunks) {
  Schema recorded;
  for (const std::string& name : history.RecordedTypes()) {
    const golden::RecordedType* const type = history.TypeAt(name, revision);
    if (type != nullptr) recorded.types[name].layout = type->layout;
  }
  for (const auto& [name, unused] : history.enums()) {
    const revctl::EnumLayout* const layout = history.EnumAt(name, revision);
    if (layout != nullptr) recorded.enums[name] = *layout;
  }
  return Decoder(std::move(recorded), payload, chunks, RootName(root.type())).Run(root.name);
}

}  // namespace revctl::harness
