#pragma once
#include <cstdint>
#include <span>
#include <string_view>

// The table of a revision list, as `revctl codegen` writes it: names, numbers and lineages for
// files and messages.
//
// The generated header includes this one and the list, and then, for a list whose enum is
// `game::Revision`:
//
//   namespace revctl {
//   template <> struct ListOf<game::Revision> {
//     // Ascending by number.
//     static constexpr ListEntry entries[] = {{"SR_INITIAL", 1, 0x6c1f...u}, ...};
//     static constexpr ListTable table{"main", entries, /*oldest=*/1};
//     static inline const bool registered = RegisterList(table);
//   };
//   }
//
// `registered` makes the list the program's default without any call: it is initialised before
// main() in each program that includes the header in at least one source file. The declaration
// `inline const bool x = RegisterList(...)` at namespace scope does the same.

namespace revctl {

/// One revision: its number and the lineage of the list up to it (XXH64 chain; see
/// docs/formats/list.md).
struct ListEntry {
  std::string_view name;
  std::int64_t number;
  std::uint64_t lineage;
};

/// One list: what Save() writes lineages from and Load() judges files by. Made by `revctl codegen`;
/// tests and tools may fill one themselves. Refers to its entries and names, which must outlive it.
struct ListTable {
  std::string_view name;               ///< identity of the list: `main`
  std::span<const ListEntry> entries;  ///< ascending by number; static storage
  std::int64_t oldest;                 ///< oldest revision that is still readable

  /// The entry with this number, or null.
  constexpr const ListEntry* Find(std::int64_t number) const {
    for (const ListEntry& entry : entries) {
      if (entry.number == number) return &entry;
    }
    return nullptr;
  }
  /// The entry with this name, or null.
  constexpr const ListEntry* Find(std::string_view entry_name) const {
    for (const ListEntry& entry : entries) {
      if (entry.name == entry_name) return &entry;
    }
    return nullptr;
  }
  /// The newest entry, or null in an empty list.
  constexpr const ListEntry* Latest() const { return entries.empty() ? nullptr : &entries.back(); }
};

/// The table of the list whose enum is `Enum`; specialised by the generated header.
template <class Enum>
struct ListOf;

/// An enum for which a generated header is included.
template <class Enum>
concept ListedEnum = requires {
  ListOf<Enum>::table.entries;
};

/// The newest revision of the list that `Enum` is.
template <ListedEnum Enum>
constexpr Enum LatestOf() {
  return static_cast<Enum>(ListOf<Enum>::table.Latest()->number);
}

namespace detail {
struct RegisteredLists {
  const ListTable* first = nullptr;
  bool several = false;
};
inline RegisteredLists& Lists() {
  static RegisteredLists lists;
  return lists;
}
}  // namespace detail

/// Makes `table` (static storage) known to Load() and Save(). Called by generated headers before
/// main(). Returns true.
inline bool RegisterList(const ListTable& table) {
  detail::RegisteredLists& lists = detail::Lists();
  if (lists.first == nullptr) {
    lists.first = &table;
  } else if (lists.first->name != table.name) {
    lists.several = true;
  }
  return true;
}

/// The list of a program that has exactly one; null where there is none, or where there are several
/// (then the enum's type says which: `Load<game::Revision>(bytes, value)`).
inline const ListTable* DefaultList() {
  const detail::RegisteredLists& lists = detail::Lists();
  return lists.several ? nullptr : lists.first;
}

}  // namespace revctl
