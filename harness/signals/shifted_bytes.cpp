#include "harness/signals/shifted_bytes.h"

#include <fmt/core.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "golden/held_version.h"
#include "harness/advice/own_words.h"
#include "harness/samples/inventor.h"
#include "harness/trace/tracing.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

using ByteString = std::vector<std::byte>;

/// The position of a field in the bytes that the writer produces, found by changing the field's
/// value.
struct Placed {
  std::string place;      ///< place of the field, such as `units[].armour`
  bool recorded = false;  ///< true if the golden contains a value of the field
  bool tried = false;     ///< true if the writer accepted a different value
  /// offset of the first byte that depends on the value; nullopt if no byte does
  std::optional<std::size_t> at;
};

std::size_t CommonEnd(std::span<const std::byte> one, std::span<const std::byte> other,
                      std::size_t most) {
  std::size_t same = 0;
  while (same < most && one[one.size() - 1 - same] == other[other.size() - 1 - same]) ++same;
  return same;
}

/// Returns the field to which a path belongs: `notes` for `notes#count` and `notes[2]`, and
/// `units[].armour` for `units[3].armour`.
std::string FieldOf(const std::string& path) {
  std::string place = PlaceOf(path);
  place = place.substr(0, place.find('#'));
  while (place.ends_with("[]")) place.resize(place.size() - 2);
  return place;
}

/// Returns the bytes that the writer produces, or nullopt if it fails. If the writer rejects only
/// the number of its bytes (CountedOutcome), returns the bytes and stores the reason in `refusal`.
std::optional<ByteString> Write(const RootType& root, std::int64_t number, const void* object,
                                std::string* refusal = nullptr) {
  ByteString bytes;
  const auto outcome = root.Write(number, object, bytes);
  const bool counted = !bytes.empty() && outcome.offset == bytes.size();
  if (!outcome.ok && !counted) return std::nullopt;
  if (!outcome.ok && refusal != nullptr) *refusal = outcome.reason;
  return bytes;
}

/// A golden's recorded values, written by the current writer.
struct Rewritten {
  explicit Rewritten(Refilled refilled) : object(std::move(refilled)) {}
  Refilled object;
  std::int64_t number = 0;  ///< revision at which the values were written
  ByteString bytes;
  std::string refusal;               ///< why the writer rejected the bytes; empty if it did not
  std::vector<golden::Leaf> leaves;  ///< all values of the object at the latest revision
  std::map<std::string, TypeTrace> layouts;  ///< layouts of the object at the latest revision
};

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
    auto bytes = Write(root, number, object, &out.refusal);
    if (!bytes) continue;
    out.number = number;
    out.bytes = std::move(*bytes);
    // Some writers put the number of the latest revision into each file.
    const golden::HeldVersion* const held = context.history.HeldVersionOf(root.name);
    if (held != nullptr && golden::Holds(*held, out.bytes, latest))
      out.bytes = golden::WithVersion(*held, out.bytes, number);
    return out;
  }
  return std::nullopt;
}

/// Finds the byte at which each field begins. This is the first byte that changes if only this
/// field gets a different value.
std::vector<Placed> PlaceFields(const RootType& root, const Rewritten& written,
                                const std::vector<golden::Leaf>& recorded,
                                const CheckContext& context) {
  constexpr std::size_t kMostFields = 256;
  constexpr std::uint64_t kTries = 3;
  const std::int64_t latest = context.history.latest().number;
  std::set<std::string> known;
  for (const golden::Leaf& leaf : recorded) known.insert(FieldOf(leaf.path));
  std::vector<std::string> places;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < written.leaves.size(); ++i) {
    if (written.leaves[i].path.find("#integrity") != std::string::npos) continue;
    const std::string place = FieldOf(written.leaves[i].path);
    auto& group = groups[place];
    if (group.empty()) places.push_back(place);
    group.push_back(i);
  }
  if (places.size() > kMostFields) places.resize(kMostFields);
  const auto base = [&]() -> std::optional<ByteString> {
    const Refilled object = Refill(root.type(), written.leaves, latest, 1, {});
    return object.ok ? Write(root, written.number, object.object.get()) : std::nullopt;
  }();
  std::vector<Placed> placed;
  for (const std::string& place : places) {
    Placed& one = placed.emplace_back(Placed{place, known.contains(place), false, {}});
    if (!base) continue;
    std::vector<golden::Leaf> others = written.leaves;
    const auto& group = groups[place];
    for (auto i = group.rbegin(); i != group.rend(); ++i)
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(*i));
    for (std::uint64_t seed = 1; seed <= kTries; ++seed) {
      const Refilled object = Refill(root.type(), others, latest, seed * 1000, {});
      if (!object.ok) continue;
      const auto bytes = Write(root, written.number, object.object.get());
      // A bool often gets its old value again, which proves nothing. Try another value.
      if (!bytes || TraceValues(root.type(), object.object.get(), latest).leaves == written.leaves)
        continue;
      one.tried = true;
      const std::size_t at = FirstOtherByte(*base, *bytes);
      if (at == base->size() && at == bytes->size()) continue;
      one.at = std::min(at, one.at.value_or(at));
    }
  }
  return placed;
}

/// A call of the writer and the range of its bytes.
struct Call {
  WrittenField field;
  std::size_t end = 0;
};

std::vector<Call> CallsOf(const RootType& root, const Rewritten& written) {
  std::vector<Call> calls;
  if (root.entry.trace == nullptr) return calls;
  for (WrittenField& field : root.entry.trace(written.number, written.object.object.get()))
    calls.push_back({std::move(field), written.bytes.size()});
  for (std::size_t i = 0; i + 1 < calls.size(); ++i)
    calls[i].end = std::max(calls[i].field.begin, calls[i + 1].field.begin);
  return calls;
}

std::string LineAt(const std::string& file, int number) {
  std::ifstream in(file);
  std::string line;
  for (int i = 0; i < number; ++i) {
    if (!std::getline(in, line)) return "";
  }
  const std::size_t first = line.find_first_not_of(" \t");
  const std::size_t last = line.find_last_not_of(" \t\r");
  constexpr std::size_t kLongest = 100;
  if (first == std::string::npos) return "";
  return line.substr(first, std::min(last + 1 - first, kLongest));
}

/// Splits `a, b(c, d), e` at its outermost commas, and not inside parentheses.
std::vector<std::string> SplitArguments(const std::string& text) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth < 0) break;
    if (c == ',' && depth == 0) arguments.emplace_back();
    else arguments.back() += c;
  }
  return arguments;
}

/// Returns the member that a call saves: `mode` for `sw.DoEx(&s_state.mode, 72, 0)` and for `Do(sw,
/// state.mode)`.
std::string MemberIn(const std::string& call) {
  const std::size_t open = call.find('(');
  if (open == std::string::npos) return "";
  const auto arguments = SplitArguments(call.substr(open + 1));
  const bool method = call.find_first_of(".>") < open;
  std::string member = arguments[!method && arguments.size() > 1 ? 1 : 0];
  member = member.substr(0, member.find('['));
  member.erase(0, member.find_last_of(".>:&* ") + 1);
  const bool name = !member.empty() && !base::IsDigit(member[0]) &&
                    std::all_of(member.begin(), member.end(),
                                [](char c) { return base::IsAlphanumeric(c) || c == '_'; });
  return name ? member : "";
}

/// Sets the place and the text of the call, and also the field if it is not known yet.
void TakeCall(const CheckContext& context, const Call& call, ShiftedBytes& shift) {
  if (call.field.line != 0) {
    shift.place = {call.field.file, call.field.line};
    shift.call = LineAt(context.Whole(call.field.file), call.field.line);
  }
  if (shift.field.empty()) shift.field = call.field.name;
  if (shift.field.empty()) shift.field = MemberIn(shift.call);
}

/// Returns the field whose bytes contain `at`. Returns null if several fields begin at the same
/// byte, as in a compressed block.
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

/// Returns the values that a fresh object contains after reading, even if reading fails.
std::vector<golden::Leaf> ReadAsFarAsPossible(const RootType& root, const Decoded& decoded) {
  const Object object(root.type());
  (void)root.Read(decoded.golden->payload(), decoded.number, object.get());
  return TraceValues(root.type(), object.get(), decoded.number).leaves;
}

/// Returns the fields that are read with neither their recorded nor their upgraded value.
std::set<std::string> MisreadFields(const CheckContext& context, const RootType& root,
                                    const Decoded& decoded) {
  const auto now = decoded.complete ? decoded.read.leaves : ReadAsFarAsPossible(root, decoded);
  const auto upgraded = context.history.ExpectedUpgrade(*decoded.golden);
  std::set<std::string> fields;
  for (const golden::Change& change : context.renames.Compare(decoded.golden->item->values, now)) {
    const auto leaf =
        std::find_if(upgraded.begin(), upgraded.end(),
                     [&](const golden::Leaf& value) { return value.path == change.path; });
    const bool expected = leaf == upgraded.end() ? !change.after : change.after == leaf->text;
    if (!expected) fields.insert(FieldOf(change.path));
  }
  return fields;
}

/// Returns the revision since which the field exists, according to the type's layout at the latest
/// revision. Returns "" if the layout does not contain the field.
std::string SinceOf(const RootType& root, const Rewritten& written, const std::string& field) {
  const revctl::LayoutField* found = FieldAt(written.layouts, root.name, field);
  return found == nullptr ? "" : found->since;
}

/// True if a member that has a value in the golden takes more or fewer bytes now. The change begins
/// at an offset from `first` to `last`. It must be inside the bytes of the member's call or, if
/// there is no such call, inside the size of the member's type.
bool TakeReshaped(const CheckContext& context, const RootType& root, const Rewritten& written,
                  const std::vector<Placed>& placed, const std::vector<Call>& calls,
                  std::size_t first, std::size_t last, bool fewer, std::size_t bytes,
                  ShiftedBytes& shift) {
  const Placed* around = FieldAround(placed, last);
  if (fewer && last > 0 && around != nullptr && *around->at == last) {
    // If a number lost its upper bytes, the lost bytes end where the next member begins.
    const Placed* const before = FieldAround(placed, last - 1);
    const revctl::LayoutField* const number =
        before == nullptr ? nullptr : FieldAt(written.layouts, root.name, before->place);
    if (number != nullptr && number->size == last - *before->at + bytes) around = before;
  }
  if (around == nullptr || !around->recorded || first <= *around->at) return false;
  const auto call = std::find_if(calls.begin(), calls.end(), [&](const Call& one) {
    return one.field.begin <= *around->at && *around->at < one.end;
  });
  const revctl::LayoutField* field = FieldAt(written.layouts, root.name, around->place);
  // A number that is saved in a different form takes as many bytes as its type either before or
  // after the change.
  const Placed* next = FieldFrom(placed, *around->at + 1);
  if (call == calls.end() && field != nullptr && field->size != 0 && next != nullptr) {
    const std::size_t now = *next->at - *around->at;
    if (now != field->size && (fewer ? now + bytes : now - bytes) != field->size) return false;
  }
  const std::size_t end = call != calls.end() ? call->end
                          : field != nullptr  ? *around->at + field->size
                                              : *around->at;
  // If neighboring bytes are equal, the exact position of the dropped bytes is unknown. Therefore,
  // they may also end exactly where the member ends.
  if (last >= end && !(fewer && last == end)) return false;
  shift.cause = ShiftedBytes::Cause::Reshaped;
  shift.fewer = fewer;
  shift.field = around->place;
  shift.at = last;
  if (call != calls.end()) TakeCall(context, *call, shift);
  return true;
}

/// Explains added bytes. They begin at an offset from `first` to `last` in the bytes that the
/// current writer produces. The exact offset is unknown if neighboring bytes are equal.
std::optional<ShiftedBytes> Added(const CheckContext& context, const RootType& root,
                                  const Rewritten& written, const std::vector<Placed>& placed,
                                  const std::vector<Call>& calls, std::size_t first,
                                  std::size_t last, std::size_t bytes) {
  ShiftedBytes shift;
  shift.bytes = bytes;
  // The added bytes may belong to a variable that still contains bytes which a reader took from the
  // golden. In this case, the first possible offset is the right one. Otherwise, all offsets yield
  // the same bytes.
  shift.at = first;
  const auto inside = [&](std::size_t at) { return at >= first && at <= last; };
  // Prefer a field without a value in the golden, because it is the most likely cause.
  const auto fresh = std::find_if(placed.begin(), placed.end(), [&](const Placed& one) {
    return !one.recorded && one.at && inside(*one.at);
  });
  if (fresh != placed.end()) {
    shift.field = fresh->place;
    shift.at = *fresh->at;
    shift.since = SinceOf(root, written, fresh->place);
    shift.cause = ShiftedBytes::Cause::AddedTooOld;
  }
  const auto known = [&](const Call& call) {
    return std::any_of(placed.begin(), placed.end(), [&](const Placed& one) {
      return one.recorded && one.at && *one.at >= call.field.begin && *one.at < call.end;
    });
  };
  const Call* best = nullptr;
  int best_rank = 0;
  for (const Call& call : calls) {
    if (!inside(call.field.begin) || call.end == call.field.begin) continue;
    if (fresh != placed.end() && (*fresh->at < call.field.begin || *fresh->at >= call.end))
      continue;
    const int rank = 1 + (call.end - call.field.begin == bytes ? 1 : 0) + (known(call) ? 0 : 2);
    if (rank < best_rank) continue;
    best = &call;
    best_rank = rank;
  }
  const bool is_known = best == nullptr || known(*best);
  if (fresh == placed.end() && is_known &&
      TakeReshaped(context, root, written, placed, calls, first, last, false, bytes, shift))
    return shift;
  if (best != nullptr) {
    shift.at = best->field.begin;
    TakeCall(context, *best, shift);
  }
  if (shift.field.empty()) {
    const Placed* before = shift.at == 0 ? nullptr : FieldAround(placed, shift.at - 1);
    shift.after = before == nullptr ? "" : before->place;
  }
  return shift;
}

/// Explains dropped bytes. `last` is the offset of the first byte that differs.
ShiftedBytes Dropped(const CheckContext& context, const RootType& root, const Rewritten& written,
                     const std::vector<Placed>& placed, const std::vector<Call>& calls,
                     const std::vector<golden::Leaf>& recorded,
                     const std::set<std::string>& misread, std::size_t last, std::size_t bytes) {
  ShiftedBytes shift;
  shift.cause = ShiftedBytes::Cause::Dropped;
  shift.at = last;
  shift.bytes = bytes;
  // No byte depends on a field that is not written.
  std::vector<std::string> gone;
  std::set<std::string> here;
  for (const Placed& one : placed) {
    here.insert(one.place);
    if (one.recorded && one.tried && !one.at) gone.push_back(one.place);
  }
  // The layout at the latest revision does not contain the fields that are appended below.
  const std::size_t listed = gone.size();
  for (const golden::Leaf& leaf : recorded) {
    const std::string field = FieldOf(leaf.path);
    if (here.insert(field).second) gone.push_back(field);
  }
  const auto wrong = std::find_if(
      gone.begin(), gone.end(), [&](const std::string& field) { return misread.contains(field); });
  if (wrong != gone.end()) {
    shift.field = *wrong;
  } else if (listed != 0) {
    shift.field = gone.front();
  } else if (TakeReshaped(context, root, written, placed, calls, last, last, true, bytes, shift)) {
    return shift;
  }
  const Placed* before = last == 0 ? nullptr : FieldAround(placed, last - 1);
  if (before != nullptr) shift.after = before->place;
  return shift;
}

/// True if the golden also contains the bytes of this call of the latest writer, at the same offset
/// apart from the bytes of members that are newer than the golden.
bool IsInGolden(const Call& call, const std::vector<Placed>& placed, const std::vector<Call>& calls,
                const Rewritten& written, const Decoded& decoded) {
  std::size_t newer = 0;
  for (const Call& before : calls) {
    if (before.field.begin >= call.field.begin) break;
    const bool fresh = std::any_of(placed.begin(), placed.end(), [&](const Placed& one) {
      return !one.recorded && one.at && *one.at >= before.field.begin && *one.at < before.end;
    });
    if (fresh) newer += before.end - before.field.begin;
  }
  const std::span<const std::byte> then = decoded.golden->payload(), now = written.bytes;
  const std::size_t size = call.end - call.field.begin, at = call.field.begin - newer;
  if (at > then.size() || size > then.size() - at || call.end > now.size()) return false;
  const auto bytes = now.subspan(call.field.begin, size);
  return std::equal(bytes.begin(), bytes.end(), then.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Explains a reader that reads all recorded values correctly, and then continues with bytes that
/// only newer writers add after these values. Returns nullopt if there are no such bytes.
std::optional<ShiftedBytes> ReadBeyond(const CheckContext& context, const RootType& root,
                                       const Rewritten& written, const std::vector<Placed>& placed,
                                       const std::vector<Call>& calls, const Decoded& decoded) {
  if (decoded.read.ok || written.number == decoded.number) return std::nullopt;
  std::size_t end = 0;
  for (const Placed& one : placed) {
    if (one.recorded && one.at) end = std::max(end, *one.at);
  }
  const Placed* first = nullptr;
  for (const Placed& one : placed) {
    if (!one.recorded && one.at && *one.at > end && (first == nullptr || *one.at < *first->at))
      first = &one;
  }
  if (first == nullptr) return std::nullopt;
  ShiftedBytes shift;
  shift.cause = ShiftedBytes::Cause::AddedTooOld;
  shift.field = first->place;
  shift.at = *first->at;
  shift.since = SinceOf(root, written, first->place);
  for (const Call& call : calls) {
    if (call.field.begin <= shift.at && shift.at < call.end) TakeCall(context, call, shift);
  }
  return shift;
}

/// Explains the first field, in the order of the bytes, that is read with a different value. The
/// cause may also be a new field right before it.
std::optional<ShiftedBytes> ReadOtherwise(const CheckContext& context, const RootType& root,
                                          const Rewritten& written,
                                          const std::vector<Placed>& placed,
                                          const std::vector<Call>& calls, const Decoded& decoded,
                                          const std::set<std::string>& misread) {
  const std::vector<golden::Leaf>& recorded = decoded.golden->item->values;
  ShiftedBytes shift;
  shift.cause = ShiftedBytes::Cause::ReadOnly;
  const Placed* first = nullptr;
  for (const Placed& one : placed) {
    if (!one.at || !misread.contains(one.place)) continue;
    if (first == nullptr || *one.at < *first->at) first = &one;
  }
  for (const Placed& one : placed) {
    if (one.recorded && one.tried && !one.at && misread.contains(one.place)) {
      shift.field = one.place;
      shift.cause = ShiftedBytes::Cause::Dropped;
      return shift;
    }
  }
  if (first == nullptr) {
    std::set<std::string> here;
    for (const Placed& one : placed) here.insert(one.place);
    for (const golden::Leaf& leaf : recorded) {
      const std::string field = FieldOf(leaf.path);
      if (here.contains(field) || !misread.contains(field)) continue;
      shift.field = field;
      return shift;
    }
    return ReadBeyond(context, root, written, placed, calls, decoded);
  }
  shift.field = first->place;
  shift.at = *first->at;
  if (written.number != decoded.number) {
    // A new field shifts this field if it is written right before this field but is missing in the
    // golden.
    const Placed* before = *first->at == 0 ? nullptr : FieldAround(placed, *first->at - 1);
    if (before != nullptr && !before->recorded) {
      shift.cause = ShiftedBytes::Cause::AddedTooOld;
      shift.field = before->place;
      shift.at = *before->at;
      shift.since = SinceOf(root, written, before->place);
    }
    for (const Call& call : calls) {
      const bool known = std::any_of(placed.begin(), placed.end(), [&](const Placed& one) {
        return one.recorded && one.at && *one.at >= call.field.begin && *one.at < call.end;
      });
      if (known || call.end == call.field.begin || call.end > *first->at) continue;
      const Placed* between = FieldFrom(placed, call.end);
      if (between != first || IsInGolden(call, placed, calls, written, decoded)) continue;
      if (shift.cause == ShiftedBytes::Cause::ReadOnly) {
        shift.cause = ShiftedBytes::Cause::Added;
        shift.field.clear();
      }
      shift.at = call.field.begin;
      shift.bytes = call.end - call.field.begin;
      TakeCall(context, call, shift);
    }
  }
  if (shift.place.line == 0) {
    for (const Call& call : calls) {
      if (call.field.begin > shift.at || call.end <= shift.at) continue;
      const std::string field = shift.field;
      TakeCall(context, call, shift);
      shift.field = field;
    }
  }
  return shift;
}

std::optional<ShiftedBytes> Explain(const CheckContext& context, const RootType& root,
                                    const Decoded& decoded, const Rewritten* written) {
  const auto& recorded = decoded.golden->item->values;
  const auto placed = PlaceFields(root, *written, recorded, context);
  const auto calls = CallsOf(root, *written);
  const auto then = decoded.golden->payload();
  const std::span<const std::byte> now = written->bytes;
  const auto misread = MisreadFields(context, root, decoded);
  if (written->number != decoded.number) {
    auto shift = ReadOtherwise(context, root, *written, placed, calls, decoded, misread);
    if (shift) shift->of_latest = true;
    return shift;
  }
  const std::size_t begin = FirstOtherByte(then, now);
  if (begin == then.size() && begin == now.size())
    return ReadOtherwise(context, root, *written, placed, calls, decoded, misread);
  const std::size_t smaller = std::min(then.size(), now.size());
  const std::size_t end = CommonEnd(then, now, smaller);
  if (now.size() > then.size()) {
    const std::size_t bytes = now.size() - then.size();
    // If several ranges differ, the bytes after the added ones depend on them. They may be a size
    // or a sum, for example.
    const std::size_t first = begin + end >= smaller ? smaller - end : begin;
    return Added(context, root, *written, placed, calls, std::min(first, begin), begin, bytes);
  }
  if (now.size() < then.size())
    return Dropped(context, root, *written, placed, calls, recorded, misread, begin,
                   then.size() - now.size());
  ShiftedBytes shift;
  shift.cause = ShiftedBytes::Cause::Replaced;
  shift.at = begin;
  if (const Placed* around = FieldAround(placed, begin)) shift.field = around->place;
  for (const Call& call : calls) {
    if (call.field.begin <= begin && begin < call.end) TakeCall(context, call, shift);
  }
  return shift;
}

}  // namespace

std::size_t FirstOtherByte(std::span<const std::byte> one, std::span<const std::byte> other) {
  const auto at = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first;
  return static_cast<std::size_t>(at - one.begin());
}

std::optional<ShiftedBytes> ExplainBytes(const CheckContext& context, const RootType& root,
                                         const Decoded& decoded) {
  if (!IsOpaque(root.type())) return std::nullopt;
  const auto written = Rewrite(root, decoded, context);
  if (!written) return std::nullopt;
  auto shift = Explain(context, root, decoded, &*written);
  if (shift) shift->refusal = written->refusal;
  return shift;
}

std::string FieldWrittenAt(const CheckContext& context, const RootType& root,
                           const Decoded& decoded, std::size_t at) {
  // Limits the attempts, because each visits the whole object.
  constexpr std::size_t kMostAsked = 256;
  const auto& leaves = decoded.read.leaves;
  const Refilled same = Refill(root.type(), leaves, decoded.number, 1, context.renames);
  const auto base =
      same.ok ? Write(root, decoded.number, same.object.get()) : std::optional<ByteString>();
  if (!base) return "";
  std::string field;
  std::size_t nearest = 0;
  bool unique = false;
  for (std::size_t i = 0; i < std::min(leaves.size(), kMostAsked); ++i) {
    if (leaves[i].path.find('#') != std::string::npos) continue;
    std::vector<golden::Leaf> others = leaves;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const Refilled other = Refill(root.type(), others, decoded.number, 1, {});
    const auto written =
        other.ok ? Write(root, decoded.number, other.object.get()) : std::optional<ByteString>();
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

std::string TextOf(const ShiftedBytes& shift) {
  const std::string count =
      shift.bytes == 0 ? "" : fmt::format("{} byte{} ", shift.bytes, shift.bytes == 1 ? "" : "s");
  const std::string beside =
      shift.field.empty() && !shift.after.empty() ? fmt::format(", after `{}`", shift.after) : "";
  switch (shift.cause) {
    case ShiftedBytes::Cause::Added:
      return fmt::format(
          "{}more than recorded at byte {}{}: a member was added without a revision{}", count,
          shift.at, beside, shift.field.empty() ? ", or is saved in a different form" : "");
    case ShiftedBytes::Cause::AddedTooOld:
      return fmt::format(
          "{}more than recorded at byte {}: the member was added in {}, but is also read from or "
          "written to older files",
          count, shift.at, shift.since.empty() ? "a later revision" : shift.since);
    case ShiftedBytes::Cause::Dropped:
      return fmt::format(
          "{}fewer than recorded{}{}: a member is no longer saved, or only under a condition",
          count, shift.of_latest || shift.bytes == 0 ? "" : fmt::format(" at byte {}", shift.at),
          beside);
    case ShiftedBytes::Cause::Reshaped:
      return fmt::format("{}{} than recorded at byte {}: the member is saved in a different form",
                         count, shift.fewer ? "fewer" : "more", shift.at);
    case ShiftedBytes::Cause::Replaced:
      return fmt::format(
          "different bytes than recorded at byte {}: a value is written in a different form",
          shift.at);
    case ShiftedBytes::Cause::ReadOnly:
      break;
  }
  return shift.of_latest
             ? "the first value that is read differently: a member before it was added or removed"
             : "the first value that is read differently, although the writer produces the "
               "recorded bytes: only the reader takes more or fewer bytes";
}

std::string FixOf(const CheckContext& context, const RootType& root, const ShiftedBytes& shift,
                  const Decoded& decoded) {
  const std::string field = shift.field.empty() ? "" : LastField(shift.field);
  const OwnWords& words = root.entry.words;
  const std::string of = context.history.Find(decoded.number) == nullptr
                             ? ""
                             : context.history.Find(decoded.number)->name;
  switch (shift.cause) {
    case ShiftedBytes::Cause::Added: {
      const NewRevision next = Reserve(context.list_prefix, context.pending(),
                                       field.empty() ? "NAME" : UpperSnake(field));
      return next.command + AddFieldLine(words, field.empty() ? "member" : field, next.symbol, "0");
    }
    case ShiftedBytes::Cause::AddedTooOld:
      if (shift.since.empty()) break;
      return fmt::format("save and load it only from {} on:\n{}", shift.since,
                         AddFieldLine(words, field, shift.since, "0"));
    case ShiftedBytes::Cause::Dropped: {
      const std::string name = field.empty() ? "the member" : field;
      const NewRevision next = Reserve(context.list_prefix, context.pending(),
                                       field.empty() ? "NAME" : "NO_" + UpperSnake(field));
      return fmt::format(
          "save and load {} always, as recorded\nor make the change in a new revision:\n{}{}", name,
          next.command, RemoveFieldLine(words, name, next.symbol, ""));
    }
    case ShiftedBytes::Cause::Reshaped:
    case ShiftedBytes::Cause::Replaced:
    case ShiftedBytes::Cause::ReadOnly:
      break;
  }
  return fmt::format(
      "read files of {} as they were written: the same members, in the same order, under the same "
      "conditions",
      of);
}

}  // namespace revctl::harness
