// YAML 1.1 reads some names as a bool or null. Records must quote these names, so that every YAML
// reader reads them as strings.
#include <catch2/catch.hpp>
#include <map>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace words {

enum Rev { SR_INITIAL = 1 };

enum class Answer : std::uint8_t { True, False, Null, yes, No, ON, off, y, N, NaN, e5, _10 };

struct Form {
  Answer True = Answer::True, y = Answer::yes;
  bool no = false;
  std::string Null;
  std::map<std::string, Answer> on;
};
SERIALIZE_TYPE(Form) {
  ADD(SR_INITIAL, True);
  ADD(SR_INITIAL, y);
  ADD(SR_INITIAL, no);
  ADD(SR_INITIAL, Null);
  ADD(SR_INITIAL, on);
}
SERIALIZE_END

}  // namespace words

namespace revctl::harness::test {

template <words::Answer answer>
void Say(void* form) {
  auto& d = *static_cast<words::Form*>(form);
  d.y = answer;
  d.Null = "Null";
  d.on = {{"true", answer}, {"0x10", words::Answer::True}};
}

TEST_CASE("record: YAML 1.1 readers read names like True as text", "[harness][golden]") {
  using words::Answer;
  const Program program = Program(1)
                              .Type<words::Form>()
                              .Sample("True", Say<Answer::True>)
                              .Sample("no", Say<Answer::No>)
                              .Sample("null", Say<Answer::Null>)
                              .Sample("007", Say<Answer::_10>);
  const Folder folder;
  program.Record(folder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(result.findings.empty());
  const Ran ran = Run(folder, "PYTHONDONTWRITEBYTECODE=1 python3 '" + Sources() +
                                  "/golden/second_reader/read_goldens.py' .");
  INFO(ran.out << ran.err);
  CHECK(ran.exit == 0);
}

}  // namespace revctl::harness::test
