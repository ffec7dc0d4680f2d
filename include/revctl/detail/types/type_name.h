#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/types/wire_kind.h>

// Canonical names of types. Goldens record them, so they must not depend on the compiler or the
// machine.

namespace revctl {

/// Specialize this with a `static std::string Name()` to choose a type's name. This is necessary
/// only if the compiler's spelling is unusable, as it is for templates with non-type arguments.
template <class T>
struct NameOf;

template <class T>
std::string TypeName();

namespace detail {

template <class T>
std::string_view SpelledType() {
  return REVCTL_DETAIL_SIGNATURE;
}

/// Returns the compiler's spelling of T without the parts that vary between compilers: anonymous
/// namespaces, `> >`, `class `.
inline std::string CleanTypeName(std::string_view pretty) {
  std::size_t begin = pretty.find("T = "), end;
  if (begin != std::string_view::npos) {
    begin += 4;
    end = pretty.find_first_of(";]", begin);  // g++ adds `; std::string_view = ...`
  } else {                                    // MSVC: `... SpelledType<struct game::Score>(void)`
    begin = pretty.find("SpelledType<");
    begin = begin == std::string_view::npos ? 0 : begin + sizeof("SpelledType<") - 1;
    end = (std::max)(begin, (std::min)(pretty.size(), pretty.rfind(">(")));
  }
  std::string name(pretty.substr(begin, end - begin));
  for (std::string_view noise : {"{anonymous}::", "(anonymous namespace)::", "<unnamed>::",
                                 "`anonymous-namespace'::", "struct ", "class ", "enum "}) {
    for (std::size_t at; (at = name.find(noise)) != std::string::npos;)
      name.erase(at, noise.size());
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  for (std::size_t at; (at = name.find("> >")) != std::string::npos;) name.erase(at + 1, 1);
  for (std::size_t at; (at = name.find(", ")) != std::string::npos;) name.erase(at + 1, 1);
  return name;
}

/// Returns the name of a class template specialization with canonical names for its type arguments:
/// `Box<i32>`.
template <class T>
struct TemplateName {
  static std::string Get() { return CleanTypeName(SpelledType<T>()); }
};
template <class Base>
struct TemplateName<PolymorphicContent<Base>> {
  static std::string Get() { return "polymorphic<" + TypeName<Base>() + ">"; }
};
template <template <class...> class C, class... A>
struct TemplateName<C<A...>> {
  static std::string Get() {
    std::string spelled = CleanTypeName(SpelledType<C<A...>>());
    std::string args;
    ((args += (args.empty() ? "" : ",") + TypeName<A>()), ...);
    return spelled.substr(0, spelled.find('<')) + "<" + args + ">";
  }
};

template <class T>
struct ContainerName {};
template <class T>
requires requires { typename Shape<T>::Element; }
struct ContainerName<T> {
  static std::string Get() {
    std::string element = TypeName<typename Shape<T>::Element>();
    switch (Shape<T>::kind) {
      case Kind::Sequence:
        return "vector<" + element + ">";
      case Kind::Optional:
        return "optional<" + element + ">";
      case Kind::Pointer:
        return "unique_ptr<" + element + ">";
      default:
        if constexpr (Shape<T>::kind == Kind::Array)
          return "array<" + element + "," + std::to_string(Shape<T>::count) + ">";
        return {};
    }
  }
};
template <class T>
requires requires { typename Shape<T>::Key; }
struct ContainerName<T> {
  static std::string Get() {
    if constexpr (requires { typename Shape<T>::Mapped; }) {
      return "map<" + TypeName<typename Shape<T>::Key>() + "," +
             TypeName<typename Shape<T>::Mapped>() + ">";
    } else {
      return "set<" + TypeName<typename Shape<T>::Key>() + ">";
    }
  }
};
template <std::size_t n>
struct ContainerName<std::bitset<n>> {
  static std::string Get() { return "bitset<" + std::to_string(n) + ">"; }
};
template <class... T>
std::string JoinedNames(const char* open) {
  std::string names;
  ((names += (names.empty() ? "" : ",") + TypeName<T>()), ...);
  return open + names + ">";
}
template <class A, class B>
struct ContainerName<std::pair<A, B>> {
  static std::string Get() { return JoinedNames<A, B>("pair<"); }
};
template <class... T>
struct ContainerName<std::tuple<T...>> {
  static std::string Get() { return JoinedNames<T...>("tuple<"); }
};
template <class... T>
struct ContainerName<std::variant<T...>> {
  static std::string Get() { return JoinedNames<T...>("variant<"); }
};

}  // namespace detail

/// Returns the canonical wire name of T: `i32`, `string`, `vector<f32>`, `array<u8,4>`,
/// `map<string,i32>`, `game::Score`.
template <class T>
std::string TypeName() {
  if constexpr (requires { NameOf<T>::Name(); }) {
    return NameOf<T>::Name();
  } else if constexpr (detail::HasWireAs<T>) {
    return TypeName<typename WireAs<T>::Type>();
  } else if constexpr (detail::Number<T>::known) {
    return detail::NumberName(detail::Number<T>::kind);
  } else if constexpr (detail::kIsString<T>) {
    return "string";
  } else if constexpr (detail::Shape<T>::known) {
    return detail::ContainerName<T>::Get();
  } else {
    return detail::TemplateName<T>::Get();
  }
}

}  // namespace revctl
