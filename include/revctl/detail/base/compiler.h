#pragma once

// Compiler extensions that this library uses, each with an alternative in ISO C++20. g++, clang and
// compatible compilers define __GNUC__; MSVC has some of the same built-in functions. Tests define
// REVCTL_ISO_ONLY to exercise the alternatives with g++.
//
// Attributes such as [[gnu::always_inline]] need no alternative, because compilers ignore unknown
// attributes.

#if defined(__GNUC__) && !defined(REVCTL_ISO_ONLY)
#define REVCTL_DETAIL_GNU
#endif

// The caller's file and line, for use as default arguments. clang 14 has no std::source_location.
#if (defined(__GNUC__) || defined(_MSC_VER)) && !defined(REVCTL_ISO_ONLY)
#define REVCTL_DETAIL_FILE __builtin_FILE()
#define REVCTL_DETAIL_LINE __builtin_LINE()
#else
#include <source_location>
#define REVCTL_DETAIL_FILE ::std::source_location::current().file_name()
#define REVCTL_DETAIL_LINE static_cast<int>(::std::source_location::current().line())
#endif

// The compiler's spelling of the current function with its template arguments. C++20 offers no
// other way to get the names of types and enumerators.
#ifdef REVCTL_DETAIL_GNU
#define REVCTL_DETAIL_SIGNATURE __PRETTY_FUNCTION__
#elif defined(_MSC_VER) && !defined(REVCTL_ISO_ONLY)
#define REVCTL_DETAIL_SIGNATURE __FUNCSIG__
#else
#define REVCTL_DETAIL_SIGNATURE ::std::source_location::current().function_name()
#endif

// A number for names that must be unique within a translation unit. Without __COUNTER__, each line
// can contain only one such name.
#if defined(__COUNTER__) && !defined(REVCTL_ISO_ONLY)
#define REVCTL_DETAIL_UNIQUE __COUNTER__
#else
#define REVCTL_DETAIL_UNIQUE __LINE__
#endif

// REVCTL_DETAIL_IS_CONSTANT(x): true if the compiler knows the value of x. The ISO alternative is
// always true, which makes the flatness proof reject every type. REVCTL_DETAIL_PREFETCH(at, write):
// prefetches a cache line for reading (0) or writing (1).
#ifdef REVCTL_DETAIL_GNU
#define REVCTL_DETAIL_IS_CONSTANT(...) __builtin_constant_p(__VA_ARGS__)
#define REVCTL_DETAIL_PREFETCH(at, write) __builtin_prefetch(at, write)
#else
#define REVCTL_DETAIL_IS_CONSTANT(...) (static_cast<void>(__VA_ARGS__), true)
#define REVCTL_DETAIL_PREFETCH(at, write) static_cast<void>(at)
#endif

// Defined if the program is compiled with run-time type information. MSVC documents only the second
// macro.
#if defined(__cpp_rtti) || defined(_CPPRTTI)
#define REVCTL_DETAIL_RTTI
#endif

namespace revctl::detail {

/// True if the compiler can prove that bodies are flat (flat_proof.h). Otherwise every record is
/// visited field by field. Define REVCTL_NO_FLAT_PROOF in all files of a program, or in none, to
/// turn the proof off.
#if defined(REVCTL_DETAIL_GNU) && !defined(REVCTL_NO_FLAT_PROOF)
inline constexpr bool kProvesFlatness = true;
#else
inline constexpr bool kProvesFlatness = false;
#endif

}  // namespace revctl::detail
