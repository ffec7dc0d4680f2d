#include "harness/signals/digest_explained.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using Element = Condensed::Element;
using Elements = std::vector<const Element*>;
using revctl::Kind;

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

class Explainer {
 public:
  Explainer(const Elements& read, const Elements& now, std::uint64_t difference)
      : now_(now), difference_(difference) {
    for (const Element* element : read) read_.emplace(element->leaf.path, element);
  }

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

}  // namespace

std::vector<golden::Change> ExplainDigest(const Elements& read, const Elements& now,
                                          std::uint64_t difference) {
  return Explainer(read, now, difference).Run();
}

}  // namespace revctl::harness
