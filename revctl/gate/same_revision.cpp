#include "revctl/gate/same_revision.h"

#include <algorithm>
#include <initializer_list>

#include "revctl/base/ascii.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {
namespace {

/// True if `whole` contains more than half of `part`. Exactly half is not enough, because two short
/// changes may well share an #include.
bool HasMostOf(const ChangedLines& whole, const ChangedLines& part) {
  const auto shared = std::count_if(part.begin(), part.end(),
                                    [&](const std::string& line) { return whole.contains(line); });
  return 2 * static_cast<std::size_t>(shared) > part.size();
}

/// True if the message has a line `KEY: NAME <EMAIL>` with the person's email address and one of
/// `keys`.
bool IsNamedIn(const std::string& message, std::initializer_list<std::string_view> keys,
               const git::Person& person) {
  const std::string wanted = base::Lower("<" + person.email + ">");
  std::string_view rest = message;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line = base::Lower(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t colon = line.find(':', begin);
    if (colon == line.npos || line.find(wanted, colon) == line.npos) continue;
    const std::string_view found = std::string_view(line).substr(begin, colon - begin);
    if (std::find(keys.begin(), keys.end(), found) != keys.end()) return true;
  }
  return false;
}

bool IsCoAuthor(const git::Person& person, const git::CommitInfo& commit) {
  return IsNamedIn(commit.message, {"co-authored-by"}, person);
}

bool SharesAuthor(const git::CommitInfo& one, const git::CommitInfo& other) {
  return IsSameAuthor(one.author, other.author) || IsCoAuthor(one.author, other) ||
         IsCoAuthor(other.author, one);
}

/// Returns the line without whitespace, or "" if the line is too common to be compared.
std::string Comparable(std::string_view line) {
  std::string out;
  std::size_t letters = 0;
  for (const char c : line) {
    if (!base::IsBlank(c) && c != '\r') out += c;
    letters += base::IsLetter(c) ? 1 : 0;
  }
  return letters < 2 ? "" : out;
}

}  // namespace

bool IsSameAuthor(const git::Person& one, const git::Person& other) {
  const auto same = [](const std::string& a, const std::string& b) {
    return !a.empty() && base::Lower(a) == base::Lower(b);
  };
  return same(one.email, other.email) || same(one.name, other.name);
}

bool TakesPart(const git::Person& person, const git::CommitInfo& commit) {
  return IsSameAuthor(person, commit.author) || IsSameAuthor(person, commit.committer) ||
         IsNamedIn(commit.message, {"co-authored-by", "signed-off-by", "author"}, person);
}

SameEvidence WhySame(const TwiceAdded& facts) {
  if (facts.same_record) return SameEvidence::SameRecord;
  const auto any_pair = [&](auto&& holds) {
    return std::any_of(facts.theirs.begin(), facts.theirs.end(), [&](const AddingCommit& theirs) {
      return std::any_of(facts.ours.begin(), facts.ours.end(),
                         [&](const AddingCommit& ours) { return holds(theirs, ours); });
    });
  };
  if (any_pair([](const AddingCommit& theirs, const AddingCommit& ours) {
        return theirs.commit.time == ours.commit.time &&
               IsSameAuthor(theirs.commit.author, ours.commit.author);
      }))
    return SameEvidence::SameCommit;
  if (any_pair([](const AddingCommit& theirs, const AddingCommit& ours) {
        return IsCoAuthor(theirs.commit.author, ours.commit);
      }))
    return SameEvidence::Declared;
  for (const AddingCommit& theirs : facts.theirs) {
    if (HasMostOf(facts.our_code, theirs.code) || HasMostOf(theirs.code, facts.our_code_of_it))
      return SameEvidence::SameCode;
  }
  if (any_pair([&](const AddingCommit& theirs, const AddingCommit& ours) {
        return (theirs.code.empty() || facts.our_code_of_it.empty()) &&
               SharesAuthor(theirs.commit, ours.commit);
      }))
    return SameEvidence::SamePerson;
  return SameEvidence::None;
}

std::vector<CommitCode> ParsePatches(std::string_view text, std::string_view name,
                                     std::optional<std::int64_t> number) {
  const std::string digits = number ? std::to_string(*number) : "";
  std::vector<CommitCode> out;
  bool in_hunk = false;
  std::string blob;  // the `..NEW` part of the file's `index OLD..NEW` line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('\0')) {
      out.push_back({git::Oid(line.substr(1)), {}});
      in_hunk = false;
    } else if (out.empty()) {
      continue;
    } else if (line.starts_with("diff ")) {
      in_hunk = false;
    } else if (line.starts_with("@@ ")) {
      in_hunk = true;
    } else if (!in_hunk && line.starts_with("index ")) {
      const std::size_t dots = std::min(line.find(".."), line.size());
      blob = line.substr(dots, line.find(' ', dots) - dots);
    } else if (!in_hunk && line.starts_with("Binary files ")) {
      out.back().code.insert("binary" + blob);
    } else if (in_hunk && (line.starts_with('+') || line.starts_with('-'))) {
      if (HoldsWord(line, name)) {
        out.back().names_it = true;
      } else if (digits.empty() || !HoldsWord(line.substr(1), digits)) {
        if (std::string compared = Comparable(line); !compared.empty())
          out.back().code.insert(std::move(compared));
      }
    }
  }
  return out;
}

}  // namespace revctl::commands
