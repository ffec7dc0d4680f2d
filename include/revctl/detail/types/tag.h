#pragma once

namespace revctl {

/// Names a type in an argument: `RevctlBody(Tag<T>)` is found in T's namespace, and never converts
/// from a derived class.
template <class T>
struct Tag {};

}  // namespace revctl
