#include "harness/schema/names.h"

#include "revctl/base/ascii.h"

namespace revctl::harness {
std::string LowerSnake(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!base::IsLower(c) && !base::IsUpper(c) && !base::IsDigit(c)) {
      if (!out.empty() && out.back() != '_') out += '_';
      continue;
    }
    // A capital begins a word: after a small letter, and before one where capitals go on
    // (`HTTPServer`).
    const bool before_lower =
        i > 0 && base::IsUpper(name[i - 1]) && i + 1 < name.size() && base::IsLower(name[i + 1]);
    const bool begins = base::IsUpper(c) && i > 0 && (!base::IsUpper(name[i - 1]) || before_lower);
    if (begins && !out.empty() && out.back() != '_') out += '_';
    out += base::IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  while (out.ends_with('_')) out.pop_back();
  if (out.empty()) return "value";
  return base::IsLower(out.front()) ? out : "n" + out;
}

const std::string& NameScope::Of(const std::string& original) {
  const auto known = names_.find(original);
  if (known != names_.end()) return known->second;
  const std::string wanted = LowerSnake(original);
  std::string name = wanted;
  for (int n = 2; !taken_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
  return names_.emplace(original, std::move(name)).first->second;
}

}  // namespace revctl::harness
