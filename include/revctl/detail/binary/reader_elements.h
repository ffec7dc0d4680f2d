#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/detail/binary/body_reader.h>
#include <revctl/detail/binary/flat_iterator.h>

// How what grows is filled: the members of BodyReader that body_reader.h only declares.

namespace revctl::detail {

/// Becomes a T{} where it is to stand. g++ 12 clears objects of more than 96 bytes by `rep stos`,
/// which takes longer than all else about a fresh element, unless it is told to tune for another
/// core; that is done in a function of its own.
template <class T>
struct FreshElement {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__)
  [[gnu::noinline, gnu::target("tune=skylake")]]
#endif
  operator T() const {  // NOLINT(google-explicit-constructor): that is its purpose
    return T{};
  }
};
/// Elements that are large enough for that, and are made of what becomes one of them.
template <class C>
inline constexpr bool kMadeByFresh = false;
template <class T, class A>
inline constexpr bool kMadeByFresh<std::vector<T, A>> =
    std::is_class_v<T> && sizeof(T) > 96 && std::is_move_constructible_v<T> &&
    (std::is_same_v<A, std::allocator<T>> || (kIsPmr<A> && !std::uses_allocator_v<T, A>)) &&
    !std::is_constructible_v<T, TakenByNobody>;

/// One check for all of them; then blocks that fit the first cache, so that the fill of resize()
/// costs no memory traffic.
template <class T>
const std::byte* BodyReader::ReadNumbers(Reader& r, const std::byte* p, T& value) {
  using Element = typename detail::Shape<T>::Element;
  std::size_t left = static_cast<std::size_t>(r.end_ - p);
  std::uint32_t count = 0;
  value.clear();
  r.p_ = p;
  if (left < sizeof count) [[unlikely]] {
    r.Stop();
    return r.p_;
  }
  LoadValue(count, p);
  p += sizeof count;
  left -= sizeof count;
  r.p_ = p;
  if (count > left / sizeof(Element)) [[unlikely]] {
    r.Stop();
    return r.p_;
  }
  if (count == 0) return p;
  if (!r.Pay(count, sizeof(Element))) [[unlikely]]
    return r.p_;
  const std::byte* const behind = p + count * sizeof(Element);
  if constexpr (AssignableFrom<T, Element>) {
    if (const Element* first = InPlace<Element>(p)) {
      value.assign(first, first + count);
      return behind;
    }
  }
  if constexpr (kIsVector<T> && !kSwapBytes) {
    if (count <= kFewNumbers) {
      const auto* first = reinterpret_cast<const PackedValue<Element>*>(p);
      value.assign(first, first + count);
      return behind;
    }
  }
  if constexpr (Reservable<T>) value.reserve(count);
  constexpr std::size_t block = 16384 / sizeof(Element);
  for (std::size_t i = 0; i < count;) {
    const std::size_t n = count - i < block ? count - i : block;
    value.resize(i + n);
    CopyValues<Element>(value.data() + i, p, n);
    p += n * sizeof(Element);
    i += n;
  }
  return behind;
}

/// Flat elements: one check for all, then each is made in place from unchecked leaves, or by
/// copying its image.
template <class T>
void BodyReader::ReadFlatElements(T& value) {
  using Element = typename detail::Shape<T>::Element;
  constexpr const FlatSizes& sizes = kFlatSizes<Element, true>;
  const std::size_t wire = sizes.At(revision.number());
  const std::size_t count = Count();
  value.clear();
  if (wire == 0) [[unlikely]] {
    ReadCounted(value, count);
    return;
  }
  if (count > Left() / wire || !Pay(count, sizeof(Element))) [[unlikely]] {
    Stop();
    return;
  }
  unsigned bad = 0;
  if (revision.AtLeast(sizes.Newest())) {
    constexpr std::size_t newest = sizes.NewestSize();
    if constexpr (kImage<Element, true> && ImageIsTestable<Element>()) {
      const Element* first = kBoolWindows<Element>.count == 0 ? InPlace<Element>(p_) : nullptr;
      if (first != nullptr) {
        value.assign(first, first + count);
      } else {
        MakeInPlace(value, p_, count, newest, ImageDecoder{&bad});
      }
    } else {
      // The size is a constant here, and every gate folds away.
      MakeInPlace(value, p_, count, newest, LeafDecoder<NewestRevision>{{}, &bad});
    }
  } else if constexpr (sizes.thresholds.count != 0) {
    MakeOld(value, p_, count, wire, revision, &bad);
  }
  if (bad > 1) [[unlikely]] {
    value.clear();
    Stop();
    return;
  }
  p_ += count * wire;
}

template <class T>
[[gnu::always_inline]] inline void BodyReader::ReadElements(T& value) {
  const std::size_t count = Count();
  value.clear();
  ReadCounted(value, count);
}
template <class T>
[[gnu::always_inline]] inline void BodyReader::ReadCounted(T& value, std::size_t count) {
  using Element = typename detail::Shape<T>::Element;
  if (count == 0 || !Pay(count, kElementCost<T>)) return;
  // A lying count reserves no more than a few times what the input holds; honest ones grow on.
  if constexpr (Reservable<T>) value.reserve(count < Left() / 4 + 16 ? count : Left() / 4 + 16);
  for (std::size_t i = 0; i < count && !r_.failed_; ++i) {
    if constexpr (kIsBitVector<T>) {
      bool bit = false;
      Scalar(bit);
      value.push_back(bit);
    } else if constexpr (kIsVector<T> && kIsVariant<Element>) {
      AppendVariant(value, std::make_index_sequence<Shape<Element>::count>());
    } else {
      RequireFresh<Element>();
      if constexpr (kMadeByFresh<T>) {
        value.emplace_back(FreshElement<Element>());
      } else {
        value.emplace_back();
      }
      if constexpr (kRunsInLoop<Element> && !kFlatHere<Element, true>) {
        RunBodyInLoop(*this, value.back());
      } else {
        Value(value.back());
      }
    }
  }
}

template <class T>
void BodyReader::ReadHolder(T& value) {
  using Element = typename detail::Shape<T>::Element;
  value.reset();
  if (Flag(2) == 0) return;
  if constexpr (kIsPolymorphicContent<Element>) {
    ReadPolymorphic(value);
  } else {
    RequireFresh<Element>();
    if constexpr (Shape<T>::kind == Kind::Pointer) {
      if (!Pay(1, kElementCost<T>)) return;
      value = std::make_unique<Element>();
    } else {
      value.emplace();
    }
    Value(*value);
  }
}

template <class Base>
void BodyReader::ReadPolymorphic(std::unique_ptr<Base>& value) {
  std::string name;
  Value(name);
  const PolymorphicClass<Base>* known = FindClass<Base>(name);
  if (known == nullptr || !RegistrationTrouble<Base>().empty() || !Pay(1, known->size + kNode)) {
    Stop();
    return;
  }
  value = known->make();
  Leave();
  known->read(r_, *value);
  Enter();
}

/// Values are read where they are to stay: one may be too large for the stack.
template <class T>
void BodyReader::ReadMap(T& value) {
  using Key = typename Shape<T>::Key;
  using Mapped = typename Shape<T>::Mapped;
  RequireFresh<Key>();
  RequireFresh<Mapped>();
  const std::size_t count = Count();
  value.clear();
  if (!Pay(count, kElementCost<T>)) return;
  for (std::size_t i = 0; i < count && !r_.failed_; ++i) {
    Key key{};
    Value(key);
    if (r_.failed_) return;
    const std::size_t before = value.size();
    const auto entry = value.try_emplace(value.end(), std::move(key));
    if (value.size() == before) [[unlikely]] {
      Stop();
      return;
    }
    if (!r_.flood_.Holds(value, entry->first)) [[unlikely]]
      return FailHere(kFlooded);
    Value(entry->second);
  }
}

template <class T>
void BodyReader::ReadSet(T& value) {
  using Key = typename Shape<T>::Key;
  RequireFresh<Key>();
  const std::size_t count = Count();
  value.clear();
  if (!Pay(count, kElementCost<T>)) return;
  for (std::size_t i = 0; i < count; ++i) {
    Key key{};
    Value(key);
    if (r_.failed_) return;
    const std::size_t before = value.size();
    const auto entry = value.emplace_hint(value.end(), std::move(key));
    if (value.size() == before) [[unlikely]]
      return Stop();
    if (!r_.flood_.Holds(value, *entry)) [[unlikely]]
      return FailHere(kFlooded);
  }
}

/// The alternative is made where it stays, without the first one that a fresh variant holds. A file
/// that ends here leaves that one all the same, as elements read by themselves do.
template <class T, std::size_t... i>
[[gnu::always_inline]] inline void BodyReader::AppendVariant(T& value, std::index_sequence<i...>) {
  using Element = typename T::value_type;
  (RequireFresh<std::variant_alternative_t<i, Element>>(), ...);
  const unsigned index = Flag(sizeof...(i));
  (void)((index == i ? (Value(*std::get_if<i>(&value.emplace_back(std::in_place_index<i>))), true)
                     : false) ||
         ...);
}

template <class T, std::size_t... i>
void BodyReader::ReadVariant(T& value, std::index_sequence<i...>) {
  const unsigned index = Flag(sizeof...(i));
  (RequireFresh<std::variant_alternative_t<i, T>>(), ...);
  (void)((index == i ? (Value(value.template emplace<i>()), true) : false) || ...);
}

}  // namespace revctl::detail
