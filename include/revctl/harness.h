#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <revctl/detail/base/resource.h>
#include <revctl/detail/binary/file_header.h>
#include <revctl/file_parts.h>
#include <revctl/harness_settings.h>
#include <revctl/serialize.h>

// What a program registers with the harness: the types that are the roots of its files, samples of
// them, and types that are gone. Everything else of the harness is compiled once, in the library
// revctl::harness, which also holds main().
//
//   #include <revctl/harness.h>
//   HARNESS_TYPE(GameScore, SR_INITIAL);
//   HARNESS_SAMPLE(GameScore, "veterans") { d.p1Score = 40; }
//   HARNESS_RETIRED("OldScore", SR_NO_FOULS, "merged into GameScore");

namespace revctl::harness {

/// What the binary reader or writer that the program really uses made of an object.
struct BinaryOutcome {
  bool ok = true;
  bool at_end = true;      ///< reading: nothing was left over
  std::size_t offset = 0;  ///< where the first error was met
  std::string path, reason;
};

/// A root type. All pointers are to static storage.
struct TypeEntry {
  const TypeInfo& (*type)() = nullptr;
  std::int64_t since = 0;       ///< serialised since this revision
  const char* since_text = "";  ///< as spelled
  const char* file = "";
  int line = 0;
  /// The program's own binary archives, so that what is judged is what runs in it.
  BinaryOutcome (*write)(std::int64_t revision, const void* object,
                         std::vector<std::byte>& bytes) = nullptr;
  BinaryOutcome (*read)(std::span<const std::byte> bytes, std::int64_t revision,
                        void* object) = nullptr;
  bool opaque = false;  ///< these two alone know the bytes
  /// What Load() does with the object that it has read: moves `*fresh` into `*object`. Null where
  /// nothing is known of that.
  void (*hand_over)(void* fresh, void* object) = nullptr;
};

/// The wire is the program's own in every byte: varints, back references, compressed blocks.
struct Opaque {};

/// A hand-made sample: `make` gets a fresh T{}.
struct SampleEntry {
  const TypeInfo& (*type)() = nullptr;
  const char* name = "";
  void (*make)(void* object) = nullptr;
  const char* file = "";
  int line = 0;
};

/// A type that is gone: its goldens are no longer read.
struct RetiredEntry {
  const char* type = "";
  std::int64_t revision = 0;
  const char* revision_text = "";
  const char* reason = "";
  const char* file = "";
  int line = 0;
};

/// How much the goldens of a root type may take, text and payloads together.
struct BudgetEntry {
  const TypeInfo& (*type)() = nullptr;
  std::uint64_t bytes = 0;
  const char* file = "";
  int line = 0;
};

/// How files of a root type are framed, where that is not by the library's own magic.
struct FormatEntry {
  const TypeInfo& (*type)() = nullptr;
  FileFormat (*format)() = nullptr;
  const char* file = "";
  int line = 0;
};

/// How files of a root type are taken apart and made, where the program frames them in a way of its
/// own.
struct FilesEntry {
  const TypeInfo& (*type)() = nullptr;
  Status (*open)(std::span<const std::byte> file, FileParts& parts) = nullptr;
  Status (*make)(const FileParts& parts, std::vector<std::byte>& file) = nullptr;
  const char* file = "";
  int line = 0;
};

/// Called before main() by the macros; defined in the library revctl::harness. The value means
/// nothing.
bool Register(const TypeEntry& entry);
bool Register(const SampleEntry& entry);
bool Register(const RetiredEntry& entry);
bool Register(const BudgetEntry& entry);
bool Register(const FormatEntry& entry);
bool Register(const FilesEntry& entry);

namespace detail {

template <class T>
BinaryOutcome WriteBinary(std::int64_t revision, const void* object,
                          std::vector<std::byte>& bytes) {
  Writer writer(revision);
  Serialize(writer, *static_cast<const T*>(object));
  const auto written = writer.Bytes();
  bytes.assign(written.begin(), written.end());
  BinaryOutcome outcome;
  outcome.ok = writer.Ok();
  if (!outcome.ok) {
    outcome.path = writer.error().path;
    outcome.reason = writer.error().reason;
  }
  return outcome;
}

template <class T>
BinaryOutcome ReadBinary(std::span<const std::byte> bytes, std::int64_t revision, void* object) {
  Reader reader(bytes, revision);
  Serialize(reader, *static_cast<T*>(object));
  BinaryOutcome outcome;
  outcome.ok = reader.Ok();
  outcome.at_end = reader.AtEnd();
  if (!outcome.ok) {
    outcome.path = reader.error().path;
    outcome.reason = reader.error().reason;
    outcome.offset = reader.error().offset;
  }
  return outcome;
}

template <class T>
TypeEntry EntryOf(std::int64_t since, const char* since_text, const char* file, int line) {
  TypeEntry entry{&TypeOf<T>, since, since_text, file, line, &WriteBinary<T>, &ReadBinary<T>};
  if constexpr (std::is_move_assignable_v<T>) {
    entry.hand_over = [](void* fresh, void* object) {
      ::revctl::detail::Settle(*static_cast<T*>(object), *static_cast<T*>(fresh), {});
    };
  }
  return entry;
}

/// Streams of a program may count from the address of what they read, also where that is empty:
/// null would be none.
inline std::span<const std::byte> WithAddress(std::span<const std::byte> bytes) {
  static constexpr std::byte kNothing{};
  return bytes.data() != nullptr ? bytes : std::span<const std::byte>(&kNothing, 0);
}

/// The same through `Streams`. They get an object that is not const, since functions for both
/// directions seldom take one; that writing leaves it as it was is judged like everything else.
template <class T, class Streams, class... Wire>
TypeEntry EntryBy(std::int64_t since, const char* since_text, const char* file, int line) {
  TypeEntry entry{&TypeOf<T>, since, since_text, file, line};
  entry.opaque = (std::is_same_v<Wire, Opaque> || ...);
  entry.write = [](std::int64_t revision, const void* object, std::vector<std::byte>& bytes) {
    return Streams::Write(revision, *const_cast<T*>(static_cast<const T*>(object)), bytes);
  };
  entry.read = [](std::span<const std::byte> bytes, std::int64_t revision, void* object) {
    return Streams::Read(WithAddress(bytes), revision, *static_cast<T*>(object));
  };
  return entry;
}

}  // namespace detail
}  // namespace revctl::harness

// Several may stand in a line, which another macro may have made: what they define has a number of
// its own. It is of this unit alone, as is the number.
#define REVCTL_HARNESS_JOIN_(a, b) a##b
#define REVCTL_HARNESS_JOIN(a, b) REVCTL_HARNESS_JOIN_(a, b)

/// `T` is the root of files, serialised since revision SINCE. At namespace scope, after T's
/// SERIALIZE_TYPE.
#define HARNESS_TYPE(T, SINCE)                                                                \
  [[maybe_unused]] static const bool REVCTL_HARNESS_JOIN(revctl_harness_type_, __COUNTER__) = \
      ::revctl::harness::Register(::revctl::harness::detail::EntryOf<T>(                      \
          ::revctl::NumberOf(SINCE), #SINCE, __FILE__, __LINE__))

/// The same for a program with streams of its own: what is judged are their bytes and what they
/// read. STREAMS has two static functions, templates where there are several roots, that give a
/// BinaryOutcome each: Write(std::int64_t revision, T&, std::vector<std::byte>&) and
/// Read(std::span<const std::byte>, std::int64_t revision, T&). docs/examples/foreign has some.
///
/// HARNESS_TYPE_BY(T, SINCE, STREAMS, Opaque): the bytes may be anything that Read takes. The body
/// of T then says the values alone, as they are in memory, and no tracer has to agree with them.
/// Write gives the bytes of the revision that it is asked for. One that it no longer writes it
/// refuses: `ok` is false.
#define HARNESS_TYPE_BY(T, SINCE, ...)                                                         \
  [[maybe_unused]] static const bool REVCTL_HARNESS_JOIN(revctl_harness_type_, __COUNTER__) =  \
      ::revctl::harness::Register([] {                                                         \
        using ::revctl::harness::Opaque;                                                       \
        return ::revctl::harness::detail::EntryBy<T, __VA_ARGS__>(::revctl::NumberOf(SINCE),   \
                                                                  #SINCE, __FILE__, __LINE__); \
      }())

/// The FileFormat that files of root type T have, where it is another than the default: `dump`,
/// `convert` and `import` then read and write these. Its list is always the harness's own.
#define HARNESS_FORMAT(T, ...)                                                                  \
  [[maybe_unused]] static const bool REVCTL_HARNESS_JOIN(revctl_harness_format_, __COUNTER__) = \
      ::revctl::harness::Register(::revctl::harness::FormatEntry{                               \
          &::revctl::TypeOf<T>, []() -> ::revctl::FileFormat { return __VA_ARGS__; }, __FILE__, \
          __LINE__})

/// The same for files that no FileFormat describes: packed, with a header of the program's own, or
/// with none. FILES has two static functions, each giving a revctl::Status:
///
///   Open(std::span<const std::byte> file, revctl::FileParts& parts)
///       any bytes at all: says what they are, or refuses
///   Make(const revctl::FileParts& parts, std::vector<std::byte>& file)
///       a file as the program of that revision reads it
///
/// The harness judges revision and lineage itself, and opens what was made. revctl::OpenFile and
/// MakeFile (file_parts.h) do the header of 16 bytes, where a file has one inside. A type has this
/// or HARNESS_FORMAT. docs/guide/harness.md has examples.
#define HARNESS_FILES(T, FILES)                                                                \
  [[maybe_unused]] static const bool REVCTL_HARNESS_JOIN(revctl_harness_files_, __COUNTER__) = \
      ::revctl::harness::Register(::revctl::harness::FilesEntry{                               \
          &::revctl::TypeOf<T>, &FILES::Open, &FILES::Make, __FILE__, __LINE__})

/// A sample beside the automatic ones: a body that fills `d`, a fresh T.
#define HARNESS_SAMPLE(T, NAME) REVCTL_HARNESS_SAMPLE_NUMBERED(T, NAME, __COUNTER__)
#define REVCTL_HARNESS_SAMPLE_NUMBERED(T, NAME, N)                                             \
  static void REVCTL_HARNESS_JOIN(RevctlHarnessSample, N)(T & d);                              \
  [[maybe_unused]] static const bool REVCTL_HARNESS_JOIN(revctl_harness_sample_, N) =          \
      ::revctl::harness::Register(::revctl::harness::SampleEntry{&::revctl::TypeOf<T>, NAME,   \
                                                                 [](void* object) {            \
                                                                   REVCTL_HARNESS_JOIN(        \
                                                                       RevctlHarnessSample, N) \
                                                                   (*static_cast<T*>(object)); \
                                                                 },                            \
                                                                 __FILE__, __LINE__});         \
  static void REVCTL_HARNESS_JOIN(RevctlHarnessSample, N)([[maybe_unused]] T & d)

/// A root type that is gone since REVISION; NAME as the goldens have it (qualified by its
/// namespaces).
#define HARNESS_RETIRED(NAME, REVISION, REASON)                                                  \
  [[maybe_unused]] static const bool REVCTL_HARNESS_JOIN(revctl_harness_retired_, __COUNTER__) = \
      ::revctl::harness::Register(::revctl::harness::RetiredEntry{                               \
          NAME, ::revctl::NumberOf(REVISION), #REVISION, REASON, __FILE__, __LINE__})

/// What the goldens of root type T may take in the store, instead of 4 MiB; `record` refuses what
/// would go beyond.
#define HARNESS_BUDGET(T, BYTES)                                                                \
  [[maybe_unused]] static const bool REVCTL_HARNESS_JOIN(revctl_harness_budget_, __COUNTER__) = \
      ::revctl::harness::Register(                                                              \
          ::revctl::harness::BudgetEntry{&::revctl::TypeOf<T>, (BYTES), __FILE__, __LINE__})
