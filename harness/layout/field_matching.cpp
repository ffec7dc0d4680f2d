#include "harness/layout/field_matching.h"

#include <algorithm>
#include <map>

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

/// Names of fields, made unique: what has no name, and a name visited again, gets a number.
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
    const std::size_t own = blame_first[i] ? 1 : n + 1;  // one field outweighs all counters
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

}  // namespace revctl::harness
