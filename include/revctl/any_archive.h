#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/revision.h"
#include "revctl/type_info.h"

namespace revctl {

/// How a field came to be visited: which macro stands in the body.
enum class Form : std::uint8_t { Plain, Add, Rem, RemMember, AddConditional, RemConditional, Base, Bits, Integrity, Ignore };

/// The place in a body from which a field is visited. All strings are literals (static storage), as the body spells them.
struct Site {
  Form form;
  const char* name;       ///< the field; for Plain, empty
  const char* since;      ///< gate as spelled: `SR_INITIAL`; empty where there is none
  const char* until;      ///< REM's second gate as spelled, else empty
  const char* condition;  ///< ADD_CONDITIONAL's condition as spelled, else empty
  const char* fallback;   ///< REM's default as spelled, else empty
  const char* file;
  int line;
};

/// One field as a body presents it to an archive.
struct FieldVisit {
  const Site& site;
  std::int64_t since = 0;  ///< number of the gate; meaningless where `site.since` is empty
  std::int64_t until = 0;  ///< number of REM's second gate; meaningless where `site.until` is empty
  bool live = true;        ///< the gate is open at the archive's revision
  bool condition = true;   ///< outcome of the condition; only evaluated, and only meaningful, while `live`
  const TypeInfo& type;
  void* value;             ///< the member, or REM's local, which still holds its default
};

/// The base of every archive but the binary ones: layouts, filling, JSON, differences, traces.
///
/// A body is instantiated once for all of them, and they are ordinary classes: virtual calls, no templates. Fields are
/// announced even while their gate is closed, so that an archive sees every gate of a body; the base decides nothing.
///
/// Reading archives (JSON reader, filler, binary tracer) put values into the object; writing archives look at it.
/// An archive keeps its first error and answers false / zero from then on; nothing throws.
class AnyArchive {
 public:
  virtual ~AnyArchive() = default;

  /// The revision at which bodies run. Compares with integers and with enumerators of any enum, and notes each number it
  /// was compared with (`revision.Notes()`).
  NotingRevision revision;

  bool IsReading() const { return reading_; }
  bool IsWriting() const { return !reading_; }

  bool Ok() const { return ok_; }
  /// Refuses the value; called by bodies (`r.Fail("hp is negative")`) and by archives. The first call wins.
  void Fail(std::string_view reason);
  /// Path at which the first error was met (`Level.things[3].mesh`), its reason, and for binary tracers its offset.
  const std::string& error_path() const { return error_path_; }
  const std::string& error_reason() const { return error_reason_; }

  /// Where the visit stands now: `Level.things[3].mesh`. The root is the name of the type (without its namespaces).
  std::string Path() const;

  // ---- what bodies and the visitors of standard types call -------------------------------------------------------

  /// A user type begins and ends. The default keeps nothing.
  virtual void BeginRecord(const TypeInfo&, void* /*object*/) {}
  virtual void EndRecord(const TypeInfo&, void* /*object*/) {}

  /// A field of the record at hand. An archive that wants the field visited calls `VisitField(field)`; the default does so
  /// exactly when `field.live && field.condition`.
  virtual void Field(const FieldVisit& field);

  /// Bool, integers, floats, enums. `value` has the C++ type that `type` describes.
  virtual void Scalar(const TypeInfo& type, void* value) = 0;
  /// Strings and bitsets as bytes. A reader replaces `bytes`; for a Bitset it must keep the size.
  virtual void Bytes(const TypeInfo& type, std::string& bytes) = 0;

  /// A container begins. `count` is what the object has: elements (Array, Sequence, Map, Set, Tuple), 0 or 1 (Optional,
  /// Pointer), index of the alternative (Variant). A writer returns it unchanged; a reader returns the count the object is
  /// to have. Bodies then visit each part between BeginElement and EndElement.
  virtual std::size_t BeginContainer(const TypeInfo& type, std::size_t count) = 0;
  /// `index` counts elements. For a Map, a key (`is_key`) and then its value come with the same index.
  virtual void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) = 0;
  virtual void EndElement() = 0;
  virtual void EndContainer(const TypeInfo& type) = 0;

  /// CHECK_INTEGRITY, while its gate is open or not (`field.live`); `field.value` is null.
  virtual void Integrity(const FieldVisit& field) = 0;

 protected:
  explicit AnyArchive(bool reading) : reading_(reading) {}

  /// Visits `field.value`, with `field.site.name` on the path.
  void VisitField(const FieldVisit& field);

 private:
  bool reading_;
  bool ok_ = true;
  std::string error_path_, error_reason_;
};

}  // namespace revctl
