#include "harness/renames.h"

#include <cctype>

namespace harness {

Renames::Renames(const std::vector<golden::Approval>& approvals) {
  for (const golden::Approval& approval : approvals) {
    if (approval.kind != golden::Approval::Kind::Rename) continue;
    approved_.emplace(approval.type, approval.from, approval.to);
    // Names are mapped whatever the type: both sides of a comparison are, so a namesake elsewhere
    // stays equal to itself.
    if (approval.from != approval.to) older_.emplace(approval.to, approval.from);
  }
}

bool Renames::Approved(const std::string& type, const std::string& from,
                       const std::string& to) const {
  return approved_.contains({type, from, to});
}

std::string Renames::Oldest(const std::string& name) const {
  std::string oldest = name;
  // Renamed there and back again is a circle: it ends after as many steps as there are renames.
  for (std::size_t i = 0; i < older_.size(); ++i) {
    const auto found = older_.find(oldest);
    if (found == older_.end()) break;
    oldest = found->second;
  }
  return oldest;
}

std::string Renames::CanonicalPath(const std::string& path) const {
  std::string out, word;
  const auto flush = [&] {
    out += word.empty() ? word : Oldest(word);
    word.clear();
  };
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else {
      flush();
      out += c;
    }
  }
  flush();
  return out;
}

std::vector<golden::Leaf> Renames::Canonical(const std::vector<golden::Leaf>& leaves) const {
  std::vector<golden::Leaf> out;
  out.reserve(leaves.size());
  // A plain word is an enumerator, a bool or a number; only the first can have been renamed.
  for (const golden::Leaf& leaf : leaves) {
    out.push_back(
        {CanonicalPath(leaf.path), leaf.text.starts_with('"') ? leaf.text : Oldest(leaf.text)});
  }
  return out;
}

std::vector<golden::Change> Renames::Compare(const std::vector<golden::Leaf>& recorded,
                                             const std::vector<golden::Leaf>& now) const {
  if (older_.empty()) return golden::Compare(recorded, now);
  return golden::Compare(Canonical(recorded), Canonical(now));
}

}  // namespace harness
