#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <revctl/detail/base/checksum.h>
#include <revctl/detail/base/compiler.h>
#include <revctl/detail/base/resource.h>
#include <revctl/detail/binary/file_header.h>
#include <revctl/detail/visit/type_making.h>
#include <revctl/file_parts.h>
#include <revctl/harness_settings.h>
#include <revctl/serialize.h>

// Registers a program's types with the harness: root types, handwritten samples and retired types.
// The rest of the harness, including main(), is in the library revctl::harness.
//
//   #include <revctl/harness.h>
//   HARNESS_TYPE(GameScore, SR_INITIAL);
//   HARNESS_SAMPLE(GameScore, "veterans") { d.p1Score = 40; }
//   HARNESS_RETIRED("OldScore", SR_NO_FOULS, "merged into GameScore");

namespace revctl::harness {

/// Result of one call to the program's binary reader or writer.
struct BinaryOutcome {
  bool ok = true;
  bool at_end = true;      ///< for reads: true if no bytes were left over
  std::size_t offset = 0;  ///< offset of the first error
  std::string path = {}, reason = {};
};

/// A call to the program's own writer, with the offset of the first byte that the call wrote.
/// Streams::Trace returns these calls in order. To obtain `file` and `line`, use `__builtin_FILE()`
/// and `__builtin_LINE()` as default arguments of the writer's functions.
struct WrittenField {
  std::size_t begin = 0;
  std::string name = {};  ///< name of the written value; may be empty
  const char* file = "";
  int line = 0;  ///< 0 if unknown
};

/// Templates, in the syntax of the program's own serializer, for the lines of code that messages
/// suggest as fixes. The placeholders `{field}`, `{revision}`, `{default}`, `{type}` and `{value}`
/// are replaced. Templates that the program does not define are null.
struct OwnWords {
  const char* add_field = nullptr;     ///< Streams::AddField
  const char* remove_field = nullptr;  ///< Streams::RemoveField
  const char* upgrade = nullptr;       ///< Streams::Upgrade
  const char* refuse = nullptr;        ///< Streams::Refuse
};

/// A root type. All pointers refer to static storage.
struct TypeEntry {
  const TypeInfo& (*type)() = nullptr;
  std::int64_t since = 0;       ///< first revision at which it is serialized
  const char* since_text = "";  ///< as spelled in the source
  const char* file = "";
  int line = 0;
  /// Write and read with the program's own binary archives, so that the harness tests the code that
  /// the program runs.
  BinaryOutcome (*write)(std::int64_t revision, const void* object,
                         std::vector<std::byte>& bytes) = nullptr;
  BinaryOutcome (*read)(std::span<const std::byte> bytes, std::int64_t revision,
                        void* object) = nullptr;
  bool opaque = false;  ///< true if only `write` and `read` understand the bytes
  /// Writes the object as `write` does, and returns the calls to the writer. Null if the streams
  /// have no Trace.
  std::vector<WrittenField> (*trace)(std::int64_t revision, const void* object) = nullptr;
  OwnWords words = {};
  /// Computes the Checksum() of the bytes that `write` would produce. Uses `scratch` as the buffer
  /// if the bytes fit in it. Null if the type has custom streams.
  BinaryOutcome (*checksum)(std::int64_t revision, const void* object, std::uint64_t& sum,
                            std::span<std::byte> scratch) = nullptr;
  /// Moves `*fresh` into `*object`, as Load() does with the object that it has read. Null if the
  /// type is not move-assignable or has custom streams.
  void (*hand_over)(void* fresh, void* object) = nullptr;
};

/// Marks a wire format that only the program understands, for example because it uses varints, back
/// references or compressed blocks.
struct Opaque {};

/// A handwritten sample. `make` fills the T{} that it receives.
struct SampleEntry {
  const TypeInfo& (*type)() = nullptr;
  const char* name = "";
  void (*make)(void* object) = nullptr;
  const char* file = "";
  int line = 0;
};

/// A retired root type, whose goldens the harness does not read.
struct RetiredEntry {
  const char* type = "";
  std::int64_t revision = 0;
  const char* revision_text = "";
  const char* reason = "";
  const char* file = "";
  int line = 0;
};

/// Maximum size of a root type's goldens at one revision, text and payloads together.
struct BudgetEntry {
  const TypeInfo& (*type)() = nullptr;
  std::uint64_t bytes = 0;
  const char* file = "";
  int line = 0;
};

/// Maximum total file size of a root type's large goldens. If `type` is null, the limit applies to
/// the large goldens of all types together.
struct LargeBudgetEntry {
  const TypeInfo& (*type)() = nullptr;
  std::uint64_t bytes = 0;
  const char* file = "";
  int line = 0;
};

/// The FileFormat of a root type's files, if it is not the default.
struct FormatEntry {
  const TypeInfo& (*type)() = nullptr;
  FileFormat (*format)() = nullptr;
  const char* file = "";
  int line = 0;
};

/// Functions that split and assemble the files of a root type that have a custom header or no
/// header.
struct FilesEntry {
  const TypeInfo& (*type)() = nullptr;
  Status (*open)(std::span<const std::byte> file, FileParts& parts) = nullptr;
  Status (*make)(const FileParts& parts, std::vector<std::byte>& file) = nullptr;
  const char* file = "";
  int line = 0;
};

/// A function that resets program state outside of objects, such as static variables.
struct ResetEntry {
  void (*reset)() = nullptr;
  const char* file = "";
  int line = 0;
};

/// Adds an entry. The macros call this before main(). It is defined in the library revctl::harness,
/// and its return value serves only to initialize a static variable.
bool Register(const TypeEntry& entry);
bool Register(const SampleEntry& entry);
bool Register(const RetiredEntry& entry);
bool Register(const BudgetEntry& entry);
bool Register(const LargeBudgetEntry& entry);
bool Register(const FormatEntry& entry);
bool Register(const FilesEntry& entry);
bool Register(const ResetEntry& entry);

namespace detail {

inline BinaryOutcome OutcomeOf(const Writer& writer) {
  BinaryOutcome outcome;
  outcome.ok = writer.Ok();
  if (!outcome.ok) {
    outcome.path = writer.error().path;
    outcome.reason = writer.error().reason;
  }
  return outcome;
}

/// Reuses the memory of `bytes`, and allocates only if the object needs more.
template <class T>
BinaryOutcome WriteBinary(std::int64_t revision, const void* object,
                          std::vector<std::byte>& bytes) {
  bytes.resize(bytes.capacity());
  Writer writer(revision, Writer::Scratch{bytes});
  Serialize(writer, *static_cast<const T*>(object));
  const auto written = writer.Bytes();
  if (written.data() == bytes.data()) {
    bytes.resize(written.size());
  } else {
    bytes.assign(written.begin(), written.end());
  }
  return OutcomeOf(writer);
}

template <class T>
BinaryOutcome ChecksumBinary(std::int64_t revision, const void* object, std::uint64_t& sum,
                             std::span<std::byte> scratch) {
  Writer writer(revision, Writer::Scratch{scratch});
  Serialize(writer, *static_cast<const T*>(object));
  sum = Checksum(writer.Bytes());
  return OutcomeOf(writer);
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
  TypeEntry entry{&::revctl::detail::TypeWithMaking<T>,
                  since,
                  since_text,
                  file,
                  line,
                  &WriteBinary<T>,
                  &ReadBinary<T>};
  entry.checksum = &ChecksumBinary<T>;
  if constexpr (std::is_move_assignable_v<T>) {
    entry.hand_over = [](void* fresh, void* object) {
      *static_cast<T*>(object) = std::move(*static_cast<T*>(fresh));
    };
  }
  return entry;
}

/// Returns `bytes` with an address that is never null, not even for empty spans, because custom
/// streams may do pointer arithmetic on it.
inline std::span<const std::byte> WithAddress(std::span<const std::byte> bytes) {
  static constexpr std::byte kNothing{};
  return bytes.data() != nullptr ? bytes : std::span<const std::byte>(&kNothing, 0);
}

/// Returns the entry of a type with custom streams. The streams receive a mutable object, because
/// functions that both read and write rarely accept a const object. The harness checks that writing
/// does not change the object.
template <class T, class Streams, class... Wire>
TypeEntry EntryBy(std::int64_t since, const char* since_text, const char* file, int line) {
  TypeEntry entry{&::revctl::detail::TypeWithMaking<T>, since, since_text, file, line};
  entry.opaque = (std::is_same_v<Wire, Opaque> || ...);
  entry.write = [](std::int64_t revision, const void* object, std::vector<std::byte>& bytes) {
    return Streams::Write(revision, *const_cast<T*>(static_cast<const T*>(object)), bytes);
  };
  entry.read = [](std::span<const std::byte> bytes, std::int64_t revision, void* object) {
    return Streams::Read(WithAddress(bytes), revision, *static_cast<T*>(object));
  };
  if constexpr (requires(std::int64_t revision, T & object) { Streams::Trace(revision, object); }) {
    entry.trace = [](std::int64_t revision, const void* object) -> std::vector<WrittenField> {
      return Streams::Trace(revision, *const_cast<T*>(static_cast<const T*>(object)));
    };
  }
  if constexpr (requires { Streams::AddField; }) entry.words.add_field = Streams::AddField;
  if constexpr (requires { Streams::RemoveField; }) entry.words.remove_field = Streams::RemoveField;
  if constexpr (requires { Streams::Upgrade; }) entry.words.upgrade = Streams::Upgrade;
  if constexpr (requires { Streams::Refuse; }) entry.words.refuse = Streams::Refuse;
  return entry;
}

}  // namespace detail
}  // namespace revctl::harness

// REVCTL_DETAIL_UNIQUE makes the names unique within a translation unit, even if a single line
// contains several registrations, for example because another macro generates it.
#define REVCTL_HARNESS_REGISTER(KIND, ...)              \
  [[maybe_unused]] static const bool REVCTL_DETAIL_CAT( \
      revctl_harness_##KIND##_, REVCTL_DETAIL_UNIQUE) = ::revctl::harness::Register(__VA_ARGS__)

/// Registers `T` as the root type of files, serialized since revision SINCE. Use it at namespace
/// scope, after T's SERIALIZE_TYPE.
#define HARNESS_TYPE(T, SINCE)                                                                   \
  REVCTL_HARNESS_REGISTER(type, ::revctl::harness::detail::EntryOf<T>(::revctl::NumberOf(SINCE), \
                                                                      #SINCE, __FILE__, __LINE__))

/// Registers a root type that the program reads and writes with its own streams. The harness then
/// tests the bytes and results of these streams. STREAMS is a class with two static functions
/// (templates if the class handles several types), both of which return a BinaryOutcome:
/// Write(std::int64_t revision, T&, std::vector<std::byte>&) and Read(std::span<const std::byte>,
/// std::int64_t revision, T&). See docs/examples/foreign.
///
/// With HARNESS_TYPE_BY(T, SINCE, STREAMS, Opaque) the bytes may be anything that Read accepts. The
/// body of T then describes only the values in memory and does not have to match the bytes. Write
/// must write the requested revision, or set `ok` to false if it can no longer write that revision.
///
/// STREAMS may define these optional members, which only improve messages:
///
///   Trace(std::int64_t revision, T&)
///       Returns the calls to the writer as a std::vector<revctl::harness::WrittenField>.
///   static constexpr const char* AddField = "sw.DoEx(&{field}, {revision}, {default});";
///       The line that saves a new member. RemoveField, Upgrade ("if (sw.version() <
///       {revision}) {field} = {value};") and Refuse ("sw.SetError();") are similar.
#define HARNESS_TYPE_BY(T, SINCE, ...)                                                           \
  REVCTL_HARNESS_REGISTER(type, [] {                                                             \
    using ::revctl::harness::Opaque;                                                             \
    return ::revctl::harness::detail::EntryBy<T, __VA_ARGS__>(::revctl::NumberOf(SINCE), #SINCE, \
                                                              __FILE__, __LINE__);               \
  }())

/// Sets the FileFormat of root type T's files, if it differs from the default. `dump`, `convert`
/// and `import` then read and write such files. The harness always uses its own list instead of the
/// format's list.
#define HARNESS_FORMAT(T, ...)                                                                     \
  REVCTL_HARNESS_REGISTER(                                                                         \
      format, ::revctl::harness::FormatEntry{&::revctl::detail::TypeWithMaking<T>,                 \
                                             []() -> ::revctl::FileFormat { return __VA_ARGS__; }, \
                                             __FILE__, __LINE__})

/// Registers functions that split and assemble root type T's files if no FileFormat can describe
/// the files, because they are compressed or have a custom header or no header. FILES is a class
/// with two static functions that return a revctl::Status:
///
///   Open(std::span<const std::byte> file, revctl::FileParts& parts)
///       Splits a file, or fails. Must accept arbitrary bytes.
///   Make(const revctl::FileParts& parts, std::vector<std::byte>& file)
///       Assembles a file that the program of that revision can read.
///
/// The harness itself checks the revision and lineage, and it opens each file that Make assembles.
/// For files that contain the 16-byte header, call revctl::OpenFile and MakeFile (file_parts.h). A
/// type may have HARNESS_FILES or HARNESS_FORMAT, but not both. See docs/guide/harness.md for
/// examples.
#define HARNESS_FILES(T, FILES)                                                                \
  REVCTL_HARNESS_REGISTER(                                                                     \
      files, ::revctl::harness::FilesEntry{&::revctl::detail::TypeWithMaking<T>, &FILES::Open, \
                                           &FILES::Make, __FILE__, __LINE__})

/// Defines a handwritten sample in addition to the automatic samples. The body that follows fills
/// `d`, which starts as T{}.
#define HARNESS_SAMPLE(T, NAME) REVCTL_HARNESS_SAMPLE_NUMBERED(T, NAME, REVCTL_DETAIL_UNIQUE)
#define REVCTL_HARNESS_SAMPLE_NUMBERED(T, NAME, N)                                       \
  static void REVCTL_DETAIL_CAT(RevctlHarnessSample, N)(T & d);                          \
  REVCTL_HARNESS_REGISTER(                                                               \
      sample, ::revctl::harness::SampleEntry{&::revctl::detail::TypeWithMaking<T>, NAME, \
                                             [](void* object) {                          \
                                               REVCTL_DETAIL_CAT(RevctlHarnessSample, N) \
                                               (*static_cast<T*>(object));               \
                                             },                                          \
                                             __FILE__, __LINE__});                       \
  static void REVCTL_DETAIL_CAT(RevctlHarnessSample, N)([[maybe_unused]] T & d)

/// Registers a root type removed at REVISION. NAME is the type's name in the goldens, with
/// namespaces.
#define HARNESS_RETIRED(NAME, REVISION, REASON)                                               \
  REVCTL_HARNESS_REGISTER(                                                                    \
      retired, ::revctl::harness::RetiredEntry{NAME, ::revctl::NumberOf(REVISION), #REVISION, \
                                               REASON, __FILE__, __LINE__})

/// Sets the maximum size of root type T's goldens at each revision; the default is 4 MiB. `record`
/// fails rather than exceed it.
#define HARNESS_BUDGET(T, BYTES)                                                            \
  REVCTL_HARNESS_REGISTER(                                                                  \
      budget, ::revctl::harness::BudgetEntry{&::revctl::detail::TypeWithMaking<T>, (BYTES), \
                                             __FILE__, __LINE__})

/// Defines a function that resets program state outside of objects. Its body follows the macro and
/// sets static variables to their initial values. The harness calls it before making each sample
/// and before each read, so that samples and goldens do not depend on each other. A program may
/// have several reset functions, which run in order of file and line.
#define HARNESS_RESET() REVCTL_HARNESS_RESET_NUMBERED(REVCTL_DETAIL_UNIQUE)
#define REVCTL_HARNESS_RESET_NUMBERED(N)                                                        \
  static void REVCTL_DETAIL_CAT(RevctlHarnessReset, N)();                                       \
  REVCTL_HARNESS_REGISTER(                                                                      \
      reset, ::revctl::harness::ResetEntry{&REVCTL_DETAIL_CAT(RevctlHarnessReset, N), __FILE__, \
                                           __LINE__});                                          \
  static void REVCTL_DETAIL_CAT(RevctlHarnessReset, N)()

/// Sets the maximum total file size of T's large goldens (more than 4,096 values or 256 KiB); the
/// default is 512 MiB. `record` and `import` fail rather than exceed it.
#define HARNESS_LARGE_BUDGET(T, BYTES)                                                          \
  REVCTL_HARNESS_REGISTER(                                                                      \
      large, ::revctl::harness::LargeBudgetEntry{&::revctl::detail::TypeWithMaking<T>, (BYTES), \
                                                 __FILE__, __LINE__})

/// Sets the maximum total size of all types' large goldens; the default is 2 GiB.
#define HARNESS_STORE_BUDGET(BYTES) \
  REVCTL_HARNESS_REGISTER(          \
      store, ::revctl::harness::LargeBudgetEntry{nullptr, (BYTES), __FILE__, __LINE__})
