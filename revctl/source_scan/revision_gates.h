#pragma once
#include <set>
#include <string>
#include <vector>

#include "revctl/source_scan/source_code.h"

namespace revctl::commands {

/// Where code compares a revision with a bare number: tokens of the numbers, in file order.
/// `ADD(42, x)`, `REM(SR_A, 42, ...)`, `r.revision() < 42`, `42 <= ar->revision`, `switch
/// (r.revision) { case 42:`. A number that is turned into one of `enums` (`Revision(42)`,
/// `static_cast<Revision>(42)`) is as bare.
std::vector<std::size_t> BareNumbers(const std::vector<CodeToken>& tokens,
                                     const std::set<std::string, std::less<>>& enums);

/// A comparison of a call without arguments, or of a member, with a bare number.
struct ComparedNumber {
  std::size_t number = 0;  ///< the number's token
  std::string_view asked;  ///< `getMinorVersion` of `th.getMinorVersion() >= 338`
};
std::vector<ComparedNumber> ComparedNumbers(const std::vector<CodeToken>& tokens,
                                            const std::set<std::string, std::less<>>& enums);

/// The calls without arguments, and the members, that the names at `tokens[revisions]` are
/// compared with: getters of revisions under another name.
std::vector<std::string_view> Getters(const std::vector<CodeToken>& tokens,
                                      const std::vector<std::size_t>& revisions);

/// The revision named by token `at` is asked for to find older files, or what only they carry:
/// `r.revision < SR_X`, `SR_X > r.revision`, `REM(SR_A, SR_X, ...)`. Where no older file is read
/// any more, nothing ever comes there.
bool OnlyForOlder(const std::vector<CodeToken>& tokens, std::size_t at);

}  // namespace revctl::commands
