#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "revctl/base/lexer.h"
#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::list {

using base::Span;

enum class EntryKind { Revision, Alias, Sentinel };

/// One enumerator of the list's enum, with the value that a compiler would compute.
struct Entry {
  std::string name;
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Revision;
  bool explicit_number = false;  ///< true if it has an initializer
  std::string initializer;       ///< text after the '=', trimmed; empty if there is no initializer
  std::string alias_of;   ///< name of another entry, if the initializer consists of only that name
  std::string one_below;  ///< name of an entry such as `COUNT`, if the initializer is `COUNT - 1`
  int line = 0;           ///< 1-based line of the name
  Span name_span, initializer_span;
  Span lines;           ///< all lines of the entry, including comment lines that belong to it
  std::string comment;  ///< text of the trailing comment without its markers, trimmed
  Span comment_span;    ///< the trailing comment with its markers; empty if there is none
  /// end of the name and its attributes, which is where `= n` can be inserted
  std::size_t head_end = 0;
  std::optional<std::size_t> comma;  ///< position of the ',' after the entry
  /// Path of the pending file (revctl/pending) that this entry comes from, or empty if the entry is
  /// in the list itself. For an entry from a pending file, positions refer to the text that `fold`
  /// would write.
  std::string pending_file = {};
};

/// A preprocessor directive in the enum, with its line continuations but without its line ending.
struct Directive {
  enum class Kind { If, Else, Endif, Other };  ///< If: #if, #ifdef, #ifndef; Else: #else, #elif
  Kind kind = Kind::Other;
  Span span;
};

/// A parsed version list. It is a value that owns a copy of the file's text; spans of entries refer
/// to that text. Functions that edit a list (list/writing/edit.h) return the new text, and the
/// caller parses it again. Pointers to entries point into `entries`.
///
///     TRY(const auto list, Parse(text, config, "src/list.h"));
///     const Entry* latest = list.Latest();  // null if the list has no revisions
struct RevisionList {
  std::string path;
  std::string text;
  std::string enum_name;       ///< name as declared; empty if anonymous
  std::string qualified_enum;  ///< such as `game::Revision`; empty if anonymous
  std::string scope;       ///< namespaces and classes around the enum: `game::save`; may be empty
  bool in_class = false;   ///< true if the scope includes a class
  bool scoped = false;     ///< true for an enum class
  std::string underlying;  ///< spelling of the fixed underlying type; empty if there is none
  int underlying_bits =
      0;  ///< width of the fixed underlying type in bits; 0 if there is none or it is unknown
  bool underlying_signed = false;
  int enum_line = 0;
  Span body;  ///< the text between the enum's braces, without them
  /// comments in `body`, including those in parts that are not compiled
  std::vector<Span> comments;
  std::vector<Directive> directives;  ///< preprocessor lines in `body`
  std::vector<Entry> entries;         ///< every enumerator that is compiled, in file order

  /// Returns the first entry with this name, or null. The first call builds an index, so `entries`
  /// must not change afterwards, and calls on the same list are not thread-safe.
  const Entry* Find(std::string_view name) const;
  /// Returns the revisions, ascending by number. Revisions with equal numbers stay in file order.
  std::vector<const Entry*> Revisions() const;
  /// Returns the entry that must refer to the latest revision: `config.current`, or else an alias
  /// called CURRENT or LATEST. Returns null if there is none.
  const Entry* Current(const ListConfig& config) const;
  /// Returns the revision with the highest number, or null.
  const Entry* Latest() const;
  /// True if numbers mostly decrease from top to bottom, so that a new revision is added at the
  /// top.
  bool NewestFirst() const;

 private:
  /// positions in `entries`, by the hash of the name
  mutable std::unordered_multimap<std::size_t, std::size_t> index_;
  mutable std::size_t indexed_ = 0;  ///< number of entries that are in the index
};

/// Returns each revision that precedes a revision with a lower number, paired with the lowest such
/// revision, in reverse file order. In a newest-first list, returns each revision that follows a
/// revision with a lower number instead, in file order.
std::vector<std::pair<const Entry*, const Entry*>> OutOfLine(const RevisionList& list);

/// Parses and evaluates `text`. Returns an Error with `path:line:column` for anything that cannot
/// be evaluated with certainty. Also returns an Error if `config` does not select exactly one enum
/// of the file.
base::Result<RevisionList> Parse(std::string_view text, const ListConfig& config,
                                 std::string_view path);

/// The lineage of a revision. `hash` is the XXH64 of the previous lineage (u64), the number (i64)
/// and the name.
struct Lineage {
  std::string name;
  std::int64_t number = 0;
  std::uint64_t hash = 0;
};
/// Returns the lineages of all revisions, ascending by number. `root` is the lineage before the
/// first revision.
std::vector<Lineage> Lineages(const RevisionList& list, std::uint64_t root);
std::string LineageText(std::uint64_t hash);  ///< returns 16 lower-case hex digits
std::optional<std::uint64_t> LineageFromText(std::string_view text);  ///< also accepts `0`

}  // namespace revctl::list
