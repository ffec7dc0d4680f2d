#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <revctl/detail/binary/flat_codec.h>
#include <revctl/detail/types/wire_as.h>
#include <revctl/reader.h>

// Immutable arrays and strings that can refer to the bytes they were read from instead of copying
// them.

namespace revctl {

/// An immutable array of numbers, enums, bools or flat records. View<char> is a string. On the
/// wire, in layouts and in JSON, a View<T> looks like a std::vector<T> (and a View<char> like a
/// std::string), so either can replace the other without a new revision.
///
///   struct Mesh { revctl::View<Vertex> verts; };
///   revctl::Load(file.Bytes(), mesh, {.borrow = true});  // file must outlive mesh
///
/// A view that is read with `borrow` refers to the input if the bytes in it are identical to the
/// elements in memory. This requires the newest revision of the element type, a little-endian
/// machine and alignment (ADD_ALIGNED). In all other cases, the view owns its elements. Copies of a
/// view share the elements.
template <class T>
class View {
  static_assert(std::is_trivially_copyable_v<T>,
                "revctl: the elements of a View must have a flat type");
  static constexpr bool kText = std::is_same_v<T, char>;

 public:
  using value_type = T;
  /// The container that has the same wire format as the view, and from which a view can be
  /// constructed.
  using Owner = std::conditional_t<kText, std::string, std::vector<T>>;

  View() = default;
  /// Takes ownership of `elements`.
  View(Owner elements) {  // NOLINT(google-explicit-constructor): can be assigned like a vector
    if (elements.empty()) return;
    if constexpr (std::is_same_v<T, bool>) {  // std::vector<bool> has no bools in memory that a
                                              // view could refer to
      std::shared_ptr<bool[]> bits(new bool[elements.size()]);
      std::copy(elements.begin(), elements.end(), bits.get());
      elements_ = {bits.get(), elements.size()};
      owner_ = std::move(bits);
    } else {
      auto owner = std::make_shared<Owner>(std::move(elements));
      elements_ = {owner->data(), owner->size()};
      owner_ = std::move(owner);
    }
  }
  View(const char* text) requires kText : View(std::string(text)) {}

  /// Returns a view of `elements`, which must outlive it and all its copies.
  static View Of(std::span<const T> elements) {
    View view;
    view.elements_ = elements;
    return view;
  }

  View(const View&) = default;
  View& operator=(const View&) = default;
  View(View&& other) noexcept
      : elements_(std::exchange(other.elements_, {})), owner_(std::move(other.owner_)) {}
  View& operator=(View&& other) noexcept {
    elements_ = std::exchange(other.elements_, {});
    owner_ = std::move(other.owner_);
    return *this;
  }
  ~View() = default;

  /// False if the view refers to elements that it does not own.
  bool Owns() const { return owner_ != nullptr || elements_.empty(); }

  /// Copies the elements if the view does not own them and they are not aligned to `alignment`.
  void OwnUnlessAligned(std::size_t alignment) {
    if (Owns() || reinterpret_cast<std::uintptr_t>(data()) % alignment == 0) return;
    *this = View(Owner(begin(), end()));
  }

  std::span<const T> Elements() const { return elements_; }
  std::string_view Text() const requires kText { return {data(), size()}; }
  operator std::string_view() const requires kText { return Text(); }
  const T* data() const { return elements_.data(); }
  std::size_t size() const { return elements_.size(); }
  bool empty() const { return elements_.empty(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t i) const { return elements_[i]; }

  friend bool operator==(const View& a, const View& b) requires requires(const T& t) { t == t; }
  { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::span<const T> elements_;
  std::shared_ptr<const void> owner_;
};

/// A string that can refer to the bytes that it was read from.
using TextView = View<char>;

/// Lets non-binary archives visit a view as its Owner, a vector or string.
template <class T>
struct WireAs<View<T>> {
  using Type = typename View<T>::Owner;
  static Type ToWire(const View<T>& view) { return Type(view.begin(), view.end()); }
  static bool FromWire(Type&& wire, View<T>& view) {
    view = View<T>(std::move(wire));
    return true;
  }
};

namespace detail {

/// A non-owning range of elements, which lets writing archives visit a view.
template <class T>
struct ElementsOf {
  T* first;
  std::size_t count;
  std::size_t size() const { return count; }
  T* data() const { return first; }
  T* begin() const { return first; }
  T* end() const { return first + count; }
};
template <class T>
struct Shape<ElementsOf<T>> : KnownShape {
  static constexpr Kind kind = Kind::Sequence;
  using Element = T;
};

/// True if the elements' wire format can be identical to their in-memory representation.
template <class T>
consteval bool IsBorrowable() {
  if constexpr (HasWireAs<T> || (kSwapBytes && sizeof(T) > 1)) {
    return false;
  } else if constexpr (kIsScalar<T>) {
    return true;
  } else if constexpr (kFlatHere<T, true>) {
    if constexpr (kImage<T, true>) {
      return kBoolWindows<T>.count == 0 || ImageIsTestable<T>();
    } else {
      return false;
    }
  } else {
    return false;
  }
}

/// True if the wire format at this revision is identical to the in-memory representation.
template <class T>
constexpr bool IsImageAt(Revision revision) {
  if constexpr (kIsScalar<T>) {
    return true;
  } else {
    return revision.AtLeast(kFlatSizes<T, true>.Newest());
  }
}

/// True if all bytes are valid values of T. Called before any element is accessed as a T, because
/// an invalid bool, or an invalid enum without a fixed type, would be undefined behavior.
template <class T>
bool AreValues([[maybe_unused]] const std::byte* bytes, [[maybe_unused]] std::size_t count) {
  if constexpr (kIsBool<T>) {
    unsigned found = 0;
    for (std::size_t i = 0; i < count; ++i) found |= static_cast<unsigned>(bytes[i]);
    return found <= 1;
  } else if constexpr (kIsUnfixedEnum<T>) {
    for (std::size_t i = 0; i < count; ++i) {
      std::underlying_type_t<T> number;
      std::memcpy(&number, bytes + i * sizeof(T), sizeof number);
      if (!IsNumberOfEnum<T>(number)) return false;
    }
    return true;
  } else if constexpr (kIsScalar<T>) {
    return true;
  } else {
    constexpr BoolWindows windows = kBoolWindows<T>;
    std::uint64_t found = 0;
    for (std::size_t i = 0; windows.count != 0 && i < count; ++i) {
      for (std::size_t k = 0; k < windows.count; ++k) {
        std::uint64_t part;
        std::memcpy(&part, bytes + i * sizeof(T) + windows.at[k], sizeof part);
        found |= part & windows.mask[k];
      }
    }
    return found == 0;
  }
}

/// Makes the view refer to the next elements of the input, if the input bytes are identical to the
/// elements' in-memory representation. Otherwise, returns false and reads nothing.
template <class R, class T>
bool Borrow(R& r, View<T>& view) {
  if constexpr (!IsBorrowable<T>()) {
    return false;
  } else {
    constexpr std::size_t before = sizeof(std::uint32_t);
    const std::span<const std::byte> rest = r.Rest();
    if (!IsImageAt<T>(r.revision) || rest.size() < before) return false;
    const T* const first = InPlace<T>(rest.data() + before);
    std::uint32_t count = 0;
    CopyValue<std::uint32_t>(&count, rest.data());
    // When this function returns false, the caller copies the elements, and the copying code
    // reports a wrong count.
    if (first == nullptr || count > (rest.size() - before) / sizeof(T)) return false;
    if (!AreValues<T>(rest.data() + before, count)) return false;
    r.Take(before + count * sizeof(T));
    view = View<T>::Of({first, count});
    return true;
  }
}

template <class R, class T>
void VisitView(R& r, View<T>& view) {
  static_assert(kIsScalar<T> || !kProvesFlatness || kFlat<T, R::IsReading()>,
                "revctl: the elements of a View must be numbers, enums, bools or flat records "
                "(docs/guide/views.md): use a std::vector for other types");
  if constexpr (R::IsReading()) {
    constexpr int levels = kDescends<typename View<T>::Owner> ? 1 : 0;
    if (r.Borrows() && r.DepthLeft() >= levels && Borrow(r, view)) return;
    typename View<T>::Owner elements;
    r.Value(elements);
    view = View<T>(std::move(elements));
  } else {
    ElementsOf<T> elements{const_cast<T*>(view.data()), view.size()};
    r.Value(elements);
  }
}

}  // namespace detail
}  // namespace revctl
