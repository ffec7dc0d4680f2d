#include "harness/layout/renames.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "golden/text/scalar_text.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {

void SameNames::Add(const std::string& from, const std::string& to) {
  const std::string before = Oldest(from), after = Oldest(to);
  if (before != after)
    older_.emplace(after, before);  // a rename and its reverse must not form a cycle
}

const std::string& SameNames::Oldest(const std::string& name) const {
  const std::string* oldest = &name;
  for (auto found = older_.find(name); found != older_.end(); found = older_.find(*oldest))
    oldest = &found->second;
  return *oldest;
}

Renames::Renames(const std::vector<golden::Approval>& approvals) {
  for (const golden::Approval& approval : approvals) {
    if (approval.kind != golden::Approval::Kind::Rename) continue;
    Add(approval.type, approval.from, approval.to);
  }
}

void Renames::Add(const std::string& type, const std::string& from, const std::string& to) {
  if (!approved_.emplace(type, from, to).second) return;
  of_type_[type].Add(from, to);
  all_.Add(from, to);
  for (const std::string& name : {from, to}) {
    if (!std::all_of(name.begin(), name.end(), base::IsWord)) dotted_.push_back(name);
  }
  std::stable_sort(dotted_.begin(), dotted_.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

bool Renames::Approved(const std::string& type, const std::string& from,
                       const std::string& to) const {
  return approved_.contains({type, from, to});
}

bool Renames::Same(const std::string& type, const std::string& a, const std::string& b) const {
  if (a == b) return true;
  const auto found = of_type_.find(type);
  return found != of_type_.end() && found->second.Oldest(a) == found->second.Oldest(b);
}

std::string Renames::CanonicalPath(const std::string& path) const {
  if (all_.empty()) return path;
  std::string out;
  for (std::size_t i = 0; i < path.size();) {
    const std::string_view rest = std::string_view(path).substr(i);
    // Replace a name such as `pos.x`, a field of a member, as a whole.
    const auto dotted = std::find_if(dotted_.begin(), dotted_.end(), [&](const std::string& name) {
      return rest.starts_with(name) &&
             (rest.size() == name.size() || !base::IsWord(rest[name.size()]));
    });
    const auto word = std::find_if_not(rest.begin(), rest.end(), base::IsWord) - rest.begin();
    const std::size_t size =
        dotted != dotted_.end() ? dotted->size() : static_cast<std::size_t>(word);
    if (size == 0) {
      out += path[i++];
    } else {
      out += all_.Oldest(path.substr(i, size));
      i += size;
    }
  }
  return out;
}

std::vector<golden::Change> Renames::Compare(const std::vector<golden::Leaf>& recorded,
                                             const std::vector<golden::Leaf>& now) const {
  if (all_.empty()) return golden::Compare(recorded, now);
  std::unordered_map<std::string, const golden::Leaf*> then, gone, today;
  for (const golden::Leaf& leaf : now) today.emplace(leaf.path, &leaf);
  for (const golden::Leaf& leaf : recorded) {
    then.emplace(leaf.path, &leaf);
    if (!today.contains(leaf.path)) gone.emplace(CanonicalPath(leaf.path), &leaf);
  }
  std::vector<golden::Leaf> told;
  told.reserve(now.size());
  for (const golden::Leaf& leaf : now) {
    // A path that exists on both sides was not renamed, even if a field with this name was renamed
    // in a different type.
    const golden::Leaf* before = nullptr;
    if (const auto same = then.find(leaf.path); same != then.end()) {
      before = same->second;
    } else if (const auto old = gone.find(CanonicalPath(leaf.path)); old != gone.end()) {
      before = old->second;
    }
    if (before == nullptr) {
      told.push_back(leaf);
      continue;
    }
    // A plain word is an enumerator, a bool or a number. Only enumerators can be renamed.
    const std::string word(golden::WordOf(leaf.text)), recorded_word(golden::WordOf(before->text));
    const bool renamed =
        !word.empty() && !recorded_word.empty() && all_.Oldest(word) == all_.Oldest(recorded_word);
    told.push_back({before->path, renamed ? before->text : leaf.text});
  }
  return golden::Compare(recorded, told);
}

}  // namespace revctl::harness
