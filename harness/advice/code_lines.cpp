#include "harness/advice/code_lines.h"

#include <fmt/core.h>
#include <algorithm>

#include "harness/layout/fields.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {

using revctl::LayoutField;

std::string Since(const LayoutField& field) {
  return field.since.empty() ? "REVISION" : field.since;
}

bool IsValue(const LayoutField& field) { return field.size != 0 && !IsContainer(field.type); }

std::string PlaceNote(const LayoutField* field) {
  return field == nullptr || field->file.empty()
             ? std::string()
             : fmt::format("   // {}:{}", field->file, field->line);
}

namespace {

/// Returns a default that compiles for the type. The user must replace it with the right value.
std::string PlainDefault(const std::string& wire) {
  if (wire == "bool") return "false";
  if (wire == "f32") return "0.0f";
  if (wire == "f64") return "0.0";
  return IsNumber(wire) && wire[0] != 'f' ? "0" : "{}";
}

/// Returns a recorded default as a C++ expression. For types with several values, returns only a
/// placeholder.
std::string Literal(const LayoutField& field) {
  const std::string& value = field.fallback;
  if (IsNumber(field.type) || field.type == "bool" || field.type == "string") return value;
  if (!IsValue(field)) return PlainDefault(field.type);
  const bool number = base::IsDigit(value[0]) || value[0] == '-';
  return number ? fmt::format("static_cast<{}>({})", CppType(field.type), value)
                : fmt::format("{}::{}", CppType(field.type), value);
}

}  // namespace

std::string RemLine(const LayoutField& recorded, const std::string& until,
                    const std::string& fallback) {
  const std::string value = !fallback.empty()            ? fallback
                            : !recorded.spelled.empty()  ? recorded.spelled
                            : !recorded.fallback.empty() ? Literal(recorded)
                                                         : PlainDefault(recorded.type);
  if (recorded.reference) {
    const std::string pointer =
        recorded.spelled.empty() ? fmt::format("decltype(d.{})", recorded.name) : recorded.spelled;
    return fmt::format("REM_REF({}, {}, {}, {});", Since(recorded), until, pointer, recorded.name);
  }
  std::string type = CppType(recorded.type), alias;
  if (type.find(',') != std::string::npos) {  // a comma would split the macro argument in two
    alias = fmt::format("using {}_before = {};\n", recorded.name, type);
    type = recorded.name + "_before";
  }
  if (!recorded.condition.empty()) {
    return fmt::format("{}REM_CONDITIONAL({}, {}, {}, {}, {}, {});", alias, Since(recorded), until,
                       recorded.condition, type, recorded.name, value);
  }
  return fmt::format("{}REM({}, {}, {}, {}, {});", alias, Since(recorded), until, type,
                     recorded.name, value);
}

std::string AddLine(const LayoutField& now, const std::string& since) {
  if (!now.condition.empty())
    return fmt::format("ADD_CONDITIONAL({}, {}, {});", since, now.condition, now.name);
  if (now.form == "base") return fmt::format("ADD_BASE({}, {});", since, now.name);
  if (now.form == "bits")
    return fmt::format("ADD_BITS({}, {}, {});", since, CppType(now.type), now.name);
  if (now.reference) return fmt::format("ADD_REF({}, {});", since, now.name);
  return fmt::format("ADD({}, {});", since, now.name);
}

std::string VisitLine(const LayoutField& field) {
  if (field.form == "integrity") return fmt::format("CHECK_INTEGRITY({});", Since(field));
  if (IsRem(field)) return RemLine(field, field.until);
  if (field.form == "rem_member")
    return fmt::format("REM({}, {}, {});", Since(field), field.until, field.name);
  if (field.form == "plain" || field.name.empty())
    return "Serialize(r, ...);   // " + CppType(field.type);
  return AddLine(field, Since(field));
}

std::string UpperWords(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!base::IsAlphanumeric(c)) {
      if (!out.empty() && out.back() != '_') out += '_';
      continue;
    }
    // A capital letter begins a word if it follows a lowercase letter or a digit, or precedes a
    // lowercase letter, like the `S` in `HTTPServer`.
    const bool starts = base::IsUpper(c) && i > 0 &&
                        (base::IsLower(name[i - 1]) || base::IsDigit(name[i - 1]) ||
                         (i + 1 < name.size() && base::IsLower(name[i + 1])));
    if (starts && !out.empty() && out.back() != '_') out += '_';
    out += base::Upper(c);
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

std::string UpperSnake(const std::string& name) {
  const std::string words = UpperWords(name);
  return words.empty() ? "CHANGE" : words;
}

std::string CommonPrefix(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string prefix = names.front();
  for (const std::string& name : names) {
    std::size_t same = 0;
    while (same < prefix.size() && same < name.size() && prefix[same] == name[same]) ++same;
    prefix.resize(same);
  }
  if (names.size() == 1)
    return prefix.substr(0, prefix.find('_') == std::string::npos ? 0 : prefix.find('_') + 1);
  const auto last = prefix.rfind('_');
  return last == std::string::npos ? "" : prefix.substr(0, last + 1);
}

std::string RevisionName(const std::string& prefix, const std::string& name,
                         const std::string& detail) {
  const std::string whole = prefix + name + (detail.empty() ? "" : "_" + detail);
  if (whole.size() <= kLongestName) return whole;
  std::string shorter = prefix + name;
  while (shorter.size() > kLongestName) {
    const std::size_t word = shorter.rfind('_');
    if (word == std::string::npos || word <= prefix.size()) break;
    shorter.resize(word);
  }
  const std::size_t most = std::max(kLongestName, prefix.size() + 1);
  return shorter.substr(0, most);
}

NewRevision Reserve(const std::string& prefix, const std::string& pending, const std::string& name,
                    const std::string& detail) {
  if (!pending.empty()) return {pending, ""};
  const std::string symbol = RevisionName(prefix, name, detail);
  return {symbol, "revctl reserve " + symbol + "\n"};
}

std::string Letters(const std::string& wire) {
  std::string out;
  for (char c : wire) {
    if (base::IsAlphanumeric(c)) {
      out += base::Upper(c);
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

}  // namespace revctl::harness
