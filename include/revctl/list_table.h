#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

// The table of a revision list: names, numbers and lineages, for file headers and messages.
//
// `revctl codegen` generates a header that includes this one and the list. For a list whose enum is
// `game::Revision` it contains:
//
//   namespace revctl {
//   template <> struct ListOf<game::Revision> {
//     // Ascending by number.
//     static constexpr ListEntry entries[] = {{"SR_INITIAL", 1, 0x6c1f...u}, ...};
//     static constexpr ListTable table{"main", entries, /*oldest=*/1};
//     static inline const bool registered = RegisterList(table);
//   };
//   namespace detail {
//   void TableIsIncluded(const ListAnchor&);  // never defined: lets Load(bytes, value) compile
//   }
//   }
//
// If at least one source file includes the generated header, `registered` makes the list the
// program's default before main(). `inline const bool x = RegisterList(...)` at namespace scope has
// the same effect.

namespace revctl {

/// A revision: its name, its number, and the lineage of the list up to it (a chain of XXH64; see
/// docs/formats/list.md).
struct ListEntry {
  std::string_view name;
  std::int64_t number;
  std::uint64_t lineage;
};

/// A list of revisions. Save() takes lineages from it, and Load() checks files against it.
/// `revctl codegen` generates the tables of programs; tests and tools may also build their own.
/// Entries and names are not copied and must outlive the table.
struct ListTable {
  std::string_view name;               ///< identifies the list, for example `main`
  std::span<const ListEntry> entries;  ///< ascending by number; static storage
  std::int64_t oldest;                 ///< oldest revision that is still readable

  /// Returns the entry with this number, or null.
  constexpr const ListEntry* Find(std::int64_t number) const {
    for (const ListEntry& entry : entries) {
      if (entry.number == number) return &entry;
    }
    return nullptr;
  }
  /// Returns the entry with this name, or null.
  constexpr const ListEntry* Find(std::string_view entry_name) const {
    for (const ListEntry& entry : entries) {
      if (entry.name == entry_name) return &entry;
    }
    return nullptr;
  }
  /// Returns the newest entry, or null if the list is empty.
  constexpr const ListEntry* Latest() const { return entries.empty() ? nullptr : &entries.back(); }
};

/// The table of the list whose enum is `Enum`. Generated headers specialize this template.
template <class Enum>
struct ListOf;

/// An enum whose generated header has been included.
template <class Enum>
concept ListedEnum = requires {
  ListOf<Enum>::table.entries;
};

/// Returns the newest revision of the list. The list must not be empty.
template <ListedEnum Enum>
constexpr Enum LatestOf() {
  return static_cast<Enum>(ListOf<Enum>::table.Latest()->number);
}

namespace detail {

struct ListAnchor {};
template <class>
struct ListAnchorOf : ListAnchor {};

/// True if this source file knows the newest revision of files that are loaded as `Enum`, because
/// it includes the generated table of that enum. If `Enum` is not an enum, it represents the
/// program's only list, and any generated table suffices, because each generated header declares
/// TableIsIncluded().
template <class Enum>
concept KnowsLatest = ListedEnum<Enum> ||
    (!std::is_enum_v<Enum> && requires(ListAnchorOf<Enum> any) { TableIsIncluded(any); });

struct RegisteredLists {
  const ListTable* first = nullptr;
  bool several = false;
};
inline RegisteredLists& Lists() {
  static RegisteredLists lists;
  return lists;
}
}  // namespace detail

/// Makes `table`, which must have static storage, known to Load() and Save(). Generated headers
/// call it before main(). Always returns true.
inline bool RegisterList(const ListTable& table) {
  detail::RegisteredLists& lists = detail::Lists();
  if (lists.first == nullptr) {
    lists.first = &table;
  } else if (lists.first->name != table.name) {
    lists.several = true;
  }
  return true;
}

/// Returns the program's only list, or null if it has none or several. If there are several, the
/// caller selects one by its enum: `Load<game::Revision>(bytes, value)`.
inline const ListTable* DefaultList() {
  const detail::RegisteredLists& lists = detail::Lists();
  return lists.several ? nullptr : lists.first;
}

}  // namespace revctl
