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

// Plain structs: structs of numbers, bools, enums, fixed-size arrays and other plain structs, whose
// memory is saved as is.
//
// Each field states the revisions in which it is live, and removed fields stay in the field list.
// From this list, the library computes the layout at any old revision. A file of the current
// revision is read with a single copy. An older file is upgraded revision by revision and field by
// field, and your own handlers convert values where needed. See docs/guide/plain.md.
//
// The saved bytes are identical to the C++ object in the memory of a 64-bit little-endian machine,
// with zeros as padding. Big-endian machines swap bytes. CheckPlain fails if a compiler lays out
// the struct differently.
namespace revctl {

/// A struct that is declared with PLAIN(T). The functions below accept only such structs.
template <class T>
concept PlainStruct = detail::PlainType<T>;

/// True if the field list matches the compiler's layout of the struct, and every field whose type
/// changed can be converted. Write `static_assert(revctl::plain_fits<World>)` below a struct;
/// CheckPlain returns a message with the reason.
template <PlainStruct T>
inline constexpr bool plain_fits = !detail::FindPlainFault(detail::plain_table<T>);

/// Checks that the offsets and sizes of `T` and of all structs in it match the compiler's, that
/// live ranges are valid, and that no handler is missing. Call it at startup. Reading and writing
/// also run the check (once per type) and fail with the same message (kind Corrupt).
template <PlainStruct T>
Status CheckPlain() {
  const std::string& fault = detail::PlainFaultOf<T>();
  return fault.empty() ? Status() : Status(Status::Kind::Corrupt, fault);
}

/// Returns the size in bytes of a `T` at `revision`, or 0 if it had no fields yet.
template <PlainStruct T>
constexpr std::size_t PlainSize(Revision revision) {
  return detail::PlainExtentAt(detail::plain_table<T>, revision.number()).size;
}

namespace detail {

/// The last revision that changed the layout of `T`. Files of this and all later revisions are
/// copies of memory.
template <PlainType T>
inline constexpr std::int64_t plain_newest = PlainEpoch(plain_table<T>, kPlainLives - 1);

template <PlainType T>
bool ReadPlainOld(PlainPast& past, const std::byte* bytes, T& value, PlainTrouble& trouble) {
  std::vector<std::byte> swapped;
  if constexpr (kSwapBytes) {
    swapped.assign(bytes, bytes + past.layout().size);
    SwapPlainImage(past.layout(), swapped.data());
    bytes = swapped.data();
  }
  if (!CheckPlainImage(past.layout(), bytes, 0, trouble)) return false;
  const std::byte* const today = past.Upgrade(bytes, trouble);
  // Check the values that handlers set like input, because handlers are user code.
  if (today == nullptr || !CheckPlainToday<T>(today, 0, trouble)) return false;
  std::memcpy(static_cast<void*>(&value), today, sizeof(T));
  return true;
}

template <PlainType T>
bool WritePlainOld(PlainPast& past, const T& value, std::byte* to, PlainTrouble& trouble) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  if (!CheckPlainToday<T>(from, 0, trouble)) return false;
  std::memset(to, 0, past.layout().size);
  past.Downgrade(from, to);
  if constexpr (kSwapBytes) SwapPlainImage(past.layout(), to);
  return true;
}

/// True if the bytes at `revision` are identical to those of the current object in memory, because
/// the layout has not changed since then and this machine does not swap bytes.
template <PlainType T>
constexpr bool PlainAsItIs(std::int64_t revision) {
  return !kSwapBytes && revision >= plain_newest<T>;
}

template <PlainType T>
Status PlainReady(std::int64_t revision) {
  if constexpr (!plain_fits<T>) return CheckPlain<T>();
  if (revision >= plain_newest<T> || PlainSize<T>(revision) > 0) return {};
  return Status(Status::Kind::Corrupt, std::string(plain_table<T>.name) +
                                           " has no fields yet at revision " +
                                           std::to_string(revision));
}

template <PlainType T>
Status PlainOutcome(PlainTrouble& trouble) {
  if (!trouble.Any()) return {};
  trouble.Within(plain_table<T>.name);
  return trouble.ToStatus();
}

}  // namespace detail

/// Appends `value` to `out` as written at `revision`. By default the bytes are a copy of memory
/// with zeros as padding. At an older revision (for older builds to read), live fields are
/// converted. A removed field gets its DEAD_WITH value, the converted value of the field that
/// replaced it, or zero.
///
/// Fails with Corrupt, and leaves `out` unchanged, if a bool or enum of `value` is invalid, because
/// reading would reject it.
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
                 from + sizeof(T));  // insert() avoids the zero fill of resize()
      detail::ZeroPlainPadding<T>(out.data() + start);
    }
    return detail::PlainOutcome<T>(trouble);
  }
  const detail::PlainPastOf<T> past(revision.number());
  out.resize(start + past->layout().size);
  if (!detail::WritePlainOld(*past, value, out.data() + start, trouble)) out.resize(start);
  return detail::PlainOutcome<T>(trouble);
}

/// Reads a `T` that was written at `revision`. `bytes` must have exactly the size of that revision.
/// `value` changes only on success.
///
/// Fails with Corrupt, giving path, offset and reason, if the size is wrong, a bool is not 0 or 1,
/// an enum has no enumerator for its value, or a conversion overflows. Fails with Refused if a
/// handler failed.
template <PlainStruct T>
Status ReadPlain(std::span<const std::byte> bytes, Revision revision, T& value) {
  if (Status status = detail::PlainReady<T>(revision.number()); !status.Ok()) return status;
  detail::PlainTrouble trouble;
  const std::size_t size = PlainSize<T>(revision);
  if (bytes.size() < size) {
    trouble.Fail(Status::Kind::Corrupt, bytes.size(),
                 "unexpected end of data; a record of revision " +
                     std::to_string(revision.number()) + " has size " + std::to_string(size));
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
