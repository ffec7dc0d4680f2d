#include "harness/trace/condensed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include <revctl/detail/base/checksum.h>
#include <revctl/detail/types/leaf_text.h>
#include <revctl/trace.h>

#include "golden/text/scalar_text.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/registry.h"

namespace revctl::harness {
namespace {

using revctl::Kind;
using revctl::TypeInfo;

constexpr std::size_t kSmallestChunk = 256;  ///< number of elements in the smallest chunk
constexpr std::size_t kMostChunks = 64;      ///< maximum number of chunks in one list
constexpr std::size_t kMostFieldsOfPlace = 4;

/// The finalizer of splitmix64, in which every input bit affects every output bit.
std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a + 0x9E3779B97F4A7C15U * (b + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// Returns the `b` for which Mix(a, b) is `mixed`.
std::uint64_t Unmix(std::uint64_t a, std::uint64_t mixed) {
  // Returns the inverse of an odd number modulo 2^64.
  constexpr auto kInverse = [](std::uint64_t odd) {
    std::uint64_t inverse = odd;
    for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
    return inverse;
  };
  std::uint64_t x = mixed;
  x = x ^ (x >> 31) ^ (x >> 62);
  x *= kInverse(0x94D049BB133111EBU);
  x = x ^ (x >> 27) ^ (x >> 54);
  x *= kInverse(0xBF58476D1CE4E5B9U);
  x = x ^ (x >> 30) ^ (x >> 60);
  return (x - a) * kInverse(0x9E3779B97F4A7C15U) - 1;
}

std::uint64_t HashOf(std::string_view text) {
  return revctl::Checksum(std::as_bytes(std::span(text.data(), text.size())));
}

bool IsList(const TypeInfo& type) {
  return type.kind == Kind::Array || type.kind == Kind::Sequence || type.kind == Kind::Map ||
         type.kind == Kind::Set;
}

/// Visits an object as a writer does, but produces no bytes.
class ValueWriter : public revctl::detail::TraceArchive {
 public:
  explicit ValueWriter(revctl::Revision at) : TraceArchive(/*reading=*/false) { revision = at; }
  std::size_t ByteOffset() const override { return 0; }
  revctl::ArchiveError error() const { return {error_path(), 0, error_reason(), refused()}; }
  void Scalar(const TypeInfo&, void*) override {}
  void Bytes(const TypeInfo&, std::string&) override {}
  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    if (type.kind == Kind::Variant && count >= type.count) FailHere("the variant has no value");
    return count;
  }
  void Integrity(const revctl::FieldVisit& field) override {
    if (field.live && Ok()) ++counter;
  }
};

/// A TraceReader or ValueWriter that replaces the leaves of long lists with digests.
template <class Tracer>
class Condenser : public Tracer {
 public:
  using Tracer::Bytes;
  template <class... Arguments>
  explicit Condenser(const Wanted& wanted, Arguments&&... arguments)
      : Tracer(std::forward<Arguments>(arguments)...), wanted_(wanted) {
    this->CollectLeaves(false);
  }

  void Field(const revctl::FieldVisit& field) override {
    Scope& outer = scopes_.back();
    // Names are literals, so NameHash caches hashes by address.
    const char* const name = field.site.name;
    const std::uint64_t own = name[0] == '\0' ? ++outer.unnamed : NameHash(name);
    scopes_.push_back({Mix(outer.hash, own), Mix(outer.place, own)});
    Tracer::Field(field);
    scopes_.pop_back();
  }
  void Integrity(const revctl::FieldVisit& field) override {
    const std::uint32_t number = this->counter;
    const std::size_t at = this->ByteOffset();
    Tracer::Integrity(field);
    if (field.live) Value(NumberOf(Kind::U32), number, at, "#integrity");
  }
  void Scalar(const TypeInfo& type, void* value) override {
    const std::size_t at = this->ByteOffset();
    Tracer::Scalar(type, value);
    if (this->Ok()) Value(type, Bits(type, value), at, "");
  }
  void Bytes(const TypeInfo& type, std::string& bytes) override {
    const std::size_t at = this->ByteOffset();
    Tracer::Bytes(type, bytes);
    if (!this->Ok()) return;
    NoteField(type, at, "");
    Add(HashOf(bytes), nullptr, "", [&] { return BytesText(type, bytes); });
  }
  /// Treats each number in a block as an element of its own.
  void Block(const TypeInfo& type, void* numbers, std::size_t count) override {
    const std::size_t at = this->ByteOffset();
    Tracer::Block(type, numbers, count);
    if (!this->Ok()) return;
    NoteField(type, at, "");
    const TypeInfo& element = type.part(0);
    const auto* const bytes = static_cast<const char*>(numbers);
    const std::uint64_t list = scopes_.back().hash;
    const bool outermost = lists_ == 1;
    if (collects_ && !outermost) KeepBlock(element, bytes, count);
    for (std::size_t i = 0; i < count; ++i) {
      if (outermost && i >= next_chunk_) NextChunk();
      if (!collects_) {  // usually, the caller does not want the values
        const std::size_t end = outermost ? std::min(count, next_chunk_) : count;
        sum_ += SumOf(element, bytes, list, i, end);
        i = end - 1;
        continue;
      }
      const std::uint64_t bits = Bits(element, bytes + i * element.size);
      const std::uint64_t hash = Mix(list, 2 * i);
      const std::uint64_t digest = Mix(hash, bits);
      sum_ += digest;
      const auto path = [&] { return this->Path() + "[" + std::to_string(i) + "]"; };
      if (outermost) expanded_.push_back({{path(), TextOf(element, bits)}, hash, bits, &element});
      Solve(element, bits, hash, digest, path);
    }
    values_ += count;
    listed_.clear();
  }

  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    const std::size_t at = this->ByteOffset();
    const std::size_t taken = Tracer::BeginContainer(type, count);
    const revctl::detail::CountForm form = revctl::detail::CountFormOf(type.kind);
    if (form.size != 0 && this->Ok())
      Value(NumberOf(form.size == 4 ? Kind::U32 : Kind::U8), taken, at, form.name);
    if (IsList(type) && lists_++ == 0) OpenList(taken);
    return taken;
  }
  void EndContainer(const TypeInfo& type) override {
    if (IsList(type) && --lists_ == 0) CloseList();
    Tracer::EndContainer(type);
  }
  void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) override {
    if (lists_ > 0 && elements_++ == 0 && index >= next_chunk_) NextChunk();
    scopes_.push_back({Mix(scopes_.back().hash, 2 * index + (is_key ? 1 : 0)),
                       Mix(scopes_.back().place, is_key ? 1 : 0)});
    Tracer::BeginElement(element, index, is_key);
  }
  void EndElement() override {
    Tracer::EndElement();
    scopes_.pop_back();
    if (lists_ > 0) --elements_;
  }

  /// Moves the results to `to`, and makes all paths relative to the root.
  void Take(const TypeInfo& root, Condensed& to) {
    if (rest_ != 0) leaves_.push_back({"rest" + std::string(golden::kDigest), Text(rest_)});
    const std::string name = RootName(root);
    // The keys of both maps refer to paths stored in `to`.
    std::unordered_map<std::string_view, int> seen, expanded;
    to.leaves.reserve(leaves_.size());
    to.expanded.reserve(expanded_.size());
    for (const golden::Leaf& leaf : leaves_)
      to.leaves.push_back({LeafPath(leaf.path, name, seen), golden::CanonicalText(leaf.text)});
    for (const Condensed::Element& one : expanded_)
      to.expanded.push_back(
          {{LeafPath(one.leaf.path, name, expanded), golden::CanonicalText(one.leaf.text)},
           one.place,
           one.bits,
           one.type});
    for (auto& [path, numbers] : blocks)
      to.blocks.emplace(BelowRoot(path, root), std::move(numbers));
    to.fields = std::move(fields_);
    for (Condensed::Field& field : to.fields) field.path = BelowRoot(field.path, root);
    to.solved = std::move(solved_);
    for (auto& [digest, changes] : to.solved) {
      for (golden::Change& change : changes) change.path = BelowRoot(change.path, root);
    }
  }

  std::map<std::string, Condensed::Numbers> blocks;
  void NoteFields(bool note) { notes_fields_ = note; }

 private:
  struct Scope {
    std::uint64_t hash = 0;   ///< hash of the path
    std::uint64_t place = 0;  ///< hash of the path without indices
    std::uint64_t unnamed = 0;
  };

  static std::string Text(std::uint64_t digest) { return golden::Quote(golden::HashText(digest)); }
  static std::string Below(std::string_view path) {
    const std::size_t dot = path.find_first_of(".[");
    if (dot == std::string_view::npos) return std::string(path);
    return std::string(path.substr(path[dot] == '.' ? dot + 1 : dot));
  }

  /// Adds the position of the value just read to `fields_`, if requested.
  void NoteField(const TypeInfo& type, std::size_t offset, std::string_view suffix) {
    if (!notes_fields_) return;
    std::uint8_t& seen = places_[scopes_.back().place + suffix.size()];
    if (seen == kMostFieldsOfPlace) return;
    ++seen;
    fields_.push_back(
        {offset, this->ByteOffset() - offset, this->Path() + std::string(suffix), &type});
  }

  /// Adds a number. `bits` is the result of Bits().
  void Value(const TypeInfo& type, std::uint64_t bits, std::size_t offset,
             std::string_view suffix) {
    if (!this->Ok()) return;
    NoteField(type, offset, suffix);
    const std::uint64_t digest = Add(bits, &type, suffix, [&] { return TextOf(type, bits); });
    if (collects_)
      Solve(type, bits, scopes_.back().hash + suffix.size(), digest,
            [&] { return this->Path() + std::string(suffix); });
  }

  template <class TextOf>
  std::uint64_t Add(std::uint64_t value, const TypeInfo* type, std::string_view suffix,
                    TextOf text) {
    const std::uint64_t place = scopes_.back().hash + suffix.size();
    const std::uint64_t digest = Mix(place, value);
    const auto leaf = [&] { return golden::Leaf{this->Path() + std::string(suffix), text()}; };
    if (lists_ == 0) {
      if (leaves_.size() < kMostCondensed) {
        leaves_.push_back(leaf());
      } else {
        rest_ += digest;
      }
      return digest;
    }
    sum_ += digest;
    if (collects_) expanded_.push_back({leaf(), place, value, type});
    if (++values_ <= kMostListedValues) {
      listed_.push_back(leaf());
    } else if (values_ == kMostListedValues + 1) {
      listed_.clear();
    }
    return digest;
  }

  /// Computes the value that would give the chunk its expected digest if only this number had
  /// changed. Adds the value to solved_ if it is in the type's range, which is unlikely for a
  /// number that has not changed.
  template <class PathOf>
  void Solve(const TypeInfo& type, std::uint64_t bits, std::uint64_t hash, std::uint64_t digest,
             PathOf path) {
    if (!difference_) return;
    const std::uint64_t was = Unmix(hash, digest + *difference_);
    if (was == bits) return;
    if (const auto text = TextIfValue(type, bits, was))
      solved_[collected_].push_back({path(), *text, TextOf(type, bits)});
  }

  /// Returns the sum of the digests of the elements [begin, end) of a block.
  std::uint64_t SumOf(const TypeInfo& element, const char* bytes, std::uint64_t list,
                      std::size_t begin, std::size_t end) {
    std::uint64_t sum = 0;
    const auto add = [&](auto load) {
      for (std::size_t i = begin; i < end; ++i)
        sum += Mix(Mix(list, 2 * i), load(bytes + i * element.size));
    };
    switch (element.kind) {  // separate loops for common kinds avoid a branch per number
      case Kind::U8:
        add([](const char* at) { return std::uint64_t{static_cast<unsigned char>(*at)}; });
        break;
      case Kind::F32:
        add([](const char* at) {
          return std::bit_cast<std::uint64_t>(
              static_cast<double>(revctl::detail::LoadAs<float>(at)));
        });
        break;
      default:
        add([&](const char* at) { return Bits(element, at); });
    }
    return sum;
  }

  void KeepBlock(const TypeInfo& element, const char* bytes, std::size_t count) {
    const auto* const begin = reinterpret_cast<const std::byte*>(bytes);
    blocks.try_emplace(
        this->Path(),
        Condensed::Numbers{element.name(), element.size, {begin, begin + element.size * count}});
  }

  void OpenList(std::size_t count) {
    list_ = this->Path();
    per_chunk_ = kSmallestChunk;
    while (count / per_chunk_ >= kMostChunks) per_chunk_ *= 2;
    first_ = 0;
    next_chunk_ = per_chunk_;
    sum_ = 0;
    values_ = 0;
    chunks_.clear();
    listed_.clear();
    LookIfWanted();
  }
  /// If the caller wants the values of the chunk that begins here, starts collecting them.
  void LookIfWanted() {
    collects_ = false;
    difference_.reset();
    if (wanted_.empty()) return;
    collected_ = Below(ChunkPath());
    const auto found = wanted_.find(collected_);
    collects_ = found != wanted_.end();
    if (collects_) difference_ = found->second;
  }
  std::string ChunkPath() const {
    return list_ + "[" + std::to_string(first_) + ".." + std::to_string(first_ + per_chunk_ - 1) +
           "]" + std::string(golden::kDigest);
  }
  void NextChunk() {
    chunks_.push_back({ChunkPath(), Text(sum_)});
    sum_ = 0;
    first_ += per_chunk_;
    next_chunk_ += per_chunk_;
    LookIfWanted();
  }
  void CloseList() {
    if (values_ > kMostListedValues) {
      NextChunk();
      listed_ = std::move(chunks_);
    }
    collects_ = false;
    if (leaves_.size() + listed_.size() > kMostCondensed) {
      for (const golden::Leaf& leaf : listed_) rest_ += Mix(HashOf(leaf.path), HashOf(leaf.text));
      return;
    }
    std::move(listed_.begin(), listed_.end(), std::back_inserter(leaves_));
  }

  std::uint64_t NameHash(const char* name) {
    Name& recent = recent_[reinterpret_cast<std::uintptr_t>(name) % kRecent];
    if (recent.name == name) return recent.hash;
    const auto [at, fresh] = names_.try_emplace(name, 0);
    if (fresh) at->second = HashOf(name);
    recent = {name, at->second};
    return at->second;
  }

  /// Returns a number as 64 bits: the value of an integer, the bits of a float as a double, or the
  /// hash of an enumerator's name. Numbers with equal texts have equal bits.
  std::uint64_t Bits(const TypeInfo& type, const void* value) {
    switch (type.kind) {
      case Kind::F32:
        return std::bit_cast<std::uint64_t>(
            static_cast<double>(revctl::detail::LoadAs<float>(value)));
      case Kind::F64:
        return revctl::detail::LoadAs<std::uint64_t>(value);
      case Kind::Enum: {
        const std::int64_t number = revctl::detail::LoadInteger(type.underlying, value);
        const auto [at, fresh] = enumerators_.try_emplace({&type, number}, 0);
        if (fresh) {
          at->second = HashOf(LeafText(type, value));
          named_.emplace(at->second, LeafText(type, value));
        }
        return at->second;
      }
      default:
        return static_cast<std::uint64_t>(revctl::detail::LoadInteger(type.kind, value));
    }
  }
  std::string TextOf(const TypeInfo& type, std::uint64_t bits) const {
    return type.kind == Kind::Enum ? named_.at(bits) : TextOfBits(type, bits);
  }
  /// Returns `was` as text, or nullopt if it is out of the type's range. A 64-bit type has no such
  /// limit, so accepts `was` only if it differs from `now` in a single byte.
  std::optional<std::string> TextIfValue(const TypeInfo& type, std::uint64_t now,
                                         std::uint64_t was) {
    const auto fits = [&](auto number) {
      return was == static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    };
    const auto one_byte = [&] {
      const std::uint64_t differ = now ^ was;
      const int low = std::countr_zero(differ) / 8 * 8;
      return (differ & ~(std::uint64_t{0xFF} << low)) == 0;
    };
    bool good = false;
    switch (type.kind) {
      case Kind::Bool:
        good = was <= 1;
        break;
      case Kind::U8:
        good = was <= UINT8_MAX;
        break;
      case Kind::U16:
        good = was <= UINT16_MAX;
        break;
      case Kind::U32:
        good = was <= UINT32_MAX;
        break;
      case Kind::I8:
        good = fits(static_cast<std::int8_t>(was));
        break;
      case Kind::I16:
        good = fits(static_cast<std::int16_t>(was));
        break;
      case Kind::I32:
        good = fits(static_cast<std::int32_t>(was));
        break;
      case Kind::F32: {
        const auto number = std::bit_cast<double>(was);
        good = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(number))) == was;
        break;
      }
      case Kind::Enum:
        if (named_.contains(was)) return named_.at(was);
        for (const revctl::Enumerator* one = type.enumerators(); one->name != nullptr; ++one) {
          if (HashOf(one->name) == was) return std::string(one->name);
        }
        return std::nullopt;
      default:
        good = one_byte();
    }
    return good ? std::optional(TextOf(type, was)) : std::nullopt;
  }
  static const TypeInfo& NumberOf(Kind kind) {
    return kind == Kind::U8 ? revctl::TypeOf<std::uint8_t>() : revctl::TypeOf<std::uint32_t>();
  }

  const Wanted& wanted_;
  std::vector<Scope> scopes_{Scope{}};
  std::unordered_map<const char*, std::uint64_t> names_;
  struct Name {
    const char* name = nullptr;
    std::uint64_t hash = 0;
  };
  static constexpr std::size_t kRecent = 61;
  /// cache for names_, which is looked up for each field of each element
  std::array<Name, kRecent> recent_;
  bool notes_fields_ = false;
  std::map<std::pair<const TypeInfo*, std::int64_t>, std::uint64_t> enumerators_;
  /// enumerator names, keyed by their hashes
  std::unordered_map<std::uint64_t, std::string> named_;
  std::unordered_map<std::uint64_t, std::uint8_t> places_;
  std::vector<Condensed::Field> fields_;
  std::vector<golden::Leaf> leaves_;
  std::vector<Condensed::Element> expanded_;

  // State of the outermost open list and its current chunk.
  std::size_t lists_ = 0, elements_ = 0;  ///< numbers of open lists and of open elements in them
  std::string list_;
  std::size_t per_chunk_ = 0, first_ = 0, next_chunk_ = 0, values_ = 0;
  std::uint64_t sum_ = 0, rest_ = 0;
  std::vector<golden::Leaf> chunks_, listed_;
  bool collects_ = false;  ///< true if the caller wants the values of the current chunk
  std::string collected_;  ///< path of the current chunk
  /// expected digest of the current chunk minus its actual digest; nullopt if unknown
  std::optional<std::uint64_t> difference_;
  std::map<std::string, std::vector<golden::Change>> solved_;
};

template <class Tracer>
void TakeOutcome(Condenser<Tracer>& tracer, const TypeInfo& type, Condensed& condensed) {
  condensed.ok = tracer.Ok();
  if (!condensed.ok) {
    const revctl::ArchiveError error = tracer.error();
    condensed.offset = error.offset;
    condensed.path = BelowRoot(error.path, type);
    condensed.reason = error.reason;
  }
  tracer.Take(type, condensed);
}

}  // namespace

bool StandsForMany(const std::string& path) { return path.ends_with(golden::kDigest); }

std::optional<Chunk> ChunkOf(const std::string& path) {
  if (!StandsForMany(path)) return std::nullopt;
  const std::size_t open = path.rfind('['), dots = path.find("..", open);
  if (open == std::string::npos || dots == std::string::npos) return std::nullopt;
  return Chunk{path.substr(0, open), std::strtoull(path.c_str() + open + 1, nullptr, 10),
               std::strtoull(path.c_str() + dots + 2, nullptr, 10)};
}

std::uint64_t MixDigest(std::uint64_t place, std::uint64_t bits) { return Mix(place, bits); }

std::uint64_t BitsOfText(std::string_view text) { return HashOf(text); }

std::string NumberText(const std::string& type, const std::byte* at) {
  if (type == "f32")
    return revctl::detail::FloatText(revctl::detail::LoadAs<float>(at), std::uint32_t{0x7fc00000});
  if (type == "f64")
    return revctl::detail::FloatText(revctl::detail::LoadAs<double>(at),
                                     std::uint64_t{0x7ff8000000000000});
  const std::size_t size = NumberSize(type);
  std::uint64_t number = 0;
  std::memcpy(&number, at, size);
  if (type == "bool") return number != 0 ? "true" : "false";
  if (type[0] != 'i') return std::to_string(number);
  const auto shift = static_cast<unsigned>(64 - 8 * size);
  return std::to_string(static_cast<std::int64_t>(number << shift) >> shift);
}

std::size_t NumberSize(const std::string& type) {
  if (type == "bool" || type.ends_with('8')) return 1;
  return type.ends_with("16") ? 2 : type.ends_with("32") ? 4 : 8;
}

std::string TextOfBits(const TypeInfo& type, std::uint64_t bits) {
  if (type.kind == Kind::F32) {
    const auto number = static_cast<float>(std::bit_cast<double>(bits));
    return LeafText(type, &number);
  }
  // The harness supports only little-endian machines.
  return LeafText(type, &bits);
}

Condensed CondensedWrite(const TypeInfo& type, void* object, std::int64_t number,
                         const Wanted& wanted) {
  CrashBreadcrumb::Forget();
  Condenser<ValueWriter> tracer(wanted, revctl::Revision(number));
  tracer.VisitRoot(type, object);
  Condensed condensed;
  TakeOutcome(tracer, type, condensed);
  return condensed;
}

Condensed CondensedRead(const TypeInfo& type, std::span<const std::byte> bytes, std::int64_t number,
                        void* object, const Wanted& wanted, bool fields) {
  CrashBreadcrumb::Forget();
  if (const revctl::harness::TypeEntry* streams = StreamsOf(type)) {
    ResetProgram();
    const BinaryOutcome outcome = streams->read(bytes, number, object);
    Condensed condensed;
    if (outcome.ok) condensed = CondensedWrite(type, object, number, wanted);
    if (!outcome.ok) {
      condensed.ok = false;
      condensed.offset = outcome.offset;
      condensed.path = BelowRoot(outcome.path, type);
      condensed.reason = outcome.reason.empty() ? "refused" : outcome.reason;
    }
    condensed.at_end = outcome.at_end;
    return condensed;
  }
  Condenser<revctl::TraceReader> tracer(wanted, bytes, revctl::Revision(number));
  tracer.NoteFields(fields);
  tracer.VisitRoot(type, object);
  Condensed condensed;
  condensed.at_end = tracer.AtEnd();
  TakeOutcome(tracer, type, condensed);
  return condensed;
}

}  // namespace revctl::harness
