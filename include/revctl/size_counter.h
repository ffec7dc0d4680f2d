#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <revctl/detail/base/limits.h>
#include <revctl/detail/base/revision.h>
#include <revctl/detail/binary/flat_proof.h>
#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/macros.h>

namespace revctl {

/// Counts the bytes that Writer would write, without writing them. This helps with fixed-size
/// buffers, budgets and progress bars.
///
///   std::optional<std::size_t> bytes = revctl::WireSize(level, SR_LATEST);
class SizeCounter {
 public:
  using RevctlBinaryArchive = void;
  explicit SizeCounter(Revision at) : revision(at) {}

  const Revision revision;
  static constexpr bool IsReading() { return false; }
  static constexpr bool IsWriting() { return true; }
  /// False if the value cannot be written, for example because a body rejected it. To get the
  /// reason, use a Writer.
  bool Ok() const { return ok_; }
  void Fail(std::string_view) { ok_ = false; }
  /// Adds levels to the nesting depth. Fails and returns false beyond the depth that readers
  /// accept.
  bool Descend(int levels) { return (depth_ += levels) <= Limits().depth || (ok_ = false); }
  void Ascend(int levels) { depth_ -= levels; }
  int DepthLeft() const { return Limits().depth - depth_; }
  /// Returns the number of bytes counted so far. Meaningless unless Ok().
  std::size_t size() const { return size_; }

  template <class T>
  void Root(T& value) {
    Value(value);
  }
  template <class T>
  void Field(T& value, const char*) {
    Value(value);
  }
  template <class T>
  void Value(T& value) {
    if constexpr (detail::kDescends<T>) {
      if (Descend(1)) Parts(value);
      Ascend(1);
    } else {
      Parts(value);
    }
  }
  void Integrity() { size_ += 4; }
  void Align(std::size_t alignment, std::size_t before) {
    size_ += detail::PaddingAt(size_, alignment, before);
  }

 private:
  template <class T>
  void Parts(T& value) {
    constexpr Kind kind = detail::KindOf<T>();
    using Shape = detail::Shape<T>;
    if constexpr (detail::kIsView<T>) {
      detail::VisitView(*this, value);
    } else if constexpr (detail::kIsAligned<T>) {
      detail::ValueAligned<detail::kAlignment<T>>(*this, value.value);
    } else if constexpr (detail::HasWireAs<T>) {
      typename WireAs<T>::Type wire = WireAs<T>::ToWire(value);
      Value(wire);
    } else if constexpr (detail::kIsScalar<T>) {
      size_ += sizeof(T);
    } else if constexpr (kind == Kind::Record) {
      if constexpr (detail::kFlatHere<T, false>) {
        size_ += detail::kFlatSizes<T, false>.At(revision.number());
      } else {
        detail::RunBody(*this, value);
      }
    } else if constexpr (kind == Kind::String) {
      size_ += 4 + value.size();
    } else if constexpr (kind == Kind::Bitset) {
      size_ += (Shape::count + 7) / 8;
    } else if constexpr (kind == Kind::Array) {
      Elements<typename Shape::Element>(value, Shape::count);
    } else if constexpr (kind == Kind::Sequence) {
      size_ += 4;
      Elements<typename Shape::Element>(value, value.size());
    } else if constexpr (kind == Kind::Optional || kind == Kind::Pointer) {
      size_ += 1;
      if constexpr (detail::kIsPolymorphicContent<typename Shape::Element>) {
        if (value) Class(*value);
      } else {
        if (value) Value(*value);
      }
    } else if constexpr (kind == Kind::Map) {
      size_ += 4;
      for (auto& [key, mapped] : value) {
        Value(const_cast<typename Shape::Key&>(key));
        Value(mapped);
      }
    } else if constexpr (kind == Kind::Set) {
      size_ += 4;
      for (auto& key : value) Value(const_cast<typename Shape::Key&>(key));
    } else if constexpr (kind == Kind::Tuple) {
      std::apply([&](auto&... member) { (Value(member), ...); }, value);
    } else {
      static_assert(kind == Kind::Variant);
      size_ += 1;
      if (value.valueless_by_exception()) {
        ok_ = false;
      } else {
        std::visit([&](auto& alternative) { Value(alternative); }, value);
      }
    }
  }
  template <class Base>
  void Class(Base& object) {
    const detail::PolymorphicClass<Base>* known = detail::ClassOf<Base>(object);
    if (known == nullptr || !detail::RegistrationTrouble<Base>().empty()) {
      ok_ = false;
      return;
    }
    size_ += 4 + known->name.size();
    known->count(*this, object);
  }

  template <class Element, class C>
  void Elements(C& container, std::size_t count) {
    if constexpr (detail::kIsScalar<Element>) {
      size_ += count * sizeof(Element);
    } else if constexpr (detail::kFlatHere<Element, false>) {
      size_ += count * detail::kFlatSizes<Element, false>.At(revision.number());
    } else {
      for (auto& element : container) Value(element);
    }
  }

  std::size_t size_ = 0;
  int depth_ = 0;
  bool ok_ = true;
};

/// Returns the size of `value`'s payload at revision `at`, without a file header, or nullopt if the
/// value cannot be written (a body rejects it, or it is nested too deeply). To get the reason, use
/// a Writer.
template <class T>
std::optional<std::size_t> WireSize(const T& value, Revision at) {
  SizeCounter counter(at);
  Serialize(counter, value);
  return counter.Ok() ? std::optional(counter.size()) : std::nullopt;
}

}  // namespace revctl
