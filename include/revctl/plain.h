#pragma once
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <revctl/detail/base/little_endian.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/base/status.h>
#include <revctl/plain/check.h>
#include <revctl/plain/hop.h>
#include <revctl/plain/image.h>
#include <revctl/plain/macros.h>
#include <revctl/plain/upgrade.h>

// Flat structs: numbers, bools, enums, fixed arrays and other flat structs, saved as they lie in
// memory.
//
// Each field carries the revisions in which it lived, dead ones included. From that list the layout
// of any old revision is computed; a file of the current revision is one copy; an older one is
// brought up to date revision by revision, field by field, with a handler of yours where a value
// takes thought. See docs/guide/plain.md.
//
// The bytes are those of the C++ object on a 64-bit little-endian machine, with padding written as
// zero. Elsewhere they are the same: bytes are swapped, and a compiler that pads differently is
// refused by CheckPlain.
namespace revctl {

/// What may be given to the functions below: a struct that says PLAIN(T).
template <class T>
concept PlainStruct = detail::PlainType<T>;

/// True if the list of fields is the struct that the compiler laid out, and every field that
/// changed its type has a way from old to new. Write `static_assert(revctl::plain_fits<World>)`
/// below a struct; CheckPlain says what is wrong.
template <PlainStruct T>
inline constexpr bool plain_fits = !detail::FindPlainFault(detail::plain_table<T>);

/// Checks `T` and all structs in it: offsets and sizes against the compiler's, live ranges, missing
/// handlers. Call it at start-up; every reading and writing does it too, once, and fails with the
/// same message (kind Corrupt).
template <PlainStruct T>
Status CheckPlain() {
  const std::string& fault = detail::PlainFaultOf<T>();
  return fault.empty() ? Status() : Status(Status::Kind::Corrupt, fault);
}

/// Bytes of a `T` at `revision`; 0 for a revision at which it had no field yet.
template <PlainStruct T>
constexpr std::size_t PlainSize(Revision revision) {
  return detail::PlainExtentAt(detail::plain_table<T>, revision.number()).size;
}

namespace detail {

/// The newest revision at which anything about `T` changed: from there on, bytes are copied as they
/// are.
template <PlainType T>
inline constexpr std::int64_t plain_newest = PlainEpoch(plain_table<T>, kPlainLives - 1);

inline constexpr bool kPlainSwaps = kSwapBytes;

/// Reads an image of `past`'s revision.
template <PlainType T>
bool ReadPlainOld(PlainPast& past, const std::byte* bytes, T& value, PlainTrouble& trouble) {
  std::vector<std::byte> swapped;
  if constexpr (kPlainSwaps) {
    swapped.assign(bytes, bytes + past.layout().size);
    SwapPlainImage(past.layout(), swapped.data());
    bytes = swapped.data();
  }
  if (!CheckPlainImage(past.layout(), bytes, 0, trouble)) return false;
  const std::byte* const today = past.Upgrade(bytes, trouble);
  // Handlers are the user's code: what they leave is checked like bytes from outside.
  if (today == nullptr || !CheckPlainToday<T>(today, 0, trouble)) return false;
  std::memcpy(static_cast<void*>(&value), today, sizeof(T));
  return true;
}

/// Writes an image of `past`'s revision.
template <PlainType T>
bool WritePlainOld(PlainPast& past, const T& value, std::byte* to, PlainTrouble& trouble) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  if (!CheckPlainToday<T>(from, 0, trouble)) return false;
  std::memset(to, 0, past.layout().size);
  past.Downgrade(from, to);
  if constexpr (kPlainSwaps) SwapPlainImage(past.layout(), to);
  return true;
}

/// Bytes of `revision` are today's memory: nothing changed since, and this machine's byte order is
/// the file's.
template <PlainType T>
constexpr bool PlainAsItIs(std::int64_t revision) {
  return !kPlainSwaps && revision >= plain_newest<T>;
}

template <PlainType T>
Status PlainReady(std::int64_t revision) {
  if constexpr (!plain_fits<T>) return CheckPlain<T>();
  if (revision >= plain_newest<T> || PlainSize<T>(revision) > 0) return {};
  return Status(Status::Kind::Corrupt, std::string(plain_table<T>.name) +
                                           " has no field yet at revision " +
                                           std::to_string(revision));
}

template <PlainType T>
Status PlainOutcome(PlainTrouble& trouble) {
  if (!trouble.Any()) return {};
  trouble.Within(plain_table<T>.name);
  return trouble.ToStatus();
}

}  // namespace detail

/// Appends `value` to `out` as it is written at `revision`: by default as it lies in memory,
/// padding zeroed. At an older revision (for an older build) fields that live today are taken over,
/// dead ones get their DEAD_WITH value, or what the field that continued them converts to, or zero.
/// Corrupt, and `out` unchanged, if a bool or enum of `value` holds what reading would refuse.
template <PlainStruct T>
Status WritePlain(const T& value, std::vector<std::byte>& out,
                  Revision revision = detail::plain_newest<T>) {
  if (Status status = detail::PlainReady<T>(revision.number()); !status.Ok()) return status;
  const std::size_t start = out.size();
  detail::PlainTrouble trouble;
  if (detail::PlainAsItIs<T>(revision.number())) {
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    if (detail::CheckPlainToday<T>(from, 0, trouble)) {
      out.insert(out.end(), from,
                 from + sizeof(T));  // not resize(): that would fill with zeros first
      detail::ZeroPlainPadding<T>(out.data() + start);
    }
    return detail::PlainOutcome<T>(trouble);
  }
  const detail::PlainPastOf<T> past(revision.number());
  out.resize(start + past->layout().size);
  if (!detail::WritePlainOld(*past, value, out.data() + start, trouble)) out.resize(start);
  return detail::PlainOutcome<T>(trouble);
}

/// Reads a `T` that was written at `revision`; `bytes` must have exactly its size. Corrupt, with
/// path, offset and reason, for any other size, a bool other than 0 and 1, an enum without
/// enumerator, or a value that a conversion has no place for; Refused if a handler failed. `value`
/// changes on success only.
template <PlainStruct T>
Status ReadPlain(std::span<const std::byte> bytes, Revision revision, T& value) {
  if (Status status = detail::PlainReady<T>(revision.number()); !status.Ok()) return status;
  detail::PlainTrouble trouble;
  const std::size_t size = PlainSize<T>(revision);
  if (bytes.size() < size) {
    trouble.Fail(Status::Kind::Corrupt, bytes.size(),
                 "the bytes end here; a record of revision " + std::to_string(revision.number()) +
                     " has " + std::to_string(size));
  } else if (bytes.size() > size) {
    trouble.Fail(Status::Kind::Corrupt, size,
                 std::to_string(bytes.size() - size) + " bytes are left over");
  } else if (!detail::PlainAsItIs<T>(revision.number())) {
    const detail::PlainPastOf<T> past(revision.number());
    detail::ReadPlainOld(*past, bytes.data(), value, trouble);
  } else if (detail::CheckPlainToday<T>(bytes.data(), 0, trouble)) {
    std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
  }
  return detail::PlainOutcome<T>(trouble);
}

}  // namespace revctl
