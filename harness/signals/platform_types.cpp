// GH001 for fields whose C++ type has a different size on another platform. The compiler's types
// cannot reveal such fields, because std::int64_t is `long` on Linux. Therefore, the check reads
// the spelling of the type in the macro's line or, if the type is not there, in the declaration of
// the member.
#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <vector>

#include "harness/layout/fields.h"
#include "harness/signals/signals.h"
#include "harness/trace/declarations.h"
#include "harness/trace/source_place.h"
#include "revctl/base/lexer.h"

namespace revctl::harness {
namespace {

/// True for macros that take a type as an argument.
bool TakesType(std::string_view macro) {
  static const std::set<std::string_view> kMacros = {
      "REM", "REM_CONDITIONAL", "FIELD", "DEAD", "DEAD_WITH", "ADD_BITS", "REM_BITS", "FIELD_BITS"};
  return kMacros.contains(macro);
}

/// Returns the platform type in the tokens [from, to) of an argument, either alone or inside a
/// template such as `std::vector<long>`. Returns "" if there is none.
std::string PlatformType(const std::vector<std::string_view>& tokens, std::size_t from,
                         std::size_t to) {
  static const std::set<std::string_view> kNames = {"size_t",    "ssize_t", "ptrdiff_t", "intptr_t",
                                                    "uintptr_t", "time_t",  "off_t",     "wchar_t"};
  for (std::size_t i = from; i < to; ++i) {
    if (kNames.contains(tokens[i])) return std::string(tokens[i]);
    if (tokens[i] != "long") continue;
    const bool is_long_long =
        (i + 1 < to && tokens[i + 1] == "long") || (i > from && tokens[i - 1] == "long");
    const bool is_unsigned =
        (i > from && tokens[i - 1] == "unsigned") || (i + 1 < to && tokens[i + 1] == "unsigned");
    if (!is_long_long) return is_unsigned ? "unsigned long" : "long";
  }
  return "";
}

struct Spelled {
  std::string macro, type;
  int line = 0;
};

std::vector<Spelled> PlatformTypesIn(const BodyText& body) {
  std::vector<Spelled> found;
  base::Problem problem;
  const auto lexed = base::Lex(body.text, problem);
  if (!lexed) return found;
  const auto& tokens = lexed->tokens;
  std::vector<std::string_view> texts;
  for (const base::Token& token : tokens) texts.push_back(token.text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!TakesType(tokens[i].text) || !tokens[i + 1].Is("(")) continue;
    std::size_t end = i + 2;
    for (int depth = 1; end < tokens.size(); ++end) {
      if (tokens[end].Is("(")) ++depth;
      if (tokens[end].Is(")") && --depth == 0) break;
    }
    // Only the arguments before the field's name matter, because a default may contain a cast to
    // any type. The name is the third argument of REM and the first argument of all other macros.
    const bool is_rem = tokens[i].text.starts_with("REM") && tokens[i].text != "REM_BITS";
    std::size_t begin = i + 2, argument = 0, stop = end;
    int depth = 0;
    for (std::size_t at = i + 2; at < end; ++at) {
      if (tokens[at].Is("(") || tokens[at].Is("<")) ++depth;
      if (tokens[at].Is(")") || tokens[at].Is(">")) --depth;
      if (depth != 0 || !tokens[at].Is(",")) continue;
      ++argument;
      if (argument == (is_rem ? 2U : 0U)) begin = at + 1;
      if (argument == (is_rem ? 3U : tokens[i].text.ends_with("BITS") ? 2U : 1U)) {
        stop = at;
        break;
      }
    }
    const std::string type = PlatformType(texts, begin, stop);
    if (type.empty()) continue;
    const auto text = body.text.begin();
    found.push_back(
        {std::string(tokens[i].text), type,
         body.line + static_cast<int>(std::count(
                         text, text + static_cast<std::ptrdiff_t>(tokens[i].span.begin), '\n'))});
  }
  return found;
}

/// True if the size of a declared type certainly depends on the platform: for platform types, and
/// for standard containers of them. Any other template may define its own wire format.
bool HoldsForCertain(const std::vector<std::string>& type) {
  static const std::set<std::string_view> kTransparent = {
      "vector",        "array",         "deque", "list",  "forward_list", "set",     "map",
      "unordered_set", "unordered_map", "pair",  "tuple", "optional",     "variant", "unique_ptr"};
  for (std::size_t i = 0; i < type.size(); ++i) {
    if (type[i] == "*" || type[i] == "&" || type[i] == "(" || type[i] == "sizeof") return false;
    if (i > 0 && type[i] == "<" &&
        (i < 3 || type[i - 2] != "::" || type[i - 3] != "std" ||
         !kTransparent.contains(type[i - 1])))
      return false;
  }
  return true;
}

/// Returns the wire type of a platform type on this platform.
std::string WireType(const std::string& type) {
  const bool is_unsigned = type.starts_with("u") || type == "size_t";
  const std::size_t bytes = type.ends_with("long") ? sizeof(long) : sizeof(std::size_t);
  return (is_unsigned ? "u" : "i") + std::to_string(8 * bytes);
}

void AddPlatformType(CheckContext& context, const std::string& owner, const std::string& field,
                     const std::string& type, const std::string& file, int line) {
  Finding finding{.rule = RuleId::Layout,
                  .severity = Severity::Warning,
                  .message = fmt::format("{}.{}: {} has a different size on other platforms", owner,
                                         field, type),
                  .file = context.Relative(file),
                  .line = line,
                  .revision = context.history.latest().name,
                  .fix =
                      "use a fixed-size type, such as std::int64_t or std::uint64_t; files written "
                      "on this platform stay the same",
                  .type = owner,
                  .field = field,
                  .signal = "layout",
                  .cause = "platform type " + type};
  context.verdicts.Add(std::move(finding), "platform type");
}

/// True if a platform type could have this wire type on this platform. This cheap test usually
/// avoids parsing the source.
bool MayBePlatformType(const revctl::LayoutField* field) {
  return Mentions(field->type, WireType("long")) || Mentions(field->type, WireType("size_t"));
}

/// Checks members that ADD visits. Their types are spelled only in their declarations.
void CheckMembers(CheckContext& context, const std::string& type, const TypeTrace& trace) {
  const auto fields = trace.AllFields();
  if (std::none_of(fields.begin(), fields.end(), MayBePlatformType)) return;
  const auto owner = StructOfBody(trace);
  if (!owner) return;
  for (const revctl::LayoutField* const field : fields) {
    const auto declares = [&](const DeclaredMember& member) { return member.name == field->name; };
    const auto& members = owner->members;
    const auto member = std::find_if(members.begin(), members.end(), declares);
    if (field->name.empty() || IsRem(*field) || field->form == "bits" || member == members.end() ||
        std::count_if(members.begin(), members.end(), declares) != 1 || !MayBePlatformType(field))
      continue;
    const std::vector<std::string> declared = WithoutAliases(*member, *owner);
    const std::string spelled =
        PlatformType({declared.begin(), declared.end()}, 0, declared.size());
    if (!spelled.empty() && HoldsForCertain(declared) && Mentions(field->type, WireType(spelled)))
      AddPlatformType(context, type, field->name, spelled, owner->file, member->line);
  }
}

}  // namespace

void CheckPlatformTypes(CheckContext& context, const RevisionRun& now) {
  for (const auto& [type, trace] : now.layouts) {
    CheckMembers(context, type, trace);
    const BodyText body = TextOfBody(trace);
    for (const Spelled& spelled : PlatformTypesIn(body)) {
      std::string field;
      for (const revctl::LayoutField* const visited : trace.AllFields()) {
        if (visited->line == spelled.line) field = visited->name;
      }
      if (field.empty()) continue;  // this line is in another type's body
      AddPlatformType(context, type, field, spelled.type, body.file, spelled.line);
    }
  }
}

}  // namespace revctl::harness
