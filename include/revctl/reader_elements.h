#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "revctl/flat_iterator.h"
#include "revctl/reader.h"

// How Reader fills what grows: the members of Reader that reader.h only declares.

namespace revctl {

/// One check for all of them; then blocks that fit the first cache, so that the fill of resize()
/// costs no memory traffic.
template <class T>
void Reader::ReadNumbers(T& value) {
  using Element = typename detail::Shape<T>::Element;
  const std::size_t count = Count();
  value.clear();
  if (count > Left() / sizeof(Element) || !Pay(count, sizeof(Element))) [[unlikely]] {
    Stop();
    return;
  }
  if constexpr (detail::AssignableFrom<T, Element>) {
    if (const Element* first = detail::InPlace<Element>(p_)) {
      p_ += count * sizeof(Element);
      value.assign(first, first + count);
      return;
    }
  }
  if constexpr (detail::kIsVector<T> && !detail::kSwapBytes) {
    if (count <= kFewNumbers) {
      const auto* first = reinterpret_cast<const detail::PackedValue<Element>*>(p_);
      p_ += count * sizeof(Element);
      value.assign(first, first + count);
      return;
    }
  }
  if constexpr (detail::Reservable<T>) value.reserve(count);
  constexpr std::size_t block = 16384 / sizeof(Element);
  for (std::size_t i = 0; i < count;) {
    const std::size_t n = count - i < block ? count - i : block;
    value.resize(i + n);
    detail::CopyValues<Element>(value.data() + i, p_, n);
    p_ += n * sizeof(Element);
    i += n;
  }
}

/// Flat elements: one check for all, then each is made in place from unchecked leaves, or by
/// copying its image.
template <class T>
void Reader::ReadFlatElements(T& value) {
  using Element = typename detail::Shape<T>::Element;
  constexpr const detail::FlatSizes& sizes = detail::kFlatSizes<Element, true>;
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
    if constexpr (detail::kImage<Element, true> && detail::ImageIsTestable<Element>()) {
      const Element* first =
          detail::kBoolWindows<Element>.count == 0 ? detail::InPlace<Element>(p_) : nullptr;
      if (first != nullptr) {
        value.assign(first, first + count);
      } else {
        detail::MakeInPlace(value, p_, count, newest, detail::ImageDecoder{&bad});
      }
    } else {
      // The size is a constant here, and every gate folds away.
      detail::MakeInPlace(value, p_, count, newest,
                          detail::LeafDecoder<detail::NewestRevision>{{}, &bad});
    }
  } else if constexpr (sizes.thresholds.count != 0) {
    detail::MakeOld(value, p_, count, wire, revision, &bad);
  }
  if (bad > 1) [[unlikely]] {
    value.clear();
    Stop();
    return;
  }
  p_ += count * wire;
}

template <class T>
void Reader::ReadElements(T& value) {
  const std::size_t count = Count();
  value.clear();
  ReadCounted(value, count);
}
template <class T>
[[gnu::always_inline]] inline void Reader::ReadCounted(T& value, std::size_t count) {
  using Element = typename detail::Shape<T>::Element;
  if (count == 0 || !Pay(count, detail::kElementCost<T>)) return;
  // A lying count reserves no more than a few times what the input holds; honest ones grow on.
  if constexpr (detail::Reservable<T>)
    value.reserve(count < Left() / 4 + 16 ? count : Left() / 4 + 16);
  for (std::size_t i = 0; i < count && !failed_; ++i) {
    if constexpr (detail::kIsBitVector<T>) {
      bool bit = false;
      Scalar(bit);
      value.push_back(bit);
    } else if constexpr (detail::kIsVector<T> && detail::kIsVariant<Element>) {
      AppendVariant(value, std::make_index_sequence<detail::Shape<Element>::count>());
    } else {
      detail::RequireFresh<Element>();
      value.emplace_back();
      Value(value.back());
    }
  }
}

template <class T>
void Reader::ReadHolder(T& value) {
  using Element = typename detail::Shape<T>::Element;
  value.reset();
  if (Flag(2) == 0) return;
  if constexpr (detail::kIsPolymorphicContent<Element>) {
    ReadPolymorphic(value);
  } else {
    detail::RequireFresh<Element>();
    if constexpr (detail::Shape<T>::kind == Kind::Pointer) {
      if (!Pay(1, detail::kElementCost<T>)) return;
      value = std::make_unique<Element>();
    } else {
      value.emplace();
    }
    Value(*value);
  }
}

template <class Base>
void Reader::ReadPolymorphic(std::unique_ptr<Base>& value) {
  std::string name;
  Value(name);
  const detail::PolymorphicClass<Base>* known = detail::FindClass<Base>(name);
  if (known == nullptr || !detail::RegistrationTrouble<Base>().empty() ||
      !Pay(1, known->size + detail::kNode)) {
    Stop();
    return;
  }
  value = known->make();
  known->read(*this, *value);
}

/// Values are read where they are to stay: one may be too large for the stack.
template <class T>
void Reader::ReadMap(T& value) {
  using Key = typename detail::Shape<T>::Key;
  using Mapped = typename detail::Shape<T>::Mapped;
  detail::RequireFresh<Key>();
  detail::RequireFresh<Mapped>();
  const std::size_t count = Count();
  value.clear();
  if (!Pay(count, detail::kElementCost<T>)) return;
  for (std::size_t i = 0; i < count && !failed_; ++i) {
    Key key{};
    Value(key);
    if (failed_) return;
    const std::size_t before = value.size();
    const auto entry = value.try_emplace(value.end(), std::move(key));
    if (value.size() == before) [[unlikely]] {
      Stop();
      return;
    }
    if (!flood_.Holds(value, entry->first)) [[unlikely]]
      return FailHere(detail::kFlooded);
    Value(entry->second);
  }
}

template <class T>
void Reader::ReadSet(T& value) {
  using Key = typename detail::Shape<T>::Key;
  detail::RequireFresh<Key>();
  const std::size_t count = Count();
  value.clear();
  if (!Pay(count, detail::kElementCost<T>)) return;
  for (std::size_t i = 0; i < count; ++i) {
    Key key{};
    Value(key);
    if (failed_) return;
    const std::size_t before = value.size();
    const auto entry = value.emplace_hint(value.end(), std::move(key));
    if (value.size() == before) [[unlikely]]
      return Stop();
    if (!flood_.Holds(value, *entry)) [[unlikely]]
      return FailHere(detail::kFlooded);
  }
}

/// The alternative is made where it stays, without the first one that a fresh variant holds. A file
/// that ends here leaves that one all the same, as elements read by themselves do.
template <class T, std::size_t... i>
[[gnu::always_inline]] inline void Reader::AppendVariant(T& value, std::index_sequence<i...>) {
  using Element = typename T::value_type;
  (detail::RequireFresh<std::variant_alternative_t<i, Element>>(), ...);
  const unsigned index = Flag(sizeof...(i));
  (void)((index == i ? (Value(*std::get_if<i>(&value.emplace_back(std::in_place_index<i>))), true)
                     : false) ||
         ...);
}

template <class T, std::size_t... i>
void Reader::ReadVariant(T& value, std::index_sequence<i...>) {
  const unsigned index = Flag(sizeof...(i));
  (detail::RequireFresh<std::variant_alternative_t<i, T>>(), ...);
  (void)((index == i ? (Value(value.template emplace<i>()), true) : false) || ...);
}

}  // namespace revctl
