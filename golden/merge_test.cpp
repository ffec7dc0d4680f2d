// Merges all combinations of a few records file by file, as git does. The result must never mix two
// records.
#include "golden/merge.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <vector>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"

using revctl::golden::FileName;
using revctl::golden::Kept;
using revctl::golden::PayloadPack;

namespace {

/// The files of a record; nullopt if missing.
struct Pair {
  std::optional<std::string> record, payloads;
  bool operator==(const Pair&) const = default;
};

Pair Recorded(const std::vector<std::string>& payloads, int number) {
  revctl::golden::RevisionRecord record;
  record.revision = "SR_X";
  record.number = number;
  record.provenance = {"record", "SR_X", "", "", 1};
  PayloadPack pack;
  for (const std::string& text : payloads) {
    revctl::golden::Case one;
    one.type = "T";
    one.name = text;
    one.size = text.size();
    one.hash = pack.Add(std::as_bytes(std::span(text.data(), text.size())));
    record.cases.push_back(one);
  }
  return {revctl::golden::FormatRecord(record),
          pack.size() == 0 ? std::nullopt : std::optional(pack.Bytes())};
}

/// Merges a file as git does. Returns false on a conflict.
bool MergeFile(const FileName& name, std::optional<std::string> Pair::*file, const Pair& base,
               const Pair& ours, const Pair& theirs, const Pair& landed, Pair& out) {
  const auto &o = base.*file, &a = ours.*file, &b = theirs.*file;
  auto& to = out.*file;
  if (a == b || b == o) {
    to = a;
    return true;
  }
  if (a == o) {
    to = b;
    return true;
  }
  if (!a || !b) return false;
  revctl::golden::Versions versions{o ? *o : std::string_view(), *a, *b, std::nullopt};
  if (landed.*file) versions.landed = *(landed.*file);
  const Kept kept = revctl::golden::Merge(name, versions);
  std::swap(versions.ours, versions.theirs);
  const Kept swapped = revctl::golden::Merge(name, versions);
  REQUIRE(((kept == Kept::Neither && swapped == kept) ||
           (kept == Kept::Ours) == (swapped == Kept::Theirs)));
  if (kept == Kept::Neither) return false;
  to = kept == Kept::Ours ? a : b;
  return true;
}

}  // namespace

TEST_CASE("merge: a record and its payloads come from one side", "[golden][merge]") {
  const std::vector<Pair> all{{},
                              Recorded({}, 1),
                              Recorded({"one"}, 1),
                              Recorded({"one"}, 2),
                              Recorded({"two"}, 1),
                              Recorded({"one", "two"}, 1)};
  const FileName record{FileName::Kind::Record, "SR_X", ""},
      payloads{FileName::Kind::Payloads, "SR_X", ""};
  int merged = 0, conflicts = 0, landed_kept = 0;
  for (const Pair& base : all) {
    for (const Pair& ours : all) {
      for (const Pair& theirs : all) {
        for (const Pair& landed : all) {
          Pair out;
          const bool one = MergeFile(record, &Pair::record, base, ours, theirs, landed, out);
          const bool two = MergeFile(payloads, &Pair::payloads, base, ours, theirs, landed, out);
          if (!one || !two) {
            ++conflicts;
            continue;
          }
          ++merged;
          INFO(base.record.value_or("none")
               << ours.record.value_or("none") << theirs.record.value_or("none"));
          // The merged payloads must belong to the merged record, which must be unchanged from one
          // side.
          const bool fits =
              std::any_of(all.begin(), all.end(), [&](const Pair& pair) { return pair == out; });
          REQUIRE(fits);
          REQUIRE((out.record == ours.record || out.record == theirs.record));
          // Git calls the merge driver only if both sides changed the record differently.
          const bool asked = ours.record != theirs.record && ours.record != base.record &&
                             theirs.record != base.record;
          if (asked && landed.record && (ours == landed || theirs == landed)) {
            REQUIRE(out == landed);
            ++landed_kept;
          }
        }
      }
    }
  }
  CHECK(merged > 900);
  CHECK(conflicts > 0);
  CHECK(landed_kept > 50);
}

TEST_CASE("merge: an unreadable version is a conflict", "[golden][merge]") {
  const Pair one = Recorded({"one"}, 1), two = Recorded({"two"}, 1);
  const FileName record{FileName::Kind::Record, "SR_X", ""};
  const auto kept = [](const FileName& name, std::string_view ours, std::string_view theirs,
                       std::optional<std::string_view> landed = std::nullopt,
                       std::string_view base = "") {
    return revctl::golden::Merge(name, {base, ours, theirs, landed});
  };
  CHECK(kept(record, *one.record, *two.record) != Kept::Neither);
  CHECK(kept(record, *one.record, "<<<<<<<") == Kept::Neither);
  CHECK(kept(record, *one.record, *two.record, *one.record, "=======") == Kept::Neither);
  CHECK(kept({FileName::Kind::Record, "SR_OTHER", ""}, *one.record, *two.record) == Kept::Neither);
  CHECK(kept({FileName::Kind::Payloads, "SR_X", ""}, *one.payloads, *one.record) == Kept::Neither);
  const FileName addition{FileName::Kind::Record, "SR_X", "0123456789abcdef"};
  CHECK(kept(addition, *one.record, *two.record) == Kept::Neither);
  CHECK(kept(addition, *one.record, *two.record, *two.record) == Kept::Theirs);
  const FileName approval{FileName::Kind::Approval, "", "0123456789abcdef"};
  CHECK(kept(approval, "one", "two", "two") == Kept::Neither);
}

TEST_CASE("merge: keeps the pending version that protects more", "[golden][merge]") {
  const FileName record{FileName::Kind::Record, "SR_X", ""},
      payloads{FileName::Kind::Payloads, "SR_X", ""};
  const auto stays = [&](const Pair& less, const Pair& more) {
    CHECK(revctl::golden::Merge(record, {"", *less.record, *more.record, std::nullopt}) ==
          Kept::Theirs);
    CHECK(revctl::golden::Merge(record, {"", *more.record, *less.record, std::nullopt}) ==
          Kept::Ours);
    if (*less.payloads == *more.payloads) return;
    CHECK(revctl::golden::Merge(payloads, {"", *less.payloads, *more.payloads, std::nullopt}) ==
          Kept::Theirs);
  };
  stays(Recorded({"a long payload"}, 9), Recorded({"b", "c"}, 1));  // more payloads
  stays(Recorded({"short"}, 9), Recorded({"a long payload"}, 1));   // more bytes
  stays(Recorded({"one"}, 9), Recorded({"one"}, 10));               // the greater revision number
}

TEST_CASE("merge: git mistakes a deleted and a new record for a rename", "[golden][merge]") {
  const Pair one = Recorded({"one"}, 1), changed = Recorded({"one", "more"}, 2);
  Pair other = Recorded({"two"}, 1);
  other.record->replace(other.record->find("SR_X"), 4, "SR_Y");
  const FileName name{FileName::Kind::Record, "SR_Y", ""};
  CHECK(revctl::golden::Merge(name, {*one.record, *other.record, *changed.record, std::nullopt}) ==
        Kept::Ours);
  CHECK(revctl::golden::Merge(name, {*one.record, *changed.record, *other.record, std::nullopt}) ==
        Kept::Theirs);
  CHECK(revctl::golden::Merge(name, {"", *one.record, *changed.record, std::nullopt}) ==
        Kept::Neither);
}
