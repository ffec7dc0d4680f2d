#include <revctl/detail/base/revision.h>

#include <catch2/catch.hpp>

namespace {

enum Plain { SR_OLD = 3, SR_NEW = 7 };
enum class Scoped : std::uint8_t { Old = 3, New = 7 };
enum class Negative : std::int8_t { Before = -5 };

template <class R>
void ComparesWithAnything() {
  const R r = 5;
  CHECK(r >= SR_OLD);
  CHECK(r < SR_NEW);
  CHECK(r >= Scoped::Old);
  CHECK(r < Scoped::New);
  CHECK(r > Negative::Before);
  CHECK(r == 5);
  CHECK(r != 6);
  CHECK(r <= 5u);
  CHECK(r <= std::uint8_t{5});
  CHECK_FALSE(r > 5ll);
  CHECK(Scoped::Old <= r);
  CHECK(SR_NEW > r);
  CHECK(4 < r);
  CHECK(5 >= r);
  CHECK(5 == r);
  CHECK_FALSE(r > std::numeric_limits<std::int64_t>::max());
  CHECK(r.number() == 5);
}

}  // namespace

TEST_CASE("revision: can be compared with integers and enumerators of any enum", "[revision]") {
  ComparesWithAnything<revctl::Revision>();
  ComparesWithAnything<revctl::NotingRevision>();
  static_assert(revctl::Revision(5) >= SR_OLD && revctl::Revision(SR_NEW) == Scoped::New);
}

TEST_CASE("noting revision: records comparisons, even through copies", "[revision]") {
  revctl::NotingRevision r = 5;
  static_cast<void>(r >= SR_NEW);
  static_cast<void>(r < SR_OLD);
  static_cast<void>(SR_NEW > r);
  const revctl::NotingRevision copy = r;
  static_cast<void>(copy == 11);
  CHECK(r.Notes() == std::vector<std::int64_t>{3, 7, 11});
  static_cast<void>(r <= 20);  // the result changes between 20 and 21
  static_cast<void>(r > (std::numeric_limits<std::int64_t>::max)());
  CHECK(r.Notes() ==
        std::vector<std::int64_t>{3, 7, 11, 20, 21, (std::numeric_limits<std::int64_t>::max)()});

  r = 6;  // keeps the notes of earlier comparisons
  CHECK(r.number() == 6);
  CHECK(r.Notes().size() == 6);
  CHECK(r.Inclusive() == std::vector<std::int64_t>{20, (std::numeric_limits<std::int64_t>::max)()});
  CHECK(r <= 6);
  r.AnswerAsLess(6);
  CHECK((r > 6 && !(r <= 6) && r <= 7 && r > 5));
  r.ClearNotes();
  CHECK(copy.Notes().empty());
}

TEST_CASE("revision: a number above 63 bits is later than all others", "[revision]") {
  enum class Never : std::uint64_t { Ever = ~0ull };
  const revctl::Revision revision = 5;
  CHECK(revision < ~0ull);
  CHECK_FALSE(revision >= ~0ull);
  CHECK_FALSE(revision >= Never::Ever);
  CHECK(revctl::NumberOf(Never::Ever) == INT64_MAX);
  CHECK(revctl::NumberOf(std::uint64_t{1} << 63) == INT64_MAX);
  CHECK(revctl::NumberOf(std::uint64_t{INT64_MAX}) == INT64_MAX);
}
