#include "golden/revision_record.h"

#include <fmt/core.h>
#include <charconv>
#include <string_view>
#include <unordered_map>

#include "golden/index.h"
#include "golden/text/text_tree.h"
#include "revctl/base/ascii.h"

namespace revctl::golden {

std::string CaseId(const std::string& revision, const std::string& name) {
  return revision + "/" + name;
}

std::vector<Change> Compare(const std::vector<Leaf>& before, const std::vector<Leaf>& after) {
  std::unordered_map<std::string_view, const Leaf*> then, now;
  for (const Leaf& leaf : before) then.emplace(leaf.path, &leaf);
  for (const Leaf& leaf : after) now.emplace(leaf.path, &leaf);
  std::vector<Change> changes;
  for (const Leaf& leaf : before) {
    const auto found = now.find(leaf.path);
    if (found == now.end()) {
      changes.push_back({leaf.path, leaf.text, std::nullopt});
    } else if (found->second->text != leaf.text) {
      changes.push_back({leaf.path, leaf.text, found->second->text});
    }
  }
  for (const Leaf& leaf : after) {
    if (!then.contains(leaf.path)) changes.push_back({leaf.path, std::nullopt, leaf.text});
  }
  return changes;
}

void Apply(const std::vector<Change>& changes, std::vector<Leaf>& leaves) {
  if (changes.empty()) return;
  std::unordered_map<std::string_view, const Change*> by_path;
  for (const Change& change : changes) by_path.emplace(change.path, &change);
  std::vector<Leaf> result;
  result.reserve(leaves.size());
  for (Leaf& leaf : leaves) {
    const auto found = by_path.find(leaf.path);
    if (found == by_path.end()) {
      result.push_back(std::move(leaf));
      continue;
    }
    if (found->second->after) result.push_back({std::move(leaf.path), *found->second->after});
    by_path.erase(found);
  }
  for (const Change& change : changes) {
    const auto found = by_path.find(change.path);
    if (found != by_path.end() && found->second == &change && change.after) {
      result.push_back({change.path, *change.after});
    }
  }
  leaves = std::move(result);
}

namespace {

/// Formats a value for a store file: strings in quotes, everything else plain if possible.
std::string ValueText(std::string_view text) {
  if (text.starts_with('"')) return std::string(text);
  return IsPlain(text) ? NumberOrWord(text) : Quote(text);
}

std::string SideText(const std::optional<std::string>& side) {
  return side ? ValueText(*side) : "~";
}

std::optional<std::string> ReadSide(TextReader& reader, const TextNode& node) {
  if (node.kind == TextNode::Kind::Scalar && !node.quoted && node.scalar == "~")
    return std::nullopt;
  return reader.Value(node);
}

}  // namespace

void FormatChanges(std::string_view key, std::size_t indent, const std::vector<Change>& changes,
                   std::string& out) {
  const std::string blanks(indent, ' ');
  out += fmt::format("{}{}:\n", blanks, key);
  for (const Change& change : changes) {
    out += fmt::format("{}  {}: [{}, {}]\n", blanks, KeyText(change.path), SideText(change.before),
                       SideText(change.after));
  }
}

std::vector<Change> ReadChanges(TextReader& reader, const TextNode& node) {
  std::vector<Change> changes;
  for (const auto& [path, sides] : node.map) {
    if (sides.kind != TextNode::Kind::List || sides.list.size() != 2) {
      reader.Fail(sides, "expected `[before, after]`");
      return changes;
    }
    changes.push_back({path, ReadSide(reader, sides.list[0]), ReadSide(reader, sides.list[1])});
  }
  return changes;
}

namespace {

using Reader = TextReader;
using revctl::EnumLayout;
using revctl::LayoutField;

constexpr std::string_view kTitle =
    "# A golden record: frozen once its revision has landed. The format: "
    "docs/formats/golden-store.md of revctl.\n";

// ---- writing

void FormatField(const LayoutField& field, std::string& out) {
  out += "      - {";
  if (!field.name.empty()) out += fmt::format("name: {}, ", PlainOrQuoted(field.name));
  out += "type: " + PlainOrQuoted(field.type);
  if (field.size != 0) out += fmt::format(", size: {}", field.size);
  out += ", form: " + PlainOrQuoted(field.form);
  if (!field.since.empty())
    out += fmt::format(", since: {}, from: {}", PlainOrQuoted(field.since), field.since_number);
  if (!field.until.empty())
    out += fmt::format(", until: {}, to: {}", PlainOrQuoted(field.until), field.until_number);
  if (!field.condition.empty()) out += ", condition: " + Quote(field.condition);
  if (!field.fallback.empty()) out += ", default: " + Quote(field.fallback);
  if (!field.always) out += ", always: false";
  if (!field.members.empty()) out += ", members: " + Quote(field.members);
  out += "}\n";
}

void FormatFields(std::string_view key, const std::vector<LayoutField>& fields, std::string& out) {
  out += fmt::format("    {}:{}\n", key, fields.empty() ? " []" : "");
  for (const LayoutField& field : fields) FormatField(field, out);
}

void FormatType(const RecordedType& type, std::string& out) {
  out += fmt::format("  - type: {}\n    compared: [", PlainOrQuoted(type.layout.type));
  for (std::size_t i = 0; i < type.layout.compared.size(); ++i)
    out += fmt::format("{}{}", i ? ", " : "", type.layout.compared[i]);
  out += "]\n";
  FormatFields("fields", type.layout.fields, out);
  if (!type.removed.empty()) FormatFields("removed", type.removed, out);
}

void FormatEnum(const EnumLayout& layout, std::string& out) {
  out +=
      fmt::format("  - type: {}\n    underlying: {}\n    values:{}\n", PlainOrQuoted(layout.type),
                  PlainOrQuoted(layout.underlying), layout.enumerators.empty() ? " {}" : "");
  for (const auto& [name, value] : layout.enumerators)
    out += fmt::format("      {}: {}\n", KeyText(name), value);
}

void FormatItem(const Case& item, const std::string& more, std::string& out) {
  out += fmt::format("  - type: {}\n    name: {}\n    size: {}\n    hash: {}\n{}    values:{}\n",
                     PlainOrQuoted(item.type), PlainOrQuoted(item.name), item.size,
                     Quote(HashText(item.hash)), more, item.values.empty() ? " {}" : "");
  for (const Leaf& leaf : item.values)
    out += fmt::format("      {}: {}\n", KeyText(leaf.path), ValueText(leaf.text));
  if (!item.upgraded.empty()) FormatChanges("upgraded", 4, item.upgraded, out);
}

void FormatCase(const Case& item, std::string& out) { FormatItem(item, "", out); }

void FormatLarge(const LargeCase& large, std::string& out) {
  FormatItem(large.item,
             fmt::format("    stored: {}\n    sha256: {}\n", large.stored, Quote(large.sha256)),
             out);
}

void FormatVersion(const HeldVersion& place, std::string& out) {
  out += fmt::format("  - {{type: {}, at: {}, size: {}{}}}\n", PlainOrQuoted(place.type), place.at,
                     place.size, place.big_endian ? ", order: big" : "");
}

void FormatUpgrade(const Upgrade& upgrade, std::string& out) {
  out += fmt::format("  - type: {}\n    cases: [", PlainOrQuoted(upgrade.type));
  for (std::size_t i = 0; i < upgrade.cases.size(); ++i)
    out += (i ? ", " : "") + PlainOrQuoted(upgrade.cases[i]);
  out += "]\n";
  FormatChanges("changes", 4, upgrade.changes, out);
}

std::string BehindText(const std::vector<std::string>& behind) {
  std::string text;
  for (const std::string& name : behind)
    text += (text.empty() ? "\nbehind: [" : ", ") + PlainOrQuoted(name);
  return text.empty() ? text : text + "]";
}

std::string PendingText(const std::vector<std::pair<std::string, std::int64_t>>& pending) {
  std::string text;
  for (const auto& [name, number] : pending)
    text += fmt::format("{}{}: {}", text.empty() ? "\npending: {" : ", ", KeyText(name), number);
  return text.empty() ? text : text + "}";
}

void FormatFile(const RecordedFile& file, std::string& out) {
  out += fmt::format("  - type: {}\n    payload: {}", PlainOrQuoted(file.type),
                     Quote(HashText(file.payload)));
  if (file.depth != 0) out += fmt::format("\n    depth: {}", file.depth);
  if (file.budget != 0) out += fmt::format("\n    budget: {}", file.budget);
  out += "\n    bytes: \"";
  for (const std::byte byte : file.bytes) out += base::Hex(static_cast<std::uint64_t>(byte), 2);
  out += "\"\n";
}

template <class Items, class Format>
void FormatAll(std::string_view key, const Items& items, Format format, std::string& out) {
  out += fmt::format("{}:{}\n", key, items.empty() ? " []" : "");
  for (const auto& item : items) format(item, out);
}

// ---- reading

LayoutField ReadField(Reader& reader, const TextNode& node) {
  LayoutField field;
  if (!reader.Keys(node, {"name", "type", "size", "form", "since", "from", "until", "to",
                          "condition", "default", "always", "members"})) {
    return field;
  }
  field.name = reader.OptionalText(node, "name");
  field.type = reader.Text(node, "type");
  field.size = reader.OptionalInteger<std::uint32_t>(node, "size");
  field.form = reader.Text(node, "form");
  field.since = reader.OptionalText(node, "since");
  field.since_number = reader.OptionalInteger<std::int64_t>(node, "from");
  field.until = reader.OptionalText(node, "until");
  field.until_number = reader.OptionalInteger<std::int64_t>(node, "to");
  field.condition = reader.OptionalText(node, "condition");
  field.fallback = reader.OptionalText(node, "default");
  if (const TextNode* always = node.Find("always")) field.always = reader.Flag(*always);
  field.members = reader.OptionalText(node, "members");
  return field;
}

RecordedType ReadType(Reader& reader, const TextNode& node) {
  RecordedType type;
  if (!reader.Keys(node, {"type", "compared", "fields", "removed"})) return type;
  type.layout.type = reader.Text(node, "type");
  for (const TextNode& number : reader.List(node, "compared")) {
    type.layout.compared.push_back(reader.Integer<std::int64_t>(number));
  }
  for (const TextNode& field : reader.List(node, "fields"))
    type.layout.fields.push_back(ReadField(reader, field));
  for (const TextNode& field : reader.List(node, "removed", false))
    type.removed.push_back(ReadField(reader, field));
  return type;
}

EnumLayout ReadEnum(Reader& reader, const TextNode& node) {
  EnumLayout layout;
  if (!reader.Keys(node, {"type", "underlying", "values"})) return layout;
  layout.type = reader.Text(node, "type");
  layout.underlying = reader.Text(node, "underlying");
  if (const TextNode* values = reader.Map(node, "values")) {
    for (const auto& [name, value] : values->map) {
      layout.enumerators.emplace_back(name, reader.Integer<std::int64_t>(value));
    }
  }
  return layout;
}

Case ReadItem(Reader& reader, const TextNode& node) {
  Case item;
  item.type = reader.Text(node, "type");
  item.name = reader.Text(node, "name");
  item.size = reader.Integer<std::uint64_t>(node, "size");
  if (const TextNode* hash = reader.Need(node, "hash")) item.hash = reader.Hash(*hash);
  if (const TextNode* values = reader.Map(node, "values")) {
    item.values.reserve(values->map.size());
    for (const auto& [path, value] : values->map)
      item.values.push_back({path, reader.Value(value)});
  }
  if (const TextNode* upgraded = node.Find("upgraded"))
    item.upgraded = ReadChanges(reader, *upgraded);
  return item;
}

Case ReadCase(Reader& reader, const TextNode& node) {
  if (!reader.Keys(node, {"type", "name", "size", "hash", "values", "upgraded"})) return {};
  return ReadItem(reader, node);
}

LargeCase ReadLarge(Reader& reader, const TextNode& node) {
  LargeCase large;
  if (!reader.Keys(node,
                   {"type", "name", "size", "hash", "stored", "sha256", "values", "upgraded"}))
    return large;
  large.item = ReadItem(reader, node);
  large.stored = reader.Integer<std::uint64_t>(node, "stored");
  large.sha256 = reader.Text(node, "sha256");
  if (large.sha256.size() != 64 || !base::IsHex(large.sha256))
    reader.Fail(node, "`sha256` must have 64 hex digits");
  return large;
}

HeldVersion ReadVersion(Reader& reader, const TextNode& node) {
  HeldVersion place;
  if (!reader.Keys(node, {"type", "at", "size", "order"})) return place;
  place.type = reader.Text(node, "type");
  place.at = reader.Integer<std::uint64_t>(node, "at");
  place.size = reader.Integer<std::uint32_t>(node, "size");
  if (place.size != 1 && place.size != 2 && place.size != 4 && place.size != 8)
    reader.Fail(node, "`size` must be 1, 2, 4 or 8");
  const std::string order = reader.OptionalText(node, "order");
  if (!order.empty() && order != "big") reader.Fail(node, "`order` must be `big` or omitted");
  place.big_endian = order == "big";
  return place;
}

Upgrade ReadUpgrade(Reader& reader, const TextNode& node) {
  Upgrade upgrade;
  if (!reader.Keys(node, {"type", "cases", "changes"})) return upgrade;
  upgrade.type = reader.Text(node, "type");
  for (const TextNode& id : reader.List(node, "cases")) upgrade.cases.push_back(reader.Scalar(id));
  if (const TextNode* changes = reader.Map(node, "changes"))
    upgrade.changes = ReadChanges(reader, *changes);
  return upgrade;
}

RecordedFile ReadRecordedFile(Reader& reader, const TextNode& node) {
  RecordedFile file;
  if (!reader.Keys(node, {"type", "payload", "depth", "budget", "bytes"})) return file;
  file.type = reader.Text(node, "type");
  if (const TextNode* hash = reader.Need(node, "payload")) file.payload = reader.Hash(*hash);
  file.depth = reader.OptionalInteger<int>(node, "depth");
  file.budget = reader.OptionalInteger<std::uint64_t>(node, "budget");
  const std::string hex = reader.Text(node, "bytes");
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned byte = 0;
    const char* const end = hex.data() + i + 2;
    if (std::from_chars(hex.data() + i, end, byte, 16).ptr != end) break;
    file.bytes.push_back(static_cast<std::byte>(byte));
  }
  if (file.bytes.size() * 2 != hex.size())
    reader.Fail(node, "`bytes` must have two hex digits for each byte");
  return file;
}

Provenance ReadProvenance(Reader& reader, const TextNode& node) {
  Provenance provenance;
  if (!reader.Keys(node, {"by", "code", "compiler", "revctl", "seed"})) return provenance;
  provenance.command = reader.Text(node, "by");
  provenance.code = reader.Text(node, "code");
  provenance.compiler = reader.Text(node, "compiler");
  provenance.version = reader.Text(node, "revctl");
  provenance.seed = reader.Integer<std::uint64_t>(node, "seed");
  return provenance;
}

RevisionRecord ReadRecord(Reader& reader, const TextNode& root) {
  RevisionRecord record;
  if (!reader.IsVersionOne(root, "the golden store")) return record;
  if (!reader.Keys(root, {"version", "revision", "number", "lineage", "previous", "behind",
                          "pending", "recorded", "types", "enums", "cases", "large", "versions",
                          "upgrades", "files"})) {
    return record;
  }
  if (const TextNode* revision = reader.Need(root, "revision")) {
    record.revision = reader.Scalar(*revision);
    if (!IsRevisionName(record.revision)) reader.Fail(*revision, "not a revision name");
  }
  record.number = reader.Integer<std::int64_t>(root, "number");
  if (const TextNode* lineage = reader.Need(root, "lineage"))
    record.lineage = reader.Hash(*lineage);
  const auto name = [&](const TextNode& node) {
    std::string text = reader.Scalar(node);
    if (!IsRevisionName(text)) reader.Fail(node, "not a revision name");
    return text;
  };
  if (const TextNode* previous = root.Find("previous")) record.previous = name(*previous);
  for (const TextNode& node : reader.List(root, "behind", false))
    record.behind.push_back(name(node));
  if (const TextNode* pending = root.Find("pending") ? reader.Map(root, "pending") : nullptr) {
    for (const auto& [key, value] : pending->map) {
      if (!IsRevisionName(key)) reader.Fail(value, "not a revision name");
      record.pending.emplace_back(key, reader.Integer<std::int64_t>(value));
    }
  }
  if (const TextNode* recorded = reader.Need(root, "recorded"))
    record.provenance = ReadProvenance(reader, *recorded);
  for (const TextNode& node : reader.List(root, "types"))
    record.types.push_back(ReadType(reader, node));
  for (const TextNode& node : reader.List(root, "enums"))
    record.enums.push_back(ReadEnum(reader, node));
  for (const TextNode& node : reader.List(root, "cases"))
    record.cases.push_back(ReadCase(reader, node));
  for (const TextNode& node : reader.List(root, "large", false))
    record.large.push_back(ReadLarge(reader, node));
  for (const TextNode& node : reader.List(root, "versions", false))
    record.versions.push_back(ReadVersion(reader, node));
  for (const TextNode& node : reader.List(root, "upgrades"))
    record.upgrades.push_back(ReadUpgrade(reader, node));
  for (const TextNode& node : reader.List(root, "files", false))
    record.files.push_back(ReadRecordedFile(reader, node));
  return record;
}

}  // namespace

std::string HashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

namespace {

/// True if Quote would produce exactly this quoted text. May return false for texts with uncommon
/// escapes, which the caller handles.
bool IsQuoteOfOurs(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '"') return false;
    if (static_cast<unsigned char>(c) >= 0xC2 && UnlikeCharacter(text, i) != 0) return false;
    if (c != '\\') continue;
    ++i;
    if (i + 1 == text.size() || std::string_view("\"\\nrt").find(text[i]) == std::string_view::npos)
      return false;
  }
  return true;
}

}  // namespace

std::string CanonicalText(std::string_view text) {
  if (text.starts_with('"')) {
    // fast path for nearly all values
    if (IsQuoteOfOurs(text)) return std::string(text);
    const auto tree = ParseTextTree("v: " + std::string(text), "");
    if (tree.ok() && tree->map.size() == 1 && tree->map[0].value.quoted)
      return Quote(tree->map[0].value.scalar);
  }
  return IsPlain(text) ? std::string(text) : Quote(text);
}

std::string FormatRecord(const RevisionRecord& record) {
  std::string out =
      fmt::format("{}version: 1\nrevision: {}\nnumber: {}\nlineage: {}", kTitle,
                  PlainOrQuoted(record.revision), record.number, Quote(HashText(record.lineage)));
  if (!record.previous.empty()) out += "\nprevious: " + PlainOrQuoted(record.previous);
  out += BehindText(record.behind) + PendingText(record.pending);
  const Provenance& by = record.provenance;
  out +=
      fmt::format("\nrecorded:\n  by: {}\n  code: {}\n  compiler: {}\n  revctl: {}\n  seed: {}\n",
                  PlainOrQuoted(by.command), PlainOrQuoted(by.code), PlainOrQuoted(by.compiler),
                  PlainOrQuoted(by.version), by.seed);
  FormatAll("types", record.types, FormatType, out);
  FormatAll("enums", record.enums, FormatEnum, out);
  FormatAll("cases", record.cases, FormatCase, out);
  if (!record.large.empty()) FormatAll("large", record.large, FormatLarge, out);
  if (!record.versions.empty()) FormatAll("versions", record.versions, FormatVersion, out);
  FormatAll("upgrades", record.upgrades, FormatUpgrade, out);
  if (!record.files.empty()) FormatAll("files", record.files, FormatFile, out);
  return out;
}

Result<RevisionRecord> ParseRecord(std::string_view text, std::string_view file) {
  TRY(auto tree, ParseTextTree(text, file));
  Reader reader(file);
  RevisionRecord record = ReadRecord(reader, tree);
  if (reader.error()) return *reader.error();
  return record;
}

}  // namespace revctl::golden
