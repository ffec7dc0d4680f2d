#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/resource.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/types/type_info.h>

namespace revctl {

/// How a field came to be visited: which macro stands in the body.
enum class Form : std::uint8_t {
  Plain,
  Add,
  Rem,
  RemMember,
  AddConditional,
  RemConditional,
  Base,
  Bits,
  Integrity,
  Ignore,
  AddRef,
  RemRef
};

/// The place in a body from which a field is visited. All strings are literals (static storage), as
/// the body spells them.
struct Site {
  Form form;
  const char* name;       ///< the field; for Plain, empty
  const char* since;      ///< gate as spelled: `SR_INITIAL`; empty where there is none
  const char* until;      ///< REM's second gate as spelled, else empty
  const char* condition;  ///< ADD_CONDITIONAL's condition as spelled, else empty
  const char* fallback;   ///< REM's default as spelled; of REM_REF the pointer's type; else empty
  const char* file;
  int line;
};

/// From where a part of the bytes counts its own numbers and alignments.
struct PartStart {
  std::uint32_t counter = 0;
  std::size_t offset = 0;
};

/// One field as a body presents it to an archive.
struct FieldVisit {
  const Site& site;
  std::int64_t since = 0;  ///< number of the gate; meaningless where `site.since` is empty
  std::int64_t until = 0;  ///< number of REM's second gate; meaningless where `site.until` is empty
  bool live = true;        ///< the gate is open at the archive's revision
  bool condition =
      true;  ///< outcome of the condition; only evaluated, and only meaningful, while `live`
  const TypeInfo& type;
  void* value;  ///< the member, or REM's local, which still holds its default
};

/// The base of every archive but the binary ones: layouts, filling, JSON, differences, traces.
///
/// A body is instantiated once for all of them, and they are ordinary classes: virtual calls, no
/// templates. Fields are announced even while their gate is closed, so that an archive sees every
/// gate of a body; the base decides nothing.
///
/// Reading archives (JSON reader, filler, binary tracer) put values into the object; writing
/// archives look at it. An archive keeps its first error and answers false / zero from then on;
/// nothing throws.
class AnyArchive {
 public:
  virtual ~AnyArchive() = default;

  /// The revision at which bodies run. Compares with integers and with enumerators of any enum, and
  /// notes each number it was compared with (`revision.Notes()`).
  NotingRevision revision;

  bool IsReading() const { return reading_; }
  bool IsWriting() const { return !reading_; }

  bool Ok() const { return ok_; }
  /// Refuses the value; called by bodies (`r.Fail("hp is negative")`) and by archives. The first
  /// call wins.
  void Fail(std::string_view reason);
  /// Path at which the first error was met (`Level.things[3].mesh`), and its reason. Empty while
  /// Ok().
  const std::string& error_path() const { return error_path_; }
  const std::string& error_reason() const { return error_reason_; }
  /// The first error came from a body's r.Fail(), not from the archive: the bytes were fine, the
  /// value was not wanted.
  bool refused() const { return refused_; }

  /// Where the visit stands now: `Level.things[3].mesh`. The root is the name of the type (without
  /// its namespaces). Keys of maps are `stats#key[2]`, their values `stats[2]`; what an optional or
  /// a pointer holds has no step of its own.
  std::string Path() const;

  /// Bound on nested containers while reading; what an input may cost (limits.h).
  Limits limits;
  /// Each std::pmr container that is read is made anew with it (resource.h).
  Resource resource;

  // ---- what bodies and the visitors of standard types call
  // -------------------------------------------------------

  /// A user type begins and ends. The default keeps nothing.
  virtual void BeginRecord(const TypeInfo&, void* /*object*/) {}
  virtual void EndRecord(const TypeInfo&, void* /*object*/) {}

  /// A field of the record at hand. An archive that wants the field visited calls
  /// `VisitField(field)`; the default does so exactly when `field.live && field.condition`.
  virtual void Field(const FieldVisit& field) {
    if (field.live && field.condition) VisitField(field);
  }
  /// Field(), for the macros. Not inlined: a body calls it once for each field.
  [[gnu::noinline]] void Announce(const Site& site, std::int64_t since, std::int64_t until,
                                  bool live, bool condition, const TypeInfo& type, void* value) {
    Field({.site = site,
           .since = since,
           .until = until,
           .live = live,
           .condition = condition,
           .type = type,
           .value = value});
  }

  /// Bool, integers, floats, enums. `value` has the C++ type that `type` describes.
  virtual void Scalar(const TypeInfo& type, void* value) = 0;
  /// Strings and bitsets as bytes. A reader replaces `bytes`; for a Bitset it must keep the size.
  virtual void Bytes(const TypeInfo& type, std::string& bytes) = 0;

  /// A container begins. `count` is what the object has: elements (Array, Sequence, Map, Set,
  /// Tuple), 0 or 1 (Optional, Pointer), index of the alternative (Variant). A writer returns it
  /// unchanged; a reader returns the count the object is to have. Bodies then visit each part
  /// between BeginElement and EndElement.
  virtual std::size_t BeginContainer(const TypeInfo& type, std::size_t count) = 0;
  /// `index` counts elements. For a Map, a key (`is_key`) and then its value come with the same
  /// index.
  virtual void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) = 0;
  virtual void EndElement() = 0;
  virtual void EndContainer(const TypeInfo& type) = 0;

  /// CHECK_INTEGRITY, while its gate is open or not (`field.live`); `field.value` is null. The type
  /// is u32.
  virtual void Integrity(const FieldVisit& field) = 0;

  /// An aligned value comes `before` bytes behind the zeros that make it so. Archives without bytes
  /// have none.
  virtual void Align(std::size_t /*alignment*/, std::size_t /*before*/) {}
  /// A part begins whose bytes are the same wherever it stands: numbers of CHECK_INTEGRITY and
  /// alignments are counted from here. Gives what EndPart() takes.
  virtual PartStart BeginPart() { return {}; }
  virtual void EndPart(const PartStart&) {}
  /// Charges memory that a visitor makes on the word of an input against Limits::budget. False, and
  /// an error, beyond it.
  virtual bool PayFor(std::size_t /*count*/, std::size_t /*size*/) { return true; }
  /// Where in its bytes a binary archive stands; kNoBytes for those that have none.
  virtual std::size_t ByteOffset() const { return kNoBytes; }
  static constexpr std::size_t kNoBytes = static_cast<std::size_t>(-1);
  /// A reading archive that makes values up, as the filler does: what it gives for a name or an id
  /// means nothing.
  virtual bool Invents() const { return false; }

  /// True for reading archives that invent what they read (fillers, for samples and backfills):
  /// where a value must be one of several, the visitor picks. A body that would refuse what was
  /// invented gives a value that it takes: revctl::MakesValues(r), which also takes archives that
  /// are none of these (named_field.h).
  virtual bool MakesValues() const { return false; }
  /// Of what was invented for the last Bytes(), the visitor made this: a class has its own name.
  virtual void Chose(std::string_view /*text*/) {}
  /// Of the number, enum or text that was invented last, the visitor made this value.
  virtual void ChoseValue(const TypeInfo& /*type*/, void* /*value*/) {}
  /// What is invented is a file first, and objects only by what the body reads of it. So it may
  /// hold what no object stands for any more.
  virtual bool InventsFile() const { return false; }
  /// In such a file these bytes stand for what was invented of the record at hand.
  virtual void ChoseBytes(std::span<const std::byte> /*bytes*/) {}
  /// A writer that asks for values in memory gets those of types that travel as another one
  /// (WireAs), as far as their text can be told; the path is the value's.
  virtual bool AsksForMemory() const { return false; }
  virtual void InMemory(std::string /*text*/) {}

  /// A reader met a key or set element that is already there. The default refuses the value; a
  /// filler may shrug.
  virtual void DuplicateKey() { FailHere("a key stands twice"); }
  /// Whether each key of a hash table is compared with all others. The table itself compares few:
  /// an `==` that takes keys of unlike hashes for one shows there now and then.
  virtual bool ComparesKeys() const { return false; }
  /// An error of the library's own, at the present path: the bytes are no value of the type. The
  /// first one wins.
  void FailHere(std::string_view reason) { SetError(reason, /*refused=*/false); }

  // ---- called by the visitors; not by archives and bodies
  // --------------------------------------------------------

  void EnterElement(const TypeInfo& container, const TypeInfo& element, std::size_t index,
                    bool is_key) {
    steps_.push_back({nullptr, index, StepKind(container.kind, is_key)});
    BeginElement(element, index, is_key);
  }
  void LeaveElement() {
    EndElement();
    steps_.pop_back();
  }
  /// Counts a nested container; false, with an error, where the nesting is deeper than
  /// `limits.depth`.
  bool Descend(int levels = 1) {
    depth_ += levels;
    if (depth_ <= limits.depth) return true;
    FailHere(detail::kTooDeep);
    return false;
  }
  void Ascend(int levels = 1) { depth_ -= levels; }
  int DepthLeft() const { return limits.depth - depth_; }
  /// After a key that came into a hash table. False, with an error, where the input floods it.
  template <class Table, class Key>
  bool NoFlood(const Table& table, const Key& key) {
    if (flood_.Holds(table, key)) return true;
    FailHere(detail::kFlooded);
    return false;
  }

  /// The whole object: what `Serialize(archive, object)` does when nothing is being visited yet.
  void VisitRoot(const TypeInfo& type, void* object) {
    const TypeInfo* before = std::exchange(root_, &type);
    type.visit(*front_, object);
    root_ = before;
  }
  bool AtRoot() const { return root_ == nullptr; }

 protected:
  explicit AnyArchive(bool reading) : reading_(reading) {}
  AnyArchive(const AnyArchive&) = delete;
  AnyArchive& operator=(const AnyArchive&) = delete;

  /// Visits `field.value`, with `field.site.name` on the path.
  void VisitField(const FieldVisit& field) {
    if (!ok_) return;
    PushStep(field);
    field.type.visit(*front_, field.value);
    PopStep();
  }
  void PushStep(const FieldVisit& field) {
    steps_.push_back({field.site.name, 0, field.site.name[0] == '\0' ? Step::Inside : Step::Named});
  }
  void PopStep() { steps_.pop_back(); }

  /// Called once, at the first error: for archives that add what they know (an offset), or pass it
  /// on.
  virtual void OnError() {}

  /// For an archive that wraps `inner` and passes each call on: bodies then call `front`, and the
  /// path is that one's.
  static void SetFront(AnyArchive& inner, AnyArchive* front) { inner.front_ = front; }
  /// Takes over the error of another archive.
  void AdoptError(const AnyArchive& other) {
    if (!ok_ || other.ok_) return;
    ok_ = false;
    refused_ = other.refused_;
    error_path_ = other.error_path_;
    error_reason_ = other.error_reason_;
    OnError();
  }

 private:
  struct Step {
    enum Form : std::uint8_t { Named, Index, Key, Inside };
    const char* name;
    std::size_t index;
    Form form;
  };
  static Step::Form StepKind(Kind container, bool is_key) {
    if (is_key && container == Kind::Map) return Step::Key;
    bool holds_one =
        container == Kind::Optional || container == Kind::Pointer || container == Kind::Variant;
    return holds_one ? Step::Inside : Step::Index;
  }
  void SetError(std::string_view reason, bool refused) {
    if (!ok_) return;
    ok_ = false;
    refused_ = refused;
    error_path_ = Path();
    error_reason_ = reason;
    OnError();
  }

  bool reading_;
  bool ok_ = true;
  bool refused_ = false;
  int depth_ = 0;
  detail::FloodWatch flood_;
  const TypeInfo* root_ = nullptr;
  AnyArchive* front_ = this;
  std::vector<Step> steps_;
  mutable const TypeInfo* named_ = nullptr;  ///< the root whose name `root_name_` is
  mutable std::string root_name_;
  std::string error_path_, error_reason_;
};

inline void AnyArchive::Fail(std::string_view reason) { SetError(reason, /*refused=*/true); }

inline std::string AnyArchive::Path() const {
  if (front_ != this) return front_->Path();
  if (root_ == nullptr) return {};
  if (named_ != root_) {  // a tracer asks at every leaf
    named_ = root_;
    root_name_ = root_->name();
    // Without namespaces, but not cutting into template arguments: `game::Box<ns::T>` is
    // `Box<ns::T>`.
    std::size_t colon = root_name_.substr(0, root_name_.find('<')).rfind("::");
    if (colon != std::string::npos) root_name_.erase(0, colon + 2);
  }
  std::string path = root_name_;
  for (const Step& step : steps_) {
    switch (step.form) {
      case Step::Named:
        path.append(".").append(step.name);
        break;
      case Step::Index:
        path.append("[").append(std::to_string(step.index)).append("]");
        break;
      case Step::Key:
        path.append("#key[").append(std::to_string(step.index)).append("]");
        break;
      case Step::Inside:
        break;
    }
  }
  return path;
}

}  // namespace revctl
