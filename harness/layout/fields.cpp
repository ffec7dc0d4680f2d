#include "harness/layout/fields.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "revctl/base/ascii.h"

namespace revctl::harness {

using revctl::LayoutField;

bool IsCounter(const LayoutField& field) { return field.form == "integrity"; }

bool IsConditional(const LayoutField& field) {
  return field.form == "add_conditional" || field.form == "rem_conditional";
}

bool IsRem(const LayoutField& field) {
  return field.form == "rem" || field.form == "rem_conditional";
}

bool HasOtherMacros(const LayoutField& field) {
  return field.form == "plain" && !field.name.empty();
}

bool HasOtherMacros(const std::vector<LayoutField>& fields) {
  return std::any_of(fields.begin(), fields.end(),
                     [](const LayoutField& field) { return HasOtherMacros(field); });
}

bool IsPlace(std::string_view name) {
  return !name.empty() && (name == "more" || name.find_first_not_of("0123456789") == name.npos);
}

std::string LastComponent(const std::string& name) {
  const auto colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

bool SameGate(const std::string& a, std::int64_t a_number, const std::string& b,
              std::int64_t b_number) {
  return a.empty() == b.empty() &&
         (a.empty() || a_number == b_number || LastComponent(a) == LastComponent(b));
}

const LayoutField* FindField(const std::vector<LayoutField>& fields, const std::string& name) {
  for (const LayoutField& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

namespace {

/// Returns a unique label for each field. Labels of unnamed fields and of repeated names contain a
/// number.
std::vector<std::string> Labels(const std::vector<LayoutField>& fields) {
  std::map<std::string, int> seen;
  std::vector<std::string> labels;
  for (const LayoutField& field : fields) {
    const std::string label =
        IsCounter(field) ? "CHECK_INTEGRITY " + LastComponent(field.since) : field.name;
    const int again = seen[label]++;
    labels.push_back(again == 0 ? label : label + "#" + std::to_string(again));
  }
  return labels;
}

}  // namespace

Matching Match(const std::vector<LayoutField>& recorded, const std::vector<LayoutField>& now,
               const std::function<bool(const std::string&, const std::string&)>& same) {
  const auto recorded_labels = Labels(recorded), now_labels = Labels(now);
  std::map<std::string, std::size_t> by_label;
  for (std::size_t j = 0; j < now.size(); ++j) by_label[now_labels[j]] = j;
  Matching match{std::vector<std::size_t>(recorded.size(), kUnmatched),
                 std::vector<std::size_t>(now.size(), kUnmatched)};
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const auto found = by_label.find(recorded_labels[i]);
    if (found == by_label.end()) continue;
    match.to_now[i] = found->second;
    match.to_recorded[found->second] = i;
  }
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (match.to_now[i] != kUnmatched || recorded[i].name.empty() || IsCounter(recorded[i]))
      continue;
    for (std::size_t j = 0; j < now.size(); ++j) {
      if (match.to_recorded[j] != kUnmatched || now[j].name.empty() || IsCounter(now[j]) ||
          !same(recorded[i].name, now[j].name))
        continue;
      match.to_now[i] = j;
      match.to_recorded[j] = i;
      break;
    }
  }
  return match;
}

std::vector<bool> OutOfOrder(const std::vector<std::size_t>& values,
                             const std::vector<bool>& blame_first) {
  const std::size_t n = values.size();
  std::vector<std::size_t> weight(n), previous(n, kUnmatched);
  std::size_t best = kUnmatched;
  for (std::size_t i = 0; i < n; ++i) {
    // Positions outside `blame_first` outweigh any number of positions inside it.
    const std::size_t own = blame_first[i] ? 1 : n + 1;
    weight[i] = own;
    for (std::size_t k = 0; k < i; ++k) {
      if (values[k] < values[i] && weight[k] + own > weight[i]) {
        weight[i] = weight[k] + own;
        previous[i] = k;
      }
    }
    if (best == kUnmatched || weight[i] > weight[best]) best = i;
  }
  std::vector<bool> out(n, true);
  for (std::size_t i = best; i != kUnmatched; i = previous[i]) out[i] = false;
  return out;
}

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kWords = {{
    {"i8", "int8_t"},
    {"i16", "int16_t"},
    {"i32", "int32_t"},
    {"i64", "int64_t"},
    {"u8", "uint8_t"},
    {"u16", "uint16_t"},
    {"u32", "uint32_t"},
    {"u64", "uint64_t"},
    {"f32", "float"},
    {"f64", "double"},
    {"string", "std::string"},
    {"vector", "std::vector"},
    {"array", "std::array"},
    {"optional", "std::optional"},
    {"map", "std::map"},
    {"set", "std::set"},
    {"tuple", "std::tuple"},
    {"variant", "std::variant"},
    {"unique_ptr", "std::unique_ptr"},
    {"aligned", "revctl::Aligned"},
}};

/// ':' is part of a name, so that `game::Mood` is a single word.
bool IsNameLetter(char c) { return base::IsWord(c) || c == ':'; }

}  // namespace

bool IsNumber(std::string_view wire) {
  return wire.size() >= 2 && wire.size() <= 3 && base::IsDigit(wire[1]) &&
         (wire[0] == 'i' || wire[0] == 'u' || wire[0] == 'f');
}

std::string CppType(std::string_view wire) {
  std::string out;
  for (std::size_t i = 0; i < wire.size();) {
    if (!IsNameLetter(wire[i])) {
      out += wire[i] == ',' ? ", " : std::string(1, wire[i]);
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < wire.size() && IsNameLetter(wire[end])) ++end;
    std::string_view word = wire.substr(i, end - i);
    for (const auto& [name, spelled] : kWords) {
      if (word == name) {
        word = spelled;
        break;
      }
    }
    out += word == "bitset" || word == "pair" ? "std::" + std::string(word) : std::string(word);
    i = end;
  }
  return out;
}

std::string_view Outermost(std::string_view wire) { return wire.substr(0, wire.find('<')); }

bool IsContainer(std::string_view wire) {
  const std::string_view name = Outermost(wire);
  for (std::string_view container : {"vector", "array", "optional", "map", "set", "pair", "tuple",
                                     "variant", "unique_ptr", "bitset", "string", "aligned"}) {
    if (name == container) return true;
  }
  return false;
}

bool IsPadding(const LayoutField& field) {
  return field.name.empty() && field.type.starts_with("array<u8,");
}

std::vector<LayoutField> WithoutPadding(const std::vector<LayoutField>& fields) {
  std::vector<LayoutField> named;
  std::remove_copy_if(fields.begin(), fields.end(), std::back_inserter(named), IsPadding);
  return named;
}

const LayoutField* BesidePadding(const std::vector<LayoutField>& fields,
                                 const std::vector<LayoutField>& named, const LayoutField* copy) {
  for (std::size_t i = 0, field = 0; field < fields.size(); ++field) {
    if (IsPadding(fields[field])) continue;
    if (copy == &named[i++]) return &fields[field];
  }
  return copy;
}

}  // namespace revctl::harness
