#include "harness/samples/reaching_inventor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::Kind;
using revctl::TypeInfo;

constexpr std::size_t kDeepestReached = 3;  ///< containers in one another; below, as few as may be

bool IsSingle(const TypeInfo& type) {
  return type.kind <= Kind::F64 || type.kind == Kind::Enum || type.kind == Kind::String ||
         type.kind == Kind::Bitset;
}

bool Grows(const TypeInfo& type) { return type.kind == Kind::Sequence; }

}  // namespace

ReachingInventor::ReachingInventor(const TypeInfo& root, std::int64_t number, std::uint64_t seed,
                                   const ReachingPlan& plan, LayoutNotes* notes)
    : Inventor(root, number, seed, notes), plan_(plan) {}

void ReachingInventor::BeginRecord(const TypeInfo& type, void* object) {
  records_.push_back(type.name());
  Inventor::BeginRecord(type, object);
}

void ReachingInventor::EndRecord(const TypeInfo& type, void* object) {
  Inventor::EndRecord(type, object);
  records_.pop_back();
}

void ReachingInventor::Field(const revctl::FieldVisit& field) {
  const std::string record = records_.empty() ? "" : records_.back();
  const std::string outer = std::exchange(field_, record + "." + field.site.name);
  const bool outer_is_bits = std::exchange(is_bits_, field.site.form == revctl::Form::Bits);
  if (is_bits_ && field.live && field.condition)
    bit_fields_[field_] = static_cast<unsigned>(8 * field.type.size);
  Inventor::Field(field);
  field_ = outer;
  is_bits_ = outer_is_bits;
}

void ReachingInventor::BeginElement(const TypeInfo& element, std::size_t index, bool is_key) {
  Inventor::BeginElement(element, index, is_key);
  elements_.push_back({index, is_key});
  if (!is_key) return;
  // Of a key within a key the outer one decides.
  if (open_keys_++ == 0) keys_.back().leaf = 0;
}

void ReachingInventor::EndElement() {
  const Element last = elements_.back();
  elements_.pop_back();
  if (last.is_key && --open_keys_ == 0 && last.index == 0)
    keys_.back().leaves = std::max<std::size_t>(1, keys_.back().leaf);
  Inventor::EndElement();
}

std::size_t ReachingInventor::BeginContainer(const TypeInfo& type, std::size_t count) {
  keys_.emplace_back();
  const std::size_t taken = Inventor::BeginContainer(type, count);
  if (type.kind != Kind::Variant) return taken;
  // Each alternative has values of its own.
  keys_.back().field = field_;
  field_ += " " + std::to_string(taken);
  return taken;
}

void ReachingInventor::EndContainer(const TypeInfo& type) {
  Inventor::EndContainer(type);
  if (type.kind == Kind::Variant) field_ = keys_.back().field;
  keys_.pop_back();
}

/// The first key has variant 0 everywhere; each other differs from it in one leaf.
ReachingKey ReachingInventor::NextKey() {
  std::size_t at = elements_.size();
  for (std::size_t i = elements_.size(); i-- > 0;) {
    if (elements_[i].is_key) at = i;
  }
  // Containers and elements nest alike: one element is open in each but perhaps the last.
  Keys& keys = keys_[at];
  const std::size_t entry = elements_[at].index, leaf = keys.leaf++;
  ReachingKey key{plan_.round, 0};
  if (entry > 0 && leaf == (entry - 1) % keys.leaves) key.variant = 1 + (entry - 1) / keys.leaves;
  return key;
}

std::size_t ReachingInventor::Index() const {
  // In some rounds elements are equal, so that a reader which drops equal ones shows.
  if (plan_.round % 2 == 0) return 0;
  return elements_.empty() ? 0 : elements_.back().index;
}

/// Numbers of neighbouring fields differ, so that code shows which takes one for another, or
/// subtracts them.
std::size_t ReachingInventor::RoundOfNumbers() const {
  constexpr std::size_t kAlternating = 2;  // highest and lowest; zeros stand together
  if (plan_.round >= kAlternating) return plan_.round;
  const auto field = std::find(fields_.begin(), fields_.end(), field_);
  return (plan_.round + static_cast<std::size_t>(field - fields_.begin())) % kAlternating;
}

bool ReachingInventor::AllFirst() const {
  return std::all_of(elements_.begin(), elements_.end(),
                     [](const Element& element) { return element.index == 0; });
}

bool ReachingInventor::Reaches(const std::string& path) {
  // What stands before objects follows from them.
  if (!records_.empty() && (records_.back() == "object" || records_.back().starts_with("objects<")))
    return false;
  if (plan_.covered != nullptr && plan_.covered->contains(PlaceOf(path))) return false;
  if (known_.insert(field_).second) fields_.push_back(field_);
  return plan_.all_fields || plan_.fields.contains(field_);
}

void ReachingInventor::InventScalar(const TypeInfo& type, void* value, const std::string& path) {
  Inventor::InventScalar(type, value, path);
  if (InReference()) return;
  if (is_bits_) {
    const auto known = plan_.bits.find(field_);
    std::memset(value, 0, type.size);
    if (Reaches(path) && known != plan_.bits.end())
      Reaching{plan_.round, 0}.Bits(type, value, known->second);
    return;
  }
  const bool reaches = Reaches(path);
  if (open_keys_ > 0) {
    const ReachingKey key = NextKey();
    if (reaches) key.Scalar(type, value);
  } else if (type.kind == Kind::Enum || type.kind == Kind::Bool) {
    if (reaches || plan_.turn > 0) Reaching{plan_.round, Index(), plan_.turn}.Scalar(type, value);
  } else if (reaches) {
    Reaching{RoundOfNumbers(), Index()}.Scalar(type, value);
  }
}

void ReachingInventor::InventBytes(const TypeInfo& type, std::string& bytes,
                                   const std::string& path) {
  Inventor::InventBytes(type, bytes, path);
  const bool reaches = Reaches(path);
  if (open_keys_ > 0) {
    const ReachingKey key = NextKey();
    if (reaches) key.Bytes(type, bytes);
  } else if (reaches) {
    Reaching{plan_.round, Index()}.Bytes(type, bytes);
  }
}

std::size_t ReachingInventor::InventCount(const TypeInfo& type, std::size_t filled,
                                          const std::string& path) {
  if (InReference() && !Grows(type)) return Inventor::InventCount(type, filled, path);
  const bool reaches = Reaches(path);
  if (InReference() && !reaches) return 0;
  const std::size_t depth = keys_.size() - 1;  // this one is open already
  if (type.kind == Kind::Variant)
    return depth > kDeepestReached ? filled : (filled + plan_.round + plan_.turn) % type.count;
  if (depth > kDeepestReached) return 0;
  // What holds a place to be reached is there, even where it is covered itself.
  if (open_keys_ > 0 || !reaches) return depth + 1 > kDeepestReached ? filled : 1;
  const std::size_t wanted = Reaching{plan_.round, 0, plan_.turn}.Count(type);
  // Of containers in one another the first ones are large; some of the others are empty.
  if (!AllFirst())
    return elements_.back().index == 1 && plan_.round % 2 == 1 ? 0
                                                               : std::min<std::size_t>(wanted, 2);
  bool single = true;
  for (std::size_t i = 0; i < type.parts; ++i) single = single && IsSingle(type.part(i));
  return std::min(wanted, single ? plan_.most_singles : plan_.most_records);
}

}  // namespace revctl::harness
