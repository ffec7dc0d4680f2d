#include "harness/samples/edge_samples.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <revctl/detail/base/parse_number.h>

#include "harness/layout/fields.h"
#include "harness/samples/sample_filler.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/tracing.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

template <class T>
void AddOnce(std::vector<T>& list, T value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

struct NumberLiteral {
  std::int64_t whole = 0;  ///< the number without decimals
  double real = 0;
};

/// Parses a decimal, hexadecimal or floating-point literal at `at`. Moves `at` past the literal and
/// its suffixes.
NumberLiteral TakeNumber(const std::string& text, std::size_t& at) {
  const bool hex =
      text[at] == '0' && at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X');
  if (hex) at += 2;
  std::string digits;
  for (; at < text.size(); ++at) {
    const char c = text[at], before = digits.empty() ? ' ' : digits.back();
    const bool exponent = !hex && (c == '+' || c == '-') && (before == 'e' || before == 'E');
    if (!base::IsWord(c) && c != '.' && c != '\'' && !exponent) break;
    if (c != '\'') digits += c;  // a digit separator
  }
  NumberLiteral literal;
  const char *begin = digits.data(), *end = begin + digits.size();
  (void)std::from_chars(begin, end, literal.whole, hex ? 16 : 10);
  literal.real = static_cast<double>(literal.whole);
  if (hex || digits.find_first_of(".eE") == std::string::npos) return literal;
  // A float literal such as `0.1f` differs from the double 0.1.
  const bool is_float = digits.back() == 'f' || digits.back() == 'F';
  const std::string_view number =
      std::string_view(digits).substr(0, digits.find_last_not_of("fFlL") + 1);
  if (float narrow = 0; is_float) {
    if (revctl::detail::ParseNumber(number, narrow)) literal.real = static_cast<double>(narrow);
  } else {
    (void)revctl::detail::ParseNumber(number, literal.real);
  }
  if (literal.real >= -1e15 && literal.real <= 1e15)
    literal.whole = static_cast<std::int64_t>(literal.real);
  return literal;
}

/// Returns the content of the string literal at `at`, and moves `at` past it. Returns nullopt if it
/// contains an unusual escape.
std::optional<std::string> TakeText(const std::string& text, std::size_t& at) {
  std::optional<std::string> taken = "";
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    char c = text[at];
    if (c == '\\' && at + 1 < text.size()) {
      c = text[++at];
      constexpr std::string_view kNames = "ntr\"\\'", kMeant = "\n\t\r\"\\'";
      const auto known = kNames.find(c);
      if (known == std::string_view::npos) {
        taken.reset();
        continue;
      }
      c = kMeant[known];
    }
    if (taken) *taken += c;
  }
  if (at < text.size()) ++at;
  return taken;
}

/// Returns the last non-blank character before `at`, or 0.
char Before(const std::string& text, std::size_t at) {
  while (at > 0 && text[at - 1] == ' ') --at;
  return at > 0 ? text[at - 1] : '\0';
}

}  // namespace

ConditionEdges EdgesOf(const std::string& condition) {
  ConditionEdges edges;
  std::set<std::int64_t> values = {-1, 0, 1};
  for (std::size_t at = 0; at < condition.size();) {
    if (base::IsDigit(condition[at])) {
      const bool negative = Before(condition, at) == '-';
      const auto [whole, real] = TakeNumber(condition, at);
      for (std::int64_t near : {whole - 1, whole, whole + 1, -whole}) values.insert(near);
      AddOnce(edges.reals, real);
      if (!negative) continue;  // the minus may also be a subtraction, so try both signs
      for (std::int64_t near : {-whole - 1, -whole + 1}) values.insert(near);
      AddOnce(edges.reals, -real);
    } else if (condition[at] == '"') {
      const auto text = TakeText(condition, at);
      if (!text) continue;
      AddOnce(edges.texts, *text);
      AddOnce(edges.texts, *text + "x");
    } else if (base::BeginsName(condition[at])) {
      std::size_t end = at;
      while (end < condition.size() && base::IsWord(condition[end])) ++end;
      std::string word = condition.substr(at, end - at);
      const bool calls = condition.compare(end, 1, "(") == 0;
      edges.asks_size =
          edges.asks_size || (calls && (word == "size" || word == "length" || word == "ssize"));
      AddOnce(edges.fields, std::move(word));
      at = end;
    } else {
      ++at;
    }
  }
  edges.values.assign(values.begin(), values.end());
  if (edges.values.size() > ConditionEdges::kMost) edges.values.resize(ConditionEdges::kMost);
  if (edges.reals.size() > ConditionEdges::kMostReals)
    edges.reals.resize(ConditionEdges::kMostReals);
  return edges;
}

// Makes samples on both sides of each decision, so that a changed condition reads at least one of
// them differently.

namespace {

/// A value for a field of a record type, used wherever the field occurs. Ignored if the field
/// cannot hold the value.
struct Override {
  std::string record, field;
  std::int64_t value = 0;             ///< value of a number or enum; size of a container or string
  std::optional<double> real{};       ///< used instead of `value` for floats
  int step = 0;                       ///< distance from `real` in representable values
  std::optional<std::string> text{};  ///< used instead of `value` for strings
  std::size_t most_elements = 16;
};

class OverridePolicy : public LeafPolicy {
 public:
  explicit OverridePolicy(const Override& override) : override_(override) {}

  bool applied() const { return applied_; }

  void Begin() override { applied_ = false; }
  void BeginField(const FieldVisit& field, const LeafPlace& place) override {
    outer_.push_back(pending_);
    pending_ = field.live && field.condition && place.record != nullptr &&
               override_.field == place.field && place.record->name() == override_.record;
  }
  void EndField() override {
    pending_ = outer_.back();
    outer_.pop_back();
  }
  void Scalar(const TypeInfo& type, void* value, const LeafPlace&) override {
    const bool is_float = type.kind == Kind::F32 || type.kind == Kind::F64;
    if (Take(!override_.text && (is_float || !override_.real))) Put(type, value);
  }
  void Bytes(const TypeInfo& type, std::string& bytes, const LeafPlace&) override {
    if (!Take(type.kind == Kind::String && !override_.real)) return;
    if (override_.text) bytes = *override_.text;
    else bytes.assign(Clamped(kMostLetters), 'x');
  }
  std::size_t Count(const TypeInfo& type, std::size_t filled, const LeafPlace&) override {
    const bool may_be = type.kind == Kind::Optional || type.kind == Kind::Pointer;
    if (pending_ && may_be && (override_.text || override_.real))
      return 1;  // make the container non-empty, because the override applies to its value
    if (!Take(!override_.text && !override_.real)) return filled;
    switch (type.kind) {
      case Kind::Sequence:
      case Kind::Map:
      case Kind::Set:
        return Clamped(override_.most_elements);
      case Kind::Optional:
      case Kind::Pointer:
        return override_.value != 0 ? 1 : 0;
      case Kind::Variant:
        return override_.value >= 0 && Clamped(type.count) < type.count ? Clamped(type.count)
                                                                        : filled;
      default:
        return filled;
    }
  }

 private:
  static constexpr std::size_t kMostLetters = 4096;

  /// True if the current field is the override's field and can hold its value (`fits`). Marks the
  /// override as applied.
  bool Take(bool fits) {
    if (!pending_) return false;
    pending_ = false;
    if (fits) applied_ = true;
    return fits;
  }
  std::size_t Clamped(std::size_t most) const {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(override_.value, 0, static_cast<std::int64_t>(most)));
  }

  template <class Number>
  void PutAs(void* value) const {
    auto number = static_cast<Number>(override_.value);
    if constexpr (std::is_floating_point_v<Number>) {
      constexpr Number kMost = std::numeric_limits<Number>::infinity();
      if (override_.real) number = static_cast<Number>(*override_.real);
      if (override_.step != 0) number = std::nextafter(number, override_.step < 0 ? -kMost : kMost);
    }
    std::memcpy(value, &number, sizeof number);
  }
  void Put(const TypeInfo& type, void* value) const {
    switch (type.underlying) {
      case Kind::Bool:
        return PutAs<bool>(value);
      case Kind::F32:
        return PutAs<float>(value);
      case Kind::F64:
        return PutAs<double>(value);
      default:
        revctl::detail::CopyLowBytes(value, override_.value, type.size);
    }
  }

  const Override override_;
  std::vector<bool> outer_;  ///< for each enclosing field: true if the override was pending
  bool pending_ = false, applied_ = false;
};

Object FillOverridden(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                      const Override& override, LayoutNotes* notes, bool* applied = nullptr) {
  OverridePolicy policy(override);
  FilledObject filled = FillObject(type, number, seed, policy, notes);
  if (applied != nullptr) *applied = policy.applied();
  return std::move(filled.object);
}

constexpr std::size_t kMostEdges = 32;
constexpr std::size_t kMostSized = 300, kMostLeavesOfMany = 400;

constexpr std::int64_t kScanFrom = -1, kScanTo = 17;

bool IsWhole(const revctl::LayoutField& field,
             const std::map<std::string, revctl::EnumLayout>& enums) {
  const std::string& type = field.type;
  return (IsNumber(type) && type[0] != 'f') || type == "bool" || enums.contains(type);
}

/// A field that may decide which fields are visited, with values that are worth a sample.
struct Deciding {
  std::string record, field;
  /// values taken from conditions; Turns() finds more
  ConditionEdges edges;
};

/// Returns the fields that conditions mention. If a plain `if` in a body controls a visit, also
/// returns all integer fields of that record.
std::vector<Deciding> DecidingFields(const LayoutNotes& notes, std::int64_t number) {
  std::vector<Deciding> found;
  const auto enums = notes.Enums();
  for (const auto& [type, trace] : notes.Layouts(number)) {
    bool branches = false;
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (field.condition.empty()) {
        branches = branches || !field.always;
        continue;
      }
      const ConditionEdges edges = EdgesOf(field.condition);
      for (const std::string& name : edges.fields) found.push_back({type, name, edges});
    }
    if (!branches) continue;
    for (const revctl::LayoutField& field : trace.layout.fields) {
      if (!field.name.empty() && IsWhole(field, enums)) found.push_back({type, field.name, {}});
    }
  }
  return found;
}

/// Returns the paths of all visited values, joined into one string.
std::string Shape(const Traced& traced) {
  std::string shape;
  for (const golden::Leaf& leaf : traced.leaves) shape += leaf.path + "\n";
  return shape;
}

/// Returns the values on both sides of each point at which the body starts to visit different
/// fields.
std::vector<std::int64_t> Turns(const TypeInfo& type, std::int64_t number, std::uint64_t seed,
                                const Deciding& deciding) {
  std::vector<std::int64_t> turns;
  std::optional<std::string> before;
  for (std::int64_t value = kScanFrom; value <= kScanTo; ++value) {
    Override override{deciding.record, deciding.field};
    override.value = value;
    if (!Progress::Enter(type.name(),
                         fmt::format("automatic sample with {} = {}", deciding.field, value)))
      continue;
    bool applied = false;
    const Object object = FillOverridden(type, number, seed, override, nullptr, &applied);
    if (!applied) return {};
    std::string shape = Shape(TraceWrite(type, object.get(), number));
    if (before && *before != shape) {
      if (turns.empty() || turns.back() != value - 1) turns.push_back(value - 1);
      turns.push_back(value);
    }
    before = std::move(shape);
  }
  // A container's count changes the shape at every value, which is not a decision.
  return turns.size() > 8 ? std::vector<std::int64_t>() : turns;
}

/// Formats the value for use in the sample's name.
std::string Spelled(const Override& override, std::size_t texts) {
  if (override.text) return fmt::format("text-{}", texts);
  if (!override.real) return std::to_string(override.value);
  char number[32];
  const std::string exact(number,
                          std::to_chars(number, number + sizeof number, *override.real).ptr);
  return (override.step < 0 ? "below-" : override.step > 0 ? "above-" : "") + exact;
}

struct Edge {
  Override override;
  std::string name;
};

std::vector<Edge> EdgesWorthIt(const TypeInfo& type, const LayoutNotes& notes, std::int64_t number,
                               std::uint64_t seed) {
  std::vector<Edge> found;
  std::set<std::string> done, names;
  for (Deciding& deciding : DecidingFields(notes, number)) {
    std::size_t texts = 0;
    const auto add = [&](Override override) {
      const std::string spelled = Spelled(override, texts);
      const std::string what = override.text ? *override.text : spelled;
      if (!done.insert(deciding.record + "." + deciding.field + "=" + what).second) return;
      override.record = deciding.record;
      override.field = deciding.field;
      std::string name = fmt::format("edge-{}-{}", deciding.field, spelled);
      if (!names.insert(name).second) names.insert(name += " of " + deciding.record);
      found.push_back({std::move(override), std::move(name)});
    };
    const auto add_whole = [&](std::int64_t value) {
      Override override;
      override.value = value;
      if (deciding.edges.asks_size) override.most_elements = kMostSized;
      if (!deciding.edges.asks_size || value <= static_cast<std::int64_t>(kMostSized))
        add(override);
    };
    for (const std::int64_t value : deciding.edges.values) add_whole(value);
    for (const std::int64_t value : Turns(type, number, seed, deciding)) add_whole(value);
    for (const double real : deciding.edges.reals) {
      for (const int step : {-1, 0, 1}) {
        Override override;
        override.real = real;
        override.step = step;
        add(override);
      }
    }
    for (const std::string& text : deciding.edges.texts) {
      ++texts;
      Override override;
      override.text = text;
      add(override);
    }
  }
  return found;
}

}  // namespace

std::vector<Sample> MakeEdgeSamples(const RootType& root, std::int64_t number, std::uint64_t own,
                                    const LayoutNotes& notes, const SampleFilter& wanted) {
  std::vector<Sample> samples;
  const TypeInfo& type = root.type();
  for (const Edge& edge : EdgesWorthIt(type, notes, number, own)) {
    if (samples.size() >= kMostEdges) break;
    if (!Progress::Enter(root.name, "automatic sample " + edge.name)) continue;
    LayoutNotes filled;
    bool applied = false;
    const Object object = FillOverridden(type, number, own, edge.override, &filled, &applied);
    const bool many = edge.override.most_elements > Override{}.most_elements &&
                      edge.override.value > static_cast<std::int64_t>(Override{}.most_elements);
    if (!applied || !wanted(object, filled, many ? kMostLeavesOfMany : SIZE_MAX)) continue;
    samples.push_back({edge.name, false,
                       [&type, own, override = edge.override](std::int64_t at, LayoutNotes* noted) {
                         return FillOverridden(type, at, own, override, noted);
                       }});
  }
  return samples;
}

}  // namespace revctl::harness
