#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "revctl/source_scan/source_code.h"

namespace revctl::commands {

/// Returns the tokens of bare numbers that code compares with a revision, in file order. Examples
/// are `ADD(42, x)`, `REM(SR_A, 42, ...)`, `r.revision() < 42`, `42 <= ar->revision`, and `switch
/// (r.revision) { case 42:`. A number that is converted to one of `enums` (`Revision(42)`,
/// `static_cast<Revision>(42)`) also counts as bare.
std::vector<std::size_t> BareNumbers(const std::vector<CodeToken>& tokens,
                                     const std::set<std::string, std::less<>>& enums);

/// A bare number that is compared with a member or with a call without arguments.
struct ComparedNumber {
  std::size_t number = 0;  ///< index of the number's token
  std::string_view asked;
};
std::vector<ComparedNumber> ComparedNumbers(const std::vector<CodeToken>& tokens,
                                            const std::set<std::string, std::less<>>& enums);

/// Positions of the arguments that are revisions, by function name. Positions start at 1: {"DoEx",
/// {2}}.
using RevisionArguments = std::map<std::string, std::set<int>, std::less<>>;

/// Returns the tokens of bare numbers that calls pass at one of the positions in `arguments`, as in
/// `w.DoEx(&x, 77, 0)`.
std::vector<std::size_t> PassedNumbers(const std::vector<CodeToken>& tokens,
                                       const std::set<std::string, std::less<>>& enums,
                                       const RevisionArguments& arguments);

/// Returns the members and the functions without arguments that are compared with the revision
/// names at `tokens[revisions]`. They must therefore return a revision.
std::vector<std::string_view> Getters(const std::vector<CodeToken>& tokens,
                                      const std::vector<std::size_t>& revisions);

/// True if the code at token `at` uses the named revision only to handle older files: `r.revision <
/// SR_X`, `SR_X > r.revision`, `REM(SR_A, SR_X, ...)`. Such code is dead once the program stops
/// reading older files.
bool OnlyForOlder(const std::vector<CodeToken>& tokens, std::size_t at);

}  // namespace revctl::commands
