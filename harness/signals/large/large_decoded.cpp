#include "harness/signals/large/large_decoded.h"

#include <fmt/core.h>
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <revctl/detail/base/checksum.h>

#include "golden/text/scalar_text.h"
#include "harness/schema/recorded_elements.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

/// Maximum number of digests and blocks whose values are compared. A single chunk may contain up to
/// 1/64 of a list's values.
constexpr std::size_t kMostExpanded = 4;
constexpr std::size_t kMostKept = 256;

using Element = Condensed::Element;
using Elements = std::vector<const Element*>;

/// Returns the elements of the chunk and all values inside them.
Elements Within(const Chunk& chunk, const std::vector<Element>& elements) {
  Elements within;
  for (const Element& element : elements) {
    const std::string& path = element.leaf.path;
    if (!path.starts_with(chunk.list)) continue;
    const std::size_t open = path.find('[', chunk.list.size());
    if (open == std::string::npos) continue;
    const std::string_view between =
        std::string_view(path).substr(chunk.list.size(), open - chunk.list.size());
    if (!between.empty() && between != "#key") continue;
    const std::size_t index = std::strtoull(path.c_str() + open + 1, nullptr, 10);
    if (index >= chunk.first && index <= chunk.last) within.push_back(&element);
  }
  return within;
}

std::vector<golden::Leaf> LeavesOf(const Elements& elements) {
  std::vector<golden::Leaf> leaves;
  leaves.reserve(elements.size());
  for (const Element* element : elements) leaves.push_back(element->leaf);
  return leaves;
}

/// Returns the recorded digest minus the current digest, or nullopt if one of the two is missing.
std::optional<std::uint64_t> DifferenceOf(const golden::Change& change) {
  const auto digest = [](const std::optional<std::string>& text) {
    constexpr std::size_t kQuoted = 18;  // 16 digits and two quotes
    return text && text->size() == kQuoted
               ? std::optional<std::uint64_t>(std::strtoull(text->c_str() + 1, nullptr, 16))
               : std::nullopt;
  };
  const auto before = digest(change.before), after = digest(change.after);
  return before && after ? std::optional(*before - *after) : std::nullopt;
}

std::string NumberTextAt(const Condensed::Numbers& numbers, std::size_t index) {
  return NumberText(numbers.type, numbers.bytes.data() + index * numbers.size);
}

/// A value that an element may have had when it was recorded.
struct Guess {
  std::uint64_t bits = 0;
  std::string text;
};

bool IsInteger(const revctl::TypeInfo* type) {
  return type != nullptr && type->kind >= Kind::I8 && type->kind <= Kind::U64;
}

/// Returns the bits of a small number as a value of this type, or nullopt if the type cannot
/// represent it.
std::optional<std::uint64_t> BitsOf(const revctl::TypeInfo& type, std::int64_t number) {
  const bool is_unsigned = type.kind >= Kind::U8 && type.kind <= Kind::U64;
  switch (type.kind) {
    case Kind::Bool:
      if (number != 0 && number != 1) return std::nullopt;
      break;
    case Kind::I8:
      if (number < INT8_MIN || number > INT8_MAX) return std::nullopt;
      break;
    case Kind::U8:
      if (number > UINT8_MAX) return std::nullopt;
      break;
    case Kind::F32:
    case Kind::F64:
      return std::bit_cast<std::uint64_t>(static_cast<double>(number));
    default:
      break;
  }
  if (is_unsigned && number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

/// Returns the constants that upgrade code typically assigns to a field in all elements.
std::vector<Guess> Constants(const Elements& field) {
  constexpr std::size_t kMostSeen = 16;
  constexpr std::int64_t kSmallest = -1, kLargest = 256;
  std::vector<Guess> guesses;
  std::set<std::uint64_t> seen;
  for (const Element* element : field) {
    if (seen.size() < kMostSeen && seen.insert(element->bits).second)
      guesses.push_back({element->bits, element->leaf.text});
  }
  const revctl::TypeInfo* const type = field.front()->type;
  if (type == nullptr) {
    guesses.push_back({BitsOfText(""), "\"\""});
  } else if (type->kind == Kind::Enum) {
    for (const revctl::Enumerator* one = type->enumerators(); one->name != nullptr; ++one)
      guesses.push_back({BitsOfText(one->name), one->name});
  } else {
    for (std::int64_t number = kSmallest; number <= kLargest; ++number) {
      if (const auto bits = BitsOf(*type, number))
        guesses.push_back({*bits, TextOfBits(*type, *bits)});
    }
  }
  return guesses;
}

/// Finds the recorded values of a chunk from its digest, because only the digest was recorded.
/// Tries typical effects of upgrade code: fields that keep the values in the file, a field that has
/// the same value in all elements, and a field that is slightly larger or smaller. A guess that
/// yields the recorded digest is correct.
class Explainer {
 public:
  /// `now` contains the chunk's current values. `read` contains its values in the file, before
  /// upgrades, and may be empty. `difference` is the recorded digest minus the digest of `now`.
  Explainer(const Elements& read, const Elements& now, std::uint64_t difference)
      : now_(now), difference_(difference) {
    for (const Element* element : read) read_.emplace(element->leaf.path, element);
  }

  /// Returns the changes from the recorded values to the current values, or nothing if no guess
  /// fits.
  std::vector<golden::Change> Run() {
    const auto as_read = [&](const Element& element) { return AsRead(element); };
    if (Fits(now_, as_read)) return Changes(now_, as_read);
    std::map<std::string, Elements> fields;
    for (const Element* element : now_) fields[PlaceOf(element->leaf.path)].push_back(element);
    for (const auto& [unused, field] : fields) {
      if (Fits(field, as_read)) return Changes(field, as_read);
      for (const Guess& guess : Constants(field)) {
        const auto constant = [&](const Element&) { return guess; };
        if (Fits(field, constant)) return Changes(field, constant);
      }
      if (!IsInteger(field.front()->type)) continue;
      constexpr std::int64_t kMost = 16;
      for (std::int64_t less = -kMost; less <= kMost; ++less) {
        const auto shifted = [&](const Element& element) {
          const std::uint64_t bits = element.bits - static_cast<std::uint64_t>(less);
          return Guess{bits, TextOfBits(*element.type, bits)};
        };
        if (less != 0 && Fits(field, shifted)) return Changes(field, shifted);
      }
    }
    return {};
  }

 private:
  using Was = std::function<Guess(const Element&)>;

  Guess AsRead(const Element& element) const {
    const auto found = read_.find(element.leaf.path);
    const Element& was =
        found == read_.end() || found->second->type != element.type ? element : *found->second;
    return {was.bits, was.leaf.text};
  }
  bool Fits(const Elements& field, const Was& was) const {
    std::uint64_t sum = 0;
    for (const Element* element : field)
      sum +=
          MixDigest(element->place, was(*element).bits) - MixDigest(element->place, element->bits);
    return sum == difference_;
  }
  static std::vector<golden::Change> Changes(const Elements& field, const Was& was) {
    std::vector<golden::Change> changes;
    for (const Element* element : field) {
      Guess before = was(*element);
      if (before.bits != element->bits)
        changes.push_back({element->leaf.path, std::move(before.text), element->leaf.text});
    }
    return changes;
  }

  const Elements& now_;
  const std::uint64_t difference_;
  std::unordered_map<std::string_view, const Element*> read_;
};

class Expander {
 public:
  Expander(const Condensed& before, const Condensed& after, const Renames& renames, Before known)
      : before_(before), after_(after), renames_(renames), known_(known) {}

  void Add(const golden::Change& change) {
    if (!StandsForMany(change.path)) return Take(change);
    if (looked_into_ == kMostExpanded) {
      ++out_.not_looked_into;
      return;
    }
    ++looked_into_;
    const auto chunk = ChunkOf(change.path);
    if (!chunk) return Take(change);
    AddChunk(*chunk, change);
  }
  LargeChanges Take() { return std::move(out_); }

 private:
  void Take(golden::Change change) {
    if (out_.changes.size() < kMostKept) {
      out_.changes.push_back(std::move(change));
    } else {
      ++out_.more;
    }
  }
  void AddChunk(const Chunk& chunk, const golden::Change& change) {
    const auto before = Within(chunk, before_.expanded), after = Within(chunk, after_.expanded);
    const bool both = known_ == Before::Expected && !before.empty() && !after.empty();
    const std::size_t first = out_.changes.size() + out_.more;
    for (golden::Change& each : both ? renames_.Compare(LeavesOf(before), LeavesOf(after))
                                     : Explained(change, before, after))
      Take(std::move(each));
    if (known_ == Before::Expected) AddBlocks(chunk);
    // Both sides are known and no change was found, so only approved names differ.
    if (both || out_.changes.size() + out_.more != first) return;
    Take({fmt::format("{}[{}..{}]", chunk.list, chunk.first, chunk.last),
          "digest " + change.before.value_or("none"), "digest " + change.after.value_or("none")});
  }
  std::vector<golden::Change> Explained(const golden::Change& change, const Elements& before,
                                        const Elements& after) const {
    const auto solved = after_.solved.find(change.path);
    if (solved != after_.solved.end() && solved->second.size() == 1) return solved->second;
    const auto difference = DifferenceOf(change);
    return difference ? Explainer(before, after, *difference).Run() : std::vector<golden::Change>();
  }
  void AddBlocks(const Chunk& chunk) {
    for (const auto& [path, numbers] : after_.blocks) {
      if (path.starts_with(chunk.list)) AddBlock(path);
    }
  }
  void AddBlock(const std::string& path) {
    const auto before = before_.blocks.find(path), after = after_.blocks.find(path);
    if (before == before_.blocks.end() || before->second.size != after->second.size) return;
    const auto &was = before->second, &is = after->second;
    const std::size_t count = std::min(was.bytes.size(), is.bytes.size()) / was.size;
    for (std::size_t i = 0; i < count; ++i) {
      if (std::memcmp(was.bytes.data() + i * was.size, is.bytes.data() + i * is.size, was.size) ==
          0)
        continue;
      if (out_.changes.size() == kMostKept) {
        ++out_.more;
      } else {
        Take({fmt::format("{}[{}]", path, i), NumberTextAt(was, i), NumberTextAt(is, i)});
      }
    }
  }

  const Condensed &before_, &after_;
  const Renames& renames_;
  const Before known_;
  std::size_t looked_into_ = 0;
  LargeChanges out_;
};

/// Returns the recorded values behind the wanted digests, decoded with the recorded layouts.
/// Returns nullopt if the layouts do not determine the bytes, for example for an Opaque type.
std::optional<Condensed> RecordedElements(const RootType& root, const History& history,
                                          const Golden& golden, const Wanted& wanted) {
  std::vector<Chunk> chunks;
  for (const auto& [path, unused] : wanted) {
    if (const auto chunk = ChunkOf(path)) chunks.push_back(*chunk);
  }
  if (chunks.empty() || IsOpaque(root.type())) return std::nullopt;
  const auto payload = history.ReadLarge(golden);
  if (!payload) return std::nullopt;
  auto recorded = DecodeRecorded(root, history, golden.revision, *payload, chunks);
  if (recorded) return recorded;
  const ClassNames classes =
      ClassesIn(root.type(), *payload, history.revisions()[golden.revision].number);
  return classes.empty()
             ? std::nullopt
             : DecodeRecorded(root, history, golden.revision, *payload, chunks, classes);
}

}  // namespace

std::int64_t SavedAt(const History& history) {
  return history.newest_recorded() == History::none()
             ? history.latest().number
             : history.revisions()[history.newest_recorded()].number;
}

LargeDecoded DecodeLarge(const RootType& root, const History& history, const Golden& golden,
                         std::int64_t number, const std::string& expected, unsigned char garbage,
                         std::vector<std::byte>* bytes) {
  LargeDecoded decoded;
  const std::int64_t own = history.revisions()[golden.revision].number;
  auto payload = history.ReadLarge(golden);
  if (!payload) {
    decoded.unreadable = payload.error();
    return decoded;
  }
  // The program's own streams may both read and write a value differently and still save the same
  // bytes, so the values of an Opaque type are always visited.
  const bool opaque = IsOpaque(root.type());
  {
    DirtyHeap(garbage);
    const Object object(root.type(), garbage);
    if (opaque) {
      decoded.read = CondensedRead(root.type(), *payload, own, object.get());
      decoded.complete = decoded.read.ok && decoded.read.at_end;
      decoded.offset = decoded.read.offset;
      decoded.path = decoded.read.path;
      decoded.reason = decoded.read.reason;
      if (decoded.complete) decoded.resaved = CondensedWrite(root.type(), object.get(), number);
    } else {
      const auto outcome = root.Read(*payload, own, object.get());
      decoded.complete = outcome.ok && outcome.at_end;
      decoded.offset = outcome.offset;
      decoded.path = BelowRoot(outcome.path, root.type());
      decoded.reason = outcome.reason.empty() && !outcome.ok ? "refused" : outcome.reason;
    }
    if (!decoded.complete) return decoded;
    if (bytes == nullptr) {
      payload->resize(payload->capacity());
      decoded.saved = root.WriteHash(number, object.get(), decoded.hash, *payload).ok;
      *payload = {};
    } else {
      *bytes = std::move(*payload);  // reuses the memory for the saved bytes
      bytes->clear();
      decoded.saved = root.Write(number, object.get(), *bytes).ok;
      decoded.hash = revctl::Checksum(*bytes);
    }
  }
  const bool same_bytes = decoded.saved && SavedText(decoded.hash) == expected;
  if (!same_bytes && bytes != nullptr) *bytes = {};
  decoded.as_recorded = same_bytes && !opaque;
  if (decoded.as_recorded || opaque) return decoded;
  payload = history.ReadLarge(golden);
  if (!payload) {
    decoded.unreadable = payload.error();
    return decoded;
  }
  DirtyHeap(garbage);
  const Object object(root.type(), garbage);
  decoded.read = CondensedRead(root.type(), *payload, own, object.get());
  *payload = {};
  decoded.resaved = CondensedWrite(root.type(), object.get(), number);
  return decoded;
}

std::string SavedText(std::uint64_t hash) { return golden::Quote(golden::HashText(hash)); }

std::string TakeSaved(std::vector<golden::Leaf>& leaves) {
  std::string text;
  std::erase_if(leaves, [&](const golden::Leaf& leaf) {
    if (leaf.path != golden::kSaved) return false;
    text = leaf.text;
    return true;
  });
  return text;
}

Wanted WantedOf(const std::vector<golden::Change>& changes) {
  Wanted wanted;
  for (const golden::Change& change : changes) {
    if (wanted.size() == kMostExpanded) break;
    if (!StandsForMany(change.path)) continue;
    wanted.emplace(change.path, DifferenceOf(change));
  }
  return wanted;
}

LargeChanges NameChanges(const RootType& root, const History& history, const Golden& golden,
                         const std::vector<golden::Change>& changes, const Condensed& now,
                         const Renames& renames) {
  const auto recorded = RecordedElements(root, history, golden, WantedOf(changes));
  return recorded ? Expand(changes, *recorded, now, renames)
                  : Expand(changes, {}, now, renames, Before::Read);
}

LargeChanges Expand(const std::vector<golden::Change>& changes, const Condensed& before,
                    const Condensed& after, const Renames& renames, Before known) {
  Expander expander(before, after, renames, known);
  for (const golden::Change& change : changes) expander.Add(change);
  return expander.Take();
}

}  // namespace revctl::harness
