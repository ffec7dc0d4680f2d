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

namespace revctl {
namespace detail {

/// The address of this variable identifies a type, with or without RTTI. The variable is not const,
/// because the linker could otherwise merge the variables of two types.
template <class T>
inline char object_key = 0;

/// The static type of a pointer that may refer to an object: the object's own class or a base
/// class.
struct ObjectView {
  const void* key;            ///< identifies the static type
  void* (*up)(void* object);  ///< converts the object to the base
  void* (*down)(void* base);  ///< converts the base to the object
  bool deletes;               ///< true if deleting through the base is safe
};

/// A registered class. Every `void*` points to the most derived object.
struct ObjectClass {
  std::string name;
  const void* key = nullptr;
  /// Null without RTTI, or if the class has no virtual functions.
  const std::type_info* dynamic = nullptr;
  std::size_t size = 0;
  /// First revision at which the class is written.
  std::int64_t since = (std::numeric_limits<std::int64_t>::min)();
  const TypeInfo* type = nullptr;
  void* (*create)() = nullptr;
  void (*destroy)(void*) = nullptr;
  std::shared_ptr<void> (*share)(void*) = nullptr;  ///< takes ownership of a created object
  void (*write)(Writer&, void*) = nullptr;
  void (*read)(Reader&, void*) = nullptr;
  void (*linked)(void*) = nullptr;  ///< calls AfterLink(object); null if the class has none
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
                "revctl: Add<T, Base>: Base is not a base class of T");
  static_assert(std::is_same_v<T, Base> || std::is_convertible_v<T*, Base*>,
                "revctl: Add<T, Base>: Base must be a public base of T");
  ObjectView view{&object_key<Base>, nullptr, nullptr,
                  std::is_same_v<T, Base> || std::has_virtual_destructor_v<Base>};
  view.up = [](void* object) -> void* { return static_cast<Base*>(static_cast<T*>(object)); };
  view.down = [](void* base) -> void* {
    if constexpr (requires(Base * b) { static_cast<T*>(b); }) {
      return static_cast<T*>(static_cast<Base*>(base));
    } else {
#ifdef REVCTL_DETAIL_RTTI
      return dynamic_cast<T*>(static_cast<Base*>(base));
#else
      static_assert(
          kNever<T>,
          "revctl: without RTTI, a pointer to a virtual base cannot be cast to the derived class");
      return nullptr;
#endif
    }
  };
  return view;
}

}  // namespace detail

/// How to handle a record of an unknown class, an id without an object, or an object of an
/// unregistered class.
enum class Stray {
  Refuse,  ///< fail with an error that names the class or id
  Drop,    ///< omit the object and everything that it owns; pointers to it become null
  /// like Drop, but also add a KeptObject to the list given to ADD_OBJECTS or LoadObjects
  Keep,
};

/// The classes whose objects a stream may contain. Create the table once:
///
///     const revctl::ObjectClasses& Classes() {
///       static const auto classes = revctl::ObjectClasses()
///           .Add<Actor>("Actor")
///           // List all bases through which pointers refer to a Goblin.
///           .Add<Goblin, Actor>("Goblin")
///           .Add<Chest, Actor>("Chest", SR_B)  // omitted when writing for older builds
///           .Renamed("Orc", "Goblin")          // an old name in files
///           .Retired("Bat", SR_NO_BATS);       // a removed class
///       return classes;
///     }
///
/// Objects need neither an id nor a common base class, and are not registered when they are
/// created. A class needs a body (SERIALIZE_TYPE) and a default constructor or factory function.
class ObjectClasses {
 public:
  ObjectClasses() = default;
  ObjectClasses(ObjectClasses&&) = default;
  /// Supports self-assignment, as in `classes = std::move(classes).Add<Chest>("Chest")`.
  ObjectClasses& operator=(ObjectClasses&& other) noexcept {
    if (this == &other) return *this;
    std::destroy_at(this);
    return *std::construct_at(this, std::move(other));
  }

  /// Adds a class. Files contain its name, so call Renamed() if you ever change the name. Replaces
  /// an existing class with the same name or type.
  template <class T, class... Bases>
  ObjectClasses&& Add(std::string name) && {
    return std::move(*this).template Add<T, Bases...>(std::move(name), [] { return new T{}; });
  }
  /// Adds a class with a factory. `make` is a stateless function that returns a new object. Some of
  /// these objects may be discarded.
  template <class T, class... Bases, std::invocable Make>
  ObjectClasses&& Add(std::string name, Make make) && {
    return std::move(*this).template Add<T, Bases...>(std::move(name), make,
                                                      (std::numeric_limits<std::int64_t>::min)());
  }
  /// Adds a class that was introduced in revision `since`. Files for older builds omit its objects
  /// and everything that only its objects own. The omitted objects are missing from a vector of
  /// roots, and all other pointers to them become null.
  template <class T, class... Bases, RevisionNumber N>
  ObjectClasses&& Add(std::string name, N since) && {
    return std::move(*this).template Add<T, Bases...>(
        std::move(name), [] { return new T{}; }, since);
  }
  template <class T, class... Bases, std::invocable Make, RevisionNumber N>
  ObjectClasses&& Add(std::string name, Make, N since) && {
    static_assert(std::is_convertible_v<std::invoke_result_t<Make>, T*>,
                  "revctl: `make` must return a new T*");
    detail::ObjectClass c;
    c.name = std::move(name);
    c.key = &detail::object_key<T>;
#ifdef REVCTL_DETAIL_RTTI
    if constexpr (std::is_polymorphic_v<T>) c.dynamic = &typeid(T);
#endif
    c.size = sizeof(T);
    c.since = NumberOf(since);
    c.type = &detail::TypeWithMaking<T>();
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

  /// Reads records of class `old_name` as `new_name`.
  ObjectClasses&& Renamed(std::string old_name, std::string new_name) && {
    renamed_.push_back({std::move(old_name), std::move(new_name), kNever});
    return std::move(*this);
  }
  /// Like Renamed() above, but also uses `old_name` when writing for builds older than `since`,
  /// which do not know the new name.
  template <RevisionNumber N>
  ObjectClasses&& Renamed(std::string old_name, std::string new_name, N since) && {
    renamed_.push_back({std::move(old_name), std::move(new_name), NumberOf(since)});
    return std::move(*this);
  }
  /// Declares that a class was removed. Its records and everything that they own are dropped, and
  /// pointers to them become null.
  ObjectClasses&& Retired(std::string name) && {
    retired_.push_back({std::move(name), kNever});
    return std::move(*this);
  }
  /// Like Retired() above, but also declares that files at revisions before `until` may contain the
  /// class. `record --backfill` generates such files, so that the harness can test that they load.
  template <RevisionNumber N>
  ObjectClasses&& Retired(std::string name, N until) && {
    retired_.push_back({std::move(name), NumberOf(until)});
    return std::move(*this);
  }

  /// Sets how to handle records whose class is not in this table. Default: Refuse.
  ObjectClasses&& OnUnknown(Stray what) && {
    unknown_ = what;
    return std::move(*this);
  }
  /// Sets how to handle dangling pointers. When reading, a dangling pointer is an id without an
  /// object, or the id of an object whose class the pointer cannot refer to. When writing, it is a
  /// pointer to an object that is not saved. Default: Refuse. With Keep, the pointer becomes null,
  /// and reading keeps its id.
  ObjectClasses&& OnDangling(Stray what) && {
    dangling_ = what;
    return std::move(*this);
  }
  /// Sets how writing handles objects of unregistered classes. With Drop, such objects are not
  /// saved. Default: Refuse.
  ObjectClasses&& OnOthers(Stray what) && {
    others_ = what;
    return std::move(*this);
  }

  Stray on_unknown() const { return unknown_; }
  Stray on_dangling() const { return dangling_; }
  Stray on_others() const { return others_; }

  /// Returns the class used to read records with this name, or null if there is none. The result is
  /// valid as long as this table exists.
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
  /// Calls `each(name)` for the retired classes that files at `revision` may contain.
  template <class AnyRevision>
  void ForEachRetiredAt(const AnyRevision& revision, auto&& each) const {
    for (const Gone& gone : retired_) {
      if (gone.until != kNever && !revision.AtLeast(gone.until)) each(gone.name);
    }
  }
  const std::vector<std::unique_ptr<detail::ObjectClass>>& All() const { return classes_; }

  /// Returns `name` if it is an old name of some class, otherwise the name of `fallback`. The
  /// result is valid as long as this table exists.
  const char* Spelled(std::string_view name, const detail::ObjectClass& fallback) const {
    for (const Rename& rename : renamed_) {
      if (rename.before == name) return rename.before.c_str();
    }
    return fallback.name.c_str();
  }

  /// Returns the name of a class in files at `revision`, by undoing later renames.
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

  /// Compares `revision` with each revision at which the set of written classes or one of their
  /// names changes. Archives that note comparisons then treat these revisions like gates.
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

  /// Returns the registered class of an object, which may be derived from T, or null if its class
  /// is not registered.
  template <class T>
  const detail::ObjectClass* ClassOf(const T& object) const {
    if constexpr (detail::NamesItsClass<T>) {
      return Find(ClassNameOf(object));
    } else if constexpr (std::is_polymorphic_v<T>) {
#ifdef REVCTL_DETAIL_RTTI
      for (const auto& known : classes_) {
        if (known->dynamic != nullptr && *known->dynamic == typeid(object)) return known.get();
      }
#else
      static_assert(detail::kNever<T>,
                    "revctl: without RTTI, define std::string_view ClassNameOf(const T&) in T's "
                    "namespace; it must return the name of the object's class");
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
  static constexpr auto kNever = (std::numeric_limits<std::int64_t>::min)();

  std::vector<std::unique_ptr<detail::ObjectClass>> classes_;
  struct Rename {
    std::string before, after;
    /// Files at older revisions contain `before`. kNever if no file is written with `before`.
    std::int64_t since;
  };
  std::vector<Rename> renamed_;
  struct Gone {
    std::string name;
    /// Files at older revisions may contain the class. kNever if the revision is unknown.
    std::int64_t until;
  };
  std::vector<Gone> retired_;
  Stray unknown_ = Stray::Refuse, dangling_ = Stray::Refuse, others_ = Stray::Refuse;
};

namespace detail {

/// Returns the name of an object's class for messages, as precisely as possible. The class need not
/// be registered.
template <class T>
std::string ClassText(const T& object) {
  if constexpr (NamesItsClass<T>) {
    return std::string(ClassNameOf(object));
#ifdef REVCTL_DETAIL_RTTI
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
