#pragma once
#include <cstddef>
#include <type_traits>

// Counts the members of an aggregate, including its bases, so that the harness can report members
// that no body visits. `T{{}, {}, {}}` compiles if T has at least three members, because each `{}`
// initializes one whole member of any kind, including arrays.

namespace revctl::detail {

// clang-format off
#define REVCTL_DETAIL_E1 {}
#define REVCTL_DETAIL_E2 REVCTL_DETAIL_E1, REVCTL_DETAIL_E1
#define REVCTL_DETAIL_E4 REVCTL_DETAIL_E2, REVCTL_DETAIL_E2
#define REVCTL_DETAIL_E8 REVCTL_DETAIL_E4, REVCTL_DETAIL_E4
#define REVCTL_DETAIL_E16 REVCTL_DETAIL_E8, REVCTL_DETAIL_E8
#define REVCTL_DETAIL_E32 REVCTL_DETAIL_E16, REVCTL_DETAIL_E16
#define REVCTL_DETAIL_E64 REVCTL_DETAIL_E32, REVCTL_DETAIL_E32

template <class T, std::size_t n> inline constexpr bool kTakes = false;
template <class T> requires requires { T{REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 1> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 2> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 3> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 4> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 5> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 6> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 7> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 8> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 9> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 10> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 11> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 12> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 13> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 14> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 15> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16}; } inline constexpr bool kTakes<T, 16> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 17> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 18> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 19> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 20> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 21> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 22> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 23> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 24> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 25> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 26> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 27> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 28> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 29> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 30> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 31> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32}; } inline constexpr bool kTakes<T, 32> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 33> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 34> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 35> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 36> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 37> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 38> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 39> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 40> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 41> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 42> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 43> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 44> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 45> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 46> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 47> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16}; } inline constexpr bool kTakes<T, 48> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 49> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 50> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 51> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 52> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 53> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 54> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 55> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 56> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 57> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 58> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 59> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 60> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 61> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 62> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 63> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64}; } inline constexpr bool kTakes<T, 64> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 65> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 66> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 67> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 68> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 69> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 70> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 71> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 72> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 73> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 74> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 75> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 76> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 77> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 78> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 79> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16}; } inline constexpr bool kTakes<T, 80> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 81> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 82> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 83> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 84> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 85> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 86> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 87> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 88> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 89> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 90> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 91> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 92> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 93> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 94> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 95> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32}; } inline constexpr bool kTakes<T, 96> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 97> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 98> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 99> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 100> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 101> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 102> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 103> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 104> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 105> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 106> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 107> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 108> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 109> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 110> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 111> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16}; } inline constexpr bool kTakes<T, 112> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 113> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 114> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 115> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 116> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 117> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 118> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 119> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8}; } inline constexpr bool kTakes<T, 120> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 121> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 122> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 123> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4}; } inline constexpr bool kTakes<T, 124> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 125> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2}; } inline constexpr bool kTakes<T, 126> = true;
template <class T> requires requires { T{REVCTL_DETAIL_E64, REVCTL_DETAIL_E32, REVCTL_DETAIL_E16, REVCTL_DETAIL_E8, REVCTL_DETAIL_E4, REVCTL_DETAIL_E2, REVCTL_DETAIL_E1}; } inline constexpr bool kTakes<T, 127> = true;
// clang-format on

#undef REVCTL_DETAIL_E1
#undef REVCTL_DETAIL_E2
#undef REVCTL_DETAIL_E4
#undef REVCTL_DETAIL_E8
#undef REVCTL_DETAIL_E16
#undef REVCTL_DETAIL_E32
#undef REVCTL_DETAIL_E64

template <class T, std::size_t low, std::size_t high>
consteval std::size_t SearchMembers() {  // T accepts `low` initializers, but not `high`
  if constexpr (high - low == 1) {
    return low;
  } else {
    constexpr std::size_t middle = (low + high) / 2;
    if constexpr (kTakes<T, middle>) return SearchMembers<T, middle, high>();
    else return SearchMembers<T, low, middle>();
  }
}

/// Returns the number of members of T, at most 127; 0 if T is not an aggregate.
template <class T>
consteval std::size_t AggregateMembers() {
  if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>) {
    return SearchMembers<T, 0, 128>();
  } else {
    return 0;
  }
}

}  // namespace revctl::detail
