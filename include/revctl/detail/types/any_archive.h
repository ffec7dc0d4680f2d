#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/detail/base/error_text.h>
#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/resource.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/types/aligned.h>
#include <revctl/detail/types/type_info.h>

namespace revctl {

/// The macro or call by which a body visits a field.
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

/// The place in a body that visits a field. All strings have static storage and are spelled exactly
/// as in the body.
struct Site {
  Form form;
  const char* name;       ///< name of the field; empty for Plain
  const char* since;      ///< gate as spelled: `SR_INITIAL`; empty if the field has none
  const char* until;      ///< second gate of a REM as spelled; empty for other fields
  const char* condition;  ///< condition of an ADD_CONDITIONAL as spelled; empty for other fields
  /// the default of a REM as written, or the pointer type of a REM_REF; empty for other fields
  const char* fallback;
  const char* file;
  int line;
};

namespace detail {

/// Returns the address of a member, even if it is const. TypeOf<T>() rejects const members with a
/// helpful message, and a conversion error here would hide it.
template <class T>
void* MutableAddress(T& value) {
  return const_cast<std::remove_cv_t<T>*>(std::addressof(value));
}

/// Returns the text after the first comma: the default in `name, default`.
inline const char* AfterComma(const char* text) {
  while (*text != '\0' && *text != ',') ++text;
  if (*text == ',') ++text;
  while (*text == ' ') ++text;
  return text;
}

/// Splits a literal into name, since, until, condition, fallback and file, which are separated by
/// zero bytes. The macros pack these strings into one literal so that each field needs to pass only
/// one pointer.
inline Site UnpackSite(Form form, const char* texts, int line) {
  const auto next = [&texts] {
    const char* const text = texts;
    while (*texts != '\0') ++texts;
    ++texts;
    return text;
  };
  Site site{.form = form,
            .name = next(),
            .since = next(),
            .until = next(),
            .condition = next(),
            .fallback = next(),
            .file = texts,
            .line = line};
  if (form == Form::Rem || form == Form::RemConditional) site.fallback = AfterComma(site.fallback);
  return site;
}

}  // namespace detail

/// The integrity counter and the offset at the start of a part; see BeginPart().
struct PartStart {
  std::uint32_t counter = 0;
  std::size_t offset = 0;
};

/// A visit to a field, as a body reports it to an archive.
struct FieldVisit {
  const Site& site;
  std::int64_t since = 0;  ///< number of the gate; meaningless if `site.since` is empty
  std::int64_t until = 0;  ///< number of a REM's second gate; meaningless if `site.until` is empty
  bool live = true;        ///< true if the gate is open at the archive's revision
  /// Value of the condition; evaluated and meaningful only if `live`.
  bool condition = true;
  const TypeInfo& type;
  void* value;  ///< the member, or a REM's local variable, which still holds the default
};

/// The base class of all archives except Reader, Writer and SizeCounter: layouts, fillers, JSON,
/// differences, traces.
///
/// Each body is compiled once for all of these archives, because their functions are virtual.
/// Bodies report every field, even if its gate is closed, so that archives see all gates.
///
/// Reading archives (JSON reader, filler, binary tracer) store values in the object; writing
/// archives only read it. An archive keeps its first error, and after that its functions return
/// false or zero. Nothing throws.
class AnyArchive {
 public:
  using RevctlChecksMembers = void;
  virtual ~AnyArchive() = default;

  /// The revision at which bodies run. It can be compared with integers and with enumerators of any
  /// enum, and records those numbers (`revision.Notes()`).
  NotingRevision revision;

  bool IsReading() const { return reading_; }
  bool IsWriting() const { return !reading_; }

  bool Ok() const { return ok_; }
  /// Rejects the value; called by bodies (`r.Fail("hp is negative")`) and archives. The first error
  /// wins.
  void Fail(std::string_view reason);
  /// Return the path (`Level.things[3].mesh`) and the message of the first error. Both are empty
  /// while Ok().
  const std::string& error_path() const { return error_path_; }
  const std::string& error_reason() const { return error_reason_; }
  /// True if the first error came from r.Fail(): the bytes were valid, but a body rejected the
  /// value.
  bool refused() const { return refused_; }

  /// Returns the path of the current visit: `Level.things[3].mesh`. It begins with the name of the
  /// root type, without namespaces. Map keys appear as `stats#key[2]`, and their values as
  /// `stats[2]`. The content of an optional or a pointer adds nothing to the path.
  std::string Path() const;

  /// Limits on the memory and depth that an input may use while it is read (limits.h).
  Limits limits;
  /// Memory resource for the std::pmr containers that reading creates (resource.h); may be null.
  Resource resource;

  // ---- called by bodies and by the visitors of standard types

  /// Called at the beginning and at the end of an object of a user type. The default
  /// implementations do nothing.
  virtual void BeginRecord(const TypeInfo&, void* /*object*/) {}
  virtual void EndRecord(const TypeInfo&, void* /*object*/) {}

  /// Handles a field of the current record. By default, visits it if `field.live &&
  /// field.condition`. Overrides call `VisitField(field)` to visit it.
  virtual void Field(const FieldVisit& field) {
    if (field.live && field.condition) VisitField(field);
  }
  /// Calls Field() for ADD. Not inlined, because bodies call it for each field. `texts` is the
  /// literal that detail::UnpackSite() splits.
  template <class T>
  [[gnu::noinline]] void Add(const char* texts, int line, std::int64_t since, T& value) {
    AddField(texts, line, since, TypeOf<T>(), detail::MutableAddress(value));
  }
  /// Calls Field() for ADD_ALIGNED.
  template <std::size_t alignment, class T>
  [[gnu::noinline]] void AddAligned(const char* texts, int line, std::int64_t since, T& value) {
    AddField(texts, line, since, TypeOf<Aligned<alignment, T>>(), detail::MutableAddress(value));
  }
  /// Calls Field() for the other macros.
  template <class T>
  [[gnu::noinline]] void Announce(Form form, const char* texts, int line, std::int64_t since,
                                  std::int64_t until, bool live, bool condition, T& value) {
    AnnounceField(form, texts, line, since, until, live, condition, TypeOf<T>(),
                  detail::MutableAddress(value));
  }

  /// Calls Field() for a value visited without a macro.
  template <class T>
  void Named(const char* name, const char* file, int line, T& value) {
    const Site site{Form::Plain, name, "", "", "", "", file, line};
    Field({.site = site, .type = TypeOf<T>(), .value = std::addressof(value)});
  }
  /// Calls Integrity() for CHECK_INTEGRITY.
  void CheckIntegrity(const char* texts, int line, std::int64_t since);
  /// Calls Field() for SERIALIZE_IGNORE.
  void Ignore(const char* texts, int line);

  /// Visits a bool, integer, float or enum. `value` points to the C++ type that `type` describes.
  virtual void Scalar(const TypeInfo& type, void* value) = 0;
  /// Visits a string or bitset as bytes. A reader replaces `bytes`, and must keep the size for a
  /// Bitset.
  virtual void Bytes(const TypeInfo& type, std::string& bytes) = 0;

  /// True if the archive handles all `count` numbers of `container` (an Array or a Sequence) in a
  /// single call to Block() instead of visiting each element. Called after BeginContainer().
  virtual bool TakesBlock(const TypeInfo& /*container*/, std::size_t /*count*/) { return false; }
  /// Visits `count` contiguous numbers, such as the RAM of an emulated machine.
  virtual void Block(const TypeInfo& /*container*/, void* /*numbers*/, std::size_t /*count*/) {}

  /// Begins a container. `count` is the number of elements in the object (Array, Sequence, Map,
  /// Set, Tuple), 0 or 1 (Optional, Pointer), or the index of the alternative (Variant). A writer
  /// returns `count` unchanged, and a reader returns the count that the object should have. Each
  /// part is then visited between BeginElement() and EndElement().
  virtual std::size_t BeginContainer(const TypeInfo& type, std::size_t count) = 0;
  /// Begins the element at `index`. In a Map, a key (`is_key`) and its value have the same index.
  virtual void BeginElement(const TypeInfo& element, std::size_t index, bool is_key) = 0;
  virtual void EndElement() = 0;
  virtual void EndContainer(const TypeInfo& type) = 0;

  /// Handles CHECK_INTEGRITY, even if its gate is closed (`!field.live`). `field.value` is null,
  /// and `field.type` is u32.
  virtual void Integrity(const FieldVisit& field) = 0;

  /// Writes zeros so that the data `before` bytes after the zeros is aligned. Archives that produce
  /// no bytes do nothing.
  virtual void Align(std::size_t /*alignment*/, std::size_t /*before*/) {}
  /// Begins a part whose bytes do not depend on its position: CHECK_INTEGRITY numbers and
  /// alignments are relative to its start. Returns the state that EndPart() restores.
  virtual PartStart BeginPart() { return {}; }
  virtual void EndPart(const PartStart&) {}
  /// Charges memory that the input requests to Limits::budget. Fails and returns false if that
  /// exceeds the budget.
  virtual bool PayFor(std::size_t /*count*/, std::size_t /*size*/) { return true; }
  /// Returns the current offset of a binary archive. Other archives return kNoBytes.
  virtual std::size_t ByteOffset() const { return kNoBytes; }
  static constexpr std::size_t kNoBytes = static_cast<std::size_t>(-1);
  /// True for reading archives that make up values, such as the filler. Names and ids from such
  /// archives are meaningless.
  virtual bool Invents() const { return false; }

  /// True for reading archives that make up values for samples and backfills. If only certain
  /// values are valid, the visitor picks one. Bodies should instead call revctl::MakesValues(r)
  /// from named_field.h, which accepts every archive.
  virtual bool MakesValues() const { return false; }
  /// Called when the visitor replaces the last made-up Bytes() with a string that it chose, for
  /// example a class name.
  virtual void Chose(std::string_view /*text*/) {}
  /// Called when the visitor replaces the last made-up number, enum or string with a value that it
  /// chose.
  virtual void ChoseValue(const TypeInfo& /*type*/, void* /*value*/) {}
  /// True if the archive makes up the bytes of a file, from which bodies then read their objects.
  /// The file may contain records of retired classes, for which there are no objects.
  virtual bool InventsFile() const { return false; }
  /// Replaces the made-up bytes of the current record if InventsFile().
  virtual void ChoseBytes(std::span<const std::byte> /*bytes*/) {}
  /// True if a writer wants InMemory() to be called. If the in-memory value of a type with a WireAs
  /// can be printed, InMemory() receives its text. The current path identifies the value.
  /// `may_round` is true for floats and durations, which programs deliberately save with less
  /// precision.
  virtual bool AsksForMemory() const { return false; }
  virtual void InMemory(std::string /*text*/, bool /*may_round*/) {}
  /// Called for values copied byte by byte (BytesWireAs), because archives do not see their
  /// members.
  virtual void CopiedByBytes() {}

  /// Called when a reader encounters a duplicate key or set element. Fails by default. A filler may
  /// ignore the duplicate.
  virtual void DuplicateKey() { FailHere(detail::kDuplicateKey); }
  /// True if each key of a hash table must be compared with all other keys. The table itself
  /// compares only keys in the same bucket, so it would often miss equal keys whose hashes differ.
  virtual bool ComparesKeys() const { return false; }
  /// Reports, at the current path, that the bytes are not a valid value of the type. The first
  /// error wins.
  void FailHere(std::string_view reason) { SetError(reason, /*refused=*/false); }

  // ---- called only by visitors

  void EnterElement(const TypeInfo& container, const TypeInfo& element, std::size_t index,
                    bool is_key) {
    steps_.push_back({nullptr, index, StepKind(container.kind, is_key)});
    BeginElement(element, index, is_key);
  }
  void LeaveElement() {
    EndElement();
    steps_.pop_back();
  }
  /// Counts nested containers. Fails and returns false beyond `limits.depth`.
  bool Descend(int levels = 1) {
    depth_ += levels;
    if (depth_ <= limits.depth) return true;
    FailHere(detail::kTooDeep);
    return false;
  }
  void Ascend(int levels = 1) { depth_ -= levels; }
  int DepthLeft() const { return limits.depth - depth_; }
  /// Checks a hash table after an insertion. Fails and returns false if too many keys of the input
  /// collide.
  template <class Table, class Key>
  bool NoFlood(const Table& table, const Key& key) {
    if (flood_.Holds(table, key)) return true;
    FailHere(detail::kFlooded);
    return false;
  }

  /// Visits a whole object. `Serialize(archive, object)` calls this if no visit is in progress.
  void VisitRoot(const TypeInfo& type, void* object) {
    const TypeInfo* before = std::exchange(root_, &type);
    type.Visit(*front_, object);
    root_ = before;
  }
  bool AtRoot() const { return root_ == nullptr; }

 protected:
  explicit AnyArchive(bool reading) : reading_(reading) {}
  AnyArchive(const AnyArchive&) = delete;
  AnyArchive& operator=(const AnyArchive&) = delete;

  /// Visits `field.value`, with `field.site.name` appended to the path.
  void VisitField(const FieldVisit& field) {
    if (!ok_) return;
    PushStep(field);
    field.type.Visit(*front_, field.value);
    PopStep();
  }
  void PushStep(const FieldVisit& field) {
    steps_.push_back({field.site.name, 0, field.site.name[0] == '\0' ? Step::Inside : Step::Named});
  }
  void PopStep() { steps_.pop_back(); }

  /// Called once, at the first error, so that an archive can add an offset or forward the error.
  virtual void OnError() {}

  /// Redirects the visits of `inner` to `front`, an archive that wraps `inner` and forwards the
  /// visits to it. Paths come from `front`.
  static void SetFront(AnyArchive& inner, AnyArchive* front) { inner.front_ = front; }
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
  void AddField(const char* texts, int line, std::int64_t since, const TypeInfo& type, void* value);
  void AnnounceField(Form form, const char* texts, int line, std::int64_t since, std::int64_t until,
                     bool live, bool condition, const TypeInfo& type, void* value);
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
  mutable const TypeInfo* named_ = nullptr;  ///< the type that `root_name_` belongs to
  mutable std::string root_name_;
  std::string error_path_, error_reason_;
};

inline void AnyArchive::AddField(const char* texts, int line, std::int64_t since,
                                 const TypeInfo& type, void* value) {
  AnnounceField(Form::Add, texts, line, since, 0, revision.AtLeast(since), true, type, value);
}

inline void AnyArchive::CheckIntegrity(const char* texts, int line, std::int64_t since) {
  const Site site = detail::UnpackSite(Form::Integrity, texts, line);
  Integrity({.site = site,
             .since = since,
             .live = revision.AtLeast(since),
             .type = TypeOf<std::uint32_t>(),
             .value = nullptr});
}

inline void AnyArchive::Ignore(const char* texts, int line) {
  const Site site = detail::UnpackSite(Form::Ignore, texts, line);
  Field({.site = site, .live = false, .type = TypeOf<std::uint8_t>(), .value = nullptr});
}

inline void AnyArchive::AnnounceField(Form form, const char* texts, int line, std::int64_t since,
                                      std::int64_t until, bool live, bool condition,
                                      const TypeInfo& type, void* value) {
  const Site site = detail::UnpackSite(form, texts, line);
  Field({.site = site,
         .since = since,
         .until = until,
         .live = live,
         .condition = condition,
         .type = type,
         .value = value});
}

inline void AnyArchive::Fail(std::string_view reason) { SetError(reason, /*refused=*/true); }

inline std::string AnyArchive::Path() const {
  if (front_ != this) return front_->Path();
  if (root_ == nullptr) return {};
  if (named_ != root_) {  // cached, because a tracer needs the path of every leaf
    named_ = root_;
    root_name_ = detail::RootOfPath(root_->name());
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
