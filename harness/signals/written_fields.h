#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/samples/inventor.h"
#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"

namespace revctl::harness {

// Finds out where the program's own writer writes each field, by writing objects that differ in
// only one field.

/// Returns the offset of the first byte that differs. If one span is a prefix of the other, returns
/// the smaller size.
std::size_t FirstOtherByte(std::span<const std::byte> one, std::span<const std::byte> other);

/// Returns the field to which a path belongs: `notes` for `notes#count` and `notes[2]`, and
/// `units[].armour` for `units[3].armour`.
std::string FieldOf(const std::string& path);

/// A golden's recorded values, written by the current writer.
struct Rewritten {
  explicit Rewritten(Refilled refilled) : object(std::move(refilled)) {}
  Refilled object;
  std::int64_t number = 0;  ///< revision at which the values were written
  std::vector<std::byte> bytes;
  std::string refusal;               ///< why the writer rejected the bytes; empty if it did not
  std::vector<golden::Leaf> leaves;  ///< all values of the object at the latest revision
  std::map<std::string, TypeTrace> layouts;  ///< layouts of the object at the latest revision
};

/// Writes a golden's recorded values at the golden's revision or, if the writer fails, at the
/// latest one. Returns nullopt if both fail.
std::optional<Rewritten> Rewrite(const RootType& root, const Decoded& decoded,
                                 const CheckContext& context);

/// Where the writer writes a field, found by changing the field's value.
struct Placed {
  std::string place;      ///< place of the field, such as `units[].armour`
  bool recorded = false;  ///< true if the golden contains a value of the field
  bool tried = false;     ///< true if the writer accepted a different value
  /// offset of the first byte that depends on the value; nullopt if no byte does
  std::optional<std::size_t> at;
};

/// Finds where each field begins in the written bytes: at the first byte that changes when only
/// this field's value changes. Stops after a few seconds; the remaining fields are not `tried`.
std::vector<Placed> PlaceFields(const RootType& root, const Rewritten& written,
                                const std::vector<golden::Leaf>& recorded,
                                const CheckContext& context);

/// Returns the oldest revision after `written.number` at which the writer writes the field `place`,
/// or null if there is no such revision.
const Revision* FirstToWrite(const RootType& root, const Rewritten& written,
                             const std::string& place, const CheckContext& context);

/// Returns the field whose bytes contain the offset `at`. Returns null if several fields begin at
/// the same byte, as in a compressed block.
const Placed* FieldAround(const std::vector<Placed>& placed, std::size_t at);

/// Returns the first field that begins at or after `at`, or null if all fields begin before `at`.
const Placed* FieldFrom(const std::vector<Placed>& placed, std::size_t at);

/// The program's own writer writes a golden's values to bytes. Returns the path of the value that
/// contains byte `at` of them, or "" if several values begin at the same byte, as in a compressed
/// block.
std::string FieldWrittenAt(const CheckContext& context, const RootType& root,
                           const Decoded& decoded, std::size_t at);

/// A call made by the writer, and the range of bytes that it wrote.
struct Call {
  WrittenField field;
  std::size_t end = 0;
};

/// Returns the calls made by the writer, or none if the program's adapter has no Trace.
std::vector<Call> CallsOf(const RootType& root, const Rewritten& written);

/// Returns the call that wrote the byte at `at`, or null if none did.
const Call* CallAt(const std::vector<Call>& calls, std::size_t at);

}  // namespace revctl::harness
