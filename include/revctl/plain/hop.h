#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include <revctl/plain/layout.h>
#include <revctl/plain/trouble.h>

namespace revctl {
namespace detail {

template <class F, std::size_t Dimensions>
struct PlainPeelOf {
  static_assert(PlainArray<F>::extent > 0,
                "too many indices: the field has fewer array dimensions");
  using Type = typename PlainPeelOf<typename PlainArray<F>::Element, Dimensions - 1>::Type;
};
template <class F>
struct PlainPeelOf<F, 0> {
  using Type = F;
};
/// The type that remains of field type `F` after `Dimensions` array indices have been applied.
template <class F, std::size_t Dimensions>
using PlainPeel = typename PlainPeelOf<F, Dimensions>::Type;

}  // namespace detail

/// Gives a HOP handler access to the struct `T` as it was at revision `Revision`. Accesses fields
/// by name, at the offsets of that revision. Naming a field that was not live at that revision does
/// not compile. Does not own the bytes; valid while the handler runs.
///
/// `from` is the state before the hop and is read-only. `to` is the state after the hop and is
/// writable. When the handler starts, every field of `to` has already been copied, converted or set
/// to its default.
template <class T, std::int64_t Revision, class Byte>
class PlainView {
  static constexpr bool kWritable = !std::is_const_v<Byte>;

  template <detail::PlainName Name>
  static constexpr int Find() {
    constexpr int member = detail::PlainFind<T>(Name.text, Revision);
    static_assert(member >= 0, "no field with this name exists at this revision");
    return member;
  }
  template <detail::PlainName Name>
  using Field = typename detail::PlainMemberAt<T, Find<Name>()>::Type;
  template <detail::PlainName Name>
  static constexpr std::size_t kOffset = detail::PlainOffsetAt(detail::plain_table<T>, Find<Name>(),
                                                               Revision);

 public:
  PlainView(Byte* image, detail::PlainTrouble& trouble) : image_(image), trouble_(&trouble) {}

  /// Returns a field or, with indices, an element of it. Returns a number, bool, enum, std::array
  /// or PlainValues struct by value, and a nested PLAIN struct as a view. If an index is out of
  /// range (indices often come from the file), reading fails and the result is zero.
  template <detail::PlainName Name, class... Index>
  auto Get(Index... index) const {
    using F = Field<Name>;
    using Part = detail::PlainPeel<F, sizeof...(Index)>;
    using Leaf = detail::PlainLeaf<F>;
    if constexpr (detail::PlainType<Leaf>) {
      static_assert(std::is_same_v<Part, Leaf>,
                    "an array of PLAIN structs needs an index for each dimension");
      constexpr std::size_t stride =
          detail::PlainExtentAt(detail::plain_table<Leaf>, Revision).size;
      // If an index is out of range, Flat() records the failure and returns 0. Element 0 always
      // exists.
      return PlainView<Leaf, Revision, Byte>(image_ + kOffset<Name> + Flat<Name>(index...) * stride,
                                             *trouble_);
    } else {
      static_assert(!std::is_array_v<Part>, "cannot return a C array: add an index");
      const std::size_t before = trouble_->Any();
      const std::size_t at = Flat<Name>(index...);
      Part part{};
      if (before || !trouble_->Any())
        std::memcpy(&part, image_ + kOffset<Name> + at * sizeof(Part), sizeof part);
      return part;
    }
  }

  /// Sets a field or, with indices, an element of it.
  template <detail::PlainName Name, class... Index>
  void Set(const detail::PlainPeel<Field<Name>, sizeof...(Index)>& value,
           Index... index) requires kWritable {
    using Part = detail::PlainPeel<Field<Name>, sizeof...(Index)>;
    static_assert(!detail::PlainType<detail::PlainLeaf<Part>>,
                  "a nested struct cannot be set as a whole: set its fields through Get");
    const std::size_t before = trouble_->Any();
    const std::size_t at = Flat<Name>(index...);
    if (before || !trouble_->Any())
      std::memcpy(image_ + kOffset<Name> + at * sizeof(Part), &value, sizeof(Part));
  }

  /// Returns the extent of an array field's outermost dimension.
  template <detail::PlainName Name>
  static constexpr std::size_t Count() {
    return detail::PlainArray<Field<Name>>::extent;
  }

  /// Rejects the file that is being read. If a handler calls this several times, the first reason
  /// is kept.
  void Fail(std::string reason) const {
    trouble_->Fail(Status::Kind::Refused, detail::PlainTrouble::kNowhere, std::move(reason));
  }

 private:
  /// Returns the position of the part of a field that the indices select, in units of the part's
  /// size. If an index is out of range, records an error and returns 0.
  template <detail::PlainName Name, class... Index>
  std::size_t Flat(Index... index) const {
    constexpr detail::PlainShape shape = detail::PlainShapeOf<Field<Name>>();
    std::size_t flat = 0, dimension = 0;
    bool inside = true;
    [[maybe_unused]] const auto step = [&](auto i) {
      inside = inside && std::cmp_greater_equal(i, 0) && std::cmp_less(i, shape.extents[dimension]);
      if (inside) flat = flat * shape.extents[dimension] + static_cast<std::size_t>(i);
      ++dimension;
    };
    (step(index), ...);
    if (inside) return flat;
    if (!trouble_->Any()) {
      std::string text;
      ((text += "[" + std::to_string(index) + "]"), ...);
      Fail(Name.text + text + " is out of range in an upgrade to the next revision");
    }
    return 0;
  }

  Byte* image_;
  detail::PlainTrouble* trouble_;
};

namespace detail {

template <PlainType T, std::int64_t Number>
void RunPlainHop(const std::byte* before, std::byte* after, PlainTrouble& trouble) {
  const PlainView<T, Number - 1, const std::byte> from(before, trouble);
  PlainView<T, Number, std::byte> to(after, trouble);
  T::RevctlPlainUpgrade(PlainHopInto<Number>{}, from, to);
}

}  // namespace detail
}  // namespace revctl
