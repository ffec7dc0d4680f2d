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

/// An enumerator of the list's enum, evaluated as the compiler does.
struct Entry {
  std::string name;
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Revision;
  bool explicit_number = false;  ///< has an initializer
  std::string initializer;       ///< text after '=', trimmed; empty if implicit
  std::string alias_of;          ///< the other entry, if the initializer only names one
  std::string one_below;     ///< `COUNT`, if the initializer is `COUNT - 1` and COUNT is an entry
  int line = 0, column = 0;  ///< 1-based position of the name
  Span name_span, initializer_span;
  Span lines;                ///< the entry's whole lines, including comment lines that belong to it
  std::string comment;       ///< trailing comment without its markers, trimmed
  Span comment_span;         ///< the trailing comment with its markers; empty if there is none
  std::size_t head_end = 0;  ///< end of the name and its attributes, where `= n` is inserted
  std::optional<std::size_t> comma;  ///< position of the ',' after it
  /// Path of the pending file (revctl/pending) that this entry comes from. Empty if it is in the
  /// list itself. Positions refer to the text that `fold` would write.
  std::string pending_file = {};
};

/// A preprocessor line in the enum, with line continuations but without its line ending.
struct Directive {
  enum class Kind { If, Else, Endif, Other };  ///< If: #if, #ifdef, #ifndef; Else: #else, #elif
  Kind kind = Kind::Other;
  Span span;
};

/// A parsed version list. It is a value that owns a copy of the file's text; spans of entries refer
/// to that text. Functions that edit a list (list/writing/edit.h) return the new text, and the
/// caller parses it again. Returned pointers point into `entries`.
///
///     TRY(const auto list, Parse(text, config, "src/list.h"));
///     const Entry* latest = list.Latest();  // null if the list has no revisions
struct RevisionList {
  std::string path;
  std::string text;
  std::string enum_name;       ///< as declared; empty if anonymous
  std::string qualified_enum;  ///< `game::Revision`; empty if anonymous
  std::string scope;       ///< namespaces and classes around the enum: `game::save`; may be empty
  bool in_class = false;   ///< the scope includes a class
  bool scoped = false;     ///< enum class
  std::string underlying;  ///< fixed underlying type as spelled; empty if there is none
  int underlying_bits =
      0;  ///< width of the fixed underlying type; 0 if there is none or it is unknown
  bool underlying_signed = false;
  int enum_line = 0;
  Span body;                          ///< the text between the enum's braces, without them
  std::vector<Span> comments;         ///< comments in `body`, whether compiled in or not
  std::vector<Directive> directives;  ///< preprocessor lines in `body`
  std::vector<Entry> entries;         ///< every enumerator that is compiled in, in file order

  /// Returns the first entry with this name, or null. The first call builds an index, so `entries`
  /// must not change afterwards, and a list must not be used by several threads at once.
  const Entry* Find(std::string_view name) const;
  /// Returns the revisions, ascending by number. Revisions with equal numbers stay in file order.
  std::vector<const Entry*> Revisions() const;
  /// Returns the entry that must name the latest revision: `config.current`, otherwise an alias
  /// called CURRENT or LATEST. Null if there is none.
  const Entry* Current(const ListConfig& config) const;
  /// Returns the revision with the highest number, or null.
  const Entry* Latest() const;
  /// True if numbers mostly fall from top to bottom, so that new revisions go to the top.
  bool NewestFirst() const;

 private:
  /// hash of a name to indexes in `entries`
  mutable std::unordered_multimap<std::size_t, std::size_t> index_;
  mutable std::size_t indexed_ = 0;  ///< number of entries in the index
};

/// Returns the revisions that a revision with a lower number follows (in a newest-first list:
/// precedes), each with the lowest such revision. Starts at the end of the file (newest-first: at
/// its beginning).
std::vector<std::pair<const Entry*, const Entry*>> OutOfLine(const RevisionList& list);

/// Parses and evaluates `text`. Returns an Error with `path:line:column` for anything that cannot
/// be evaluated with certainty, and for a file in which `config` does not select exactly one enum.
base::Result<RevisionList> Parse(std::string_view text, const ListConfig& config,
                                 std::string_view path);

/// Lineage of a revision: XXH64 of the previous lineage (u64), the number (i64) and the name.
struct Lineage {
  std::string name;
  std::int64_t number = 0;
  std::uint64_t hash = 0;
};
/// Returns the lineages of all revisions, ascending by number. `root` precedes the first.
std::vector<Lineage> Lineages(const RevisionList& list, std::uint64_t root);
std::string LineageText(std::uint64_t hash);                          ///< 16 lower-case hex digits
std::optional<std::uint64_t> LineageFromText(std::string_view text);  ///< or from `0`

}  // namespace revctl::list
