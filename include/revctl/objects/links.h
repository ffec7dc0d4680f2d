#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <revctl/detail/base/refused_load.h>
#include <revctl/objects/classes.h>

namespace revctl {

/// A record or pointer that could not be read and was kept (Stray::Keep). It is a record of an
/// unknown class or, if `class_name` is empty, a pointer that is now null because no object has its
/// id.
struct KeptObject {
  std::string class_name;
  std::uint32_t id = 0;  ///< id of the record or of the pointer's target in the original stream
  std::vector<std::byte> bytes;  ///< the record as written; pointers in it are ids in that stream
  std::uint32_t holder = 0;      ///< for a pointer: id of the object that contains it; 0 for a root
};

namespace detail {

/// Id of an object in a stream. The first record has id 1, and 0 is the null pointer.
using ObjectId = std::uint32_t;

/// The state of the stream being written or read: the objects' ids and owners. Bodies find it with
/// `Current()`, so neither objects nor archives need a reference to it. Each thread and each nested
/// stream has its own ObjectLinks.
class ObjectLinks {
 public:
  enum class Mode {
    Find,   ///< writing: bodies run once to find the objects that they own; there are no ids yet
    Leave,  ///< writing: bodies of omitted objects run to find more objects to omit
    Write,  ///< writing: every object has its id
    Read,   ///< reading: every object exists, and bodies link them
    Invent  ///< reading made-up values: links are made wherever they fit
  };
  enum class Owner : std::uint8_t { Nobody, One, Shared };

  struct Object {
    const ObjectClass* of = nullptr;  ///< null for a dropped record
    void* address = nullptr;          ///< address of the most derived object
    std::uint16_t kind = 0;           ///< index into the stream's class names
    ObjectId parent = 0;              ///< the only owner; 0 if the object is a root or shared
    int depth = 0;                    ///< number of owners above it; see OwnershipDepths
    Owner owner = Owner::Nobody;      ///< who has already taken ownership of the object
    bool claimed = false;             ///< true if a root, an owner or a shared_ptr has claimed it
    bool raw_root = false;            ///< true if a raw pointer among the roots owns it
    bool is_root = false;             ///< reading: true if a root owns the object
    std::shared_ptr<void> share;
  };

  ObjectLinks(const ObjectClasses& classes, Mode mode)
      : classes_(classes),
        mode_(mode),
        streams_around_(Current() != nullptr ? Current()->streams_around_ + 1 : 0) {}
  ObjectLinks(const ObjectLinks&) = delete;
  ObjectLinks& operator=(const ObjectLinks&) = delete;
  ~ObjectLinks() {
    if (mode_ != Mode::Read && mode_ != Mode::Invent) return;
    for (const Object& object : objects) {
      if (!handed_over_ && object.owner == Owner::Shared) Untie(object.share, *object.of);
    }
    for (Object& object : objects) {
      if (object.owner == Owner::Nobody && object.address != nullptr)
        object.of->destroy(object.address);
    }
  }

  class Scope {
   public:
    explicit Scope(ObjectLinks* links) : outer_(std::exchange(CurrentSlot(), links)) {}
    ~Scope() { CurrentSlot() = outer_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ObjectLinks* outer_;
  };
  static ObjectLinks* Current() { return CurrentSlot(); }

  std::vector<Object> objects;                        ///< object `id` is at id - 1
  std::vector<std::pair<ObjectId, ObjectId>> shared;  ///< pairs of owner and shared object
  /// The object whose body is running, or 0 while roots are visited.
  ObjectId at = 0;

  /// An object omitted because its class does not exist at the written revision. Pointers to it are
  /// written as id 0.
  struct Left {
    const ObjectClass* of;
    void* address;
  };
  std::vector<Left> left_out;
  /// the revision at which the stream is written
  std::int64_t revision = (std::numeric_limits<std::int64_t>::max)();

  /// A pointer read as null because no object has its id (Stray::Keep).
  struct Dangling {
    ObjectId holder;
    ObjectId id;
  };
  std::vector<Dangling> dangling;
  /// Records of unknown classes, which the user receives after everything else has been read.
  std::vector<KeptObject> kept;

  const ObjectClasses& classes() const { return classes_; }
  Mode mode() const { return mode_; }
  void SetMode(Mode mode) { mode_ = mode; }
  /// Returns the number of enclosing streams.
  int streams_around() const { return streams_around_; }

  /// Returns the first error since the last call, or "".
  std::string TakeTrouble() { return std::exchange(trouble_, {}); }
  bool Fail(std::string reason) {
    if (trouble_.empty()) trouble_ = std::move(reason);
    return false;
  }

  // ---- writing

  /// The writer that runs bodies only to find the objects that they own, and whose bytes are
  /// discarded. Null at other times.
  const Writer* finder = nullptr;

  /// Returns the id for a raw pointer among the roots. Such a pointer owns its object. Fails if the
  /// object has another owner or occurs twice among the roots, because it would be freed twice.
  template <class T>
  ObjectId IdOfRoot(const T* root) {
    const bool again = mode_ == Mode::Find && ids_.contains({root, &object_key<T>});
    const ObjectId id = IdOfOwned(root, false);
    if (id != 0 && (again || objects[id - 1].owner != Owner::Nobody)) FailRoot(id);
    return id;
  }

  /// Returns the id of a pointer that does not own its object. Detects a dangling pointer by its
  /// address, without accessing the object.
  template <class T>
  ObjectId IdOfTarget(const T* target) {
    if (at == 0) return IdOfOwned(target, false);
    if (target == nullptr || mode_ != Mode::Write) return 0;
    const auto known = ids_.find({target, &object_key<T>});
    if (known != ids_.end()) return known->second;
    // Report only the first dangling pointer, because a million of them would otherwise cause a
    // million searches.
    if (classes_.on_dangling() == Stray::Refuse && trouble_.empty()) {
      Fail("points at a " + TypeName<T>() +
           " that is not saved: make it a root or let a saved object own it" +
           std::string(KnownElsewhere(target)
                           ? " (it is saved, but its class was registered without this base)"
                           : ""));
    }
    return 0;
  }

  /// Returns the id of an object that the current object owns or shares. In Mode::Find, adds the
  /// object to the stream.
  template <class T>
  ObjectId IdOfOwned(T* owned, bool is_shared) {
    if (owned == nullptr) return 0;
    using Whole = std::remove_const_t<T>;
    const auto known = ids_.find({owned, &object_key<Whole>});
    if (mode_ == Mode::Write) return known != ids_.end() ? known->second : 0;
    if (mode_ == Mode::Leave) {
      if (known == ids_.end()) LeaveOwned(const_cast<Whole*>(owned));
      return 0;
    }
    ObjectId id = known != ids_.end() ? known->second : Enlist(const_cast<Whole*>(owned));
    if (id == 0 || at == 0) return id;
    objects[id - 1].owner = is_shared ? Owner::Shared : Owner::One;
    if (is_shared) {
      shared.emplace_back(at, id);
    } else {
      objects[id - 1].parent = at;
    }
    return id;
  }

  /// True if a root's object was omitted. A null root is not omitted and keeps its place.
  template <class P>
  bool IsLeftOut(const P& root) const {
    if constexpr (requires { *root; }) {
      if (root == nullptr) return false;
      const auto known =
          ids_.find({std::addressof(*root), &object_key<std::remove_cvref_t<decltype(*root)>>});
      return known != ids_.end() && known->second == 0;
    } else {
      return false;
    }
  }

  // ---- reading

  /// Returns the target of a pointer with this id, or null.
  template <class T>
  T* Target(ObjectId id) {
    Object* object = nullptr;
    void* view = nullptr;
    return Look<T>(id, object, view) ? static_cast<T*>(view) : nullptr;
  }

  /// Transfers ownership of an object to a raw pointer among the roots.
  template <class T>
  T* Root(ObjectId id) {
    Object* object = nullptr;
    void* view = nullptr;
    if (!Look<T>(id, object, view)) return nullptr;
    if (object->parent != 0 || object->owner != Owner::Nobody) {
      if (mode_ != Mode::Invent) FailRoot(id);
      return nullptr;
    }
    object->owner = Owner::One;
    object->claimed = object->raw_root = object->is_root = true;
    return static_cast<T*>(view);
  }

  /// Transfers ownership of an object to its only owner.
  template <class T>
  T* Own(ObjectId id) {
    Object* object = nullptr;
    void* view = nullptr;
    if (!Look<T>(id, object, view)) return nullptr;
    if (object->parent != at || object->owner != Owner::Nobody) {
      if (mode_ != Mode::Invent) Fail("object " + std::to_string(id) + " belongs to another owner");
      return nullptr;
    }
    if (!object->of->As(&object_key<T>)->deletes) {
      Fail("a unique_ptr<" + TypeName<T>() + "> cannot own a `" + object->of->name +
           "`: the base has no virtual destructor");
      return nullptr;
    }
    object->owner = Owner::One;
    object->claimed = true;
    object->is_root = at == 0;
    return static_cast<T*>(view);
  }

  /// Returns a shared_ptr to the object. If `is_weak`, the caller needs it only to create a
  /// weak_ptr.
  template <class T>
  std::shared_ptr<T> Share(ObjectId id, bool is_weak) {
    Object* object = nullptr;
    void* view = nullptr;
    if (!Look<T>(id, object, view)) return nullptr;
    // Made-up objects share only objects with higher ids, because nothing would ever destroy a ring
    // of objects.
    if (mode_ == Mode::Invent && !is_weak && object < objects.data() + at) return nullptr;
    if (object->owner == Owner::One || object->parent != 0) {
      if (mode_ != Mode::Invent)
        Fail("object " + std::to_string(id) + " belongs to one owner and cannot be shared");
      return nullptr;
    }
    if (object->owner == Owner::Nobody) {
      object->share = object->of->share(object->address);
      object->owner = Owner::Shared;
    }
    if (!is_weak) {
      object->claimed = true;
      if (at == 0) object->is_root = true;
      else NoteShare(static_cast<ObjectId>(object - objects.data() + 1));
    }
    return std::shared_ptr<T>(object->share, static_cast<T*>(view));
  }

  /// True if bodies created exactly the shared pointers in the stream's table and no root is
  /// missing.
  bool TookAsTold() const {
    return taken_.empty() && told_ == static_cast<std::ptrdiff_t>(shared.size()) && !lost_root_;
  }
  /// Returns the shared pointers that bodies created, as pairs of an owner and the object that it
  /// shares.
  std::vector<std::pair<ObjectId, ObjectId>> TakenShares() const {
    return taken_.empty() ? std::vector(shared.begin(), shared.begin() + told_) : taken_;
  }

  /// Records that the user now owns the roots, and thus all objects. If the enclosing file is
  /// rejected later, rings of objects are still destroyed.
  void HandedOver() {
    handed_over_ = true;
    RefusedLoad* const load = RefusedLoad::Current();
    if (load == nullptr || shared.empty()) return;
    std::vector<std::pair<std::weak_ptr<void>, const ObjectClass*>> sharing;
    for (const Object& object : objects) {
      if (object.owner == Owner::Shared) sharing.emplace_back(object.share, object.of);
    }
    load->Then([sharing = std::move(sharing)] {
      for (const auto& [object, of] : sharing) Untie(object.lock(), *of);
    });
  }
  /// Takes back ownership of the objects that raw pointers among the roots owned. The caller must
  /// already have cleared the roots.
  void TakeBack() {
    for (Object& object : objects) {
      if (object.raw_root) object.owner = Owner::Nobody;
    }
  }

 private:
  /// Records that a body has created a shared pointer. Writers list shared pointers in the order in
  /// which bodies visit them, so a separate list is created only once the order differs from the
  /// table.
  void NoteShare(ObjectId id) {
    const std::pair<ObjectId, ObjectId> share(at, id);
    if (taken_.empty()) {
      if (told_ < static_cast<std::ptrdiff_t>(shared.size()) &&
          shared[static_cast<std::size_t>(told_)] == share) {
        ++told_;
        return;
      }
      taken_.assign(shared.begin(), shared.begin() + told_);
    }
    taken_.push_back(share);
  }

  /// Clears the pointers in a shared object, because a ring of shared objects would never be freed.
  /// To do so, runs the body with a failed reader, which clears every pointer that the body visits.
  /// The reader uses the maximal revision, which skips upgrade code.
  static void Untie(const std::shared_ptr<void>& object, const ObjectClass& of) {
    if (object == nullptr) return;
    Reader failed({}, Revision((std::numeric_limits<std::int64_t>::max)()));
    failed.FailHere("refused");
    of.read(failed, object.get());
  }
  void FailRoot(ObjectId id) {
    Fail("object " + std::to_string(id) +
         " is owned by a raw root pointer, but also has another owner");
  }

  static ObjectLinks*& CurrentSlot() {
    static thread_local ObjectLinks* current = nullptr;
    return current;
  }

  struct View {
    const void* address;
    const void* key;
    bool operator==(const View&) const = default;
  };
  struct HashView {
    std::size_t operator()(const View& view) const {
      const std::hash<const void*> hash;
      return hash(view.address) * 31 + hash(view.key);
    }
  };

  bool KnownElsewhere(const void* address) const {
    for (const Object& object : objects) {
      if (object.address == address) return true;
    }
    return false;
  }

  void LeaveOut(const ObjectClass& of, void* whole) {
    left_out.push_back({&of, whole});
    for (const ObjectView& each : of.views) ids_[{each.up(whole), each.key}] = 0;
  }
  /// Omits an object, whatever its class, because its only owner is omitted.
  template <class T>
  void LeaveOwned(T* object) {
    const ObjectClass* const of = classes_.ClassOf(*object);
    const ObjectView* const view = of != nullptr ? of->As(&object_key<T>) : nullptr;
    if (view != nullptr) return LeaveOut(*of, view->down(object));
    ids_[{object, &object_key<T>}] = 0;
  }

  template <class T>
  ObjectId Enlist(T* object) {
    const ObjectClass* of = classes_.ClassOf(*object);
    if (of == nullptr) {
      if (classes_.on_others() == Stray::Refuse) {
        Fail("cannot save a " + ClassText(*object) +
             ", because its class is not registered; found through a pointer to " + TypeName<T>());
      }
      return 0;
    }
    const ObjectView* view = of->As(&object_key<T>);
    if (view == nullptr) {
      Fail("class `" + of->name + "` was registered without its base " + TypeName<T>());
      return 0;
    }
    void* const whole = view->down(object);
    if (of->since > revision) {
      LeaveOut(*of, whole);
      return 0;
    }
    if (objects.size() >= UINT32_MAX - 1) {
      Fail("more objects than 32-bit ids can represent");
      return 0;
    }
    Object entry;
    entry.of = of;
    entry.address = whole;
    objects.push_back(std::move(entry));
    const ObjectId id = static_cast<ObjectId>(objects.size());
    for (const ObjectView& each : of->views) ids_[{each.up(whole), each.key}] = id;
    return id;
  }

  /// Sets `object` and `view` to the object with this id. Returns false for id 0, for a dropped
  /// object, and for an object that the pointer cannot refer to. The last case is an error unless
  /// dangling ids are dropped or kept.
  template <class T>
  bool Look(ObjectId id, Object*& object, void*& view) {
    if (mode_ == Mode::Invent && !objects.empty())
      id = static_cast<ObjectId>(id % (objects.size() + 1));
    if (id == 0) return false;
    const bool refuse = mode_ != Mode::Invent && classes_.on_dangling() == Stray::Refuse;
    const bool keep = mode_ == Mode::Read && classes_.on_dangling() == Stray::Keep;
    if (id > objects.size()) {
      if (keep) dangling.push_back({at, id});
      if (refuse)
        Fail("id " + std::to_string(id) + ", but there are " + std::to_string(objects.size()) +
             " objects");
      return false;
    }
    object = &objects[id - 1];
    if (object->of == nullptr) return false;
    const ObjectView* as = object->of->As(&object_key<T>);
    if (as == nullptr) {
      lost_root_ = lost_root_ || at == 0;
      if (keep) dangling.push_back({at, id});
      if (refuse)
        Fail("object " + std::to_string(id) + " is a `" + object->of->name + "`, not a " +
             TypeName<T>());
      return false;
    }
    view = as->up(object->address);
    return true;
  }

  const ObjectClasses& classes_;
  Mode mode_;
  int streams_around_;
  bool handed_over_ = false;
  bool lost_root_ = false;   ///< true if a root is null because its object has an unsuitable class
  std::ptrdiff_t told_ = 0;  ///< number of entries of `shared` that have been created in order
  /// all shared pointers that were created; empty until they differ from `shared`
  std::vector<std::pair<ObjectId, ObjectId>> taken_;
  std::string trouble_;
  std::unordered_map<View, ObjectId, HashView> ids_;
};

}  // namespace detail
}  // namespace revctl

// Finds shared objects that keep each other alive but cannot be reached from a root. The table of a
// hostile file may claim shared pointers that no body creates.

namespace revctl::detail {

/// Returns the id of an object that no root reaches through owners and shared pointers, or 0 if
/// there is none. Call it after bodies have run and roots are linked. Takes constant time if bodies
/// created exactly the shared pointers in the stream's table, because the table has already been
/// checked.
inline ObjectId FindLost(const ObjectLinks& links) {
  if (links.TookAsTold()) return 0;
  std::vector<std::pair<ObjectId, ObjectId>> owns = links.TakenShares();
  const auto& objects = links.objects;
  std::vector<ObjectId> next;
  std::vector<bool> reached(objects.size() + 1, false);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto id = static_cast<ObjectId>(i + 1);
    if (objects[i].address == nullptr) continue;
    if (objects[i].parent != 0) owns.emplace_back(objects[i].parent, id);
    if (!objects[i].is_root) continue;
    reached[id] = true;
    next.push_back(id);
  }
  std::sort(owns.begin(), owns.end());
  while (!next.empty()) {
    const ObjectId owner = next.back();
    next.pop_back();
    for (auto at = std::lower_bound(owns.begin(), owns.end(), std::pair(owner, ObjectId{0}));
         at != owns.end() && at->first == owner; ++at) {
      if (reached[at->second]) continue;
      reached[at->second] = true;
      next.push_back(at->second);
    }
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].address != nullptr && !reached[i + 1]) return static_cast<ObjectId>(i + 1);
  }
  return 0;
}

}  // namespace revctl::detail
