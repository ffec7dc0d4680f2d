#include "harness/signals/written_fields.h"

#include <algorithm>
#include <set>
#include <utility>

#include <revctl/trace.h>

#include "golden/held_version.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using ByteString = std::vector<std::byte>;

/// Time limit for one search, because each attempt writes the object, and a large object takes long
/// to write.
constexpr double kMostMilliseconds = 5000;

/// Returns the bytes that the writer produces, or nullopt if it fails. If the writer fails only
/// because of the byte count (CountedOutcome), returns the bytes and stores the reason in
/// `refusal`.
std::optional<ByteString> WriteBytes(const RootType& root, std::int64_t number, const void* object,
                                     std::string* refusal = nullptr) {
  ByteString bytes;
  const auto outcome = root.Write(number, object, bytes);
  const bool counted = !bytes.empty() && outcome.offset == bytes.size();
  if (!outcome.ok && !counted) return std::nullopt;
  if (!outcome.ok && refusal != nullptr) *refusal = outcome.reason;
  return bytes;
}

/// Changes every number in the blocks of a single field. Refill cannot do this, because it
/// generates all blocks of an object from one seed.
class BlockChanger : public revctl::TraceWriter {
 public:
  BlockChanger(const revctl::TypeInfo& root, std::int64_t number, const std::string& place)
      : TraceWriter(revctl::Revision(number)), root_(root), place_(place) {
    CollectLeaves(false);
  }
  void Block(const revctl::TypeInfo& type, void* numbers, std::size_t count) override {
    if (FieldOf(BelowRoot(Path(), root_)) == place_) {
      const std::size_t size = revctl::detail::ScalarSize(type.part(0).kind);
      auto* const bytes = static_cast<unsigned char*>(numbers);
      for (std::size_t i = 0; i < count; ++i) bytes[i * size] ^= 1;
    }
    TraceWriter::Block(type, numbers, count);
  }

 private:
  const revctl::TypeInfo& root_;
  const std::string& place_;
};

/// Writes copies of an object, each changed in a single field.
class FieldProbe {
 public:
  FieldProbe(const RootType& root, const Rewritten& written, const CheckContext& context)
      : root_(root), leaves_(written.leaves), latest_(context.history.latest().number) {
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (leaves_[i].path.find("#integrity") != std::string::npos) continue;
      const std::string place = FieldOf(leaves_[i].path);
      auto& group = groups_[place];
      if (group.empty()) places_.push_back(place);
      group.push_back(i);
    }
  }
  const std::vector<std::string>& places() const { return places_; }

  /// The unchanged object. The seed determines the values of memory that the golden does not
  /// record.
  struct Base {
    std::uint64_t seed = 0;
    ByteString bytes;
    std::vector<golden::Leaf> leaves;
  };
  /// Writes the unchanged object at a revision, once with each of several seeds, and returns the
  /// results.
  std::vector<Base> Bases(std::int64_t number) const {
    std::vector<Base> bases;
    for (const std::uint64_t seed : {1000u, 2000u, 3000u}) {
      const Refilled object = Refill(root_.type(), leaves_, latest_, seed, {});
      if (!object.ok) continue;
      // Trace before writing, because some writers reset a member to its default when they skip it.
      auto leaves = TraceValues(root_.type(), object.object.get(), latest_).leaves;
      auto bytes = WriteBytes(root_, number, object.object.get());
      if (!bytes) continue;
      bases.push_back({seed, std::move(*bytes), std::move(leaves)});
    }
    return bases;
  }

  /// Sets `tried` and `at` of a field, based on the result of Bases(number).
  void Place(std::int64_t number, const std::vector<Base>& bases, Placed& placed) const {
    const auto group = groups_.find(placed.place);
    if (group == groups_.end()) return;
    std::vector<golden::Leaf> others;
    auto next = group->second.begin();
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (next != group->second.end() && *next == i) ++next;
      else others.push_back(leaves_[i]);
    }
    for (const Base& base : bases) {
      const Refilled object = Refill(root_.type(), others, latest_, base.seed, {});
      if (!object.ok) continue;
      const auto same = [&] {
        return TraceValues(root_.type(), object.object.get(), latest_).leaves == base.leaves;
      };
      if (same()) {
        BlockChanger changer(root_.type(), latest_, placed.place);
        changer.VisitRoot(root_.type(), object.object.get());
        // The new value often equals the old one, for example for a bool. Writing it would prove
        // nothing, so try the next seed.
        if (same()) continue;
      }
      const auto bytes = WriteBytes(root_, number, object.object.get());
      if (!bytes) continue;
      placed.tried = true;
      const std::size_t at = FirstOtherByte(base.bytes, *bytes);
      if (at == base.bytes.size() && at == bytes->size()) continue;
      placed.at = std::min(at, placed.at.value_or(at));
    }
  }

 private:
  const RootType& root_;
  const std::vector<golden::Leaf>& leaves_;
  const std::int64_t latest_;
  std::vector<std::string> places_;
  std::map<std::string, std::vector<std::size_t>> groups_;
};

}  // namespace

std::size_t FirstOtherByte(std::span<const std::byte> one, std::span<const std::byte> other) {
  const auto at = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first;
  return static_cast<std::size_t>(at - one.begin());
}

std::string FieldOf(const std::string& path) {
  std::string place = PlaceOf(path);
  place = place.substr(0, place.find('#'));
  while (place.ends_with("[]")) place.resize(place.size() - 2);
  return place;
}

std::optional<Rewritten> Rewrite(const RootType& root, const Decoded& decoded,
                                 const CheckContext& context) {
  Rewritten out(
      Refill(root.type(), decoded.golden->item->values, decoded.number, 1, context.renames));
  if (!out.object.ok) return std::nullopt;
  const std::int64_t latest = context.history.latest().number;
  void* const object = out.object.object.get();
  Traced values = TraceValues(root.type(), object, latest);
  out.layouts = values.notes.Layouts(latest);
  out.leaves = std::move(values.leaves);
  for (const std::int64_t number : {decoded.number, latest}) {
    auto bytes = WriteBytes(root, number, object, &out.refusal);
    if (!bytes) continue;
    out.number = number;
    out.bytes = std::move(*bytes);
    // Some writers store the number of the latest revision in each file. Replace it with the
    // golden's.
    const golden::HeldVersion* const held = context.history.HeldVersionOf(root.name);
    if (held != nullptr && golden::Holds(*held, out.bytes, latest))
      out.bytes = golden::WithVersion(*held, out.bytes, number);
    return out;
  }
  return std::nullopt;
}

std::vector<Placed> PlaceFields(const RootType& root, const Rewritten& written,
                                const std::vector<golden::Leaf>& recorded,
                                const CheckContext& context) {
  constexpr std::size_t kMostFields = 256;
  std::set<std::string> known;
  for (const golden::Leaf& leaf : recorded) known.insert(FieldOf(leaf.path));
  const FieldProbe probe(root, written, context);
  const auto bases = probe.Bases(written.number);
  const Stopwatch watch;
  std::vector<Placed> placed;
  for (const std::string& place : probe.places()) {
    if (placed.size() == kMostFields) break;
    Placed& one = placed.emplace_back(Placed{place, known.contains(place), false, {}});
    if (watch.Milliseconds() < kMostMilliseconds) probe.Place(written.number, bases, one);
  }
  return placed;
}

const Revision* FirstToWrite(const RootType& root, const Rewritten& written,
                             const std::string& place, const CheckContext& context) {
  const FieldProbe probe(root, written, context);
  const Stopwatch watch;
  for (const Revision& revision : context.history.revisions()) {
    if (revision.number <= written.number) continue;
    if (watch.Milliseconds() > kMostMilliseconds) break;
    Placed placed{place, false, false, {}};
    probe.Place(revision.number, probe.Bases(revision.number), placed);
    if (placed.at) return &revision;
  }
  return nullptr;
}

const Placed* FieldAround(const std::vector<Placed>& placed, std::size_t at) {
  const Placed* around = nullptr;
  bool unique = true;
  for (const Placed& one : placed) {
    if (!one.at || *one.at > at || (around != nullptr && *one.at < *around->at)) continue;
    unique = around == nullptr || *one.at > *around->at;
    around = &one;
  }
  return unique ? around : nullptr;
}

const Placed* FieldFrom(const std::vector<Placed>& placed, std::size_t at) {
  const Placed* from = nullptr;
  for (const Placed& one : placed) {
    if (one.at && *one.at >= at && (from == nullptr || *one.at < *from->at)) from = &one;
  }
  return from;
}

std::string FieldWrittenAt(const CheckContext& context, const RootType& root,
                           const Decoded& decoded, std::size_t at) {
  // Maximum number of attempts, because each attempt visits the whole object.
  constexpr std::size_t kMostAsked = 256;
  const auto& leaves = decoded.read.leaves;
  const Refilled same = Refill(root.type(), leaves, decoded.number, 1, context.renames);
  const auto base =
      same.ok ? WriteBytes(root, decoded.number, same.object.get()) : std::optional<ByteString>();
  if (!base) return "";
  std::string field;
  std::size_t nearest = 0;
  bool unique = false;
  for (std::size_t i = 0; i < std::min(leaves.size(), kMostAsked); ++i) {
    if (leaves[i].path.find('#') != std::string::npos) continue;
    std::vector<golden::Leaf> others = leaves;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const Refilled other = Refill(root.type(), others, decoded.number, 1, {});
    const auto written = other.ok ? WriteBytes(root, decoded.number, other.object.get())
                                  : std::optional<ByteString>();
    if (!written) continue;
    const std::size_t first = FirstOtherByte(*base, *written);
    if (first > at || first < nearest || (first == base->size() && written->size() == first))
      continue;
    unique = field.empty() || first > nearest;
    nearest = first;
    field = leaves[i].path;
  }
  return unique ? field : "";
}

std::vector<Call> CallsOf(const RootType& root, const Rewritten& written) {
  std::vector<Call> calls;
  if (root.entry.trace == nullptr) return calls;
  for (WrittenField& field : root.entry.trace(written.number, written.object.object.get()))
    calls.push_back({std::move(field), written.bytes.size()});
  for (std::size_t i = 0; i + 1 < calls.size(); ++i)
    calls[i].end = std::max(calls[i].field.begin, calls[i + 1].field.begin);
  return calls;
}

const Call* CallAt(const std::vector<Call>& calls, std::size_t at) {
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const Call& call) {
    return call.field.begin <= at && at < call.end;
  });
  return found == calls.end() ? nullptr : &*found;
}

}  // namespace revctl::harness
