#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <revctl/objects/links.h>

// Converts pointer members to object ids, which represent them on the wire, and back. A T* becomes
// a u32, and a vector<T*> becomes a vector<u32>.
//
//   T*, std::weak_ptr<T>       refers to an object that something else owns; a T* in a stream's
//                              roots owns its object
//   std::unique_ptr<T>         owns the object
//   std::shared_ptr<T>         owns the object together with other shared_ptrs
//   vectors and arrays of these, and maps with such values
namespace revctl::detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Gives a compile error that says what to use instead of M.
template <class M>
consteval bool RefuseRef() {
  if constexpr (kIsOptional<M>) {
    static_assert(
        kNever<M>,
        "revctl: ADD_REF does not support std::optional: use a plain pointer, which can be "
        "null");
  } else if constexpr (LooksLikeContainer<M> || UserSequence<M>) {
    static_assert(kNever<M>,
                  "revctl: ADD_REF supports only vectors, arrays and maps of pointers: use "
                  "std::vector");
  } else {
    static_assert(kNever<M>,
                  "revctl: ADD_REF takes T*, unique_ptr, shared_ptr, weak_ptr, and vectors, arrays "
                  "and maps of them; use ADD for values");
  }
  return true;
}

/// Describes a pointer type, or a container of pointers, that a member may have. `Ids` is its type
/// on the wire, Save() and Load() convert between pointers and ids, and Target() identifies the
/// class that the pointers refer to. The primary template rejects all other types.
template <class M>
struct RefTraits {
  static_assert(RefuseRef<M>());
};

/// The common part of the traits of `Pointer`, which refers to a T.
template <class Pointer, class T>
struct PointerRefTraits {
  using Ids = ObjectId;
  static const void* Target() { return &object_key<std::remove_const_t<T>>; }
  static bool Holds(const Pointer& pointer) { return pointer != nullptr; }
  static void Clear(Pointer& pointer) { pointer = nullptr; }
};

template <class T>
struct RefTraits<T*> : PointerRefTraits<T*, T> {
  using Whole = std::remove_const_t<T>;
  static ObjectId Save(ObjectLinks& links, T* const& pointer) {
    return links.at == 0 ? links.IdOfRoot<Whole>(pointer) : links.IdOfTarget<Whole>(pointer);
  }
  static void Load(ObjectLinks& links, ObjectId id, T*& pointer) {
    pointer = links.at == 0 ? links.Root<Whole>(id) : links.Target<Whole>(id);
  }
};

template <class T>
struct RefTraits<std::unique_ptr<T>> : PointerRefTraits<std::unique_ptr<T>, T> {
  static ObjectId Save(ObjectLinks& links, const std::unique_ptr<T>& pointer) {
    return links.IdOfOwned(pointer.get(), false);
  }
  static void Load(ObjectLinks& links, ObjectId id, std::unique_ptr<T>& pointer) {
    pointer.reset(links.Own<std::remove_const_t<T>>(id));
  }
};

template <class T>
struct RefTraits<std::shared_ptr<T>> : PointerRefTraits<std::shared_ptr<T>, T> {
  static ObjectId Save(ObjectLinks& links, const std::shared_ptr<T>& pointer) {
    return links.IdOfOwned(pointer.get(), true);
  }
  static void Load(ObjectLinks& links, ObjectId id, std::shared_ptr<T>& pointer) {
    pointer = links.Share<std::remove_const_t<T>>(id, false);
  }
};

template <class T>
struct RefTraits<std::weak_ptr<T>> : PointerRefTraits<std::weak_ptr<T>, T> {
  static ObjectId Save(ObjectLinks& links, const std::weak_ptr<T>& pointer) {
    return links.IdOfTarget<std::remove_const_t<T>>(pointer.lock().get());
  }
  static void Load(ObjectLinks& links, ObjectId id, std::weak_ptr<T>& pointer) {
    pointer = links.Share<std::remove_const_t<T>>(id, true);
  }
  static bool Holds(const std::weak_ptr<T>& pointer) { return !pointer.expired(); }
  static void Clear(std::weak_ptr<T>& pointer) { pointer.reset(); }
};

template <class P, class A>
struct RefTraits<std::vector<P, A>> {
  using Ids = std::vector<typename RefTraits<P>::Ids>;
  static const void* Target() { return RefTraits<P>::Target(); }
  static Ids Save(ObjectLinks& links, const std::vector<P, A>& pointers) {
    Ids ids;
    ids.reserve(pointers.size());
    for (const P& pointer : pointers) {
      const auto id = RefTraits<P>::Save(links, pointer);
      // Skip root pointers to omitted objects, because older builds do not expect null roots.
      if (links.at != 0 || !links.IsLeftOut(pointer)) ids.push_back(id);
    }
    return ids;
  }
  static void Load(ObjectLinks& links, const Ids& ids, std::vector<P, A>& pointers) {
    pointers.clear();
    pointers.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) RefTraits<P>::Load(links, ids[i], pointers[i]);
  }
  static bool Holds(const std::vector<P, A>& pointers) {
    for (const P& pointer : pointers) {
      if (RefTraits<P>::Holds(pointer)) return true;
    }
    return false;
  }
  static void Clear(std::vector<P, A>& pointers) { pointers.clear(); }
};

template <class Array, class P, std::size_t n>
struct FixedRefTraits {
  using Ids = std::array<typename RefTraits<P>::Ids, n>;
  static const void* Target() { return RefTraits<P>::Target(); }
  static Ids Save(ObjectLinks& links, const Array& pointers) {
    Ids ids{};
    for (std::size_t i = 0; i < n; ++i) ids[i] = RefTraits<P>::Save(links, pointers[i]);
    return ids;
  }
  static void Load(ObjectLinks& links, const Ids& ids, Array& pointers) {
    for (std::size_t i = 0; i < n; ++i) RefTraits<P>::Load(links, ids[i], pointers[i]);
  }
  static bool Holds(const Array& pointers) {
    for (std::size_t i = 0; i < n; ++i) {
      if (RefTraits<P>::Holds(pointers[i])) return true;
    }
    return false;
  }
  static void Clear(Array& pointers) {
    for (std::size_t i = 0; i < n; ++i) RefTraits<P>::Clear(pointers[i]);
  }
};
template <class P, std::size_t n>
struct RefTraits<std::array<P, n>> : FixedRefTraits<std::array<P, n>, P, n> {};
template <class P, std::size_t n>
struct RefTraits<P[n]> : FixedRefTraits<P[n], P, n> {};

/// Handles maps from keys to pointers. `IdMap` must compare keys like the user's map. Otherwise it
/// could merge two keys of a file into one, and a pointer would be lost.
template <class Map, class P, class IdMap>
struct MapRefTraits {
  using Ids = IdMap;
  static const void* Target() { return RefTraits<P>::Target(); }
  static Ids Save(ObjectLinks& links, const Map& pointers) {
    Ids ids;
    for (const auto& [key, pointer] : pointers)
      ids.emplace(key, RefTraits<P>::Save(links, pointer));
    return ids;
  }
  static void Load(ObjectLinks& links, const Ids& ids, Map& pointers) {
    pointers.clear();
    for (const auto& [key, id] : ids) RefTraits<P>::Load(links, id, pointers[key]);
  }
  static bool Holds(const Map& pointers) {
    for (const auto& entry : pointers) {
      if (RefTraits<P>::Holds(entry.second)) return true;
    }
    return false;
  }
  static void Clear(Map& pointers) { pointers.clear(); }
};
template <class K, class P, class C, class A>
struct RefTraits<std::map<K, P, C, A>>
    : MapRefTraits<std::map<K, P, C, A>, P, std::map<K, typename RefTraits<P>::Ids, C>> {
  static_assert(
      kComparesAlike<C>,
      "revctl: ADD_REF supports only maps with a stateless comparator, because the ids are read "
      "into a separate map");
};
template <class K, class P, class H, class E, class A>
struct RefTraits<std::unordered_map<K, P, H, E, A>>
    : MapRefTraits<std::unordered_map<K, P, H, E, A>, P,
                   std::unordered_map<K, typename RefTraits<P>::Ids, H, E>> {
  static_assert(
      kComparesAlike<E>,
      "revctl: ADD_REF supports only maps with a stateless comparator, because the ids are read "
      "into a separate map");
};

template <class Ids>
bool AnyIds(const Ids& ids) {
  if constexpr (std::is_same_v<Ids, ObjectId>) {
    return ids != 0;
  } else if constexpr (requires(Ids & grows) { grows.clear(); }) {
    return !ids.empty();
  } else {
    for (const auto& part : ids) {
      if (AnyIds(part)) return true;
    }
    return false;
  }
}

/// Reports an invalid object or object stream to an archive of any kind.
template <class R>
void TellObjectTrouble(R& r, const std::string& reason) {
  if constexpr (requires { r.FailHere(reason); }) {
    r.FailHere(reason);
  } else {
    r.Fail(reason);
  }
}
template <class R>
void TellObjectTrouble(R& r, ObjectLinks& links) {
  if (const std::string trouble = links.TakeTrouble(); !trouble.empty())
    TellObjectTrouble(r, trouble);
}

/// When writing, returns the object ids that a member's pointers refer to. Returns no ids when
/// reading or if the member's gate is closed.
template <class R, class M>
auto SaveRefs(R& r, const M& member, bool live) -> typename RefTraits<M>::Ids {
  typename RefTraits<M>::Ids ids{};
  if (r.IsReading() || !live) return ids;
  ObjectLinks* const links = ObjectLinks::Current();
  if (links != nullptr) {
    ids = RefTraits<M>::Save(*links, member);
    TellObjectTrouble(r, *links);
  } else if (RefTraits<M>::Holds(member)) {
    TellObjectTrouble(r,
                      "cannot save a pointer outside of an object stream: save the object with "
                      "ADD_OBJECTS or SaveObjects");
  }
  return ids;
}

template <class R, class M>
void LoadRefs(R& r, const typename RefTraits<M>::Ids& ids, M& member) {
  if (!r.Ok()) return RefTraits<M>::Clear(member);
  if (ObjectLinks* const links = ObjectLinks::Current(); links != nullptr) {
    RefTraits<M>::Load(*links, ids, member);
    TellObjectTrouble(r, *links);
    return;
  }
  RefTraits<M>::Clear(member);
  if constexpr (kErased<R>) {
    if (r.Invents()) return;
  }
  if (AnyIds(ids)) TellObjectTrouble(r, "cannot read an object id outside of an object stream");
}

}  // namespace revctl::detail
