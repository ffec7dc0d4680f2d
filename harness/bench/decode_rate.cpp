// Compares how fast a sweep decodes payloads with how fast the program's own reader does. Linked
// with the adopter's types, like the adopter's harness. Prints one line of JSON with payloads per
// second of CPU time, as medians over several interleaved rounds.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <revctl/list_table.h>

#include "golden/store.h"
#include "harness/check/hostile_input.h"
#include "harness/history/history.h"
#include "harness/signals/decoded.h"
#include "harness/trace/object.h"
#include "harness/trace/registry.h"
#include "harness/trace/tracing.h"

namespace {

using namespace revctl::harness;  // NOLINT: a small program

/// Returns the CPU seconds used by terminated child processes.
double ChildSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// An intact or damaged payload, and how to read it.
struct Input {
  const RootType* root;
  std::int64_t number;
  std::vector<std::byte> bytes;
};

/// Returns payloads damaged as in a sweep: flipped bits, wrong counts, spliced payloads, and noise
/// at the end.
std::vector<Input> Damaged(const std::vector<Input>& whole, std::size_t count) {
  std::mt19937_64 random(7);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  std::vector<Input> inputs;
  while (inputs.size() < count) {
    Input input = whole[below(whole.size())];
    auto& bytes = input.bytes;
    switch (below(4)) {
      case 0:
        for (std::size_t n = 1 + below(4); n > 0 && !bytes.empty(); --n)
          bytes[below(bytes.size())] ^= std::byte{1} << below(8);
        break;
      case 1:
        for (std::size_t n = 0, at = below(bytes.size()); n < 4 && at + n < bytes.size(); ++n)
          bytes[at + n] = std::byte{0xFF};
        break;
      case 2: {
        const Input& other = whole[below(whole.size())];
        bytes.resize(below(bytes.size() + 1));
        bytes.insert(
            bytes.end(),
            other.bytes.begin() + static_cast<std::ptrdiff_t>(below(other.bytes.size() + 1)),
            other.bytes.end());
        break;
      }
      default:
        bytes.resize(below(bytes.size() + 1));
        for (std::size_t n = below(64); n > 0; --n)
          bytes.push_back(static_cast<std::byte>(random()));
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// Returns how many inputs `read` reads per CPU second. Repeats the inputs for `seconds` seconds.
template <class Read>
double Rate(const std::vector<Input>& inputs, double seconds, Read read) {
  const Stopwatch watch;
  double count = 0;
  do {
    for (const Input& input : inputs) read(input);
    count += static_cast<double>(inputs.size());
  } while (watch.Milliseconds() < seconds * 1e3);
  return count / (watch.Milliseconds() / 1e3);
}

void ReadAlone(const Input& input) {
  const Object object(input.root->type());
  (void)input.root->entry.read(input.bytes, input.number, object.get());
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  const Registry registry = TakeRegistry();
  const revctl::golden::Store store = revctl::golden::Store::Open(registry.settings.golden);
  const History history(*revctl::DefaultList(), store);
  // Use only a few types: each sweep of a type starts a process, and process startup should not
  // dominate.
  std::vector<const RootType*> some;
  std::vector<Input> whole;
  for (const RootType& root : registry.types) {
    if (some.size() == 5) break;
    some.push_back(&root);
    for (const Golden& golden : history.Goldens(root.name)) {
      const auto payload = golden.payload();
      whole.push_back(
          {&root, history.revisions()[golden.revision].number, {payload.begin(), payload.end()}});
    }
  }
  const std::vector<Input> damaged = Damaged(whole, 20000);
  std::vector<double> reader, traced, on_damaged, storm;
  for (int round = 0; round < 5; ++round) {
    reader.push_back(Rate(whole, seconds, ReadAlone));
    traced.push_back(Rate(whole, seconds, [](const Input& input) {
      const Object object(input.root->type());
      if (!TraceRead(input.root->type(), input.bytes, input.number, object.get()).ok) std::abort();
    }));
    on_damaged.push_back(Rate(damaged, seconds, ReadAlone));
    const double before = ChildSeconds();
    double inputs = 0;
    for (const RootType* root : some)
      inputs += static_cast<double>(Storm(*root, history, seconds, 1).inputs);
    storm.push_back(inputs / (ChildSeconds() - before));
  }
  std::printf("{\"reader\":%.0f,\"traced\":%.0f,\"reader on damaged\":%.0f,\"hostile\":%.0f}\n",
              Median(reader), Median(traced), Median(on_damaged), Median(storm));
  return 0;
}
