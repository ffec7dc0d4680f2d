#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/gates_by_name.h>

namespace revctl {

/// What a revision can be compared with: any integer, any enumerator, scoped or not. No bool: it is
/// the outcome of a comparison.
template <class N>
concept RevisionNumber = (std::integral<N> && !std::same_as<N, bool>) || std::is_enum_v<N>;

namespace detail {

/// For what is none.
template <class N>
constexpr bool NoRevision() {
  static_assert(RevisionNumber<N>,
                "revctl: a revision is an integer or an enumerator: `ADD(SR_FOULS, fouls)`, "
                "`r.revision >= SR_FOULS`");
  return false;
}

}  // namespace detail

/// The number of a revision, whichever enum or integer it is spelled with. Beyond std::int64_t, the
/// highest there is: `~0ull` is later than all revisions, not before them.
template <RevisionNumber N>
constexpr std::int64_t NumberOf(N n) {
  if constexpr (std::is_enum_v<N>) {
    if constexpr (RevisionNumber<std::underlying_type_t<N>>) {
      return NumberOf(static_cast<std::underlying_type_t<N>>(n));
    } else {
      return static_cast<std::int64_t>(n);
    }
  } else if constexpr (std::is_unsigned_v<N> && sizeof(N) >= sizeof(std::int64_t)) {
    constexpr auto kHighest = (std::numeric_limits<std::int64_t>::max)();
    return n > static_cast<std::uint64_t>(kHighest) ? kHighest : static_cast<std::int64_t>(n);
  } else {
    return static_cast<std::int64_t>(n);
  }
}
template <class N>
requires(!RevisionNumber<N>) constexpr std::int64_t NumberOf(const N&) {
  return detail::NoRevision<N>();
}

namespace detail {

/// All comparisons of a revision, made from one question: `AtLeast(n)`, "is this revision n or a
/// later one?". One question means that a class can note, fix at compile time, or translate what it
/// is compared with.
template <class Self>
struct RevisionComparisons {
  template <RevisionNumber N>
  friend constexpr bool operator>=(const Self& a, N n) {
    return a.AtLeast(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator<(const Self& a, N n) {
    return !a.AtLeast(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator>(const Self& a, N n) {
    return a.Above(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator<=(const Self& a, N n) {
    return !a.Above(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator==(const Self& a, N n) {
    return a.AtLeast(NumberOf(n)) && !a.Above(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator<(N n, const Self& a) {
    return a.Above(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator>=(N n, const Self& a) {
    return !a.Above(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator>(N n, const Self& a) {
    return !a.AtLeast(NumberOf(n));
  }
  template <RevisionNumber N>
  friend constexpr bool operator<=(N n, const Self& a) {
    return a.AtLeast(NumberOf(n));
  }

  // What is no revision is told so in one line: `ADD(1.5, x)`, `int(r.revision)`.
  template <class N>
  requires(!RevisionNumber<N>) friend constexpr bool operator>=(const Self&, const N&) {
    return NoRevision<N>();
  }
  template <class N>
  requires(!RevisionNumber<N>) friend constexpr bool operator<(const Self&, const N&) {
    return NoRevision<N>();
  }
  template <std::integral I>
  constexpr explicit operator I() const {
    static_assert(
        !std::integral<I>,
        "revctl: r.revision is no number to calculate with: compare it, `r.revision >= SR_FOULS`");
    return 0;
  }
};

}  // namespace detail

/// The revision at which the binary archives run: one number, compared at the cost of comparing
/// integers. It compares with integers and with enumerators of any enum: `r.revision >= SR_FOULS`,
/// `r.revision < Rev::Fouls`.
class Revision : public detail::RevisionComparisons<Revision> {
 public:
  constexpr Revision() = default;
  template <RevisionNumber N>
  constexpr Revision(N n)
      : number_(NumberOf(n)) {}  // NOLINT(google-explicit-constructor): a revision *is* a number

  constexpr std::int64_t number() const { return number_; }
  constexpr bool AtLeast(std::int64_t n) const { return number_ >= n; }
  constexpr bool Above(std::int64_t n) const { return number_ > n; }

 private:
  std::int64_t number_ = 0;
};

/// A revision that remembers every number it was compared with; what `AnyArchive` has.
///
/// The harness asks it which revisions a body cares about. Copies keep noting into the same place,
/// so that a body that copies `r.revision` is not lost sight of. Reads of `number()` are not noted:
/// compare instead.
class NotingRevision : public detail::RevisionComparisons<NotingRevision> {
 public:
  NotingRevision() : notes_(std::make_shared<std::vector<std::int64_t>>()) {}
  template <RevisionNumber N>
  NotingRevision(N n) : NotingRevision() {
    number_ = NumberOf(n);
  }  // NOLINT(google-explicit-constructor)
  NotingRevision(Revision revision) : NotingRevision() { number_ = revision.number(); }  // NOLINT

  /// A new number; notes stay where they are.
  template <RevisionNumber N>
  NotingRevision& operator=(N n) {
    number_ = NumberOf(n);
    by_name_.reset();
    return *this;
  }
  NotingRevision& operator=(Revision revision) { return *this = revision.number(); }
  /// From now on gates open by name: a file of another list is read. number() is then the newest of
  /// this program's revisions that the file has.
  NotingRevision& operator=(GatesByName gates) {
    by_name_ = std::make_shared<const GatesByName>(std::move(gates));
    number_ = by_name_->Newest();
    return *this;
  }

  /// The number, or the names, by which another archive opens its gates; notes stay.
  void Follow(const NotingRevision& other) {
    number_ = other.number_;
    by_name_ = other.by_name_;
    pretends_ = other.pretends_;
    pretended_from_ = other.pretended_from_;
    pretended_ = other.pretended_;
  }

  /// Comparisons with numbers from `from` on are answered as at revision `as`, older ones as
  /// before; number() stays. What a body then does differently is the doing of revisions from
  /// `from` on. Gates answer so, too: who asks opens them itself.
  void Pretend(std::int64_t from, std::int64_t as) {
    pretends_ = true;
    pretended_from_ = from;
    pretended_ = as;
  }

  std::int64_t number() const { return number_; }
  /// Null while the number alone decides.
  const GatesByName* by_name() const { return by_name_.get(); }
  bool AtLeast(std::int64_t n) const {
    Note(n);
    return by_name_ ? by_name_->AtLeast(n)
                    : (pretends_ && n >= pretended_from_ ? pretended_ : number_) >= n;
  }
  /// Notes the number behind `n`, too: that is where the answer becomes another.
  bool Above(std::int64_t n) const {
    Note(n);
    if (n != (std::numeric_limits<std::int64_t>::max)()) Note(n + 1);
    return by_name_ ? by_name_->Above(n)
                    : (pretends_ && n >= pretended_from_ - 1 ? pretended_ : number_) > n;
  }

  /// Every number compared with since the last ClearNotes, ascending, each once.
  const std::vector<std::int64_t>& Notes() const { return *notes_; }
  void ClearNotes() { notes_->clear(); }
  /// Adds a number as if it had been compared with.
  void Note(std::int64_t n) const {
    auto at = std::lower_bound(notes_->begin(), notes_->end(), n);
    if (at == notes_->end() || *at != n) notes_->insert(at, n);
  }

 private:
  std::int64_t number_ = 0;
  bool pretends_ = false;
  std::int64_t pretended_from_ = 0, pretended_ = 0;
  std::shared_ptr<std::vector<std::int64_t>> notes_;
  std::shared_ptr<const GatesByName> by_name_;
};

}  // namespace revctl
