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

/// One enumerator of the list's enum, in file order, evaluated as the compiler does.
struct Entry {
  std::string name;
  std::int64_t number = 0;
  EntryKind kind = EntryKind::Revision;
  bool explicit_number = false;  ///< has `= ...`
  std::string initializer;       ///< text after '=', trimmed; empty where implicit
  std::string alias_of;          ///< the entry it names, where the initializer only names another
  std::string one_below;     ///< `COUNT`, where the initializer is `COUNT - 1` and COUNT an entry
  int line = 0, column = 0;  ///< 1-based, of the name
  Span name_span, initializer_span;
  Span lines;  ///< whole lines that belong to this entry: its own, and the comment lines that lead
               ///< it
  std::string comment;  ///< trailing comment on the entry's line, without its markers, trimmed
  Span comment_span;    ///< that comment with its markers; empty where there is none
  std::size_t head_end =
      0;  ///< end of the name and its attributes: where `= n` goes into an implicit entry
  std::optional<std::size_t> comma;  ///< position of the ',' behind it
  /// Path of the pending file that it stands in (revctl/pending), which is not folded yet; empty:
  /// it stands in the list. Places are then those of the text that a fold would make.
  std::string pending_file = {};
};

/// A preprocessor line inside the enum's braces (line continuations included, without its line
/// ending).
struct Directive {
  enum class Kind { If, Else, Endif, Other };  ///< If: #if, #ifdef, #ifndef; Else: #else, #elif
  Kind kind = Kind::Other;
  Span span;
};

/// A parsed version list. Holds the file's text unchanged; edits give a new text
/// (list/writing/edit.h).
struct RevisionList {
  std::string path;
  std::string text;
  std::string enum_name;       ///< as declared, may be empty (anonymous)
  std::string qualified_enum;  ///< `game::Revision`; empty where anonymous
  std::string scope;  ///< namespaces and classes around the enum: `game::save`, empty at the top
  bool in_class = false;   ///< one of them is a class
  bool scoped = false;     ///< enum class
  std::string underlying;  ///< fixed underlying type as spelled, may be empty
  int underlying_bits =
      0;  ///< width of the fixed underlying type; 0 where there is none, or none that is known
  bool underlying_signed = false;
  int enum_line = 0;
  Span body;                          ///< what stands between the enum's braces, without them
  std::vector<Span> comments;         ///< comments inside `body`, compiled in or not
  std::vector<Directive> directives;  ///< preprocessor lines inside `body`
  std::vector<Entry> entries;         ///< every enumerator that is compiled in, file order

  /// The first entry of that name; null where there is none. An index is made at the first
  /// question, so a list is for one thread at a time, and `entries` stay as they are from then on.
  const Entry* Find(std::string_view name) const;
  /// Revisions only, ascending by number; of two names on one number the first in the file comes
  /// first.
  std::vector<const Entry*> Revisions() const;
  /// The entry that must name the latest revision: `config.current`, else an alias called CURRENT
  /// or LATEST; null if none.
  const Entry* Current(const ListConfig& config) const;
  /// The revision with the highest number; null where there is none.
  const Entry* Latest() const;
  /// Numbers fall from top to bottom: new revisions go to the top.
  bool NewestFirst() const;

 private:
  /// hash of a name to places in `entries`
  mutable std::unordered_multimap<std::size_t, std::size_t> index_;
  mutable std::size_t indexed_ = 0;  ///< how many entries it knows
};

/// Revisions behind which (in a newest-first list above which) one with a lower number stands, each
/// with the lowest such one. From the end of the file (of a newest-first one: from its beginning).
std::vector<std::pair<const Entry*, const Entry*>> OutOfLine(const RevisionList& list);

/// Parses and evaluates `text`. Never guesses: what cannot be understood is an Error with
/// `path:line:column`.
base::Result<RevisionList> Parse(std::string_view text, const ListConfig& config,
                                 std::string_view path);

/// Lineage of each revision of `list`, ascending by number (XXH64 chained over (previous u64,
/// number i64, name)).
struct Lineage {
  std::string name;
  std::int64_t number = 0;
  std::uint64_t hash = 0;
};
std::vector<Lineage> Lineages(const RevisionList& list, std::uint64_t root);
std::string LineageText(std::uint64_t hash);                          ///< 16 lower-case hex digits
std::optional<std::uint64_t> LineageFromText(std::string_view text);  ///< that again, or `0`

}  // namespace revctl::list
