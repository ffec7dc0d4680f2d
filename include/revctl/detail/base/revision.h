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

/// A type that a revision can be compared with: any integer or enum except bool, because a bool is
/// most likely the result of another comparison.
template <class N>
concept RevisionNumber = (std::integral<N> && !std::same_as<N, bool>) || std::is_enum_v<N>;

namespace detail {

/// Gives a one-line compile error for types that are not a RevisionNumber.
template <class N>
constexpr bool NoRevision() {
  static_assert(RevisionNumber<N>,
                "revctl: a revision must be an integer or an enumerator, as in `ADD(SR_FOULS, "
                "fouls)` or `r.revision >= SR_FOULS`");
  return false;
}

}  // namespace detail

/// Returns the number of a revision, given as an integer or as an enumerator of any enum. Values
/// above the maximum of std::int64_t become the maximum, so that `~0ull` is later than every
/// revision.
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

/// Defines all comparison operators of a revision through `AtLeast(n)` (revision n or later) and
/// `Above(n)`, so that a class can record comparisons, resolve them at compile time, or translate
/// them.
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

  // Gives a one-line compile error for misuse such as `ADD(1.5, x)` or `int(r.revision)`.
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
    static_assert(!std::integral<I>,
                  "revctl: r.revision cannot be used in arithmetic, only in comparisons such as "
                  "`r.revision >= SR_FOULS`");
    return 0;
  }
};

}  // namespace detail

/// The revision at which a binary archive runs. It is as cheap to compare as an integer, and can be
/// compared with integers and with enumerators of any enum: `r.revision >= SR_FOULS`, `r.revision <
/// Rev::Fouls`.
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

/// The revision of an AnyArchive, which records every number that it is compared with. The harness
/// uses this record to learn which revisions a body depends on. Copies share the same record, so a
/// body may copy `r.revision`. Calls to `number()` are not recorded, so bodies should use
/// comparisons instead.
class NotingRevision : public detail::RevisionComparisons<NotingRevision> {
 public:
  NotingRevision() : notes_(std::make_shared<Noted>()) {}
  template <RevisionNumber N>
  NotingRevision(N n) : NotingRevision() {
    number_ = NumberOf(n);
  }  // NOLINT(google-explicit-constructor)
  NotingRevision(Revision revision) : NotingRevision() { number_ = revision.number(); }  // NOLINT

  /// Sets a new number and keeps the recorded comparisons.
  template <RevisionNumber N>
  NotingRevision& operator=(N n) {
    number_ = NumberOf(n);
    by_name_.reset();
    return *this;
  }
  NotingRevision& operator=(Revision revision) { return *this = revision.number(); }
  /// Opens gates by name, for a file written with a different list. number() is then this program's
  /// newest revision whose gate is open.
  NotingRevision& operator=(GatesByName gates) {
    by_name_ = std::make_shared<const GatesByName>(std::move(gates));
    number_ = by_name_->Newest();
    return *this;
  }

  /// Opens the same gates as `other`, by number or by name, and keeps the recorded comparisons.
  void Follow(const NotingRevision& other) {
    number_ = other.number_;
    by_name_ = other.by_name_;
    pretends_ = other.pretends_;
    pretended_from_ = other.pretended_from_;
    pretended_ = other.pretended_;
    has_less_ = other.has_less_;
    less_ = other.less_;
  }

  /// Makes comparisons with `from` and higher numbers, including gates, behave as if at revision
  /// `as`. Comparisons with lower numbers and number() are unaffected, so any change in a body's
  /// behavior is due to revision `from` or later.
  void Pretend(std::int64_t from, std::int64_t as) {
    pretends_ = true;
    pretended_from_ = from;
    pretended_ = as;
  }

  /// Treats later comparisons `<= n` as `< n`, and `> n` as `>= n`. Comparisons with other numbers
  /// are unaffected.
  void AnswerAsLess(std::int64_t n) {
    has_less_ = true;
    less_ = n;
  }

  std::int64_t number() const { return number_; }
  /// Returns the gates that open by name, or null if they open by number.
  const GatesByName* by_name() const { return by_name_.get(); }
  bool AtLeast(std::int64_t n) const {
    Note(n);
    return by_name_ ? by_name_->AtLeast(n)
                    : (pretends_ && n >= pretended_from_ ? pretended_ : number_) >= n;
  }
  /// Also records `n` + 1, the first number at which the comparison is true.
  bool Above(std::int64_t n) const {
    Note(n);
    if (n != (std::numeric_limits<std::int64_t>::max)()) Note(n + 1);
    Insert(n, notes_->inclusive);
    if (has_less_ && n == less_) return AtLeast(n);
    return by_name_ ? by_name_->Above(n)
                    : (pretends_ && n >= pretended_from_ - 1 ? pretended_ : number_) > n;
  }

  /// Returns the numbers that the revision was compared with since the last ClearNotes(), ascending
  /// and without duplicates.
  const std::vector<std::int64_t>& Notes() const { return notes_->compared; }
  void ClearNotes() { notes_->compared.clear(); }
  /// Returns the numbers that appeared in comparisons with `<=` or `>`, ascending and without
  /// duplicates.
  const std::vector<std::int64_t>& Inclusive() const { return notes_->inclusive; }
  /// Records a number as if the revision had been compared with it.
  void Note(std::int64_t n) const { Insert(n, notes_->compared); }
  /// Inserts a number into an ascending list without duplicates.
  static void Insert(std::int64_t n, std::vector<std::int64_t>& sorted) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), n);
    if (at == sorted.end() || *at != n) sorted.insert(at, n);
  }

 private:
  struct Noted {
    std::vector<std::int64_t> compared, inclusive;
  };

  std::int64_t number_ = 0;
  bool pretends_ = false, has_less_ = false;
  std::int64_t pretended_from_ = 0, pretended_ = 0, less_ = 0;
  std::shared_ptr<Noted> notes_;
  std::shared_ptr<const GatesByName> by_name_;
};

}  // namespace revctl
