// GH002 for types with their own streams: explains why the program's reader fails on a golden.
#include <fmt/core.h>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/advice/own_words.h"
#include "harness/signals/signals.h"
#include "harness/signals/written_fields.h"
#include "harness/trace/source_place.h"
#include "harness/trace/tracing.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

/// Why the program's own reader fails on a golden. To find out, the harness rewrites the recorded
/// values with the program's own writer.
struct ShiftedBytes {
  enum class Cause {
    Added,  ///< the writer writes a member that the golden does not contain
    /// like Added, but the member was added at a revision newer than the golden
    AddedTooOld,
    Dropped,   ///< the writer does not write a member of the golden
    Reshaped,  ///< a member takes more or fewer bytes
    Replaced,  ///< the writer writes different bytes for a value
    ReadOnly   ///< the writer produces the golden's bytes, so only the reader changed
  };
  Cause cause = Cause::Added;
  std::string field;  ///< path of the member, or its name in the source; empty if unknown
  std::string after;  ///< the field before the member if the member is unknown; otherwise empty
  /// revision that added the member; empty if it is unknown or does not matter
  std::string since;
  /// for Dropped: the first revision at which the writer writes the member, if it is later than
  /// `since`; otherwise empty
  std::string only_from;
  std::string call;       ///< source text of the call that wrote the bytes; empty if unknown
  std::string refusal;    ///< why the writer rejected its own bytes; empty if it did not
  SourcePlace place;      ///< place of the call; line 0 if unknown
  std::size_t at = 0;     ///< offset of the first byte that differs
  std::size_t bytes = 0;  ///< number of bytes that were added or dropped; 0 if unknown
  bool fewer = false;  ///< true if the value takes fewer bytes than recorded; set only for Reshaped
  /// for Added without `field`: true if the added bytes may also be the upper bytes of `after`
  bool wider = false;
  /// true if the writer can write only the latest revision, so its bytes are not those of the
  /// golden's revision
  bool of_latest = false;
};

std::size_t CommonEnd(std::span<const std::byte> one, std::span<const std::byte> other,
                      std::size_t most) {
  std::size_t same = 0;
  while (same < most && one[one.size() - 1 - same] == other[other.size() - 1 - same]) ++same;
  return same;
}

/// Splits text such as `a, b(c, d), e` at the commas that are not inside parentheses.
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

/// Returns the member that a call saves. For example, this is `mode` for `sw.DoEx(&s_state.mode,
/// 72, 0)` and for `Do(sw, state.mode)`.
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

/// Stores the place and the source text of the call in `shift`, and also the field if `shift` has
/// none yet.
void TakeCall(const CheckContext& context, const Call& call, ShiftedBytes& shift) {
  if (call.field.line != 0) {
    shift.place = {call.field.file, call.field.line};
    shift.call = LineAt(context.Whole(call.field.file), call.field.line);
  }
  if (shift.field.empty()) shift.field = call.field.name;
  if (shift.field.empty()) shift.field = MemberIn(shift.call);
}

/// Reads the golden into a fresh object. Returns the object's values, even if reading fails.
std::vector<golden::Leaf> ReadAsFarAsPossible(const RootType& root, const Decoded& decoded) {
  const Object object(root.type());
  (void)root.Read(decoded.golden->payload(), decoded.number, object.get());
  return TraceValues(root.type(), object.get(), decoded.number).leaves;
}

/// Returns the fields whose value, when read, is neither the recorded nor the upgraded one.
std::set<std::string> MisreadFields(const CheckContext& context, const RootType& root,
                                    const Decoded& decoded) {
  const auto now = decoded.complete ? decoded.read.leaves : ReadAsFarAsPossible(root, decoded);
  const auto upgraded = context.history.ExpectedUpgrade(*decoded.golden);
  std::set<std::string> fields;
  for (const golden::Change& change : context.renames.Compare(decoded.golden->item->values, now)) {
    const golden::Leaf* const leaf = FindLeaf(upgraded, change.path);
    const bool expected = leaf == nullptr ? !change.after : change.after == leaf->text;
    if (!expected) fields.insert(FieldOf(change.path));
  }
  return fields;
}

/// Returns the revision that added the field, according to the type's layout at the latest
/// revision. Returns "" if that layout lacks the field.
std::string SinceOf(const RootType& root, const Rewritten& written, const std::string& field) {
  const revctl::LayoutField* found = FieldAt(written.layouts, root.name, field);
  return found == nullptr ? "" : found->since;
}

/// The size of a member's type, and the number of bytes written between the beginning of the member
/// and that of the next one. Both are 0 if either is unknown.
struct Sizes {
  std::size_t listed = 0, written = 0;
};
Sizes SizesOf(const RootType& root, const Rewritten& written, const std::vector<Placed>& placed,
              const Placed& member) {
  const revctl::LayoutField* field = FieldAt(written.layouts, root.name, member.place);
  const Placed* next = member.at ? FieldFrom(placed, *member.at + 1) : nullptr;
  if (field == nullptr || field->size == 0 || next == nullptr) return {};
  return {field->size, *next->at - *member.at};
}

/// True if the change is in a member that already has a value in the golden, but now takes more or
/// fewer bytes. The change begins at an offset from `first` to `last`. The offset must be inside
/// the bytes written by the member's call or, if there is no such call, within the size of the
/// member's type.
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
  const Call* const call = CallAt(calls, *around->at);
  const revctl::LayoutField* field = FieldAt(written.layouts, root.name, around->place);
  // A number saved in a different form takes as many bytes as its type either before or after the
  // change.
  const auto [listed, now] = SizesOf(root, written, placed, *around);
  if (call == nullptr && listed != 0 && now != listed &&
      (fewer ? now + bytes : now - bytes) != listed)
    return false;
  const std::size_t end = call != nullptr    ? call->end
                          : field != nullptr ? *around->at + field->size
                                             : *around->at;
  // If neighboring bytes are equal, the exact position of the dropped bytes is unknown, so they may
  // also end exactly where the member ends.
  if (last >= end && !(fewer && last == end)) return false;
  shift.cause = ShiftedBytes::Cause::Reshaped;
  shift.fewer = fewer;
  shift.field = around->place;
  shift.at = last;
  if (call != nullptr) TakeCall(context, *call, shift);
  return true;
}

/// True if the added bytes (`bytes` of them) may be the upper bytes of a number that became wider.
/// An unlisted member right after the number would look the same.
bool MayBeWider(const RootType& root, const Rewritten& written, const std::vector<Placed>& placed,
                const Placed& member, std::size_t bytes) {
  const auto [listed, size] = SizesOf(root, written, placed, member);
  return listed != 0 && size == listed + bytes;
}

/// Explains bytes that the current writer adds. They begin at an offset from `first` to `last`,
/// which differ if neighboring bytes are equal and the exact offset is therefore unknown.
std::optional<ShiftedBytes> Added(const CheckContext& context, const RootType& root,
                                  const Rewritten& written, const std::vector<Placed>& placed,
                                  const std::vector<Call>& calls, std::size_t first,
                                  std::size_t last, std::size_t bytes) {
  ShiftedBytes shift;
  shift.bytes = bytes;
  // Only the first possible offset is right if the added bytes come from a variable that a reader
  // filled from the golden. Otherwise, all offsets yield the same bytes.
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
    if (before != nullptr) {
      shift.after = before->place;
      shift.wider = MayBeWider(root, written, placed, *before, bytes);
    }
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
  // A field is not written if no byte changes when its value changes.
  std::vector<std::string> gone;
  std::set<std::string> here;
  for (const Placed& one : placed) {
    here.insert(one.place);
    if (one.recorded && one.tried && !one.at) gone.push_back(one.place);
  }
  // Only these fields are in the layout at the latest revision. The fields added below are not.
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

/// True if the golden contains the bytes that this call of the latest writer produces. Expects them
/// at the call's offset minus the sizes of all preceding members newer than the golden.
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

/// Explains a reader that reads all recorded values correctly, but then also expects bytes that
/// only newer writers add. Returns nullopt if there are no such bytes.
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
  if (const Call* call = CallAt(calls, shift.at)) TakeCall(context, *call, shift);
  return shift;
}

/// Explains the first field, in byte order, that is read with a different value. The cause may also
/// be a new field right before it.
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
    // A new field written right before this one shifts it, because the golden lacks the new field's
    // bytes.
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
    if (const Call* call = CallAt(calls, shift.at)) {
      const std::string field = shift.field;
      TakeCall(context, *call, shift);
      shift.field = field;
    }
  }
  return shift;
}

std::optional<ShiftedBytes> Explain(const CheckContext& context, const RootType& root,
                                    const Decoded& decoded, const Rewritten& written) {
  const auto& recorded = decoded.golden->item->values;
  const auto placed = PlaceFields(root, written, recorded, context);
  const auto calls = CallsOf(root, written);
  const auto then = decoded.golden->payload();
  const std::span<const std::byte> now = written.bytes;
  const auto misread = MisreadFields(context, root, decoded);
  if (written.number != decoded.number) {
    auto shift = ReadOtherwise(context, root, written, placed, calls, decoded, misread);
    if (shift) shift->of_latest = true;
    return shift;
  }
  const std::size_t begin = FirstOtherByte(then, now);
  if (begin == then.size() && begin == now.size())
    return ReadOtherwise(context, root, written, placed, calls, decoded, misread);
  const std::size_t smaller = std::min(then.size(), now.size());
  const std::size_t end = CommonEnd(then, now, smaller);
  if (now.size() > then.size()) {
    const std::size_t bytes = now.size() - then.size();
    // If the writer's bytes also differ after the added ones, the later difference is only a
    // consequence, for example in a size or a checksum.
    const std::size_t first = begin + end >= smaller ? smaller - end : begin;
    return Added(context, root, written, placed, calls, std::min(first, begin), begin, bytes);
  }
  if (now.size() < then.size())
    return Dropped(context, root, written, placed, calls, recorded, misread, begin,
                   then.size() - now.size());
  ShiftedBytes shift;
  shift.cause = ShiftedBytes::Cause::Replaced;
  shift.at = begin;
  if (const Placed* around = FieldAround(placed, begin)) shift.field = around->place;
  if (const Call* call = CallAt(calls, begin)) TakeCall(context, *call, shift);
  return shift;
}

/// True if the reader reads exactly these bytes at a revision.
bool ReadsExactly(const RootType& root, std::int64_t number, std::span<const std::byte> bytes) {
  const Object object(root.type());
  const auto outcome = root.Read(bytes, number, object.get());
  return outcome.ok && outcome.at_end;
}

/// Explains why a large golden does not load. Compares sizes and the set of written fields instead
/// of bytes, because the record lacks the values of long lists and of unlisted memory, so the
/// writer cannot reproduce the golden. If the writer ignores the version, sets `written.number` to
/// the latest revision.
std::optional<ShiftedBytes> ExplainLarge(const CheckContext& context, const RootType& root,
                                         const Decoded& decoded, Rewritten& written) {
  const auto& recorded = decoded.golden->item->values;
  const auto placed = PlaceFields(root, written, recorded, context);
  const auto calls = CallsOf(root, written);
  const auto misread = MisreadFields(context, root, decoded);
  const bool newer = std::any_of(placed.begin(), placed.end(),
                                 [](const Placed& one) { return !one.recorded && one.at; });
  // Many writers ignore the version and write all members.
  if (newer && !ReadsExactly(root, decoded.number, written.bytes))
    written.number = context.history.latest().number;
  if (written.number != decoded.number) {
    auto shift = ReadOtherwise(context, root, written, placed, calls, decoded, misread);
    if (shift) shift->of_latest = true;
    return shift;
  }
  const std::size_t then = decoded.golden->item->size, now = written.bytes.size();
  ShiftedBytes shift;
  shift.fewer = now < then;
  shift.bytes = shift.fewer ? then - now : now - then;
  const auto take = [&](const Placed& one) {
    shift.field = one.place;
    shift.since = SinceOf(root, written, one.place);
    const Call* const call = one.at ? CallAt(calls, *one.at) : nullptr;
    if (call != nullptr) TakeCall(context, *call, shift);
  };
  for (const Placed& one : placed) {
    if (!one.recorded || !one.tried || one.at) continue;
    shift.cause = ShiftedBytes::Cause::Dropped;
    take(one);
    return shift;
  }
  for (const Placed& one : placed) {
    if (one.recorded || !one.at) continue;
    shift.cause = ShiftedBytes::Cause::AddedTooOld;
    shift.at = *one.at;
    take(one);
    return shift;
  }
  if (now == then) return ReadOtherwise(context, root, written, placed, calls, decoded, misread);
  std::vector<const Placed*> in_order;
  for (const Placed& one : placed) {
    if (one.at) in_order.push_back(&one);
  }
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const Placed* a, const Placed* b) { return *a->at < *b->at; });
  // Fields from this offset on were not read, because the reader failed here.
  const std::size_t error = decoded.read.offset;
  const auto first = std::find_if(in_order.begin(), in_order.end(), [&](const Placed* one) {
    return misread.contains(one->place) || (error != 0 && *one->at >= error);
  });
  const auto before = first == in_order.begin() ? first : first - 1;
  // The cause is next to the first misread value, or anywhere if no value is misread.
  const auto begin = first == in_order.end() ? in_order.begin() : before;
  for (auto one = begin; shift.fewer && one != in_order.end() && one <= first; ++one) {
    const auto [listed, size] = SizesOf(root, written, placed, **one);
    if (size >= listed) continue;
    shift.cause = ShiftedBytes::Cause::Reshaped;
    shift.at = *(*one)->at;
    take(**one);
    return shift;
  }
  shift.cause = shift.fewer ? ShiftedBytes::Cause::Dropped : ShiftedBytes::Cause::Added;
  if (first != before) {
    shift.after = (*before)->place;
    shift.wider = MayBeWider(root, written, placed, **before, shift.bytes);
  }
  if (first != in_order.end()) shift.at = *(*first)->at;
  return shift;
}

/// If the writer writes a dropped member only from some later revision on, stores that revision,
/// because the member's gate then has the wrong number.
void FindGate(const CheckContext& context, const RootType& root, const Rewritten& written,
              ShiftedBytes& shift) {
  if (shift.cause != ShiftedBytes::Cause::Dropped || shift.field.empty() || shift.of_latest) return;
  shift.since = SinceOf(root, written, shift.field);
  const Revision* const first = FirstToWrite(root, written, shift.field, context);
  if (first != nullptr && !shift.since.empty()) shift.only_from = first->name;
}

/// Explains why a golden no longer fits the program's own streams. Returns nullopt for types
/// without such streams, or if no cause is found. Runs the writer several times for each field.
std::optional<ShiftedBytes> ExplainBytes(const CheckContext& context, const RootType& root,
                                         const Decoded& decoded) {
  if (!IsOpaque(root.type())) return std::nullopt;
  auto written = Rewrite(root, decoded, context);
  if (!written) return std::nullopt;
  auto shift = decoded.golden->large != nullptr ? ExplainLarge(context, root, decoded, *written)
                                                : Explain(context, root, decoded, *written);
  if (!shift) return std::nullopt;
  shift->refusal = written->refusal;
  // If findings about several types point to the line of the same member, they share a cause.
  const std::string& near = shift->field.empty() ? shift->after : shift->field;
  if (shift->place.line == 0 && !near.empty())
    shift->place = FieldPlace(written->layouts, root.name, near);
  FindGate(context, root, *written, *shift);
  return shift;
}

/// Returns a revision's name and number, such as `SR_NAME (12)`. Many serializers compare with bare
/// numbers, so users need both.
std::string Numbered(const CheckContext& context, const std::string& name) {
  const Revision* const revision = context.history.Find(name);
  return revision == nullptr ? name : fmt::format("{} ({})", name, revision->number);
}

/// Returns a description such as `4 bytes more than recorded at byte 84: a member was added without
/// a revision`.
std::string TextOf(const CheckContext& context, const ShiftedBytes& shift) {
  // Returns `4 bytes more than recorded`, or `more bytes than recorded`.
  const auto than = [&](const char* more) {
    return shift.bytes == 0 ? fmt::format("{} bytes than recorded", more)
                            : fmt::format("{} byte{} {} than recorded", shift.bytes,
                                          shift.bytes == 1 ? "" : "s", more);
  };
  const std::string beside =
      shift.field.empty() && !shift.after.empty() ? fmt::format(", after `{}`", shift.after) : "";
  switch (shift.cause) {
    case ShiftedBytes::Cause::Added:
      return fmt::format("{} at byte {}{}: a member was added without a revision{}", than("more"),
                         shift.at, beside,
                         shift.field.empty() ? ", or is saved in a different form" : "");
    case ShiftedBytes::Cause::AddedTooOld:
      return fmt::format(
          "{} at byte {}: the member was added in {}, but is also read from or written to older "
          "files",
          than("more"), shift.at,
          shift.since.empty() ? "a later revision" : Numbered(context, shift.since));
    case ShiftedBytes::Cause::Dropped:
      if (!shift.only_from.empty())
        return fmt::format("{}: the member was added in {}, but is saved only in {} and later",
                           than("fewer"), Numbered(context, shift.since),
                           Numbered(context, shift.only_from));
      return fmt::format(
          "{}{}{}: a member is no longer saved, or is saved only under a condition", than("fewer"),
          shift.of_latest || shift.at == 0 ? "" : fmt::format(" at byte {}", shift.at), beside);
    case ShiftedBytes::Cause::Reshaped:
      return fmt::format("{} at byte {}: the member is saved in a different form",
                         than(shift.fewer ? "fewer" : "more"), shift.at);
    case ShiftedBytes::Cause::Replaced:
      return fmt::format(
          "the bytes differ from the recorded ones at offset {}: a value is encoded differently",
          shift.at);
    case ShiftedBytes::Cause::ReadOnly:
      break;
  }
  return shift.of_latest
             ? "this is the first value that is read differently, so a preceding "
               "member was added or removed"
             : "this is the first value that is read differently; the writer still produces the "
               "recorded bytes, so the reader reads too many or too few bytes";
}

/// Returns the fix for a gate with the wrong number.
std::string SaveOnlyFrom(const OwnWords& words, const std::string& field,
                         const std::string& since) {
  const std::string line = AddFieldLine(words, field, since, "0");
  return words.add_field == nullptr
             ? line
             : fmt::format("save and load it only in {} and later:\n{}", since, line);
}

/// Returns code that fixes the cause. If the type has OwnWords, writes it in the style of the
/// program's own serializer.
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
      const std::string fix =
          next.command + AddFieldLine(words, field.empty() ? "member" : field, next.symbol, "0");
      return !shift.wider ? fix
                          : fmt::format(
                                "{}\nor, if {} is now saved as a larger type: save and load it as "
                                "recorded, and as the larger type only from a new revision on",
                                fix, shift.after);
    }
    case ShiftedBytes::Cause::AddedTooOld:
      if (shift.since.empty()) break;
      return SaveOnlyFrom(words, field, shift.since);
    case ShiftedBytes::Cause::Dropped: {
      if (!shift.only_from.empty()) return SaveOnlyFrom(words, field, shift.since);
      const std::string name = field.empty() ? "the member" : field;
      const NewRevision next = Reserve(context.list_prefix, context.pending(),
                                       field.empty() ? "NAME" : "NO_" + UpperSnake(field));
      return fmt::format(
          "always save and load {}, as recorded\nor make the change in a new revision:\n{}{}", name,
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

}  // namespace

bool AddShift(CheckContext& context, const RootType& root, const Decoded& decoded,
              const std::string& symptom) {
  // Limits the attempts, because each attempt runs the writer many times.
  constexpr std::size_t kMostTried = 3;
  constexpr double kMostMilliseconds = 30'000;
  CheckContext::Explained& explained = context.explained[{root.name, decoded.number}];
  if (explained.tried == kMostTried || context.explaining > kMostMilliseconds)
    return explained.any;  // further goldens would show the same cause
  ++explained.tried;
  const Stopwatch watch;
  const auto shift = ExplainBytes(context, root, decoded);
  context.explaining += watch.Milliseconds();
  if (!shift) return false;
  explained.any = true;
  Finding finding = context.AboutRead(root, decoded, RuleId::GoldenBytes, "bytes", shift->field);
  context.PointAt(shift->place, finding);
  finding.message = fmt::format("{}{}{}: {}", root.name, shift->field.empty() ? "" : ".",
                                shift->field, TextOf(context, *shift));
  finding.details += "\nfound:  " + symptom;
  if (!shift->call.empty()) finding.details += "\nwriter: " + shift->call;
  if (!shift->refusal.empty()) finding.details += "\nwriter: " + shift->refusal;
  finding.fix = context.OrRefresh(FixOf(context, root, *shift, decoded), decoded.golden->revision);
  const std::pair place{root.name, finding.revision};
  context.shifted.emplace(
      place, context.AddOrFollow(root, std::move(finding),
                                 fmt::format("shift {}", static_cast<int>(shift->cause))));
  return true;
}

}  // namespace revctl::harness
