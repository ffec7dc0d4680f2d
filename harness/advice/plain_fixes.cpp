// Fixes for changes to PLAIN structs. Reads the spelling of types and values from the source,
// because FIELD and DEAD do not pass it to the program.
#include "harness/advice/plain_fixes.h"

#include <fmt/core.h>
#include <algorithm>
#include <map>

#include "harness/advice/code_lines.h"
#include "harness/layout/fields.h"
#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/lexer.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestPlainSource = 8U << 20;
/// Number of lines to search for a declaration, because some compilers report a multi-line macro at
/// its first line and others at its last.
constexpr std::ptrdiff_t kMostLines = 8;

/// Returns the source text of the tokens in [begin, end).
std::string Spelled(std::string_view text, const base::Token* begin, const base::Token* end) {
  if (begin == end) return "";
  return std::string(text.substr(begin->span.begin, end[-1].span.end - begin->span.begin));
}

/// Returns the arguments between parentheses, and moves `at` from the opening to the closing
/// parenthesis. Returns an empty list if the closing parenthesis is missing.
std::vector<std::string> Arguments(std::string_view text, const base::Token*& at,
                                   const base::Token* end) {
  std::vector<std::string> arguments;
  int depth = 0;
  for (const base::Token* begin = at + 1; at < end; ++at) {
    if (at->Is("(") || at->Is("[") || at->Is("{")) ++depth;
    if (at->Is(")") || at->Is("]") || at->Is("}")) --depth;
    if (depth > 1 || (depth == 1 && !at->Is(","))) continue;
    arguments.push_back(Spelled(text, begin, at));
    if (depth <= 0) return arguments;
    begin = at + 1;
  }
  return {};
}

/// If the macro at `at` declares `item.field`, sets `item`'s type and value.
void ReadDeclaration(std::string_view text, const base::Token* at, const base::Token* end,
                     PlainItem& item) {
  std::string_view word = at->text;
  if (word.starts_with("REVCTL_")) word.remove_prefix(7);
  if (word != "FIELD" && word != "DEAD" && word != "DEAD_WITH") return;
  if (++at == end || !at->Is("(")) return;
  const auto arguments = Arguments(text, at, end);
  // The arguments before the name are the type, which may contain commas.
  const auto name = std::adjacent_find(arguments.begin(), arguments.end(),
                                       [&](const std::string& one, const std::string& next) {
                                         return one == item.field.name && next == item.field.since;
                                       });
  if (name == arguments.end()) return;
  item.type.clear();
  for (auto part = arguments.begin(); part != name; ++part)
    item.type += (item.type.empty() ? "" : ", ") + *part;
  const auto* const semicolon =
      std::find_if(at, end, [](const auto& each) { return each.Is(";"); });
  item.value = word == "FIELD" && semicolon != end ? Spelled(text, at + 1, semicolon) : "";
}

}  // namespace

PlainItem ReadPlainItem(const revctl::LayoutField& field, const std::string& file) {
  PlainItem item{field, "", ""};
  const auto source = base::ReadFile(file, kLargestPlainSource);
  if (field.line <= 0 || !source || !*source) return item;
  const std::string& text = **source;
  base::Problem problem;
  const auto lexed = base::Lex(text, problem, kLargestPlainSource);
  if (!lexed) return item;
  const base::Token* const end = lexed->tokens.data() + lexed->tokens.size();
  std::ptrdiff_t line = 1;
  std::size_t counted = 0;
  for (const base::Token& token : lexed->tokens) {
    for (; counted < token.span.begin; ++counted) line += text[counted] == '\n' ? 1 : 0;
    if (line > field.line) break;
    if (line + kMostLines >= field.line) ReadDeclaration(text, &token, end, item);
  }
  return item;
}

namespace {

using revctl::LayoutField;

/// An array's wire type, split into the element type and the extents (outermost extent first).
struct WireShape {
  std::string leaf;
  std::vector<std::string> extents;
};
/// True if the text is a valid array extent. Any text is possible in a record that was edited by
/// hand.
bool IsExtent(const std::string& text) {
  return !text.empty() && text.size() <= 9 && std::all_of(text.begin(), text.end(), base::IsDigit);
}
WireShape ShapeOf(const std::string& wire) {
  WireShape shape{wire, {}};
  while (shape.leaf.starts_with("array<") && shape.leaf.ends_with('>') &&
         shape.leaf.find(',') != std::string::npos) {
    const std::size_t comma = shape.leaf.rfind(',');
    shape.extents.push_back(shape.leaf.substr(comma + 1, shape.leaf.size() - comma - 2));
    if (!IsExtent(shape.extents.back())) return {wire, {}};
    shape.leaf = shape.leaf.substr(6, comma - 6);
  }
  return shape;
}

bool SameItem(const LayoutField& a, const LayoutField& b) {
  return a.name == b.name && LastComponent(a.since) == LastComponent(b.since);
}

const PlainItem* ItemOf(const PlainList& list, const LayoutField& field) {
  const auto found = std::find_if(list.items.begin(), list.items.end(), [&](const PlainItem& item) {
    return SameItem(item.field, field);
  });
  return found == list.items.end() ? nullptr : &*found;
}
std::string ValueOf(const PlainList& list, const LayoutField& field) {
  const PlainItem* const item = ItemOf(list, field);
  return item != nullptr ? item->value : "";
}

/// Returns the type as spelled in the source if a field with this name and type still exists.
/// Otherwise returns a canonical spelling.
std::string SpelledType(const PlainList& list, const LayoutField& field, const std::string& name) {
  for (const PlainItem& item : list.items) {
    if (item.field.name == name && item.field.type == field.type && !item.type.empty())
      return item.type;
  }
  return PlainType(field.type);
}

std::string FieldLine(const std::string& type, const std::string& name, const std::string& since,
                      const std::string& value) {
  return fmt::format("FIELD({}, {}, {}){}{};", type, name, since,
                     value.empty() || value.front() == '{' ? "" : " ", value);
}

/// Returns the DEAD for a field. `with` is the value that older files get; if it is empty, they get
/// zero.
std::string DeadLine(std::string type, const LayoutField& field, const std::string& until,
                     const std::string& with) {
  if (with.empty())
    return fmt::format("DEAD({}, {}, {}, {});", type, field.name, Since(field), until);
  if (type.find(',') != std::string::npos)
    type = PlainType(field.type);  // the comma would split the type into two macro arguments
  return fmt::format("DEAD_WITH({}, {}, {}, {}, {});", type, field.name, Since(field), until, with);
}

/// Returns a recorded default as C++. Returns "" for zero, and for record types, whose values the
/// user must write.
std::string DeadValue(const LayoutField& field) {
  if (field.size == 0) return "";
  const std::string leaf = ShapeOf(field.type).leaf;
  const bool number = IsNumber(leaf) || leaf == "bool";
  std::string text;
  bool zero = true;
  for (std::size_t at = 0; at < field.fallback.size();) {
    const std::size_t comma = std::min(field.fallback.find(", ", at), field.fallback.size());
    const std::string value = field.fallback.substr(at, comma - at);
    zero = zero && number && (value == "0" || value == "false");
    if (!text.empty()) text += ", ";
    text += number ? value : fmt::format("{}::{}", CppType(leaf), value);
    at = comma + 2;
  }
  if (zero) return "";
  return leaf == field.type ? text : fmt::format("{{{}}}", text);
}

/// Reconstructs the line that declared a recorded field from the source and the records. `name` is
/// the field's name in the source.
std::string PlainVisitLine(const PlainList& list, const LayoutField& field,
                           const std::string& name) {
  const std::string type = SpelledType(list, field, name);
  if (!IsRem(field)) return FieldLine(type, field.name, Since(field), ValueOf(list, field));
  const bool spelled = ItemOf(list, field) != nullptr && !field.spelled.empty();
  return DeadLine(type, field, field.until, spelled ? field.spelled : DeadValue(field));
}

/// Returns a comment that describes the position of a new line relative to an existing line.
std::string LineNote(const std::string& where, const LayoutField& now) {
  return now.file.empty() ? fmt::format("   // {} its line", where)
                          : fmt::format("   // {} {}:{}", where, now.file, now.line);
}

/// Returns a comment that says where to insert a missing line: after the last field that preceded
/// it in any record.
std::string Behind(const PlainList& list, const LayoutField& missing) {
  const PlainItem* last = nullptr;
  for (const golden::RecordedType& recorded : list.recorded) {
    const auto& fields = recorded.layout.fields;
    const auto here = std::find_if(fields.begin(), fields.end(), [&](const LayoutField& field) {
      return SameItem(field, missing);
    });
    if (here == fields.end()) continue;
    for (auto field = fields.begin(); field != here; ++field) {
      const PlainItem* const item = field->name.empty() ? nullptr : ItemOf(list, *field);
      if (item != nullptr && (last == nullptr || item > last)) last = item;
    }
  }
  return last == nullptr
             ? "   // before all other fields"
             : fmt::format("   // right after {} of {}", last->field.name, Since(last->field));
}

/// Returns the field as recorded after its removal, or null if no record contains it.
const LayoutField* RecordedDead(const PlainList& list, const LayoutField& field) {
  for (const golden::RecordedType& recorded : list.recorded) {
    for (const LayoutField& removed : recorded.removed) {
      if (SameItem(removed, field)) return &removed;
    }
  }
  return nullptr;
}

/// True if the library converts between the two number types without a HOP, because every value is
/// in the range of the new type.
bool Widens(const std::string& from, const std::string& to) {
  if (from == to) return true;
  const auto bits = [](const std::string& wire) {
    return wire == "bool" ? 1 : IsNumber(wire) ? std::stoi(wire.substr(1)) : 0;
  };
  if (bits(from) == 0 || bits(to) == 0 || to == "bool") return false;
  if (from[0] == 'f') return to == "f64";
  if (to[0] == 'f') return from != "bool";
  const bool from_signed = from[0] == 'i', to_signed = to[0] == 'i';
  return from_signed == to_signed ? bits(from) <= bits(to) : !from_signed && bits(from) < bits(to);
}

/// Returns the HOP that converts a field to its new type, or "" if the library converts it
/// automatically. The HOP must follow all fields, because clang compiles its body at that point.
std::string HopLine(const LayoutField& then, const LayoutField& now, const std::string& revision) {
  const WireShape from = ShapeOf(then.type), to = ShapeOf(now.type);
  if (from.extents.size() == to.extents.size() && Widens(from.leaf, to.leaf)) return "";
  if (then.size == 0 || now.size == 0 ||
      (from.extents.size() != to.extents.size() && !from.extents.empty() && !to.extents.empty()))
    return fmt::format(
        "HOP({}) {{ }}   // below all fields: call to.Set<\"{}\">(...) with a value computed from "
        "`from`",
        revision, now.name);
  std::string body, into, out, indent = "\n  ";
  for (std::size_t i = 0; i < std::max(from.extents.size(), to.extents.size()); ++i) {
    const std::string index(1, static_cast<char>('i' + i));
    const bool both = i < from.extents.size() && i < to.extents.size();
    if (i < from.extents.size()) out += (out.empty() ? "" : ", ") + (both ? index : "0");
    if (i < to.extents.size()) into += ", " + (both ? index : "0");
    if (!both) continue;
    body += fmt::format("{0}for (int {1} = 0; {1} < {2}; ++{1})", indent, index,
                        std::min(std::stoull(from.extents[i]), std::stoull(to.extents[i])));
    indent += "  ";
  }
  const std::string set = fmt::format("to.Set<\"{}\">(static_cast<{}>(from.Get<\"{}\">({})){});",
                                      now.name, CppType(to.leaf), then.name, out, into);
  return fmt::format(
      "HOP({}) {{{}{}{}{}}}   // below all fields; decide what happens to values that do not fit",
      revision, body, body.empty() ? " " : indent, set, body.empty() ? " " : "\n");
}

/// Returns a suffix for the name of a new revision. It consists of the new extents, preceded by the
/// type if the type changed.
std::string LettersOf(const LayoutField& then, const LayoutField& now) {
  const WireShape shape = ShapeOf(now.type);
  std::string text = shape.leaf == ShapeOf(then.type).leaf && !shape.extents.empty()
                         ? ""
                         : "_" + Letters(LastComponent(shape.leaf));
  for (const std::string& extent : shape.extents) text += "_" + extent;
  return text;
}

/// Returns the current lines in an order that agrees with every recorded layout.
std::vector<const PlainItem*> RecordedOrder(const PlainList& list) {
  std::map<const PlainItem*, std::vector<const PlainItem*>> after;
  std::map<const PlainItem*, std::size_t> waits;
  for (const golden::RecordedType& recorded : list.recorded) {
    const PlainItem* before = nullptr;
    for (const LayoutField& field : recorded.layout.fields) {
      const PlainItem* const item = field.name.empty() ? nullptr : ItemOf(list, field);
      if (item == nullptr || item == before) continue;
      if (before != nullptr) {
        after[before].push_back(item);
        ++waits[item];
      }
      before = item;
    }
  }
  std::vector<const PlainItem*> left, ordered;
  for (const PlainItem& item : list.items) left.push_back(&item);
  while (!left.empty()) {
    auto next = std::find_if(left.begin(), left.end(),
                             [&](const PlainItem* item) { return waits[item] == 0; });
    // The records contradict each other, so one of them must be damaged.
    if (next == left.end()) next = left.begin();
    for (const PlainItem* item : after[*next]) --waits[item];
    ordered.push_back(*next);
    left.erase(next);
  }
  return ordered;
}

/// Suggests restoring the recorded DEAD.
void FixPlainRem(const ChangePlace& place, Advice& advice) {
  advice.before = fmt::format("restore the line: {}{}",
                              PlainVisitLine(*place.plain, *place.rem, place.rem->name),
                              Behind(*place.plain, *place.rem));
}

}  // namespace

std::string PlainType(const std::string& wire) {
  const WireShape shape = ShapeOf(wire);
  std::string text = CppType(shape.leaf);
  for (const std::string& extent : shape.extents) text += fmt::format("[{}]", extent);
  return text;
}

void FixPlainRetype(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const PlainList& list = *place.plain;
  const LayoutField& then = *change.recorded;
  const LayoutField& now = *change.now;
  if (IsRem(now)) {
    advice.before = fmt::format("restore the line: {}{}", PlainVisitLine(list, then, now.name),
                                PlaceNote(&now));
    return;
  }
  if (place.rem != nullptr) return FixPlainRem(place, advice);
  const std::string value = ValueOf(list, now), type = SpelledType(list, then, now.name);
  // If the new type already has its own revision, only the DEAD for the old type is missing.
  const bool gated = now.since_number > then.since_number;
  const NewRevision next = gated ? NewRevision{now.since, ""}
                                 : Reserve(place.prefix, place.pending, UpperSnake(then.name),
                                           LettersOf(then, now).substr(1));
  advice.after_first = true;
  advice.before =
      "restore the type: " + FieldLine(type, then.name, Since(then), gated ? "" : value);
  advice.after = next.command + DeadLine(type, then, next.symbol, "") +
                 (gated ? LineNote("before", now) : LineNote("instead of", now));
  if (!gated) {
    advice.after +=
        "\n" + FieldLine(SpelledType(list, now, now.name), now.name, next.symbol, value);
  }
  if (const std::string hop = HopLine(then, now, next.symbol); !hop.empty()) {
    advice.after += "\n" + hop;
    if (next.command.empty())
      advice.after += fmt::format("; if a HOP({}) already exists, add the line to it", next.symbol);
  }
}

void FixPlainOrder(const LayoutChange&, const ChangePlace& place, Advice& advice) {
  advice.before = fmt::format("reorder the lines of {} as recorded:", place.type);
  for (const PlainItem* item : RecordedOrder(*place.plain))
    advice.before += "\n" + PlainVisitLine(*place.plain, item->field, item->field.name);
}

/// Suggests restoring the recorded gate, or the recorded DEAD if the field has one.
void FixPlainGate(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const PlainList& list = *place.plain;
  if (place.rem != nullptr) return FixPlainRem(place, advice);
  LayoutField field = *change.recorded;
  const std::string note = change.now != nullptr ? PlaceNote(change.now) : Behind(list, field);
  const std::string name = change.now != nullptr ? change.now->name : field.name;
  if (change.cause == Cause::GateMoved && IsRem(field)) {
    const LayoutField* const dead = RecordedDead(list, field);
    if (dead == nullptr) {
      const NewRevision next = Reserve(place.prefix, place.pending, "NO_" + UpperSnake(field.name));
      field.until = next.symbol;
      advice.after = next.command + PlainVisitLine(list, field, name) + note;
      return;
    }
    field.until = dead->until;
  }
  std::string line = PlainVisitLine(list, field, name);
  if (change.now != nullptr && !IsRem(field)) {
    line = FieldLine(SpelledType(list, field, name), field.name, Since(field),
                     ValueOf(list, *change.now));
  }
  advice.before = fmt::format("restore the line: {}{}", line, note);
}

void FixPlainRemoved(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const PlainList& list = *place.plain;
  const LayoutField& then = *change.recorded;
  if (place.rem != nullptr) return FixPlainRem(place, advice);
  const NewRevision next = Reserve(place.prefix, place.pending, "NO_" + UpperSnake(then.name));
  advice.after = next.command +
                 DeadLine(SpelledType(list, then, then.name), then, next.symbol, "") +
                 Behind(list, then);
}

void FixPlainAdded(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const PlainList& list = *place.plain;
  const LayoutField& now = *change.now;
  if (IsRem(now)) {
    advice.before =
        fmt::format("remove the line, because older files do not contain the field: {}{}",
                    PlainVisitLine(list, now, now.name), PlaceNote(&now));
    return;
  }
  const NewRevision next = Reserve(place.prefix, place.pending, UpperSnake(change.field));
  advice.after =
      next.command +
      FieldLine(SpelledType(list, now, now.name), now.name, next.symbol, ValueOf(list, now)) +
      LineNote("instead of", now);
}

void FixPlainRemName(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  LayoutField line = *change.now;
  line.name = change.recorded->name;
  advice.before = PlainVisitLine(*place.plain, line, change.now->name) + PlaceNote(change.now);
}

void FixPlainRenamed(const LayoutChange& change, const ChangePlace& place, Advice& advice) {
  const PlainList& list = *place.plain;
  const LayoutField& then = *change.recorded;
  const std::string line = FieldLine(SpelledType(list, then, change.now->name), then.name,
                                     Since(then), ValueOf(list, *change.now));
  advice.before = fmt::format("restore the name: {}{}", line, PlaceNote(change.now));
}

}  // namespace revctl::harness
