#include "revctl/findings/fix.h"

#include "revctl/base/shell_word.h"

namespace revctl::findings {

std::string FixText(const Fix& fix) {
  return fix.argv.empty() ? fix.edit : base::ShellLine(fix.argv) + fix.edit;
}

}  // namespace revctl::findings
