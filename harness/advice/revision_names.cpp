#include "harness/advice/revision_names.h"

#include "revctl/base/ascii.h"

namespace revctl::harness {

std::string UpperSnake(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!base::IsAlphanumeric(c)) {
      if (!out.empty() && out.back() != '_') out += '_';
      continue;
    }
    const bool starts = base::IsUpper(c) && i > 0 &&
                        (base::IsLower(name[i - 1]) || base::IsDigit(name[i - 1]) ||
                         (i + 1 < name.size() && base::IsLower(name[i + 1])));
    if (starts && !out.empty() && out.back() != '_') out += '_';
    out += base::Upper(c);
  }
  while (out.ends_with('_')) out.pop_back();
  return out.empty() ? "CHANGE" : out;
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

NewRevision Reserve(const std::string& prefix, const std::string& pending,
                    const std::string& name) {
  if (!pending.empty()) return {pending, ""};
  return {prefix + name, "revctl reserve " + prefix + name + "\n"};
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
