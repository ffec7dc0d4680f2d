// counts in std::int64_t
// and: the epoch of a clock
// and: use std::string and path.generic_string()
// and: revctl::WireAs of std::array<double, 2>
// and: use std::variant, or std::unique_ptr
// and: a nullptr_t has only one value
// and: std::u8string is not supported: use std::string
// and: use std::string with UTF-8, or std::vector<uint16_t>
#include <revctl/serialize.h>

#include <any>
#include <chrono>
#include <complex>
#include <filesystem>

using revctl::detail::KindOf;  // the function that every archive calls first
#ifndef FINE
auto a = KindOf<std::chrono::milliseconds>();
auto b = KindOf<std::chrono::system_clock::time_point>();
auto c = KindOf<std::filesystem::path>();
auto d = KindOf<std::complex<float>>();
auto e = KindOf<std::any>();
auto f = KindOf<std::nullptr_t>();
auto g = KindOf<std::u8string>();
auto h = KindOf<std::u16string>();
#endif
void Use(revctl::Writer& w, std::variant<std::monostate, int>& value) { Serialize(w, value); }
