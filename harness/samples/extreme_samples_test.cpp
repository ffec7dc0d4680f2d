// Extreme samples must contain extreme values and must not become goldens.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <revctl/serialize.h>

#include "harness/samples/samples.h"
#include "harness/testing/test_program.h"
#include "harness/trace/tracing.h"

namespace {

enum Rev { SR_INITIAL = 1 };

struct Node {
  std::vector<Node> children;
};
SERIALIZE_TYPE(Node) { ADD(SR_INITIAL, children); }
SERIALIZE_END

struct Box {
  std::vector<std::int32_t> numbers;
  std::map<std::string, std::int32_t> prices;
  std::set<float> weights;
  std::string name;
  std::optional<std::int32_t> bonus;
  double speed = 1;
  std::uint8_t floor : 3 = 0;
  Node tree;
};
SERIALIZE_TYPE(Box) {
  ADD(SR_INITIAL, numbers);
  ADD(SR_INITIAL, prices);
  ADD(SR_INITIAL, weights);
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, bonus);
  ADD(SR_INITIAL, speed);
  ADD_BITS(SR_INITIAL, std::uint8_t, floor);
  ADD(SR_INITIAL, tree);
}
SERIALIZE_END

bool loses_last = false;
struct Queue {
  std::vector<std::int32_t> waiting;
};
SERIALIZE_TYPE(Queue) {
  ADD(SR_INITIAL, waiting);
  if constexpr (requires { d.waiting.pop_back(); }) {
    if (loses_last && r.IsReading() && d.waiting.size() > 4) d.waiting.pop_back();
  }
}
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {

TEST_CASE("samples: extreme samples have values that others lack", "[harness][samples]") {
  const Program program = Program(1).Type<Box>();
  const auto samples = MakeExtremeSamples(program.registry.types.front(), 1, 1);
  REQUIRE(samples.size() == 2);
  const Object many_object = samples[0].make(1, nullptr),
               zeros_object = samples[1].make(1, nullptr);
  const Box& many = *static_cast<const Box*>(many_object.get());
  CHECK(many.numbers.size() == 9);
  CHECK(many.prices.size() == 9);
  CHECK(many.weights.size() == 9);
  CHECK(std::isnan(many.speed));
  CHECK(many.name.find('\0') != std::string::npos);
  const Box& zeros = *static_cast<const Box*>(zeros_object.get());
  REQUIRE(zeros.bonus.has_value());
  CHECK(*zeros.bonus == 0);
  CHECK(zeros.prices.contains(""));
  CHECK(zeros.prices.size() > 1);
  CHECK(zeros.weights.contains(0.0F));
  CHECK(zeros.name.empty());
  for (const Sample& sample : samples) {
    const Object again = sample.make(1, nullptr), once = sample.make(1, nullptr);
    const TypeInfo& type = program.registry.types.front().type();
    CHECK(TraceWrite(type, again.get(), 1).bytes == TraceWrite(type, once.get(), 1).bytes);
  }
}

TEST_CASE("check: an extreme sample reveals a truncated container", "[harness][samples][signals]") {
  const Folder folder;
  const Program program = Program(1).Type<Queue>();
  program.Record(folder);
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  REQUIRE(store.records().size() == 1);
  for (const revctl::golden::StoredRecord& stored : store.records()) {
    for (const revctl::golden::Case& item : stored.record.cases)
      CHECK_FALSE(item.name.starts_with("odd-"));
  }
  CHECK(program.Check(folder).findings.empty());
  loses_last = true;
  const CheckResult result = program.Check(folder);
  loses_last = false;
  INFO(Text(result));
  const auto odd =
      std::find_if(result.findings.begin(), result.findings.end(),
                   [](const Finding& finding) { return finding.details == "sample: odd-many"; });
  REQUIRE(odd != result.findings.end());
  CHECK(findings::NameOf(odd->rule) == "GH005");
  CHECK(odd->field == "waiting#count");
}

}  // namespace revctl::harness::test
