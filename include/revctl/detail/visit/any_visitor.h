#pragma once
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <revctl/detail/base/error_text.h>
#include <revctl/detail/types/any_archive.h>
#include <revctl/detail/types/container_parts.h>
#include <revctl/detail/types/enums.h>
#include <revctl/detail/types/memory_text.h>
#include <revctl/detail/types/type_info.h>
#include <revctl/detail/types/type_name.h>
#include <revctl/detail/types/wire_kind.h>

// Visits every wire type with an AnyArchive. Reader and Writer have their own visitors: BodyReader
// and BodyWriter.

namespace revctl {

template <class T>
const TypeInfo& TypeOf();

namespace detail {

template <class Base>
void VisitClass(AnyArchive& archive, PolymorphicContent<Base>& content);

template <class Base>
const PolymorphicClass<Base>* SomeClass(const std::string& text) {
  const auto& classes = PolymorphicClasses<Base>();
  std::size_t hash = 0;
  for (const char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
  return classes.empty() ? nullptr : &classes[hash % classes.size()];
}

/// Owns a value-initialized object of a type known only by its descriptor.
class FreshObject {
 public:
  FreshObject(const TypeInfo& type, const Making& making)
      : FreshObject(type.size, type.alignment, making, nullptr) {}
  /// Constructs the object in `storage` or, if that is null, on the heap.
  FreshObject(std::size_t size, std::size_t alignment, const Making& making, void* storage)
      : alignment_(alignment),
        making_(making),
        heap_(storage != nullptr ? nullptr : ::operator new (size, std::align_val_t{alignment})),
        object_(storage != nullptr ? storage : heap_) {
    making_.construct(object_);
  }
  ~FreshObject() {
    making_.destroy(object_);
    if (heap_ != nullptr) ::operator delete (heap_, std::align_val_t{alignment_});
  }
  FreshObject(const FreshObject&) = delete;
  FreshObject& operator=(const FreshObject&) = delete;
  void* get() const { return object_; }

 private:
  std::size_t alignment_;
  const Making& making_;
  void* heap_;
  void* object_;
};

template <class T>
struct AnyVisitor;

template <class T>
void VisitAny(AnyArchive& archive, void* object, const TypeInfo& type) {
  if (archive.Ok()) AnyVisitor<T>::Visit(archive, *static_cast<T*>(object), type);
}

/// Visits a record that has a body. One function serves all types.
inline void VisitRecord(AnyArchive& archive, void* object, const TypeInfo& type) {
  if (!archive.Ok()) return;
  archive.BeginRecord(type, object);
  type.body(archive, object);
  archive.EndRecord(type, object);
}
/// Visits a number, or an enum that can hold any number. One function serves all types.
inline void VisitScalar(AnyArchive& archive, void* object, const TypeInfo& type) {
  if (archive.Ok()) archive.Scalar(type, object);
}

/// Visits an aligned value. `object` points to the value, not to an Aligned.
template <std::size_t alignment, class T>
void VisitAligned(AnyArchive& archive, void* object, const TypeInfo&) {
  if (archive.Ok()) archive.Align(alignment, BeforeAligned<alignment, T>());
  TypeOf<T>().Visit(archive, object);
}

inline void VisitElementOf(AnyArchive& archive, const TypeInfo& container, const TypeInfo& type,
                           void* element, std::size_t index, bool is_key) {
  archive.EnterElement(container, type, index, is_key);
  type.Visit(archive, element);
  archive.LeaveElement();
}
template <class T>
void VisitElement(AnyArchive& archive, const TypeInfo& container, T& element, std::size_t index,
                  bool is_key = false) {
  VisitElementOf(archive, container, TypeOf<T>(), std::addressof(element), index, is_key);
}

template <class T>
void RunAnyBody(AnyArchive& archive, void* object) {
  T& value = *static_cast<T*>(object);
  if constexpr (HasSplitBody<T>) {
    RevctlVisit(archive, value, Tag<T>{});
  } else {
    RevctlBody(Tag<T>{})(archive, value, std::addressof(value));
  }
}

/// True for containers that store numbers contiguously in memory.
template <class T>
inline constexpr bool kIsBlock = false;
template <class T>
requires requires(T& value) {
  typename Shape<T>::Element;
  { std::data(value) } -> std::same_as<typename Shape<T>::Element*>;
}
inline constexpr bool kIsBlock<T> =
    kIsRaw<typename Shape<T>::Element> && !std::is_enum_v<typename Shape<T>::Element>;

/// True if the body covers every member of T without visiting each one. The harness must then not
/// compare the number of members with the number of visits.
template <class T>
inline constexpr bool kVisitsWhole = kIsPolymorphicContent<T>;

/// True for records visited with their own body.
template <class T>
inline constexpr bool kHasOwnBody = KindOf<T>() == Kind::Record && !HasWireAs<T> &&
                                    !kIsAligned<T> && !kIsPolymorphicContent<T>;

template <class T>
consteval auto VisitFunction() -> void (*)(AnyArchive&, void*, const TypeInfo&) {
  if constexpr (kHasOwnBody<T>) {
    return &VisitRecord;
  } else if constexpr (kIsScalar<T> && !kIsUnfixedEnum<T>) {
    return &VisitScalar;
  } else {
    return &VisitAny<T>;
  }
}

template <class T>
consteval auto BodyFunction() -> void (*)(AnyArchive&, void*) {
  if constexpr (kHasOwnBody<T>) {
    return &RunAnyBody<T>;
  } else {
    return nullptr;
  }
}

template <class T>
struct AnyVisitor {
  static void Visit(AnyArchive& archive, T& value, const TypeInfo& type) {
    constexpr Kind kind = KindOf<T>();
    if constexpr (PmrContainer<T>) {
      if (archive.IsReading() && archive.resource) UseResource(value, archive.resource);
    }
    if constexpr (HasWireAs<T>) {
      AsAnother(archive, value);
    } else if constexpr (kIsPolymorphicContent<T>) {
      archive.BeginRecord(type, std::addressof(value));
      VisitClass(archive, value);
      archive.EndRecord(type, std::addressof(value));
    } else if constexpr (kIsScalar<T>) {
      archive.Scalar(type, std::addressof(value));
      if constexpr (kIsUnfixedEnum<T>) {
        if (archive.Ok() && !IsOfEnum(value)) {
          if (archive.IsReading()) value = T{};
          archive.FailHere(kNotOfEnum);
        }
      }
    } else if constexpr (kind == Kind::String) {
      Text(archive, type, value);
    } else if constexpr (kind == Kind::Bitset) {
      Bits(archive, type, value);
    } else {
      if constexpr (kDescends<T>) {
        if (archive.Descend()) Container(archive, type, value);
        archive.Ascend();
      } else {
        Container(archive, type, value);
      }
    }
  }

 private:
  template <class U>
  static void AsAnother(AnyArchive& archive, U& value) {
    typename WireAs<U>::Type wire = WireAs<U>::ToWire(value);
    TypeOf<typename WireAs<U>::Type>().Visit(archive, std::addressof(wire));
    if constexpr (std::is_base_of_v<BytesWireAs<U>, WireAs<U>>) archive.CopiedByBytes();
    if constexpr (kTellsMemory<U>) {
      if (archive.AsksForMemory()) archive.InMemory(MemoryText(value), kMayRound<U>);
    }
    if (archive.IsReading() && archive.Ok() && !WireAs<U>::FromWire(std::move(wire), value)) {
      archive.Fail(kNotAsWire);  // The bytes are valid, so report this as a rejection by a body.
    }
  }

  static void Text(AnyArchive& archive, const TypeInfo& type, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      archive.Bytes(type, value);
    } else {
      std::string bytes(value.begin(), value.end());
      archive.Bytes(type, bytes);
      if (archive.IsReading()) value.assign(bytes.begin(), bytes.end());
    }
  }

  static void Bits(AnyArchive& archive, const TypeInfo& type, T& value) {
    std::string bytes = PackBits(value);
    archive.Bytes(type, bytes);
    if (archive.IsReading() && archive.Ok() && !UnpackBits(bytes.data(), value)) {
      archive.FailHere(kBitBeyond);
    }
  }

  static void Container(AnyArchive& archive, const TypeInfo& type, T& value) {
    constexpr Kind kind = Shape<T>::kind;
    if constexpr (kind == Kind::Array) {
      archive.BeginContainer(type, Shape<T>::count);
      if constexpr (kIsBlock<T>) {
        if (archive.TakesBlock(type, Shape<T>::count)) {
          archive.Block(type, std::data(value), Shape<T>::count);
          return archive.EndContainer(type);
        }
      }
      for (std::size_t i = 0; i < Shape<T>::count && archive.Ok(); ++i)
        VisitElement(archive, type, value[i], i);
    } else if constexpr (kind == Kind::Sequence) {
      Sequence(archive, type, value);
    } else if constexpr (kind == Kind::Optional || kind == Kind::Pointer) {
      Holder(archive, type, value);
    } else if constexpr (kind == Kind::Map || kind == Kind::Set) {
      Associative(archive, type, value);
    } else if constexpr (kind == Kind::Tuple) {
      archive.BeginContainer(type, Shape<T>::count);
      std::size_t i = 0;
      std::apply(
          [&](auto&... member) {
            ((archive.Ok() ? VisitElement(archive, type, member, i++) : void()), ...);
          },
          value);
    } else {
      Alternative(archive, type, value, std::make_index_sequence<Shape<T>::count>());
    }
    archive.EndContainer(type);
  }

  static void Sequence(AnyArchive& archive, const TypeInfo& type, T& value) {
    using Element = typename Shape<T>::Element;
    RequireGrowable<T>();
    const std::size_t count = archive.BeginContainer(type, value.size());
    if constexpr (kIsBlock<T> && requires { value.resize(count); }) {
      if (archive.Ok() && archive.TakesBlock(type, count)) {
        if (archive.IsReading()) value.resize(count);
        return archive.Block(type, std::data(value), count);
      }
    }
    if (archive.IsWriting()) {
      std::size_t i = 0;
      for (auto&& element : value) {
        if (!archive.Ok()) return;
        if constexpr (std::is_same_v<Element, bool>) {
          bool bit = element;
          VisitElement(archive, type, bit, i++);
        } else {
          VisitElement(archive, type, element, i++);
        }
      }
      return;
    }
    value.clear();
    for (std::size_t i = 0; i < count && archive.Ok(); ++i) {
      if constexpr (kIsBitVector<T>) {
        bool bit = false;
        VisitElement(archive, type, bit, i);
        value.push_back(bit);
      } else {
        RequireFresh<Element>();
        value.emplace_back();
        VisitElement(archive, type, value.back(), i);
      }
    }
  }

  static void Holder(AnyArchive& archive, const TypeInfo& type, T& value) {
    using Element = typename Shape<T>::Element;
    const std::size_t count = archive.BeginContainer(type, value ? 1 : 0);
    if (archive.IsReading()) {
      value.reset();
      if (count == 0 || !archive.Ok()) return;
    }
    if constexpr (kIsPolymorphicContent<Element>) {
      Element content{&value};
      if (count != 0) VisitElement(archive, type, content, 0);
      return;
    } else if (archive.IsReading()) {
      RequireFresh<Element>();
      if constexpr (Shape<T>::kind == Kind::Pointer) {
        value = std::make_unique<Element>();
      } else {
        value.emplace();
      }
    }
    if constexpr (!kIsPolymorphicContent<Element>) {
      if (count != 0) VisitElement(archive, type, *value, 0);
    }
  }

  static void Associative(AnyArchive& archive, const TypeInfo& type, T& value) {
    using Key = typename Shape<T>::Key;
    std::size_t count = archive.BeginContainer(type, value.size());
    if (archive.IsWriting()) {
      std::size_t i = 0;
      ForEachInOrder(value, [&](auto& entry) {
        if (!archive.Ok()) return;
        if constexpr (Shape<T>::kind == Kind::Map) {
          VisitElement(archive, type, const_cast<Key&>(entry.first), i, true);
          if (archive.Ok()) VisitElement(archive, type, entry.second, i);
        } else {
          VisitElement(archive, type, const_cast<Key&>(entry), i, true);
        }
        ++i;
      });
      return;
    }
    value.clear();
    for (std::size_t i = 0; i < count && archive.Ok(); ++i) {
      RequireFresh<Key>();
      Key key{};
      VisitElement(archive, type, key, i, true);
      if (!archive.Ok()) return;
      if constexpr (Shape<T>::kind == Kind::Map) {
        using Mapped = typename Shape<T>::Mapped;
        RequireFresh<Mapped>();
        const auto [entry, is_new] = value.try_emplace(std::move(key));
        if (is_new) {
          if (!archive.NoFlood(value, entry->first)) return;
          VisitElement(archive, type, entry->second, i);
          continue;
        }
        archive.DuplicateKey();
        if (!archive.Ok()) return;
        // A filler may make up duplicate keys. Keep the value of the first one, and visit a
        // temporary value instead.
        const auto passed_over = std::make_unique<Mapped>();
        VisitElement(archive, type, *passed_over, i);
      } else {
        const auto [entry, is_new] = value.insert(std::move(key));
        if (!is_new) {
          archive.DuplicateKey();
        } else if (!archive.NoFlood(value, *entry)) {
          return;
        }
      }
    }
    if (archive.Ok() && archive.ComparesKeys()) CompareKeys(archive, value);
  }

  static void CompareKeys(AnyArchive& archive, const T& value) {
    constexpr std::size_t kMostCompared = 1024;  // the comparison takes quadratic time
    if constexpr (requires { value.key_eq(); }) {
      const auto key = [](const auto& entry) -> const auto& {
        if constexpr (Shape<T>::kind == Kind::Map) return entry.first;
        else return entry;
      };
      if (value.size() > kMostCompared) return;
      for (auto one = value.begin(); one != value.end(); ++one) {
        for (auto other = std::next(one); other != value.end(); ++other) {
          if (value.key_eq()(key(*one), key(*other)))
            return archive.FailHere("two keys are equal, but their hashes differ");
        }
      }
    }
  }

  template <std::size_t... i>
  static void Alternative(AnyArchive& archive, const TypeInfo& type, T& value,
                          std::index_sequence<i...>) {
    std::size_t index = archive.BeginContainer(type, value.index());
    if (!archive.Ok()) return;
    if (index >= sizeof...(i)) {
      archive.FailHere(archive.IsWriting() ? "the variant has no value" : "no such alternative");
      return;
    }
    (void)((index == i ? (OneAlternative<i>(archive, type, value), true) : false) || ...);
  }
  template <std::size_t i>
  static void OneAlternative(AnyArchive& archive, const TypeInfo& type, T& value) {
    if (archive.IsReading()) {
      RequireFresh<std::variant_alternative_t<i, T>>();
      value.template emplace<i>();
    }
    VisitElement(archive, type, *std::get_if<i>(&value), 0);
  }
};

/// Visits two fields: the class name, and the object as an instance of its derived class.
template <class Base>
void VisitClass(AnyArchive& archive, PolymorphicContent<Base>& content) {
  static constexpr Site class_site{Form::Add, "class", "", "", "", "", "", 0};
  static constexpr Site value_site{Form::Add, "value", "", "", "", "", "", 0};
  const PolymorphicClass<Base>* known = nullptr;
  std::string name;
  if (const std::string& trouble = RegistrationTrouble<Base>(); !trouble.empty())
    return archive.FailHere(trouble);
  if (archive.IsWriting() && content.pointer != nullptr) {
    known = ClassOf<Base>(**content.pointer);
    if (known == nullptr) return archive.FailHere(kUnregisteredClass);
    name = known->name;
  }
  archive.Field({.site = class_site, .type = TypeOf<std::string>(), .value = &name});
  if (!archive.Ok() || content.pointer == nullptr) return;
  if (archive.IsReading()) {
    known = FindClass<Base>(name);
    // Archives that make up values do not know any class names, so choose a class for them.
    if (known == nullptr && archive.MakesValues()) {
      known = SomeClass<Base>(name);
      if (known != nullptr) archive.Chose(known->name);
    }
    if (known == nullptr) return archive.FailHere(UnknownClassText(name));
    if (!archive.PayFor(1, known->size + kNode)) return;
    *content.pointer = known->make();
  }
  archive.Field(
      {.site = value_site, .type = *known->type(), .value = known->object(**content.pointer)});
}

}  // namespace detail
}  // namespace revctl

// The descriptor of every wire type: `TypeOf<T>()`.

namespace revctl {
namespace detail {

template <class... T>
const TypeInfo& PartOf(std::size_t i) {
  using Get = const TypeInfo& (*)();
  static constexpr Get parts[] = {&TypeOf<T>...};
  return parts[i]();
}

template <class... T>
struct PartList {
  static constexpr std::size_t count = sizeof...(T);
  static constexpr const TypeInfo& (*part)(std::size_t) = &PartOf<T...>;
};
template <>
struct PartList<> {
  static constexpr std::size_t count = 0;
  static constexpr const TypeInfo& (*part)(std::size_t) = nullptr;
};
template <class T>
struct PartsOf : PartList<> {};
template <class T>
requires requires { typename Shape<T>::Element; }
struct PartsOf<T> : PartList<typename Shape<T>::Element> {};
template <class T>
requires(
    requires { typename Shape<T>::Key; } &&
    !requires { typename Shape<T>::Mapped; }) struct PartsOf<T> : PartList<typename Shape<T>::Key> {
};
template <class T>
requires requires { typename Shape<T>::Mapped; }
struct PartsOf<T> : PartList<typename Shape<T>::Key, typename Shape<T>::Mapped> {};
template <class A, class B>
struct PartsOf<std::pair<A, B>> : PartList<A, B> {};
template <class... T>
struct PartsOf<std::tuple<T...>> : PartList<T...> {};
template <class... T>
struct PartsOf<std::variant<T...>> : PartList<T...> {};

template <class T>
void ConstructFresh(void* storage) {
  if constexpr (std::is_array_v<T>) {
    for (auto& element : *static_cast<T*>(storage))
      ConstructFresh<std::remove_extent_t<T>>(std::addressof(element));
  } else {
    ::new (storage) T{};
  }
}

template <class T>
void DestroyObject(void* object) {
  std::destroy_at(static_cast<T*>(object));
}
template <class T>
consteval Making MakingFor() {
  if constexpr (std::is_default_constructible_v<T>) {
    return {&ConstructFresh<T>, &DestroyObject<T>};
  } else {
    return {nullptr, &DestroyObject<T>};
  }
}
template <class T>
inline constexpr Making kMaking = MakingFor<T>();

template <class T>
inline constinit std::atomic<const TypeMaking*> kMakingSlot = nullptr;

template <class T>
consteval std::size_t CountOf() {
  if constexpr (requires { Shape<T>::count; }) {
    return Shape<T>::count;
  } else {
    return 0;
  }
}

template <class T>
consteval Kind UnderlyingKindOf() {
  if constexpr (std::is_enum_v<T> && KindOf<T>() == Kind::Enum) {
    return Number<std::underlying_type_t<T>>::kind;
  } else {
    return KindOf<T>();
  }
}

template <class T>
consteval auto EnumeratorsFunction() -> const Enumerator* (*)() {
  if constexpr (KindOf<T>() == Kind::Enum) {
    return &EnumeratorsWithNames<T>;
  } else {
    return nullptr;
  }
}

template <class T>
inline constexpr TypeInfo kTypeInfo{
    .kind = KindOf<T>(),
    .underlying = UnderlyingKindOf<T>(),
    .size = sizeof(T),
    .alignment = alignof(T),
    .cost = kElementCost<T>,
    .count = CountOf<T>(),
    .name = &TypeName<T>,
    .part = PartsOf<T>::part,
    .parts = PartsOf<T>::count,
    .enumerators = EnumeratorsFunction<T>(),
    .visit = VisitFunction<T>(),
    .body = BodyFunction<T>(),
    .making = &kMakingSlot<T>,
};

/// Returns the descriptor of a type with a WireAs. It is the same as the wire type's descriptor,
/// except that it visits and constructs objects of type T.
template <class T>
consteval TypeInfo MakeWireTypeInfo() {
  TypeInfo info = kTypeInfo<typename WireAs<T>::Type>;
  info.size = sizeof(T);
  info.alignment = alignof(T);
  info.visit = &VisitAny<T>;
  info.body = nullptr;
  info.making = &kMakingSlot<T>;
  return info;
}
template <HasWireAs T>
inline constexpr TypeInfo kTypeInfo<T> = MakeWireTypeInfo<T>();

/// Returns the descriptor of an Aligned. ADD_ALIGNED visits the member itself, so the descriptor
/// visits, constructs and destroys the contained value.
template <class T>
consteval TypeInfo MakeAlignedTypeInfo() {
  using Value = typename T::Type;
  static_assert(sizeof(T) == sizeof(Value));
  TypeInfo info = kTypeInfo<Value>;
  info.name = &TypeName<T>;
  info.visit = &VisitAligned<kAlignment<T>, Value>;
  info.body = nullptr;
  info.aligned = kAlignment<T>;
  return info;
}
template <std::size_t alignment, class T>
inline constexpr TypeInfo kTypeInfo<Aligned<alignment, T>> =
    MakeAlignedTypeInfo<Aligned<alignment, T>>();

}  // namespace detail

template <class T>
const TypeInfo& TypeOf() {
  return detail::kTypeInfo<T>;
}

}  // namespace revctl
