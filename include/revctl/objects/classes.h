#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#include <cstdlib>
#endif

#include <revctl/detail/types/polymorphic.h>
#include <revctl/detail/types/type_name.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/reader.h>
#include <revctl/writer.h>

// The classes of objects that may stand in an object stream, by name.

#if defined(__cpp_rtti) || defined(__GXX_RTTI)
#define REVCTL_HAS_RTTI_
#endif

namespace revctl {
namespace detail {

/// A type's identity, with or without RTTI: the address. Not const, so that no linker folds two
/// into one.
template <class T>
inline char object_key = 0;

/// One way in which a pointer may point at an object: as itself or as one of its bases.
struct ObjectView {
  const void* key;            ///< of the static type
  void* (*up)(void* object);  ///< object to base
  void* (*down)(void* base);  ///< base to object
  bool deletes;               ///< deleting through the base deletes the object
};

/// What a stream knows of one class. `void*` points at the most derived object throughout.
struct ObjectClass {
  std::string name;
  const void* key = nullptr;
  const std::type_info* dynamic =
      nullptr;  ///< null where the class has no virtual function, or without RTTI
  std::size_t size = 0;
  std::int64_t since =
      (std::numeric_limits<std::int64_t>::min)();  ///< older revisions have no such class
  const TypeInfo* type = nullptr;
  void* (*create)() = nullptr;
  void (*destroy)(void*) = nullptr;
  std::shared_ptr<void> (*share)(void*) = nullptr;  ///< takes over a created object
  void (*write)(Writer&, void*) = nullptr;
  void (*read)(Reader&, void*) = nullptr;
  void (*linked)(void*) = nullptr;  ///< calls AfterLink(object); null where there is none
  std::vector<ObjectView> views;

  const ObjectView* As(const void* key_of_base) const {
    for (const ObjectView& view : views) {
      if (view.key == key_of_base) return &view;
    }
    return nullptr;
  }
};

template <class T, class Base>
ObjectView ViewOf() {
  static_assert(std::is_same_v<T, Base> || std::is_base_of_v<Base, T>,
                "revctl: not a base of the class");
  static_assert(std::is_same_v<T, Base> || std::is_convertible_v<T*, Base*>,
                "revctl: the base must be public");
  ObjectView view{&object_key<Base>, nullptr, nullptr,
                  std::is_same_v<T, Base> || std::has_virtual_destructor_v<Base>};
  view.up = [](void* object) -> void* { return static_cast<Base*>(static_cast<T*>(object)); };
  view.down = [](void* base) -> void* {
    if constexpr (requires(Base * b) { static_cast<T*>(b); }) {
      return static_cast<T*>(static_cast<Base*>(base));
    } else {
#ifdef REVCTL_HAS_RTTI_
      return dynamic_cast<T*>(static_cast<Base*>(base));
#else
      static_assert(kNever<T>,
                    "revctl: without RTTI, a virtual base cannot lead back to its object");
      return nullptr;
#endif
    }
  };
  return view;
}

}  // namespace detail

/// What to do about a record whose class is unknown, about an id that leads nowhere, about an
/// object of a class that is not registered.
enum class Stray {
  Refuse,  ///< an error that names it
  Drop,    ///< left out, with what it owns; pointers to it become null
  Keep,    ///< as Drop, but put into the list given to ADD_OBJECTS or LoadObjects: see KeptObject
};

/// The classes whose objects a stream holds: a table made once.
///
///     const revctl::ObjectClasses& Classes() {
///       static const auto classes = revctl::ObjectClasses()
///           .Add<Actor>("Actor")
///           // Bases: every type through which pointers lead to a Goblin.
///           .Add<Goblin, Actor>("Goblin")
///           .Add<Chest, Actor>("Chest", SR_B)  // left out of what is written for older builds
///           .Renamed("Orc", "Goblin")          // an older name in files
///           .Retired("Bat", SR_NO_BATS);       // a class that is gone
///       return classes;
///     }
///
/// The objects themselves need nothing: no id, no base class, no registration when they are made. A
/// class needs a body (SERIALIZE_TYPE) and a default constructor, or a function that makes one.
class ObjectClasses {
 public:
  ObjectClasses() = default;
  ObjectClasses(ObjectClasses&&) = default;
  /// Also from itself, as in `classes = std::move(classes).Add<Chest>("Chest")`, which would else
  /// leave an empty table.
  ObjectClasses& operator=(ObjectClasses&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);
    return *std::construct_at(this, std::move(other));
  }

  /// Names are what files hold: never change one, add Renamed. A name or class that is there
  /// already is replaced.
  template <class T, class... Bases>
  ObjectClasses&& Add(std::string name) && {
    return std::move(*this).template Add<T, Bases...>(std::move(name), [] { return new T{}; });
  }
  /// `make` is a function without state that gives a new object; it may be called more often than
  /// objects remain.
  template <class T, class... Bases, std::invocable Make>
  ObjectClasses&& Add(std::string name, Make make) && {
    return std::move(*this).template Add<T, Bases...>(std::move(name), make,
                                                      (std::numeric_limits<std::int64_t>::min)());
  }
  /// The class is there from revision `since` on. What is written for older builds, which know no
  /// such class, has none of its objects, nor what they alone own; a vector of roots is shorter by
  /// them, all other pointers to them become null.
  template <class T, class... Bases, RevisionNumber N>
  ObjectClasses&& Add(std::string name, N since) && {
    return std::move(*this).template Add<T, Bases...>(
        std::move(name), [] { return new T{}; }, since);
  }
  template <class T, class... Bases, std::invocable Make, RevisionNumber N>
  ObjectClasses&& Add(std::string name, Make, N since) && {
    static_assert(std::is_convertible_v<std::invoke_result_t<Make>, T*>,
                  "revctl: `make` must give a new T*");
    detail::ObjectClass c;
    c.name = std::move(name);
    c.key = &detail::object_key<T>;
#ifdef REVCTL_HAS_RTTI_
    if constexpr (std::is_polymorphic_v<T>) c.dynamic = &typeid(T);
#endif
    c.size = sizeof(T);
    c.since = NumberOf(since);
    c.type = &TypeOf<T>();
    c.create = []() -> void* { return static_cast<T*>(Make{}()); };
    c.destroy = [](void* object) { delete static_cast<T*>(object); };
    c.share = [](void* object) -> std::shared_ptr<void> {
      return std::shared_ptr<T>(static_cast<T*>(object));
    };
    c.write = [](Writer& w, void* object) { w.Value(*static_cast<T*>(object)); };
    c.read = [](Reader& r, void* object) { r.Root(*static_cast<T*>(object)); };
    if constexpr (requires(T & object) { AfterLink(object); }) {
      c.linked = [](void* object) { AfterLink(*static_cast<T*>(object)); };
    }
    c.views = {detail::ViewOf<T, T>(), detail::ViewOf<T, Bases>()...};
    std::erase_if(classes_,
                  [&](const auto& known) { return known->key == c.key || known->name == c.name; });
    classes_.push_back(std::make_unique<detail::ObjectClass>(std::move(c)));
    return std::move(*this);
  }

  /// Records of class `old_name` are read as `new_name`.
  ObjectClasses&& Renamed(std::string old_name, std::string new_name) && {
    renamed_.push_back({std::move(old_name), std::move(new_name), kNever});
    return std::move(*this);
  }
  /// The same, and what is written for builds older than `since` is called `old_name`, since they
  /// know no other.
  template <RevisionNumber N>
  ObjectClasses&& Renamed(std::string old_name, std::string new_name, N since) && {
    renamed_.push_back({std::move(old_name), std::move(new_name), NumberOf(since)});
    return std::move(*this);
  }
  /// The class is gone: its records are dropped with what they own, and pointers to them become
  /// null.
  ObjectClasses&& Retired(std::string name) && {
    retired_.push_back({std::move(name), kNever});
    return std::move(*this);
  }
  /// The same, and files of revisions before `until` may hold it: `record --backfill` makes such
  /// ones, so that the harness sees what becomes of them.
  template <RevisionNumber N>
  ObjectClasses&& Retired(std::string name, N until) && {
    retired_.push_back({std::move(name), NumberOf(until)});
    return std::move(*this);
  }

  /// Records whose class has no name here. Default: Refuse.
  ObjectClasses&& OnUnknown(Stray what) && {
    unknown_ = what;
    return std::move(*this);
  }
  /// While reading, an id that no object has, or whose object is of a class that the pointer cannot
  /// point at; while writing, a pointer to an object that is not saved. Default: Refuse. With Keep
  /// the pointer becomes null, and what it was while reading is kept.
  ObjectClasses&& OnDangling(Stray what) && {
    dangling_ = what;
    return std::move(*this);
  }
  /// While writing, an object of a class that is not registered here: how to save the objects of
  /// chosen classes only. Default: Refuse.
  ObjectClasses&& OnOthers(Stray what) && {
    others_ = what;
    return std::move(*this);
  }

  Stray on_unknown() const { return unknown_; }
  Stray on_dangling() const { return dangling_; }
  Stray on_others() const { return others_; }

  /// The class that records of this name are read as; null where there is none. Valid as long as
  /// this table.
  const detail::ObjectClass* Find(std::string_view name) const {
    for (std::size_t hops = 0; hops <= renamed_.size(); ++hops) {
      for (const auto& known : classes_) {
        if (known->name == name) return known.get();
      }
      bool again = false;
      for (const Rename& rename : renamed_) {
        if (rename.before != name) continue;
        name = rename.after;
        again = true;
        break;
      }
      if (!again) break;
    }
    return nullptr;
  }
  bool IsRetired(std::string_view name) const {
    for (const Gone& gone : retired_) {
      if (gone.name == name) return true;
    }
    return false;
  }
  /// Calls `each(name)` for the retired classes that files of `revision` may hold.
  template <class AnyRevision>
  void ForEachRetiredAt(const AnyRevision& revision, auto&& each) const {
    for (const Gone& gone : retired_) {
      if (gone.until != kNever && !revision.AtLeast(gone.until)) each(gone.name);
    }
  }
  const std::vector<std::unique_ptr<detail::ObjectClass>>& All() const { return classes_; }

  /// `name` if a class is called so or once was, else what `fallback` is called: text that lives as
  /// long as this table.
  const char* Spelled(std::string_view name, const detail::ObjectClass& fallback) const {
    for (const Rename& rename : renamed_) {
      if (rename.before == name) return rename.before.c_str();
    }
    return fallback.name.c_str();
  }

  /// What files of `revision` call a class: the name before the first rename behind that revision,
  /// and so on back.
  const std::string& NameAt(const detail::ObjectClass& of, std::int64_t revision) const {
    const std::string* name = &of.name;
    for (std::size_t hops = 0; hops < renamed_.size(); ++hops) {
      const Rename* first = nullptr;
      for (const Rename& rename : renamed_) {
        const bool later = rename.after == *name && rename.since > revision;
        if (later && (first == nullptr || rename.since < first->since)) first = &rename;
      }
      if (first == nullptr) break;
      name = &first->before;
    }
    return *name;
  }

  /// Asks `revision` about each revision that decides which classes are written, or under which
  /// name: an archive that notes what it is compared with then knows that these tell files apart,
  /// as a gate would.
  template <class AnyRevision>
  void CompareWith(const AnyRevision& revision) const {
    for (const auto& known : classes_) {
      if (known->since != kNever) (void)revision.AtLeast(known->since);
    }
    for (const Rename& rename : renamed_) {
      if (rename.since != kNever) (void)revision.AtLeast(rename.since);
    }
    for (const Gone& gone : retired_) {
      if (gone.until != kNever) (void)revision.AtLeast(gone.until);
    }
  }

  /// The class of an object, which may be derived from T; null where it is not registered.
  template <class T>
  const detail::ObjectClass* ClassOf(const T& object) const {
    if constexpr (detail::NamesItsClass<T>) {
      return Find(ClassNameOf(object));
    } else if constexpr (std::is_polymorphic_v<T>) {
#ifdef REVCTL_HAS_RTTI_
      for (const auto& known : classes_) {
        if (known->dynamic != nullptr && *known->dynamic == typeid(object)) return known.get();
      }
#else
      static_assert(detail::kNever<T>,
                    "revctl: without RTTI, say an object's class: std::string_view "
                    "ClassNameOf(const T&) in T's namespace");
#endif
      return nullptr;
    } else {
      for (const auto& known : classes_) {
        if (known->key == &detail::object_key<T>) return known.get();
      }
      return nullptr;
    }
  }

 private:
  /// A revision that was not given.
  static constexpr auto kNever = (std::numeric_limits<std::int64_t>::min)();

  std::vector<std::unique_ptr<detail::ObjectClass>> classes_;
  struct Rename {
    std::string before, after;
    std::int64_t since;  ///< files of older revisions have the name before; the least of all: none
                         ///< is written with it
  };
  std::vector<Rename> renamed_;
  struct Gone {
    std::string name;
    std::int64_t until;  ///< files of older revisions may hold it; kNever: not known
  };
  std::vector<Gone> retired_;
  Stray unknown_ = Stray::Refuse, dangling_ = Stray::Refuse, others_ = Stray::Refuse;
};

namespace detail {

/// The class of an object that no table knows, for messages: as exactly as the program itself knows
/// it.
template <class T>
std::string ClassText(const T& object) {
  if constexpr (NamesItsClass<T>) {
    return std::string(ClassNameOf(object));
#ifdef REVCTL_HAS_RTTI_
  } else if constexpr (std::is_polymorphic_v<T>) {
    const char* const name = typeid(object).name();
#if __has_include(<cxxabi.h>)
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name, nullptr, nullptr, nullptr), std::free);
    if (text != nullptr) return text.get();
#endif
    return name;
#endif
  } else {
    return TypeName<T>();
  }
}

}  // namespace detail
}  // namespace revctl
