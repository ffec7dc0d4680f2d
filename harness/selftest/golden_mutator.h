#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "harness/selftest/selftest.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {

/// Base of the classes that change the payload of a golden in the way in which a faulty writer
/// would.
class GoldenMutator {
 public:
  GoldenMutator(const RootType& root, const History& history, const Golden& golden,
                SelfTestTable& table)
      : root_(root),
        history_(history),
        golden_(golden),
        table_(table),
        number_(history.revisions()[golden.revision].number) {}

 protected:
  using Bytes = std::vector<std::byte>;
  /// A range of bytes in the payload, such as those of one value.
  struct Range {
    std::size_t offset = 0, size = 0;
    std::size_t end() const { return offset + size; }
  };

  Bytes Of(Range range) const { return Joined({Part(range)}); }
  // The next functions, up to Enter, each return a mutated copy of the payload.
  Bytes Without(Range range) const { return Joined({Before(range.offset), From(range.end())}); }
  Bytes With(std::size_t at, const Bytes& more) const {
    return Joined({Before(at), more, From(at)});
  }
  /// Swaps two ranges. `first` ends before `second` begins.
  Bytes Exchanged(Range first, Range second) const {
    return Joined({Before(first.offset), Part(second),
                   Part({first.end(), second.offset - first.end()}), Part(first),
                   From(second.end())});
  }
  Bytes Reversed(Range range) const {
    Bytes bytes = payload_;
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(range.offset);
    std::reverse(begin, begin + static_cast<std::ptrdiff_t>(range.size));
    return bytes;
  }

  /// Records in Progress that the mutation is about to run. If it crashed an earlier process,
  /// counts it as caught and returns false, so that the caller skips it.
  bool Enter(const std::string& mutation, const std::string& place) {
    if (Progress::Enter(root_.name, mutation + " at " + place + ", mutation " +
                                        std::to_string(++tried_) + " of " + golden_.id))
      return true;
    table_.Note(mutation, place, Seen::Bytes, true);
    return false;
  }

  const RootType& root_;
  const History& history_;
  const Golden& golden_;
  SelfTestTable& table_;
  const std::int64_t number_;
  Bytes payload_;  ///< set by the derived class

 private:
  using View = std::span<const std::byte>;
  View Before(std::size_t end) const { return View(payload_).first(end); }
  View From(std::size_t begin) const { return View(payload_).subspan(begin); }
  View Part(Range range) const { return View(payload_).subspan(range.offset, range.size); }
  static Bytes Joined(std::initializer_list<View> parts) {
    Bytes bytes;
    for (const View part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
    return bytes;
  }

  std::size_t tried_ = 0;
};

}  // namespace revctl::harness
