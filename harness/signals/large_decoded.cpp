#include "harness/signals/large_decoded.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <revctl/detail/types/leaf_text.h>

#include "golden/scalar_text.h"
#include "harness/trace/object.h"

namespace revctl::harness {
namespace {

/// Digests and blocks that are looked into. A chunk may hold a 64th of a list's values.
constexpr std::size_t kMostExpanded = 4;
constexpr std::size_t kMostKept = 256;

/// Returns the list and the first and last element of `units[256..511]#digest`.
struct Chunk {
  std::string list;
  std::size_t first = 0, last = 0;
};
std::optional<Chunk> ChunkOf(const std::string& path) {
  if (!path.ends_with(golden::kDigest)) return std::nullopt;
  const std::size_t open = path.rfind('['), dots = path.find("..", open);
  if (open == std::string::npos || dots == std::string::npos) return std::nullopt;
  return Chunk{path.substr(0, open), std::strtoull(path.c_str() + open + 1, nullptr, 10),
               std::strtoull(path.c_str() + dots + 2, nullptr, 10)};
}

/// Returns the leaves whose path is an element of the chunk, or below one.
std::vector<golden::Leaf> Within(const Chunk& chunk, const std::vector<golden::Leaf>& leaves) {
  std::vector<golden::Leaf> within;
  for (const golden::Leaf& leaf : leaves) {
    if (!leaf.path.starts_with(chunk.list)) continue;
    const std::size_t open = leaf.path.find('[', chunk.list.size());
    if (open == std::string::npos) continue;
    const std::string_view between =
        std::string_view(leaf.path).substr(chunk.list.size(), open - chunk.list.size());
    if (!between.empty() && between != "#key") continue;
    const std::size_t index = std::strtoull(leaf.path.c_str() + open + 1, nullptr, 10);
    if (index >= chunk.first && index <= chunk.last) within.push_back(leaf);
  }
  return within;
}

std::string NumberText(const Condensed::Numbers& numbers, std::size_t index) {
  const std::byte* const at = numbers.bytes.data() + index * numbers.size;
  if (numbers.type == "f32")
    return revctl::detail::FloatText(revctl::detail::LoadAs<float>(at), std::uint32_t{0x7fc00000});
  if (numbers.type == "f64")
    return revctl::detail::FloatText(revctl::detail::LoadAs<double>(at),
                                     std::uint64_t{0x7ff8000000000000});
  std::uint64_t number = 0;
  std::memcpy(&number, at, numbers.size);
  if (numbers.type[0] != 'i') return std::to_string(number);
  const auto shift = static_cast<unsigned>(64 - 8 * numbers.size);
  return std::to_string(static_cast<std::int64_t>(number << shift) >> shift);
}

class Expander {
 public:
  Expander(const Condensed& before, const Condensed& after, const Renames& renames)
      : before_(before), after_(after), renames_(renames) {}

  void Add(const golden::Change& change) {
    if (!StandsForMany(change.path)) return Take(change);
    if (looked_into_ == kMostExpanded) {
      ++out_.not_looked_into;
      return;
    }
    ++looked_into_;
    const auto chunk = ChunkOf(change.path);
    if (!chunk) return Take(change);
    const auto solved = after_.solved.find(change.path);
    if (solved != after_.solved.end() && solved->second.size() == 1)
      return Take(solved->second.front());
    AddChunk(*chunk, change);
  }
  LargeChanges Take() { return std::move(out_); }

 private:
  void Take(golden::Change change) {
    if (out_.changes.size() < kMostKept) {
      out_.changes.push_back(std::move(change));
    } else {
      ++out_.more;
    }
  }
  void AddChunk(const Chunk& chunk, const golden::Change& change) {
    const auto before = Within(chunk, before_.expanded), after = Within(chunk, after_.expanded);
    if (before.empty() || after.empty()) {
      Take({fmt::format("{}[{}..{}]", chunk.list, chunk.first, chunk.last),
            "digest " + change.before.value_or("none"), "digest " + change.after.value_or("none")});
      return;
    }
    for (golden::Change& each : renames_.Compare(before, after)) Take(std::move(each));
    for (const auto& [path, numbers] : after_.blocks) {
      if (path.starts_with(chunk.list)) AddBlock(path);
    }
  }
  void AddBlock(const std::string& path) {
    const auto before = before_.blocks.find(path), after = after_.blocks.find(path);
    if (before == before_.blocks.end() || before->second.size != after->second.size) return;
    const auto &was = before->second, &is = after->second;
    const std::size_t count = std::min(was.bytes.size(), is.bytes.size()) / was.size;
    for (std::size_t i = 0; i < count; ++i) {
      if (std::memcmp(was.bytes.data() + i * was.size, is.bytes.data() + i * is.size, was.size) ==
          0)
        continue;
      if (out_.changes.size() == kMostKept) {
        ++out_.more;
      } else {
        Take({fmt::format("{}[{}]", path, i), NumberText(was, i), NumberText(is, i)});
      }
    }
  }

  const Condensed &before_, &after_;
  const Renames& renames_;
  std::size_t looked_into_ = 0;
  LargeChanges out_;
};

}  // namespace

std::int64_t SavedAt(const History& history) {
  return history.newest_recorded() == History::none()
             ? history.latest().number
             : history.revisions()[history.newest_recorded()].number;
}

LargeDecoded DecodeLarge(const RootType& root, const History& history, const Golden& golden,
                         std::int64_t number, const std::string& expected) {
  LargeDecoded decoded;
  const std::int64_t own = history.revisions()[golden.revision].number;
  auto payload = history.ReadLarge(golden);
  if (!payload) {
    decoded.unreadable = payload.error();
    return decoded;
  }
  {
    const Object object(root.type());
    const auto outcome = root.Read(*payload, own, object.get());
    decoded.complete = outcome.ok && outcome.at_end;
    decoded.offset = outcome.offset;
    decoded.path = BelowRoot(outcome.path, root.type());
    decoded.reason = outcome.reason.empty() && !outcome.ok ? "refused" : outcome.reason;
    if (!decoded.complete) return decoded;
    *payload = {};  // not needed while the bytes are written
    decoded.saved = root.WriteHash(number, object.get(), decoded.hash).ok;
    decoded.as_recorded = decoded.saved && SavedText(decoded.hash) == expected;
  }
  if (decoded.as_recorded) return decoded;
  payload = history.ReadLarge(golden);
  if (!payload) {
    decoded.unreadable = payload.error();
    return decoded;
  }
  const Object object(root.type());
  decoded.read = CondensedRead(root.type(), *payload, own, object.get());
  *payload = {};
  decoded.resaved = CondensedWrite(root.type(), object.get(), number);
  return decoded;
}

std::string SavedText(std::uint64_t hash) { return golden::Quote(golden::HashText(hash)); }

std::string TakeSaved(std::vector<golden::Leaf>& leaves) {
  std::string text;
  std::erase_if(leaves, [&](const golden::Leaf& leaf) {
    if (leaf.path != golden::kSaved) return false;
    text = leaf.text;
    return true;
  });
  return text;
}

Wanted WantedOf(const std::vector<golden::Change>& changes) {
  const auto digest = [](const std::optional<std::string>& text) {
    constexpr std::size_t kQuoted = 18;  // 16 digits
    return text && text->size() == kQuoted
               ? std::optional<std::uint64_t>(std::strtoull(text->c_str() + 1, nullptr, 16))
               : std::nullopt;
  };
  Wanted wanted;
  for (const golden::Change& change : changes) {
    if (wanted.size() == kMostExpanded) break;
    if (!StandsForMany(change.path)) continue;
    const auto before = digest(change.before), after = digest(change.after);
    wanted.emplace(change.path, before && after ? std::optional(*before - *after) : std::nullopt);
  }
  return wanted;
}

LargeChanges Expand(const std::vector<golden::Change>& changes, const Condensed& before,
                    const Condensed& after, const Renames& renames) {
  Expander expander(before, after, renames);
  for (const golden::Change& change : changes) expander.Add(change);
  return expander.Take();
}

}  // namespace revctl::harness
